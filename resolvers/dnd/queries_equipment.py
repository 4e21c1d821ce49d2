"""Equipment, rules and the documents that they stand in: lists, and records by key."""

from __future__ import annotations

from collections.abc import Sequence

from resolvers.dnd.queries import find_records
from resolvers.question import Answer, Question
from resolvers.scope import Scope
from sources.dnd.store import DndShelf
from sources.page import Record
from sources.sql_store import SqlStore


async def find_equipment(scope: Scope, question: Question) -> Answer:
    """The equipment that `question` asks for. Raises `BadInput` for an unknown open value or a foreign cursor."""
    shelf = scope.shelf("dnd", DndShelf)
    return await find_records(shelf, shelf.equipment, question)


async def find_rules(scope: Scope, question: Question) -> Answer:
    """The rules and terms that `question` asks for. Raises as `find_equipment` does."""
    shelf = scope.shelf("dnd", DndShelf)
    return await find_records(shelf, shelf.rules, question)


async def find_rulebooks(scope: Scope, question: Question) -> Answer:
    """The documents that `question` asks for. Raises as `find_equipment` does."""
    shelf = scope.shelf("dnd", DndShelf)
    return await find_records(shelf, shelf.rulebooks, question)


async def equipment_by_key(
    kinds: Sequence[str], scope: Scope, keys: Sequence[str], columns: Sequence[str]
) -> dict[str, Record]:
    """The equipment that exists among `keys` and is of one of these kinds."""
    return await _of_kinds(scope.shelf("dnd", DndShelf).equipment, kinds, keys, columns)


async def rules_by_key(
    kinds: Sequence[str], scope: Scope, keys: Sequence[str], columns: Sequence[str]
) -> dict[str, Record]:
    """The rules and terms that exist among `keys` and are of one of these kinds."""
    return await _of_kinds(scope.shelf("dnd", DndShelf).rules, kinds, keys, columns)


async def rulebooks_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    """The documents that exist among `keys`."""
    return await scope.shelf("dnd", DndShelf).rulebooks.by_keys(keys, columns)


async def _of_kinds(
    store: SqlStore, kinds: Sequence[str], keys: Sequence[str], columns: Sequence[str]
) -> dict[str, Record]:
    found = await store.by_keys(keys, (*columns, "kind"))
    return {key: record for key, record in found.items() if record.kind in kinds}
