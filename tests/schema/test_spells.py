"""`spells` and `spell` over the embedded SRD 5.1, through the executor."""

from __future__ import annotations

from typing import Any

import pytest

from schema.query import ROOMS
from tests.support.seeded import Ask, data, error

SOURCES = [{"name": room.name} for room in sorted(ROOMS, key=lambda room: room.name)]


async def names(ask: Ask, filter_: str, arguments: str = "first: 100") -> list[str]:
    answer = data(await ask(f"{{ spells({arguments}, filter: {{{filter_}}}) {{ nodes {{ name }} }} }}"))
    return [node["name"] for node in answer["spells"]["nodes"]]


async def count(ask: Ask, filter_: str) -> int:
    answer = data(await ask(f"{{ spells(filter: {{{filter_}}}) {{ totalCount }} }}"))
    return int(answer["spells"]["totalCount"])


async def test_third_level_evocation(ask: Ask) -> None:
    assert await names(ask, "school: [EVOCATION], level: [3]") == [
        "Daylight",
        "Fireball",
        "Lightning Bolt",
        "Mass Healing Word",
        "Sending",
        "Tiny Hut",
        "Wind Wall",
    ]


async def test_a_single_value_stands_for_a_list(ask: Ask) -> None:
    assert await count(ask, "school: EVOCATION, level: 3") == 7


@pytest.mark.parametrize("spelling", ["wizard", "Wizard", "srd_wizard"])
async def test_wizard_rituals_of_first_level(ask: Ask, spelling: str) -> None:
    found = await names(ask, f'classKey: ["{spelling}"], ritual: true, level: [1]')
    assert found == [
        "Alarm",
        "Comprehend Languages",
        "Detect Magic",
        "Find Familiar",
        "Floating Disk",
        "Identify",
        "Illusory Script",
        "Unseen Servant",
    ]


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        ("", 319),
        ("concentration: true", 126),
        ("concentration: false", 193),
        ("levelMin: 8", 31),
        ("level: [8, 9]", 31),
        ("levelMin: 3, levelMax: 3, school: EVOCATION", 7),
        ("not: {concentration: true}", 193),
        ("anyOf: [{level: 0}, {level: 9}]", 24 + 15),
        ("anyOf: []", 319),
        ("level: []", 319),
        ("level: null, school: null", 319),
        ("key: []", 0),
        ("documents: []", 0),
        ("classKey: []", 0),
        ('documents: ["srd-2014"]', 319),
        ("edition: FIVE_E_2014", 319),
        ('classKey: ["wizard"]', 204),
        ('classKey: ["paladin"]', 31),
        ('classKey: ["wizard"], not: {classKey: ["sorcerer"]}', 91),
    ],
)
async def test_counts(ask: Ask, filter_: str, expected: int) -> None:
    assert await count(ask, filter_) == expected


@pytest.mark.parametrize("spelling", ["reaction", "1 reaction", "Reaction", "1reaction", "REACTION"])
async def test_casting_time_in_every_spelling(ask: Ask, spelling: str) -> None:
    found = await names(ask, f'castingTime: ["{spelling}"]')
    assert found == ["Counterspell", "Feather Fall", "Hellish Rebuke", "Shield"]


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [("1 bonus action", 14), ("bonus-action", 14), ("1minute", 31), ("1 minute", 31), ("10 minutes", 15)],
)
async def test_casting_time_counts(ask: Ask, spelling: str, expected: int) -> None:
    assert await count(ask, f'castingTime: ["{spelling}"]') == expected


async def test_a_negated_condition_holds_for_what_is_absent(ask: Ask) -> None:
    save = await count(ask, "savingThrow: [DEXTERITY]")
    no_save = await count(ask, "not: {savingThrow: [DEXTERITY]}")
    assert save > 0
    assert save + no_save == 319


async def test_every_saving_throw_that_a_spell_asks_for_finds_it(ask: Ask) -> None:
    several = {
        "Earthquake": ["constitution", "dexterity"],
        "Prismatic Spray": ["dexterity", "constitution", "wisdom"],
        "Prismatic Wall": ["constitution", "dexterity", "wisdom"],
        "Sleet Storm": ["dexterity", "constitution"],
        "Storm of Vengeance": ["constitution", "dexterity"],
        "Symbol": ["constitution", "wisdom", "charisma", "intelligence"],
        "Wall of Ice": ["dexterity", "constitution"],
    }
    found: dict[str, list[str]] = {}
    for level in range(10):
        answer = data(
            await ask(
                f"{{ spells(first: 100, filter: {{level: {level}}}) "
                "{ nodes { name savingThrowAbilities { key } } } }"
            )
        )
        for spell in answer["spells"]["nodes"]:
            found[spell["name"]] = [ability["key"] for ability in spell["savingThrowAbilities"]]
    assert len(found) == 319
    assert {name: saves for name, saves in found.items() if len(saves) > 1} == several
    assert await names(ask, "savingThrow: [INTELLIGENCE]") == [
        name for name in sorted(found) if "intelligence" in found[name]
    ]
    # Disadvantage on a saving throw is no saving throw.
    assert found["Slow"] == ["wisdom"]
    assert found["Haste"] == []


