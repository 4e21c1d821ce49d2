"""Twins of two data sets are found and merged field by field, and nothing else is."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest

from sources.dnd.embedded import EmbeddedData, read_embedded
from sources.dnd.merging import (
    MERGES,
    fold_name,
    identity_of,
    match_records,
    merge_creature,
    merge_option,
    merge_rule,
    merge_spell,
)
from sources.dnd.open5e_creatures import CREATURE_RECIPES
from sources.dnd.open5e_recipes import Recipes
from sources.dnd.open5e_spells import SPELL_RECIPES
from sources.dnd.records import Creature, Reference, Spell
from sources.dnd.records_rules import RuleEntry
from tests.contracts.house import ROOT
from tests.support.fake_open5e import mixed_corpus, srd_corpus

RECORDINGS = ROOT.parent / "shared" / "recorded" / "open5e"
recorded = pytest.mark.skipif(
    not RECORDINGS.is_dir(), reason="the recordings of Open5e are not laid beside the repository"
)

EDITIONS = {
    "srd-2014": "5e-2014",
    "srd-2024": "5e-2024",
    "a5e-ag": "a5e",
    "tob": "5e-2014",
    "core": "5e-2014",
}


@cache
def embedded() -> EmbeddedData:
    return read_embedded()


def srd_spell(key: str) -> Spell:
    return next(spell for spell in embedded().spells if spell.key == key)


def srd_creature(key: str) -> Creature:
    return next(creature for creature in embedded().creatures if creature.key == key)


def made_spell(row: dict[str, Any]) -> Spell:
    return Spell(**_values(Spell, SPELL_RECIPES, row))


def made_creature(row: dict[str, Any]) -> Creature:
    return Creature(**_values(Creature, CREATURE_RECIPES, row))


def _values(record: type, recipes: Recipes, row: dict[str, Any]) -> dict[str, Any]:
    return {field.name: recipes[field.name].make(row) for field in fields(record)}


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Antipathy/Sympathy", "antipathysympathy"),
        ("Hunter’s Mark", "huntersmark"),
        ("Külmking", "kulmking"),
        ("Gnome, Deep (Svirfneblin)", "gnomedeepsvirfneblin"),
    ],
)
def test_names_are_folded_to_letters_and_digits(name: str, folded: str) -> None:
    assert fold_name(name) == folded


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("spell", "Antipathy/Sympathy", "Antipathy-Sympathy"),
        ("creature", "Elf, Drow", "Drow"),
        ("creature", "Gnome, Deep (Svirfneblin)", "Deep Gnome (Svirfneblin)"),
        ("creature", "Vampire", "Vampire, Vampire Form"),
        ("creature", "Werewolf", "Werewolf, Human Form"),
        ("subclass", "Way of the Open Hand", "Open Hand"),
        ("species", "Lightfoot", "Lightfoot Halfling"),
    ],
)
def test_the_same_thing_under_two_names(kind: str, one: str, other: str) -> None:
    identity = identity_of(kind, one, "srd-2014", "5e-2014")
    assert identity is not None
    assert identity == identity_of(kind, other, "srd-2014", "5e-2014")


def test_aliases_hold_for_their_edition_and_kind_alone() -> None:
    first = identity_of("subclass", "Life", "srd-2024", "5e-2024")
    assert first is not None
    assert first.name == "life"
    assert identity_of("creature", "Werewolf, Wolf Form", "srd-2014", "5e-2014") != identity_of(
        "creature", "Werewolf", "srd-2014", "5e-2014"
    )


@pytest.mark.parametrize(
    ("kind", "document"),
    [
        ("spell", "a5e-ag"),
        ("creature", "tob"),
        ("spell", "core"),
        ("weapon", "srd-2014"),
        ("magic-item", "srd-2014"),
        ("rule", "srd-2014"),
        ("rule-section", "srd-2014"),
    ],
)
def test_what_is_never_merged_has_no_identity(kind: str, document: str) -> None:
    assert identity_of(kind, "Fireball", document, "5e-2014") is None
    # The kind or the document alone is the reason.
    assert identity_of("condition", "Blinded", "core", "5e-2014") is not None


def test_editions_and_other_documents_stay_apart() -> None:
    here = srd_spell("srd_fireball")
    twin = replace(here, classes=())
    revised = replace(here, key="srd-2024_fireball", document_key="srd-2024")
    homebrew = replace(here, key="a5e-ag_fireball", document_key="a5e-ag")
    nobody = replace(here, key="x_fireball", document_key="nowhere")
    matched = match_records("spell", [revised, homebrew, twin, nobody], [here], EDITIONS)
    assert matched.pairs == ((twin, here),)
    assert set(matched.open5e_alone) == {revised, homebrew, nobody}
    assert (matched.srd_alone, matched.doubled) == ((), {})
    for other in (revised, homebrew):
        with pytest.raises(ValueError, match=r"two editions|never merged"):
            merge_spell(other, here)


def test_a_thing_that_one_data_set_has_twice() -> None:
    drow = srd_creature("srd_drow")
    again = replace(drow, key="srd_elf-drow", slug="elf-drow", name="Elf, Drow")
    matched = match_records("creature", [again, drow], [drow], EDITIONS)
    assert matched.pairs == ((drow, drow),)
    assert matched.doubled == {"srd_drow": (again,)}
    assert not matched.open5e_alone
    assert not matched.srd_alone


def test_all_of_the_fake_srd_has_its_twin() -> None:
    corpus = srd_corpus()
    spells = [made_spell(record.row) for record in corpus.records("spells")]
    creatures = [made_creature(record.row) for record in corpus.records("creatures")]
    of_spells = match_records("spell", spells, embedded().spells, EDITIONS)
    assert (len(of_spells.pairs), of_spells.open5e_alone, of_spells.srd_alone) == (319, (), ())
    of_creatures = match_records("creature", creatures, embedded().creatures, EDITIONS)
    assert (len(of_creatures.pairs), of_creatures.open5e_alone, of_creatures.srd_alone) == (334, (), ())
    for one, srd in of_spells.pairs:
        merged = merge_spell(one, srd)
        assert one.key == srd.key
        assert differing(merged, srd) <= {"saving_throw_abilities", "damage_types"}, srd.key
    for creature, srd_one in of_creatures.pairs:
        merged_one = merge_creature(creature, srd_one)
        assert creature.key == srd_one.key
        # Rolls are read from the text there; a speed of 0 ft. is printed.
        assert differing(merged_one, srd_one) <= {
            *("actions", "traits", "reactions", "legendary_actions", "bonus_actions"),
            *("speed_walk", "condition_immunities"),
        }, srd_one.key


def test_no_third_party_record_has_a_twin() -> None:
    rows = [record.row for record in mixed_corpus().records("spells")]
    spells = [made_spell(row) for row in rows if row["document"]["key"] not in ("srd-2014", "srd-2024")]
    assert spells
    matched = match_records("spell", spells, embedded().spells, {**EDITIONS, "deepm": "5e-2014"})
    assert (matched.pairs, len(matched.open5e_alone)) == ((), len(spells))


def differing(one: Any, other: Any) -> set[str]:
    return {field.name for field in fields(one) if getattr(one, field.name) != getattr(other, field.name)}


def test_a_spell_field_by_field() -> None:
    srd = replace(
        srd_spell("srd_fireball"),
        name="Ball Of Fire",
        duration="Until dispelled",
        damage_types=("fire",),
        saving_throw_abilities=("dexterity",),
        area_shape=None,
        area_size=None,
        higher_level=None,
    )
    open5e = replace(
        srd,
        name="Ball of Fire",
        level=4,
        school="conjuration",
        ritual=True,
        range_text="1 mile",
        range=5280.0,
        duration="Until dispelled or triggered",
        description="Other words.",
        higher_level="More.",
        classes=(Reference("srd_druid", "Druid"),),
        subclasses=(),
        damage_types=("cold", "fire"),
        damage_at_slot_level=(),
        saving_throw_ability="wisdom",
        saving_throw_success="none",
        saving_throw_abilities=("wisdom",),
        area_shape="sphere",
        area_size=20,
    )
    expected = replace(
        srd,
        name="Ball of Fire",
        range_text="1 mile",
        range=5280.0,
        duration="Until dispelled or triggered",
        higher_level="More.",
        damage_types=("fire", "cold"),
        saving_throw_abilities=("dexterity", "wisdom"),
        area_shape="sphere",
        area_size=20,
    )
    assert merge_spell(open5e, srd) == expected
    own_area = replace(srd, area_shape="cube", area_size=5)
    assert merge_spell(open5e, own_area).area_shape == "cube"


def test_a_creature_field_by_field() -> None:
    srd = replace(
        srd_creature("srd_chain-devil"), armor_detail="natural armor", environments=(), darkvision=120
    )
    open5e = replace(
        srd,
        challenge_rating=11.0,
        experience_points=7_200,
        proficiency_bonus=4,
        armor_class=17,
        armor_detail="17 in chains",
        alignment="chaotic evil",
        alignments=("chaotic-evil",),
        subtype=None,
        description=None,
        darkvision=60,
        blindsight=None,
        damage_resistances=("cold", "bludgeoning from nonmagical attacks"),
        damage_resistance_types=("cold", "bludgeoning"),
        damage_immunities=(),
        damage_immunity_types=(),
        environments=("hell",),
    )
    merged = merge_creature(open5e, srd)
    assert merged == replace(
        srd,
        darkvision=60,
        damage_resistances=("cold", "bludgeoning from nonmagical attacks"),
        damage_resistance_types=("cold", "bludgeoning"),
        environments=("hell",),
    )
    assert (merged.challenge_rating, merged.experience_points, merged.proficiency_bonus) == (8, 3_900, 3)
    assert merged.damage_immunities == ("fire", "poison")


def test_a_swarm_is_of_the_type_of_its_members() -> None:
    srd = srd_creature("srd_swarm-of-bats")
    open5e = replace(srd, type="beast", swarm=False, swarm_size=None)
    merged = merge_creature(open5e, srd)
    assert (merged.type, merged.swarm, merged.swarm_size) == ("beast", True, "tiny")


@pytest.mark.parametrize(("key", "experience"), [("srd_rat", 10), ("srd_frog", 0)])
def test_a_creature_of_rating_0_is_worth_what_the_srd_says(key: str, experience: int) -> None:
    srd = srd_creature(key)
    merged = merge_creature(replace(srd, experience_points=0 if experience else 10), srd)
    assert (srd.challenge_rating, merged.experience_points) == (0, experience)


def test_features_are_merged_one_by_one_in_the_order_of_the_stat_block() -> None:
    srd = srd_creature("srd_goblin")
    scimitar, shortbow = srd.actions
    sharper = replace(scimitar, attack_bonus=5, usage=None, description="A sharper scimitar.")
    howl = replace(scimitar, name="Howl", attack_bonus=None, damage=(), description="It howls.")
    here = replace(srd, actions=(replace(scimitar, usage="1/Day"), shortbow), reactions=())
    there = replace(srd, actions=(howl, sharper), reactions=(shortbow,))
    merged = merge_creature(there, here)
    assert [one.name for one in merged.actions] == ["Scimitar", "Howl"]
    assert merged.actions[0] == replace(sharper, usage="1/Day")
    assert merged.reactions == (shortbow,)
    assert merged.traits == srd.traits


def test_options_and_terms_keep_what_the_srd_says() -> None:
    wizard = next(one for one in embedded().options.options if one.key == "srd_wizard")
    other = replace(wizard, description="A scholar.", name="WIZARD")
    assert wizard.description is None
    assert merge_option(other, wizard) == replace(wizard, description="A scholar.")
    blinded = next(one for one in embedded().rules if one.key == "srd_blinded")
    core = RuleEntry("blinded", "blinded", "core", "Blinded", "condition", "Other words.")
    assert merge_rule(core, blinded) == blinded
    assert merge_rule(core, replace(blinded, description=None)).description == "Other words."


def test_records_of_two_kinds_are_refused() -> None:
    wizard, acolyte = (
        next(one for one in embedded().options.options if one.key == key)
        for key in ("srd_wizard", "srd_acolyte")
    )
    with pytest.raises(ValueError, match="not records of one kind"):
        merge_option(wizard, acolyte)
    rule = next(one for one in embedded().rules if one.kind == "rule")
    with pytest.raises(ValueError, match="not records of one kind"):
        merge_rule(rule, rule)
    assert "rule" not in MERGES


def _recorded(prefix: str, field: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(RECORDINGS.glob(f"{prefix}*.json")):
        body = json.loads(path.read_text())
        for row in body.get("results", [body]):
            if field in row and row.get("document", {}).get("key") == "srd-2014":
                found[row["key"]] = row
    return found


@recorded
def test_recorded_spells_all_have_their_twin() -> None:
    rows = _recorded("spells-srd2014-limit20", "casting_options")
    spells = [made_spell(row) for row in rows.values()]
    matched = match_records("spell", spells, embedded().spells, EDITIONS)
    assert (len(matched.pairs), matched.open5e_alone, matched.srd_alone) == (319, (), ())
    merged = {srd.key: merge_spell(one, srd) for one, srd in matched.pairs}
    assert merged["srd_symbol"].duration == "Until dispelled or triggered"
    assert merged["srd_meld-into-stone"].name == "Meld into Stone"
    assert merged["srd_lightning-bolt"].area_size == 100
    assert merged["srd_major-image"].area_shape == "cube"
    assert merged["srd_delayed-blast-fireball"].damage_types == ("fire",)
    assert merged["srd_detect-thoughts"].saving_throw_abilities == ("wisdom", "intelligence")
    assert merged["srd_detect-thoughts"].saving_throw_ability == "wisdom"
    paladins = [one for one in merged.values() if any(who.key == "srd_paladin" for who in one.classes)]
    assert len(paladins) == 31
    assert merged["srd_water-walk"].material_specified == "A piece of cork."


@recorded
def test_recorded_creatures_have_their_twins() -> None:
    rows = _recorded("creature", "ability_scores")
    creatures = [made_creature(row) for row in rows.values() if "actions" in row and "traits" in row]
    assert len(creatures) >= 30
    matched = match_records("creature", creatures, embedded().creatures, EDITIONS)
    assert matched.open5e_alone == ()
    merged = {srd.key: merge_creature(one, srd) for one, srd in matched.pairs}
    assert merged["srd_goblin"].subtype == "goblinoid"
    assert merged["srd_adult-green-dragon"].environments == ("forest",)
    assert merged["srd_kraken"].damage_immunities[-1].endswith("nonmagical attacks")
    assert merged["srd_giant-wasp"].speed_swim == 50
    whirlwind = next(one for one in merged["srd_air-elemental"].actions if one.name == "Whirlwind")
    assert whirlwind.usage == "Recharge 4-6"
    gnome = merged["srd_deep-gnome-svirfneblin"]
    assert gnome.traits[0].name == "Stone Camouflage"


@recorded
def test_recorded_names_of_creatures_are_sorted_out() -> None:
    rows = json.loads((RECORDINGS / "creatures-srd-all-keys.json").read_text())["results"]
    some = srd_creature("srd_goblin")
    creatures = [
        replace(some, key=row["key"], name=row["name"]) for row in rows if row["key"].startswith("srd_")
    ]
    matched = match_records("creature", creatures, embedded().creatures, EDITIONS)
    assert len(matched.pairs) == 322
    assert [one.key for one in matched.open5e_alone] == ["srd_donkey"]
    assert {key: tuple(one.key for one in others) for key, others in matched.doubled.items()} == {
        "srd_deep-gnome-svirfneblin": ("srd_gnome-deep-svirfneblin",),
        "srd_drow": ("srd_elf-drow",),
    }
    assert len(matched.srd_alone) == 12  # the other forms of vampires and lycanthropes
    assert all(one.key == srd.key for one, srd in matched.pairs)
