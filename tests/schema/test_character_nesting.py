"""What character options lead to, and what leads to them."""

from __future__ import annotations

from typing import Any

import pytest

from schema.node import global_id
from tests.support.seeded import Ask, data, error


async def of_class(ask: Ask, key: str, fields: str) -> Any:
    query = f'{{ characterOptions(filter: {{key: "{key}"}}) {{ nodes {{ ... on CharacterClass {{ {fields} }} }} }} }}'
    (node,) = data(await ask(query))["characterOptions"]["nodes"]
    return node


SPELL_LISTS = {
    "Barbarian": 0, "Bard": 111, "Cleric": 105, "Druid": 106, "Fighter": 0, "Monk": 0, "Paladin": 31,
    "Ranger": 37, "Rogue": 0, "Sorcerer": 120, "Warlock": 64, "Wizard": 204,
}  # fmt: skip


async def test_every_class_has_its_spell_list(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ characterOptions(first: 12, filter: {kind: CLASS}) {
                 nodes { name ... on CharacterClass { spells { key name level } } } } }"""
        )
    )
    lists = {node["name"]: node["spells"] for node in answer["characterOptions"]["nodes"]}
    assert {name: len(spells) for name, spells in lists.items()} == SPELL_LISTS
    for spells in lists.values():
        assert [spell["level"] for spell in spells] == sorted(spell["level"] for spell in spells)
    assert lists["Paladin"][0] == {"key": "srd_bless", "name": "Bless", "level": 1}


async def test_spells_of_some_levels_and_the_first_of_each(ask: Ask) -> None:
    wizard = await of_class(
        ask,
        "wizard",
        """ninth: spells(level: 9) { name } few: spells(level: [0, 9], first: 2) { name }
           none: spells(level: []) { name } null: spells(level: null, first: null) { name }""",
    )
    assert len(wizard["ninth"]) == 12
    assert [spell["name"] for spell in wizard["few"]] == ["Acid Splash", "Chill Touch"]
    assert len(wizard["none"]) == len(wizard["null"]) == 204


@pytest.mark.parametrize(
    ("field", "argument"),
    [
        ("spells(level: [1, 10]) { name }", "level[1]"),
        ("spells(first: 0) { name }", "first"),
        ("features(levelMax: 21) { name }", "levelMax"),
        ("levels(level: [0]) { level }", "level[0]"),
    ],
)
async def test_arguments_of_nested_lists_keep_to_their_constraints(
    ask: Ask, field: str, argument: str
) -> None:
    query = f'{{ characterOptions(filter: {{key: "wizard"}}) {{ nodes {{ ... on CharacterClass {{ {field} }} }} }} }}'
    problem = error(await ask(query))
    assert problem["extensions"] == {"code": "BAD_USER_INPUT", "argument": argument}


async def test_the_table_of_the_wizard_at_level_20(ask: Ask) -> None:
    wizard = await of_class(
        ask,
        "wizard",
        """levels { level } last: levels(level: 20) { proficiencyBonus abilityScoreImprovements cantripsKnown
           spellsKnown spellSlots { level slots } values { key name value } features { name } }""",
    )
    assert [row["level"] for row in wizard["levels"]] == list(range(1, 21))
    assert wizard["last"] == [
        {
            "proficiencyBonus": 6,
            "abilityScoreImprovements": 5,
            "cantripsKnown": 5,
            "spellsKnown": None,
            "spellSlots": [
                {"level": level, "slots": slots}
                for level, slots in enumerate((4, 3, 3, 3, 3, 2, 2, 1, 1), start=1)
            ],
            "values": [{"key": "arcane_recovery_levels", "name": "Arcane Recovery Levels", "value": "10"}],
            "features": [{"name": "Signature Spell"}],
        }
    ]


async def test_the_rages_of_the_barbarian(ask: Ask) -> None:
    barbarian = await of_class(ask, "barbarian", "levels { spellSlots { level } values { key value } }")
    rages = [
        value["value"]
        for level in barbarian["levels"]
        for value in level["values"]
        if value["key"] == "rage_count"
    ]
    assert rages == ["2"] * 2 + ["3"] * 3 + ["4"] * 6 + ["5"] * 5 + ["6"] * 3 + ["unlimited"]
    assert all(level["spellSlots"] == [] for level in barbarian["levels"])


async def test_features_by_level_with_their_choices(ask: Ask) -> None:
    fighter = await of_class(
        ask, "fighter", "features(levelMax: 2) { key name level choices { name } subclass { key } }"
    )
    assert [(feature["name"], feature["level"]) for feature in fighter["features"]] == [
        ("Fighting Style", 1),
        ("Second Wind", 1),
        ("Action Surge (1 use)", 2),
    ]
    assert [choice["name"] for choice in fighter["features"][0]["choices"]] == [
        f"Fighting Style: {style}"
        for style in (
            "Archery", "Defense", "Dueling", "Great Weapon Fighting", "Protection", "Two-Weapon Fighting"
        )
    ]  # fmt: skip
    assert fighter["features"][1]["choices"] == []
    assert fighter["features"][0]["subclass"] is None


async def test_a_choice_tells_what_else_it_takes(ask: Ask) -> None:
    warlock = await of_class(ask, "warlock", "features(levelMax: 2) { name choices { name prerequisites } }")
    choices = {
        choice["name"].removeprefix("Eldritch Invocation: "): choice["prerequisites"]
        for feature in warlock["features"]
        for choice in feature["choices"]
    }
    assert choices["Agonizing Blast"] == ["Eldritch Blast spell"]
    assert choices["Thirsting Blade"] == ["Level 5", "Pact of the Blade feature"]
    assert choices["Devil's Sight"] == []


async def test_a_class_and_its_subclass_lead_to_each_other(ask: Ask) -> None:
    wizard = await of_class(
        ask,
        "wizard",
        """features { name } subclasses { name parentClass { key subclasses { name } }
           features { name level characterClass { key } subclass { key } } levels { level features { name } }
           spells { name } }""",
    )
    assert [feature["name"] for feature in wizard["features"] if "Ability" not in feature["name"]] == [
        "Spellcasting: Wizard",
        "Arcane Recovery",
        "Arcane Tradition",
        "Spell Mastery",
        "Signature Spell",
    ]
    (school,) = wizard["subclasses"]
    assert school["parentClass"] == {"key": "srd_wizard", "subclasses": [{"name": "School of Evocation"}]}
    expected = [
        ("Evocation Savant", 2),
        ("Sculpt Spells", 2),
        ("Potent Cantrip", 6),
        ("Empowered Evocation", 10),
        ("Overchannel", 14),
    ]
    assert [(feature["name"], feature["level"]) for feature in school["features"]] == expected
    assert school["features"][0]["characterClass"] == {"key": "srd_wizard"}
    assert school["features"][0]["subclass"] == {"key": "srd_school-of-evocation"}
    assert [
        (feature["name"], row["level"]) for row in school["levels"] for feature in row["features"]
    ] == expected
    assert school["spells"] == []


async def test_spells_that_a_subclass_adds(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ characterOptions(filter: {key: "oath-of-devotion"}) { nodes { ... on Subclass {
                 spells { name } third: spells(level: 3) { name } one: spells(first: 1) { name }
                 grantedSpells { name level spell { level school { key } } } } } } }"""
        )
    )
    (oath,) = answer["characterOptions"]["nodes"]
    assert [spell["name"] for spell in oath["spells"]] == [
        "Protection from Evil and Good",
        "Sanctuary",
        "Lesser Restoration",
        "Zone of Truth",
        "Beacon of Hope",
        "Dispel Magic",
        "Freedom of Movement",
        "Guardian of Faith",
        "Commune",
        "Flame Strike",
    ]
    assert [spell["name"] for spell in oath["third"]] == ["Beacon of Hope", "Dispel Magic"]
    assert [spell["name"] for spell in oath["one"]] == ["Protection from Evil and Good"]
    assert oath["grantedSpells"][-1] == {
        "name": "Flame Strike",
        "level": 17,
        "spell": {"level": 5, "school": {"key": "evocation"}},
    }


