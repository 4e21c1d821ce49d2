"""The root fields of D&D fifth edition."""

from typing import Annotated

import strawberry
from strawberry import UNSET

from resolvers.dnd import queries
from resolvers.question import Answer
from schema.connection import After, Before, Connection, First, Last, question
from schema.directives import Constraint, Tool
from schema.dnd import wording
from schema.dnd.filters import CreatureFilter, SpellFilter
from schema.dnd.ordering import CreatureOrder, SpellOrder
from schema.dnd.providing import ProviderChoice, provider_of
from schema.dnd.types import Creature, Spell
from schema.dnd.vocabularies import DndEdition, DndProvider
from schema.fields import root
from schema.filtering import word_of
from schema.selection import Selection
from sources.page import Record

SpellKey = Annotated[
    str,
    strawberry.argument(
        description="The key, such as `srd_fireball`, or a bare slug such as `fireball` where it is unique.",
        directives=[Constraint(min_length=1, max_length=200)],
    ),
]
CreatureKey = Annotated[
    str,
    strawberry.argument(
        description="The key, such as `srd_goblin`, or a bare slug such as `goblin` where it is unique.",
        directives=[Constraint(min_length=1, max_length=200)],
    ),
]
Editions = Annotated[
    list[DndEdition] | None,
    strawberry.argument(description="Look only in documents of these rules editions."),
]


async def _spells(
    info: strawberry.Info,
    filter: Annotated[
        SpellFilter | None, strawberry.argument(description="Which spells to return; all when left out.")
    ] = UNSET,
    order_by: Annotated[
        list[SpellOrder] | None,
        strawberry.argument(description=wording.ORDER, directives=[Constraint(max_items=3)]),
    ] = UNSET,
    first: First = UNSET,
    after: After = UNSET,
    last: Last = UNSET,
    before: Before = UNSET,
    provider: ProviderChoice = DndProvider.AUTO,
) -> Answer:
    asked = question(
        info,
        "Spell",
        filter_=filter,
        order_by=order_by,
        default_order=queries.BY_NAME,
        first=first,
        after=after,
        last=last,
        before=before,
    )
    return await queries.find_spells(info.context.scope, asked, provider_of(provider))


async def _creatures(
    info: strawberry.Info,
    filter: Annotated[
        CreatureFilter | None,
        strawberry.argument(description="Which creatures to return; all when left out."),
    ] = UNSET,
    order_by: Annotated[
        list[CreatureOrder] | None,
        strawberry.argument(description=wording.ORDER, directives=[Constraint(max_items=3)]),
    ] = UNSET,
    first: First = UNSET,
    after: After = UNSET,
    last: Last = UNSET,
    before: Before = UNSET,
    provider: ProviderChoice = DndProvider.AUTO,
) -> Answer:
    asked = question(
        info,
        "Creature",
        filter_=filter,
        order_by=order_by,
        default_order=queries.BY_NAME,
        first=first,
        after=after,
        last=last,
        before=before,
    )
    return await queries.find_creatures(info.context.scope, asked, provider_of(provider))


async def _spell(
    info: strawberry.Info,
    key: SpellKey,
    edition: Editions = UNSET,
    provider: ProviderChoice = DndProvider.AUTO,
) -> Record:
    columns = Selection.below(info).columns("Spell")
    return await queries.get_spell(info.context.scope, key, _words(edition), columns, provider_of(provider))


async def _creature(
    info: strawberry.Info,
    key: CreatureKey,
    edition: Editions = UNSET,
    provider: ProviderChoice = DndProvider.AUTO,
) -> Record:
    columns = Selection.below(info).columns("Creature")
    return await queries.get_creature(
        info.context.scope, key, _words(edition), columns, provider_of(provider)
    )


def _words(editions: list[DndEdition] | None) -> tuple[str, ...]:
    return tuple(word_of(edition) for edition in editions or ())


@strawberry.type
class DndQuery:
    spells: Connection[Spell] | None = root(
        _spells,
        Connection[Spell] | None,
        Tool(name="lookup_spell", flatten="filter", omit=["nameExact"]),
        "D&D spells by name, level, school, class, casting time, damage and more.",
    )
    spell: Spell | None = root(
        _spell,
        Spell | None,
        Tool(name="get_spell", omit=["provider"]),
        "One D&D spell by its key. An unknown key is answered with the nearest.",
    )
    creatures: Connection[Creature] | None = root(
        _creatures,
        Connection[Creature] | None,
        Tool(name="lookup_creature", flatten="filter", omit=["nameExact"]),
        "D&D creatures by name, challenge rating, type, size, speed, senses, defences and more.",
    )
    creature: Creature | None = root(
        _creature,
        Creature | None,
        Tool(name="get_creature", omit=["provider"]),
        "One D&D creature by its key. An unknown key is answered with the nearest.",
    )
