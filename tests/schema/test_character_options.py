"""`characterOptions` over the embedded SRD 5.1, through the executor: filters, order, and whole records."""

from __future__ import annotations

from typing import Any

import pytest

from schema.node import global_id
from tests.support.seeded import Ask, data, error


async def names(ask: Ask, filter_: str, arguments: str = "first: 100") -> list[str]:
    query = f"{{ characterOptions({arguments}, filter: {{{filter_}}}) {{ nodes {{ name }} }} }}"
    return [node["name"] for node in data(await ask(query))["characterOptions"]["nodes"]]


async def count(ask: Ask, filter_: str) -> int:
    answer = data(await ask(f"{{ characterOptions(filter: {{{filter_}}}) {{ totalCount }} }}"))
    return int(answer["characterOptions"]["totalCount"])


async def option(ask: Ask, key: str, fields: str) -> dict[str, Any]:
    """The fields of the option with this key or slug; `fields` are those of its own type, fragment included."""
    query = f'{{ characterOptions(filter: {{key: "{key}"}}) {{ nodes {{ {fields} }} }} }}'
    (node,) = data(await ask(query))["characterOptions"]["nodes"]
    return node  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        ("", 39),
        ("kind: CLASS", 12),
        ("kind: SUBCLASS", 12),
        ("kind: SPECIES", 13),
        ("kind: RACE", 13),
        ("kind: [BACKGROUND, FEAT]", 2),
        ("kind: []", 39),
        ("not: {kind: [CLASS, SUBCLASS]}", 15),
        ("not: {kind: RACE}", 26),
        ("isSubclass: true", 12),
        ("isSubclass: false", 12),
        ("not: {isSubclass: true}", 27),
        ("subclassOf: []", 0),
        ("isSubspecies: true", 4),
        ("isSubspecies: false", 9),
        ("documents: []", 0),
        ('documents: ["srd-2014"]', 39),
        ("edition: FIVE_E_2014", 39),
        ("key: []", 0),
        ("anyOf: [{kind: FEAT}, {hitDie: 12}]", 2),
        ("savingThrow: WISDOM", 5),
        ("not: {savingThrow: WISDOM}", 34),
        ("casterType: NONE", 4),
        ("not: {casterType: NONE}", 35),
    ],
)
async def test_counts(ask: Ask, filter_: str, expected: int) -> None:
    assert await count(ask, filter_) == expected


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        ('name: "ELF"', ["Elf", "Half-Elf", "High Elf"]),
        ('nameExact: "elf"', ["Elf"]),
        ('key: ["wizard", "srd_acolyte"]', ["Acolyte", "Wizard"]),
        ('key: "lightfoot"', ["Lightfoot Halfling"]),
        ('subclassOf: "wizard"', ["School of Evocation"]),
        ('subclassOf: ["Druid", "srd_bard"]', ["Circle of the Land", "College of Lore"]),
        ('subspeciesOf: "elf"', ["High Elf"]),
        ("hitDie: 6", ["Sorcerer", "Wizard"]),
        ("hitDie: [10, 12]", ["Barbarian", "Fighter", "Paladin", "Ranger"]),
        ("casterType: FULL", ["Bard", "Cleric", "Druid", "Sorcerer", "Wizard"]),
        ("casterType: HALF", ["Paladin", "Ranger"]),
        ("casterType: PACT", ["Warlock"]),
        ("casterType: NONE", ["Barbarian", "Fighter", "Monk", "Rogue"]),
        ("spellcastingAbility: CHARISMA", ["Bard", "Paladin", "Sorcerer", "Warlock"]),
        ("spellcastingAbility: [INTELLIGENCE]", ["Wizard"]),
        ("savingThrow: STRENGTH", ["Barbarian", "Fighter", "Monk", "Ranger"]),
        ("kind: SPECIES, size: SMALL", ["Gnome", "Halfling", "Lightfoot Halfling", "Rock Gnome"]),
        ("speedMin: 30, isSubspecies: true", ["High Elf"]),
        ('search: "rage", kind: CLASS', ["Barbarian"]),
        ('search: "second-story work"', ["Thief"]),
        ('search: "exhale destructive energy"', ["Dragonborn"]),
        ('search: "shelter faithful"', ["Acolyte"]),
        ('search: "pin a creature"', ["Grappler"]),
    ],
)
async def test_what_filters_find(ask: Ask, filter_: str, expected: list[str]) -> None:
    assert await names(ask, filter_) == expected


