"""What a caller's words for kinds, categories and dice mean."""

from __future__ import annotations

import pytest

from resolvers.dnd.vocabulary_equipment import category_keys, dice_keys, kinds_meant, sections_meant
from sources.criteria import EVERYTHING, AnyOf, Op, Predicate

CATEGORIES = (
    "artisans-tools",
    "mounts-and-vehicles",
    "tack-harness-and-drawn-vehicles",
    "tools",
    "wondrous-item",
)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("wondrous-item", "wondrous-item"),
        ("Wondrous Items", "wondrous-item"),
        ("wondrous_item", "wondrous-item"),
        ("Artisan’s Tools", "artisans-tools"),
        ("tool", "tools"),
        ("Tack, Harness, and Drawn Vehicles", "tack-harness-and-drawn-vehicles"),
    ],
)
def test_categories_in_every_spelling(text: str, key: str) -> None:
    assert category_keys(text, CATEGORIES) == [key]


def test_what_is_no_category_means_none() -> None:
    assert category_keys("tool box", CATEGORIES) == []
    assert category_keys("", CATEGORIES) == []


@pytest.mark.parametrize("text", ["1d8", "1D8", " 1 d 8", "d8"])
def test_dice_in_every_spelling(text: str) -> None:
    assert dice_keys(text, ("1d10", "1d8", "2d6")) == ["1d8"]
    assert dice_keys("8", ("1d8", "1")) == []


def test_kinds() -> None:
    def kinds(*values: str) -> Predicate:
        return Predicate("kind", Op.IN, values)

    assert kinds_meant(kinds("weapon", "all"), "equipment") == EVERYTHING
    assert kinds_meant(kinds("weapon"), "equipment") == kinds("weapon")
    assert kinds_meant(kinds("rule", "skill"), "rule") == kinds("rule", "skill", "rule-section")
    assert kinds_meant(kinds("race", "feat"), "character_option") == kinds("species", "feat")
    assert kinds_meant(kinds("rule-section"), "rule") == kinds("rule-section")


def test_a_section_is_a_rule_or_belongs_to_it() -> None:
    criteria = sections_meant(Predicate("section", Op.IN, ("srd_combat",)))
    assert criteria == AnyOf(
        (Predicate("key", Op.IN, ("srd_combat",)), Predicate("parent_key", Op.IN, ("srd_combat",)))
    )
