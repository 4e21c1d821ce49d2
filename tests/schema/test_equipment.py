"""`equipment` over the embedded SRD 5.1, through the executor."""

from __future__ import annotations

import pytest

from schema.node import global_id
from tests.support.seeded import Ask, data, error


async def names(ask: Ask, filter_: str, arguments: str = "first: 100") -> list[str]:
    answer = data(await ask(f"{{ equipment({arguments}, filter: {{{filter_}}}) {{ nodes {{ name }} }} }}"))
    return [node["name"] for node in answer["equipment"]["nodes"]]


async def count(ask: Ask, filter_: str) -> int:
    answer = data(await ask(f"{{ equipment(filter: {{{filter_}}}) {{ totalCount }} }}"))
    return int(answer["equipment"]["totalCount"])


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        ("", 599),
        ("kind: WEAPON", 37),
        ("kind: ARMOR", 13),
        ("kind: GEAR", 187),
        ("kind: MAGIC_ITEM", 362),
        ("kind: [WEAPON, ARMOR]", 50),
        ("kind: ALL", 599),
        ("kind: [ALL, WEAPON]", 599),
        ("not: {kind: ALL}", 0),
        ("kind: []", 599),
        ("rarity: RARE", 119),
        ("rarity: UNCOMMON", 94),
        ("rarity: VERY_RARE", 90),
        ("rarity: LEGENDARY", 43),
        ("rarity: [COMMON, ARTIFACT, VARIES]", 16),
        ("requiresAttunement: true", 175),
        ("requiresAttunement: false", 187),
        ("not: {requiresAttunement: true}", 424),
        ("isMagic: true", 362),
        ("isMagic: false", 237),
        ("isSimple: true", 14),
        ("isSimple: false", 23),
        ("isFinesse: true", 6),
        ("isFinesse: false", 31),
        ("isLight: true", 8),
        ("isLight: false", 29),
        ('damageDice: "1d8"', 10),
        ('damageDice: " D8 "', 10),
        ('damageDice: ["2d6", "1d12"]', 4),
        ("damageType: SLASHING", 10),
        ("damageType: [PIERCING, BLUDGEONING]", 26),
        ("weaponRange: RANGED", 9),
        ("weaponRange: MELEE", 28),
        ('weaponProperty: "versatile"', 6),
        ('weaponProperty: ["srd_reach", "Two-Handed"]', 13),
        ('weaponProperty: "thrown", not: {weaponProperty: "light"}', 5),
        ("armorCategory: HEAVY", 4),
        ("armorCategory: [LIGHT, MEDIUM, SHIELD]", 9),
        ("stealthDisadvantage: true", 7),
        ("stealthDisadvantage: false", 6),
        ("armorClassMin: 14, armorClassMax: 15", 4),
        ("costMin: 1000", 10),
        ("costMax: 0.01", 5),
        ("weightMin: 100", 8),
        ("weightMax: 0.25", 25),
        ('category: "wondrous-item"', 177),
        ('category: "Wondrous Items"', 177),
        ('category: "artisans-tools"', 17),
        ('category: ["weapon"], isMagic: true', 30),
        ('category: "mount"', 9),
        ('documents: ["srd-2014"]', 599),
        ("documents: []", 0),
        ("key: []", 0),
        ("edition: FIVE_E_2014", 599),
        ("anyOf: [{kind: ARMOR}, {rarity: ARTIFACT}]", 14),
    ],
)
async def test_counts(ask: Ask, filter_: str, expected: int) -> None:
    assert await count(ask, filter_) == expected


async def test_finesse_weapons(ask: Ask) -> None:
    assert await names(ask, "isFinesse: true") == [
        "Dagger",
        "Dart",
        "Rapier",
        "Scimitar",
        "Shortsword",
        "Whip",
    ]


async def test_names_keys_and_texts(ask: Ask) -> None:
    assert await names(ask, 'name: "HOLDING"') == ["Bag of Holding"]
    assert await names(ask, 'nameExact: "burglar’s pack"') == ["Burglar's Pack"]
    assert await names(ask, 'key: ["longsword", "srd_plate-armor"]') == ["Longsword", "Plate Armor"]
    assert await names(ask, 'search: "extradimensional suffocate"') == [
        "Bag of Holding",
        "Handy Haversack",
        "Portable Hole",
    ]
    assert await names(ask, 'search: "versatile", isSimple: true') == ["Quarterstaff", "Spear"]


async def test_orders(ask: Ask) -> None:
    by_cost = "first: 3, orderBy: [{field: COST, direction: DESC}]"
    assert await names(ask, "", by_cost) == ["Galley", "Warship", "Longship"]
    by_rarity = "first: 2, orderBy: [{field: RARITY, direction: DESC}, {field: NAME}]"
    assert await names(ask, "", by_rarity) == ["Orb of Dragonkind", "Apparatus of the Crab"]
    by_class = "first: 2, orderBy: [{field: ARMOR_CLASS, direction: DESC}]"
    assert await names(ask, "", by_class) == ["Plate Armor", "Splint Armor"]
    by_weight = "last: 1, orderBy: [{field: WEIGHT}], first: null"
    assert await names(ask, "kind: WEAPON", by_weight) == ["Pike"]
    by_kind = "first: 1, orderBy: [{field: KIND}]"
    assert await names(ask, "", by_kind) == ["Breastplate"]


