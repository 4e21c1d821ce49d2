"""The records of equipment: weapons, armor, magic items and gear, which share one table.

As in `records.py`, an attribute is named as its GraphQL field, vocabulary keys are Open5e's, distances are
feet, costs gold pieces and weights pounds.
"""

from __future__ import annotations

from dataclasses import dataclass

from sources.dnd.records import Reference


@dataclass(frozen=True, slots=True)
class PackedItem:
    """What a pack holds of one thing: the thing's `key` and `name`, and how many (`quantity`)."""

    key: str
    name: str
    quantity: int


@dataclass(frozen=True, slots=True)
class Equipment:
    """One piece of equipment of one document. Attributes of another kind are null, their lists empty.

    - `key`: unique, prefix of the document and slug (`srd_longsword`); `slug`: the part behind the prefix
    - `document_key`: the document that it stands in; `name`: as printed
    - `kind`: `weapon`, `armor`, `magic-item` or `gear` (whatever else money buys: tools, packs, mounts, ships)
    - `description`: paragraphs joined by a blank line; of a weapon what is special about it
    - `categories`: every category that it belongs to, its main one first (`weapon`, `martial-weapons`)
    - `cost`: in gold pieces, a copper piece being 0.01; `cost_text`: as printed (`5 sp`)
    - `weight`: in pounds, of `quantity` pieces where there is one; `quantity`: how many pieces the cost buys
    - `magic`: is a magic item

    Of weapons:

    - `simple`: a simple weapon, else a martial one; `weapon_range`: `melee` or `ranged`
    - `damage_dice`: without blanks (`1d8`), or a number; `damage_type`: key; both null for a net
    - `two_handed_damage_dice`: of a versatile weapon in two hands
    - `reach`: how far it strikes in melee; null for a ranged weapon
    - `range_normal`, `range_long`: how far it is shot or thrown, without and with disadvantage
    - `finesse`, `light`: has that property; `properties`: all of them, by the keys of their texts

    Of armor:

    - `armor_category`: `light`, `medium`, `heavy` or `shield`
    - `armor_class_base`: the class that it gives; of a shield, what it adds to the class
    - `armor_class_dexterity`: the Dexterity modifier is added; `armor_class_max_bonus`: at most this much of it
    - `strength_minimum`: the Strength below which it slows its wearer down; null without one
    - `stealth_disadvantage`: its wearer has disadvantage on Dexterity (Stealth) checks

    Of magic items:

    - `type_text`: the line below the name (`Weapon (any sword), rare (requires attunement)`)
    - `base_item`: what kind of weapon or armor it is, of that line (`any sword`); null where it does not say
    - `rarity`: `common`, `uncommon`, `rare`, `very-rare`, `legendary`, `artifact`, or `varies` where each of its
      variants has its own, null where none is set; `rarity_rank`: 1 to 6 in that order, null for all else
    - `requires_attunement`; `attunement_detail`: who can attune to it, or when (`by a wizard`)
    - `variant_of`: key of the item that it is a form of; `variants`: its forms, each a record of its own

    Of gear:

    - `contents`: what a pack holds; `capacity`: pounds that a mount carries
    - `speed`: of a mount or vessel, in `speed_unit`: `ft/round` or `mph`
    """

    key: str
    slug: str
    document_key: str
    name: str
    kind: str
    description: str | None
    categories: tuple[Reference, ...]
    cost: float | None
    cost_text: str | None
    weight: float | None
    quantity: int | None
    magic: bool
    simple: bool | None = None
    weapon_range: str | None = None
    damage_dice: str | None = None
    damage_type: str | None = None
    two_handed_damage_dice: str | None = None
    reach: int | None = None
    range_normal: int | None = None
    range_long: int | None = None
    finesse: bool | None = None
    light: bool | None = None
    properties: tuple[Reference, ...] = ()
    armor_category: str | None = None
    armor_class_base: int | None = None
    armor_class_dexterity: bool | None = None
    armor_class_max_bonus: int | None = None
    strength_minimum: int | None = None
    stealth_disadvantage: bool | None = None
    type_text: str | None = None
    base_item: str | None = None
    rarity: str | None = None
    rarity_rank: int | None = None
    requires_attunement: bool | None = None
    attunement_detail: str | None = None
    variant_of: str | None = None
    variants: tuple[Reference, ...] = ()
    contents: tuple[PackedItem, ...] = ()
    speed: float | None = None
    speed_unit: str | None = None
    capacity: int | None = None