async def test_absent_range_is_last_in_either_direction(ask: Ask) -> None:
    for direction in ("ASC", "DESC"):
        answer = data(
            await ask(
                f"{{ spells(last: 4, orderBy: [{{field: RANGE, direction: {direction}}}]) {{ nodes {{ range }} }} }}"
            )
        )
        assert [node["range"] for node in answer["spells"]["nodes"]] == [None] * 4


async def test_name_folds_case_accents_and_typography(ask: Ask) -> None:
    expected = ["Hunter's Mark"]
    for spelling in ("HUNTER'S MARK", "hunter’s mark", "húnter's márk", "nter's ma"):
        assert await names(ask, f'name: "{spelling}"') == expected
    assert await names(ask, 'nameExact: "hunter’s mark"') == expected
    assert await names(ask, 'nameExact: "hunter"') == []


async def test_search_finds_whole_words_of_the_text(ask: Ask) -> None:
    found = await names(ask, 'search: "guano sulfur"')
    assert found == ["Delayed Blast Fireball", "Fireball"]
    assert await names(ask, 'search: "guan"') == []


async def test_every_selected_part_of_fireball(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ spell(key: "srd_fireball") {
              id key name level school { key name } castingTime { key name } range rangeText duration
              concentration ritual components { text verbal somatic material materials materialCost materialConsumed }
              attackType savingThrow { ability { key } onSuccess } damageTypes { key name }
              damageAtSlotLevel { level dice } area { shape size } classes { key name } subclasses { key }
              higherLevel document { key edition { key name } publisher } source { name licence }
            } }"""
        )
    )
    spell: dict[str, Any] = answer["spell"]
    assert spell.pop("higherLevel").startswith(
        "When you cast this spell using a spell slot of 4th level or higher"
    )
    assert spell == {
        "id": "U3BlbGw6c3JkX2ZpcmViYWxs",
        "key": "srd_fireball",
        "name": "Fireball",
        "level": 3,
        "school": {"key": "evocation", "name": "Evocation"},
        "castingTime": {"key": "action", "name": "1 action"},
        "range": 150.0,
        "rangeText": "150 feet",
        "duration": "Instantaneous",
        "concentration": False,
        "ritual": False,
        "components": {
            "text": "V, S, M (A tiny ball of bat guano and sulfur.)",
            "verbal": True,
            "somatic": True,
            "material": True,
            "materials": "A tiny ball of bat guano and sulfur.",
            "materialCost": None,
            "materialConsumed": False,
        },
        "attackType": None,
        "savingThrow": {"ability": {"key": "dexterity"}, "onSuccess": "half"},
        "damageTypes": [{"key": "fire", "name": "Fire"}],
        "damageAtSlotLevel": [{"level": level, "dice": f"{5 + level}d6"} for level in range(3, 10)],
        "area": {"shape": "sphere", "size": 20.0},
        "classes": [{"key": "srd_sorcerer", "name": "Sorcerer"}, {"key": "srd_wizard", "name": "Wizard"}],
        "subclasses": [{"key": "srd_college-of-lore"}, {"key": "srd_the-fiend"}],
        "document": {
            "key": "srd-2014",
            "edition": {"key": "5e-2014", "name": "5e (2014)"},
            "publisher": "Wizards of the Coast",
        },
        "source": {"name": "System Reference Document 5.1", "licence": "CC-BY-4.0"},
    }


async def test_a_bare_slug_is_enough_where_it_is_unique(ask: Ask) -> None:
    answer = data(await ask('{ spell(key: "fireball", edition: FIVE_E_2014) { key } }'))
    assert answer == {"spell": {"key": "srd_fireball"}}


async def test_an_unknown_key_names_the_nearest(ask: Ask) -> None:
    answer = await ask('{ spell(key: "srd_firebal") { key } sources { name } }')
    problem = error(answer)
    assert problem["extensions"]["code"] == "NOT_FOUND"
    assert problem["extensions"]["argument"] == "key"
    assert problem["extensions"]["suggestions"][:2] == ["srd_fireball", "srd_fire-bolt"]
    assert answer["data"] == {"spell": None, "sources": SOURCES}


async def test_an_edition_that_is_not_held_makes_the_answer_incomplete(ask: Ask) -> None:
    answer = data(
        await ask(
            "{ spells(filter: {edition: FIVE_E_2024}) { totalCount provenance { complete warnings } } }"
        )
    )
    assert answer["spells"] == {
        "totalCount": 0,
        "provenance": {
            "complete": False,
            "warnings": [
                "No document of edition 5e-2024 is held here.",
                "Only the embedded System Reference Document 5.1 (`srd-2014`) is held here.",
            ],
        },
    }


async def test_provenance_of_a_local_answer(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ spells(first: 5, filter: {levelMin: 1, anyOf: [{school: EVOCATION}]}) { nodes { key } provenance {
                 source providers fromCache stale complete scanned pushedDown residual upstreamRequests
                 effectiveQuery } } }"""
        )
    )
    assert answer["spells"]["provenance"] == {
        "source": "dnd",
        "providers": ["local"],
        "fromCache": False,
        "stale": False,
        "complete": True,
        "scanned": 5,
        "pushedDown": ["levelMin", "anyOf[0].school"],
        "residual": [],
        "upstreamRequests": 0,
        "effectiveQuery": None,
    }