async def test_every_item_stands_on_one_page_only(ask: Ask) -> None:
    seen: list[str] = []
    after = "null"
    while True:
        answer = data(
            await ask(
                f"{{ equipment(first: 100, after: {after}, orderBy: [{{field: COST}}]) {{"
                " nodes { key } pageInfo { hasNextPage endCursor } } }"
            )
        )["equipment"]
        seen += [node["key"] for node in answer["nodes"]]
        if not answer["pageInfo"]["hasNextPage"]:
            break
        after = f'"{answer["pageInfo"]["endCursor"]}"'
    assert len(seen) == len(set(seen)) == 599


async def test_a_page_of_all_kinds_tells_each_by_its_type(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ equipment(filter: {key: ["longsword", "plate-armor", "bag-of-holding", "backpack"]}) {
                 edges { node {
                   __typename name kind { key name }
                   ... on Weapon { damageDice }
                   ... on Armor { armorClass { text } }
                   ... on MagicItem { rarity { key } }
                   ... on AdventuringGear { contents { key } }
                 } } } }"""
        )
    )
    assert [edge["node"] for edge in answer["equipment"]["edges"]] == [
        {
            "__typename": "AdventuringGear",
            "name": "Backpack",
            "kind": {"key": "gear", "name": "Gear"},
            "contents": [],
        },
        {
            "__typename": "MagicItem",
            "name": "Bag of Holding",
            "kind": {"key": "magic-item", "name": "Magic Item"},
            "rarity": {"key": "uncommon"},
        },
        {
            "__typename": "Weapon",
            "name": "Longsword",
            "kind": {"key": "weapon", "name": "Weapon"},
            "damageDice": "1d8",
        },
        {
            "__typename": "Armor",
            "name": "Plate Armor",
            "kind": {"key": "armor", "name": "Armor"},
            "armorClass": {"text": "18"},
        },
    ]


async def test_every_selected_part_of_a_weapon(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ equipment(filter: {key: "dagger"}) { nodes { ... on Weapon {
                 id key name description categories { key name } cost costText weight simple weaponRange
                 damageDice damageType { key name } twoHandedDamageDice reach range { normal long }
                 finesse light properties { id key name kind { key } description }
                 document { key } source { name licence }
               } } } }"""
        )
    )
    (dagger,) = answer["equipment"]["nodes"]
    properties = dagger.pop("properties")
    assert [(item["key"], item["name"]) for item in properties] == [
        ("srd_finesse", "Finesse"),
        ("srd_light", "Light"),
        ("srd_thrown", "Thrown"),
        ("srd_monk", "Monk"),
    ]
    assert properties[1]["description"] == (
        "A light weapon is small and easy to handle, making it ideal for use when fighting with two weapons."
    )
    assert properties[1]["kind"] == {"key": "weapon-property"}
    assert properties[1]["id"] == global_id("ReferenceEntry", "srd_light")
    assert dagger == {
        "id": global_id("Weapon", "srd_dagger"),
        "key": "srd_dagger",
        "name": "Dagger",
        "description": None,
        "categories": [
            {"key": "weapon", "name": "Weapon"},
            {"key": "simple-weapons", "name": "Simple Weapons"},
            {"key": "melee-weapons", "name": "Melee Weapons"},
            {"key": "simple-melee-weapons", "name": "Simple Melee Weapons"},
        ],
        "cost": 2.0,
        "costText": "2 gp",
        "weight": 1.0,
        "simple": True,
        "weaponRange": "melee",
        "damageDice": "1d4",
        "damageType": {"key": "piercing", "name": "Piercing"},
        "twoHandedDamageDice": None,
        "reach": 5,
        "range": {"normal": 20, "long": 60},
        "finesse": True,
        "light": True,
        "document": {"key": "srd-2014"},
        "source": {"name": "System Reference Document 5.1", "licence": "CC-BY-4.0"},
    }


