"""The table of known slips."""

from __future__ import annotations

from copy import deepcopy

import pytest

from sources.dnd.corrections import CORRECTIONS, Correction, corrected
from tests.sources.dnd.raw import raw_records


@pytest.mark.parametrize(
    "correction", CORRECTIONS, ids=lambda item: f"{item.index}-{'-'.join(map(str, item.path))}"
)
def test_every_correction_still_changes_its_record(correction: Correction) -> None:
    """When this fails, the source has mended the slip and the entry can go."""
    before = raw_records(correction.kind)[correction.index]
    after = deepcopy(before)
    assert correction.apply(after)
    assert after != before
    assert not correction.apply(after), "a second application finds nothing to do"
    assert correction.reason


def test_correcting_leaves_the_record_itself_alone() -> None:
    raw = raw_records("creature")["drow"]
    untouched = deepcopy(raw)
    changed = corrected("creature", raw)
    assert raw == untouched
    types = {
        action["name"]: [roll["damage_type"]["index"] for roll in action["damage"]]
        for action in changed["actions"]
        if "damage" in action
    }
    assert types["Shortsword"] == ["piercing"]


def test_a_record_without_slips_is_the_same() -> None:
    raw = raw_records("spell")["fireball"]
    assert corrected("spell", raw) == raw


def test_a_mended_source_is_left_alone() -> None:
    raw = raw_records("spell")["magic-mouth"]
    raw["material"] = "Jade dust worth 12 gp."
    assert corrected("spell", raw)["material"] == "Jade dust worth 12 gp."


def test_a_record_of_another_layout_is_left_alone() -> None:
    raw = {"index": "drow", "actions": [{"name": "Longbow"}]}
    assert corrected("creature", raw) == raw
