"""`package_search`: what CKAN checks and adds before it asks Solr, and what it makes of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from tests.support.fake_ckan.engine import CKAN_MM, DEFAULT_SORT, BadSort, Engine, Select
from tests.support.fake_ckan.query_tree import SyntaxProblem
from tests.support.fake_ckan.replies import Refusal, invalid, search_error

_KNOWN = frozenset(
    [
        "q",
        "fl",
        "fq",
        "rows",
        "sort",
        "start",
        "wt",
        "qf",
        "bf",
        "boost",
        "facet",
        "facet.mincount",
        "facet.limit",
        "facet.field",
        "extras",
        "fq_list",
        "tie",
        "defType",
        "mm",
        "df",
        "include_private",
        "include_drafts",
        "include_deleted",
        "use_default_schema",
    ]
)
MOST_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class Manners:
    """What differs between portals: the parser without a colon, and the operator of the standard parser."""

    def_type: str = "dismax"
    q_op: str = "AND"


def package_search(
    engine: Engine, packages: Mapping[str, dict[str, Any]], given: Mapping[str, Any], manners: Manners
) -> dict[str, Any]:
    """The result of the action. Raises Refusal."""
    unknown = [name for name in given if name not in _KNOWN and not name.startswith("ext_")]
    if unknown:
        raise Refusal(
            400, "Search Query Error", f"Search Query is invalid: 'Invalid search parameters: {unknown}'"
        )
    for value in given.values():
        if isinstance(value, str) and value.startswith("{!"):
            raise search_error()
    q = str(given.get("q") or "")
    if q in ("", '""', "''"):
        q = "*:*"
    def_type = str(given.get("defType") or "")
    if not def_type and ":" not in q:
        def_type = manners.def_type
    rows, start = min(_number(given, "rows", 10), MOST_ROWS), _number(given, "start", 0)
    fq = [f"+capacity:public {given.get('fq') or ''} +state:(active)"]
    fq_list = given.get("fq_list") or []
    # Over GET a single value is torn into its characters.
    fq += list(fq_list)
    facets = _facet_fields(given)
    sort = str(given.get("sort") or "")
    try:
        found = engine.select(
            Select(
                q,
                tuple(fq),
                def_type,
                q_op=manners.q_op,
                rows=rows,
                start=start,
                sort=sort if sort not in ("", "rank") else DEFAULT_SORT,
                facet_fields=facets,
                facet_limit=int(given.get("facet.limit", 50)),
                mm=str(given.get("mm") or CKAN_MM),
            )
        )
    except SyntaxProblem:
        raise search_error() from None
    except BadSort:
        raise Refusal(400, "Search Query Error", 'Search Query is invalid: "Invalid sort"') from None
    return {
        "count": found.count,
        "facets": found.facets,
        "results": [packages[document["id"]] for document in found.documents],
        "sort": sort or DEFAULT_SORT,
        "search_facets": {
            name: {
                "title": name,
                "items": sorted(
                    (
                        {"name": value, "display_name": value, "count": count}
                        for value, count in counts.items()
                    ),
                    key=lambda item: item["display_name"],
                    reverse=True,
                ),
            }
            for name, counts in found.facets.items()
        },
    }


def _number(given: Mapping[str, Any], name: str, default: int) -> int:
    try:
        number = int(given.get(name, default))
    except (TypeError, ValueError):
        raise invalid(**{name: ["Invalid integer"]}) from None
    if number < 0:
        raise invalid(**{name: ["Must be a natural number"]})
    return number


def _facet_fields(given: Mapping[str, Any]) -> tuple[str, ...]:
    value = given.get("facet.field")
    if value in (None, ""):
        return ()
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            value = None
    if not isinstance(value, list):
        raise invalid(**{"facet.field": ["Not a list"]})
    return tuple(str(name) for name in value)
