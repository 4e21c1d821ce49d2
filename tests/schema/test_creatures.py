"""`creatures` and `creature` over the embedded SRD 5.1, through the executor."""

from __future__ import annotations

import pytest

from tests.support.seeded import Ask, data, error


async def names(ask: Ask, filter_: str) -> list[str]:
    answer = data(await ask(f"{{ creatures(first: 100, filter: {{{filter_}}}) {{ nodes {{ name }} }} }}"))
    return [node["name"] for node in answer["creatures"]["nodes"]]


async def count(ask: Ask, filter_: str) -> int:
    answer = data(await ask(f"{{ creatures(filter: {{{filter_}}}) {{ totalCount }} }}"))
    return int(answer["creatures"]["totalCount"])


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        ("", 334),
        ("crMin: 20", 15),
        ("type: DRAGON", 43),
        ("type: BEAST, swarm: true", 10),
        ("type: BEAST", 97),
        ("not: {type: BEAST}", 237),
        ("cr: [0.125, 0.25, 0.5]", 84),
        ("crMin: 0.125, crMax: 0.5", 84),
        ("alignment: UNALIGNED", 128),
        ("legendary: true", 32),
        ("speedFlyMin: 1", 104),
        ("hover: true", 7),
        ("truesightMin: 1", 13),
        ("tremorsenseMin: 1", 6),
    ],
)
async def test_counts(ask: Ask, filter_: str, expected: int) -> None:
    assert await count(ask, filter_) == expected


async def test_huge_dragons_are_the_ten_adults(ask: Ask) -> None:
    assert await names(ask, "type: DRAGON, size: HUGE") == [
        f"Adult {colour} Dragon"
        for colour in (
            "Black",
            "Blue",
            "Brass",
            "Bronze",
            "Copper",
            "Gold",
            "Green",
            "Red",
            "Silver",
            "White",
        )
    ]


async def test_undead_of_challenge_rating_at_most_one(ask: Ask) -> None:
    assert await names(ask, "type: UNDEAD, crMax: 1") == [
        "Ghoul",
        "Shadow",
        "Skeleton",
        "Specter",
        "Warhorse Skeleton",
        "Zombie",
    ]


async def test_alignments_that_a_text_allows(ask: Ask) -> None:
    evil = await names(ask, "alignment: CHAOTIC_EVIL, type: HUMANOID")
    assert "Bandit" in evil  # any non-lawful alignment
    assert "Bandit" not in await names(ask, "alignment: LAWFUL_GOOD")


async def test_the_stat_block_of_the_adult_red_dragon(ask: Ask) -> None:
    answer = data(
        await ask(
            """{ creature(key: "adult-red-dragon") {
              key size { key } type { name } alignment armorClass armorDetail hitPoints hitDice hitPointsRoll
              challengeRating experiencePoints proficiencyBonus speed { walk fly swim climb burrow hover }
              abilities { strength charisma } savingThrows { key bonus } skills { name bonus } damageImmunities
              senses { darkvision blindsight tremorsense passivePerception } languages legendary swarm
              actions { name attackBonus damage { dice damageType { key } } savingThrow { ability { key } dc onSuccess }
                usage }
              legendaryActions { name legendaryActionCost }
              environments { key }
            } }"""
        )
    )
    dragon = answer["creature"]
    actions = dragon.pop("actions")
    assert actions[1] == {
        "name": "Bite",
        "attackBonus": 14,
        "damage": [
            {"dice": "2d10+8", "damageType": {"key": "piercing"}},
            {"dice": "2d6", "damageType": {"key": "fire"}},
        ],
        "savingThrow": None,
        "usage": None,
    }
    assert actions[-1]["usage"] == "Recharge 5-6"
    assert actions[-1]["savingThrow"]["ability"] == {"key": "dexterity"}
    assert actions[-1]["savingThrow"]["dc"] == 21
    assert dragon == {
        "key": "srd_adult-red-dragon",
        "size": {"key": "huge"},
        "type": {"name": "Dragon"},
        "alignment": "chaotic evil",
        "armorClass": 19,
        "armorDetail": dragon["armorDetail"],
        "hitPoints": 256,
        "hitDice": "19d12",
        "hitPointsRoll": "19d12+133",
        "challengeRating": 17.0,
        "experiencePoints": 18000,
        "proficiencyBonus": 6,
        "speed": {"walk": 40, "fly": 80, "swim": None, "climb": 40, "burrow": None, "hover": False},
        "abilities": {"strength": 27, "charisma": 21},
        "savingThrows": [
            {"key": "dexterity", "bonus": 6},
            {"key": "constitution", "bonus": 13},
            {"key": "wisdom", "bonus": 7},
            {"key": "charisma", "bonus": 11},
        ],
        "skills": [{"name": "Perception", "bonus": 13}, {"name": "Stealth", "bonus": 6}],
        "damageImmunities": ["fire"],
        "senses": {"darkvision": 120, "blindsight": 60, "tremorsense": None, "passivePerception": 23},
        "languages": "Common, Draconic",
        "legendary": True,
        "swarm": False,
        "legendaryActions": [
            {"name": "Detect", "legendaryActionCost": 1},
            {"name": "Tail Attack", "legendaryActionCost": 1},
            {"name": "Wing Attack", "legendaryActionCost": 2},
        ],
        "environments": [],
    }


async def test_an_environment_is_refused_where_none_is_recorded(ask: Ask) -> None:
    problem = error(await ask('{ creatures(filter: {environment: ["forest"]}) { totalCount } }'))
    assert problem["extensions"] == {"code": "BAD_USER_INPUT", "argument": "filter.environment"}
    assert "none of the documents held here records environments" in problem["message"]


async def test_documents_of_many_creatures_are_one_value(ask: Ask) -> None:
    answer = data(
        await ask("{ creatures(first: 100) { nodes { document { key licence } source { attribution } } } }")
    )
    documents = {node["document"]["key"] for node in answer["creatures"]["nodes"]}
    assert documents == {"srd-2014"}
    assert answer["creatures"]["nodes"][0]["source"]["attribution"].startswith("This work includes material")
