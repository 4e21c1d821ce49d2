"""Items and magic items of Open5e v2 as our records, attribute by attribute.

An item is a weapon where Open5e links it to one, armor where it links it to that or calls it a shield, else gear.
A magic item keeps nothing of its weapon or armor but the name, as those held here do: what it can do besides
stands in its text. Open5e writes 0 for a price or weight that it does not know, does not tell ranged weapons
from others, and names their ranges only inside the detail of a property; it has neither packs nor capacities.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from sources.dnd.open5e_keys import prefix_of, slugged
from sources.dnd.open5e_recipes import (
    SHARED,
    Recipe,
    Recipes,
    clean,
    decimal,
    document_key,
    key_of,
    mapping,
    name_of,
    number,
    objects,
)
from sources.dnd.parsing import MalformedRecord, Raw, compact_dice
from sources.dnd.records import Reference
from sources.dnd.records_equipment import Equipment
from sources.dnd.vocabulary_equipment import LONG_REACH, MELEE_REACH, RARITY_RANKS

ITEM_FIELDS = 12
MAGIC_ITEM_FIELDS = 15
"""How many top-level fields an item and a magic item of Open5e have."""

SHIELD_BONUS = 2
"""What a shield adds to the armor class (SRD 5.1, "Equipment", Shields); of one, Open5e only says it in the text."""

_LEAST_ARMOR = 10
"""Armor that gives less than this is a shield: nobody's class is below 10 plus Dexterity (SRD 5.1, "Armor Class")."""

_RANGED_WITHOUT_AMMUNITION = ("dart", "net")
"""The ranged weapons that are thrown (SRD 5.1, "Equipment", Weapons); all others use ammunition, or are loaded with
it: Open5e leaves out one of both properties in places."""

_RANGE = re.compile(r"\brange (\d+)(?:/(\d+))?", re.IGNORECASE)
_SHIELD_BONUS = re.compile(r"\bArmor Class by (\d+)", re.IGNORECASE)
_SAIL_SPEED = re.compile(r"\bSpeed (?:is )?(\d+(?:\.\d+)?) ?mph", re.IGNORECASE)
_BUNDLE = re.compile(r"\((\d+)\)\s*$")
_ATTUNEMENT = re.compile(r"\Arequires attunement\s*", re.IGNORECASE)

_KIND_FIELDS = ("weapon", "armor", "category")


def kind_of(raw: Raw) -> str:
    """`weapon`, `armor` or `gear`."""
    if raw.get("weapon") is not None:
        return "weapon"
    if raw.get("armor") is not None or _category(raw).key == "shield":
        return "armor"
    return "gear"


def _category(raw: Raw) -> Reference:
    category = mapping(raw, "category")
    key = clean(category.get("key"))
    if not key:
        raise MalformedRecord(key_of(raw), "category", "is missing")
    return Reference(key, clean(category.get("name")) or key.replace("-", " ").title())


def _description(raw: Raw) -> str | None:
    """The text; null where it only repeats the name (`A longsword`)."""
    text = re.sub(r"\n{3,}", "\n\n", clean(clean(raw.get("desc")).replace("\\n", "\n")))
    bare = re.sub(r"\A(?:an?|the) |\.\Z", "", text.casefold())
    return None if bare in ("", name_of(raw).casefold()) else text


def _amount(raw: Raw, field: str) -> float | None:
    """A price or weight; zero stands for one that is not known. Raises MalformedRecord for a negative one."""
    value = raw.get(field)
    amount = decimal(value)
    if amount is None and value is not None:
        raise MalformedRecord(key_of(raw), field, "is no number")
    if amount is not None and amount < 0:
        raise MalformedRecord(key_of(raw), field, "is negative")
    return amount or None


def _cost(raw: Raw) -> float | None:
    return _amount(raw, "cost")


def _cost_text(raw: Raw) -> str | None:
    """The price in the largest coin that it is whole in, as price lists print it."""
    cost = _cost(raw)
    if cost is None:
        return None
    copper = round(cost * 100)
    for worth, coin in ((100, "gp"), (10, "sp")):
        if copper % worth == 0:
            return f"{copper // worth:,} {coin}"
    return f"{copper:,} cp"


