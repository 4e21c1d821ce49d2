"""Batch functions from records to equipment, rules and counts: one call for all parents, one statement a call.

A reference to what is not held here is followed at a live provider where the record came from one; else it leads to
nothing: null, or one item fewer in a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from resolvers.dnd.queries import records_by_key
from resolvers.scope import Scope
from sources.dnd.records import Reference
from sources.dnd.store import DndShelf
from sources.page import Record
from sources.source import RecordCount
from sources.sql_store import SqlStore


async def equipment(scope: Scope, keys: Sequence[str | None], columns: Sequence[str]) -> list[Record | None]:
    """The equipment of each key."""
    shelf = scope.shelf("dnd", DndShelf)
    return await _each(shelf, shelf.equipment, keys, columns)


async def equipment_lists(
    scope: Scope, lists: Sequence[Sequence[Reference]], columns: Sequence[str]
) -> list[list[Record]]:
    """The equipment of each list of references, in its order."""
    shelf = scope.shelf("dnd", DndShelf)
    return await _lists(shelf, shelf.equipment, lists, columns)


async def rules(scope: Scope, keys: Sequence[str | None], columns: Sequence[str]) -> list[Record | None]:
    """The rule or term of each key."""
    shelf = scope.shelf("dnd", DndShelf)
    return await _each(shelf, shelf.rules, keys, columns)


async def rule_lists(
    scope: Scope, lists: Sequence[Sequence[Reference]], columns: Sequence[str]
) -> list[list[Record]]:
    """The rules or terms of each list of references, in its order."""
    shelf = scope.shelf("dnd", DndShelf)
    return await _lists(shelf, shelf.rules, lists, columns)


async def conditions(
    scope: Scope, parents: Sequence[tuple[str, str]], columns: Sequence[str]
) -> list[Record | None]:
    """The condition of each (word, document key): that of the document itself, else one of its edition."""
    shelf = scope.shelf("dnd", DndShelf)
    documents = await shelf.documents()
    by_slug: dict[str, list[str]] = {}
    held = await shelf.keys("rule")
    for key in held:
        by_slug.setdefault(key.partition("_")[2], []).append(key)

    def nearest(word: str, document: str) -> str | None:
        if document not in documents:
            return None  # The record came from a live provider.
        edition = documents[document].edition
        candidates = [key for key in by_slug.get(word, ()) if documents[held[key]].edition == edition]
        return next((key for key in candidates if held[key] == document), next(iter(candidates), None))

    found = await _each(shelf, shelf.rules, [nearest(*parent) for parent in parents], (*columns, "kind"))
    return [record if record is not None and record.kind == "condition" else None for record in found]


async def document_counts(
    scope: Scope, keys: Sequence[str], columns: Sequence[str]
) -> list[Sequence[RecordCount]]:
    """How many records of each kind each document has."""
    counts = await scope.shelf("dnd", DndShelf).counts()
    return [counts.get(key, ()) for key in keys]


async def _each(
    shelf: DndShelf, store: SqlStore, keys: Sequence[str | None], columns: Sequence[str]
) -> list[Record | None]:
    found = await _by_keys(shelf, store, (key for key in keys if key is not None), columns)
    return [None if key is None else found.get(key) for key in keys]


async def _lists(
    shelf: DndShelf, store: SqlStore, lists: Sequence[Sequence[Reference]], columns: Sequence[str]
) -> list[list[Record]]:
    found = await _by_keys(shelf, store, (item.key for items in lists for item in items), columns)
    return [[found[item.key] for item in items if item.key in found] for items in lists]


async def _by_keys(
    shelf: DndShelf, store: SqlStore, keys: Iterable[str], columns: Sequence[str]
) -> dict[str, Any]:
    wanted = tuple(dict.fromkeys(keys))
    return await records_by_key(shelf, store, wanted, columns) if wanted else {}
