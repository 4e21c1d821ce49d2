"""How far the index of each collection of vectors is, in SQL, so that every process can tell.

Like `data_version`, the table belongs to no room and its shape is fixed, so seeding makes it and not a migration.
It says what the builder last found; what is in Chroma itself is checked by whoever asks it.
"""

from __future__ import annotations

from collections.abc import Collection as AnyOf
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from sources.database import Database, cached_statement

_STATES = sa.Table(
    "index_state",
    sa.MetaData(),
    sa.Column("collection", sa.Text, primary_key=True),
    sa.Column("room", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=True),
    sa.Column("indexed", sa.BigInteger, nullable=False),
    sa.Column("total", sa.BigInteger, nullable=False),
    sa.Column("message", sa.Text, nullable=True),
    sa.Column("updated_at", sa.Text, nullable=False),
)

INDEX_STATE = str(_STATES.name)
INDEX_STATE_COLUMNS = frozenset(_STATES.c.keys())


@dataclass(frozen=True, slots=True)
class IndexState:
    """How far one collection is.

    - `version`: that of the texts which the collection holds, all of them; None while some are missing or old
    - `indexed`, `total`: how many texts have their vector, of how many
    - `message`: what kept the builder from going on, for the caller; None when nothing did
    """

    collection: str
    room: str
    model: str
    version: str | None
    indexed: int
    total: int
    message: str | None = None


def make_index_states(connection: sa.Connection) -> None:
    """Makes the table where it is not there yet."""
    _STATES.create(connection, checkfirst=True)


def write_index_state(database: Database, state: IndexState) -> None:
    """Replaces the state of a collection. Blocks: off the event loop."""
    row = {
        "collection": state.collection,
        "room": state.room,
        "model": state.model,
        "version": state.version,
        "indexed": state.indexed,
        "total": state.total,
        "message": state.message,
        "updated_at": datetime.now(UTC).isoformat(),
    }
    with database.writing() as session:
        connection = session.connection()
        connection.execute(sa.delete(_STATES).where(_STATES.c.collection == state.collection))
        connection.execute(sa.insert(_STATES).values(row))


def remove_index_states(database: Database, collections: AnyOf[str]) -> None:
    """Forgets collections that are no more. Blocks: off the event loop."""
    with database.writing() as session:
        session.connection().execute(sa.delete(_STATES).where(_STATES.c.collection.in_(list(collections))))


async def index_states(database: Database, room: str) -> Sequence[IndexState]:
    """The states of a room's collections, by their names."""
    statement = cached_statement(database.dialect, "index_states", _by_room)
    return [_read(row) for row in await database.fetch(statement, (room,))]


async def index_state(database: Database, collection: str) -> IndexState | None:
    """The state of one collection; None when the builder never came to it."""
    statement = cached_statement(database.dialect, "index_state", _by_collection)
    row = await database.fetch_one(statement, (collection,))
    return None if row is None else _read(row)


def _read(row: tuple[Any, ...]) -> IndexState:
    return IndexState(*row)


def _columns() -> sa.Select[Any]:
    columns = (
        _STATES.c.collection,
        _STATES.c.room,
        _STATES.c.model,
        _STATES.c.version,
        _STATES.c.indexed,
        _STATES.c.total,
        _STATES.c.message,
    )
    return sa.select(*columns)


def _by_room() -> sa.Select[Any]:
    return _columns().where(_STATES.c.room == sa.bindparam("room")).order_by(_STATES.c.collection)


def _by_collection() -> sa.Select[Any]:
    return _columns().where(_STATES.c.collection == sa.bindparam("collection"))