@pytest.mark.parametrize(
    ("filter_", "argument", "suggestion"),
    [
        ('subclassOf: "wizrd"', "filter.subclassOf", "srd_wizard"),
        ('subclassOf: ["wizard", "champion"]', "filter.subclassOf[1]", None),
        ('subspeciesOf: "high-elf"', "filter.subspeciesOf", None),
        ('subspeciesOf: "dwarff"', "filter.subspeciesOf", "srd_dwarf"),
        ('key: "grapler"', "filter.key", "srd_grappler"),
        ('documents: "phb"', "filter.documents", None),
    ],
)
async def test_unknown_words_are_refused(
    ask: Ask, filter_: str, argument: str, suggestion: str | None
) -> None:
    problem = error(await ask(f"{{ characterOptions(filter: {{{filter_}}}) {{ totalCount }} }}"))
    assert problem["extensions"]["code"] == "BAD_USER_INPUT"
    assert problem["extensions"]["argument"] == argument
    if suggestion is not None:
        assert suggestion in problem["extensions"]["suggestions"]


async def test_an_edition_that_is_not_held_is_said(ask: Ask) -> None:
    query = "{ characterOptions(filter: {edition: FIVE_E_2024}) { totalCount provenance { complete } } }"
    assert data(await ask(query))["characterOptions"] == {"totalCount": 0, "provenance": {"complete": False}}


async def test_orders(ask: Ask) -> None:
    by_die = await names(ask, "", "first: 3, orderBy: [{field: HIT_DIE, direction: DESC}]")
    assert by_die == ["Barbarian", "Fighter", "Paladin"]
    by_speed = await names(
        ask, "not: {kind: CLASS}", "first: 3, orderBy: [{field: SPEED}, {field: NAME, direction: DESC}]"
    )
    assert by_speed == ["Rock Gnome", "Lightfoot Halfling", "Hill Dwarf"]
    by_kind = await names(ask, "", "last: 1, orderBy: [{field: KIND}]")
    assert by_kind == ["Way of the Open Hand"]


async def test_pages_of_an_interface_yield_each_option_once(ask: Ask) -> None:
    seen: list[tuple[str, str]] = []
    after = None
    while True:
        answer = data(
            await ask(
                """query($after: String) { characterOptions(first: 7, after: $after, orderBy: [{field: HIT_DIE}]) {
                     edges { node { __typename key } } pageInfo { hasNextPage endCursor } } }""",
                after=after,
            )
        )["characterOptions"]
        seen += [(edge["node"]["__typename"], edge["node"]["key"]) for edge in answer["edges"]]
        if not answer["pageInfo"]["hasNextPage"]:
            break
        after = answer["pageInfo"]["endCursor"]
    assert len(seen) == len(set(seen)) == 39
    assert seen[0] == ("CharacterClass", "srd_sorcerer")
    kinds = [type_ for type_, _ in seen]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "CharacterClass": 12,
        "Background": 1,
        "Subclass": 12,
        "Species": 13,
        "Feat": 1,
    }


async def test_the_wizard(ask: Ask) -> None:
    wizard = await option(
        ask,
        "wizard",
        """__typename id key name description document { key } source { licence }
        ... on CharacterClass { hitDie savingThrows { key name } primaryAbilities { key }
          proficiencies { key name type } proficiencyChoices { choose description options { key } }
          startingEquipment { key name quantity } startingEquipmentChoices
          multiclassing { prerequisites { ability { key } minimum } anyPrerequisite proficiencies { key }
            proficiencyChoices { description } }
          casterType { key } spellcastingAbility { name } spellcastingLevel spellcasting { name } }""",
    )
    assert wizard == {
        "__typename": "CharacterClass",
        "id": global_id("CharacterClass", "srd_wizard"),
        "key": "srd_wizard",
        "name": "Wizard",
        "description": None,
        "document": {"key": "srd-2014"},
        "source": {"licence": "CC-BY-4.0"},
        "hitDie": 6,
        "savingThrows": [
            {"key": "intelligence", "name": "Intelligence"},
            {"key": "wisdom", "name": "Wisdom"},
        ],
        "primaryAbilities": [],
        "proficiencies": [
            {"key": "daggers", "name": "Daggers", "type": "Weapons"},
            {"key": "darts", "name": "Darts", "type": "Weapons"},
            {"key": "slings", "name": "Slings", "type": "Weapons"},
            {"key": "quarterstaffs", "name": "Quarterstaffs", "type": "Weapons"},
            {"key": "crossbows-light", "name": "Crossbows, light", "type": "Weapons"},
        ],
        "proficiencyChoices": [
            {
                "choose": 2,
                "description": "Choose two from Arcana, History, Insight, Investigation, Medicine, and Religion",
                "options": [
                    {"key": f"skill-{skill}"}
                    for skill in ("arcana", "history", "insight", "investigation", "medicine", "religion")
                ],
            }
        ],
        "startingEquipment": [{"key": "srd_spellbook", "name": "Spellbook", "quantity": 1}],
        "startingEquipmentChoices": [
            "(a) a quarterstaff or (b) a dagger",
            "(a) a component pouch or (b) an arcane focus",
            "(a) a scholar’s pack or (b) an explorer’s pack",
        ],
        "multiclassing": {
            "prerequisites": [{"ability": {"key": "intelligence"}, "minimum": 13}],
            "anyPrerequisite": False,
            "proficiencies": [],
            "proficiencyChoices": [],
        },
        "casterType": {"key": "full"},
        "spellcastingAbility": {"name": "Intelligence"},
        "spellcastingLevel": 1,
        "spellcasting": [
            {"name": "Cantrips"},
            {"name": "Spellbook"},
            {"name": "Preparing and Casting Spells"},
            {"name": "Spellcasting Ability"},
            {"name": "Ritual Casting"},
            {"name": "Spellcasting Focus"},
        ],
    }


