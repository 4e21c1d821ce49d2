"""The normaliser on single records: what it tolerates and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from sources.dnd.normalise import MalformedRecord, normalise_creature, normalise_spell
from sources.dnd.records import DamageRoll, Reference, SavingThrow
from tests.sources.dnd.raw import raw_records


def _bare_spell(**fields: Any) -> dict[str, Any]:
    return {
        "index": "spark",
        "name": "Spark",
        "desc": ["A spark."],
        "range": "30 feet",
        "duration": "Instantaneous",
        "casting_time": "1 action",
        "level": 0,
        "school": {"index": "evocation", "name": "Evocation", "url": "/api/2014/magic-schools/evocation"},
    } | fields


def _bare_creature(**fields: Any) -> dict[str, Any]:
    scores = dict.fromkeys(
        ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"), 10
    )
    return {
        "index": "mite",
        "name": "Mite",
        "size": "Tiny",
        "type": "fey",
        "alignment": "chaotic neutral",
        "armor_class": [{"type": "dex", "value": 12}],
        "hit_points": 2,
        "hit_dice": "1d4",
        "challenge_rating": 0.125,
        "speed": {"walk": "20 ft."},
        **scores,
    } | fields


def test_a_spell_of_few_fields() -> None:
    spell = normalise_spell(_bare_spell())
    assert (spell.key, spell.slug, spell.document_key) == ("srd_spark", "spark", "srd-2014")
    assert (spell.level, spell.school, spell.casting_time) == (0, "evocation", "action")
    assert (spell.verbal, spell.somatic, spell.material) == (False, False, False)
    assert (spell.classes, spell.damage_types, spell.higher_level) == ((), (), None)
    assert (spell.area_shape, spell.area_size) == (None, None)


def test_document_and_prefix_are_the_caller_s() -> None:
    raw = _bare_spell(classes=[{"index": "wizard", "name": "Wizard", "url": "/api/2024/classes/wizard"}])
    spell = normalise_spell(raw, document_key="srd-2024", key_prefix="srd-2024")
    assert (spell.key, spell.document_key) == ("srd-2024_spark", "srd-2024")
    assert spell.classes == (Reference("srd-2024_wizard", "Wizard"),)


def test_description_as_one_text() -> None:
    assert normalise_spell(_bare_spell(desc="A spark.")).description == "A spark."
    assert normalise_creature(_bare_creature(desc=["Small.", "Loud."])).description == "Small.\n\nLoud."


def test_addresses_of_the_live_api_change_nothing() -> None:
    raw = raw_records("spell")["fireball"]
    live = raw | {
        "url": "/api/2014/spells/fireball",
        "school": raw["school"] | {"url": "/api/2014/magic-schools/evocation"},
        "image": "/api/images/spells/fireball.png",
        "updated_at": "2026-01-01T00:00:00Z",
    }
    assert normalise_spell(live) == normalise_spell(raw)


@pytest.mark.parametrize(
    "field", ["index", "name", "desc", "range", "duration", "casting_time", "level", "school"]
)
def test_a_spell_names_the_field_that_it_lacks(field: str) -> None:
    raw = _bare_spell()
    del raw[field]
    with pytest.raises(MalformedRecord, match=f"`{field}`") as caught:
        normalise_spell(raw)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("level", "three"),
        ("level", 10),
        ("level", True),
        ("name", " "),
        ("school", "evocation"),
        ("classes", "wizard"),
        ("damage", []),
        ("heal_at_slot_level", {"first": "1d8"}),
    ],
)
def test_a_spell_names_the_field_that_is_of_no_use(field: str, value: object) -> None:
    with pytest.raises(MalformedRecord) as caught:
        normalise_spell(_bare_spell(**{field: value}))
    assert (caught.value.record, caught.value.field) == ("spark", field)


@pytest.mark.parametrize(
    "field",
    ["index", "name", "size", "type", "alignment", "armor_class", "hit_points", "hit_dice",
     "challenge_rating", "speed", "wisdom"],
)  # fmt: skip
def test_a_creature_names_the_field_that_it_lacks(field: str) -> None:
    raw = _bare_creature()
    del raw[field]
    with pytest.raises(MalformedRecord, match=f"`{field}`"):
        normalise_creature(raw)


@pytest.mark.parametrize(
    ("rating", "number", "experience", "bonus"),
    [
        (0.125, 0.125, 25, 2),
        ("1/4", 0.25, 50, 2),
        (1, 1.0, 200, 2),
        (1.0, 1.0, 200, 2),
        (4, 4.0, 1100, 2),
        (5, 5.0, 1800, 3),
        (9, 9.0, 5000, 4),
        (30, 30.0, 155000, 9),
    ],
)
def test_challenge_rating_decides_experience_and_proficiency(
    rating: object, number: float, experience: int, bonus: int
) -> None:
    creature = normalise_creature(_bare_creature(challenge_rating=rating, xp=1))
    assert (creature.challenge_rating, creature.experience_points) == (number, experience)
    assert creature.proficiency_bonus == bonus


@pytest.mark.parametrize("experience", [0, 10])
def test_at_rating_zero_the_record_decides(experience: int) -> None:
    creature = normalise_creature(_bare_creature(challenge_rating=0, xp=experience))
    assert creature.experience_points == experience


def test_passive_perception_is_reckoned_when_it_is_not_printed() -> None:
    perception = {"value": 4, "proficiency": {"index": "skill-perception", "name": "Skill: Perception"}}
    assert normalise_creature(_bare_creature(wisdom=13)).passive_perception == 11
    assert normalise_creature(_bare_creature(proficiencies=[perception])).passive_perception == 14
    assert normalise_creature(_bare_creature(senses={"passive_perception": 9})).passive_perception == 9


def test_armor_class_as_a_number() -> None:
    creature = normalise_creature(_bare_creature(armor_class=13))
    assert (creature.armor_class, creature.armor_detail) == (13, None)


@pytest.mark.parametrize(
    ("usage", "text"),
    [
        ({"type": "per day", "times": 3}, "3/Day"),
        ({"type": "recharge on roll", "dice": "1d6", "min_value": 5}, "Recharge 5-6"),
        ({"type": "recharge on roll", "dice": "1d6", "min_value": 6}, "Recharge 6"),
        (
            {"type": "recharge after rest", "rest_types": ["short", "long"]},
            "Recharge after a Short or Long Rest",
        ),
        ({"type": "at will"}, "at will"),
        (None, None),
    ],
)
def test_usage_in_the_words_of_a_stat_block(usage: object, text: str | None) -> None:
    raw = _bare_creature(actions=[{"name": "Howl", "desc": "It howls.", "usage": usage}])
    assert normalise_creature(raw).actions[0].usage == text


def test_damage_of_a_choice_names_what_is_chosen() -> None:
    bite = {"damage_type": {"index": "cold", "name": "Cold"}, "damage_dice": "1d6 + 2"}
    choice = {"choose": 1, "type": "damage", "from": {"options": [bite, bite | {"notes": "Two handed"}]}}
    raw = _bare_creature(actions=[{"name": "Strike", "desc": "Hit.", "damage": [bite, choice]}])
    assert normalise_creature(raw).actions[0].damage == (
        DamageRoll("1d6+2", "cold", None),
        DamageRoll("1d6+2", "cold", "Cold"),
        DamageRoll("1d6+2", "cold", "Two handed"),
    )


def test_a_save_that_only_the_text_names() -> None:
    text = "The target must succeed on a DC 11 Strength saving throw or be knocked prone."
    raw = _bare_creature(actions=[{"name": "Charge", "desc": text}])
    assert normalise_creature(raw).actions[0].save == SavingThrow("strength", 11, "none")


def test_a_feature_without_a_name_is_refused() -> None:
    with pytest.raises(MalformedRecord, match="`reactions`"):
        normalise_creature(_bare_creature(reactions=[{"desc": "It parries."}]))


def test_padding_zero_is_no_attack_bonus() -> None:
    features = [
        {"name": "Ink", "desc": "A cloud of ink.", "attack_bonus": 0},
        {"name": "Slap", "desc": "Melee Weapon Attack: +0 to hit.", "attack_bonus": 0},
        {"name": "Bite", "desc": "Bites.", "attack_bonus": 4},
    ]
    actions = normalise_creature(_bare_creature(actions=features)).actions
    assert [action.attack_bonus for action in actions] == [None, 0, 4]
