"""Reading the text fields of rules records."""

from __future__ import annotations

import pytest

from sources.dnd.parsing import (
    compact_dice,
    feet,
    is_consumed,
    paragraphs,
    parse_alignments,
    parse_asked_save,
    parse_casting_time,
    parse_damage_dealt,
    parse_damage_types,
    parse_dc_save,
    parse_material_cost,
    parse_range,
    parse_spell_attack,
)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("1 action", "action"),
        ("action", "action"),
        ("Action", "action"),
        ("1 bonus action", "bonus-action"),
        ("bonus-action", "bonus-action"),
        ("1 reaction", "reaction"),
        ("1 minute", "1minute"),
        ("1minute", "1minute"),
        ("10 minutes", "10minutes"),
        ("10minutes", "10minutes"),
        ("1 hour", "1hour"),
        ("24 hours", "24hours"),
        ("1 week", "1week"),
        ("At dawn", "at-dawn"),
    ],
)
def test_every_spelling_of_a_casting_time_leads_to_open5e_s_key(text: str, key: str) -> None:
    assert parse_casting_time(text) == (key, None)


def test_a_reaction_keeps_its_condition() -> None:
    text = "1 reaction, which you take when you or a creature within 60 feet of you falls"
    condition = "which you take when you or a creature within 60 feet of you falls"
    assert parse_casting_time(text) == ("reaction", condition)


@pytest.mark.parametrize(
    ("text", "distance"),
    [
        ("Self", 0.0),
        ("Self (15-foot cone)", 0.0),
        ("Touch", 0.0),
        ("5 feet", 5.0),
        ("150 feet", 150.0),
        ("1 mile", 5280.0),
        ("500 miles", 2_640_000.0),
        ("1,000 feet", 1000.0),
        ("Sight", None),
        ("Special", None),
        ("Unlimited", None),
    ],
)
def test_range_in_feet(text: str, distance: float | None) -> None:
    assert parse_range(text) == distance


@pytest.mark.parametrize(
    ("value", "distance"),
    [
        ("30 ft.", 30),
        ("0 ft.", 0),
        ("30 ft. or 10 ft. while deafened (blind beyond this radius)", 30),
        (60, 60),
        (None, None),
        (True, None),
        ("none", None),
    ],
)
def test_feet(value: object, distance: int | None) -> None:
    assert feet(value) == distance


@pytest.mark.parametrize(
    ("text", "cost", "consumed"),
    [
        ("A tiny ball of bat guano and sulfur.", None, False),
        ("Gold dust worth at least 25gp, which the spell consumes.", 25.0, True),
        ("A diamond worth at least 1,000 gp, and a vessel worth at least 2,000 gp", 2000.0, False),
        ("Holy water or powdered silver and iron, which the spell consumes.", None, True),
        (None, None, False),
    ],
)
def test_price_and_use_of_materials(text: str | None, cost: float | None, consumed: bool) -> None:
    assert parse_material_cost(text) == cost
    assert is_consumed(text) is consumed


@pytest.mark.parametrize(
    ("dice", "compact"),
    [("1d4 + 1", "1d4+1"), ("6d8 − 5", "6d8-5"), ("1d6+0", "1d6"), ("10d6+40", "10d6+40"), ("1", "1")],
)
def test_dice_lose_their_blanks(dice: str, compact: str) -> None:
    assert compact_dice(dice) == compact


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("takes 2d8 bludgeoning damage and 4d6 cold damage", ("bludgeoning", "cold")),
        ("takes 5d10 radiant or necrotic damage", ("radiant", "necrotic")),
        ("takes 5d8 acid, cold, or fire damage", ("acid", "cold", "fire")),
        ("takes 10d6 + 40 force damage", ("force",)),
        ("takes bludgeoning damage equal to 2d6", ("bludgeoning",)),
        ("has resistance to fire damage", ()),
    ],
)
def test_damage_dealt_is_what_dice_are_rolled_for(text: str, types: tuple[str, ...]) -> None:
    assert parse_damage_dealt(text) == types


def test_damage_types_of_resistances() -> None:
    texts = ["cold", "bludgeoning, piercing, and slashing from nonmagical weapons", "damage from spells"]
    assert parse_damage_types(texts) == ("cold", "bludgeoning", "piercing", "slashing")


def test_saves_in_a_text() -> None:
    text = "Each creature must make a Dexterity saving throw, or half as much damage on a successful one."
    assert parse_asked_save(text) == ("dexterity", "half")
    assert parse_asked_save("you have advantage on wisdom saving throws") is None
    assert parse_dc_save("must succeed on a DC 19 Wisdom saving throw or become frightened") == (
        "wisdom",
        19,
        "none",
    )
    assert parse_dc_save("escape DC 14") is None


def test_spell_attacks_in_a_text() -> None:
    assert parse_spell_attack("Make a ranged spell attack for each ray.") == "ranged"
    assert parse_spell_attack("Make a melee spell attack against it.") == "melee"
    assert parse_spell_attack("Make a melee weapon attack.") is None


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("chaotic evil", ("chaotic-evil",)),
        ("neutral", ("neutral",)),
        ("Unaligned", ("unaligned",)),
        ("neutral good (50%) or neutral evil (50%)", ("neutral-good", "neutral-evil")),
        ("any evil alignment", ("lawful-evil", "neutral-evil", "chaotic-evil")),
        ("typically lawful good", ("lawful-good",)),
        ("as its creator", ()),
        (
            "any non-good alignment",
            (
                "lawful-neutral",
                "neutral",
                "chaotic-neutral",
                "lawful-evil",
                "neutral-evil",
                "chaotic-evil",
            ),
        ),
    ],
)
def test_alignments_that_a_text_allows(text: str, keys: tuple[str, ...]) -> None:
    assert parse_alignments(text) == keys


def test_any_alignment_is_all_nine() -> None:
    assert len(set(parse_alignments("any alignment"))) == 9


def test_paragraphs_of_a_text_or_a_list() -> None:
    assert paragraphs(["One.", " ", "Two. "]) == "One.\n\nTwo."
    assert paragraphs("One.") == "One."
    assert paragraphs([]) is None
    assert paragraphs(None) is None


def test_the_rows_of_a_table_stay_together() -> None:
    parts = ["It rolls.", "| d4 | Effect |", "|---|---|", "| 1 | Nothing. |", "It ends."]
    assert paragraphs(parts) == "It rolls.\n\n| d4 | Effect |\n|---|---|\n| 1 | Nothing. |\n\nIt ends."