@pytest.mark.parametrize(
    ("arguments", "argument", "says"),
    [
        ('filter: {classKey: ["wizzard"]}', "filter.classKey", "Did you mean `srd_wizard`"),
        ('filter: {documents: ["srd-2015"]}', "filter.documents", "Did you mean `srd-2014`"),
        ('filter: {key: ["srd_firebal"]}', "filter.key", "Did you mean `srd_fireball`"),
        (
            'filter: {castingTime: ["quickly"]}',
            "filter.castingTime",
            "does not know `quickly`. Allowed: action,",
        ),
        (
            "filter: {levelMin: 5, levelMax: 3}",
            "filter.levelMin",
            "(5) must not be above `filter.levelMax` (3).",
        ),
        ("filter: {level: [3, 10]}", "filter.level[1]", "must be between 0 and 9, got 10."),
        ("filter: {levelMin: -1}", "filter.levelMin", "must be between 0 and 9, got -1."),
        ('filter: {search: "?!"}', "filter.search", "holds no word or number to search for."),
        ('filter: {name: "™"}', "filter.name", "holds nothing to look for."),
        ('filter: {nameExact: " "}', "filter.nameExact", "holds nothing to look for."),
        ("first: 0", "first", "must be between 1 and 100, got 0."),
        ("first: 101", "first", "must be between 1 and 100, got 101."),
        ("first: 5, last: 5", "last", "cannot be given together with `first`."),
        ('after: "nonsense"', "after", "is not a cursor of this service, or it was damaged."),
        ("orderBy: [{field: NAME}, {field: NAME}]", "orderBy[1].field", "repeats `orderBy[0].field`; "),
    ],
)
async def test_bad_input_is_named(ask: Ask, arguments: str, argument: str, says: str) -> None:
    answer = await ask(f"{{ spells({arguments}) {{ totalCount nodes {{ key }} }} sources {{ name }} }}")
    problem = error(answer)
    assert problem["extensions"]["code"] == "BAD_USER_INPUT"
    assert problem["extensions"]["argument"] == argument
    assert problem["message"].startswith(f"`{argument}` ")
    assert says in problem["message"]
    assert problem["path"] == ["spells"]
    assert answer["data"] == {"spells": None, "sources": SOURCES}


async def test_too_many_conditions_and_too_deep_a_tree(ask: Ask) -> None:
    many = ", ".join("{level: 1}" for _ in range(51))
    problem = error(await ask(f"{{ spells(filter: {{anyOf: [{many}]}}) {{ totalCount }} }}"))
    assert problem["extensions"]["argument"] == "filter"
    assert "holds 51 conditions; at most 50" in problem["message"]
    deep = "{not: {not: {not: {not: {level: 1}}}}}"
    problem = error(await ask(f"{{ spells(filter: {deep}) {{ totalCount }} }}"))
    assert problem["extensions"]["argument"] == "filter.not.not.not.not"
    assert await count(ask, "not: {not: {not: {level: 1}}}") == 319 - await count(ask, "level: 1")
