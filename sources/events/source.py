"""The events source: how it is seeded, opened, and imported into."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar

import sqlalchemy as sa

from sources.database import Database
from sources.events.format import EventInput
from sources.events.importer import BATCH, EventImporter
from sources.events.reading import Rejected, read_jsonl
from sources.events.settings import EventsSettings
from sources.events.store import EventsShelf
from sources.events.writing import remove_samples, upsert
from sources.seeding import remove_once, seed_once
from sources.source import Report, Resources, Source

SAMPLE = Path(__file__).with_name("sample.jsonl")


class EventsSource(Source[EventsSettings]):
    """Events of the world, as they were imported; a small sample is embedded."""

    name: ClassVar[str] = "events"
    title: ClassVar[str] = "Events"
    description: ClassVar[str] = (
        "What happened, when and where, how much it weighs and how far it can be relied on, with the sources that "
        "report it."
    )
    settings_type = EventsSettings
    importer = EventImporter()

    async def open(self, resources: Resources, settings: EventsSettings) -> EventsShelf:
        """Opens the shelf; needs nothing but the database."""
        return EventsShelf(resources.database, title=self.title, description=self.description)

    def seed(self, database: Database, settings: EventsSettings, report: Report) -> bool:
        """Loads the embedded sample where it is absent or of another version, unless it was removed."""
        version = f"sample-{blake2b(SAMPLE.read_bytes(), digest_size=6).hexdigest()}"
        return seed_once(database, self.name, version, partial(_write_sample, report=report))

    def remove_sample(self, database: Database) -> int | None:
        """Removes the embedded sample for good; what was imported stays."""
        return remove_once(database, self.name, remove_samples)


def read_sample(path: Path = SAMPLE) -> list[EventInput]:
    """The embedded events. Raises ValueError for one that the import would reject: a fault of ours."""
    with path.open("rb") as file:
        items = list(read_jsonl(file))
    events: list[EventInput] = []
    for item in items:
        if isinstance(item, Rejected):
            raise ValueError(f"{path.name}, line {item.line}: {' '.join(item.reasons)}")
        events.append(item.event)
    return events


def _write_sample(connection: sa.Connection, report: Report) -> None:
    events: Sequence[EventInput] = read_sample()
    report("rows", 0, len(events))
    remove_samples(connection)
    for start in range(0, len(events), BATCH):
        upsert(connection, events[start : start + BATCH], sample=True)
    report("rows", len(events), len(events))
