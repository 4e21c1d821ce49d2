"""Items, magic items, rules and terms of Open5e become ours: beside the embedded data, and with their quirks."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields
from functools import cache
from typing import Any

import pytest

from sources.dnd.embedded import read_embedded
from sources.dnd.open5e_items import (
    DERIVED_CATEGORIES,
    ITEM_FIELDS,
    ITEM_RECIPES,
    MAGIC_ITEM_FIELDS,
    MAGIC_ITEM_RECIPES,
    item_of,
    magic_item_of,
)
from sources.dnd.open5e_keys import prefix_of, slugged
from sources.dnd.open5e_rules import RULE_FIELDS, RULE_RECIPES, RULE_SET_FIELDS, rule_of, rule_set_of
from sources.dnd.open5e_terms import TERM_PATHS, TERM_RECIPES, terms_of
from sources.dnd.parsing import MalformedRecord
from sources.dnd.records import Reference
from sources.dnd.records_equipment import Equipment
from sources.dnd.records_rules import RULE_KINDS, RuleEntry
from tests.contracts.house import ROOT
from tests.support.fake_open5e import Corpus, srd_corpus

RECORDINGS = ROOT.parent / "shared" / "recorded" / "open5e"
recorded = pytest.mark.skipif(
    not RECORDINGS.is_dir(), reason="the recordings of Open5e are not laid beside the repository"
)

# What Open5e's shape cannot say, or says in another way: how many of the SRD's records differ by it.
ITEM_DIFFERENCES = {
    "categories": 188,  # one for each item; those of weapons and armor are made here
    "weight": 23,  # 0 is none
    "speed": 15,
    "speed_unit": 15,
    "capacity": 9,
    "contents": 7,
    "properties": 7,  # sorted by name
    "quantity": 4,
    "damage_type": 1,  # the trident's is corrected in the embedded data
}
MAGIC_ITEM_DIFFERENCES = {
    "variant_of": 123,
    "type_text": 62,  # made of its parts
    "base_item": 61,  # the fake links no magic item to a weapon or armor
    "description": 29,  # other line ends
    "variants": 10,
}
TERM_DIFFERENCES = {
    "condition": {"description": 15},  # other bullets
    "damage-type": {},
    "weapon-property": {},
    "skill": {"description": 1},
    "ability-score": {},
    # Both stand in `core`, with texts of their own.
    "magic-school": {"document_key": 8, "description": 8},
    "language": {"document_key": 16, "description": 16, "typical_speakers": 16, "script": 15},
    "alignment": {},
}


@cache
def corpus() -> Corpus:
    return srd_corpus()


def rows(endpoint: str) -> list[dict[str, Any]]:
    return [record.row for record in corpus().records(endpoint)]


def differing(made: Equipment | RuleEntry, held: Equipment | RuleEntry) -> list[str]:
    return [field.name for field in fields(made) if getattr(made, field.name) != getattr(held, field.name)]


def differences(made: list[Any], held: dict[str, Any]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for record in made:
        found.update(differing(record, held[record.key]))
    return dict(found)


@cache
def equipment() -> dict[str, Equipment]:
    return {record.key: record for record in read_embedded().equipment}


@cache
def rules() -> dict[str, RuleEntry]:
    return {record.key: record for record in read_embedded().rules}


def test_items_are_those_that_are_embedded() -> None:
    made = [item_of(raw) for raw in rows("items")]
    assert Counter(item.kind for item in made) == {"weapon": 37, "armor": 13, "gear": 187}
    assert differences(made, equipment()) == ITEM_DIFFERENCES


def test_magic_items_are_those_that_are_embedded() -> None:
    made = [magic_item_of(raw) for raw in rows("magicitems")]
    assert len(made) == 351
    assert differences(made, equipment()) == MAGIC_ITEM_DIFFERENCES


@pytest.mark.parametrize("kind", TERM_PATHS)
def test_terms_are_those_that_are_embedded(kind: str) -> None:
    made = [term for raw in rows(TERM_PATHS[kind].strip("/")) for term in terms_of(kind, raw)]
    held = [term for term in made if term.key in rules()]
    assert differences(held, rules()) == TERM_DIFFERENCES[kind]
    assert {term.key for term in held} == {term.key for term in rules().values() if term.kind == kind}


def test_every_kind_of_rule_but_proficiencies_is_read() -> None:
    assert {*TERM_PATHS, "rule", "rule-section"} == set(RULE_KINDS) - {"proficiency"}
    assert TERM_PATHS.keys() == TERM_RECIPES.keys()


def test_rule_sets_are_rules_and_rules_their_sections() -> None:
    sets = [rule_set_of(raw) for raw in rows("rulesets")]
    assert differences(sets, rules()) == {"sections": 6}
    sections = {rule.key: rule for rule in map(rule_of, rows("rules"))}
    (combat,) = [rule for rule in sets if rule.key == "srd_combat"]
    assert (combat.kind, combat.sections[0]) == (
        "rule",
        Reference("srd_combat_the-order-of-combat", "The Order of Combat"),
    )
    cover = sections["srd_combat_cover"]
    assert (cover.kind, cover.parent_key, cover.document_key, cover.sections) == (
        "rule-section",
        "srd_combat",
        "srd-2014",
        (),
    )
    assert cover.description == rules()["srd_cover"].description


def test_one_condition_is_a_record_of_each_document_that_describes_it() -> None:
    raw = {
        "key": "blinded",
        "name": "Blinded",
        "document": {"key": "core"},
        "descriptions": [
            {"desc": "Sees\r\nnothing.", "document": "srd-2014", "gamesystem": "5e-2014"},
            {"desc": "", "document": "a5e-ag", "gamesystem": "a5e"},
        ],
    }
    terms = terms_of("condition", raw)
    assert [(term.key, term.slug, term.document_key, term.description) for term in terms] == [
        ("srd_blinded", "blinded", "srd-2014", "Sees\nnothing."),
        ("a5e-ag_blinded", "blinded", "a5e-ag", None),
    ]


@pytest.mark.parametrize(
    ("raw", "key", "document"),
    [
        ({"key": "a5e-ag_bloodied", "name": "Bloodied", "document": {"key": "a5e-ag"}}, "a5e-ag_bloodied", "a5e-ag"),
        ({"key": "transformation", "name": "Transformation", "document": "tide"}, "tide_transformation", "tide"),
        ({"key": "evocation", "name": "Evocation", "document": "core", "desc": "Energy."}, "srd_evocation", "core"),
    ],
)  # fmt: skip
def test_a_term_without_descriptions_is_one_record_of_its_document(
    raw: dict[str, Any], key: str, document: str
) -> None:
    (term,) = terms_of("magic-school", raw)
    assert (term.key, term.document_key, term.description) == (key, document, raw.get("desc"))


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("Typical speakers are demons.", ("Demons",)),
        ("Typical speakers include ogres, and giants.", ("Ogres", "Giants")),
        ("Typical speakers include aboleths and cloakers. It is only spoken.", ("Aboleths", "Cloakers")),
        ("Typical speakers are Humans.", ("Humans",)),
        ("The secret language of druids.", ()),
    ],
)
def test_who_speaks_a_language(text: str, speakers: tuple[str, ...]) -> None:
    raw = {"key": "x", "name": "X", "document": "core", "desc": text, "script_language": "deep-speech"}
    (language,) = terms_of("language", {**raw, "is_exotic": True, "is_secret": False})
    assert (language.typical_speakers, language.category, language.script) == (
        speakers,
        "Exotic",
        "Deep Speech",
    )


def test_a_skill_and_its_ability_point_at_each_other_within_a_document() -> None:
    texts = [{"document": "srd-2014", "desc": "A."}, {"document": "srd-2024", "desc": "B."}]
    skill = {"key": "arcana", "name": "Arcana", "document": "core", "ability": "int", "descriptions": texts}
    other = {**skill, "key": "engineering", "name": "Engineering", "descriptions": texts[1:]}
    ability = {"key": "int", "name": "Intelligence", "document": "core", "descriptions": texts}
    assert [term.ability_key for term in terms_of("skill", skill)] == [
        "srd_intelligence",
        "srd-2024_intelligence",
    ]
    first, second = terms_of("ability-score", {**ability, "skills": [other, skill]})
    assert (first.key, first.abbreviation) == ("srd_intelligence", "INT")
    assert first.skills == (Reference("srd_arcana", "Arcana"),)
    assert second.skills == (
        Reference("srd-2024_arcana", "Arcana"),
        Reference("srd-2024_engineering", "Engineering"),
    )


def test_an_alignment_is_named_by_its_key() -> None:
    raw = {"key": "chaotic-evil", "short_name": "CE", "document": {"key": "core"}}
    (alignment,) = terms_of("alignment", raw)
    assert (alignment.name, alignment.abbreviation) == ("Chaotic Evil", "CE")


def row(endpoint: str, key: str, **others: Any) -> dict[str, Any]:
    record = corpus().get(endpoint, key)
    assert record is not None
    return {**record.row, **others}


@pytest.mark.parametrize(
    ("others", "attribute", "value"),
    [
        ({"desc": "A longsword."}, "description", None),
        ({"desc": "The  longsword"}, "description", "The  longsword"),
        ({"desc": "One.\r\nTwo.\\n\\n\nThree."}, "description", "One.\nTwo.\n\nThree."),
        ({"cost": "0.00"}, "cost", None),
        ({"cost": "0.05"}, "cost_text", "5 cp"),
        ({"cost": "2.50"}, "cost_text", "25 sp"),
        ({"cost": "30000.00"}, "cost_text", "30,000 gp"),
        ({"weight": None}, "weight", None),
        ({"weight": "0.075"}, "weight", 0.075),
        ({"name": "Longswords (20)"}, "quantity", 20),
        ({"category": {"key": "staff", "name": "Staff"}}, "kind", "weapon"),
        ({"weapon": None}, "kind", "gear"),
    ],
)
def test_quirks_of_items(others: dict[str, Any], attribute: str, value: Any) -> None:
    assert getattr(item_of(row("items", "srd_longsword", **others)), attribute) == value


def test_a_weapon() -> None:
    weapon = {
        "name": "Crossbow",
        "key": "ember_crossbow",
        "damage_type": {"name": "Piercing", "key": "piercing"},
        "damage_dice": "1d10 ",
        "properties": [
            {"property": {"name": "Loading"}, "detail": None},
            {"property": {"name": "Special (Lance)"}, "detail": "Range 100/400; Bolt"},
        ],
        "is_simple": False,
    }
    item = item_of(row("items", "srd_longsword", weapon=weapon))
    assert (item.simple, item.weapon_range, item.damage_dice, item.damage_type, item.reach) == (
        *(False, "ranged", "1d10", "piercing", None),
    )
    assert (item.range_normal, item.range_long) == (100, 400)
    assert item.properties == (
        Reference("srd_loading", "Loading"),
        Reference("srd_special-lance", "Special (Lance)"),
    )
    assert [category.key for category in item.categories] == [
        *("weapon", "martial-weapons", "ranged-weapons", "martial-ranged-weapons"),
    ]


def test_a_shield_is_armor_whichever_way_it_is_said() -> None:
    in_text = item_of(row("items", "srd_shield", desc="It increases your Armor Class by 3."))
    armor = {"ac_base": 2, "category": "heavy", "ac_add_dexmod": False, "ac_cap_dexmod": None}
    in_numbers = item_of(
        row("items", "srd_plate-armor", armor=armor, category={"key": "armor", "name": "Armor"})
    )
    assert (in_text.kind, in_text.armor_category, in_text.armor_class_base) == ("armor", "shield", 3)
    assert (in_numbers.kind, in_numbers.armor_category, in_numbers.armor_class_base) == (
        "armor",
        "shield",
        2,
    )
    assert [category.key for category in in_numbers.categories] == ["armor", "shield"]


@pytest.mark.parametrize(
    ("detail", "meant"),
    [
        ("Requires Attunement by a Sorcerer, Warlock, or Wizard", "by a sorcerer, warlock, or wizard"),
        ("requires attunement by a creature of good alignment", "by a creature of good alignment"),
        ("requires attunement by a Purple Dragon knight", "by a Purple Dragon knight"),
        ("requires attunement", None),
        (None, None),
    ],
)
def test_who_can_attune(detail: str | None, meant: str | None) -> None:
    raw = row("magicitems", "srd_amulet-of-health", attunement_detail=detail, requires_attunement=True)
    item = magic_item_of(raw)
    assert item.attunement_detail == meant
    assert item.type_text == f"Wondrous item, rare (requires attunement{f' {meant}' if meant else ''})"


def test_magic_armor_keeps_the_name_of_its_armor() -> None:
    armor = {"name": "Chain mail", "key": "srd_chain-mail", "ac_base": 16}
    category = {"name": "Armor", "key": "armor"}
    item = magic_item_of(
        row("magicitems", "srd_amulet-of-health", armor=armor, category=category, rarity=None)
    )
    assert (item.base_item, item.type_text) == ("chain mail", "Armor (chain mail) (requires attunement)")
    assert (item.armor_class_base, item.rarity, item.rarity_rank) == (None, None, None)


@pytest.mark.parametrize(
    ("others", "field"),
    [
        ({"category": None}, "category"),
        ({"cost": "cheap"}, "cost"),
        ({"weight": "-1.000"}, "weight"),
        ({"weapon": {"name": "Longsword", "properties": []}}, "weapon"),
        ({"weapon": {"damage_dice": "1d8", "properties": [{"property": {}}]}}, "weapon"),
        ({"weapon": None, "armor": {"ac_base": None, "category": "light"}}, "ac_base"),
        ({"weapon": None, "armor": {"ac_base": 12, "category": "odd"}}, "armor"),
        ({"name": " "}, "name"),
        ({"document": None}, "document"),
    ],
)
def test_a_malformed_item_is_refused(others: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedRecord) as refused:
        item_of(row("items", "srd_longsword", **others))
    assert (refused.value.record, refused.value.field) == ("srd_longsword", field)


@pytest.mark.parametrize(
    ("kind", "others", "field"),
    [
        ("condition", {"document": None}, "document"),
        ("condition", {"descriptions": [{"desc": "x"}]}, "document"),
        ("condition", {"key": ""}, "key"),
        ("skill", {"ability": None}, "ability"),
    ],
)
def test_a_malformed_term_is_refused(kind: str, others: dict[str, Any], field: str) -> None:
    raw = {"key": "blinded", "name": "Blinded", "document": {"key": "core"}, **others}
    with pytest.raises(MalformedRecord) as refused:
        terms_of(kind, raw)
    assert refused.value.field == field


@pytest.mark.parametrize("others", [{"ruleset": None}, {"document": 3}, {"name": None}])
def test_a_malformed_rule_is_refused(others: dict[str, Any]) -> None:
    with pytest.raises(MalformedRecord):
        rule_of(row("rules", "srd_combat_cover", **others))


def test_prefixes_and_slugs() -> None:
    assert [prefix_of(key) for key in ("srd-2014", "srd-2024", "core", "a5e-ag")] == [
        *("srd", "srd-2024", "srd", "a5e-ag"),
    ]
    assert [slugged(name) for name in ("Two-Handed", "Special (Lance)", "Fool’s Gold")] == [
        *("two-handed", "special-lance", "fools-gold"),
    ]


# The recordings of the real API -------------------------------------------------------------------------


def recording(name: str) -> list[dict[str, Any]]:
    body = json.loads((RECORDINGS / name).read_text())
    return list(body["results"]) if "results" in body else [body]


ITEM_FILES = (
    *("items-srd2014-limit40-page1.json", "items-srd2024-limit40-page1.json", "items-is-weapon.json"),
    *("items-category-armor.json", "items-cost-gte-100.json", "items-name-icontains-sword.json"),
)
MAGIC_ITEM_FILES = (
    *("magicitems-srd2014-limit30-page1.json", "magicitems-srd2024-limit20-page1.json"),
    *("magicitems-rarity-legendary.json", "magicitems-attunement.json"),
)


@recorded
def test_recorded_items_are_read_whole() -> None:
    items = {raw["key"]: item_of(raw) for name in ITEM_FILES for raw in recording(name)}
    assert {item.kind for item in items.values()} == {"weapon", "armor", "gear"}
    heavy = items["srd_crossbow-heavy"]
    assert (heavy.weapon_range, heavy.damage_dice, heavy.reach) == ("ranged", "1d10", None)
    longsword = items["srd_longsword"]
    assert differing(longsword, equipment()["srd_longsword"]) == []
    derived = {category.key for item in items.values() for category in item.categories}
    assert {"simple-ranged-weapons", "heavy-armor"} <= derived & set(DERIVED_CATEGORIES)
    plate = items["srd_plate-armor"] if "srd_plate-armor" in items else items["srd_plate"]
    assert (plate.armor_class_base, plate.strength_minimum, plate.stealth_disadvantage) == (18, 15, True)


@recorded
def test_recorded_magic_items_are_read_whole() -> None:
    items = {raw["key"]: magic_item_of(raw) for name in MAGIC_ITEM_FILES for raw in recording(name)}
    amulet = items["srd_amulet-of-health"]
    assert differing(amulet, equipment()["srd_amulet-of-health"]) == ["description"]
    breastplate = items["srd_adamantine-armor-breastplate"]
    assert (breastplate.type_text, breastplate.cost) == ("Armor (breastplate), uncommon", None)


@recorded
def test_recorded_rules_and_terms_are_read_whole() -> None:
    for name in ("rules-srd2014-limit25-page1.json", "rules-srd2024-limit30-page1.json"):
        assert all(rule_of(raw).parent_key for raw in recording(name))
    conditions = [term for raw in recording("conditions-core.json") for term in terms_of("condition", raw)]
    assert {term.document_key for term in conditions} == {"srd-2014", "srd-2024", "a5e-ag"}
    damage = [term for raw in recording("damagetypes.json") for term in terms_of("damage-type", raw)]
    assert Counter(term.document_key for term in damage) == {"srd-2014": 13, "srd-2024": 13}
    schools = [term for raw in recording("spellschools.json") for term in terms_of("magic-school", raw)]
    assert "srd_evocation" in {term.key for term in schools}


@recorded
@pytest.mark.parametrize(
    ("name", "count", "recipes"),
    [
        ("items-limit1.json", ITEM_FIELDS, ITEM_RECIPES),
        ("magicitems-srd-limit1.json", MAGIC_ITEM_FIELDS, MAGIC_ITEM_RECIPES),
        ("rules-srd2014-limit25-page1.json", RULE_FIELDS, RULE_RECIPES),
    ],
)
def test_recipes_read_fields_that_exist(name: str, count: int, recipes: Any) -> None:
    (raw, *_) = recording(name)
    assert len(raw) == count
    assert {field for recipe in recipes.values() for field in recipe.fields} <= raw.keys()


def test_rule_sets_of_the_fake_have_as_many_fields() -> None:
    assert len(rows("rulesets")[0]) == RULE_SET_FIELDS
