"""Equipment, weapons, armour and magic items in the upstream's shape, made from the raw SRD."""

from __future__ import annotations

import re
from typing import Any

from sources.dnd.vocabulary_equipment import magic_item_slug
from tests.support.fake_open5e.corpus import NO_LINKS, Corpus, Row, reference, slugged
from tests.support.srd_raw import Raw, paragraphs, srd_raw

_COINS = {"cp": 0.01, "sp": 0.1, "ep": 0.5, "gp": 1.0, "pp": 10.0}
_VEHICLES = {
    "Mounts and Other Animals": "mount",
    "Tack, Harness, and Drawn Vehicles": "land-vehicle",
    "Waterborne Vehicles": "waterborne-vehicle",
}
_GEAR = {
    "equipment-packs": "equipment-pack",
    "ammunition": "ammunition",
    **dict.fromkeys(("arcane-foci", "druidic-foci", "holy-symbols"), "spellcasting-focus"),
}
_MAGIC_CATEGORIES = {"wondrous-items": "wondrous-item"}
_FLAGS = {"light", "versatile", "thrown", "finesse", "two-handed"}
_ATTUNEMENT = re.compile(r"\(requires attunement(?:\s+([^)]+))?\)", re.IGNORECASE)

Hidden = dict[str, Any]


def add_items(corpus: Corpus) -> None:
    """Adds weapons, armour, mundane items and magic items of the SRD 5.1."""
    document = corpus.document_object("srd-2014")
    for raw in srd_raw("WeaponProperties"):
        corpus.add("weaponproperties", _property(raw, document), document="srd-2014")
    for raw in srd_raw("Equipment"):
        weapon, armor, hidden = None, None, {}
        if "weapon_category" in raw:
            weapon, hidden = _weapon(corpus, raw), _flags(raw)
            distance = raw.get("throw_range") or (raw["range"] if raw["weapon_range"] == "Ranged" else {})
            row = {
                **{name: value for name, value in weapon.items() if name != "is_martial"},
                "document": document,
                "range": distance.get("normal", 0),
                "long_range": distance.get("long", 0),
            }
            corpus.add("weapons", row, document="srd-2014", hidden=hidden)
        elif "armor_category" in raw and raw["armor_category"] != "Shield":
            armor = _armor(raw)
            corpus.add("armor", {**armor, "document": document}, document="srd-2014")
        row = _item(raw, document, weapon, armor)
        corpus.add("items", row, document="srd-2014", hidden=hidden)
    for raw in srd_raw("MagicItems"):
        # The upstream has no rarity that varies: it spells the variants out.
        if raw["rarity"]["name"] != "Varies":
            corpus.add("magicitems", _magic_item(raw, document), document="srd-2014")


def item_row(key: str, name: str, document: Row, **others: Any) -> Row:
    """An item without weapon and armour, unless `others` say otherwise."""
    row = {
        "key": key,
        "name": name,
        "desc": f"{name}.",
        "category": reference("adventuring-gear"),
        "weapon": None,
        "armor": None,
        "size": reference("tiny"),
        "weight": "0.000",
        "weight_unit": "lb",
        "cost": "0.00",
        "document": document,
        "crossreferences": dict(NO_LINKS),
    }
    return {**row, **others}


def magic_item_row(key: str, name: str, document: Row, **others: Any) -> Row:
    """A wondrous item that needs no attunement, unless `others` say otherwise."""
    item = item_row(key, name, document, category=reference("wondrous-item"))
    order = (
        *(
            "key",
            "name",
            "desc",
            "category",
            "rarity",
            "weapon",
            "armor",
            "size",
            "weight",
            "weight_unit",
            "cost",
        ),
        *("requires_attunement", "attunement_detail", "document", "crossreferences"),
    )
    rarity = {"name": "Uncommon", "key": "uncommon", "rank": 2}
    row = {**item, "rarity": rarity, "requires_attunement": False, "attunement_detail": None, **others}
    return {name: row[name] for name in order}