def _quantity(raw: Raw) -> int | None:
    match = _BUNDLE.search(name_of(raw))
    return int(match[1]) if match else None


# Weapons --------------------------------------------------------------------------------------------------


def _properties(raw: Raw) -> list[tuple[str, str]]:
    """The names and details of a weapon's properties, in the order of their names."""
    found = []
    for item in objects(mapping(raw, "weapon"), "properties"):
        name = clean(mapping(item, "property").get("name"))
        if not name:
            raise MalformedRecord(key_of(raw), "weapon", "has a property without a name")
        found.append((name, clean(item.get("detail"))))
    return sorted(found)


def _has(raw: Raw, name: str) -> bool:
    return any(slugged(found) == name for found, _ in _properties(raw))


def _detail(raw: Raw, name: str) -> str:
    return next((detail for found, detail in _properties(raw) if slugged(found) == name), "")


def _weapon_range(raw: Raw) -> str:
    thrown = slugged(clean(mapping(raw, "weapon").get("name"))) in _RANGED_WITHOUT_AMMUNITION
    shot = _has(raw, "ammunition") or _has(raw, "loading")
    return "ranged" if thrown or shot else "melee"


def _damage_dice(raw: Raw) -> str | None:
    dice = mapping(raw, "weapon").get("damage_dice")
    if not isinstance(dice, str) or not dice.strip():
        raise MalformedRecord(key_of(raw), "weapon", "has no damage dice")
    return None if dice.strip() == "0" else compact_dice(dice)


def _damage_type(raw: Raw) -> str | None:
    """Null for a weapon that deals none, of which Open5e names a type as well."""
    if _damage_dice(raw) is None:
        return None
    return clean(mapping(mapping(raw, "weapon"), "damage_type").get("key")) or None


def _two_handed(raw: Raw) -> str | None:
    detail = _detail(raw, "versatile")
    return compact_dice(detail) if detail else None


def _reach(raw: Raw) -> int | None:
    if _weapon_range(raw) == "ranged":
        return None
    return MELEE_REACH + (LONG_REACH if _has(raw, "reach") else 0)


def _distance(group: int) -> Callable[[Raw], int | None]:
    def make(raw: Raw) -> int | None:
        match = next((found for _, detail in _properties(raw) if (found := _RANGE.search(detail))), None)
        return int(match[group]) if match and match[group] else None

    return make


def _property_references(raw: Raw) -> tuple[Reference, ...]:
    """By the keys of their texts, which an item does not name itself."""
    prefix = prefix_of(document_key(raw))
    return tuple(Reference(f"{prefix}_{slugged(name)}", name) for name, _ in _properties(raw))


# Armor ----------------------------------------------------------------------------------------------------


def _armor_class_base(raw: Raw) -> int:
    armor = mapping(raw, "armor")
    if not armor:
        match = _SHIELD_BONUS.search(clean(raw.get("desc")))
        return int(match[1]) if match else SHIELD_BONUS
    return number(raw, "ac_base", armor.get("ac_base"))


def _armor_category(raw: Raw) -> str:
    if _armor_class_base(raw) < _LEAST_ARMOR:
        return "shield"
    category = mapping(raw, "armor").get("category")
    if category not in ("light", "medium", "heavy"):
        raise MalformedRecord(key_of(raw), "armor", "has no category")
    return str(category)


def _armor_number(field: str) -> Callable[[Raw], int | None]:
    def make(raw: Raw) -> int | None:
        value = mapping(raw, "armor").get(field)
        return None if value is None else number(raw, field, value)

    return make


def _armor_flag(field: str) -> Callable[[Raw], bool]:
    return lambda raw: mapping(raw, "armor").get(field) is True


# Categories: Open5e has one for each item; the narrower ones of weapons and armor follow from the rest --------


