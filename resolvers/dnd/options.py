"""Character options: their list, their records by key, and what belongs to them, for all parents at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from resolvers.dnd.queries import find_records
from resolvers.question import Answer, Question
from resolvers.scope import Scope
from sources.children import children
from sources.criteria import Criteria, Op, Predicate, all_of
from sources.dnd.records import Reference
from sources.dnd.store import DndShelf
from sources.page import OrderKey, Record
from sources.sql_store import SqlStore

_BY_NAME = (OrderKey("name"),)
_BY_LEVEL_AND_NAME = (OrderKey("level"), OrderKey("name"))
_BY_LEVEL_AND_POSITION = (OrderKey("level"), OrderKey("position"))
_BY_POSITION = (OrderKey("position"),)


async def find_character_options(scope: Scope, question: Question) -> Answer:
    """The character options that `question` asks for; its columns must hold `kind`.

    Raises `BadInput` for an unknown open value or a foreign cursor.
    """
    shelf = scope.shelf("dnd", DndShelf)
    return await find_records(shelf, shelf.options, question)


async def options_by_key(
    kind: str, scope: Scope, keys: Sequence[str], columns: Sequence[str]
) -> dict[str, Record]:
    """The options of one kind (`class`, `subclass`, `species`, `background`, `feat`) that exist among `keys`."""
    found = await scope.shelf("dnd", DndShelf).options.by_keys(keys, (*columns, "kind"))
    return {key: record for key, record in found.items() if record.kind == kind}


async def class_features_by_key(
    scope: Scope, keys: Sequence[str], columns: Sequence[str]
) -> dict[str, Record]:
    """The class features that exist among `keys`."""
    return await scope.shelf("dnd", DndShelf).class_features.by_keys(keys, columns)


async def traits_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    """The traits of species that exist among `keys`."""
    return await scope.shelf("dnd", DndShelf).traits.by_keys(keys, columns)


# Batch functions: one value for each key, in order --------------------------------------------------------


async def option_of_key(
    scope: Scope, keys: Sequence[str | None], columns: Sequence[str]
) -> list[Record | None]:
    """The option behind each key; null for a null key."""
    options = scope.shelf("dnd", DndShelf).options
    wanted = [key for key in keys if key is not None]
    found = await options.by_keys(wanted, columns) if wanted else {}
    return [None if key is None else found.get(key) for key in keys]


async def options_of_references(
    scope: Scope, keys: Sequence[tuple[Reference, ...]], columns: Sequence[str]
) -> list[list[Record]]:
    """The options that are held of each list of references, in its order."""
    wanted = {reference.key for references in keys for reference in references}
    found = await scope.shelf("dnd", DndShelf).options.by_keys(wanted, columns) if wanted else {}
    return [
        [found[reference.key] for reference in references if reference.key in found] for references in keys
    ]


async def subclasses(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[list[Record]]:
    """The subclasses of each class, by name."""
    return await _of_each(scope.shelf("dnd", DndShelf).options, "subclass_of", keys, columns, (), _BY_NAME)


async def subspecies(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[list[Record]]:
    """The subspecies of each species, by name."""
    return await _of_each(scope.shelf("dnd", DndShelf).options, "subspecies_of", keys, columns, (), _BY_NAME)


async def class_spells(
    scope: Scope,
    keys: Sequence[str],
    columns: Sequence[str],
    level: list[int] | None = None,
    first: int | None = None,
) -> list[list[Record]]:
    """The spell list of each class, by level and name: of these spell levels, and at most `first` of each."""
    store = scope.shelf("dnd", DndShelf).class_spells
    found = await _of_each(store, "class_key", keys, columns, _of_levels(level), _BY_LEVEL_AND_NAME)
    return [spells[:first] for spells in found]


async def subclass_spells(
    scope: Scope,
    keys: Sequence[str],
    columns: Sequence[str],
    level: list[int] | None = None,
    first: int | None = None,
) -> list[list[Record]]:
    """The spells that each subclass adds, by level and name: of these spell levels, and at most `first` of each."""
    store = scope.shelf("dnd", DndShelf).subclass_spells
    found = await _of_each(store, "subclass_key", keys, columns, _of_levels(level), _BY_LEVEL_AND_NAME)
    return [spells[:first] for spells in found]


async def spell_of_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[Record | None]:
    """The spell behind each key; null where it is not held."""
    found = await scope.shelf("dnd", DndShelf).spells.by_keys(keys, columns)
    return [found.get(key) for key in keys]


async def features(
    scope: Scope, keys: Sequence[str], columns: Sequence[str], level_max: int | None = None
) -> list[list[Record]]:
    """The features of each class or subclass up to a level, without those that are choices of another one."""
    criteria: list[Criteria] = [Predicate("is_choice", Op.EQUALS, False)]
    if level_max is not None:
        criteria.append(Predicate("level", Op.AT_MOST, level_max))
    store = scope.shelf("dnd", DndShelf).class_features
    return await _of_each(store, "option_key", keys, columns, criteria, _BY_LEVEL_AND_POSITION)


async def feature_choices(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[list[Record]]:
    """The features of which each feature lets one choose."""
    store = scope.shelf("dnd", DndShelf).class_features
    return await _of_each(store, "parent_key", keys, columns, (), _BY_POSITION)


async def features_at_level(
    scope: Scope, keys: Sequence[tuple[str, int]], columns: Sequence[str]
) -> list[list[Record]]:
    """The features that each class or subclass gives at each level, without choices of another feature."""
    criteria = [
        Predicate("is_choice", Op.EQUALS, False),
        Predicate("level", Op.IN, tuple(sorted({level for _, level in keys}))),
    ]
    store = scope.shelf("dnd", DndShelf).class_features
    options = list(dict.fromkeys(option for option, _ in keys))
    found = await children(store, "option_key", options, (*columns, "level"), all_of(criteria), _BY_POSITION)
    by_level: dict[tuple[Any, int], list[Record]] = {}
    for option, records in found.items():
        for record in records:
            by_level.setdefault((option, record.level), []).append(record)
    return [by_level.get(key, []) for key in keys]


async def levels(
    scope: Scope, keys: Sequence[str], columns: Sequence[str], level: list[int] | None = None
) -> list[list[Record]]:
    """The rows of each class's or subclass's table, of these levels, ascending."""
    store = scope.shelf("dnd", DndShelf).class_levels
    return await _of_each(store, "option_key", keys, columns, _of_levels(level), (OrderKey("level"),))


async def traits(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[list[Record]]:
    """The traits of each species in the order of its document, without those that are choices of another one."""
    store = scope.shelf("dnd", DndShelf).species_traits
    return await _of_each(store, "species_key", keys, columns, (), (OrderKey("place"),))


async def trait_choices(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[list[Record]]:
    """The traits of which each trait lets one choose."""
    store = scope.shelf("dnd", DndShelf).traits
    return await _of_each(store, "parent_key", keys, columns, (), _BY_POSITION)


def _of_levels(levels: list[int] | None) -> Sequence[Criteria]:
    return [Predicate("level", Op.IN, tuple(levels))] if levels else ()


async def _of_each(
    store: SqlStore,
    parent: str,
    keys: Sequence[str],
    columns: Sequence[str],
    criteria: Sequence[Criteria],
    order: Sequence[OrderKey],
) -> list[list[Record]]:
    found = await children(store, parent, keys, columns, all_of(criteria), order)
    return [found.get(key, []) for key in keys]
