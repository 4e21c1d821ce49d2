"""Character options: their list, their records by key, and what belongs to them, for all parents at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

from resolvers.dnd import live_options
from resolvers.dnd.provider import Provider, key_is_elsewhere
from resolvers.dnd.queries import find_provided
from resolvers.question import Answer, Question
from resolvers.scope import Scope
from sources.children import children
from sources.criteria import Criteria, Op, Predicate, all_of
from sources.dnd.open5e_client import NAME, Open5e
from sources.dnd.open5e_options import PROVIDER
from sources.dnd.records import Reference
from sources.dnd.records_options import GrantedSpell
from sources.dnd.store import DndShelf
from sources.errors import SourceNotConfigured
from sources.page import OrderKey, Record
from sources.sql_store import SqlStore

_BY_NAME = (OrderKey("name"),)
_BY_LEVEL_AND_NAME = (OrderKey("level"), OrderKey("name"))
_BY_LEVEL_AND_POSITION = (OrderKey("level"), OrderKey("position"))
_BY_POSITION = (OrderKey("position"),)


async def find_character_options(
    scope: Scope, question: Question, provider: Provider = Provider.AUTO
) -> Answer:
    """The character options that `question` asks for; its columns must hold `kind`. Raises as `find_spells` does."""
    shelf = scope.shelf("dnd", DndShelf)
    return await find_provided(shelf, shelf.options, question, provider)


async def options_by_key(
    kind: str, scope: Scope, keys: Sequence[str], columns: Sequence[str]
) -> dict[str, Record]:
    """The options of one kind (`class`, `subclass`, `species`, `background`, `feat`) that exist among `keys`.

    Open5e is asked for those of documents that are not held here.
    """
    shelf = scope.shelf("dnd", DndShelf)
    wanted = (*columns, "kind")
    found = await shelf.options.by_keys(keys, wanted)
    if shelf.open5e is not None:
        elsewhere = [
            key for key in keys if key not in found and await key_is_elsewhere(key, shelf, shelf.options.kind)
        ]
        if elsewhere:
            found |= await live_options.options(shelf.open5e, kind, elsewhere, wanted)
    return {key: record for key, record in found.items() if record.kind == kind}


async def class_features_by_key(
    scope: Scope, keys: Sequence[str], columns: Sequence[str]
) -> dict[str, Record]:
    """The class features that exist among `keys`; Open5e is asked for those that are named as its own."""
    shelf = scope.shelf("dnd", DndShelf)
    found = await shelf.class_features.by_keys(keys, columns)
    return found | await _live_parts(shelf, "class", "class_feature", keys, found, columns)


async def traits_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    """The traits of species that exist among `keys`; Open5e is asked for those that are named as its own."""
    shelf = scope.shelf("dnd", DndShelf)
    found = await shelf.traits.by_keys(keys, columns)
    return found | await _live_parts(shelf, "species", "species_trait", keys, found, columns)


async def _live_parts(
    shelf: DndShelf,
    kind: str,
    part: str,
    keys: Sequence[str],
    held: Collection[str],
    columns: Sequence[str],
) -> dict[str, Record]:
    # The keys of Open5e's features and traits hold that of their option: `srd_wizard_arcane-recovery`.
    wanted = [key for key in keys if key not in held and key.count("_") > 1]
    if shelf.open5e is None or not wanted:
        return {}
    found = await live_options.part_of_key(shelf.open5e, kind, wanted, f"{part}s")
    records = ((key, live_options.as_records(part, [one], columns)) for key, one in found.items())
    return {key: record[0] for key, record in records if not isinstance(record, Exception)}


# Batch functions: one value for each key, in order. `provider` says who gave the parent, and so whom to ask --


Provided = tuple[Any, str]
"""What a parent is asked for by, and its provider."""


async def class_of_key(
    scope: Scope, keys: Sequence[tuple[str | None, str]], columns: Sequence[str]
) -> list[Record | None]:
    """The class or subclass behind each key; null for a null key."""
    return await _option_of_key("class", scope, keys, columns)


async def species_of_key(
    scope: Scope, keys: Sequence[tuple[str | None, str]], columns: Sequence[str]
) -> list[Record | None]:
    """The species behind each key; null for a null key."""
    return await _option_of_key("species", scope, keys, columns)


async def _option_of_key(
    kind: str, scope: Scope, keys: Sequence[tuple[str | None, str]], columns: Sequence[str]
) -> list[Record | None]:
    shelf = scope.shelf("dnd", DndShelf)
    named = [(key, provider) for key, provider in keys if key is not None]
    held, live = _parted(named)
    found = {(key, _HELD): one for key, one in (await _by_keys(shelf.options, held, columns)).items()}
    if live:
        asked = await live_options.options(_open5e(shelf), kind, live, columns)
        found |= {(key, PROVIDER): one for key, one in asked.items()}
    return [None if key is None else found.get((key, provider)) for key, provider in keys]


async def species_of_trait(
    scope: Scope, keys: Sequence[tuple[tuple[Reference, ...], str]], columns: Sequence[str]
) -> list[list[Record]]:
    """The species that have each trait and are held or given by its provider, in the order of the references."""
    wanted = [(reference.key, provider) for references, provider in keys for reference in references]
    found = dict(zip(wanted, await _option_of_key("species", scope, wanted, columns), strict=True))
    return [
        [one for reference in references if (one := found[reference.key, provider]) is not None]
        for references, provider in keys
    ]


async def classes_of_references(
    scope: Scope, keys: Sequence[tuple[Reference, ...]], columns: Sequence[str]
) -> list[list[Record]]:
    """The classes of each list of references, in its order; Open5e is asked for those of documents that are not
    held here."""
    wanted = list(dict.fromkeys(reference.key for references in keys for reference in references))
    found = await options_by_key("class", scope, wanted, columns) if wanted else {}
    return [
        [found[reference.key] for reference in references if reference.key in found] for references in keys
    ]


async def subclasses(scope: Scope, keys: Sequence[Provided], columns: Sequence[str]) -> list[list[Record]]:
    """The subclasses of each class, by name."""
    return await _options_below("class", "subclass_of", scope, keys, columns)


async def subspecies(scope: Scope, keys: Sequence[Provided], columns: Sequence[str]) -> list[list[Record]]:
    """The subspecies of each species, by name."""
    return await _options_below("species", "subspecies_of", scope, keys, columns)


async def _options_below(
    kind: str, parent: str, scope: Scope, keys: Sequence[Provided], columns: Sequence[str]
) -> list[list[Record]]:
    shelf = scope.shelf("dnd", DndShelf)

    async def live(asked: Sequence[str]) -> dict[str, list[Record]]:
        criteria = Predicate(parent, Op.IN, tuple(asked))
        rows = await live_options.read_list(
            _open5e(shelf), kind, criteria, tuple(dict.fromkeys((*columns, parent))), _BY_NAME
        )
        return {key: [row for row in rows if getattr(row, parent) == key] for key in asked}

    async def held(asked: Sequence[str]) -> list[list[Record]]:
        return await _of_each(shelf.options, parent, asked, columns, (), _BY_NAME)

    return await _of_providers(keys, held, live)


async def class_spells(
    scope: Scope,
    keys: Sequence[Provided],
    columns: Sequence[str],
    level: list[int] | None = None,
    first: int | None = None,
) -> list[list[Record]]:
    """The spell list of each class, by level and name: of these spell levels, and at most `first` of each."""
    shelf = scope.shelf("dnd", DndShelf)

    async def live(asked: Sequence[str]) -> dict[str, list[Record]]:
        wanted = tuple(dict.fromkeys((*columns, "classes")))
        criteria = all_of([Predicate("classes", Op.HAS_ANY, tuple(asked)), *_of_levels(level)])
        rows = await live_options.read_list(_open5e(shelf), "spell", criteria, wanted, _BY_LEVEL_AND_NAME)
        return {key: [row for row in rows if key in {one.key for one in row.classes}] for key in asked}

    async def held(asked: Sequence[str]) -> list[list[Record]]:
        store = shelf.class_spells
        return await _of_each(store, "class_key", asked, columns, _of_levels(level), _BY_LEVEL_AND_NAME)

    return [spells[:first] for spells in await _of_providers(keys, held, live)]


async def subclass_spells(
    scope: Scope,
    keys: Sequence[tuple[str, str, tuple[GrantedSpell, ...] | None]],
    columns: Sequence[str],
    level: list[int] | None = None,
    first: int | None = None,
) -> list[list[Record] | None]:
    """The spells that each subclass adds, by level and name: of these spell levels, and at most `first` of each.

    `keys` hold what is known of them; null for a subclass whose source does not tell, as Open5e.
    """
    told = list(dict.fromkeys(key for key, _, granted in keys if granted is not None))
    store = scope.shelf("dnd", DndShelf).subclass_spells
    lists = await _of_each(store, "subclass_key", told, columns, _of_levels(level), _BY_LEVEL_AND_NAME)
    found = dict(zip(told, lists, strict=True))
    return [None if granted is None else found[key][:first] for key, _, granted in keys]


async def spell_of_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[Record | None]:
    """The spell behind each key; null where it is not held."""
    found = await scope.shelf("dnd", DndShelf).spells.by_keys(keys, columns)
    return [found.get(key) for key in keys]


async def features(
    scope: Scope, keys: Sequence[Provided], columns: Sequence[str], level_max: int | None = None
) -> list[list[Record]]:
    """The features of each class or subclass up to a level, without those that are choices of another one."""
    shelf = scope.shelf("dnd", DndShelf)
    most = 20 if level_max is None else level_max

    async def live(asked: Sequence[str]) -> Answers:
        found = await live_options.belongings(_open5e(shelf), "class", asked, "class_features")
        return {
            key: live_options.as_records("class_feature", some, columns, lambda one: one.level <= most)
            for key, some in found.items()
        }

    async def held(asked: Sequence[str]) -> list[list[Record]]:
        criteria = [Predicate("is_choice", Op.EQUALS, False), Predicate("level", Op.AT_MOST, most)]
        return await _of_each(
            shelf.class_features, "option_key", asked, columns, criteria, _BY_LEVEL_AND_POSITION
        )

    return await _of_providers(keys, held, live)


async def feature_choices(
    scope: Scope, keys: Sequence[Provided], columns: Sequence[str]
) -> list[list[Record]]:
    """The features of which each feature lets one choose. Open5e has them in the text of the feature alone."""
    return await _choices(scope.shelf("dnd", DndShelf).class_features, keys, columns)


async def features_at_level(
    scope: Scope, keys: Sequence[tuple[str, int, str]], columns: Sequence[str]
) -> list[list[Record]]:
    """The features that each class or subclass gives at each level, without choices of another feature."""
    options = list(dict.fromkeys((option, provider) for option, _, provider in keys))
    wanted = tuple(dict.fromkeys((*columns, "level")))
    found = dict(zip(options, await features(scope, options, wanted), strict=True))
    values: list[Any] = []
    for option, level, provider in keys:
        some: Any = found[option, provider]
        values.append(some if isinstance(some, Exception) else [one for one in some if one.level == level])
    return values


async def levels(
    scope: Scope, keys: Sequence[Provided], columns: Sequence[str], level: list[int] | None = None
) -> list[list[Record]]:
    """The rows of each class's or subclass's table, of these levels, ascending."""
    shelf = scope.shelf("dnd", DndShelf)

    async def live(asked: Sequence[str]) -> Answers:
        found = await live_options.belongings(_open5e(shelf), "class", asked, "class_levels")
        return {
            key: live_options.as_records(
                "class_level", some, columns, lambda one: not level or one.level in level
            )
            for key, some in found.items()
        }

    async def held(asked: Sequence[str]) -> list[list[Record]]:
        store = shelf.class_levels
        return await _of_each(store, "option_key", asked, columns, _of_levels(level), (OrderKey("level"),))

    return await _of_providers(keys, held, live)


async def traits(scope: Scope, keys: Sequence[Provided], columns: Sequence[str]) -> list[list[Record]]:
    """The traits of each species in the order of its document, without those that are choices of another one."""
    shelf = scope.shelf("dnd", DndShelf)

    async def live(asked: Sequence[str]) -> Answers:
        found = await live_options.belongings(_open5e(shelf), "species", asked, "species_traits")
        return {key: live_options.as_records("species_trait", some, columns) for key, some in found.items()}

    async def held(asked: Sequence[str]) -> list[list[Record]]:
        return await _of_each(shelf.species_traits, "species_key", asked, columns, (), (OrderKey("place"),))

    return await _of_providers(keys, held, live)


async def trait_choices(scope: Scope, keys: Sequence[Provided], columns: Sequence[str]) -> list[list[Record]]:
    """The traits of which each trait lets one choose. Open5e has them in the text of the trait alone."""
    return await _choices(scope.shelf("dnd", DndShelf).traits, keys, columns)


_HELD = "local"
Answers = Mapping[str, list[Record] | Exception]


async def _of_providers(
    keys: Sequence[Provided],
    held: Callable[[Sequence[str]], Awaitable[list[list[Record]]]],
    live: Callable[[Sequence[str]], Awaitable[Mapping[str, Any]]],
) -> list[Any]:
    """The values of `keys`, each from its provider; an exception in place of a value is that parent's error."""
    here, there = _parted(keys)
    found: dict[Provided, Any] = {}
    if here:
        found |= {(key, _HELD): some for key, some in zip(here, await held(here), strict=True)}
    if there:
        found |= {(key, PROVIDER): some for key, some in (await live(there)).items()}
    return [found[key] for key in keys]


def _parted(keys: Sequence[Provided]) -> tuple[list[str], list[str]]:
    """The keys of records that are held here, and those of live ones, each once."""
    held = dict.fromkeys(key for key, provider in keys if provider == _HELD)
    return list(held), list(dict.fromkeys(key for key, provider in keys if provider != _HELD))


def _open5e(shelf: DndShelf) -> Open5e:
    if shelf.open5e is None:
        raise SourceNotConfigured(f"{NAME} is not asked by this server.")
    return shelf.open5e


async def _choices(store: SqlStore, keys: Sequence[Provided], columns: Sequence[str]) -> list[list[Record]]:
    held, _ = _parted(keys)
    found = dict(zip(held, await _of_each(store, "parent_key", held, columns, (), _BY_POSITION), strict=True))
    return [found[key] if provider == _HELD else [] for key, provider in keys]


async def _by_keys(store: SqlStore, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    return await store.by_keys(keys, columns) if keys else {}


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
    if not keys:
        return []
    found = await children(store, parent, keys, columns, all_of(criteria), order)
    return [found.get(key, []) for key in keys]
