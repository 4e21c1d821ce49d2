"""The opened D&D source: the stores of its records, and the small vocabularies beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from operator import itemgetter
from typing import Any

import sqlalchemy as sa

from sources.database import Database
from sources.dnd.dnd5e_client import Dnd5e
from sources.dnd.dnd5e_probe import probe_dnd5e
from sources.dnd.document_store import DocumentStore
from sources.dnd.keys import KeyIndex
from sources.dnd.mapping import DOCUMENT, table_of
from sources.dnd.maps import CREATURES, SPELLS
from sources.dnd.maps_equipment import EQUIPMENT, RULES, WORD_QUERIES
from sources.dnd.maps_options import (
    CHARACTER_OPTIONS,
    CLASS_FEATURES,
    CLASS_LEVELS,
    CLASS_SPELLS,
    SPECIES_TRAITS,
    SUBCLASS_SPELLS,
    TRAITS,
)
from sources.dnd.mirror_staging import HELD, STAGING, read_state, rejects_query, state_query
from sources.dnd.open5e_client import NAME, Open5e
from sources.dnd.open5e_probe import probe_open5e
from sources.dnd.records import Document
from sources.dnd.rows import document_record
from sources.dnd.tables import CreatureEnvironmentRow, SpellClassRow
from sources.errors import LoregraphError
from sources.reading import this_reading
from sources.seeding import HeldData, held_data
from sources.source import Probe, RecordCount, Shelf, SourceLicence, SourceState, SourceStatus
from sources.sql_store import SqlStore
from sources.table_map import TableMap


def _documents_query() -> sa.Select[Any]:
    return sa.select(*(DOCUMENT.c[name] for name in Document.__dataclass_fields__))


def _class_keys_query() -> sa.Select[Any]:
    return sa.select(table_of(SpellClassRow).c.class_key).distinct()


def _casting_times_query() -> sa.Select[Any]:
    return sa.select(SPELLS.table.c.casting_time).distinct()


def _environments_query() -> sa.Select[Any]:
    return sa.select(table_of(CreatureEnvironmentRow).c.environment).distinct()


def _keys_query(table_map: TableMap) -> sa.Select[Any]:
    return sa.select(table_map.table.c.key, table_map.table.c.document_key)


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
    **WORD_QUERIES,
}
_MAPS = (SPELLS, CREATURES, EQUIPMENT, RULES, CHARACTER_OPTIONS)
_KEY_QUERIES = {one.kind: partial(_keys_query, one) for one in _MAPS}


def _counts_query() -> sa.CompoundSelect[Any]:
    """Document, place of the table in `_MAPS`, kind and number; tables of several kinds tell them apart."""
    counts = []
    for place, one in enumerate(_MAPS):
        columns = one.table.c
        kind = columns.kind if "kind" in one.columns else sa.literal_column(f"'{one.kind}'", sa.Text())
        number = sa.func.count()
        query = sa.select(columns.document_key, sa.literal_column(str(place), sa.Integer()), kind, number)
        # A constant in GROUP BY would be read as the number of a column.
        grouped = [columns.document_key, *([kind] if "kind" in one.columns else [])]
        counts.append(query.select_from(one.table).group_by(*grouped))
    return sa.union_all(*counts)


_REJECTS = partial(rejects_query, HELD)
_STAGED = partial(state_query, STAGING)
_STAGED_REJECTS = partial(rejects_query, STAGING)

FEW_REJECTS = 10
"""So many records that were turned away are named, each with its reason."""

NOTHING = HeldData("", 0, datetime.fromtimestamp(0, UTC))
"""What a database holds that was never seeded."""


class _Edition:
    """One version of the data, and the vocabularies that were read of it.

    Whoever began to read a vocabulary puts it into the edition that it began with: what was read before the data
    changed never passes for what was read after.
    """

    __slots__ = ("data", "words")

    def __init__(self, data: HeldData) -> None:
        self.data = data
        self.words: dict[str, Any] = {}


class DndShelf(Shelf):
    """The opened D&D source: its stores, and the small vocabularies that filters are checked against.

    The vocabularies are read once for each version of the data, which other processes may move at any time.
    `open5e` and `dnd5e` are the live APIs, null where they are turned off.
    """

    def __init__(
        self,
        database: Database,
        *,
        title: str,
        description: str,
        open5e: Open5e | None = None,
        dnd5e: Dnd5e | None = None,
    ) -> None:
        self.open5e = open5e
        self.dnd5e = dnd5e
        self.database = database
        self.spells = SqlStore(database, SPELLS)
        self.creatures = SqlStore(database, CREATURES)
        self.equipment = SqlStore(database, EQUIPMENT)
        self.rules = SqlStore(database, RULES)
        self.rulebooks = DocumentStore(self.documents)
        self.options = SqlStore(database, CHARACTER_OPTIONS)
        self.class_features = SqlStore(database, CLASS_FEATURES)
        self.class_levels = SqlStore(database, CLASS_LEVELS)
        self.class_spells = SqlStore(database, CLASS_SPELLS)
        self.subclass_spells = SqlStore(database, SUBCLASS_SPELLS)
        self.traits = SqlStore(database, TRAITS)
        self.species_traits = SqlStore(database, SPECIES_TRAITS)
        self._title = title
        self._description = description
        self._newest = _Edition(NOTHING)

    async def data(self) -> HeldData:
        """The version of the records that are held, and when they last changed; `NOTHING` without any.

        The same for all that one answer reads.
        """
        return (await self._edition()).data

    async def _edition(self) -> _Edition:
        reading = this_reading()
        pinned: _Edition | None = None if reading is None else reading.pinned(self)
        if pinned is not None:
            return pinned
        data = await self._look()
        if data != self._newest.data:
            self._newest = _Edition(data)
        edition = self._newest
        return edition if reading is None else reading.pin(self, edition, data, self._look)

    async def _look(self) -> HeldData:
        return await held_data(self.database, "dnd") or NOTHING

    async def documents(self) -> Mapping[str, Document]:
        """Every document that records are held of, by key."""
        words = (await self._edition()).words
        if "documents" not in words:
            rows = await self.spells.rows("dnd.documents", _documents_query)
            words["documents"] = {row[0]: document_record(row) for row in rows}
        return words["documents"]  # type: ignore[no-any-return]

    async def words(self, vocabulary: str) -> Sequence[str]:
        """The keys of an open vocabulary that occur, sorted.

        `classes` are those with spells, `character_classes` all classes, `species` those that are no subspecies;
        besides there are `casting_time`, `environments`, `categories`, `properties`, `damage_dice` and `section`.
        """
        words = (await self._edition()).words
        if vocabulary not in words:
            rows = await self.spells.rows(f"dnd.words.{vocabulary}", _WORD_QUERIES[vocabulary])
            words[vocabulary] = tuple(sorted(row[0] for row in rows))
        return words[vocabulary]  # type: ignore[no-any-return]

    async def keys(self, kind: str) -> KeyIndex:
        """The keys of all records of a store's kind, each with its document's key, and by slug.

        A document is its own.
        """
        if kind == self.rulebooks.kind:
            return KeyIndex((key, key) for key in await self.documents())
        name, words = f"{kind}.keys", (await self._edition()).words
        if name not in words:
            rows = await self.spells.rows(f"dnd.{name}", _KEY_QUERIES[kind])
            words[name] = KeyIndex(rows)
        return words[name]  # type: ignore[no-any-return]

    async def counts(self) -> Mapping[str, Sequence[RecordCount]]:
        """How many records of each kind there are of each document; one statement for all of them."""
        rows = await self.spells.rows("dnd.counts", _counts_query)
        found: dict[str, list[RecordCount]] = {}
        for document, _, kind, count in sorted(rows, key=itemgetter(0, 1, 2)):
            found.setdefault(document, []).append(RecordCount(kind, count))
        return found

    async def status(self) -> SourceStatus:
        """Health and contents, asked of the database itself."""
        try:
            data = await self.data()
            totals: dict[str, int] = {}
            for counts in (await self.counts()).values():
                for one in counts:
                    totals[one.kind] = totals.get(one.kind, 0) + one.count
            documents = await self.documents()
        except LoregraphError as error:
            return self._status(SourceState.UNAVAILABLE, error.public)
        if data is NOTHING:
            return self._status(
                SourceState.UNAVAILABLE,
                "No records are held. Run `loregraph seed` to load the embedded SRD 5.1.",
            )
        counted = tuple(RecordCount(kind, count) for kind, count in totals.items())
        licences = {
            document.licence: SourceLicence(document.licence, document.licence_url, document.attribution)
            for document in documents.values()
        }
        return self._status(
            SourceState.READY, None, _version_text(data, documents), counted, tuple(licences.values())
        )

    async def complaints(self) -> tuple[str, ...]:
        """Records of the mirror that were turned away, and a mirror that was begun and not finished."""
        found: list[str] = []
        rejects = await self.spells.rows("dnd.mirror.rejects", _REJECTS)
        if rejects:
            named = [_reject_text(*row) for row in rejects[:FEW_REJECTS]]
            more = f"; and {len(rejects) - FEW_REJECTS} more" if len(rejects) > FEW_REJECTS else ""
            found.append(
                f"The mirror of {NAME} is without {len(rejects)} record{'' if len(rejects) == 1 else 's'}"
                " that could not be used:"
                f" {'; '.join(named)}{more}. `loregraph sync open5e` tries them again."
            )
        rows = await self.spells.rows("dnd.mirror.staging", _STAGED)
        staged = read_state(rows[0] if rows else None)
        if staged is not None:
            rejects = await self.spells.rows("dnd.mirror.failed", _STAGED_REJECTS)
            why = "".join(f" {_reject_text(*row)}." for row in rejects[:FEW_REJECTS])
            found.append(
                f"The mirror of {NAME} that was begun on {staged.begun_at:%Y-%m-%d %H:%M} UTC is not finished."
                f" {staged.problem or 'Unless it is running,'}{why} `loregraph sync open5e` goes on with it."
            )
        return tuple(found)

    async def probe(self) -> Sequence[Probe]:
        """Tries what is declared of the live APIs on them; nothing where they are turned off."""
        of_open5e = await probe_open5e(self.open5e) if self.open5e is not None else []
        of_dnd5e = await probe_dnd5e(self.dnd5e) if self.dnd5e is not None else []
        return [*of_open5e, *of_dnd5e]

    def _status(
        self,
        state: SourceState,
        message: str | None,
        version: str | None = None,
        counts: tuple[RecordCount, ...] = (),
        licences: tuple[SourceLicence, ...] = (),
    ) -> SourceStatus:
        return SourceStatus("dnd", self._title, self._description, state, message, version, counts, licences)


def _reject_text(list_: str, key: str | None, reason: str) -> str:
    return f"{list_}{'' if key is None else f' `{key}`'}: {reason}"


def _version_text(data: HeldData, documents: Mapping[str, Document]) -> str:
    """The version for people: of the embedded data, and of the mirror if there is one."""
    mirrored = [document.mirrored_at for document in documents.values() if document.mirrored_at is not None]
    if not mirrored:
        return data.seeded
    return f"{data.seeded}; Open5e as of {max(mirrored):%Y-%m-%d %H:%M} UTC"
