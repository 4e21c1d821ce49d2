"""The embedded equipment: exact values of some, and what must hold of every one."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sources.dnd.embedded import read_embedded
from sources.dnd.records import Reference
from sources.dnd.records_equipment import Equipment, PackedItem
from sources.dnd.vocabulary import DAMAGE_TYPES
from sources.dnd.vocabulary_equipment import RARITY_RANKS

RECORDED = Path(__file__).parents[4] / "shared" / "recorded" / "open5e"


@cache
def by_slug() -> dict[str, Equipment]:
    return {record.slug: record for record in read_embedded().equipment}


def of_kind(kind: str) -> list[Equipment]:
    return [record for record in by_slug().values() if record.kind == kind]


def recorded(name: str) -> list[dict[str, Any]]:
    path = RECORDED / name
    if not path.exists():
        pytest.skip(f"no recorded Open5e answers at {RECORDED}")
    results: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["results"]
    return [item for item in results if item["key"].startswith("srd_")]


def test_there_are_237_pieces_of_equipment_and_362_magic_items_in_the_order_of_their_keys() -> None:
    records = read_embedded().equipment
    keys = [record.key for record in records]
    assert len(set(keys)) == len(keys) == 237 + 362
    assert keys == sorted(keys)
    assert all(record.key == f"srd_{record.slug}" for record in records)
    assert {record.document_key for record in records} == {"srd-2014"}
    assert Counter(record.kind for record in records) == {
        "weapon": 37,
        "armor": 13,
        "gear": 187,
        "magic-item": 362,
    }
    assert {record.key for record in records if record.magic} == {r.key for r in of_kind("magic-item")}


def test_longsword() -> None:
    assert by_slug()["longsword"] == Equipment(
        key="srd_longsword",
        slug="longsword",
        document_key="srd-2014",
        name="Longsword",
        kind="weapon",
        description=None,
        categories=(
            Reference("weapon", "Weapon"),
            Reference("martial-weapons", "Martial Weapons"),
            Reference("melee-weapons", "Melee Weapons"),
            Reference("martial-melee-weapons", "Martial Melee Weapons"),
        ),
        cost=15.0,
        cost_text="15 gp",
        weight=3.0,
        quantity=None,
        magic=False,
        simple=False,
        weapon_range="melee",
        damage_dice="1d8",
        damage_type="slashing",
        two_handed_damage_dice="1d10",
        reach=5,
        finesse=False,
        light=False,
        properties=(Reference("srd_versatile", "Versatile"),),
    )


def test_plate() -> None:
    assert by_slug()["plate-armor"] == Equipment(
        key="srd_plate-armor",
        slug="plate-armor",
        document_key="srd-2014",
        name="Plate Armor",
        kind="armor",
        description=None,
        categories=(Reference("armor", "Armor"), Reference("heavy-armor", "Heavy Armor")),
        cost=1500.0,
        cost_text="1,500 gp",
        weight=65.0,
        quantity=None,
        magic=False,
        armor_category="heavy",
        armor_class_base=18,
        armor_class_dexterity=False,
        strength_minimum=15,
        stealth_disadvantage=True,
    )


def test_backpack() -> None:
    assert by_slug()["backpack"] == Equipment(
        key="srd_backpack",
        slug="backpack",
        document_key="srd-2014",
        name="Backpack",
        kind="gear",
        description=None,
        categories=(
            Reference("adventuring-gear", "Adventuring Gear"),
            Reference("standard-gear", "Standard Gear"),
        ),
        cost=2.0,
        cost_text="2 gp",
        weight=5.0,
        quantity=None,
        magic=False,
    )


def test_bag_of_holding() -> None:
    bag = by_slug()["bag-of-holding"]
    assert (bag.name, bag.kind, bag.rarity, bag.rarity_rank) == (
        "Bag of Holding",
        "magic-item",
        "uncommon",
        2,
    )
    assert (bag.type_text, bag.base_item) == ("Wondrous item, uncommon", None)
    assert (bag.requires_attunement, bag.attunement_detail) == (False, None)
    assert bag.categories == (Reference("wondrous-item", "Wondrous Item"),)
    assert (bag.cost, bag.weight, bag.variant_of, bag.variants) == (None, None, None, ())
    assert bag.description is not None
    assert bag.description.startswith("This bag has an interior space considerably larger")
    assert bag.description.count("\n\n") == 2


def test_weapons_at_a_distance() -> None:
    def reach(slug: str) -> tuple[int | None, int | None, int | None]:
        weapon = by_slug()[slug]
        return weapon.reach, weapon.range_normal, weapon.range_long

    assert reach("dagger") == (5, 20, 60)
    assert reach("glaive") == (10, None, None)
    assert reach("longbow") == (None, 150, 600)
    assert reach("dart") == (None, 20, 60)
    assert reach("net") == (None, 5, 15)
    net = by_slug()["net"]
    assert (net.damage_dice, net.damage_type) == (None, None)
    assert net.description is not None
    assert net.description.startswith("A Large or smaller creature hit by a net is restrained")
    assert by_slug()["blowgun"].damage_dice == "1"


def test_a_trident_pierces() -> None:
    trident = by_slug()["trident"]
    assert (trident.damage_dice, trident.damage_type, trident.two_handed_damage_dice) == (
        "1d6",
        "piercing",
        "1d8",
    )


@pytest.mark.parametrize(
    ("slug", "cost", "text"),
    [
        ("candle", 0.01, "1 cp"),
        ("club", 0.1, "1 sp"),
        ("sling-bullet", 0.04, "4 cp"),
        ("galley", 30_000.0, "30,000 gp"),
        ("alms-box", None, None),  # only ever a part of a pack
    ],
)
def test_costs_in_gold_pieces(slug: str, cost: float | None, text: str | None) -> None:
    assert (by_slug()[slug].cost, by_slug()[slug].cost_text) == (cost, text)


def test_armor_classes() -> None:
    def parts(slug: str) -> tuple[int | None, bool | None, int | None]:
        armor = by_slug()[slug]
        return armor.armor_class_base, armor.armor_class_dexterity, armor.armor_class_max_bonus

    assert parts("leather-armor") == (11, True, None)
    assert parts("half-plate-armor") == (15, True, 2)
    assert parts("shield") == (2, False, None)
    assert by_slug()["chain-mail"].strength_minimum == 13
    assert by_slug()["shield"].categories[1] == Reference("shield", "Shield")


def test_packs_mounts_and_vessels() -> None:
    pack = by_slug()["explorers-pack"]
    assert pack.contents[0] == PackedItem("srd_backpack", "Backpack", 1)
    assert {item.key: item.quantity for item in pack.contents}["srd_torch"] == 10
    camel = by_slug()["camel"]
    assert (camel.speed, camel.speed_unit, camel.capacity) == (50.0, "ft/round", 480)
    assert camel.categories[1] == Reference("mount", "Mount")
    assert by_slug()["elephant"].capacity == 1320
    galley = by_slug()["galley"]
    assert (galley.speed, galley.speed_unit, galley.capacity) == (4.0, "mph", None)
    assert (by_slug()["arrow"].quantity, by_slug()["arrow"].cost) == (20, 1.0)


def test_rarities() -> None:
    assert Counter(item.rarity for item in of_kind("magic-item")) == {
        "rare": 119,
        "uncommon": 94,
        "very-rare": 90,
        "legendary": 43,
        "varies": 11,
        "common": 4,
        "artifact": 1,
    }
    assert by_slug()["spell-scroll"].rarity == "varies"
    assert by_slug()["spell-scroll"].rarity_rank is None


@pytest.mark.parametrize(
    ("slug", "attunement", "detail", "base_item"),
    [
        ("holy-avenger", True, "by a paladin", "any sword"),
        ("ring-of-shooting-stars", True, "outdoors at night", None),
        ("armor-of-invulnerability", True, None, "plate"),
        ("adamantine-armor", False, None, "medium or heavy, but not hide"),
        ("hammer-of-thunderbolts", False, None, "maul"),  # one of its properties requires it, not the item
    ],
)
def test_attunement_is_read_from_the_line_below_the_name(
    slug: str, attunement: bool, detail: str | None, base_item: str | None
) -> None:
    item = by_slug()[slug]
    assert (item.requires_attunement, item.attunement_detail, item.base_item) == (
        attunement,
        detail,
        base_item,
    )


def test_175_magic_items_require_attunement() -> None:
    assert sum(1 for item in of_kind("magic-item") if item.requires_attunement) == 175
    assert all(item.requires_attunement is None for item in by_slug().values() if not item.magic)


def test_variants_are_items_of_their_own_and_know_their_parent() -> None:
    healing = by_slug()["potion-of-healing"]
    assert [variant.key for variant in healing.variants] == [
        "srd_potion-of-healing-common",
        "srd_potion-of-greater-healing",
        "srd_potion-of-superior-healing",
        "srd_potion-of-supreme-healing",
    ]
    by_key = {item.key: item for item in by_slug().values()}
    listed = [(variant.key, item.key) for item in by_slug().values() for variant in item.variants]
    assert len(listed) == 123
    assert all(by_key[variant].variant_of == parent for variant, parent in listed)
    assert sum(1 for item in by_slug().values() if item.variant_of is not None) == 123


def test_tables_in_texts_stay_tables() -> None:
    text = by_slug()["potion-of-healing"].description
    assert text is not None
    assert "|---|---|---|\n| Healing | Common | 2d4 + 2 |\n" in text


def test_what_every_item_holds_fits_its_kind() -> None:
    for item in by_slug().values():
        assert item.categories, item.key
        assert item.name == item.name.strip() != ""
        assert (item.rarity is not None) is item.magic, item.key
        assert (item.type_text is not None) is item.magic, item.key
        assert (item.damage_dice is None) is (item.damage_type is None), item.key
        assert item.damage_type is None or item.damage_type in DAMAGE_TYPES
        assert item.rarity_rank == RARITY_RANKS.get(item.rarity or ""), item.key
    for kind, attribute in (("weapon", "simple"), ("armor", "armor_class_base"), ("weapon", "weapon_range")):
        with_it = {item.key for item in by_slug().values() if getattr(item, attribute) is not None}
        assert with_it == {item.key for item in of_kind(kind)}, attribute


def test_what_is_packed_and_listed_is_held() -> None:
    keys = {item.key for item in by_slug().values()}
    for item in by_slug().values():
        assert {packed.key for packed in item.contents} <= keys
        assert {variant.key for variant in item.variants} <= keys


def test_keys_are_open5e_s_where_it_has_the_item() -> None:
    own = {item.key for item in by_slug().values() if not item.magic}
    assert len(own & {item["key"] for item in recorded("items-srd-all-keys.json")}) == 186
    magic = {item.key for item in of_kind("magic-item")}
    assert len(magic & {item["key"] for item in recorded("magicitems-srd2014-keys.json")}) == 268


def test_values_agree_with_open5e() -> None:
    """Of all that was recorded, but for the weight of a blanket, which Open5e does not have."""
    by_key = {item.key: item for item in by_slug().values()}
    compared = 0
    for other in recorded("items-srd2014-limit40-page1.json"):
        item = by_key.get(other["key"])
        if item is not None and item.slug != "blanket":
            compared += 1
            assert (item.cost or 0, item.weight or 0) == (
                float(other["cost"]),
                float(other["weight"]),
            ), item.key
    for other in recorded("magicitems-srd2014-limit30-page1.json"):
        item = by_key.get(other["key"])
        if item is not None:
            compared += 1
            assert item.rarity == other["rarity"]["key"], item.key
            assert item.requires_attunement is other["requires_attunement"], item.key
    assert compared > 30
