"""Equipment: weapons, armor, magic items and gear behind one interface."""

from typing import Annotated, Any

import strawberry

from resolvers.dnd import loaders_equipment
from schema.directives import Summary
from schema.dnd import parts, parts_equipment
from schema.dnd.shared import DndDocument, Term
from schema.dnd.types import document_field, source_field
from schema.dnd.types_rules import ReferenceEntry
from schema.fields import batch, derived, plain
from schema.node import Node, id_field
from schema.provenance import RecordSource

_SHARED_SUMMARY = ["key", "name", "kind.key", "costText", "weight", "description", "document.key"]


def _summary(*own: str) -> Summary:
    """What is shown of one kind: its own fields stand before the text."""
    at = _SHARED_SUMMARY.index("description")
    return Summary(fields=[*_SHARED_SUMMARY[:at], *own, *_SHARED_SUMMARY[at:]])


@strawberry.interface(
    description="Something to carry, wear, wield or ride: a weapon, armor, a magic item or gear.",
    directives=[Summary(fields=_SHARED_SUMMARY)],
)
class Equipment(Node):
    key: str = plain("The unique key, such as `srd_longsword`.")
    name: str = plain("The name, as printed.")
    kind: Term = derived(parts.term, "kind", description="`weapon`, `armor`, `magic-item` or `gear`.")
    description: str | None = plain("The text, paragraphs parted by a blank line; many items have none.")
    categories: list[Term] = plain("The categories that it belongs to, the main one first.")
    cost: float | None = plain("The price in gold pieces, a copper piece being 0.01; null where none is set.")
    cost_text: str | None = plain("The price, as printed, such as `5 sp`.")
    weight: float | None = plain("The weight in pounds; null where none is set.")
    document: DndDocument = document_field()
    source: RecordSource = source_field()


@strawberry.type(description="How far a weapon is shot or thrown, in feet.")
class WeaponRange:
    normal: int = plain("The range without disadvantage.")
    long: int | None = plain("The range with disadvantage; nothing beyond it can be attacked.")


@strawberry.type(
    description="A weapon. Magic weapons are magic items.",
    directives=[
        _summary("damageDice", "damageType.name", "twoHandedDamageDice", "range", "properties.name"),
    ],
)
class Weapon(Equipment):
    id: strawberry.ID = id_field("Weapon")
    simple: bool = plain("Whether it is a simple weapon; else it is a martial one.")
    weapon_range: str = plain("`melee` or `ranged`.")
    damage_dice: str | None = plain("The damage, such as `1d8`; null for a net, which deals none.")
    damage_type: Term | None = derived(
        parts.optional_term, "damage_type", description="The type of its damage."
    )
    two_handed_damage_dice: str | None = plain("The damage of a versatile weapon in two hands.")
    reach: int | None = plain("How far it strikes in melee, in feet; null for a ranged weapon.")
    range: WeaponRange | None = derived(
        parts_equipment.weapon_range,
        "range_normal",
        "range_long",
        description="How far it is shot or thrown; null when it is neither.",
    )
    finesse: bool = plain("Whether it has the finesse property.")
    light: bool = plain("Whether it has the light property.")
    properties: list[ReferenceEntry] = batch(
        loaders_equipment.rule_lists, "properties", description="Its properties, with their texts."
    )


@strawberry.type(description="The armor class that armor gives.")
class ArmorClass:
    text: str = plain("As a rulebook prints it, such as `14 + Dex modifier (max 2)`.")
    base: int = plain("The class without the Dexterity modifier; of a shield, what it adds.")
    dexterity: bool = plain("Whether the Dexterity modifier is added.")
    max_bonus: int | None = plain("The most of the Dexterity modifier that counts; null without a limit.")


@strawberry.type(
    description="Armor or a shield. Magic armor is a magic item.",
    directives=[_summary("armorCategory", "armorClass.text", "strengthMinimum", "stealthDisadvantage")],
)
class Armor(Equipment):
    id: strawberry.ID = id_field("Armor")
    armor_category: str = plain("`light`, `medium`, `heavy` or `shield`.")
    armor_class: ArmorClass = derived(
        parts_equipment.armor_class,
        "armor_category",
        "armor_class_base",
        "armor_class_dexterity",
        "armor_class_max_bonus",
        description="The armor class of its wearer.",
    )
    strength_minimum: int | None = plain(
        "The Strength below which it slows its wearer by 10 feet; null without one."
    )
    stealth_disadvantage: bool = plain("Whether its wearer has disadvantage on Stealth checks.")


@strawberry.type(
    description="A magic item.",
    directives=[
        _summary("rarity.name", "typeText", "requiresAttunement", "attunementDetail", "variants.key"),
    ],
)
class MagicItem(Equipment):
    id: strawberry.ID = id_field("MagicItem")
    type_text: str = plain("The line below the name, such as `Ring, rare (requires attunement)`.")
    base_item: str | None = plain("Which weapons or armor it can be, such as `any sword`, as printed.")
    rarity: Term | None = derived(
        parts.optional_term,
        "rarity",
        description="The rarity; `varies` where each variant has its own, null where none is set.",
    )
    requires_attunement: bool = plain("Whether it must be attuned to.")
    attunement_detail: str | None = plain("Who can attune to it, or when, such as `by a wizard`.")
    variant_of: Annotated["MagicItem", strawberry.lazy("schema.dnd.types_equipment")] | None = batch(
        loaders_equipment.equipment, "variant_of", description="The item that it is a form of."
    )
    variants: list[Annotated["MagicItem", strawberry.lazy("schema.dnd.types_equipment")]] = batch(
        loaders_equipment.equipment_lists, "variants", description="Its forms, each an item of its own."
    )


@strawberry.type(description="What a pack holds of one thing.")
class PackedItem:
    key: str = plain("The key of the thing.")
    name: str = plain("The name of the thing.")
    quantity: int = plain("How many of it.")
    item: Equipment | None = batch(
        loaders_equipment.equipment, "key", description="The thing itself; null where it is not held here."
    )


@strawberry.type(description="How fast a mount or vessel moves.")
class TravelSpeed:
    amount: float = plain("The number.")
    unit: str = plain("`ft/round` or `mph`.")


@strawberry.type(
    description="What money buys beside weapons and armor: tools, packs, clothes, mounts, vehicles.",
    directives=[_summary("quantity", "categories.name", "contents.name", "contents.quantity", "speed")],
)
class AdventuringGear(Equipment):
    id: strawberry.ID = id_field("AdventuringGear")
    quantity: int | None = plain("How many pieces the price buys; null for one.")
    contents: list[PackedItem] = plain("What a pack holds.")
    speed: TravelSpeed | None = derived(
        parts_equipment.travel_speed, "speed", "speed_unit", description="The speed of a mount or vessel."
    )
    capacity: int | None = plain("How many pounds a mount carries.")


KINDS: dict[str, tuple[str, ...]] = {
    "Weapon": ("weapon",),
    "Armor": ("armor",),
    "MagicItem": ("magic-item",),
    "AdventuringGear": ("gear",),
}
"""The kinds of records that each object type shows."""

TYPES: tuple[type[Any], ...] = (Weapon, Armor, MagicItem, AdventuringGear)
