"""Which index answers a question about events in SQLite, see `sources.access_path`.

Two ways are open. A list can be *walked* in its order, along an index that holds it, until the page is full: right when
much of what is passed fits. Or the few rows that a search, a tag, a name or a place leaves are fetched and then sorted:
right when it leaves few. How many it leaves is asked of its index, up to `FEW`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sources.criteria import All, Criteria, Op, Predicate, predicates
from sources.database import Database
from sources.events.maps import EVENTS
from sources.page import OrderKey
from sources.selection_sql import count_candidates

FEW = 4_000
"""Rows that are rather fetched and sorted (some 2 µs each) than looked for along a list."""

_OF_THEIR_OWN = frozenset({Op.SEARCH, Op.HAS_ANY, Op.NEAR, Op.WITHIN})
"""The conditions that may be answered by an index of their own."""

_WITH_CATEGORY = frozenset({"timestamp", "magnitude"})
"""What the lists of one category are held in the order of."""


async def residual_for(
    database: Database, criteria: Criteria, order: Sequence[OrderKey] = (), *, whole: bool = False
) -> frozenset[str]:
    """The attributes whose conditions only filter; empty for PostgreSQL, which knows by itself.

    `whole`: every row is wanted, not a page, so that walking never ends early.
    """
    if database.dialect != "sqlite":
        return frozenset()
    parts = tuple(_parts(criteria))
    attributes = {part.attribute for part in predicates(criteria)}
    found: dict[str, int] = {}
    for part in parts:
        if part.op not in _OF_THEIR_OWN:
            continue
        asked = count_candidates(EVENTS, "sqlite", part, FEW)
        if asked is not None:
            row = await database.fetch_one(*asked)
            found[part.attribute] = row[0] if row else 0
    fewest = min(found, key=lambda attribute: found[attribute], default=None)
    if fewest is not None and (whole or found[fewest] < FEW):
        return frozenset(attributes - {fewest})
    if whole:
        return frozenset()
    return frozenset(attributes - _walked(parts, order[0].attribute if order else "timestamp"))


def _parts(criteria: Criteria) -> Iterator[Predicate]:
    """The conditions that must all hold."""
    for part in criteria.parts if isinstance(criteria, All) else (criteria,):
        if isinstance(part, Predicate):
            yield part


def _walked(parts: Sequence[Predicate], by: str) -> frozenset[str]:
    """The attributes that an index in the order `by` is sought by."""
    equal = {part.attribute for part in parts if part.op is Op.IN and len(part.value) == 1}
    sought = {"status", by}
    if by in _WITH_CATEGORY and {"status", "category"} <= equal:
        sought.add("category")
    return frozenset(sought)
