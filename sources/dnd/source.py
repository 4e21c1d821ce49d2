"""The D&D source: how it is seeded and opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import sqlalchemy as sa

from sources.database import Database
from sources.dnd.dnd5e_client import HEADERS, Dnd5e, host_limits
from sources.dnd.dnd5e_client import NAME as DND5E
from sources.dnd.embedded import read_embedded
from sources.dnd.mirror import Open5eMirror, content_with_mirror
from sources.dnd.open5e_client import NAME, Open5e
from sources.dnd.settings import DndSettings
from sources.dnd.store import DndShelf
from sources.dnd.writing import write_content
from sources.mirroring import Mirror
from sources.seeding import seed_once
from sources.source import Report, Resources, Source


class DndSource(Source[DndSettings]):
    """The rules content of fifth edition. SRD 5.1 is embedded, so that it answers without a network."""

    name: ClassVar[str] = "dnd"
    title: ClassVar[str] = "Dungeons & Dragons, fifth edition"
    description: ClassVar[str] = (
        "Spells, creatures, equipment, character options and rules of the fifth edition, each with its document "
        "and licence."
    )
    settings_type = DndSettings
    mirrors: ClassVar[Mapping[str, Mirror]] = {"open5e": Open5eMirror()}

    async def open(self, resources: Resources, settings: DndSettings) -> DndShelf:
        """Opens the shelf on migrated tables. The live API is asked nothing until a question needs it."""
        open5e = None
        if settings.open5e_live:
            open5e = Open5e(resources.http.trusted(NAME, settings.open5e_url))
        dnd5e = None
        if settings.dnd5e_live:
            http = resources.http.trusted(
                DND5E, settings.dnd5e_url, headers=HEADERS, limits=host_limits(settings.dnd5e_rate)
            )
            dnd5e = Dnd5e(http, settings.dnd5e_url)
        return DndShelf(
            resources.database, title=self.title, description=self.description, open5e=open5e, dnd5e=dnd5e
        )

    def seed(self, database: Database, settings: DndSettings, report: Report) -> bool:
        """Loads the embedded SRD 5.1 where it is absent or of another version, merged with a mirror that is held."""
        data = read_embedded()

        def write(connection: sa.Connection) -> None:
            write_content(connection, content_with_mirror(connection, data), report, every_text=True)

        return seed_once(database, self.name, data.version, write)
