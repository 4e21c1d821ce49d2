"""All embedded records: exact values of some, and what must hold of every one."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from sources.dnd.embedded import SRD_2014, EmbeddedData, read_embedded
from sources.dnd.records import (
    Bonus,
    Creature,
    DamageRoll,
    LevelDice,
    Reference,
    SavingThrow,
    Spell,
)
from sources.dnd.vocabulary import ABILITIES, ALIGNMENTS, DAMAGE_TYPES, EXPERIENCE_POINTS, proficiency_bonus

RECORDED = Path(__file__).parents[4] / "shared" / "recorded" / "open5e"


@cache
def _data() -> EmbeddedData:
    return read_embedded()


def _spell(slug: str) -> Spell:
    return next(spell for spell in _data().spells if spell.slug == slug)


def _creature(slug: str) -> Creature:
    return next(creature for creature in _data().creatures if creature.slug == slug)


def _names(records: list[Spell] | list[Creature]) -> list[str]:
    return sorted(record.name for record in records)


def _recorded(name: str) -> list[dict[str, str]]:
    path = RECORDED / name
    if not path.exists():
        pytest.skip(f"no recorded Open5e answers at {RECORDED}")
    results: list[dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))["results"]
    return [item for item in results if item["key"].startswith("srd_")]


def test_there_are_319_spells_and_334_creatures_in_the_order_of_their_keys() -> None:
    for records, count in ((_data().spells, 319), (_data().creatures, 334)):
        keys = [record.key for record in records]
        assert len(set(keys)) == count
        assert keys == sorted(keys)
        assert all(record.key == f"srd_{record.slug}" for record in records)
        assert {record.document_key for record in records} == {"srd-2014"}


def test_document_names_its_licence_and_attribution() -> None:
    assert _data().document is SRD_2014
    assert (SRD_2014.key, SRD_2014.edition, SRD_2014.licence) == ("srd-2014", "5e-2014", "CC-BY-4.0")
    assert SRD_2014.attribution.startswith("This work includes material taken from the System Reference")
    assert SRD_2014.attribution.endswith(f"available at {SRD_2014.licence_url}.")
    assert SRD_2014.url in SRD_2014.attribution


def test_version_is_the_same_in_another_process() -> None:
    assert re.fullmatch(r"tinys-srd 1\.0\.0 sha256:[0-9a-f]{16}", _data().version)
    assert read_embedded().version == _data().version
    command = "from sources.dnd.embedded import read_embedded; print(read_embedded().version)"
    other = subprocess.run(
        [sys.executable, "-c", command],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert other.stdout.strip() == _data().version


def test_fireball() -> None:
    spell = _spell("fireball")
    assert spell.key == "srd_fireball"
    assert (spell.name, spell.level, spell.school) == ("Fireball", 3, "evocation")
    assert (spell.casting_time, spell.casting_time_text) == ("action", "1 action")
    assert (spell.range, spell.range_unit, spell.range_text) == (150.0, "feet", "150 feet")
    assert (spell.verbal, spell.somatic, spell.material) == (True, True, True)
    assert spell.material_specified == "A tiny ball of bat guano and sulfur."
    assert (spell.material_cost, spell.material_consumed) == (None, False)
    assert (spell.ritual, spell.concentration, spell.duration) == (False, False, "Instantaneous")
    assert (spell.saving_throw_ability, spell.saving_throw_success) == ("dexterity", "half")
    assert spell.damage_types == ("fire",)
    assert spell.damage_at_slot_level == tuple(LevelDice(slot, f"{slot + 5}d6") for slot in range(3, 10))
    assert (spell.area_shape, spell.area_size) == ("sphere", 20)
    assert spell.classes == (Reference("srd_sorcerer", "Sorcerer"), Reference("srd_wizard", "Wizard"))
    assert spell.subclasses == (
        Reference("srd_college-of-lore", "College of Lore"),
        Reference("srd_the-fiend", "The Fiend"),
    )
    assert spell.description.startswith("A bright streak flashes")
    assert spell.description.count("\n\n") == 1
    assert spell.higher_level is not None
    assert spell.higher_level.endswith("1d6 for each slot level above 3rd.")


def test_magic_missile_counts_all_darts() -> None:
    spell = _spell("magic-missile")
    assert spell.damage_at_slot_level[0] == LevelDice(1, "3d4+3")
    assert spell.damage_at_slot_level[-1] == LevelDice(9, "11d4+11")
    assert (spell.attack_type, spell.saving_throw_ability) == (None, None)


def test_cantrips_grow_by_character_level() -> None:
    spell = _spell("eldritch-blast")
    assert [(row.level, row.dice) for row in spell.damage_at_character_level] == [
        (1, "1d10"),
        (5, "2d10"),
        (11, "3d10"),
        (17, "4d10"),
    ]
    assert (spell.attack_type, spell.damage_at_slot_level) == ("ranged", ())


def test_spells_that_open5e_spells_otherwise() -> None:
    names = {slug: _spell(slug).name for slug in ("blindnessdeafness", "enlargereduce", "antipathysympathy")}
    assert names == {
        "blindnessdeafness": "Blindness/Deafness",
        "enlargereduce": "Enlarge/Reduce",
        "antipathysympathy": "Antipathy/Sympathy",
    }


def test_healing_reactions_and_materials() -> None:
    assert _spell("cure-wounds").heal_at_slot_level[1] == LevelDice(2, "2d8+MOD")
    assert _spell("counterspell").reaction_condition == (
        "which you take when you see a creature within 60 feet of you casting a spell"
    )
    assert (_spell("magic-mouth").material_cost, _spell("magic-mouth").material_consumed) == (10.0, True)
    assert _spell("true-resurrection").material_cost == 25_000.0
    assert _spell("ice-storm").damage_types == ("bludgeoning", "cold")
    assert _spell("sleep").damage_at_slot_level == ()
    assert _spell("call-lightning").saving_throw_ability == "dexterity"
    assert _spell("scorching-ray").attack_type == "ranged"


def test_adult_red_dragon() -> None:
    dragon = _creature("adult-red-dragon")
    assert (dragon.size, dragon.type, dragon.alignments) == ("huge", "dragon", ("chaotic-evil",))
    assert (dragon.armor_class, dragon.armor_detail) == (19, "natural armor")
    assert (dragon.hit_points, dragon.hit_dice, dragon.hit_points_roll) == (256, "19d12", "19d12+133")
    assert (dragon.challenge_rating, dragon.experience_points, dragon.proficiency_bonus) == (17.0, 18000, 6)
    assert (dragon.speed_walk, dragon.speed_climb, dragon.speed_fly) == (40, 40, 80)
    assert (dragon.speed_swim, dragon.speed_burrow, dragon.hover) == (None, None, False)
    assert (dragon.strength, dragon.charisma) == (27, 21)
    assert dragon.saving_throws[0] == Bonus("dexterity", "Dexterity", 6)
    assert dragon.skills == (Bonus("perception", "Perception", 13), Bonus("stealth", "Stealth", 6))
    assert (dragon.damage_immunities, dragon.damage_immunity_types) == (("fire",), ("fire",))
    assert (dragon.darkvision, dragon.blindsight, dragon.tremorsense, dragon.truesight) == (
        120,
        60,
        None,
        None,
    )
    assert (dragon.passive_perception, dragon.languages) == (23, "Common, Draconic")
    assert [trait.usage for trait in dragon.traits] == ["3/Day"]
    actions = {action.name: action for action in dragon.actions}
    assert actions["Bite"].attack_bonus == 14
    assert actions["Bite"].damage == (DamageRoll("2d10+8", "piercing"), DamageRoll("2d6", "fire"))
    assert actions["Fire Breath"].usage == "Recharge 5-6"
    assert actions["Fire Breath"].save == SavingThrow("dexterity", 21, "half")
    assert [(action.name, action.legendary_action_cost) for action in dragon.legendary_actions] == [
        ("Detect", 1),
        ("Tail Attack", 1),
        ("Wing Attack", 2),
    ]
    assert dragon.legendary is True


def test_a_swarm_is_of_its_members_type() -> None:
    swarm = _creature("swarm-of-bats")
    assert (swarm.type, swarm.swarm, swarm.swarm_size, swarm.size) == ("beast", True, "tiny", "medium")
    assert (swarm.speed_walk, swarm.speed_fly, swarm.languages) == (0, 30, None)
    assert swarm.damage_resistance_types == ("bludgeoning", "piercing", "slashing")
    assert len(swarm.condition_immunities) == 8
    assert sum(creature.swarm for creature in _data().creatures) == 10


def test_goblin() -> None:
    goblin = _creature("goblin")
    assert (goblin.size, goblin.type, goblin.subtype) == ("small", "humanoid", "goblinoid")
    assert (goblin.armor_class, goblin.armor_detail) == (15, "leather armor, shield")
    assert (goblin.challenge_rating, goblin.experience_points) == (0.25, 50)
    assert (goblin.legendary, goblin.legendary_actions, goblin.environments) == (False, (), ())
    assert [action.name for action in goblin.actions] == ["Scimitar", "Shortbow"]


def test_forms_of_a_werewolf() -> None:
    forms = {
        creature.slug: creature for creature in _data().creatures if creature.slug.startswith("werewolf")
    }
    assert {slug: form.name for slug, form in forms.items()} == {
        "werewolf": "Werewolf, Human Form",
        "werewolf-hybrid": "Werewolf, Hybrid Form",
        "werewolf-wolf": "Werewolf, Wolf Form",
    }
    silvered = "bludgeoning, piercing, and slashing from nonmagical weapons that aren't silvered"
    assert forms["werewolf"].damage_immunities == (silvered,)
    assert forms["werewolf"].damage_immunity_types == ("bludgeoning", "piercing", "slashing")
    assert [roll.choice for roll in forms["werewolf"].actions[1].damage] == ["One handed", "Two handed"]


def test_drow_and_deep_gnome() -> None:
    """Open5e has these under the same slugs, and again as empty shells (`elf-drow`, rating 0)."""
    drow, gnome = _creature("drow"), _creature("deep-gnome-svirfneblin")
    assert (drow.key, drow.name, drow.subtype) == ("srd_drow", "Drow", "elf")
    assert drow.actions[0].damage == (DamageRoll("1d6+2", "piercing"),)
    assert (gnome.name, gnome.challenge_rating) == ("Deep Gnome (Svirfneblin)", 0.5)
    assert gnome.experience_points == 100, "the record itself says 50"


def test_armor_that_depends() -> None:
    armor = {
        slug: (_creature(slug).armor_class, _creature(slug).armor_detail)
        for slug in ("archmage", "ankheg", "azer", "lizardfolk", "skeleton", "wolf")
    }
    assert armor == {
        "archmage": (12, "15 with mage armor"),
        "ankheg": (14, "natural armor, 11 while prone"),
        "azer": (17, "natural armor, shield"),
        "lizardfolk": (15, "natural armor, shield"),
        "skeleton": (13, "armor scraps"),
        "wolf": (13, "natural armor"),
    }


def test_well_known_sets_of_spells() -> None:
    spells = _data().spells
    assert _names([spell for spell in spells if spell.level == 3 and spell.school == "evocation"]) == [
        "Daylight",
        "Fireball",
        "Lightning Bolt",
        "Mass Healing Word",
        "Sending",
        "Tiny Hut",
        "Wind Wall",
    ]
    wizard = Reference("srd_wizard", "Wizard")
    rituals = [spell for spell in spells if spell.ritual and spell.level == 1 and wizard in spell.classes]
    assert _names(rituals) == [
        "Alarm",
        "Comprehend Languages",
        "Detect Magic",
        "Find Familiar",
        "Floating Disk",
        "Identify",
        "Illusory Script",
        "Unseen Servant",
    ]
    assert sum(spell.concentration for spell in spells) == 126


def test_well_known_sets_of_creatures() -> None:
    creatures = _data().creatures
    assert sum(creature.challenge_rating >= 20 for creature in creatures) == 15
    huge_dragons = [
        creature for creature in creatures if creature.size == "huge" and creature.type == "dragon"
    ]
    colours = ("Black", "Blue", "Brass", "Bronze", "Copper", "Gold", "Green", "Red", "Silver", "White")
    assert _names(huge_dragons) == [f"Adult {colour} Dragon" for colour in colours]
    weak_undead = [item for item in creatures if item.type == "undead" and item.challenge_rating <= 1]
    assert _names(weak_undead) == ["Ghoul", "Shadow", "Skeleton", "Specter", "Warhorse Skeleton", "Zombie"]


def test_every_spell_is_whole() -> None:
    for spell in _data().spells:
        assert spell.material is (spell.material_specified is not None), spell.key
        assert spell.concentration is spell.duration.startswith("Up to"), spell.key
        assert spell.verbal or spell.somatic or spell.material, spell.key
        assert (spell.range is None) is (spell.range_unit is None), spell.key
        assert (spell.saving_throw_ability is None) is (spell.saving_throw_success is None), spell.key
        assert (spell.area_shape is None) is (spell.area_size is None), spell.key
        assert set(spell.damage_types) <= set(DAMAGE_TYPES), spell.key
        assert spell.classes, spell.key
        for table in (spell.damage_at_slot_level, spell.heal_at_slot_level):
            levels = [row.level for row in table]
            assert levels == sorted(levels), spell.key
            assert not levels or levels[0] == spell.level, spell.key
    without_range = {spell.range_text for spell in _data().spells if spell.range is None}
    assert without_range == {"Sight", "Special", "Unlimited"}
    assert {spell.saving_throw_ability for spell in _data().spells} == {None, *ABILITIES.values()}
    assert {spell.saving_throw_success for spell in _data().spells} == {None, "half", "none", "other"}
    assert {spell.attack_type for spell in _data().spells} == {None, "melee", "ranged"}
    assert Counter(spell.casting_time for spell in _data().spells) == {
        "action": 242,
        "1minute": 31,
        "10minutes": 15,
        "bonus-action": 14,
        "1hour": 10,
        "reaction": 4,
        "8hours": 1,
        "12hours": 1,
        "24hours": 1,
    }


def test_damage_by_slot_follows_the_text() -> None:
    """Where a text says `increases by NdM for each slot level above`, the table has those dice to slot 9."""
    checked = 0
    for spell in _data().spells:
        rule = re.search(r"damage increases by (\d+)d\d+ for each slot level above", spell.higher_level or "")
        if rule is None or not spell.damage_at_slot_level:
            continue
        counts = [int(row.dice.split("d")[0]) for row in spell.damage_at_slot_level]
        if spell.slug == "flame-strike":
            continue
        levels = [row.level for row in spell.damage_at_slot_level]
        assert levels == list(range(spell.level, 10)), spell.key
        assert [after - before for before, after in pairwise(counts)] == [int(rule[1])] * (len(counts) - 1), (
            spell.key
        )
        checked += 1
    assert checked == 26


def test_every_creature_is_whole() -> None:
    for creature in _data().creatures:
        rating = creature.challenge_rating
        if rating == 0:
            assert creature.experience_points in (0, 10), creature.key
        else:
            assert creature.experience_points == EXPERIENCE_POINTS[rating], creature.key
        assert creature.proficiency_bonus == proficiency_bonus(rating), creature.key
        assert creature.passive_perception >= 1, creature.key
        assert creature.alignments, creature.key
        assert set(creature.alignments) <= {*ALIGNMENTS, "unaligned"}, creature.key
        speeds = (creature.speed_walk, creature.speed_fly, creature.speed_swim)
        assert any(speed is not None for speed in speeds), creature.key
        assert creature.legendary is bool(creature.legendary_actions), creature.key
        assert creature.hit_points == _average(creature.hit_points_roll), creature.key
        assert creature.hit_points_roll.startswith(creature.hit_dice), creature.key


def test_every_feature_agrees_with_its_own_text() -> None:
    """Dice, types, saves and attack bonuses stand in the description as well, and must be the same there."""
    rolls = 0
    for creature in _data().creatures:
        for feature in (
            *creature.traits,
            *creature.actions,
            *creature.reactions,
            *creature.legendary_actions,
        ):
            where = f"{creature.key}: {feature.name}"
            text = feature.description
            if feature.attack_bonus is not None:
                assert f"+{feature.attack_bonus} to hit" in text, where
            if feature.save is not None:
                assert f"DC {feature.save.dc} {feature.save.ability.capitalize()}" in text, where
                assert feature.save.success == (
                    "half" if re.search("half as much|half the", text) else "none"
                ), where
            printed = {
                (dice.replace(" ", ""), damage_type)
                for dice, damage_type in re.findall(r"\((\d+d\d+(?: [+-] \d+)?)\) (\w+) damage", text)
            } | set(re.findall(r"Hit: (\d) (\w+) damage", text))
            for roll in feature.damage:
                assert roll.damage_type in DAMAGE_TYPES, where
                if roll.choice not in ("Lightning", "Thunder"):
                    assert (roll.dice, roll.damage_type) in printed, where
                    rolls += 1
    assert rolls == 707


def test_spell_keys_are_open5e_s() -> None:
    recorded = {item["key"] for item in _recorded("spells-srd-all-keys.json")}
    assert {spell.key for spell in _data().spells} == recorded


def test_creature_keys_are_open5e_s_where_it_has_one() -> None:
    recorded = {item["key"] for item in _recorded("creatures-srd-all-keys.json")}
    own = {creature.key for creature in _data().creatures}
    assert recorded - own == {"srd_donkey", "srd_elf-drow", "srd_gnome-deep-svirfneblin"}
    forms = {"vampire-bat", "vampire-mist", "werebear-bear", "werebear-hybrid", "wereboar-boar"}
    forms |= {"wereboar-hybrid", "wererat-hybrid", "wererat-rat", "weretiger-hybrid", "weretiger-tiger"}
    forms |= {"werewolf-hybrid", "werewolf-wolf"}
    assert {key.removeprefix("srd_") for key in own - recorded} == forms
    assert len(own & recorded) == 322


def test_subclass_keys_are_open5e_s() -> None:
    recorded = {item["key"] for item in _recorded("classes-srd2014-sub-keys.json")}
    used = {subclass.key for spell in _data().spells for subclass in spell.subclasses}
    assert used == recorded & used
    assert len(used) == 5


def _average(roll: str) -> int:
    match = re.fullmatch(r"(\d+)d(\d+)([+-]\d+)?", roll)
    assert match is not None, roll
    return int(match[1]) * (int(match[2]) + 1) // 2 + int(match[3] or 0)