async def test_the_paladin(ask: Ask) -> None:
    paladin = await option(
        ask,
        "srd_paladin",
        """name ... on CharacterClass { hitDie savingThrows { key } proficiencies { name }
          proficiencyChoices { choose description } startingEquipment { name quantity } startingEquipmentChoices
          multiclassing { prerequisites { ability { key } minimum } anyPrerequisite proficiencies { key } }
          casterType { key name } spellcastingAbility { key } spellcastingLevel }""",
    )
    assert paladin == {
        "name": "Paladin",
        "hitDie": 10,
        "savingThrows": [{"key": "wisdom"}, {"key": "charisma"}],
        "proficiencies": [
            {"name": name} for name in ("All armor", "Shields", "Simple Weapons", "Martial Weapons")
        ],
        "proficiencyChoices": [
            {
                "choose": 2,
                "description": "Choose two from Athletics, Insight, Intimidation, Medicine, Persuasion, and "
                "Religion",
            }
        ],
        "startingEquipment": [{"name": "Chain Mail", "quantity": 1}],
        "startingEquipmentChoices": [
            "(a) a martial weapon and a shield or (b) two martial weapons",
            "(a) five javelins or (b) any simple melee weapon",
            "(a) a priest’s pack or (b) an explorer’s pack",
            "holy symbol",
        ],
        "multiclassing": {
            "prerequisites": [
                {"ability": {"key": "strength"}, "minimum": 13},
                {"ability": {"key": "charisma"}, "minimum": 13},
            ],
            "anyPrerequisite": False,
            "proficiencies": [
                {"key": key}
                for key in ("light-armor", "medium-armor", "shields", "simple-weapons", "martial-weapons")
            ],
        },
        "casterType": {"key": "half", "name": "Half"},
        "spellcastingAbility": {"key": "charisma"},
        "spellcastingLevel": 2,
    }


async def test_a_class_without_spells(ask: Ask) -> None:
    fighter = await option(
        ask,
        "fighter",
        """... on CharacterClass { spellcastingAbility { key } spellcastingLevel spellcasting { name }
          casterType { key } multiclassing { anyPrerequisite prerequisites { ability { key } minimum } } }""",
    )
    assert fighter == {
        "spellcastingAbility": None,
        "spellcastingLevel": None,
        "spellcasting": [],
        "casterType": {"key": "none"},
        "multiclassing": {
            "anyPrerequisite": True,
            "prerequisites": [
                {"ability": {"key": "strength"}, "minimum": 13},
                {"ability": {"key": "dexterity"}, "minimum": 13},
            ],
        },
    }


async def test_the_school_of_evocation(ask: Ask) -> None:
    school = await option(
        ask,
        "school-of-evocation",
        "__typename key name description ... on Subclass { flavor grantedSpells { key } }",
    )
    assert school.pop("description").startswith(
        "You focus your study on magic that creates powerful elemental"
    )
    assert school == {
        "__typename": "Subclass",
        "key": "srd_school-of-evocation",
        "name": "School of Evocation",
        "flavor": "Arcane Tradition",
        "grantedSpells": [],
    }


