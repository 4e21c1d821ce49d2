"""The memory source: how it is seeded, opened, imported into and managed."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import sqlalchemy as sa

from sources.database import Database
from sources.embedders import MINILM
from sources.memory import guide
from sources.memory.importer import MemoryImporter
from sources.memory.records import GUIDE
from sources.memory.registry import MemoryRegistry, insert_database
from sources.memory.settings import MemorySettings
from sources.memory.store import MemoryShelf
from sources.memory.tables import DATABASE, ENTRY
from sources.memory.writing import write_entries
from sources.seeding import seed_once
from sources.source import Report, Resources, Source


class MemorySource(Source[MemorySettings]):
    """Databases of entries; the one that comes with loregraph explains it."""

    name: ClassVar[str] = "memory"
    title: ClassVar[str] = "Memory"
    description: ClassVar[str] = (
        "Databases of notes and texts, found by meaning; `guide` explains how to use this server."
    )
    settings_type = MemorySettings
    importer = MemoryImporter()
    registry = MemoryRegistry()

    async def open(self, resources: Resources, settings: MemorySettings) -> MemoryShelf:
        """Opens the shelf; vectors are opened by whoever keeps them up to date."""
        return MemoryShelf(
            resources.database, resources.semantic, title=self.title, description=self.description
        )

    def seed(self, database: Database, settings: MemorySettings, report: Report) -> bool:
        """Loads the documents of this version as the database `guide`; what was put in others stays."""
        texts = guide.documents()
        return seed_once(database, self.name, guide.version_of(texts), partial(_write_guide, texts, report))


def _write_guide(texts: list[tuple[str, str]], report: Report, connection: sa.Connection) -> None:
    drafts = guide.chunks(texts)
    report("entries", 0, len(drafts))
    held = connection.execute(sa.select(DATABASE.c.embedded).where(DATABASE.c.name == GUIDE)).scalar()
    if held is None:
        insert_database(connection, GUIDE, guide.DESCRIPTION, MINILM, public=True, embedded=True)
    elif not held:
        # A person made a database of this name before there was an embedded one: it is theirs.
        return
    old = connection.execute(sa.select(ENTRY.c.entry_id).where(ENTRY.c.database == GUIDE)).scalars()
    write_entries(connection, GUIDE, drafts, list(old))
    report("entries", len(drafts), len(drafts))
