"""Spells, creatures and documents in the database: where each attribute lies, and the shelf that reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import SQLModel

from sources.criteria import EVERYTHING
from sources.database import Database
from sources.dnd.records import Document
from sources.dnd.rows import CREATURE_DECODERS, SPELL_DECODERS, Decoder
from sources.dnd.tables import (
    CreatureAlignmentRow,
    CreatureConditionRow,
    CreatureDamageRow,
    CreatureEnvironmentRow,
    CreatureRow,
    DocumentRow,
    SpellClassRow,
    SpellDamageTypeRow,
    SpellRow,
)
from sources.errors import LoregraphError
from sources.seeding import seed_state
from sources.source import RecordCount, Shelf, SourceLicence, SourceState, SourceStatus
from sources.sql_store import SqlStore
from sources.table_map import ColumnSpec, FacetSpec, JoinSpec, TableMap

SPELL_TEXT = "dnd_spell_text"
CREATURE_TEXT = "dnd_creature_text"

_BOOLEAN_DECODERS = frozenset({bool})


def _table(row: type[SQLModel]) -> sa.Table:
    table = row.__table__  # type: ignore[attr-defined]
    assert isinstance(table, sa.Table)
    return table


_DOCUMENT = _table(DocumentRow)


def _columns(table: sa.Table, decoders: Mapping[str, Decoder]) -> dict[str, ColumnSpec]:
    """Every column of a record's table, and those of its document that a record's `source` needs."""
    specs: dict[str, ColumnSpec] = {}
    for column in table.columns:
        if column.name == "name_folded":
            continue
        folded = column
        if column.name == "name":
            folded = table.c.name_folded
        decode = decoders.get(column.name)
        specs[column.name] = ColumnSpec(
            expression=column,
            nullable=bool(column.nullable),
            folded=folded if isinstance(column.type, sa.String) else None,
            # SQLAlchemy's own type already reads truth values.
            decode=None if decode in _BOOLEAN_DECODERS else decode,
        )
    for name in ("name", "url", "licence", "attribution"):
        specs[f"document_{name}"] = ColumnSpec(_DOCUMENT.c[name], folded=_DOCUMENT.c[name], join="document")
    return specs


def _facet(row: type[SQLModel], owner: str, value: str, **fixed: str) -> FacetSpec:
    table = _table(row)
    where = tuple(table.c[name] == sa.literal_column(f"'{word}'") for name, word in fixed.items())
    return FacetSpec(table, table.c[owner], table.c[value], where)


def _joins(table: sa.Table) -> dict[str, JoinSpec]:
    return {"document": JoinSpec(_DOCUMENT, _DOCUMENT.c.key == table.c.document_key)}


_SPELL = _table(SpellRow)
_CREATURE = _table(CreatureRow)

SPELLS = TableMap(
    kind="spell",
    table=_SPELL,
    key="key",
    columns=_columns(_SPELL, SPELL_DECODERS),
    facets={
        "classes": _facet(SpellClassRow, "spell_key", "class_key"),
        "damage_types": _facet(SpellDamageTypeRow, "spell_key", "damage_type"),
    },
    texts={"text": SPELL_TEXT},
    joins=_joins(_SPELL),
)

CREATURES = TableMap(
    kind="creature",
    table=_CREATURE,
    key="key",
    columns=_columns(_CREATURE, CREATURE_DECODERS),
    facets={
        "alignments": _facet(CreatureAlignmentRow, "creature_key", "alignment"),
        "environments": _facet(CreatureEnvironmentRow, "creature_key", "environment"),
        "condition_immunities": _facet(CreatureConditionRow, "creature_key", "condition"),
        "damage_immunity_types": _facet(
            CreatureDamageRow, "creature_key", "damage_type", relation="immunity"
        ),
        "damage_resistance_types": _facet(
            CreatureDamageRow, "creature_key", "damage_type", relation="resistance"
        ),
        "damage_vulnerability_types": _facet(
            CreatureDamageRow, "creature_key", "damage_type", relation="vulnerability"
        ),
    },
    texts={"text": CREATURE_TEXT},
    joins=_joins(_CREATURE),
)


def _documents_query() -> sa.Select[Any]:
    return sa.select(*(_DOCUMENT.c[name] for name in Document.__dataclass_fields__))


def _class_keys_query() -> sa.Select[Any]:
    return sa.select(_table(SpellClassRow).c.class_key).distinct()


def _casting_times_query() -> sa.Select[Any]:
    return sa.select(_SPELL.c.casting_time).distinct()


def _environments_query() -> sa.Select[Any]:
    return sa.select(_table(CreatureEnvironmentRow).c.environment).distinct()


def _spell_keys_query() -> sa.Select[Any]:
    return sa.select(_SPELL.c.key, _SPELL.c.document_key)


def _creature_keys_query() -> sa.Select[Any]:
    return sa.select(_CREATURE.c.key, _CREATURE.c.document_key)


_WORD_QUERIES = {
    "classes": _class_keys_query,
    "casting_time": _casting_times_query,
    "environments": _environments_query,
}
_KEY_QUERIES = {"spell": _spell_keys_query, "creature": _creature_keys_query}


class DndShelf(Shelf):
    """The opened D&D source: its stores, and the small vocabularies that filters are checked against.

    The vocabularies are read once for each version of the data.
    """

    def __init__(self, database: Database, *, title: str, description: str) -> None:
        self.database = database
        self.spells = SqlStore(database, SPELLS)
        self.creatures = SqlStore(database, CREATURES)
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
        """The keys of an open vocabulary that occur, sorted: `classes`, `casting_time` or `environments`."""
        if vocabulary not in self._held:
            rows = await self.spells.rows(f"dnd.words.{vocabulary}", _WORD_QUERIES[vocabulary])
            self._held[vocabulary] = tuple(sorted(row[0] for row in rows))
        return self._held[vocabulary]  # type: ignore[no-any-return]

    async def keys(self, kind: str) -> Mapping[str, str]:
        """The keys of all records of a kind, each with its document's key."""
        name = f"{kind}.keys"
        if name not in self._held:
            rows = await self.spells.rows(f"dnd.{name}", _KEY_QUERIES[kind])
            self._held[name] = dict(rows)
        return self._held[name]  # type: ignore[no-any-return]

    async def status(self) -> SourceStatus:
        """Health and contents, asked of the database itself."""
        try:
            version, _ = await self.data()
            counts = tuple(
                [
                    RecordCount(store.kind, await store.count(EVERYTHING))
                    for store in (self.spells, self.creatures)
                ]
            )
            documents = await self.documents()
        except LoregraphError as error:
            return self._status(SourceState.UNAVAILABLE, str(error))
        if not version:
            return self._status(
                SourceState.UNAVAILABLE,
                "No records are held. Run `loregraph seed` to load the embedded SRD 5.1.",
            )
        licences = {
            document.licence: SourceLicence(document.licence, document.licence_url, document.attribution)
            for document in documents.values()
        }
        return self._status(SourceState.READY, None, version, counts, tuple(licences.values()))

    def _status(
        self,
        state: SourceState,
        message: str | None,
        version: str | None = None,
        counts: tuple[RecordCount, ...] = (),
        licences: tuple[SourceLicence, ...] = (),
    ) -> SourceStatus:
        return SourceStatus("dnd", self._title, self._description, state, message, version, counts, licences)
