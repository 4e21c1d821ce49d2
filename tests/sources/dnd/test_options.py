"""Embedded character options: exact values of some, what must hold of all, and rows as records again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, insert, select
from sqlmodel import SQLModel

from sources.dnd.embedded import EmbeddedData, read_embedded
from sources.dnd.mapping import table_of
from sources.dnd.normalise_choice import choice
from sources.dnd.normalise_class import caster_type, normalise_class, normalise_subclass, spell_slots
from sources.dnd.normalise_species import normalise_feat, normalise_species
from sources.dnd.parsing import MalformedRecord
from sources.dnd.records import Document, Reference, Spell
from sources.dnd.records_options import (
    AbilityBonus,
    CharacterClass,
    CharacterOption,
    Choice,
    ClassLevel,
    ClassValue,
    GrantedSpell,
    OptionRecords,
    Species,
    SpellSlots,
    Subclass,
)
from sources.dnd.rows import table_rows
from sources.dnd.rows_options import option_record, option_rows, option_texts
from sources.dnd.tables_options import OPTION_TABLES
from tests.sources.dnd.raw import raw_records

RECORDED = Path(__file__).parents[4] / "shared" / "recorded" / "open5e"


@cache
def _data() -> EmbeddedData:
    return read_embedded()


def _records() -> OptionRecords:
    return _data().options


def _option(key: str) -> CharacterOption:
    return next(option for option in _records().options if option.key == key)


def _class(key: str) -> CharacterClass:
    option = _option(key)
    assert isinstance(option, CharacterClass)
    return option


def _species(key: str) -> Species:
    option = _option(key)
    assert isinstance(option, Species)
    return option


def _table(option_key: str) -> list[ClassLevel]:
    levels = [level for level in _records().levels if level.option_key == option_key]
    return sorted(levels, key=lambda level: level.level)


def _recorded(name: str) -> Any:
    path = RECORDED / name
    if not path.exists():
        pytest.skip(f"no recorded Open5e answers at {RECORDED}")
    return json.loads(path.read_text(encoding="utf-8"))


def test_counts_and_keys() -> None:
    records = _records()
    assert Counter(option.kind for option in records.options) == {
        "class": 12,
        "subclass": 12,
        "species": 13,
        "background": 1,
        "feat": 1,
    }
    for some, count in ((records.features, 370), (records.levels, 290), (records.traits, 38)):
        keys = [record.key for record in some]
        assert len(set(keys)) == count
        assert keys == sorted(keys)
    assert all(option.key == f"srd_{option.slug}" for option in records.options)
    assert {option.document_key for option in records.options} == {"srd-2014"}


@pytest.mark.parametrize(
    ("file", "kind"),
    [("classes-srd2014-base-keys.json", "class"), ("classes-srd2014-sub-keys.json", "subclass")],
)
def test_class_keys_are_those_of_open5e(file: str, kind: str) -> None:
    recorded = {item["key"]: item["subclass_of"] for item in _recorded(file)["results"]}
    ours = {
        option.key: getattr(option, "subclass_of", None)
        for option in _records().options
        if option.kind == kind
    }
    assert ours == {key: parent and parent["key"] for key, parent in recorded.items()}


def test_species_keys_are_those_of_open5e() -> None:
    recorded = {item["key"]: item["subspecies_of"] for item in _recorded("species-srd2014.json")["results"]}
    species = (option for option in _records().options if isinstance(option, Species))
    assert {one.key: one.subspecies_of for one in species} == recorded


@pytest.mark.parametrize(
    ("file", "kind"), [("backgrounds-srd.json", "background"), ("feats-srd.json", "feat")]
)
def test_other_keys_are_those_of_open5e(file: str, kind: str) -> None:
    recorded = {item["key"] for item in _recorded(file)["results"] if item["key"].startswith("srd_")}
    assert {option.key for option in _records().options if option.kind == kind} == recorded


def test_classes_have_the_hit_dice_of_open5e() -> None:
    recorded = _recorded("classes-srd2014-base-keys.json")["results"]
    assert {item["key"]: int(item["hit_dice"][1:]) for item in recorded} == {
        option.key: option.hit_die for option in _records().options if isinstance(option, CharacterClass)
    }


def test_tables_agree_with_open5e() -> None:
    def column(item: dict[str, Any], name: str) -> dict[int, str]:
        found = next(feature for feature in item["features"] if feature["name"] == name)
        return {row["level"]: row["column_value"] for row in found["data_for_class_table"]}

    wizard = _recorded("class-srd_wizard.json")
    levels = _table("srd_wizard")
    assert {level.level: str(level.cantrips_known) for level in levels} == column(wizard, "Cantrips Known")
    assert {level.level: f"+{level.proficiency_bonus}" for level in levels} == column(
        wizard, "Proficiency Bonus"
    )
    for slot_level, name in ((1, "1st"), (5, "5th"), (9, "9th")):
        ours = {
            level.level: str(slots.slots)
            for level in levels
            for slots in level.spell_slots
            if slots.level == slot_level
        }
        assert ours == column(wizard, name)
    some = {item["key"]: item for item in _recorded("classes-srd2014-limit3.json")["results"]}
    rages = {level.level: level.class_values[0].value.capitalize() for level in _table("srd_barbarian")}
    assert rages == column(some["srd_barbarian"], "Rages")
    spells_known = {level.level: str(level.spells_known) for level in _table("srd_bard")}
    assert spells_known == column(some["srd_bard"], "Spells Known")


def test_class_tables_keep_to_the_rules() -> None:
    for option in _records().options:
        if not isinstance(option, CharacterClass):
            continue
        levels = _table(option.key)
        assert [level.level for level in levels] == list(range(1, 21))
        # SRD 5.1, "Beyond 1st Level", Character Advancement.
        assert [level.proficiency_bonus for level in levels] == [
            2 + (level - 1) // 4 for level in range(1, 21)
        ]
        assert len(option.saving_throws) == 2
        assert (option.caster_type == "none") == (option.spellcasting_ability is None)


@pytest.mark.parametrize(
    ("key", "level", "expected"),
    [
        ("srd_monk", 5, ClassValue("martial_arts", "Martial Arts", "1d6")),
        ("srd_rogue", 20, ClassValue("sneak_attack", "Sneak Attack", "10d6")),
        ("srd_bard", 1, ClassValue("song_of_rest_die", "Song Of Rest Die", "none")),
        ("srd_bard", 15, ClassValue("bardic_inspiration_die", "Bardic Inspiration Die", "d12")),
        ("srd_druid", 8, ClassValue("wild_shape_fly", "Wild Shape Fly", "yes")),
        ("srd_druid", 2, ClassValue("wild_shape_max_cr", "Wild Shape Max CR", "0.25")),
        ("srd_sorcerer", 1, ClassValue("creating_spell_slots", "Creating Spell Slots", "none")),
        (
            "srd_sorcerer",
            3,
            ClassValue(
                "creating_spell_slots",
                "Creating Spell Slots",
                "level 1: 2, level 2: 3, level 3: 5, level 4: 6, level 5: 7",
            ),
        ),
        ("srd_barbarian", 20, ClassValue("rage_count", "Rage Count", "unlimited")),
    ],
)
def test_own_values_in_words(key: str, level: int, expected: ClassValue) -> None:
    assert expected in _table(key)[level - 1].class_values


def test_every_link_leads_somewhere() -> None:
    records = _records()
    options = {option.key: option for option in records.options}
    features = {feature.key: feature for feature in records.features}
    for feature in records.features:
        assert options[feature.option_key].kind == ("subclass" if feature.subclass_key else "class")
        assert options[feature.class_key].kind == "class"
        if feature.parent_key is not None:
            assert features[feature.parent_key].option_key == feature.option_key
    traits = {trait.key: trait for trait in records.traits}
    for link in records.species_traits:
        for key in link.trait_keys:
            assert link.species_key in {species.key for species in traits[key].species}
    for trait in records.traits:
        assert all(options[species.key].kind == "species" for species in trait.species)
    spells = {spell.key: spell.name for spell in _data().spells}
    for option in records.options:
        if isinstance(option, Subclass):
            assert options[option.subclass_of].kind == "class"
            assert option.granted_spells is not None
            assert all(spells[spell.key] == spell.name for spell in option.granted_spells)


def test_every_feature_is_in_the_levels_of_its_option() -> None:
    """A feature that is no choice of another one stands at a level that its option has."""
    levels = {(level.option_key, level.level) for level in _records().levels}
    lost = [
        feature.key
        for feature in _records().features
        if feature.parent_key is None and (feature.option_key, feature.level) not in levels
    ]
    # The circle spells come with the land that was chosen, not with a level of the circle.
    assert lost == [f"srd_circle-spells-{number}" for number in (1, 2, 3, 4)]


def test_links_that_the_records_lack() -> None:
    features = {feature.key: feature for feature in _records().features}
    assert features["srd_supreme-healing"].option_key == "srd_life-domain"
    assert features["srd_metamagic-twinned-spell"].parent_key == "srd_metamagic-1"
    life = _option("srd_life-domain")
    assert isinstance(life, Subclass)
    assert [spell for spell in life.granted_spells or () if spell.level == 7] == [
        GrantedSpell("srd_death-ward", "Death Ward", 7, None),
        GrantedSpell("srd_guardian-of-faith", "Guardian of Faith", 7, None),
    ]


def test_prerequisites_of_multiclassing() -> None:
    fighter, monk = _class("srd_fighter").multiclassing, _class("srd_monk").multiclassing
    assert fighter is not None
    assert monk is not None
    assert [(one.ability, one.minimum) for one in fighter.prerequisites] == [
        ("strength", 13),
        ("dexterity", 13),
    ]
    assert fighter.any_prerequisite
    assert [(one.ability, one.minimum) for one in monk.prerequisites] == [("dexterity", 13), ("wisdom", 13)]
    assert not monk.any_prerequisite


def test_choices_inside_choices_are_laid_flat() -> None:
    tools = _class("srd_monk").proficiency_choices[1]
    assert tools.description == "Choose one type of artisan’s tools or one musical instrument"
    names = [option.name for option in tools.options]
    assert "Brewer's Supplies" in names
    assert "Lute" in names
    assert len(names) == len(set(names)) == 27


def test_subspecies_have_the_size_and_speed_of_their_species() -> None:
    for slug, parent in (("lightfoot", "halfling"), ("hill-dwarf", "dwarf"), ("rock-gnome", "gnome")):
        sub, species = _species(f"srd_{slug}"), _species(f"srd_{parent}")
        assert sub.subspecies_of == species.key
        assert (sub.size, sub.speed) == (species.size, species.speed)
    assert _species("srd_rock-gnome").ability_bonuses == (AbilityBonus("constitution", 1),)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (
            {"choose": 1, "desc": "skill", "from": {"options": []}},
            Choice(1, "Choose one skill", ()),
        ),
        (
            {"choose": 2, "type": "languages", "from": {"resource_list_url": "/api/languages"}},
            Choice(2, "Choose any two languages", ()),
        ),
        (
            {"choose": 1, "from": {"options": [{"item": {"index": "elvish", "name": "Elvish"}}]}},
            Choice(1, "Choose one from Elvish", (Reference("elvish", "Elvish"),)),
        ),
    ],
)
def test_choices_in_words(raw: dict[str, Any], expected: Choice) -> None:
    assert choice(raw) == expected


@pytest.mark.parametrize(
    ("slots", "expected"),
    [
        ((), "none"),
        ((SpellSlots(5, 4),), "pact"),
        ((SpellSlots(1, 4), SpellSlots(5, 2)), "half"),
        ((SpellSlots(1, 4), SpellSlots(9, 1)), "full"),
    ],
)
def test_caster_types(slots: tuple[SpellSlots, ...], expected: str) -> None:
    assert caster_type(slots) == expected


def test_levels_without_slots_are_left_out() -> None:
    slots = spell_slots({"spell_slots_level_1": 0, "spell_slots_level_2": 3})
    assert slots == (SpellSlots(2, 3),)


def test_what_a_record_cannot_do_without_is_named() -> None:
    with pytest.raises(MalformedRecord, match="record `wizard`: field `name` is missing"):
        normalise_class({"index": "wizard"}, {}, ())
    with pytest.raises(MalformedRecord, match="field `class_` is not a reference"):
        normalise_subclass({"index": "thief", "name": "Thief"})
    with pytest.raises(MalformedRecord, match="field `size` is missing"):
        normalise_species({"index": "elf", "name": "Elf"}, {})
    grappler = raw_records("feat")["grappler"]
    grappler["prerequisites"][0]["ability_score"]["index"] = "luck"
    with pytest.raises(MalformedRecord, match="is not one of the six abilities"):
        normalise_feat(grappler)


@pytest.fixture
def filled() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    SQLModel.metadata.create_all(
        engine, tables=[table for name, table in SQLModel.metadata.tables.items() if name.startswith("dnd_")]
    )
    rows: dict[str, list[Any]] = {}
    records: list[Document | Spell] = [_data().document, *_data().spells]
    for record in records:
        for name, part in table_rows(record).items():
            rows.setdefault(name, []).extend(part)
    rows.update(option_rows(_records()))
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA foreign_keys = ON")
        for name, part in rows.items():
            if part:
                connection.execute(insert(SQLModel.metadata.tables[name]), part)
        yield connection
    engine.dispose()


def test_every_option_comes_back_as_it_went(filled: Connection) -> None:
    table = table_of(OPTION_TABLES[0])
    rows = filled.execute(select(table).order_by(table.c.key)).mappings()
    assert tuple(option_record(dict(row)) for row in rows) == _records().options


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("SELECT count(*) FROM dnd_option_saving_throw", 24),
        ("SELECT count(*) FROM dnd_subclass_spell WHERE subclass_key = 'srd_circle-of-the-land'", 43),
        ("SELECT count(*) FROM dnd_class_feature WHERE is_choice", 85),
        ("SELECT count(*) FROM dnd_species_trait WHERE trait_key = 'srd_darkvision'", 6),
        ("SELECT count(*) FROM dnd_character_option WHERE is_subclass IS NULL", 15),
    ],
)
def test_tables_hold_what_is_asked_of_them(filled: Connection, query: str, count: int) -> None:
    assert filled.exec_driver_sql(query).scalar_one() == count


def test_texts_of_options_hold_those_of_their_features() -> None:
    texts = {key: body for key, _name, body in option_texts(_records())}
    assert len(texts) == 39
    assert "you can enter a rage as a bonus action" in texts["srd_barbarian"]
    assert "Fey Ancestry" in texts["srd_elf"]
    assert "Guardian of Faith" in texts["srd_oath-of-devotion"]
    assert "Shelter of the Faithful" in texts["srd_acolyte"]
