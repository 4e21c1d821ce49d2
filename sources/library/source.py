"""The library source: how it is seeded, filled, emptied of its sample, and opened."""

from __future__ import annotations

from typing import ClassVar

from sources.data_version import make_data_versions, move_data_version
from sources.database import Database
from sources.importing import Importer
from sources.library.importer import LibraryImporter
from sources.library.sample import remove_sample, sample_version, write_sample
from sources.library.settings import LibrarySettings
from sources.library.store import LibraryShelf
from sources.seeding import seed_once
from sources.source import Report, Resources, Source


class LibrarySource(Source[LibrarySettings]):
    """Books and papers by what they are about. It comes with a sample, and takes the user's own."""

    name: ClassVar[str] = "library"
    title: ClassVar[str] = "Library"
    description: ClassVar[str] = (
        "Documents such as books and papers, the categories that they are in, and the concepts that they speak of."
    )
    settings_type = LibrarySettings
    importer: ClassVar[Importer | None] = LibraryImporter()

    async def open(self, resources: Resources, settings: LibrarySettings) -> LibraryShelf:
        """Opens the shelf on migrated tables."""
        return LibraryShelf(resources.database, title=self.title, description=self.description)

    def seed(self, database: Database, settings: LibrarySettings, report: Report) -> bool:
        """Loads the sample where it is absent or of another version, unless it was removed."""
        return seed_once(
            database, self.name, sample_version(), lambda connection: write_sample(connection, report)
        )

    def remove_sample(self, database: Database) -> int:
        """Removes the sample for good; what imported documents use of it stays. Returns how many records went."""
        with database.writing() as session:
            connection = session.connection()
            make_data_versions(connection)
            removed = remove_sample(connection)
            move_data_version(connection, self.name)
        return removed
