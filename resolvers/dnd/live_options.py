"""What belongs to live character options: features, levels, traits, spells, and the options beside them.

Open5e has features and levels in the row of their class, and traits in that of their species. What an answer
would lack is an error of the parent that it belongs to, never an empty list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from resolvers.planned_listing import list_planned
from resolvers.question import PageRequest, Question, Wanted
from sources.criteria import Criteria
from sources.dnd.live_index import Cost
from sources.dnd.open5e_client import NAME, Open5e
from sources.dnd.open5e_options import PROVIDER
from sources.errors import UpstreamBadResponse
from sources.page import OrderKey, Record, record_class
from sources.provenance import Provenance

LIST_OF = {
    "class": "class",
    "subclass": "class",
    "species": "species",
    "background": "background",
    "feat": "feat",
}
"""The list that holds the records of a kind."""

_ALL = 100_000


async def options(
    open5e: Open5e, kind: str, keys: Iterable[str], columns: Sequence[str]
) -> dict[str, Record]:
    """The options that exist among `keys` in the list that holds those of `kind`. Raises `UpstreamError`."""
    return await open5e.by_keys_of(LIST_OF[kind], list(dict.fromkeys(keys)), columns, Cost())


async def belongings(
    open5e: Open5e, kind: str, keys: Sequence[str], attribute: str
) -> dict[str, Sequence[Any] | Exception]:
    """What stands at `attribute` of each option among `keys`, such as its `class_features`.

    An error in its place where the option is not there or cannot be read. Raises `UpstreamError`.
    """
    found = await options(open5e, kind, keys, (attribute,))
    return {key: getattr(found[key], attribute) if key in found else _unreadable(key) for key in keys}


def as_records(
    kind: str,
    parts: Sequence[Any] | Exception,
    columns: Sequence[str],
    holds: Callable[[Any], bool] = lambda part: True,
) -> list[Record] | Exception:
    """Those `parts` that `holds` is true of, by level and position, as rows of `columns`; an error as it is."""
    if isinstance(parts, Exception):
        return parts
    make = record_class(kind, tuple(columns))
    chosen = sorted((part for part in parts if holds(part)), key=_place)
    return [
        make(PROVIDER if name == "provider" else getattr(part, name) for name in columns) for part in chosen
    ]


async def read_list(
    open5e: Open5e, kind: str, criteria: Criteria, columns: Sequence[str], order: Sequence[OrderKey]
) -> list[Any]:
    """Every record of one list that fulfils `criteria`, in `order`.

    Raises `UpstreamError`, also where the list could not be read whole; `QueryTooExpensive`.
    """
    cost, provenance = Cost(), Provenance("dnd")
    question = Question(Wanted(tuple(columns)), criteria, tuple(order), PageRequest(_ALL))
    answer = await list_planned(open5e.one(kind, cost), question, provenance)
    if cost.losses or not provenance.complete:
        reasons = " ".join((*cost.losses, *provenance.warnings))
        raise UpstreamBadResponse(f"{NAME} could not be read whole. {reasons}", upstream=NAME)
    return list(answer.nodes)


async def part_of_key(open5e: Open5e, kind: str, keys: Sequence[str], attribute: str) -> dict[str, Any]:
    """The features or traits that exist among `keys`: their keys begin with that of the option that has them."""
    owners: dict[str, list[str]] = {}
    for key in keys:
        pieces = key.split("_")
        owners[key] = ["_".join(pieces[:count]) for count in range(2, len(pieces))]
    found = await options(open5e, kind, [owner for some in owners.values() for owner in some], (attribute,))
    parts = {part.key: part for record in found.values() for part in getattr(record, attribute)}
    return {key: parts[key] for key in keys if key in parts}


def _place(part: Any) -> tuple[int, int]:
    return getattr(part, "level", 0), getattr(part, "position", 0)


def _unreadable(key: str) -> UpstreamBadResponse:
    return UpstreamBadResponse(f"{NAME} gave no record `{key}` that could be read.", upstream=NAME)