async def test_spells_of_a_subclass_tell_level_and_condition(ask: Ask) -> None:
    land = await option(
        ask,
        "circle-of-the-land",
        "... on Subclass { grantedSpells { name level condition } spells { name level } }",
    )
    assert len(land["grantedSpells"]) == 7 * 8
    assert len(land["spells"]) == 43
    assert [spell for spell in land["grantedSpells"] if spell["name"] == "Spike Growth"] == [
        {"name": "Spike Growth", "level": 3, "condition": f"Circle of the Land: {land_}"}
        for land_ in ("Arctic", "Mountain")
    ]


async def test_the_high_elf_and_its_species(ask: Ask) -> None:
    fields = """key name description ... on Species { size { key } sizeDescription speed
        abilityBonuses { ability { key } bonus } abilityBonusChoice { description } age alignment
        languages { key } languageDescription languageChoice { choose description }
        proficiencies { name } proficiencyChoices { choose } }"""
    high_elf = await option(ask, "high-elf", fields)
    assert high_elf.pop("description").startswith("As a high elf, you have a keen mind")
    assert high_elf.pop("languageChoice")["choose"] == 1
    assert high_elf == {
        "key": "srd_high-elf",
        "name": "High Elf",
        "size": {"key": "medium"},
        "sizeDescription": None,
        "speed": 30,
        "abilityBonuses": [{"ability": {"key": "intelligence"}, "bonus": 1}],
        "abilityBonusChoice": None,
        "age": None,
        "alignment": None,
        "languages": [],
        "languageDescription": None,
        "proficiencies": [{"name": name} for name in ("Longswords", "Shortswords", "Shortbows", "Longbows")],
        "proficiencyChoices": [],
    }
    elf = await option(ask, "elf", fields)
    assert elf["age"].endswith("can live to be 750 years old.")
    assert elf["alignment"].startswith("Elves love freedom, variety, and self-expression")
    assert elf["sizeDescription"].endswith("Your size is Medium.")
    assert elf["languages"] == [{"key": "common"}, {"key": "elvish"}]
    assert elf["abilityBonuses"] == [{"ability": {"key": "dexterity"}, "bonus": 2}]
    half_elf = await option(ask, "half-elf", fields)
    assert half_elf["abilityBonusChoice"] == {"description": "Choose two abilities to increase by 1"}


async def test_the_acolyte(ask: Ask) -> None:
    acolyte = await option(
        ask,
        "acolyte",
        """__typename key name description ... on Background { feature { name description }
          proficiencies { key } languageChoice { choose description options { key } }
          startingEquipment { name quantity } startingEquipmentChoices
          suggestedCharacteristics { personalityTraits ideals { description alignments { name } } bonds flaws } }""",
    )
    suggested = acolyte.pop("suggestedCharacteristics")
    assert [len(suggested[part]) for part in ("personalityTraits", "ideals", "bonds", "flaws")] == [
        8,
        6,
        6,
        6,
    ]
    assert suggested["personalityTraits"][3] == "Nothing can shake my optimistic attitude."
    assert suggested["ideals"][1] == {
        "description": "Charity. I always try to help those in need, no matter what the personal cost.",
        "alignments": [{"name": "Lawful Good"}, {"name": "Neutral Good"}, {"name": "Chaotic Good"}],
    }
    feature = acolyte.pop("feature")
    assert feature["name"] == "Shelter of the Faithful"
    assert feature["description"].startswith("As an acolyte, you command the respect of those who share")
    assert acolyte == {
        "__typename": "Background",
        "key": "srd_acolyte",
        "name": "Acolyte",
        "description": None,
        "proficiencies": [{"key": "skill-insight"}, {"key": "skill-religion"}],
        "languageChoice": {"choose": 2, "description": "Choose any two languages", "options": []},
        "startingEquipment": [
            {"name": "Clothes, common", "quantity": 1},
            {"name": "Pouch", "quantity": 1},
        ],
        "startingEquipmentChoices": ["one of: Holy Symbols"],
    }


async def test_the_grappler(ask: Ask) -> None:
    grappler = await option(
        ask,
        "grappler",
        "__typename key name description ... on Feat { prerequisites { ability { name } minimum } benefits }",
    )
    assert grappler.pop("description").startswith(
        "You’ve developed the Skills necessary to hold your own in close-quarters"
    )
    assert grappler == {
        "__typename": "Feat",
        "key": "srd_grappler",
        "name": "Grappler",
        "prerequisites": [{"ability": {"name": "Strength"}, "minimum": 13}],
        "benefits": [
            "You have advantage on Attack Rolls against a creature you are Grappling.",
            "You can use your action to try to pin a creature Grappled by you. To do so, make another grapple "
            "check. If you succeed, you and the creature are both Restrained until the grapple ends.",
        ],
    }