async def test_every_selected_part_of_armor(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ equipment(filter: {kind: ARMOR, key: ["half-plate-armor", "leather-armor", "shield"]}) { nodes {
                 ... on Armor { name armorCategory armorClass { text base dexterity maxBonus }
                 strengthMinimum stealthDisadvantage } } } }"""
        )
    )
    assert answer["equipment"]["nodes"] == [
        {
            "name": "Half Plate Armor",
            "armorCategory": "medium",
            "armorClass": {
                "text": "15 + Dex modifier (max 2)",
                "base": 15,
                "dexterity": True,
                "maxBonus": 2,
            },
            "strengthMinimum": None,
            "stealthDisadvantage": True,
        },
        {
            "name": "Leather Armor",
            "armorCategory": "light",
            "armorClass": {"text": "11 + Dex modifier", "base": 11, "dexterity": True, "maxBonus": None},
            "strengthMinimum": None,
            "stealthDisadvantage": False,
        },
        {
            "name": "Shield",
            "armorCategory": "shield",
            "armorClass": {"text": "+2", "base": 2, "dexterity": False, "maxBonus": None},
            "strengthMinimum": None,
            "stealthDisadvantage": False,
        },
    ]


async def test_a_magic_item_its_variants_and_its_parent(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ equipment(filter: {key: ["wand-of-the-war-mage", "wand-of-the-war-mage-2"]}) { nodes {
                 ... on MagicItem { name rarity { key name } typeText baseItem requiresAttunement attunementDetail
                 variantOf { name } variants { name rarity { name } variantOf { key } } } } } }"""
        )
    )
    parent, variant = answer["equipment"]["nodes"]
    assert parent == {
        "name": "Wand of the War Mage, +1, +2, or +3",
        "rarity": {"key": "varies", "name": "Varies"},
        "typeText": (
            "Wand, uncommon (+1), rare (+2), or very rare (+3) (requires attunement by a spellcaster)"
        ),
        "baseItem": None,
        "requiresAttunement": True,
        "attunementDetail": "by a spellcaster",
        "variantOf": None,
        "variants": [
            {
                "name": f"Wand of the War Mage, +{bonus}",
                "rarity": {"name": rarity},
                "variantOf": {"key": "srd_wand-of-the-war-mage"},
            }
            for bonus, rarity in ((1, "Uncommon"), (2, "Rare"), (3, "Very Rare"))
        ],
    }
    assert (variant["name"], variant["variantOf"], variant["variants"]) == (
        "Wand of the War Mage, +2",
        {"name": "Wand of the War Mage, +1, +2, or +3"},
        [],
    )


async def test_what_a_pack_holds(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ equipment(filter: {key: ["priests-pack", "warship"]}) { nodes { ... on AdventuringGear {
                 name quantity capacity speed { amount unit }
                 contents { key name quantity item { __typename costText weight } } } } } }"""
        )
    )
    pack, warship = answer["equipment"]["nodes"]
    assert (pack["quantity"], pack["speed"], pack["capacity"]) == (None, None, None)
    contents = {item["name"]: (item["quantity"], item["item"]) for item in pack["contents"]}
    assert contents["Candle"] == (
        10,
        {"__typename": "AdventuringGear", "costText": "1 cp", "weight": 0.0},
    )
    assert contents["Alms box"] == (1, {"__typename": "AdventuringGear", "costText": None, "weight": None})
    assert (warship["speed"], warship["contents"]) == ({"amount": 2.5, "unit": "mph"}, [])


async def test_items_are_found_again_by_their_ids(ask: Ask) -> None:
    answer = data(
        await ask(
            """query($ids: [ID!]!) { nodes(ids: $ids) { __typename id
                 ... on Equipment { name costText } ... on Weapon { properties { name } } } }""",
            ids=[
                global_id("AdventuringGear", "srd_torch"),
                global_id("Armor", "srd_longsword"),
                global_id("Weapon", "srd_longsword"),
                global_id("MagicItem", "srd_flame-tongue"),
            ],
        )
    )
    assert [node and (node["__typename"], node["name"]) for node in answer["nodes"]] == [
        ("AdventuringGear", "Torch"),
        None,  # a longsword is no armor
        ("Weapon", "Longsword"),
        ("MagicItem", "Flame Tongue"),
    ]
    assert answer["nodes"][2]["properties"] == [{"name": "Versatile"}]


@pytest.mark.parametrize(
    ("filter_", "argument", "says"),
    [
        ('damageDice: "1d7"', "filter.damageDice", "does not know `1d7`. Allowed: 1, 1d10, 1d12, 1d4, 1d6,"),
        ('category: "tool-kit"', "filter.category", "Did you mean `tools`"),
        ('weaponProperty: "finnesse"', "filter.weaponProperty", "Did you mean `srd_finesse`"),
        ('key: "srd_longswrod"', "filter.key", "Did you mean `srd_longsword`"),
        ('documents: "srd-5e"', "filter.documents", "does not know `srd-5e`. Allowed: srd-2014."),
        ("costMin: 5, costMax: 1", "filter.costMin", "(5) must not be above `filter.costMax` (1)."),
        ("weightMax: -1", "filter.weightMax", "must be at least 0, got -1."),
        ("armorClassMin: 101", "filter.armorClassMin", "must be between 0 and 100, got 101."),
    ],
)
async def test_bad_input_is_named(ask: Ask, filter_: str, argument: str, says: str) -> None:
    problem = error(await ask(f"{{ equipment(filter: {{{filter_}}}) {{ totalCount }} }}"))
    assert problem["extensions"]["code"] == "BAD_USER_INPUT"
    assert problem["extensions"]["argument"] == argument
    assert says in problem["message"]