async def test_a_spell_leads_to_its_classes(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ spell(key: "fireball") { classes { key name } characterClasses { key hitDie subclasses { name } } }
                 spells(filter: {name: "cure wounds"}) { nodes { name characterClasses { name } } } }"""
        )
    )
    assert answer["spell"] == {
        "classes": [
            {"key": "srd_sorcerer", "name": "Sorcerer"},
            {"key": "srd_wizard", "name": "Wizard"},
        ],
        "characterClasses": [
            {"key": "srd_sorcerer", "hitDie": 6, "subclasses": [{"name": "Draconic Bloodline"}]},
            {"key": "srd_wizard", "hitDie": 6, "subclasses": [{"name": "School of Evocation"}]},
        ],
    }
    assert answer["spells"]["nodes"][0]["characterClasses"] == [
        {"name": name} for name in ("Bard", "Cleric", "Druid", "Paladin", "Ranger")
    ]


async def test_species_and_subspecies_lead_to_each_other(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ characterOptions(filter: {key: ["elf", "high-elf"]}) { nodes { name ... on Species {
                 traits { name species { name } choice { choose } } subspecies { name parentSpecies { name } }
                 parentSpecies { name traits { name } } } } } }"""
        )
    )
    elf, high_elf = answer["characterOptions"]["nodes"]
    assert elf["subspecies"] == [{"name": "High Elf", "parentSpecies": {"name": "Elf"}}]
    assert elf["parentSpecies"] is None
    names = ["Darkvision", "Fey Ancestry", "Trance", "Keen Senses"]
    assert [trait["name"] for trait in elf["traits"]] == names
    assert elf["traits"][1]["species"] == [{"name": "Elf"}, {"name": "Half-Elf"}]
    assert high_elf["subspecies"] == []
    assert high_elf["parentSpecies"] == {"name": "Elf", "traits": [{"name": name} for name in names]}
    assert [trait["name"] for trait in high_elf["traits"]] == [
        "Elf Weapon Training",
        "High Elf Cantrip",
        "Extra Language",
    ]
    assert high_elf["traits"][1]["choice"] == {"choose": 1}


