"""Records of Open5e become ours: beside the embedded data, and with the quirks of the real API."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

import pytest

from sources.dnd.embedded import SRD_2014, read_embedded
from sources.dnd.open5e_creatures import CREATURE_FIELDS, CREATURE_RECIPES
from sources.dnd.open5e_documents import document_of
from sources.dnd.open5e_recipes import JOINED, Recipes, compile_fields, make_values
from sources.dnd.open5e_spells import SPELL_FIELDS, SPELL_RECIPES
from sources.dnd.parsing import MalformedRecord
from sources.dnd.records import Bonus, Creature, DamageRoll, LevelDice, SavingThrow, Spell
from tests.contracts.house import ROOT
from tests.support.fake_open5e import Corpus, mixed_corpus, srd_corpus

RECORDINGS = ROOT.parent / "shared" / "recorded" / "open5e"
recorded = pytest.mark.skipif(
    not RECORDINGS.is_dir(), reason="the recordings of Open5e are not laid beside the repository"
)

# What Open5e's shape cannot say, or says in another way: how many of the SRD's records differ by it.
SPELL_DIFFERENCES = {
    "subclasses": 185,  # it knows none
    "saving_throw_success": 12,  # only the text tells, which never says `other`
    "heal_at_slot_level": 10,  # the fake has no dice for healing
    "classes": 2,  # sorted by key
    "attack_type": 1,  # the text does not say
}
CREATURE_DIFFERENCES = {
    "subtype": 76,
    "description": 45,
    "actions": 71,  # rolls are read from the text
    "traits": 26,  # as are those of traits, which the other source leaves out
    "speed_walk": 8,  # printed as 0 ft.
    "condition_immunities": 6,  # sorted by key
}


@cache
def corpus() -> Corpus:
    return srd_corpus()


def rows(endpoint: str) -> dict[str, dict[str, Any]]:
    return {record.key: record.row for record in corpus().records(endpoint)}


def make(recipes: Recipes, raw: dict[str, Any]) -> dict[str, Any]:
    """Every attribute of a record that does not stand in its document."""
    return {name: recipe.make(raw) for name, recipe in recipes.items() if name not in JOINED}


@pytest.mark.parametrize(
    ("endpoint", "recipes", "differences"),
    [("spells", SPELL_RECIPES, SPELL_DIFFERENCES), ("creatures", CREATURE_RECIPES, CREATURE_DIFFERENCES)],
)
def test_records_are_those_that_are_embedded(
    endpoint: str, recipes: Recipes, differences: dict[str, int]
) -> None:
    embedded = read_embedded()
    records: tuple[Spell | Creature, ...] = embedded.spells if endpoint == "spells" else embedded.creatures
    found: Counter[str] = Counter()
    for record in records:
        made = make(recipes, rows(endpoint)[record.key])
        found.update(
            name
            for name in record.__dataclass_fields__
            if name in made and made[name] != getattr(record, name)
        )
        assert record.__dataclass_fields__.keys() <= made.keys()
    assert found == differences


@pytest.mark.parametrize(
    ("endpoint", "recipes"), [("spells", SPELL_RECIPES), ("creatures", CREATURE_RECIPES)]
)
def test_a_recipe_reads_no_other_field_than_it_names(endpoint: str, recipes: Recipes) -> None:
    for record in mixed_corpus().records(endpoint):
        for name, recipe in recipes.items():
            part = {field: record.row[field] for field in recipe.fields}
            if recipe.document:
                part["document"] = {field: record.row["document"][field] for field in recipe.document}
            assert recipe.make(part) == recipe.make(record.row), (record.key, name)


@pytest.mark.parametrize(
    ("columns", "parameters"),
    [
        (("key", "name", "level"), {"fields": "key,level,name"}),
        (("document_key", "key"), {"fields": "document,key", "document__fields": "key"}),
        (("edition",), {"fields": "document,key", "document__fields": "gamesystem"}),
        (("document_licence", "document_key"), {"fields": "document,key", "document__fields": "key"}),
        (("duration",), {"fields": "concentration,duration"}),
        (tuple(SPELL_RECIPES), {}),
    ],
)
def test_fields_are_compiled_from_the_columns(columns: tuple[str, ...], parameters: dict[str, str]) -> None:
    assert compile_fields(SPELL_RECIPES, columns, SPELL_FIELDS) == parameters


def spell(key: str, **changes: Any) -> dict[str, Any]:
    return make(SPELL_RECIPES, {**rows("spells")[key], **changes})


def creature(key: str, **changes: Any) -> dict[str, Any]:
    return make(CREATURE_RECIPES, {**rows("creatures")[key], **changes})


@pytest.mark.parametrize(
    ("duration", "concentration", "printed"),
    [
        ("instantaneous", False, "Instantaneous"),
        ("1 minute", False, "1 minute"),
        ("1 minute", True, "Up to 1 minute"),
        ("up to 1 hour", True, "Up to 1 hour"),
        ("until dispelled", False, "Until dispelled"),
        ("concentration + 1 round", True, "Concentration + 1 round"),
    ],
)
def test_durations_are_printed_as_rulebooks_do(duration: str, concentration: bool, printed: str) -> None:
    assert spell("srd_shield", duration=duration, concentration=concentration)["duration"] == printed


@pytest.mark.parametrize(
    ("text", "number", "unit", "feet"),
    [
        ("60 feet", 60, "feet", 60),
        ("60 ft", 60.0, "ft", 60),
        ("1 mile", 1, "miles", 5280),
        ("1 mile", 5280, "feet", 5280),
        ("Touch", 0.1, None, 0),
        ("Sight", 2020, "feet", None),
        ("Unlimited", 999_999, "miles", None),
        ("Special", 0.2, None, None),
        ("Special", None, None, None),
    ],
)
def test_ranges_are_feet(text: str, number: float | None, unit: str | None, feet: float | None) -> None:
    made = spell("srd_shield", range_text=text, range=number, range_unit=unit)
    assert (made["range"], made["range_unit"]) == (feet, None if feet is None else "feet")


@pytest.mark.parametrize(
    ("key", "condition", "text"),
    [
        ("action", None, "1 action"),
        ("bonus-action", None, "1 bonus action"),
        ("1minute", None, "1 minute"),
        ("10minutes", None, "10 minutes"),
        ("1week", None, "1 week"),
        ("reaction", "when struck", "1 reaction, when struck"),
        ("reaction", None, "1 reaction"),
    ],
)
def test_casting_times_are_printed_as_rulebooks_do(key: str, condition: str | None, text: str) -> None:
    made = spell("srd_shield", casting_time=key, reaction_condition=condition)
    assert (made["casting_time"], made["casting_time_text"]) == (key, text)


def test_a_price_is_read_from_a_text_and_from_a_decimal() -> None:
    named = spell("srd_shield", material_specified="A pearl worth 1,000 gp.", material_cost="25.00")
    alone = spell("srd_shield", material_specified="A pearl.", material_cost="25.50")
    assert (named["material_cost"], alone["material_cost"]) == (1000.0, 25.5)
    assert spell("srd_shield", material_specified="", material_cost=None)["material_cost"] is None


def test_dice_by_level_end_where_they_change() -> None:
    levels = [{"type": f"player_level_{level}", "damage_roll": "2d10"} for level in range(5, 11)]
    made = spell(
        "srd_fire-bolt", casting_options=[*levels, {"type": "player_level_11", "damage_roll": "3d10"}]
    )
    assert made["damage_at_character_level"] == (
        LevelDice(1, "1d10"),
        LevelDice(5, "2d10"),
        LevelDice(11, "3d10"),
    )
    assert made["damage_at_slot_level"] == ()


def test_dice_that_heal_are_no_damage() -> None:
    made = spell("srd_cure-wounds", damage_roll="1d8", casting_options=[])
    assert made["heal_at_slot_level"] == (LevelDice(1, "1d8"),)
    assert made["damage_at_slot_level"] == ()


def test_line_ends_are_plain() -> None:
    assert spell("srd_shield", desc="One.\r\n\r\nTwo.\r\n")["description"] == "One.\n\nTwo."


def test_what_a_creature_lacks_is_made_up_for() -> None:
    made = creature("srd_adult-red-dragon", proficiency_bonus=None, experience_points=0)
    assert (made["proficiency_bonus"], made["experience_points"]) == (6, 18_000)
    assert (made["hit_dice"], made["hit_points_roll"]) == ("19d12", "19d12+133")
    blanks = creature("srd_adult-red-dragon", hit_dice="19d12 + 133", armor_detail="15 with _mage armor_")
    assert (blanks["hit_points_roll"], blanks["armor_detail"]) == ("19d12+133", "15 with mage armor")
    assert creature("srd_goblin", hit_dice=None)["hit_dice"] == ""


@pytest.mark.parametrize(
    ("said", "actions", "worth"),
    [
        (0, [{"name": "Bite", "desc": "Melee Weapon Attack: +4 to hit.", "action_type": "ACTION"}], 10),
        (0, [{"name": "Hide", "desc": "It hides.", "action_type": "ACTION"}], 0),
        (10, [], 10),
    ],
)
def test_a_rating_of_nothing_is_worth_ten_to_one_that_attacks(
    said: int, actions: list[dict[str, str]], worth: int
) -> None:
    made = creature("srd_rat", challenge_rating=0.0, experience_points=said, actions=actions)
    assert made["experience_points"] == worth


def test_saves_without_proficiency_are_left_out() -> None:
    saves = {
        "strength": -1,
        "dexterity": 4,
        "constitution": 0,
        "intelligence": 0,
        "wisdom": -1,
        "charisma": -1,
    }
    assert creature("srd_goblin", saving_throws=saves)["saving_throws"] == (
        Bonus("dexterity", "Dexterity", 4),
    )
    nothing = creature("srd_camel", saving_throws=dict.fromkeys(saves, 0), skill_bonuses={"a": 0, "b": 0})
    assert (nothing["saving_throws"], nothing["skills"]) == ((), ())


def test_skills_have_the_names_of_the_rules() -> None:
    bonuses = {"sleight_of_hand": 4, "animal_handling": 2}
    assert creature("srd_goblin", skill_bonuses=bonuses)["skills"] == (
        Bonus("sleight-of-hand", "Sleight of Hand", 4),
        Bonus("animal-handling", "Animal Handling", 2),
    )


def defences(display: str, *keys: str) -> dict[str, Any]:
    return {
        "damage_resistances_display": display,
        "damage_resistances": [{"key": key, "name": key.title()} for key in keys],
    }


@pytest.mark.parametrize(
    ("display", "listed", "printed", "types"),
    [
        (
            "cold, fire; bludgeoning and piercing from nonmagical attacks",
            ("cold", "fire", "bludgeoning", "piercing", "slashing"),
            ("cold", "fire", "bludgeoning and piercing from nonmagical attacks"),
            ("cold", "fire", "bludgeoning", "piercing"),
        ),
        (
            "radiant; damage from nonmagical weapons",
            ("radiant", "bludgeoning"),
            ("radiant", "damage from nonmagical weapons"),
            ("radiant", "bludgeoning"),
        ),
        ("", ("fire",), ("fire",), ("fire",)),
        ("necrotic", ("necrotic", "slashing"), ("necrotic",), ("necrotic",)),
        ("", (), (), ()),
    ],
)
def test_resistances_are_those_of_the_text(
    display: str, listed: tuple[str, ...], printed: tuple[str, ...], types: tuple[str, ...]
) -> None:
    made = creature("srd_goblin", resistances_and_immunities=defences(display, *listed))
    assert (made["damage_resistances"], made["damage_resistance_types"]) == (printed, types)


def action(desc: str, name: str = "Act", **others: Any) -> Any:
    raw = {"name": name, "desc": desc, "action_type": "ACTION", "attacks": [], **others}
    (made,) = creature("srd_goblin", actions=[raw])["actions"]
    return made


def test_rolls_are_read_from_the_text_and_not_from_the_attack() -> None:
    bite = action(
        "Melee Weapon Attack: +14 to hit, reach 10 ft., one target. Hit: 19 (2d10 + 8) piercing damage plus 7 (2d6) "
        "fire damage.",
        attacks=[{"to_hit_mod": 3, "damage_type": {"key": "thunder", "name": "Thunder"}}],
    )
    assert bite.attack_bonus == 14
    assert bite.damage == (DamageRoll("2d10+8", "piercing"), DamageRoll("2d6", "fire"))


def test_two_hands_are_a_choice() -> None:
    sword = action(
        "Melee Weapon Attack: +5 to hit. Hit: 7 (1d8 + 3) slashing damage, or 8 (1d10 + 3) slashing damage if used "
        "with two hands."
    )
    assert sword.damage == (
        DamageRoll("1d8+3", "slashing", "One handed"),
        DamageRoll("1d10+3", "slashing", "Two handed"),
    )


def test_stat_blocks_of_2024_are_read_as_well() -> None:
    arrow = action("Ranged Attack Roll: +4, range 80/320 ft. 5 (1d6 + 2) Piercing damage.")
    assert (arrow.attack_bonus, arrow.damage) == (4, (DamageRoll("1d6+2", "piercing"),))
    breath = action(
        "Dexterity Saving Throw: DC 21, each creature in a 60-foot Cone. Failure: 59 (17d6) Fire damage. Success: Half "
        "damage."
    )
    assert breath.save == SavingThrow("dexterity", 21, "half")


def test_a_spell_attack_of_a_trait_is_no_attack_of_its_own() -> None:
    assert action("Its spell save is DC 12, +4 to hit with spell attacks.").attack_bonus is None


@pytest.mark.parametrize(
    ("name", "limits", "shown", "usage"),
    [
        ("Fire Breath", {"type": "RECHARGE_ON_ROLL", "param": 5}, "Fire Breath", "Recharge 5-6"),
        ("Fire Breath", {"type": "RECHARGE_ON_ROLL", "param": 6}, "Fire Breath", "Recharge 6"),
        ("Cunning", {"type": "PER_DAY", "param": 3}, "Cunning", "3/Day"),
        (
            "Relentless",
            {"type": "RECHARGE_AFTER_REST", "param": None},
            "Relentless",
            "Recharge after a Short or Long Rest",
        ),
        ("Legendary Resistance (3/Day)", None, "Legendary Resistance", "3/Day"),
        ("Relentless (Recharges after a Long Rest)", None, "Relentless", "Recharge after a Long Rest"),
        ("Sneak Attack (1/Turn)", None, "Sneak Attack (1/Turn)", None),
        ("Claw (Fiend Form Only)", None, "Claw (Fiend Form Only)", None),
    ],
)
def test_how_often_a_thing_can_be_used(
    name: str, limits: dict[str, Any] | None, shown: str, usage: str | None
) -> None:
    made = action("It acts.", name, usage_limits=limits)
    assert (made.name, made.usage) == (shown, usage)


def test_actions_are_parted_by_kind_in_the_order_of_the_stat_block() -> None:
    made = creature("srd_adult-red-dragon")
    assert [feature.name for feature in made["legendary_actions"]] == ["Detect", "Tail Attack", "Wing Attack"]
    assert [feature.legendary_action_cost for feature in made["legendary_actions"]] == [1, 1, 2]
    assert [feature.name for feature in made["actions"]][:3] == ["Multiattack", "Bite", "Claw"]
    assert made["legendary"] is True
    assert creature("srd_goblin")["legendary"] is False


def test_a_swarm_has_the_size_of_its_members_from_its_trait() -> None:
    made = creature("srd_swarm-of-rats")
    assert (made["swarm"], made["swarm_size"], made["size"], made["type"]) == (
        True,
        "tiny",
        "medium",
        "beast",
    )
    assert creature("srd_goblin")["swarm_size"] is None


@pytest.mark.parametrize(
    ("recipes", "raw", "field"),
    [
        (SPELL_RECIPES, {"name": "Nameless"}, "key"),
        (SPELL_RECIPES, {"key": "x_y", "name": "Y", "level": 12}, "level"),
        (SPELL_RECIPES, {"key": "x_y", "name": "Y", "level": 1}, "school"),
        (CREATURE_RECIPES, {"key": "x_y", "name": "Y", "size": {"key": "huge"}, "type": None}, "type"),
    ],
)
def test_a_record_that_lacks_what_it_must_have_is_refused(
    recipes: Recipes, raw: dict[str, Any], field: str
) -> None:
    columns = [name for name in ("key", "name", "level", "school", "size", "type") if name in recipes]
    with pytest.raises(MalformedRecord, match=field):
        make_values(recipes, columns, raw, {})


def test_the_licences_of_documents() -> None:
    documents = {record.key: document_of(record.row) for record in mixed_corpus().records("documents")}
    assert documents["srd-2014"] == SRD_2014
    assert documents["srd-2024"].licence == "CC-BY-4.0"
    assert "SRD 5.2" in documents["srd-2024"].attribution
    ember = documents["ember"]
    assert (ember.licence, ember.edition) == ("LicenseRef-OGL-1.0a", "5e-2014")
    assert ember.attribution == (
        "From “The Book of Ember’s Élan” by Ember Press, under OPEN GAME LICENSE Version 1.0a."
    )
    assert documents["core"].licence == "CC-BY-4.0 OR LicenseRef-OGL-1.0a"


def recordings(mark: str) -> dict[str, dict[str, Any]]:
    """The whole records in the recorded answers, by key; `mark` is a field that only their kind has."""
    found: dict[str, dict[str, Any]] = {}
    for file in sorted(RECORDINGS.glob("*.json")):
        body = json.loads(file.read_text(encoding="utf-8"))
        items = body.get("results", [body]) if isinstance(body, dict) else []
        found |= {item["key"]: item for item in items if isinstance(item, dict) and mark in item}
    return found


@recorded
def test_recorded_spells_are_those_that_are_embedded() -> None:
    made = {key: make(SPELL_RECIPES, raw) for key, raw in recordings("casting_options").items()}
    assert Counter(record["document_key"] for record in made.values()) == {"srd-2014": 319, "srd-2024": 339}
    names = (
        "level",
        "school",
        "ritual",
        "concentration",
        "casting_time",
        "range",
        "material",
        "verbal",
        "somatic",
    )
    for record in read_embedded().spells:
        live = made[record.key]
        assert [live[name] for name in names] == [getattr(record, name) for name in names], record.key
    for name in ("duration", "casting_time_text", "material_consumed", "range_text"):
        others = [key for key in made if key.startswith("srd_")]
        embedded = {record.key: getattr(record, name) for record in read_embedded().spells}
        assert sum(made[key][name] != embedded[key] for key in others) <= 2, name
    assert len(recordings("casting_options")["srd_fireball"]) == SPELL_FIELDS


@recorded
def test_recorded_creatures_are_those_that_are_embedded() -> None:
    raws = recordings("resistances_and_immunities")
    made = {key: make(CREATURE_RECIPES, raw) for key, raw in raws.items()}
    names = (
        "size", "type", "swarm", "alignment", "armor_class", "hit_points", "hit_points_roll", "challenge_rating",
        "experience_points", "proficiency_bonus", "speed_fly", "speed_swim", "strength", "charisma", "skills",
        "saving_throws", "damage_immunity_types", "damage_resistance_types", "darkvision", "blindsight",
        "passive_perception", "languages",
    )  # fmt: skip
    embedded = {record.key: record for record in read_embedded().creatures}
    compared = [key for key in made if key in embedded]
    differing = {
        (key, name) for key in compared for name in names if made[key][name] != getattr(embedded[key], name)
    }
    assert len(compared) >= 30
    assert differing <= {("srd_giant-wasp", "speed_swim")}
    assert made["srd_adult-red-dragon"]["actions"][1].damage == (
        DamageRoll("2d10+8", "piercing"),
        DamageRoll("2d6", "fire"),
    )
    assert len(raws["srd_aboleth"]) == CREATURE_FIELDS
