"""The corpora: the embedded facts in the upstream's shape, and what the invented documents are for."""

from __future__ import annotations

import pytest

from sources.dnd.embedded import read_embedded
from tests.support.fake_open5e import Corpus, Row, mixed_corpus, srd_corpus


def rows(corpus: Corpus, endpoint: str, document: str = "srd-2014") -> dict[str, Row]:
    """Rows of a document by key."""
    return {
        record.key: record.row
        for record in corpus.records(endpoint)
        if record.document is not None and record.document["key"] == document
    }


def test_spells_are_the_embedded_ones(corpus: Corpus) -> None:
    spells = rows(corpus, "spells")
    embedded = read_embedded().spells
    assert list(spells) == [spell.key for spell in embedded]
    for spell in embedded:
        row = spells[spell.key]
        assert (row["name"], row["level"], row["school"]["key"]) == (spell.name, spell.level, spell.school)
        assert {item["key"] for item in row["classes"]} == {item.key for item in spell.classes}
        assert (row["casting_time"], row["ritual"]) == (spell.casting_time, spell.ritual)
        assert row["damage_types"] == list(spell.damage_types)
        assert (row["saving_throw_ability"] or None) == spell.saving_throw_ability
        assert row["desc"] == spell.description


def test_creatures_are_the_embedded_ones(corpus: Corpus) -> None:
    creatures = rows(corpus, "creatures")
    embedded = read_embedded().creatures
    assert list(creatures) == [creature.key for creature in embedded]
    for creature in embedded:
        row = creatures[creature.key]
        assert (row["type"]["key"], row["size"]["key"]) == (creature.type, creature.size)
        assert row["challenge_rating"] == creature.challenge_rating
        assert row["experience_points"] == creature.experience_points
        assert (row["armor_class"], row["hit_points"]) == (creature.armor_class, creature.hit_points)
        assert row["ability_scores"]["wisdom"] == creature.wisdom
        assert sum(action["action_type"] == "LEGENDARY_ACTION" for action in row["actions"]) == len(
            creature.legendary_actions
        )


@pytest.mark.parametrize(
    ("endpoint", "count"),
    [
        *(
            ("items", 237),
            ("weapons", 37),
            ("armor", 12),
            ("magicitems", 351),
            ("classes", 24),
            ("species", 13),
        ),
        *(("backgrounds", 1), ("feats", 1), ("rules", 33), ("rulesets", 6), ("weaponproperties", 11)),
    ],
)
def test_every_type_of_the_srd_is_there(corpus: Corpus, endpoint: str, count: int) -> None:
    assert len(rows(corpus, endpoint)) == count


@pytest.mark.parametrize(
    ("endpoint", "count"),
    [
        *(("conditions", 15), ("damagetypes", 13), ("spellschools", 8), ("sizes", 7), ("creaturetypes", 14)),
        *(("languages", 18), ("skills", 18), ("abilities", 6), ("alignments", 9), ("itemcategories", 24)),
    ],
)
def test_word_lists_are_of_core(corpus: Corpus, endpoint: str, count: int) -> None:
    assert len(rows(corpus, endpoint, "core")) == count


def test_names_are_shared_between_documents(corpus: Corpus) -> None:
    for endpoint, name, documents in (
        ("spells", "Fireball", {"srd-2014", "srd-2024", "ember", "a5e-lantern"}),
        ("creatures", "Goblin", {"srd-2014", "ember", "tide"}),
    ):
        held = {r.document["key"] for r in corpus.records(endpoint) if r.document and r.row["name"] == name}
        assert held == documents


def test_the_upstreams_own_facts() -> None:
    corpus = mixed_corpus(as_upstream=True)
    tags = [item["key"] for row in rows(corpus, "spells").values() for item in row["classes"]]
    counted = {key: tags.count(f"srd_{key}") for key in ("paladin", "cleric", "druid", "warlock", "wizard")}
    assert counted == {"paladin": 0, "cleric": 142, "druid": 125, "warlock": 88, "wizard": 204}
    creatures = rows(corpus, "creatures")
    assert creatures["srd_chain-devil"]["challenge_rating"] == 11.0
    assert {row["experience_points"] for row in creatures.values() if row["challenge_rating"] == 0} == {0}


def test_changing_a_corpus_changes_no_other() -> None:
    changed = srd_corpus()
    changed.add("spells", {**rows(changed, "spells")["srd_aid"], "name": "Help"}, document="srd-2014")
    rows(changed, "spells")["srd_wish"]["level"] = 1
    again = rows(srd_corpus(), "spells")
    assert (again["srd_aid"]["name"], again["srd_wish"]["level"]) == ("Aid", 9)
