"""Filling the database with the data that sources bring along, once for each version of that data.

What a source holds is remembered beside it, in one row of `seed_state` that is written in the data's own
transaction: after a crash a source is as it was before, and readers see the old data or the new, never both.
The table belongs to no room and its shape is fixed, so it is made here and not by a migration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from pydantic_settings import BaseSettings

from sources.data_version import (
    DATA_VERSION,
    DATA_VERSION_COLUMNS,
    VERSIONS,
    make_data_versions,
    move_data_version,
)
from sources.database import Database, Statement, cached_statement
from sources.migrations import house_lock, said_in_words
from sources.source import Report, Source

BATCH = 100
"""Rows that are written between two reports."""

# Not in SQLModel's metadata: a migration must neither make nor miss this table.
_STATE = sa.Table(
    "seed_state",
    sa.MetaData(),
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("data_version", sa.Text, nullable=False),
    # ISO 8601 with the offset: reads go past SQLAlchemy, and drivers differ in what a time comes back as.
    sa.Column("seeded_at", sa.Text, nullable=False),
)


SAMPLE_REMOVED = "sample removed"
"""In place of a version: a person removed the sample, and seeding does not bring it back."""

SEED_STATE = str(_STATE.name)
HOUSE_TABLES = {SEED_STATE: frozenset(_STATE.c.keys()), DATA_VERSION: DATA_VERSION_COLUMNS}
"""The tables that seeding makes, and their columns."""


class SeedState(NamedTuple):
    """Which version of its embedded data a source holds, and when that was written (UTC)."""

    data_version: str
    seeded_at: datetime


def seed_sources(
    target: str | Path,
    database: Database,
    sources: Iterable[tuple[Source[Any], BaseSettings]],
    report: Report,
) -> dict[str, bool]:
    """Seeds each source that needs it; returns whether it was written, by name.

    `database` is `target`, opened, with its tables migrated. Blocks, and waits for another process that seeds
    the same database, which then leaves nothing to do. Raises DataFolderError or UpstreamUnavailable; the
    source in question is then unchanged, and those before it are done.
    """
    with house_lock(target), said_in_words(target):
        with database.writing() as session:
            _STATE.create(session.connection(), checkfirst=True)
            make_data_versions(session.connection())
        return {
            source.name: source.seed(database, settings, _named(source.name, report))
            for source, settings in sources
        }


def _named(source: str, report: Report) -> Report:
    return lambda what, done, total: report(f"{source} {what}", done, total)


def seed_once(
    database: Database, source: str, data_version: str, write: Callable[[sa.Connection], None]
) -> bool:
    """Runs `write` in one transaction, unless the source holds `data_version` already; says whether it ran.

    The room's data version moves with it. `write` must replace everything that it wrote for an earlier version.
    A source whose sample was removed is left as it is.
    """
    with database.writing() as session:
        connection = session.connection()
        if seeded_version(connection, source) in (data_version, SAMPLE_REMOVED):
            return False
        write(connection)
        move_data_version(connection, source)
        _remember(connection, source, data_version)
    return True


def remove_once(database: Database, source: str, remove: Callable[[sa.Connection], int]) -> int:
    """Runs `remove`, which takes a source's sample out, and remembers that it is not to come back.

    One transaction, with which the room's data version moves. Returns what `remove` returned, the number of records.
    """
    with database.writing() as session:
        connection = session.connection()
        removed = remove(connection)
        if removed:
            move_data_version(connection, source)
        _remember(connection, source, SAMPLE_REMOVED)
    return removed


def _remember(connection: sa.Connection, source: str, data_version: str) -> None:
    now = datetime.now(UTC).isoformat()
    connection.execute(sa.delete(_STATE).where(_STATE.c.source == source))
    connection.execute(sa.insert(_STATE).values(source=source, data_version=data_version, seeded_at=now))


def replace_rows(
    connection: sa.Connection, tables: Mapping[sa.Table, Sequence[Mapping[str, Any]]], report: Report
) -> None:
    """Empties the tables and fills them with these rows, which it reports on together.

    They are filled in the order given and emptied in the opposite one, so parents come before their children.
    """
    total = sum(len(rows) for rows in tables.values())
    report("rows", 0, total)
    for table in reversed(list(tables)):
        connection.execute(sa.delete(table))
    done = 0
    for table, rows in tables.items():
        for batch in _batches(rows):
            connection.execute(sa.insert(table), batch)
            done += len(batch)
            report("rows", done, total)


def _batches(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    remaining = iter(rows)
    while batch := [dict(row) for row in islice(remaining, BATCH)]:
        yield batch


async def seed_state(database: Database, source: str) -> SeedState | None:
    """What a source holds of its embedded data; None when it was never seeded.

    `seed_sources` must have run on this database once, see `was_seeded`.
    """
    statement = cached_statement(database.dialect, "seed_state", _state_query)
    row = await database.fetch_one(statement, (source,))
    return None if row is None else SeedState(row[0], datetime.fromisoformat(row[1]))


def _state_query() -> sa.Select[tuple[str, str]]:
    return sa.select(_STATE.c.data_version, _STATE.c.seeded_at).where(
        _STATE.c.source == sa.bindparam("source")
    )


def seeded_version(connection: sa.Connection, source: str) -> str | None:
    """The version of its embedded data that a source holds, inside a transaction; None when never seeded."""
    held: str | None = connection.execute(
        sa.select(_STATE.c.data_version).where(_STATE.c.source == source)
    ).scalar()
    return held


class HeldData(NamedTuple):
    """What a source holds: the version of its embedded data, how often its records changed, and when last (UTC)."""

    seeded: str
    version: int
    changed_at: datetime


async def held_data(database: Database, source: str) -> HeldData | None:
    """What a source holds, in one statement; None when it was never seeded. As `seed_state` otherwise."""
    statement = cached_statement(database.dialect, "held_data", _held_query)
    row = await database.fetch_one(statement, (source,))
    if row is None:
        return None
    seeded, seeded_at, version, changed_at = row
    return HeldData(seeded, version or 0, datetime.fromisoformat(changed_at or seeded_at))


def _held_query() -> sa.Select[Any]:
    return (
        sa.select(_STATE.c.data_version, _STATE.c.seeded_at, VERSIONS.c.version, VERSIONS.c.changed_at)
        .join_from(_STATE, VERSIONS, VERSIONS.c.room == _STATE.c.source, isouter=True)
        .where(_STATE.c.source == sa.bindparam("source"))
    )


async def was_seeded(database: Database) -> bool:
    """Whether `seed_sources` ever ran on this database."""
    known = {
        "sqlite": "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'seed_state'",
        "postgresql": "SELECT 1 WHERE to_regclass('seed_state') IS NOT NULL",
    }
    return bool(await database.fetch(Statement(known[database.dialect])))
