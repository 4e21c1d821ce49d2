"""Equipment and rules: records that lack what they need, and forms that the embedded data does not have."""

from __future__ import annotations

from typing import Any

import pytest

from sources.dnd.normalise_equipment import normalise_equipment, normalise_magic_item
from sources.dnd.normalise_rules import normalise_rule_entry
from sources.dnd.parsing import MalformedRecord
from sources.dnd.records import Reference
from tests.sources.dnd.raw import raw_records


def equipment(index: str, **changes: Any) -> dict[str, Any]:
    return raw_records("equipment")[index] | changes


def magic_item(index: str, **changes: Any) -> dict[str, Any]:
    return raw_records("magic-item")[index] | changes


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (equipment("club", name=" "), "name"),
        (equipment("club", equipment_category=None), "equipment_category"),
        (equipment("club", weapon_range=None), "weapon_range"),
        (equipment("club", damage={"damage_dice": 4}), "damage_dice"),
        (equipment("club", damage="1d4"), "damage"),
        (equipment("club", cost={"quantity": 1, "unit": "kg"}), "cost"),
        (equipment("shield", armor_class={}), "base"),
        (equipment("arrow", quantity="many"), "quantity"),
        (equipment("explorers-pack", contents=[{"quantity": 1}]), "item"),
    ],
)
def test_a_record_names_the_field_that_it_lacks(raw: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedRecord, match=f"`{field}`"):
        normalise_equipment(raw)


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"desc": []}, "desc"), ({"rarity": {"name": "Fabled"}}, "rarity"), ({"rarity": None}, "name")],
)
def test_a_magic_item_names_the_field_that_it_lacks(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedRecord, match=f"`{field}`"):
        normalise_magic_item(magic_item("bag-of-holding", **changes))


@pytest.mark.parametrize(
    ("unit", "cost"), [("cp", 0.03), ("sp", 0.3), ("ep", 1.5), ("gp", 3.0), ("pp", 30.0)]
)
def test_every_coin_is_known(unit: str, cost: float) -> None:
    club = normalise_equipment(equipment("club", cost={"quantity": 3, "unit": unit}))
    assert (club.cost, club.cost_text) == (cost, f"3 {unit}")


def test_a_record_alone_knows_its_own_categories() -> None:
    assert normalise_equipment(equipment("bagpipes")).categories == (
        Reference("tools", "Tools"),
        Reference("musical-instruments", "Musical Instruments"),
    )
    assert normalise_equipment(equipment("abacus"), key_prefix="x", document_key="y").key == "x_abacus"


def test_the_parent_of_a_variant_is_told_from_outside() -> None:
    item = normalise_magic_item(
        magic_item("potion-of-healing-greater"), variant_of="potion-of-healing", key_prefix="x"
    )
    assert (item.key, item.variant_of) == ("x_potion-of-greater-healing", "x_potion-of-healing")


def test_a_rule_needs_a_known_kind_and_a_name() -> None:
    with pytest.raises(ValueError, match="no kind"):
        normalise_rule_entry("spell", {"index": "a", "name": "A"})
    with pytest.raises(MalformedRecord, match="`name`"):
        normalise_rule_entry("condition", {"index": "a"})
    with pytest.raises(MalformedRecord, match="`ability_score`"):
        normalise_rule_entry("skill", {"index": "a", "name": "A"})
    with pytest.raises(MalformedRecord, match="`reference`"):
        normalise_rule_entry("proficiency", {"index": "a", "name": "A", "type": "Other"})


def test_only_the_heading_that_repeats_the_name_is_taken_off() -> None:
    def text(description: str) -> str | None:
        raw = {"index": "time", "name": "Time (d6)", "desc": description}
        return normalise_rule_entry("rule-section", raw).description

    assert text("## Time (d6)\n\nIt flies.\n\n## Time (d6)\n") == "It flies.\n\n## Time (d6)"
    assert text("## Timekeeping\n\nIt flies.") == "## Timekeeping\n\nIt flies."
    assert text("# Time (d6)") is None
