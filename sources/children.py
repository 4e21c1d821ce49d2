"""The records that belong to each of several parents, read by one statement however many parents there are."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from sources.criteria import EVERYTHING, Criteria, Op, Predicate, all_of
from sources.page import OrderKey, Record
from sources.selection_sql import select_records
from sources.sql_store import SqlStore


async def children(
    store: SqlStore,
    parent: str,
    parents: Sequence[Any],
    columns: Sequence[str],
    criteria: Criteria = EVERYTHING,
    order: Sequence[OrderKey] = (),
) -> dict[Hashable, list[Record]]:
    """The records whose attribute `parent` is one of `parents` and that fulfil `criteria`, by that attribute.

    Each list is in `order` with the unique key appended. A parent without records is left out. The records
    hold `parent` beside `columns`.
    """
    wanted = tuple(sorted({*columns, parent}))
    belongs = Predicate(parent, Op.IN, tuple(dict.fromkeys(parents)))
    selection = select_records(store.map, store.database.dialect, wanted, all_of([belongs, criteria]), order)
    rows = await store.database.fetch(selection.statement, selection.params)
    found: dict[Hashable, list[Record]] = {}
    for record in selection.page(rows).records:
        found.setdefault(getattr(record, parent), []).append(record)
    return found
