"""Writing events: batches that add, replace or leave alone, each in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TypeVar

import sqlalchemy as sa

from sources.data_version import move_data_version
from sources.events.format import EventInput
from sources.events.maps import ENTITY, ENTITY_NAME, EVENT, SOURCE, TAG, TALLY
from sources.events.rows import EventRows, Values, add_rows, content_hash
from sources.events.tables import EVENT_TEXT
from sources.events.tally import Tally, counted
from sources.moments import microseconds
from sources.text_index_tables import add_numbered_texts, remove_numbered_texts

ROOM = "events"

Value = TypeVar("Value")


@dataclass(slots=True)
class Written:
    """How many events became what."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0

    def __add__(self, other: Written) -> Written:
        return Written(
            self.added + other.added, self.changed + other.changed, self.unchanged + other.unchanged
        )


@dataclass(frozen=True, slots=True)
class _Held:
    number: int
    hash: str
    created: int
    sample: bool


def upsert(
    connection: sa.Connection, events: Sequence[EventInput], *, sample: bool = False, dry_run: bool = False
) -> Written:
    """Adds events and replaces those whose content differs; moves the data version when anything changed.

    Of an id that comes twice the later counts. As a sample, events never replace imported ones.
    """
    by_key = {event.id: event for event in events}
    if not dry_run:
        _lock(connection)
    held = _held(connection, list(by_key))
    written = Written()
    rows = EventRows()
    now = microseconds(datetime.now(UTC))
    replaced: list[int] = []
    next_number = _next_number(connection)
    for event in by_key.values():
        known, hash_ = held.get(event.id), content_hash(event)
        if known is None:
            number, created = next_number, now
            next_number += 1
            written.added += 1
        elif (known.hash, known.sample) == (hash_, sample) or (sample and not known.sample):
            written.unchanged += 1
            continue
        else:
            number, created = known.number, known.created
            replaced.append(number)
            written.changed += 1
        if not dry_run:
            add_rows(rows, event, number, created=created, now=now, sample=sample, hash_=hash_)
    if rows.events:
        tally = Tally()
        _remove(connection, replaced, tally)
        for table, values in (
            (EVENT, rows.events),
            (SOURCE, rows.sources),
            (ENTITY, rows.entities),
            (ENTITY_NAME, rows.entity_names),
            (TAG, rows.tags),
        ):
            _insert(connection, table, values)
        add_numbered_texts(connection, EVENT_TEXT, rows.texts)
        tally.count(rows.counted, rows.counted_tags, rows.counted_entities, 1)
        tally.write(connection)
        move_data_version(connection, ROOM)
    return written


def remove_samples(connection: sa.Connection) -> int:
    """Removes the events that seeding wrote; returns how many. Imported ones stay."""
    return remove_events(connection, EVENT.c.sample == sa.true())


def remove_events(connection: sa.Connection, which: sa.ColumnElement[bool]) -> int:
    """Removes events with all that belongs to them; returns how many. The caller moves the data version."""
    _lock(connection)
    numbers = connection.execute(sa.select(EVENT.c.number).where(which)).scalars().all()
    tally = Tally()
    _remove(connection, numbers, tally)
    tally.write(connection)
    return len(numbers)


def make_room(connection: sa.Connection) -> None:
    """Lets SQLite keep 64 MB of pages: rows of a batch go to every part of every index of a large table."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA cache_size = -65536")


def refresh_statistics(connection: sa.Connection) -> None:
    """Tells PostgreSQL what the tables hold now, by which it chooses its plans; SQLite's are chosen by us."""
    if connection.dialect.name == "postgresql":
        for table in (EVENT, SOURCE, ENTITY, ENTITY_NAME, TAG, TALLY):
            connection.exec_driver_sql(f"ANALYZE {table.name}")
        connection.exec_driver_sql(f"ANALYZE {EVENT_TEXT}")


def _lock(connection: sa.Connection) -> None:
    """One writer at a time gives out numbers; readers go on. In SQLite the transaction itself is the lock."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"LOCK TABLE {EVENT.name} IN SHARE ROW EXCLUSIVE MODE")


def _next_number(connection: sa.Connection) -> int:
    last: int | None = connection.execute(sa.select(sa.func.max(EVENT.c.number))).scalar()
    return (last or 0) + 1


def _held(connection: sa.Connection, keys: Sequence[str]) -> dict[str, _Held]:
    found: dict[str, _Held] = {}
    for part in _parts(keys):
        columns = (EVENT.c.key, EVENT.c.number, EVENT.c.content_hash, EVENT.c.created_at, EVENT.c.sample)
        for key, *rest in connection.execute(sa.select(*columns).where(EVENT.c.key.in_(part))):
            found[key] = _Held(*rest)
    return found


def _remove(connection: sa.Connection, numbers: Sequence[int], tally: Tally) -> None:
    """Removes events with all that belongs to them, and takes them off the totals."""
    remove_numbered_texts(connection, EVENT_TEXT, numbers)
    for part in _parts(numbers):
        counted(connection, part, tally, -1)
        connection.execute(sa.delete(EVENT).where(EVENT.c.number.in_(part)))


def _parts(values: Sequence[Value]) -> Iterable[Sequence[Value]]:
    """Few enough at once to stand in one statement."""
    return (values[i : i + 500] for i in range(0, len(values), 500))


def _insert(connection: sa.Connection, table: sa.Table, values: list[Values]) -> None:
    if values:
        connection.exec_driver_sql(_insert_text(table, connection.dialect.name), values)


@cache
def _insert_text(table: sa.Table, dialect: str) -> str:
    names = ", ".join(column.name for column in table.columns)
    marks = ", ".join(["?" if dialect == "sqlite" else "%s"] * len(table.columns))
    return f"INSERT INTO {table.name} ({names}) VALUES ({marks})"
