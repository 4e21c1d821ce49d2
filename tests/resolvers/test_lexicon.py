"""Words and names of records in memory: what is found, in which order, and what a misspelt word becomes."""

from __future__ import annotations

import pytest

from resolvers.lexicon import Entry, Lexicon

BOOK = (
    Entry(
        "fireball", "spell", "Fireball", "A bright streak flashes and blossoms into an explosion of flame."
    ),
    Entry("fire-bolt", "spell", "Fire Bolt", "You hurl a mote of fire at a creature."),
    Entry("wounds", "spell", "Cure Wounds", "A creature you touch regains hit points."),
    Entry("feast", "spell", "Heroes’ Feast", "A great feast cures all diseases."),
    Entry("goblin-a", "creature", "Goblin", "Small, and never alone."),
    Entry("goblin-b", "creature", "goblin!", "Another."),
    Entry("eclair", "spell", "Éclair noir", "Lightning."),
    Entry("empty", "spell", "", ""),
)
LEXICON = Lexicon(BOOK)


def everything(key: str) -> bool:
    return True


def spells(key: str) -> bool:
    return LEXICON.entries[key].kind == "spell"


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("fireball", ["fireball"]),
        ("FIREBALL!", ["fireball"]),
        ("eclair NOIR", ["eclair"]),
        ("heroes' feast", ["feast"]),
        ("heroes feast", ["feast"]),
        ("goblin", ["goblin-a", "goblin-b"]),
        ("fire", []),
        ("?!", []),
    ],
)
def test_exact_names(query: str, keys: list[str]) -> None:
    assert LEXICON.exact(query, everything) == keys


def test_words_count_more_in_names_and_when_they_are_rare() -> None:
    found = LEXICON.by_words("fire creature", everything, 10)
    assert [one.id for one in found] == ["fire-bolt", "wounds"]
    assert found[0].score > found[1].score > 0
    assert [one.id for one in LEXICON.by_words("goblin cures", everything, 10)] == [
        "goblin-b",
        "goblin-a",
        "feast",
    ]
    assert [one.id for one in LEXICON.by_words("flame", everything, 10)] == ["fireball"]


def test_only_what_is_allowed_is_found_and_no_more_than_asked() -> None:
    assert LEXICON.by_words("goblin", spells, 10) == []
    assert LEXICON.by_name("gobln", spells, 10) == []
    assert LEXICON.exact("goblin", spells) == []
    assert len(LEXICON.by_words("goblin fire feast", everything, 2)) == 2


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("cury wounds", "wounds"),
        ("wounds cure", "wounds"),
        ("fire ball", "fireball"),
        ("firebolt", "fire-bolt"),
        ("gobln", "goblin-a"),
    ],
)
def test_near_names(query: str, first: str) -> None:
    assert LEXICON.by_name(query, everything, 5)[0].id == first


@pytest.mark.parametrize(
    ("query", "corrected"),
    [
        ("firbal", "fireball"),
        ("cury wonds", "cure wounds"),
        ("explosoin of flaem", "explosion of flame"),
        ("fireball", None),
        ("", None),
        ("xqzzt", None),
        ("fir", None),
    ],
)
def test_words_that_occur_nowhere_become_the_nearest_that_do(query: str, corrected: str | None) -> None:
    assert LEXICON.corrected(query) == corrected


@pytest.mark.parametrize("query", ["", "'", "*" * 10_000, "word " * 10_000, "a", "%_", "\0", "𝔣𝔦𝔯𝔢"])
def test_any_query_is_answered(query: str) -> None:
    LEXICON.corrected(query)
    LEXICON.exact(query, everything)
    LEXICON.by_words(query, everything, 10)
    LEXICON.by_name(query, everything, 10)


def test_nothing_is_found_in_nothing() -> None:
    empty = Lexicon(())
    assert empty.by_words("fire", everything, 5) == []
    assert empty.by_name("fire", everything, 5) == []
    assert empty.exact("fire", everything) == []
    assert empty.corrected("fire") is None
