"""The running totals: what the migration counts of older events is what imports would have kept."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from sources.events.maps import EVENT, TALLY
from sources.events.writing import remove_events
from sources.migrations import downgrade, upgrade
from tests.support.events import EventsDoor, event

pytestmark = pytest.mark.timeout(120)

EVENTS = (
    event("old", timestamp="1969-12-31T23:59:59Z", magnitude=1.1, tags=["Énergie"], status="rejected"),
    event(
        "new",
        tags=["energie", "oil"],
        entities=[{"id": "e", "type": "vessel", "name": "E"}],
        confidence={"score": 0.35},
    ),
    event("bare", sources=[{"id": "s", "type": "4chan"}, {"id": "t", "type": "other"}]),
)


def held(door: EventsDoor) -> set[tuple[object, ...]]:
    with door.database.writing() as session:
        return {tuple(row) for row in session.connection().execute(sa.select(TALLY))}


async def test_the_migration_counts_what_is_there(events_door: EventsDoor) -> None:
    events_door.fill(EVENTS)
    kept = held(events_door)
    assert ("published", "tag", "energie", "energie", "", 1, 0, 0) in kept
    assert ("rejected", "day", str(-86_400_000_000), "", "", 1, 1_100_000_000, 900_000_000) in kept
    downgrade(events_door.target, ["events"], "events", "events_0001")
    upgrade(events_door.target, ["events"])
    assert held(events_door) == kept


async def test_nothing_is_left_of_events_that_are_gone(events_door: EventsDoor) -> None:
    events_door.fill(EVENTS)
    with events_door.database.writing() as session:
        assert remove_events(session.connection(), EVENT.c.key != "bare") == 2
    assert {row[1:3] for row in held(events_door)} == {
        ("category", "other"),
        ("day", "1704067200000000"),
        ("source_type", "4chan"),
        ("source_type", "other"),
    }
