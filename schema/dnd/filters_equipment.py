"""Filters over equipment, rules and documents. Where LoreKeeper has a parameter for a condition, the name is its."""

from typing import Annotated

import strawberry

from schema.dnd import wording
from schema.dnd.vocabularies import DamageType, DndEdition
from schema.dnd.vocabularies_equipment import ArmorCategory, EquipmentKind, Rarity, RuleKind, WeaponStyle
from schema.filtering import alternatives, condition, negation
from sources.criteria import Op


def _key(example: str) -> str:
    return (
        f"One of these keys, such as `srd_{example}`, or of these slugs, such as `{example}`, where they are unique. "
        "An empty list matches nothing."
    )


@strawberry.input(
    description="Which equipment to return. All given fields must hold; a list means any of its values."
)
class EquipmentFilter:
    name: str | None = condition("name", Op.CONTAINS, wording.NAME, max_length=200)
    name_exact: str | None = condition("name", Op.FOLDED_EQUALS, wording.NAME_EXACT, max_length=200)
    search: str | None = condition("text", Op.MATCHES, wording.SEARCH, max_length=1000)
    key: list[str] | None = condition(
        "key", Op.IN, _key("longsword"), keys=True, max_items=100, max_length=200
    )
    kind: list[EquipmentKind] | None = condition("kind", Op.IN, "Of one of these kinds.")
    category: list[str] | None = condition(
        "categories",
        Op.HAS_ANY,
        "In one of these categories, such as `martial-weapons`, `tools`, `mount`, `wand`.",
        max_items=50,
        max_length=100,
    )
    rarity: list[Rarity] | None = condition("rarity", Op.IN, "A magic item of one of these rarities.")
    requires_attunement: bool | None = condition(
        "requires_attunement", Op.EQUALS, "A magic item that must, or need not, be attuned to."
    )
    damage_dice: list[str] | None = condition(
        "damage_dice",
        Op.IN,
        "A weapon with one of these damage dice, such as `1d8`.",
        max_items=20,
        max_length=20,
    )
    damage_type: list[DamageType] | None = condition(
        "damage_type", Op.IN, "A weapon that deals one of these types of damage."
    )
    weapon_range: list[WeaponStyle] | None = condition(
        "weapon_range", Op.IN, "A weapon for one of these ways of fighting."
    )
    weapon_property: list[str] | None = condition(
        "properties",
        Op.HAS_ANY,
        "A weapon with one of these properties, such as `versatile`, `thrown`, `two-handed`.",
        max_items=20,
        max_length=100,
    )
    is_simple: bool | None = condition("simple", Op.EQUALS, "A simple weapon, or a martial one.")
    is_finesse: bool | None = condition("finesse", Op.EQUALS, "A weapon with, or without, finesse.")
    is_light: bool | None = condition("light", Op.EQUALS, "A weapon that is, or is not, light.")
    is_magic: bool | None = condition("magic", Op.EQUALS, "Whether it is a magic item.")
    armor_category: list[ArmorCategory] | None = condition(
        "armor_category", Op.IN, "Armor of one of these categories."
    )
    armor_class_min: int | None = condition(
        "armor_class_base", Op.AT_LEAST, "Armor of this base class or above; a shield is 2.", min=0, max=100
    )
    armor_class_max: int | None = condition(
        "armor_class_base", Op.AT_MOST, "Armor of this base class or below.", min=0, max=100
    )
    stealth_disadvantage: bool | None = condition(
        "stealth_disadvantage", Op.EQUALS, "Armor that hinders, or does not hinder, Stealth checks."
    )
    cost_min: float | None = condition(
        "cost", Op.AT_LEAST, "Costs at least this many gold pieces; magic items have no price.", min=0
    )
    cost_max: float | None = condition("cost", Op.AT_MOST, "Costs at most this many gold pieces.", min=0)
    weight_min: float | None = condition("weight", Op.AT_LEAST, "Weighs at least this many pounds.", min=0)
    weight_max: float | None = condition("weight", Op.AT_MOST, "Weighs at most this many pounds.", min=0)
    documents: list[str] | None = condition(
        "document_key", Op.IN, wording.DOCUMENTS, keys=True, max_items=50, max_length=100
    )
    edition: list[DndEdition] | None = condition("edition", Op.IN, wording.EDITION)
    any_of: list["EquipmentFilter"] | None = alternatives()
    not_: Annotated["EquipmentFilter", strawberry.lazy("schema.dnd.filters_equipment")] | None = negation()


@strawberry.input(
    description="Which rules to return. All given fields must hold; a list means any of its values."
)
class RuleFilter:
    name: str | None = condition("name", Op.CONTAINS, wording.NAME, max_length=200)
    name_exact: str | None = condition("name", Op.FOLDED_EQUALS, wording.NAME_EXACT, max_length=200)
    search: str | None = condition("text", Op.MATCHES, wording.SEARCH, max_length=1000)
    key: list[str] | None = condition("key", Op.IN, _key("blinded"), keys=True, max_items=100, max_length=200)
    kind: list[RuleKind] | None = condition(
        "kind", Op.IN, "Of one of these kinds; `RULE` includes the sections of rules."
    )
    section: list[str] | None = condition(
        "section",
        Op.IN,
        "A rule such as `combat`, with all of its sections, or one section such as `cover`.",
        max_items=50,
        max_length=100,
    )
    documents: list[str] | None = condition(
        "document_key", Op.IN, wording.DOCUMENTS, keys=True, max_items=50, max_length=100
    )
    edition: list[DndEdition] | None = condition("edition", Op.IN, wording.EDITION)
    any_of: list["RuleFilter"] | None = alternatives()
    not_: Annotated["RuleFilter", strawberry.lazy("schema.dnd.filters_equipment")] | None = negation()


@strawberry.input(
    description="Which documents to return. All given fields must hold; a list means any of its values."
)
class RulebookFilter:
    name: str | None = condition("name", Op.CONTAINS, wording.NAME, max_length=200)
    name_exact: str | None = condition("name", Op.FOLDED_EQUALS, wording.NAME_EXACT, max_length=200)
    key: list[str] | None = condition(
        "key",
        Op.IN,
        "One of these keys, such as `srd-2014`. An empty list matches nothing.",
        keys=True,
        max_items=50,
        max_length=100,
    )
    publisher: list[str] | None = condition(
        "publisher", Op.IN, "Published by one of these, by whole name.", max_items=50, max_length=200
    )
    licence: list[str] | None = condition(
        "licence", Op.IN, "Under one of these licences, such as `CC-BY-4.0`.", max_items=20, max_length=100
    )
    edition: list[DndEdition] | None = condition("edition", Op.IN, "Written for one of these rules editions.")
    source: list[str] | None = condition(
        "source", Op.IN, "Loaded from one of these, such as `embedded`.", max_items=20, max_length=100
    )
    any_of: list["RulebookFilter"] | None = alternatives()
    not_: Annotated["RulebookFilter", strawberry.lazy("schema.dnd.filters_equipment")] | None = negation()
