"""A number for each room that moves with its data, by which caches know whether what they hold still stands.

It is written in the transaction that changes the data: whoever reads the new number reads the new data, and
after a crash both are as they were. Like `seed_state`, the table belongs to no room and its shape is fixed, so
seeding makes it and not a migration.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from sources.database import Database, cached_statement

# Not in SQLModel's metadata: a migration must neither make nor miss this table.
VERSIONS = sa.Table(
    "data_version",
    sa.MetaData(),
    sa.Column("room", sa.Text, primary_key=True),
    sa.Column("version", sa.BigInteger, nullable=False),
    # ISO 8601 with the offset: reads go past SQLAlchemy, and drivers differ in what a time comes back as.
    sa.Column("changed_at", sa.Text, nullable=False),
)
"""One row for each room: how often its data changed, and when it last did."""

DATA_VERSION = str(VERSIONS.name)
DATA_VERSION_COLUMNS = frozenset(VERSIONS.c.keys())


class DataVersion(NamedTuple):
    """How often a room's data changed, and when it last did (UTC)."""

    version: int
    changed_at: datetime


def make_data_versions(connection: sa.Connection) -> None:
    """Makes the table where it is not there yet."""
    VERSIONS.create(connection, checkfirst=True)


def move_data_version(connection: sa.Connection, room: str) -> int:
    """Counts one change of a room's data, in the transaction that makes the change; returns the new number.

    On PostgreSQL the row stays locked until the transaction ends, so two changes of a room never share a number.
    """
    now = datetime.now(UTC).isoformat()
    moved = connection.execute(
        sa.update(VERSIONS)
        .where(VERSIONS.c.room == room)
        .values(version=VERSIONS.c.version + 1, changed_at=now)
    )
    if moved.rowcount == 0:
        connection.execute(sa.insert(VERSIONS).values(room=room, version=1, changed_at=now))
        return 1
    version: int = connection.execute(
        sa.select(VERSIONS.c.version).where(VERSIONS.c.room == room)
    ).scalar_one()
    return version


async def data_version(database: Database, room: str) -> DataVersion | None:
    """The number of a room's data; None when nothing was ever written. `seed_sources` must have run once."""
    statement = cached_statement(database.dialect, DATA_VERSION, _query)
    row = await database.fetch_one(statement, (room,))
    return None if row is None else DataVersion(row[0], datetime.fromisoformat(row[1]))


def _query() -> sa.Select[Any]:
    return sa.select(VERSIONS.c.version, VERSIONS.c.changed_at).where(VERSIONS.c.room == sa.bindparam("room"))
