"""Character options of Open5e become ours: with the quirks of the real API, and beside the embedded data."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from sources.dnd.embedded import read_embedded
from sources.dnd.open5e_options import (
    OptionRow,
    read_background,
    read_class,
    read_feat,
    read_open5e_options,
    read_species,
)
from sources.dnd.open5e_wording import ability_minimums, choice_of, languages, listed, sections
from sources.dnd.parsing import MalformedRecord
from sources.dnd.records import Reference
from sources.dnd.records_options import (
    AbilityBonus,
    AbilityMinimum,
    Background,
    CharacterClass,
    Choice,
    ClassValue,
    Feat,
    OptionRecords,
    Proficiency,
    Species,
    SpellSlots,
    Subclass,
)
from sources.dnd.rows_options import option_record, option_rows
from tests.contracts.house import ROOT
from tests.support.fake_open5e import Corpus, mixed_corpus, srd_corpus

RECORDINGS = ROOT.parent / "shared" / "recorded" / "open5e"
recorded = pytest.mark.skipif(
    not RECORDINGS.is_dir(), reason="the recordings of Open5e are not laid beside the repository"
)
Raw = dict[str, Any]


def recording(name: str) -> Any:
    return json.loads((RECORDINGS / f"{name}.json").read_text())


def of_corpus(corpus: Corpus) -> dict[str, list[Raw]]:
    return {
        endpoint: [record.row for record in corpus.records(endpoint)]
        for endpoint in ("classes", "species", "backgrounds", "feats")
    }


def read_corpus(corpus: Corpus) -> OptionRecords:
    rows = of_corpus(corpus)
    return read_open5e_options(rows["classes"], rows["species"], rows["backgrounds"], rows["feats"])


def class_row(**others: Any) -> Raw:
    row = srd_corpus().get("classes", "srd_wizard")
    assert row is not None
    return {**row.row, **others}


def feature(name: str, kind: str = "CLASS_LEVEL_FEATURE", **others: Any) -> Raw:
    return {
        "key": f"srd_wizard_{name.lower().replace(' ', '-')}",
        "name": name,
        "desc": "[Column data]",
        "feature_type": kind,
        "gained_at": [],
        "data_for_class_table": [],
        **others,
    }


def column(name: str, kind: str, values: Mapping[int, str]) -> Raw:
    table = [{"level": level, "column_value": value} for level, value in values.items()]
    return feature(name, kind, data_for_class_table=table)


def test_every_option_of_the_srd_is_read() -> None:
    found = {option.key: option for option in read_corpus(srd_corpus()).options}
    embedded = {option.key: option for option in read_embedded().options.options}
    assert found.keys() == embedded.keys()
    for key, option in embedded.items():
        other = found[key]
        assert (other.kind, other.name, other.slug, other.document_key) == (
            option.kind,
            option.name,
            option.slug,
            option.document_key,
        )
        match option, other:
            case CharacterClass(), CharacterClass():
                assert (other.hit_die, other.caster_type) == (option.hit_die, option.caster_type)
                assert set(other.saving_throws) == set(option.saving_throws)
            case Subclass(), Subclass():
                assert other.subclass_of == option.subclass_of
                assert (other.flavor, other.granted_spells) == (None, None)
            case Species(), Species():
                assert (other.subspecies_of, other.size, other.speed) == (
                    option.subspecies_of,
                    option.size,
                    option.speed,
                )
                assert other.ability_bonuses == option.ability_bonuses
            case Background(), Background():
                assert other.feature == option.feature
                assert other.proficiencies == option.proficiencies
            case Feat(), Feat():
                assert (other.prerequisites, other.benefits) == (option.prerequisites, option.benefits)
            case _:
                raise AssertionError(key)


def test_spell_slots_and_bonuses_are_those_of_the_embedded_tables() -> None:
    found = {level.key: level for level in read_corpus(srd_corpus()).levels}
    for level in read_embedded().options.levels:
        if level.option_key == level.class_key:
            other = found[level.key]
            assert (other.spell_slots, other.proficiency_bonus) == (
                level.spell_slots,
                level.proficiency_bonus,
            )


def test_features_stand_at_each_level_at_which_they_are_gained() -> None:
    def names(records: OptionRecords) -> set[tuple[str, str, int]]:
        return {(one.option_key, one.name, one.level) for one in records.features}

    # The fake has this one as it was before our corrections: as a feature of the class.
    misplaced = {("srd_cleric", "Supreme Healing", 17), ("srd_life-domain", "Supreme Healing", 17)}
    assert names(read_corpus(srd_corpus())) - misplaced == names(read_embedded().options) - misplaced


def test_records_survive_the_tables() -> None:
    records = read_corpus(mixed_corpus())
    rows = option_rows(records)["dnd_character_option"]
    assert tuple(option_record(row) for row in rows) == records.options
    features = {row["key"] for row in option_rows(records)["dnd_class_feature"]}
    assert len(features) == len(records.features)
    links = {row["trait_key"] for row in option_rows(records)["dnd_species_trait"]}
    assert links == {trait.key for trait in records.traits}


@pytest.mark.parametrize(
    ("read", "row", "field"),
    [
        (read_class, class_row(key=""), "key"),
        (read_class, class_row(name=" "), "name"),
        (read_class, class_row(hit_dice="six"), "hit_dice"),
        (read_class, class_row(document=None), "document"),
        (read_class, class_row(subclass_of={"name": "Wizard"}), "subclass_of"),
        (read_class, class_row(features=[feature("Odd", gained_at=[{"level": 21}])]), "features"),
        (read_class, class_row(features=[feature("Odd", key=None)]), "features"),
        (read_species, {"key": "x_elf", "name": "Elf", "document": {"key": "x"}, "traits": [{"name": ""}]}, "traits"),
        (read_species, {"key": "x_elf", "name": "Elf", "document": {"key": "x"}, "subspecies_of": 3}, "subspecies_of"),
        (read_background, {"key": "x_sage", "name": None, "document": {"key": "x"}}, "name"),
        (
            read_background,
            {"key": "x_sage", "name": "Sage", "document": {"key": "x"}, "benefits": [{"type": "feature"}]},
            "benefits",
        ),
        (read_feat, {"key": "x_alert", "name": "Alert"}, "document"),
    ],
)  # fmt: skip
def test_a_row_that_lacks_what_it_must_have_is_malformed(
    read: Callable[[Raw], OptionRow], row: Raw, field: str
) -> None:
    with pytest.raises(MalformedRecord) as error:
        read(row)
    assert error.value.field == field


def test_a_mirror_is_told_of_rows_that_it_cannot_read() -> None:
    rows = of_corpus(srd_corpus())
    rows["classes"] = [
        {**row, "hit_dice": "six"} if row["key"] == "srd_wizard" else row for row in rows["classes"]
    ]
    lists = (rows["classes"], rows["species"], rows["backgrounds"], rows["feats"])
    rejected: list[tuple[str, str, str]] = []
    records = read_open5e_options(
        *lists, reject=lambda endpoint, row, error: rejected.append((endpoint, row["key"], error.field))
    )
    assert rejected == [
        ("classes", "srd_wizard", "hit_dice"),
        ("classes", "srd_school-of-evocation", "subclass_of"),
    ]
    keys = {option.key for option in records.options}
    assert not {"srd_wizard", "srd_school-of-evocation"} & keys
    assert not [level for level in records.levels if level.option_key not in keys]
    with pytest.raises(MalformedRecord):
        read_open5e_options(*lists)


def test_a_key_stands_for_one_option_and_one_feature() -> None:
    rows = of_corpus(srd_corpus())
    twin = {**rows["feats"][0], "key": "srd_wizard"}
    copied = {**class_row(key="srd_mage"), "name": "Mage"}
    rejected: list[tuple[str, str, str]] = []
    read_open5e_options(
        [*rows["classes"], copied],
        rows["species"],
        rows["backgrounds"],
        [*rows["feats"], twin],
        reject=lambda endpoint, row, error: rejected.append((endpoint, row["key"], error.field)),
    )
    assert rejected == [("classes", "srd_mage", "features"), ("feats", "srd_wizard", "key")]


def test_pact_magic_has_slots_of_one_level() -> None:
    levels = range(1, 21)
    row = class_row(
        caster_type=None,
        features=[
            column("Spell Slots", "CLASS_TABLE_DATA", dict.fromkeys(levels, "2")),
            column(
                "Slot Level", "CLASS_TABLE_DATA", {level: f"{min(5, (level + 1) // 2)}th" for level in levels}
            ),
        ],
    )
    read = read_class(row)
    assert isinstance(read.option, CharacterClass)
    assert read.option.caster_type == "pact"
    assert read.levels[19].spell_slots == (SpellSlots(5, 2),)


def test_a_class_without_a_table_says_nothing_of_its_slots() -> None:
    read = read_class(class_row(caster_type=None, features=[], hit_dice=None))
    assert isinstance(read.option, CharacterClass)
    assert (read.option.caster_type, read.option.hit_die, read.option.multiclassing) == (None, None, None)
    assert read.levels == ()


@pytest.mark.parametrize(
    ("text", "level"),
    [("Starting at 6th level, you glow.", 6), ("When you reach level 9, you glow.", 9), ("You glow.", 3)],
)
def test_a_passage_without_a_level_stands_where_its_text_or_its_subclass_begins(
    text: str, level: int
) -> None:
    row = class_row(
        key="srd_x",
        subclass_of={"key": "srd_wizard"},
        features=[feature("First", gained_at=[{"level": 3, "detail": None}]), feature("Aura", desc=text)],
    )
    assert {one.name: one.level for one in read_class(row).features} == {"First": 3, "Aura": level}


def test_parts_of_a_list() -> None:
    assert listed("Daggers, darts, and slings.") == ["Daggers", "darts", "slings"]
    assert listed("Insight and Religion") == ["Insight", "Religion"]


def test_choices() -> None:
    assert choice_of("Choose any three", "Skills") == Choice(3, "Choose any three", ())
    assert choice_of("Choose one kind of Gaming Set", "Tools") == Choice(
        1, "Choose one kind of Gaming Set", ()
    )
    assert [
        one.key
        for one in choice_of("Choose two skills from the following: Arcana, History", "Skills").options
    ] == [
        "skill-arcana",
        "skill-history",
    ]
    assert choice_of("Two of your choice", "Languages") == Choice(2, "Two of your choice", ())
    assert choice_of("Choose 2: Arcana or History", "Skills").options == (
        Reference("skill-arcana", "Skill: Arcana"),
        Reference("skill-history", "Skill: History"),
    )


def test_prerequisites_are_ability_scores_or_words() -> None:
    assert ability_minimums("Strength 13 or higher, Wisdom 13") == (
        AbilityMinimum("strength", 13),
        AbilityMinimum("wisdom", 13),
    )
    assert ability_minimums("Level 4+, Strength or Dexterity 13+") is None
    assert ability_minimums("") == ()


def test_languages_that_are_named_and_that_are_chosen() -> None:
    fixed, chosen = languages(
        "You can speak, read, and write Common, Elvish, and one language of your choice."
    )
    assert [one.key for one in fixed] == ["common", "elvish"]
    assert chosen == Choice(1, "Choose one language of your choice", ())
    assert languages("You speak with your hands.") == ((), None)


def test_headings_of_both_editions() -> None:
    assert sections("You cast.\n\n### Cantrips\n\nThree.\n\n###Slots\nMany.") == (
        "You cast.",
        [("Cantrips", "Three."), ("Slots", "Many.")],
    )
    assert sections("You cast.\n\n**Cantrips.** Three of **them**.") == (
        "You cast.",
        [("Cantrips", "Three of **them**.")],
    )


@recorded
def test_the_wizard_as_recorded() -> None:
    read = read_class(recording("class-srd_wizard"))
    wizard = read.option
    assert isinstance(wizard, CharacterClass)
    assert (wizard.hit_die, wizard.caster_type, wizard.spellcasting_ability, wizard.spellcasting_level) == (
        6,
        "full",
        "intelligence",
        1,
    )
    assert [one.key for one in wizard.proficiencies] == [
        "daggers",
        "darts",
        "slings",
        "quarterstaffs",
        "light-crossbows",
    ]
    assert wizard.proficiency_choices[0].choose == 2
    assert wizard.starting_equipment_choices[-1] == "A spellbook"
    assert [one.name for one in wizard.spellcasting][:3] == ["Spellcasting", "Cantrips", "Spellbook"]
    assert [level.level for level in read.levels] == list(range(1, 21))
    # The upstream has the slots of the fourth level twice, as 2 and as 3.
    assert read.levels[3].spell_slots == (SpellSlots(1, 4), SpellSlots(2, 3))
    assert (read.levels[3].cantrips_known, read.levels[3].proficiency_bonus) == (4, 2)
    assert read.levels[19].ability_score_improvements == 5
    assert [one.level for one in read.features if one.name == "Ability Score Improvement"] == [
        4,
        8,
        12,
        16,
        19,
    ]


@recorded
def test_the_classes_of_both_editions_as_recorded() -> None:
    barbarian = read_class(recording("classes-srd2014-limit3")["results"][0])
    assert barbarian.levels[19].class_values == (
        ClassValue("rage_damage", "Rage Damage", "+4"),
        ClassValue("rages", "Rages", "Unlimited"),
    )
    assert "Brutal Critical (2 dice)" in [one.name for one in barbarian.features]
    wizard = read_class(recording("class-srd-2024_wizard")).option
    assert isinstance(wizard, CharacterClass)
    assert wizard.primary_abilities == ("intelligence",)
    assert wizard.proficiencies == (Proficiency("simple-weapons", "Simple weapons", "Weapons"),)
    assert wizard.starting_equipment_choices[0].startswith("Choose A or B: (A) 2 Daggers")
    evocation = read_class(recording("class-srd_school-of-evocation"))
    assert isinstance(evocation.option, Subclass)
    assert evocation.option.subclass_of == "srd_wizard"
    assert [level.level for level in evocation.levels] == [2, 6, 10, 14]


@recorded
def test_species_as_recorded() -> None:
    rows = {row["key"]: row for row in recording("species-srd2014")["results"]}
    elf, high_elf = read_species(rows["srd_elf"]), read_species(rows["srd_high-elf"], rows["srd_elf"])
    assert isinstance(elf.option, Species)
    assert isinstance(high_elf.option, Species)
    assert (
        (high_elf.option.size, high_elf.option.speed) == (elf.option.size, elf.option.speed) == ("medium", 30)
    )
    assert [one.key for one in elf.option.languages] == ["common", "elvish"]
    assert [trait.name for trait in elf.traits] == [
        "Ability Score Increase",
        "Speed",
        "Darkvision",
        "Keen Senses",
        "Fey Ancestry",
        "Trance",
    ]
    half_elf = read_species(rows["srd_half-elf"]).option
    assert isinstance(half_elf, Species)
    assert half_elf.ability_bonuses == (AbilityBonus("charisma", 2),)
    assert half_elf.ability_bonus_choice is not None
    assert half_elf.ability_bonus_choice.choose == 2
    for row in recording("species-srd2024")["results"]:
        species = read_species(row).option
        assert isinstance(species, Species)
        assert species.size in ("small", "medium")
        assert species.speed in (30, 35)


@recorded
def test_backgrounds_and_feats_as_recorded() -> None:
    backgrounds = {row["key"]: read_background(row).option for row in recording("backgrounds-srd")["results"]}
    old, new = backgrounds["srd_acolyte"], backgrounds["srd-2024_acolyte"]
    assert isinstance(old, Background)
    assert isinstance(new, Background)
    assert old.feature is not None
    assert old.feature.name == "Shelter of the Faithful"
    suggested = old.suggested_characteristics
    lists = (suggested.personality_traits, suggested.ideals, suggested.bonds, suggested.flaws)
    assert [len(one) for one in lists] == [8, 6, 6, 6]
    assert suggested.ideals[0].alignments == ("lawful-good", "lawful-neutral", "lawful-evil")
    assert old.language_choice is not None
    assert old.language_choice.choose == 2
    assert new.feature is None
    assert new.description == (
        "**Ability Scores.** Intelligence, Wisdom, Charisma\n\n**Feat.** Magic Initiate (Cleric)"
    )
    feats = {row["key"]: read_feat(row).option for row in recording("feats-srd")["results"]}
    grappler, boon = feats["srd_grappler"], feats["srd-2024_boon-of-truesight"]
    assert isinstance(grappler, Feat)
    assert isinstance(boon, Feat)
    assert grappler.prerequisites == (AbilityMinimum("strength", 13),)
    assert boon.prerequisites == ()
    assert boon.description is not None
    assert boon.description.startswith("Epic Boon feat. Prerequisite: Level 19+.")
