"""The embedded rules: exact values of some, and what must hold of every one."""

from __future__ import annotations

from collections import Counter
from functools import cache

from sources.dnd.embedded import read_embedded
from sources.dnd.records import Reference
from sources.dnd.records_rules import RULE_KINDS, RuleEntry
from sources.dnd.vocabulary import ABILITIES, ALIGNMENTS, DAMAGE_TYPES


@cache
def by_slug() -> dict[str, RuleEntry]:
    return {record.slug: record for record in read_embedded().rules}


def of_kind(kind: str) -> list[RuleEntry]:
    return [record for record in by_slug().values() if record.kind == kind]


def test_there_are_252_entries_in_the_order_of_their_keys() -> None:
    records = read_embedded().rules
    keys = [record.key for record in records]
    assert len(set(keys)) == len(keys) == 252
    assert keys == sorted(keys)
    assert all(record.key == f"srd_{record.slug}" for record in records)
    assert Counter(record.kind for record in records) == {
        "rule": 6,
        "rule-section": 33,
        "condition": 15,
        "damage-type": 13,
        "weapon-property": 11,
        "skill": 18,
        "ability-score": 6,
        "magic-school": 8,
        "language": 16,
        "proficiency": 117,
        "alignment": 9,
    }
    assert {record.kind for record in records} == set(RULE_KINDS)


def test_blinded() -> None:
    assert by_slug()["blinded"] == RuleEntry(
        key="srd_blinded",
        slug="blinded",
        document_key="srd-2014",
        name="Blinded",
        kind="condition",
        description=(
            "- A blinded creature can't see and automatically fails any ability check that requires sight.\n\n"
            "- Attack rolls against the creature have advantage, and the creature's attack rolls have "
            "disadvantage."
        ),
    )


def test_a_rule_and_its_sections() -> None:
    combat = by_slug()["combat"]
    assert (combat.name, combat.kind, combat.parent_key) == ("Combat", "rule", None)
    assert combat.description is None  # the record holds no more than the heading
    assert [section.name for section in combat.sections] == [
        "The Order of Combat",
        "Movement and Position",
        "Actions in Combat",
        "Making an Attack",
        "Cover",
        "Damage and Healing",
        "Mounted Combat",
        "Underwater Combat",
    ]
    cover = by_slug()["cover"]
    assert (cover.kind, cover.parent_key, cover.sections) == ("rule-section", "srd_combat", ())
    assert cover.description is not None
    assert cover.description.startswith("Walls, trees, creatures, and other obstacles can provide cover")


def test_every_section_belongs_to_the_rule_that_lists_it() -> None:
    listed = {section.key: rule.key for rule in of_kind("rule") for section in rule.sections}
    assert listed == {section.key: section.parent_key for section in of_kind("rule-section")}


def test_a_skill_its_ability_and_back() -> None:
    deception = by_slug()["deception"]
    assert deception.ability_key == "srd_charisma"
    assert deception.description is not None
    assert "fast-talk a guard" in deception.description
    charisma = by_slug()["charisma"]
    assert (charisma.name, charisma.abbreviation) == ("Charisma", "CHA")
    assert charisma.skills == (
        Reference("srd_deception", "Deception"),
        Reference("srd_intimidation", "Intimidation"),
        Reference("srd_performance", "Performance"),
        Reference("srd_persuasion", "Persuasion"),
    )
    skills = {skill.key: ability.key for ability in of_kind("ability-score") for skill in ability.skills}
    assert skills == {skill.key: skill.ability_key for skill in of_kind("skill")}


def test_a_language_an_alignment_and_a_school() -> None:
    draconic = by_slug()["draconic"]
    assert (draconic.category, draconic.script) == ("Exotic", "Draconic")
    assert draconic.typical_speakers == ("Dragons", "Dragonborn")
    assert by_slug()["deep-speech"].script is None
    assert by_slug()["neutral-evil"].abbreviation == "NE"
    school = by_slug()["evocation"].description
    assert school is not None
    assert school.startswith("Evocation spells manipulate magical energy")


def test_proficiencies_name_who_has_them_and_what_they_are_about() -> None:
    longswords = by_slug()["longswords"]
    assert (longswords.category, longswords.description) == ("Weapons", None)
    assert longswords.classes == (Reference("srd_bard", "Bard"), Reference("srd_rogue", "Rogue"))
    assert longswords.species == (Reference("srd_high-elf", "High Elf"),)

    def subject(slug: str) -> tuple[str | None, str | None]:
        return by_slug()[slug].subject_key, by_slug()[slug].subject_name

    assert subject("longswords") == ("srd_longsword", "Longsword")
    assert subject("saving-throw-dex") == ("srd_dexterity", "Dexterity")
    assert subject("skill-arcana") == ("srd_arcana", "Arcana")
    assert subject("land-vehicles") == ("land-vehicle", "Land Vehicle")


def test_subjects_of_proficiencies_are_held() -> None:
    data = read_embedded()
    known = {item.key for item in data.equipment} | {rule.key for rule in data.rules}
    known |= {category.key for item in data.equipment for category in item.categories}
    subjects = {record.subject_key for record in of_kind("proficiency")}
    assert {key for key in subjects if key is not None} - known == set()
    assert None not in subjects


def test_the_vocabularies_are_those_of_the_other_records() -> None:
    assert {record.slug for record in of_kind("damage-type")} == set(DAMAGE_TYPES)
    assert {record.slug for record in of_kind("alignment")} == set(ALIGNMENTS)
    assert {record.slug for record in of_kind("ability-score")} == set(ABILITIES.values())
    data = read_embedded()
    conditions = {item.key for creature in data.creatures for item in creature.condition_immunities}
    assert conditions <= {record.slug for record in of_kind("condition")}
    properties = {item.key for weapon in data.equipment for item in weapon.properties}
    assert properties == {record.key for record in of_kind("weapon-property")}


def test_texts_do_not_begin_with_a_heading() -> None:
    assert [record.key for record in by_slug().values() if (record.description or "").startswith("#")] == []
    silent = {record.kind for record in by_slug().values() if record.description is None}
    assert silent == {"rule", "language", "proficiency"}