async def test_a_draconic_ancestry_tells_what_it_is(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ characterOptions(filter: {key: "dragonborn"}) { nodes { ... on Species {
                 traits { name choices { name detail } } } } } }"""
        )
    )
    ancestry, breath, resistance = answer["characterOptions"]["nodes"][0]["traits"]
    assert (breath["choices"], resistance["choices"]) == ([], [])
    assert len(ancestry["choices"]) == 10
    assert ancestry["choices"][0] == {
        "name": "Draconic Ancestry (Black)",
        "detail": "Acid damage; breath weapon: 30-foot line, Dexterity saving throw",
    }


async def test_options_features_and_traits_are_found_again_by_id(ask: Ask) -> None:
    keys = {
        "CharacterClass": "srd_wizard",
        "Subclass": "srd_school-of-evocation",
        "Species": "srd_high-elf",
        "Background": "srd_acolyte",
        "Feat": "srd_grappler",
        "ClassFeature": "srd_overchannel",
        "SpeciesTrait": "srd_trance",
    }
    answer = data(
        await ask(
            """query($ids: [ID!]!) { nodes(ids: $ids) { __typename id
                 ... on CharacterOption { key } ... on ClassFeature { key } ... on SpeciesTrait { key } } }""",
            ids=[global_id(type_, key) for type_, key in keys.items()],
        )
    )
    assert answer["nodes"] == [
        {"__typename": type_, "id": global_id(type_, key), "key": key} for type_, key in keys.items()
    ]


async def test_an_id_of_the_wrong_kind_finds_nothing(ask: Ask) -> None:
    query = "query($id: ID!) { node(id: $id) { id } }"
    assert data(await ask(query, id=global_id("Subclass", "srd_wizard"))) == {"node": None}


@pytest.mark.parametrize(
    ("field", "cost"),
    [
        ("spells { name }", 1 + 2 * (1 + 60)),
        ("spells(first: 3) { name }", 1 + 2 * (1 + 3)),
        ("spells(first: 3) { name classes { name } }", 1 + 2 * (1 + 3 * (1 + 5))),
        ("spells(first: $n) { name }", 1 + 2 * (1 + 4)),
        ("features { name }", 1 + 2 * (1 + 20)),
    ],
)
async def test_a_nested_list_is_reckoned_by_its_first(ask: Ask, field: str, cost: int) -> None:
    variables = "($n: Int)" if "$n" in field else ""
    query = f"query{variables} {{ characterOptions(first: 2) {{ nodes {{ ... on CharacterClass {{ {field} }} }} }} }}"
    answer = await ask(query, **({"n": 4} if variables else {}))
    assert "errors" not in answer
    assert answer["extensions"]["cost"]["requested"] == cost