def _categories(raw: Raw) -> tuple[Reference, ...]:
    found = [_category(raw)]
    kind = kind_of(raw)
    if kind == "weapon":
        skill = "simple" if mapping(raw, "weapon").get("is_simple") is True else "martial"
        use = _weapon_range(raw)
        found += [_derived(f"{word}-weapons") for word in (skill, use, f"{skill}-{use}")]
    elif kind == "armor":
        category = _armor_category(raw)
        found.append(Reference("armor", "Armor"))
        found.append(Reference("shield", "Shield") if category == "shield" else _derived(f"{category}-armor"))
    return tuple({category.key: category for category in found}.values())


def _derived(key: str) -> Reference:
    return Reference(key, key.replace("-", " ").title())


DERIVED_CATEGORIES: tuple[str, ...] = (
    *(f"{word}-weapons" for word in ("simple", "martial", "melee", "ranged")),
    *(f"{skill}-{use}-weapons" for skill in ("simple", "martial") for use in ("melee", "ranged")),
    *(f"{category}-armor" for category in ("light", "medium", "heavy")),
    "armor",
    "shield",
)
"""The categories that are made here. Open5e has the last two as well, but not for all that belong to them."""


# Magic items ----------------------------------------------------------------------------------------------


def _rarity(raw: Raw) -> str | None:
    return clean(mapping(raw, "rarity").get("key")) or None


def _attunement_detail(raw: Raw) -> str | None:
    """Who can attune to it (`by a wizard`); Open5e begins with "requires attunement", and has capitals in places."""
    detail = _ATTUNEMENT.sub("", clean(raw.get("attunement_detail")))
    words = [word for word in re.findall(r"[^\W\d_]+", detail) if len(word) > 3]
    return (detail.lower() if all(word[0].isupper() for word in words) else detail) or None


def _base_item(raw: Raw) -> str | None:
    name = clean(mapping(raw, "weapon").get("name")) or clean(mapping(raw, "armor").get("name"))
    return name.lower() or None


def _type_text(raw: Raw) -> str:
    """The line below the name, which Open5e takes apart: `Weapon (longsword), rare (requires attunement)`."""
    category = _category(raw).name.capitalize()
    base = _base_item(raw)
    rarity = clean(mapping(raw, "rarity").get("name")).lower()
    text = f"{category} ({base})" if base else category
    text += f", {rarity}" if rarity else ""
    if raw.get("requires_attunement") is True:
        detail = _attunement_detail(raw)
        text += f" (requires attunement{f' {detail}' if detail else ''})"
    return text


# Recipes --------------------------------------------------------------------------------------------------


def _of(kind: str, fields_: tuple[str, ...], make: Callable[[Raw], Any]) -> Recipe:
    """An attribute that only one kind of item has."""
    return Recipe((*_KIND_FIELDS, *fields_, "key"), lambda raw: make(raw) if kind_of(raw) == kind else None)


def _weapon(make: Callable[[Raw], Any]) -> Recipe:
    return _of("weapon", (), make)


def _armor(make: Callable[[Raw], Any]) -> Recipe:
    return _of("armor", ("desc",), make)


def _always(value: Any) -> Recipe:
    return Recipe(("key",), lambda raw: value)


def _text(raw: Raw) -> str:
    """What full text finds an item by, as in the tables of the local records."""
    named = (*_categories(raw), *(_property_references(raw) if kind_of(raw) == "weapon" else ()))
    parts = (name_of(raw), _description(raw), *(reference.name for reference in named))
    return "\n".join(part for part in parts if part)


def _magic_text(raw: Raw) -> str:
    parts = (name_of(raw), _type_text(raw), _description(raw), _category(raw).name)
    return "\n".join(part for part in parts if part)


