"""The opened D&D source: the stores of its records, and the small vocabularies beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from sources.criteria import EVERYTHING
from sources.database import Database
from sources.dnd.mapping import DOCUMENT, table_of
from sources.dnd.maps import CREATURES, SPELLS
from sources.dnd.maps_options import (
    CHARACTER_OPTIONS,
    CLASS_FEATURES,
    CLASS_LEVELS,
    CLASS_SPELLS,
    SPECIES_TRAITS,
    SUBCLASS_SPELLS,
    TRAITS,
)
from sources.dnd.records import Document
from sources.dnd.tables import CreatureEnvironmentRow, SpellClassRow
from sources.errors import LoregraphError
from sources.seeding import seed_state
from sources.source import RecordCount, Shelf, SourceLicence, SourceState, SourceStatus
from sources.sql_store import SqlStore


def _documents_query() -> sa.Select[Any]:
    return sa.select(*(DOCUMENT.c[name] for name in Document.__dataclass_fields__))


def _class_keys_query() -> sa.Select[Any]:
    return sa.select(table_of(SpellClassRow).c.class_key).distinct()


def _casting_times_query() -> sa.Select[Any]:
    return sa.select(SPELLS.table.c.casting_time).distinct()


def _environments_query() -> sa.Select[Any]:
    return sa.select(table_of(CreatureEnvironmentRow).c.environment).distinct()


def _spell_keys_query() -> sa.Select[Any]:
    return sa.select(SPELLS.table.c.key, SPELLS.table.c.document_key)


def _creature_keys_query() -> sa.Select[Any]:
    return sa.select(CREATURES.table.c.key, CREATURES.table.c.document_key)


def _option_keys_query() -> sa.Select[Any]:
    return sa.select(CHARACTER_OPTIONS.table.c.key, CHARACTER_OPTIONS.table.c.document_key)


def _option_counts_query() -> sa.Select[Any]:
    kind = CHARACTER_OPTIONS.table.c.kind
    return sa.select(kind, sa.func.count()).group_by(kind)


def _character_classes_query() -> sa.Select[Any]:
    options = CHARACTER_OPTIONS.table.c
    return sa.select(options.key).where(options.kind == sa.literal_column("'class'"))


def _species_query() -> sa.Select[Any]:
    options = CHARACTER_OPTIONS.table.c
    return sa.select(options.key).where(
        options.kind == sa.literal_column("'species'"), options.subspecies_of.is_(None)
    )


_WORD_QUERIES = {
    "classes": _class_keys_query,
    "casting_time": _casting_times_query,
    "environments": _environments_query,
    "character_classes": _character_classes_query,
    "species": _species_query,
}
_KEY_QUERIES = {
    "spell": _spell_keys_query,
    "creature": _creature_keys_query,
    "character_option": _option_keys_query,
}
_OPTION_KINDS = ("class", "subclass", "species", "background", "feat")


class KeyIndex(dict[str, str]):
    """The document of each key; `by_slug` holds the keys that share a slug, the part behind the prefix."""

    def __init__(self, rows: Iterable[tuple[str, str]]) -> None:
        super().__init__(rows)
        by_slug: dict[str, list[str]] = defaultdict(list)
        for key in self:
            by_slug[key.partition("_")[2]].append(key)
        self.by_slug: Mapping[str, Sequence[str]] = dict(by_slug)


class DndShelf(Shelf):
    """The opened D&D source: its stores, and the small vocabularies that filters are checked against.

    The vocabularies are read once for each version of the data.
    """

    def __init__(self, database: Database, *, title: str, description: str) -> None:
        self.database = database
        self.spells = SqlStore(database, SPELLS)
        self.creatures = SqlStore(database, CREATURES)
        self.options = SqlStore(database, CHARACTER_OPTIONS)
        self.class_features = SqlStore(database, CLASS_FEATURES)
        self.class_levels = SqlStore(database, CLASS_LEVELS)
        self.class_spells = SqlStore(database, CLASS_SPELLS)
        self.subclass_spells = SqlStore(database, SUBCLASS_SPELLS)
        self.traits = SqlStore(database, TRAITS)
        self.species_traits = SqlStore(database, SPECIES_TRAITS)
        self._title = title
        self._description = description
        self._held: dict[str, Any] = {}
        self._version: str | None = None

    async def data(self) -> tuple[str, datetime]:
        """The version of the records that are held, and when they were written. Nothing held: `("", epoch)`."""
        state = await seed_state(self.database, "dnd")
        version, written = ("", datetime.fromtimestamp(0, UTC)) if state is None else state
        if version != self._version:
            self._held.clear()
            self._version = version
        return version, written

    async def documents(self) -> Mapping[str, Document]:
        """Every document that records are held of, by key."""
        if "documents" not in self._held:
            rows = await self.spells.rows("dnd.documents", _documents_query)
            self._held["documents"] = {row[0]: Document(*row) for row in rows}
        return self._held["documents"]  # type: ignore[no-any-return]

    async def words(self, vocabulary: str) -> Sequence[str]:
        """The keys of an open vocabulary that occur, sorted.

        `classes` are those with spells, `character_classes` all classes, `species` those that are no subspecies;
        besides there are `casting_time` and `environments`.
        """
        if vocabulary not in self._held:
            rows = await self.spells.rows(f"dnd.words.{vocabulary}", _WORD_QUERIES[vocabulary])
            self._held[vocabulary] = tuple(sorted(row[0] for row in rows))
        return self._held[vocabulary]  # type: ignore[no-any-return]

    async def keys(self, kind: str) -> KeyIndex:
        """The keys of all records of a kind, each with its document's key, and by slug."""
        name = f"{kind}.keys"
        if name not in self._held:
            rows = await self.spells.rows(f"dnd.{name}", _KEY_QUERIES[kind])
            self._held[name] = KeyIndex(rows)
        return self._held[name]  # type: ignore[no-any-return]

    async def status(self) -> SourceStatus:
        """Health and contents, asked of the database itself."""
        try:
            version, _ = await self.data()
            counts = [
                RecordCount(store.kind, await store.count(EVERYTHING))
                for store in (self.spells, self.creatures)
            ]
            held: dict[str, int] = dict(await self.options.rows("dnd.option_counts", _option_counts_query))
            counts += [RecordCount(kind, held.get(kind, 0)) for kind in _OPTION_KINDS]
            documents = await self.documents()
        except LoregraphError as error:
            return self._status(SourceState.UNAVAILABLE, error.public)
        if not version:
            return self._status(
                SourceState.UNAVAILABLE,
                "No records are held. Run `loregraph seed` to load the embedded SRD 5.1.",
            )
        licences = {
            document.licence: SourceLicence(document.licence, document.licence_url, document.attribution)
            for document in documents.values()
        }
        return self._status(SourceState.READY, None, version, tuple(counts), tuple(licences.values()))

    def _status(
        self,
        state: SourceState,
        message: str | None,
        version: str | None = None,
        counts: tuple[RecordCount, ...] = (),
        licences: tuple[SourceLicence, ...] = (),
    ) -> SourceStatus:
        return SourceStatus("dnd", self._title, self._description, state, message, version, counts, licences)
