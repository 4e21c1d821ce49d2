"""Importing events: ids that come again, and odd records that are rejected alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sources.events import importer
from tests.sources.events.test_import import jsonl
from tests.support.events import EventsDoor, event

pytestmark = pytest.mark.timeout(180)


async def test_an_id_that_comes_again_counts_once(
    events_door: EventsDoor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two forms of an event in one import the later is written, and a rerun changes nothing, batches apart."""
    monkeypatch.setattr(importer, "BATCH", 3)
    older, newer = (event("twice", title=title) for title in ("Older", "Newer"))
    many = [event(f"event-{number}") for number in range(5)]
    first = jsonl(tmp_path / "a.jsonl", [older, *many])
    second = jsonl(tmp_path / "b.jsonl", [newer, {**older, "magnitude": 11}])
    outcome = events_door.imported(first, second)
    assert outcome.counts == {"added": 6, "changed": 0, "unchanged": 0}
    assert outcome.rejected == 1
    assert outcome.notes == ("1 records were passed over: a later one has the same id.",)
    again = events_door.imported(first, second)
    assert again.counts == {"added": 0, "changed": 0, "unchanged": 6}
    with events_door.database.writing() as session:
        held = (
            session.connection().exec_driver_sql("SELECT title FROM events_event WHERE key = 'twice'").all()
        )
    assert held == [("Newer",)]


HEAD = "id,timestamp,title,magnitude,confidence_score,category"
ODD = {
    "twice.csv": ("id,id,title\na,b,c\n", "The column `id` is there twice."),
    "both.csv": (f"{HEAD},confidence\nq,2024-01-01,t,1,0.2,other,0.9\n", "`confidence` is there twice."),
    "place.csv": (f"{HEAD},location,latitude\nq,2024-01-01,t,1,1,other,x,1\n", "no column `location`"),
    "latin.csv": ("id,title\na,\udce9\n", "is no CSV from here on"),
    "list.geojson": ({"geometry": [1]}, "holds no longitude and latitude"),
    "object.geojson": ({"geometry": {"coordinates": {"a": 1, "b": 2}}}, "holds no longitude and latitude"),
    "null.geojson": ({"geometry": None}, "holds no longitude and latitude"),
    "endless.geojson": ({"properties": {"mag": float("inf"), "time": 0}}, "properties.mag: is no number"),
    "never.geojson": ({"properties": {"mag": 1, "time": float("nan")}}, "properties.time: is no number"),
    "large.jsonl": (
        event("l", sources=[{"id": "s", "type": "blog", "metadata": {"like_count": 10**30}}]),
        "like_count: Input should be less than or equal to 2147483647",
    ),
    "before.jsonl": (event("b", timestamp="0001-01-01T00:00:00+14:00"), "outside the years 1 to 9999"),
    "after.jsonl": (event("a", timestamp="9999-12-31T23:59:59-12:00"), "outside the years 1 to 9999"),
}


@pytest.mark.parametrize("name", ODD)
async def test_odd_records_are_rejected_alone(
    sqlite_events_door: EventsDoor, tmp_path: Path, name: str
) -> None:
    """Nothing that a file holds ends the import, and no cell is dropped without a word."""
    content, reason = ODD[name]
    if isinstance(content, dict):
        feature = {
            "id": "q",
            "properties": {"mag": 1, "time": 0},
            "geometry": {"coordinates": [1, 2]},
            **content,
        }
        text = json.dumps({"meta": {"features": 1}, "features": [feature]} if "geo" in name else content)
    else:
        text = str(content)
    file, rejects = tmp_path / name, tmp_path / "rejects"
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    outcome = sqlite_events_door.imported(file, rejects=rejects)
    assert (outcome.counts["added"], outcome.rejected) == (0, 1)
    (line,) = map(json.loads, rejects.read_text().splitlines())
    assert reason in " ".join(line["reasons"])
    assert line["line"] >= 1
