"""Where entries lie in the database, and the shelf that reads them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from sources.criteria import Criteria
from sources.data_version import data_version
from sources.database import Database, cached_statement
from sources.errors import LoregraphError
from sources.index_state import index_states
from sources.indexing import Indexable
from sources.memory.external import ExternalStores
from sources.memory.records import KIND, entry_key, split_key
from sources.memory.registry import kept_databases
from sources.memory.tables import ENTRY, ENTRY_TEXT, PAIR
from sources.page import Slice
from sources.registry import KeptDatabase
from sources.semantic import SemanticIndex
from sources.source import RecordCount, Shelf, SourceLicence, SourceState, SourceStatus
from sources.sql_store import SqlStore
from sources.table_map import ColumnSpec, FacetSpec, TableMap
from sources.text_index import Dialect

ENTRIES = TableMap(
    kind=KIND,
    table=ENTRY,
    key="key",
    columns={
        "key": ColumnSpec(ENTRY.c.key, folded=ENTRY.c.key),
        "database": ColumnSpec(ENTRY.c.database, folded=ENTRY.c.database),
        "entry_id": ColumnSpec(ENTRY.c.entry_id, folded=ENTRY.c.entry_id),
        "content": ColumnSpec(ENTRY.c.content),
        "metadata": ColumnSpec(ENTRY.c.metadata_json, decode=orjson.loads),
        "timestamp": ColumnSpec(ENTRY.c.timestamp, nullable=True),
    },
    facets={"metadata_pairs": FacetSpec(PAIR, PAIR.c.entry, PAIR.c.pair)},
    texts={"text": ENTRY_TEXT},
)
"""`timestamp` is whole microseconds since 1970, in questions, records and cursors."""

LICENCE = SourceLicence(
    "Apache-2.0",
    "https://www.apache.org/licenses/LICENSE-2.0",
    "The documents of loregraph, in the database `guide`. Other databases are the operator's own.",
)


class EntryTexts(Indexable):
    """The entries of one database, as they are indexed."""

    room = "memory"

    def __init__(self, database: Database, kept: KeptDatabase) -> None:
        self._database = database
        self._kept = kept
        self.collection = collection_of(kept.name)
        self.embedder = kept.embedder

    async def version(self) -> str:
        """The revision of the database, as it was when it was read."""
        return self._kept.revision

    async def hashes(self) -> Mapping[str, str]:
        """The hash of each entry's content, by its id."""
        statement = cached_statement(self._database.dialect, "memory.hashes", _hashes_query)
        rows = await self._database.fetch(statement, (self._kept.name,))
        return dict(rows)

    async def texts(self, ids: Sequence[str]) -> Mapping[str, str]:
        """The contents that exist among `ids`."""
        return await entry_texts(self._database, self._kept.name, ids)


def collection_of(name: str) -> str:
    """The collection of a database's vectors."""
    return f"memory:{name}"


async def entry_texts(database: Database, name: str, ids: Sequence[str]) -> dict[str, str]:
    """The contents of a database's entries, by their ids."""
    dialect = database.dialect
    keys: Any = [entry_key(name, id_) for id_ in ids]
    statement = cached_statement(dialect, "memory.texts", _TEXTS[dialect])
    rows = await database.fetch(statement, (orjson.dumps(keys).decode() if dialect == "sqlite" else keys,))
    return {split_key(row[0])[1]: row[1] for row in rows}


def _hashes_query() -> sa.Select[Any]:
    return sa.select(ENTRY.c.entry_id, ENTRY.c.text_hash).where(ENTRY.c.database == sa.bindparam("name"))


def _texts_of_sqlite() -> sa.Select[Any]:
    wanted = sa.func.json_each(sa.bindparam("keys", type_=sa.Text())).table_valued("value")
    return sa.select(ENTRY.c.key, ENTRY.c.content).where(ENTRY.c.key.in_(sa.select(wanted.c.value)))


def _texts_of_postgresql() -> sa.Select[Any]:
    wanted = sa.cast(sa.bindparam("keys", type_=ARRAY(sa.Text())), ARRAY(sa.Text()))
    return sa.select(ENTRY.c.key, ENTRY.c.content).where(ENTRY.c.key == sa.any_(wanted))


_TEXTS: Mapping[Dialect, Any] = {"sqlite": _texts_of_sqlite, "postgresql": _texts_of_postgresql}


class MemoryShelf(Shelf):
    """The opened source."""

    def __init__(self, database: Database, semantic: SemanticIndex, *, title: str, description: str) -> None:
        self.database = database
        self.semantic = semantic
        self.entries = SqlStore(database, ENTRIES)
        self.external = ExternalStores(semantic.embedders)
        self._title = title
        self._description = description

    async def databases(self) -> list[KeptDatabase]:
        """All databases, active or not, by name."""
        return await kept_databases(self.database)

    def indexed(self, kept: KeptDatabase) -> EntryTexts:
        """The entries of a managed database as they are indexed."""
        return EntryTexts(self.database, kept)

    async def texts(self, name: str, ids: Sequence[str]) -> dict[str, str]:
        """The contents of the entries that exist among `ids`, in no order."""
        return await entry_texts(self.database, name, ids)

    async def keys(self, criteria: Criteria, most: int) -> list[str]:
        """The keys of up to `most` entries that fulfil `criteria`."""
        page = await self.entries.select(("key",), criteria, (), Slice(most))
        return [record.key for record in page.records]

    async def indexables(self) -> Sequence[Indexable]:
        """The entries of every managed database; an inactive one keeps its vectors up to date as well."""
        return [self.indexed(kept) for kept in await self.databases() if kept.managed]

    async def status(self) -> SourceStatus:
        """Health and contents, and how far the index is."""
        state, message, version = SourceState.READY, None, None
        counts: tuple[RecordCount, ...] = ()
        try:
            kept = await self.databases()
            moved = await data_version(self.database, "memory")
            version = None if moved is None else str(moved.version)
            entries = sum(one.entries or 0 for one in kept)
            counts = (RecordCount("memory_database", len(kept)), RecordCount(KIND, entries))
            progress, problems = await self._progress(kept, entries)
            message = " ".join([*([progress] if progress else []), *problems]) or None
            if problems:
                state = SourceState.DEGRADED
        except LoregraphError as error:
            state, message = SourceState.UNAVAILABLE, error.public
        return SourceStatus(
            "memory", self._title, self._description, state, message, version, counts, (LICENCE,)
        )

    async def _progress(self, kept: Sequence[KeptDatabase], entries: int) -> tuple[str | None, list[str]]:
        """How far the index is, as long as it is not whole, and what keeps it from going on."""
        states = {state.collection: state for state in await index_states(self.database, "memory")}
        indexed = 0
        problems: list[str] = []
        for one in kept:
            state = states.get(collection_of(one.name)) if one.managed else None
            if state is None:
                continue
            whole = state.version == one.revision
            indexed += (one.entries or 0) if whole else min(state.indexed, one.entries or 0)
            if state.message is not None and state.message not in problems:
                problems.append(state.message)
        if indexed == entries:
            return None, problems
        return f"Indexed by meaning: {indexed:,} of {entries:,}; the rest is found by its words.", problems

    async def close(self) -> None:
        """Closes the external stores that were opened."""
        await asyncio.shield(self.external.close())
