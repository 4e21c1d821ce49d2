"""DataStore: tables of rows, asked as `datastore_search` asks them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from tests.support.fake_ckan.replies import invalid, not_found

MOST_ROWS = 32_000
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """A resource's rows. `fields` maps a column to its type; `_id` is added."""

    fields: Mapping[str, str]
    rows: Sequence[Row]

    def all_fields(self) -> dict[str, str]:
        """Every column with its type, `_id` first."""
        return {"_id": "int", **self.fields}


def datastore_search(tables: Mapping[str, Table], given: Mapping[str, Any]) -> Row:
    """The result of the action. Raises Refusal."""
    identifier = given.get("resource_id") or given.get("id")
    if not identifier:
        raise invalid(resource_id=["Missing value"])
    if identifier not in tables:
        raise not_found(f'Not found: Resource "{identifier}" was not found.')
    table = tables[str(identifier)]
    columns = table.all_fields()
    limit, offset = _number(given, "limit", 100), _number(given, "offset", 0)
    limit = min(limit, MOST_ROWS)
    rows = [{"_id": number, **row} for number, row in enumerate(table.rows, 1)]
    filters = _filters(given.get("filters"), columns)
    rows = [row for row in rows if all(_fits(row[name], value) for name, value in filters.items())]
    text = given.get("q")
    if text:
        words = re.findall(r"\w+", str(text).lower())
        rows = [row for row in rows if all(word in _words(row) for word in words)]
    rows = _sorted(rows, str(given.get("sort") or ""), columns)
    wanted = _fields(given.get("fields"), columns)
    rows = [{name: row[name] for name in wanted} for row in rows]
    if _true(given.get("distinct")):
        rows = list({orjson.dumps(row): row for row in rows}.values())
    result: Row = {
        "include_total": True,
        "limit": limit,
        "records_format": given.get("records_format", "objects"),
        "resource_id": identifier,
        "total_estimation_threshold": None,
        "records": rows[offset : offset + limit],
        "fields": [{"id": name, "type": columns[name]} for name in wanted],
        "_links": {"start": "/api/3/action/datastore_search", "next": "/api/3/action/datastore_search"},
        "total": len(rows),
        "total_was_estimated": False,
    }
    if offset:
        result["offset"] = offset
    if filters:
        result["filters"] = filters
    if str(given.get("include_total", "true")).lower() == "false":
        del result["total"]
        result["include_total"] = False
    return result


def _number(given: Mapping[str, Any], name: str, default: int) -> int:
    try:
        number = int(given.get(name, default))
    except (TypeError, ValueError):
        raise invalid(**{name: ["Invalid integer"]}) from None
    if number < 0:
        raise invalid(**{name: ["Must be a natural number"]})
    return number


def _filters(value: Any, columns: Mapping[str, str]) -> Row:
    if value in (None, ""):
        return {}
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            raise invalid(filters=["Cannot parse JSON"]) from None
    if not isinstance(value, dict):
        raise invalid(filters=["Not a dictionary"])
    for name in value:
        if name not in columns:
            raise invalid(filters=[f'field "{name}" not in table'])
    return value


def _fits(actual: Any, wanted: Any) -> bool:
    return str(actual) in [str(item) for item in (wanted if isinstance(wanted, list) else [wanted])]


def _words(row: Row) -> set[str]:
    return set(re.findall(r"\w+", " ".join(str(value) for value in row.values()).lower()))


def _sorted(rows: list[Row], sort: str, columns: Mapping[str, str]) -> list[Row]:
    parts = re.findall(r'\s*("[^"]+"|[^",\s]+)(?:\s+(asc|desc))?\s*(?:,|$)', sort, re.IGNORECASE)
    for quoted, direction in reversed(parts):
        name = quoted.strip('"')
        if name not in columns:
            raise invalid(sort=[f'field "{name}" not in table'])
        rows = sorted(rows, key=_by(name), reverse=direction.lower() == "desc")
    return rows


def _by(name: str) -> Callable[[Row], tuple[bool, Any]]:
    return lambda row: (row[name] is None, row[name])


def _fields(value: Any, columns: Mapping[str, str]) -> list[str]:
    if not value:
        return list(columns)
    names = [name.strip() for name in value.split(",")] if isinstance(value, str) else list(value)
    for name in names:
        if name not in columns:
            raise invalid(fields=[f'field "{name}" not in table'])
    return names


def _true(value: Any) -> bool:
    return str(value).lower() in ("true", "1", "yes")
