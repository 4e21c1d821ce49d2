"""Equipment, rules and the documents that they stand in: lists, and records by key."""

from __future__ import annotations

from collections.abc import Sequence

from resolvers.dnd.provider import Provider
from resolvers.dnd.queries import KeyedStore, find_provided, records_by_key
from resolvers.question import Answer, Question
from resolvers.scope import Scope
from sources.dnd.store import DndShelf
from sources.page import Record


async def find_equipment(scope: Scope, question: Question, provider: Provider = Provider.AUTO) -> Answer:
    """The equipment that `question` asks for. Raises as `find_spells` does."""
    shelf = scope.shelf("dnd", DndShelf)
    return await find_provided(shelf, shelf.equipment, question, provider)


async def find_rules(scope: Scope, question: Question, provider: Provider = Provider.AUTO) -> Answer:
    """The rules and terms that `question` asks for. Raises as `find_equipment` does."""
    shelf = scope.shelf("dnd", DndShelf)
    return await find_provided(shelf, shelf.rules, question, provider)


async def find_rulebooks(scope: Scope, question: Question, provider: Provider = Provider.AUTO) -> Answer:
    """The documents that `question` asks for. Raises as `find_equipment` does."""
    shelf = scope.shelf("dnd", DndShelf)
    return await find_provided(shelf, shelf.rulebooks, question, provider)


async def equipment_by_key(
    kinds: Sequence[str], scope: Scope, keys: Sequence[str], columns: Sequence[str]
) -> dict[str, Record]:
    """The equipment that exists among `keys` and is of one of these kinds."""
    shelf = scope.shelf("dnd", DndShelf)
    return await _of_kinds(shelf, shelf.equipment, kinds, keys, columns)


async def rules_by_key(
    kinds: Sequence[str], scope: Scope, keys: Sequence[str], columns: Sequence[str]
) -> dict[str, Record]:
    """The rules and terms that exist among `keys` and are of one of these kinds."""
    shelf = scope.shelf("dnd", DndShelf)
    return await _of_kinds(shelf, shelf.rules, kinds, keys, columns)


async def rulebooks_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    """The documents that exist among `keys`."""
    shelf = scope.shelf("dnd", DndShelf)
    return await records_by_key(shelf, shelf.rulebooks, keys, columns)


async def _of_kinds(
    shelf: DndShelf, store: KeyedStore, kinds: Sequence[str], keys: Sequence[str], columns: Sequence[str]
) -> dict[str, Record]:
    found = await records_by_key(shelf, store, keys, (*columns, "kind"))
    return {key: record for key, record in found.items() if record.kind in kinds}
