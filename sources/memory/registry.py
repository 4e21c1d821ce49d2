"""The registry of memory databases: read by every question, written by the commands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import orjson
import sqlalchemy as sa

from sources.data_version import move_data_version
from sources.database import Database, Row, cached_statement
from sources.embedder_settings import EmbedderKind
from sources.embedders import Embedders, EmbedderSpec
from sources.errors import BadInput, shorten
from sources.errors import nearest as nearest_words
from sources.memory.external import ExternalStores
from sources.memory.records import checked_name
from sources.memory.tables import DATABASE
from sources.memory.writing import ROOM, clear_entries
from sources.registry import Changes, KeptDatabase, Location, Registry

_COLUMNS = (
    DATABASE.c.name,
    DATABASE.c.description,
    DATABASE.c.embedder_kind,
    DATABASE.c.embedder_model,
    DATABASE.c.dimension,
    DATABASE.c.active,
    DATABASE.c.public,
    DATABASE.c.embedded,
    DATABASE.c.entries,
    DATABASE.c.revision,
    DATABASE.c.created_at,
    DATABASE.c.location,
)
LONGEST_DESCRIPTION = 1_000

ResultT = TypeVar("ResultT")


def _all_query() -> sa.Select[Any]:
    return sa.select(*_COLUMNS).order_by(DATABASE.c.name)


async def kept_databases(database: Database) -> list[KeptDatabase]:
    """All databases, by name; one short statement."""
    statement = cached_statement(database.dialect, "memory.databases", _all_query)
    return [_read(row) for row in await database.fetch(statement)]


def _read(row: Row | sa.Row[Any]) -> KeptDatabase:
    name, description, kind, model, dimension, active, public, embedded, entries, revision, made, location = (
        tuple(row)
    )
    external = None if location is None else Location(**orjson.loads(location))
    return KeptDatabase(
        name=name,
        description=description,
        embedder=EmbedderSpec(EmbedderKind(kind), model, dimension),
        active=bool(active),
        public=bool(public),
        embedded=bool(embedded),
        entries=entries if external is None else None,
        # A database that was dropped and made again is another one, however often it changed.
        revision=f"{made}:{revision}",
        location=external,
    )


def insert_database(
    connection: sa.Connection,
    name: str,
    description: str,
    embedder: EmbedderSpec,
    *,
    public: bool,
    embedded: bool = False,
    location: Location | None = None,
) -> None:
    """Adds an active database without entries."""
    values: Mapping[str, Any] = {
        "name": name,
        "description": description,
        "embedder_kind": embedder.kind.value,
        "embedder_model": embedder.model,
        "dimension": embedder.dimension,
        "active": True,
        "public": public,
        "embedded": embedded,
        "entries": 0,
        "revision": 0,
        "created_at": datetime.now(UTC).isoformat(),
        "location": None if location is None else orjson.dumps(location).decode(),
    }
    connection.execute(sa.insert(DATABASE).values(values))


class MemoryRegistry(Registry):
    """The databases in SQL."""

    async def all(self, database: Database) -> Sequence[KeptDatabase]:
        """All databases, by name."""
        return await kept_databases(database)

    async def create(
        self, database: Database, name: str, description: str, embedder: EmbedderSpec, *, public: bool
    ) -> None:
        """Makes an empty database, which is active."""
        await self._insert(database, name, description, embedder, public=public)

    async def attach(
        self,
        database: Database,
        name: str,
        description: str,
        embedder: EmbedderSpec,
        location: Location,
        embedders: Embedders,
        *,
        public: bool,
    ) -> int:
        """Makes an existing collection known, after a look at it; returns how many entries it holds."""
        checked_name(name)
        stores = ExternalStores(embedders)
        try:
            count = await stores.check(location, embedder)
        finally:
            await stores.close()
        await self._insert(database, name, description, embedder, public=public, location=location)
        return count

    async def _insert(
        self, database: Database, name: str, description: str, embedder: EmbedderSpec, **rest: Any
    ) -> None:
        checked_name(name)
        said = _checked_description(description)

        def insert(connection: sa.Connection) -> None:
            if name in _names(connection):
                raise BadInput(f"is taken: there is a database `{name}`.", argument="NAME")
            insert_database(connection, name, said, embedder, **rest)

        await _write(database, insert)

    async def change(self, database: Database, name: str, changes: Changes) -> KeptDatabase:
        """Changes what is said of a database; returns it as it is then."""
        values: dict[str, Any] = {}
        if changes.description is not None:
            values["description"] = _checked_description(changes.description)
        if changes.active is not None:
            values["active"] = changes.active
        if changes.public is not None:
            values["public"] = changes.public

        def update(connection: sa.Connection) -> KeptDatabase:
            _check_known(connection, name)
            if values:
                connection.execute(sa.update(DATABASE).where(DATABASE.c.name == name).values(values))
            row = connection.execute(sa.select(*_COLUMNS).where(DATABASE.c.name == name)).one()
            return _read(row)

        return await _write(database, update, moves=bool(values))

    async def drop(self, database: Database, name: str) -> int:
        """Removes a database with its entries; returns how many they were."""

        def delete(connection: sa.Connection) -> int:
            _check_known(connection, name)
            removed = clear_entries(connection, name)
            connection.execute(sa.delete(DATABASE).where(DATABASE.c.name == name))
            return removed

        return await _write(database, delete)


async def _write(
    database: Database, change: Callable[[sa.Connection], ResultT], *, moves: bool = True
) -> ResultT:
    def run() -> ResultT:
        with database.writing() as session:
            connection = session.connection()
            done = change(connection)
            if moves:
                move_data_version(connection, ROOM)
        return done

    return await asyncio.to_thread(run)


def _names(connection: sa.Connection) -> list[str]:
    return list(connection.execute(sa.select(DATABASE.c.name).order_by(DATABASE.c.name)).scalars())


def _check_known(connection: sa.Connection, name: str) -> None:
    known = _names(connection)
    if name not in known:
        raise BadInput(
            f"does not know `{shorten(name)}`.",
            argument="NAME",
            allowed=known,
            suggestions=nearest_words(name, known),
        )


def _checked_description(description: str) -> str:
    said = " ".join(description.split())
    if len(said) > LONGEST_DESCRIPTION or not said.isprintable():
        raise BadInput(
            f"must be printable text of at most {LONGEST_DESCRIPTION} characters.", argument="--description"
        )
    return said
