"""Filters as the real Open5e was recorded to apply them: what was sent, and that it is what filtering here gives.

The recordings hold all spells of two documents, so a recorded filter can be compared with filtering all of them.
They do not belong to the repository: where they are not laid beside it, these tests are skipped.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from sources.criteria import Op, Predicate, all_of, matches
from sources.dnd.open5e_endpoints import ENDPOINTS
from sources.dnd.open5e_recipes import make_values
from sources.page import record_class
from tests.contracts.house import ROOT

RECORDINGS = ROOT.parent / "shared" / "recorded" / "open5e"

pytestmark = pytest.mark.skipif(
    not RECORDINGS.is_dir(), reason="the recordings of Open5e are not laid beside the repository"
)

Asked = tuple[Predicate, ...]
PAGES = {"limit", "page", "fields"}
COLUMNS = {
    "spell": ("key", "name", "level", "school", "classes", "casting_time", "concentration"),
    "creature": ("key", "name", "challenge_rating", "armor_class"),
}
WHOLE = {"spell": "spells-srd2014-limit20-page*.json", "creature": "creatures-srd-summary.json"}
"""What holds every record of the SRD 5.1, with the columns above."""


def _asked(*parts: tuple[str, Op, Any]) -> Asked:
    return tuple(Predicate(*part) for part in parts)


FILTERS: dict[str, tuple[str, Asked]] = {
    "spells-level-gte-8.json": ("spell", _asked(("level", Op.AT_LEAST, 8))),
    "spells-level-range-2-3-evocation.json": (
        "spell",
        _asked(("level", Op.AT_LEAST, 2), ("level", Op.AT_MOST, 3), ("school", Op.EQUALS, "evocation")),
    ),
    "spells-level-exact-3-evocation.json": (
        "spell",
        _asked(("level", Op.EQUALS, 3), ("school", Op.EQUALS, "evocation")),
    ),
    "spells-school-name-in.json": ("spell", _asked(("school", Op.IN, ("evocation", "abjuration")))),
    "spells-classes-key-wizard-level1.json": (
        "spell",
        _asked(("classes", Op.HAS_ANY, "srd_wizard"), ("level", Op.EQUALS, 1)),
    ),
    "spells-concentration-true-level-2.json": (
        "spell",
        _asked(("concentration", Op.EQUALS, True), ("level", Op.EQUALS, 2)),
    ),
    "spells-casting-time-reaction.json": ("spell", _asked(("casting_time", Op.EQUALS, "reaction"))),
    "creatures-cr-gte-20.json": ("creature", _asked(("challenge_rating", Op.AT_LEAST, 20.0))),
}


@cache
def _recording(file: str) -> Any:
    return json.loads((RECORDINGS / file).read_text(encoding="utf-8"))


@cache
def _paths() -> dict[str, str]:
    return {entry["file"]: entry["path"] for entry in _recording("index.json")["responses"]}


def _records(kind: str, pattern: str) -> list[Any]:
    make = record_class(kind, COLUMNS[kind])
    recipes = {**ENDPOINTS[kind].recipes}
    rows = [row for file in sorted(RECORDINGS.glob(pattern)) for row in _recording(file.name)["results"]]
    return [make(make_values(recipes, COLUMNS[kind], row, {})) for row in rows]


def _read(record: Any, attribute: str) -> Any:
    value = getattr(record, attribute)
    return tuple(one.key for one in value) if attribute == "classes" else value


def _meant(predicate: Predicate) -> Predicate:
    if predicate.op is Op.HAS_ANY:
        return Predicate(predicate.attribute, predicate.op, (predicate.value,))
    return predicate


@pytest.mark.parametrize("file", FILTERS)
def test_what_is_declared_is_what_was_recorded(file: str) -> None:
    kind, asked = FILTERS[file]
    sent: dict[str, str] = {}
    for predicate in asked:
        (ability,) = [
            one
            for one in ENDPOINTS[kind].abilities.filters
            if (one.attribute, one.op) == (predicate.attribute, predicate.op)
        ]
        sent |= ability.parameters(predicate.value) or {}
    recorded = dict(parse_qsl(urlsplit(_paths()[file]).query))
    assert {name: value for name, value in recorded.items() if name not in PAGES | {"document__key"}} == sent
    everything = _records(kind, WHOLE[kind])
    assert len(everything) == {"spell": 319, "creature": 325}[kind]
    wanted = all_of(_meant(predicate) for predicate in asked)
    meant = {record.key for record in everything if matches(wanted, record, _read)}
    assert {row["key"] for row in _recording(file)["results"]} == meant
    assert 0 < len(meant) < len(everything)


def test_a_part_of_a_name_finds_no_row_that_is_not_meant() -> None:
    predicate = Predicate("name", Op.CONTAINS, "fire")
    found = {row["key"] for row in _recording("spells-name-icontains-fire.json")["results"]}
    everything = _records("spell", "spells-srd20??-limit20-page*.json")
    assert len(everything) == 319 + 339
    assert found == {record.key for record in everything if matches(predicate, record)}