_COMMON: Recipes = {
    **SHARED,
    "description": Recipe(("name", "desc", "key"), _description),
    "cost": Recipe(("cost", "key"), _cost),
    "cost_text": Recipe(("cost", "key"), _cost_text),
    "weight": Recipe(("weight", "key"), lambda raw: _amount(raw, "weight")),
}
_NOT_OF_OPEN5E: Recipes = {
    "variant_of": _always(None),
    "variants": _always(()),
    "contents": _always(()),
    "capacity": _always(None),
}
_WEAPON: Recipes = {
    "simple": _weapon(lambda raw: mapping(raw, "weapon").get("is_simple") is True),
    "weapon_range": _weapon(_weapon_range),
    "damage_dice": _weapon(_damage_dice),
    "damage_type": _weapon(_damage_type),
    "two_handed_damage_dice": _weapon(_two_handed),
    "reach": _weapon(_reach),
    "range_normal": _weapon(_distance(1)),
    "range_long": _weapon(_distance(2)),
    "finesse": _weapon(lambda raw: _has(raw, "finesse")),
    "light": _weapon(lambda raw: _has(raw, "light")),
}
_ARMOR: Recipes = {
    "armor_category": _armor(_armor_category),
    "armor_class_base": _armor(_armor_class_base),
    "armor_class_dexterity": _armor(_armor_flag("ac_add_dexmod")),
    "armor_class_max_bonus": _armor(_armor_number("ac_cap_dexmod")),
    "strength_minimum": _armor(_armor_number("strength_score_required")),
    "stealth_disadvantage": _armor(_armor_flag("grants_stealth_disadvantage")),
}
_MAGIC: Recipes = {
    "type_text": Recipe(
        (
            *("category", "weapon", "armor", "rarity"),
            *("requires_attunement", "attunement_detail", "key"),
        ),
        _type_text,
    ),
    "base_item": Recipe(("weapon", "armor"), _base_item),
    "rarity": Recipe(("rarity",), _rarity),
    "rarity_rank": Recipe(("rarity",), lambda raw: RARITY_RANKS.get(_rarity(raw) or "")),
    "requires_attunement": Recipe(
        ("requires_attunement",), lambda raw: raw.get("requires_attunement") is True
    ),
    "attunement_detail": Recipe(("attunement_detail",), _attunement_detail),
}

ITEM_RECIPES: Recipes = {
    **_COMMON,
    **_NOT_OF_OPEN5E,
    "kind": Recipe((*_KIND_FIELDS, "key"), kind_of),
    "magic": _always(False),
    "quantity": Recipe(("name", "key"), _quantity),
    "categories": Recipe((*_KIND_FIELDS, "desc", "key"), _categories),
    **_WEAPON,
    "properties": Recipe(
        (*_KIND_FIELDS, "document", "key"),
        lambda raw: _property_references(raw) if kind_of(raw) == "weapon" else (),
        ("key",),
    ),
    **_ARMOR,
    **dict.fromkeys(_MAGIC, _always(None)),
    "speed": _of("gear", ("desc",), lambda raw: _speed(raw)),
    "speed_unit": _of("gear", ("desc",), lambda raw: None if _speed(raw) is None else "mph"),
    "text": Recipe((*_KIND_FIELDS, "name", "desc", "document", "key"), _text, ("key",)),
}
"""How each attribute of an item is made."""

MAGIC_ITEM_RECIPES: Recipes = {
    **_COMMON,
    **_NOT_OF_OPEN5E,
    "kind": _always("magic-item"),
    "magic": _always(True),
    "quantity": _always(None),
    "categories": Recipe(("category", "key"), lambda raw: (_category(raw),)),
    **dict.fromkeys((*_WEAPON, *_ARMOR), _always(None)),
    "properties": _always(()),
    **_MAGIC,
    "speed": _always(None),
    "speed_unit": _always(None),
    "text": Recipe(
        (*_KIND_FIELDS, *("name", "desc", "rarity", "requires_attunement", "attunement_detail", "key")),
        _magic_text,
    ),
}
"""How each attribute of a magic item is made."""


def _speed(raw: Raw) -> float | None:
    match = _SAIL_SPEED.search(clean(raw.get("desc")))
    return float(match[1]) if match else None


def item_of(raw: Raw) -> Equipment:
    """The whole record of a row of `/v2/items/`. Raises MalformedRecord."""
    return _record(ITEM_RECIPES, raw)


def magic_item_of(raw: Raw) -> Equipment:
    """The whole record of a row of `/v2/magicitems/`. Raises MalformedRecord."""
    return _record(MAGIC_ITEM_RECIPES, raw)


def _record(recipes: Recipes, raw: Raw) -> Equipment:
    return Equipment(**{field.name: recipes[field.name].make(raw) for field in fields(Equipment)})
