"""Equipment and magic items of the D&D 5e API record shape as our records."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sources.dnd.parsing import (
    MalformedRecord,
    Raw,
    compact_dice,
    feet,
    index_of,
    items,
    paragraphs,
    record_name,
    required_integer,
    required_reference,
    required_text,
)
from sources.dnd.records import Reference
from sources.dnd.records_equipment import Equipment, PackedItem
from sources.dnd.vocabulary_equipment import (
    GOLD_PIECES,
    LONG_REACH,
    MELEE_REACH,
    RARITY_RANKS,
    VARIES,
    category_reference,
    magic_item_slug,
)

_ATTUNEMENT = re.compile(r"\(requires attunement(?:\s+([^)]+))?\)", re.IGNORECASE)
_BASE_ITEM = re.compile(r"(?:weapon|armor)\s+\(([^)]+)\)", re.IGNORECASE)


def normalise_equipment(
    raw: Raw,
    *,
    document_key: str = "srd-2014",
    key_prefix: str = "srd",
    categories: Sequence[Reference] = (),
) -> Equipment:
    """The weapon, armor or gear of a D&D 5e API detail record.

    `categories` are those that list the record, which it does not say itself. Raises MalformedRecord when a
    field is missing that an item of its kind cannot do without.
    """
    slug = required_text(raw, "index")
    main = required_reference(raw, "equipment_category")
    cost, cost_text = _cost(raw)
    kind: dict[str, Any]
    if "weapon_category" in raw:
        kind = {"kind": "weapon", **_weapon(raw, key_prefix)}
    elif "armor_category" in raw:
        kind = {"kind": "armor", **_armor(raw)}
    else:
        kind = {"kind": "gear", **_gear(raw, key_prefix)}
    return Equipment(
        key=f"{key_prefix}_{slug}",
        slug=slug,
        document_key=document_key,
        name=required_text(raw, "name"),
        description=paragraphs(raw.get("desc")) or paragraphs(raw.get("special")),
        categories=_categories([main, *_own_categories(raw)], categories),
        cost=cost,
        cost_text=cost_text,
        weight=None if cost is None else _number(raw, "weight"),
        quantity=required_integer(raw, "quantity") if "quantity" in raw else None,
        magic=False,
        **kind,
    )


def normalise_magic_item(
    raw: Raw,
    *,
    document_key: str = "srd-2014",
    key_prefix: str = "srd",
    categories: Sequence[Reference] = (),
    variant_of: str | None = None,
) -> Equipment:
    """The magic item of a D&D 5e API detail record.

    `variant_of` is the index of the item that lists it as a variant: the record does not name it. Whether it
    requires attunement, and from whom, is read from the line below the name. Raises MalformedRecord when a
    field is missing that a magic item cannot do without.
    """
    slug = magic_item_slug(required_text(raw, "index"))
    lines = items(raw, "desc")
    if not lines or not isinstance(lines[0], str):
        raise MalformedRecord(record_name(raw), "desc", "does not begin with the line below the name")
    type_text = lines[0].strip()
    attunement = _ATTUNEMENT.search(type_text)
    base_item = _BASE_ITEM.match(type_text)
    rarity = _rarity(raw)
    return Equipment(
        key=f"{key_prefix}_{slug}",
        slug=slug,
        document_key=document_key,
        name=required_text(raw, "name"),
        kind="magic-item",
        description=paragraphs(lines[1:]),
        categories=_categories([required_reference(raw, "equipment_category")], categories),
        cost=None,
        cost_text=None,
        weight=None,
        quantity=None,
        magic=True,
        type_text=type_text,
        base_item=base_item[1] if base_item else None,
        rarity=rarity,
        rarity_rank=RARITY_RANKS.get(rarity),
        requires_attunement=attunement is not None,
        attunement_detail=attunement[1] if attunement else None,
        variant_of=None if variant_of is None else f"{key_prefix}_{magic_item_slug(variant_of)}",
        variants=tuple(
            Reference(f"{key_prefix}_{magic_item_slug(item['index'])}", item["name"])
            for item in items(raw, "variants")
            if index_of(item) is not None
        ),
    )


def _weapon(raw: Raw, key_prefix: str) -> dict[str, Any]:
    properties = [item for item in items(raw, "properties") if index_of(item) is not None]
    names = {item["index"] for item in properties}
    weapon_range = required_text(raw, "weapon_range").lower()
    damage = _mapping(raw, "damage")
    two_handed = _mapping(raw, "two_handed_damage")
    # A weapon of both kinds has two ranges in the record, one of which is the reach of its kind.
    distance = _mapping(raw, "throw_range") or (_mapping(raw, "range") if weapon_range == "ranged" else {})
    reach = None
    if weapon_range == "melee":
        reach = MELEE_REACH + (LONG_REACH if "reach" in names else 0)
    return {
        "simple": required_text(raw, "weapon_category").lower() == "simple",
        "weapon_range": weapon_range,
        "damage_dice": compact_dice(required_text(damage, "damage_dice")) if damage else None,
        "damage_type": index_of(damage.get("damage_type")),
        "two_handed_damage_dice": (
            compact_dice(required_text(two_handed, "damage_dice")) if two_handed else None
        ),
        "reach": reach,
        "range_normal": distance.get("normal"),
        "range_long": distance.get("long"),
        "finesse": "finesse" in names,
        "light": "light" in names,
        "properties": tuple(
            Reference(f"{key_prefix}_{item['index']}", str(item["name"])) for item in properties
        ),
    }


def _armor(raw: Raw) -> dict[str, Any]:
    armor_class = _mapping(raw, "armor_class")
    return {
        "armor_category": required_text(raw, "armor_category").lower(),
        "armor_class_base": required_integer(armor_class, "base"),
        "armor_class_dexterity": bool(armor_class.get("dex_bonus", False)),
        "armor_class_max_bonus": armor_class.get("max_bonus"),
        # Zero stands for no minimum.
        "strength_minimum": raw.get("str_minimum") or None,
        "stealth_disadvantage": bool(raw.get("stealth_disadvantage", False)),
    }


def _gear(raw: Raw, key_prefix: str) -> dict[str, Any]:
    speed = _mapping(raw, "speed")
    capacity = raw.get("capacity")
    return {
        "contents": tuple(
            PackedItem(
                f"{key_prefix}_{required_reference(item, 'item')['index']}",
                str(item["item"]["name"]),
                required_integer(item, "quantity"),
            )
            for item in items(raw, "contents")
        ),
        "speed": _number(speed, "quantity"),
        "speed_unit": required_text(speed, "unit") if speed else None,
        "capacity": feet(capacity.replace(",", "")) if isinstance(capacity, str) else None,
    }


def _own_categories(raw: Raw) -> list[Raw]:
    """The narrower categories that a record names: of gear by reference, of tools and vehicles by name."""
    found = [raw["gear_category"]] if index_of(raw.get("gear_category")) is not None else []
    for field in ("tool_category", "vehicle_category"):
        if field in raw:
            name = required_text(raw, field)
            found.append({"index": _slug(name), "name": name})
    return found


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "")).strip("-")


def _categories(own: Sequence[Raw], listing: Sequence[Reference]) -> tuple[Reference, ...]:
    """Each category once; its own ones come first, since the lists have gaps."""
    references = [category_reference(item["index"], str(item["name"])) for item in own]
    return tuple({reference.key: reference for reference in [*references, *listing]}.values())


def _cost(raw: Raw) -> tuple[float | None, str | None]:
    cost = _mapping(raw, "cost")
    if not cost:
        return None, None
    quantity, unit = required_integer(cost, "quantity"), required_text(cost, "unit")
    if unit not in GOLD_PIECES:
        raise MalformedRecord(record_name(raw), "cost", f"is in `{unit}`, which is no coin")
    if quantity == 0:
        # What the SRD lists only inside a pack has no price of its own.
        return None, None
    return round(quantity * GOLD_PIECES[unit], 2), f"{quantity:,} {unit}"


def _rarity(raw: Raw) -> str:
    rarity = _slug(required_text(_mapping(raw, "rarity"), "name"))
    if rarity not in RARITY_RANKS and rarity != VARIES:
        raise MalformedRecord(record_name(raw), "rarity", f"is `{rarity}`, which is no rarity")
    return rarity


def _number(raw: Raw, field: str) -> float | None:
    value = raw.get(field)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _mapping(raw: Raw, field: str) -> Raw:
    value = raw.get(field)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise MalformedRecord(record_name(raw), field, "is not an object")
    return value
