"""The root fields of equipment, rules and the documents that they stand in."""

from typing import Annotated

import strawberry
from strawberry import UNSET

from resolvers.dnd import queries_equipment
from resolvers.dnd.queries import BY_NAME
from resolvers.question import Answer
from schema.connection import After, Before, Connection, First, Last, question
from schema.directives import Constraint, Tool
from schema.dnd import wording
from schema.dnd.filters_equipment import EquipmentFilter, RulebookFilter, RuleFilter
from schema.dnd.ordering_equipment import EquipmentOrder, RulebookOrder, RuleOrder
from schema.dnd.providing import ProviderChoice, provider_of
from schema.dnd.shared import DndDocument
from schema.dnd.types_equipment import Equipment
from schema.dnd.types_rules import RuleEntry
from schema.dnd.vocabularies import DndProvider
from schema.fields import root


async def _equipment(
    info: strawberry.Info,
    filter: Annotated[
        EquipmentFilter | None,
        strawberry.argument(description="Which equipment to return; all when left out."),
    ] = UNSET,
    order_by: Annotated[
        list[EquipmentOrder] | None,
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
        "Equipment",
        filter_=filter,
        order_by=order_by,
        default_order=BY_NAME,
        first=first,
        after=after,
        last=last,
        before=before,
    )
    return await queries_equipment.find_equipment(info.context.scope, asked, provider_of(provider))


async def _rules(
    info: strawberry.Info,
    filter: Annotated[
        RuleFilter | None, strawberry.argument(description="Which rules to return; all when left out.")
    ] = UNSET,
    order_by: Annotated[
        list[RuleOrder] | None,
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
        "RuleEntry",
        filter_=filter,
        order_by=order_by,
        default_order=BY_NAME,
        first=first,
        after=after,
        last=last,
        before=before,
    )
    return await queries_equipment.find_rules(info.context.scope, asked, provider_of(provider))


async def _rulebooks(
    info: strawberry.Info,
    filter: Annotated[
        RulebookFilter | None,
        strawberry.argument(description="Which documents to return; all when left out."),
    ] = UNSET,
    order_by: Annotated[
        list[RulebookOrder] | None,
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
        "DndDocument",
        filter_=filter,
        order_by=order_by,
        default_order=BY_NAME,
        first=first,
        after=after,
        last=last,
        before=before,
    )
    return await queries_equipment.find_rulebooks(info.context.scope, asked, provider_of(provider))


@strawberry.type
class EquipmentQuery:
    equipment: Connection[Equipment] | None = root(
        _equipment,
        Connection[Equipment] | None,
        Tool(
            name="lookup_equipment", flatten="filter", omit=["nameExact", "provider"], aliases=["type=kind"]
        ),
        "D&D weapons, armor, magic items and gear by name, kind, category, price, weight, damage, properties, "
        "rarity and attunement.",
    )
    rules: Connection[RuleEntry] | None = root(
        _rules,
        Connection[RuleEntry] | None,
        Tool(
            name="lookup_rule",
            flatten="filter",
            omit=["nameExact", "orderBy", "provider"],
            aliases=["rule_type=kind"],
        ),
        "D&D rules, conditions and terms: damage types, weapon properties, skills, abilities, schools of magic, "
        "languages, proficiencies, alignments.",
    )
    rulebooks: Connection[DndDocument] | None = root(
        _rulebooks,
        Connection[DndDocument] | None,
        Tool(name="list_rulebooks", flatten="filter", omit=["nameExact", "orderBy", "provider"]),
        "The D&D documents held here: publisher, licence, edition, and how many records of each kind.",
    )