def _item(raw: Raw, document: Row, weapon: Row | None, armor: Row | None) -> Row:
    cost = raw["cost"]["quantity"] * _COINS[raw["cost"]["unit"]]
    return item_row(
        f"srd_{raw['index']}",
        raw["name"],
        document,
        desc=paragraphs(raw.get("desc")) or paragraphs(raw.get("special")) or f"{raw['name']}.",
        category=reference(_category(raw)),
        weapon=weapon,
        armor=armor,
        weight=f"{raw.get('weight', 0):.3f}",
        cost=f"{cost:.2f}",
    )


def _category(raw: Raw) -> str:
    main = str(raw["equipment_category"]["index"])
    if main == "mounts-and-vehicles":
        return _VEHICLES[raw["vehicle_category"]]
    if raw.get("armor_category") == "Shield":
        return "shield"
    return _GEAR.get(raw.get("gear_category", {}).get("index", ""), main)


def _property(raw: Raw, document: Row) -> Row:
    return {
        "key": f"srd-2014_{raw['index']}-wp",
        "name": raw["name"],
        "desc": paragraphs(raw["desc"]),
        "type": None,
        "document": document,
        "crossreferences": dict(NO_LINKS),
    }


def _weapon(corpus: Corpus, raw: Raw) -> Row:
    damage = raw.get("damage") or {"damage_dice": "0", "damage_type": {"index": "bludgeoning"}}
    return {
        "name": raw["name"],
        "key": f"srd_{raw['index']}",
        "damage_type": reference(damage["damage_type"]["index"]),
        "damage_dice": damage["damage_dice"],
        "properties": [_weapon_property(corpus, raw, item["index"]) for item in raw["properties"]],
        "is_simple": raw["weapon_category"] == "Simple",
        "is_martial": raw["weapon_category"] == "Martial",
        "is_improvised": False,
        "distance_unit": "feet",
    }


def _weapon_property(corpus: Corpus, raw: Raw, index: str) -> Row:
    record = corpus.get("weaponproperties", f"srd-2014_{index}-wp")
    assert record is not None
    detail = None
    if index == "versatile":
        detail = raw["two_handed_damage"]["damage_dice"]
    elif index in ("thrown", "ammunition"):
        distance = raw.get("throw_range") or raw["range"]
        detail = f"range {distance['normal']}/{distance['long']}"
    return {"property": {name: record.row[name] for name in ("name", "type", "desc")}, "detail": detail}


def _flags(raw: Raw) -> Hidden:
    held = {item["index"] for item in raw["properties"]}
    return {f"is_{name.replace('-', '_')}": name in held for name in _FLAGS}


def _armor(raw: Raw) -> Row:
    base, dexterity = raw["armor_class"]["base"], raw["armor_class"]["dex_bonus"]
    cap = raw["armor_class"].get("max_bonus") or (2 if raw["armor_category"] == "Medium" else None)
    display = str(base)
    if dexterity:
        display += " + Dex modifier" + (f" (max {cap})" if cap else "")
    name = raw["name"].removesuffix(" Armor")
    return {
        "name": name,
        "key": f"srd_{slugged(name)}",
        "category": raw["armor_category"].lower(),
        "ac_base": base,
        "ac_display": display,
        "ac_add_dexmod": dexterity,
        "ac_cap_dexmod": cap if dexterity else None,
        "grants_stealth_disadvantage": raw["stealth_disadvantage"],
        "strength_score_required": raw["str_minimum"] or None,
    }


def _magic_item(raw: Raw, document: Row) -> Row:
    rarity = slugged(raw["rarity"]["name"])
    ranks = ("common", "uncommon", "rare", "very-rare", "legendary", "artifact")
    category = raw["equipment_category"]["index"]
    attunement = _ATTUNEMENT.search(raw["desc"][0])
    who = attunement[1] if attunement else None
    return magic_item_row(
        f"srd_{magic_item_slug(raw['index'])}",
        raw["name"],
        document,
        desc="\r\n\r\n".join(raw["desc"][1:]),
        category=reference(_MAGIC_CATEGORIES.get(category, category)),
        rarity={"name": raw["rarity"]["name"], "key": rarity, "rank": ranks.index(rarity) + 1},
        cost=None if category in ("armor", "weapon") else "0.00",
        requires_attunement=attunement is not None,
        attunement_detail=f"Requires Attunement {who}" if who else None,
    )
