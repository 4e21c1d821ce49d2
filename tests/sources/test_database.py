"""Reads and writes on both databases, and what is said when a database cannot be used."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from sqlmodel import Session

from sources import database_postgresql, database_sqlite
from sources.database import (
    Database,
    Statement,
    cached_statement,
    compile_statement,
    make_engine,
    sqlite_path,
)
from sources.database_sqlite import LONG_MEMORY, READ_THREADS
from sources.errors import DataFolderError, UpstreamUnavailable

LORE = sa.table("lore", sa.column("id", sa.Integer), sa.column("name", sa.Text))
NAMES = sa.select(LORE.c.name).order_by(LORE.c.id)

COUNT_UP = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n{end}) SELECT max(i) FROM n"
ENDLESS = Statement(COUNT_UP.format(end=""))
LONG = Statement(COUNT_UP.format(end=" WHERE i < 300000"))


def _make_file(target: str) -> None:
    engine = make_engine(target)
    engine.connect().close()
    engine.dispose()


def _fill(session: Session, *names: str) -> None:
    for number, name in enumerate(names):
        session.connection().execute(
            sa.text("INSERT INTO lore VALUES (:id, :name)"), {"id": number, "name": name}
        )


def _write(database: Database, *statements: str) -> None:
    with database.writing() as session:
        for statement in statements:
            session.connection().exec_driver_sql(statement)


def _create(database: Database, *names: str) -> None:
    with database.writing() as session:
        session.connection().execute(sa.text("CREATE TABLE lore (id integer PRIMARY KEY, name text)"))
        _fill(session, *names)


async def _names(database: Database) -> list[str]:
    rows = await database.fetch(compile_statement(NAMES, database.dialect))
    return [row[0] for row in rows]


def _first_step(read: Coroutine[Any, Any, Any]) -> Any:
    """What a read answers without once waiting for the event loop; None when it waits."""
    try:
        read.send(None)
    except StopIteration as done:
        return done.value
    read.close()
    return None


async def test_parameters_go_by_name_to_their_places(database: Database) -> None:
    _create(database, "ab", "b", "c", "a")
    low, high = sa.bindparam("low", type_=sa.Integer()), sa.bindparam("high", type_=sa.Integer())
    query = (
        sa.select(LORE.c.id, LORE.c.name)
        .where(LORE.c.name != sa.bindparam("name", type_=sa.Text()), LORE.c.id >= low, LORE.c.id <= high)
        .order_by(LORE.c.id + low)
    )
    statement = compile_statement(query, database.dialect)
    rows = await database.fetch(statement, statement.bind({"high": 3, "low": 1, "name": "c"}))
    assert [tuple(row) for row in rows] == [(1, "b"), (3, "a")]
    assert await database.fetch_one(statement, statement.bind({"high": 0, "low": 1, "name": "c"})) is None
    assert await database.fetch_one(statement, statement.bind({"high": 9, "low": 3, "name": ""})) == (3, "a")


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_value_inside_a_query_is_refused(dialect: Any) -> None:
    with pytest.raises(TypeError, match="id_1 holds the value 7"):
        compile_statement(sa.select(LORE.c.name).where(LORE.c.id == 7), dialect)


def test_a_shape_is_compiled_once() -> None:
    built = []

    def build() -> sa.Select[Any]:
        built.append(1)
        return NAMES

    first = cached_statement("sqlite", "names", build)
    assert cached_statement("sqlite", "names", build) is first
    assert cached_statement("postgresql", "names", build) is not first
    assert len(built) == 2


async def test_a_write_that_fails_leaves_nothing(database: Database) -> None:
    _create(database, "kept")
    with pytest.raises(sa.exc.IntegrityError):
        _write(database, "INSERT INTO lore VALUES (1, 'lost')", "INSERT INTO lore VALUES (0, 'taken')")
    assert await _names(database) == ["kept"]


async def test_one_writer_at_a_time(database: Database) -> None:
    _create(database, "0")

    def add_one() -> None:
        for _ in range(20):
            with database.writing() as session:
                connection = session.connection()
                value = int(connection.execute(sa.text("SELECT name FROM lore")).scalar_one())
                connection.execute(sa.text("UPDATE lore SET name = :name"), {"name": str(value + 1)})

    threads = [threading.Thread(target=add_one) for _ in range(4)]
    for thread in threads:
        thread.start()
    await asyncio.gather(*(asyncio.to_thread(thread.join) for thread in threads))
    assert await _names(database) == ["80"]


async def test_reads_cannot_write(database: Database) -> None:
    _create(database, "kept")
    with pytest.raises(DataFolderError):
        await database.fetch(Statement("DELETE FROM lore"))
    assert await _names(database) == ["kept"]


async def test_a_fault_of_ours_is_not_dressed_up(database: Database) -> None:
    with pytest.raises((sqlite3.OperationalError, psycopg.errors.UndefinedTable)):
        await database.fetch(Statement("SELECT 1 FROM no_such_table"))
    assert await database.fetch(Statement("SELECT 1")) == [(1,)]


# SQLite: where a read runs


@pytest.fixture
async def sqlite_database(sqlite_target: str) -> Any:
    _make_file(sqlite_target)
    database = await Database.open(sqlite_target)
    yield database
    await database.close()


async def test_a_short_read_never_leaves_the_event_loop(sqlite_database: Database) -> None:
    _create(sqlite_database, "a", "b")
    statement = compile_statement(NAMES, "sqlite")
    # More runs than one budget of steps holds: the steps of earlier runs must not count.
    for _ in range(3000):
        assert _first_step(sqlite_database.fetch(statement)) == [("a",), ("b",)]


async def test_a_long_read_leaves_the_event_loop_free(sqlite_database: Database) -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    ticker = asyncio.create_task(tick())
    assert await sqlite_database.fetch(LONG) == [(300_000,)]
    ticker.cancel()
    assert ticks > 1


async def test_a_long_statement_is_remembered_and_tried_again_later(sqlite_database: Database) -> None:
    statement = Statement(COUNT_UP.format(end=" WHERE i < ?"))
    assert await sqlite_database.fetch(statement, [300_000]) == [(300_000,)]
    for _ in range(LONG_MEMORY):
        assert _first_step(sqlite_database.fetch(statement, [3])) is None
    assert _first_step(sqlite_database.fetch(statement, [3])) == [(3,)]


async def test_a_statement_slow_by_the_clock_moves_to_a_thread(
    sqlite_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement = Statement("SELECT 1")
    monkeypatch.setattr(database_sqlite, "SLOW_SECONDS", -1.0)
    assert _first_step(sqlite_database.fetch(statement)) == [(1,)]
    assert _first_step(sqlite_database.fetch(statement)) == [(1,)]
    assert _first_step(sqlite_database.fetch(statement)) is None
    assert await sqlite_database.fetch(statement) == [(1,)]


async def test_a_cancelled_read_frees_its_thread(sqlite_database: Database) -> None:
    for _ in range(READ_THREADS + 1):
        reads = [asyncio.create_task(sqlite_database.fetch(ENDLESS)) for _ in range(READ_THREADS + 2)]
        await asyncio.sleep(0)
        for read in reads:
            read.cancel()
        outcomes = await asyncio.gather(*reads, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [asyncio.CancelledError] * len(reads)
    assert await sqlite_database.fetch(LONG) == [(300_000,)]


async def test_a_deadline_stops_an_endless_read(sqlite_database: Database) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await sqlite_database.fetch(ENDLESS)
    assert await sqlite_database.fetch(LONG) == [(300_000,)]


async def test_closing_stops_what_runs(sqlite_target: str) -> None:
    _make_file(sqlite_target)
    database = await Database.open(sqlite_target)
    reads = [asyncio.create_task(database.fetch(ENDLESS)) for _ in range(READ_THREADS + 2)]
    await asyncio.sleep(0)
    await database.close()
    outcomes = await asyncio.gather(*reads, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [UpstreamUnavailable] * len(reads)
    with pytest.raises(RuntimeError, match="closed"):
        await database.fetch(LONG)
    await database.close()


async def test_a_reader_sees_what_another_process_commits(sqlite_target: str) -> None:
    _make_file(sqlite_target)
    ours, theirs = await Database.open(sqlite_target), await Database.open(sqlite_target)
    _create(theirs, "a")
    assert await _names(ours) == ["a"]
    with theirs.writing() as session:
        session.connection().execute(sa.text("UPDATE lore SET name = 'b'"))
        assert await _names(ours) == ["a"]
    assert await _names(ours) == ["b"]
    await ours.close()
    await theirs.close()


async def test_the_file_is_in_wal_mode_with_foreign_keys(sqlite_database: Database) -> None:
    with sqlite_database.writing() as session:
        connection = session.connection()
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 1


async def test_a_path_with_signs_that_urls_use(tmp_path: Path) -> None:
    folder = tmp_path / "a #1? 100%25 é"
    folder.mkdir()
    target = str(folder / "lore graph.db")
    _make_file(target)
    database = await Database.open(target)
    _create(database, "a")
    assert await _names(database) == ["a"]
    await database.close()
    assert sorted(path.name for path in folder.iterdir()) == ["lore graph.db"]


# SQLite: what is said when the data folder cannot be used


@pytest.mark.parametrize("make", ["missing folder", "missing file", "file for a folder", "folder for a file"])
async def test_nothing_to_open(tmp_path: Path, make: str) -> None:
    path = tmp_path / "data" / "loregraph.db"
    expected = "does not exist"
    if make == "missing file":
        path.parent.mkdir()
    elif make == "file for a folder":
        path.parent.write_text("not a folder")
        expected = "is not a folder"
    elif make == "folder for a file":
        path.mkdir(parents=True)
        expected = "cannot be read"
    with pytest.raises(DataFolderError, match=expected) as caught:
        await Database.open(path)
    assert str(path.parent) in caught.value.message
    assert caught.value.hint in str(caught.value)


async def test_a_file_that_is_no_database_is_named_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "loregraph.db"
    path.write_bytes(b"not a database at all" * 400)
    with pytest.raises(DataFolderError, match="damaged or not a database") as caught:
        await Database.open(path)
    assert "loregraph seed" in caught.value.hint
    assert path.read_bytes() == b"not a database at all" * 400


def _overwrite(path: Path, keep: int) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:keep] + b"\xff" * (len(content) - keep))


async def test_damage_found_by_a_read_is_named(sqlite_target: str) -> None:
    engine = make_engine(sqlite_target)
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE lore (id integer PRIMARY KEY, name text)"))
        rows = [{"id": number, "name": "x" * 4000} for number in range(50)]
        connection.execute(sa.text("INSERT INTO lore VALUES (:id, :name)"), rows)
    engine.dispose()
    _overwrite(Path(sqlite_target), keep=8192)
    database = await Database.open(sqlite_target)
    with pytest.raises(DataFolderError, match="damaged"):
        await database.fetch(Statement("SELECT sum(length(name)) FROM lore"))
    await database.close()


async def test_a_full_disk_is_named(sqlite_database: Database) -> None:
    _create(sqlite_database, "kept")
    insert = "INSERT INTO lore SELECT NULL, hex(zeroblob(4000)) FROM sqlite_master"
    with pytest.raises(DataFolderError, match=r"disk that holds .* is full"):
        _write(sqlite_database, "PRAGMA max_page_count = 10", *[insert] * 20)
    assert await _names(sqlite_database) == ["kept"]


async def test_a_file_that_may_not_be_written_is_named(sqlite_database: Database) -> None:
    _create(sqlite_database, "kept")
    with pytest.raises(DataFolderError, match="cannot be written"):
        _write(sqlite_database, "PRAGMA query_only = ON", "DELETE FROM lore")


async def test_a_file_held_by_another_process_is_named(
    sqlite_target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_sqlite, "_WRITE_WAIT_SECONDS", 0.05)
    _make_file(sqlite_target)
    database = await Database.open(sqlite_target)
    other = sqlite3.connect(sqlite_target, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DataFolderError, match="held by another process"):
        _write(database, "DELETE FROM lore")
    other.close()
    await database.close()


# PostgreSQL


async def test_lost_connections_are_replaced_without_a_restart(postgresql_target: str) -> None:
    database = await Database.open(postgresql_target)
    name = Statement("SELECT current_database()")
    assert len(await asyncio.gather(*(database.fetch(name) for _ in range(4)))) == 4
    with psycopg.connect(postgresql_target, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert [len(rows) for rows in await asyncio.gather(*(database.fetch(name) for _ in range(4)))] == [1] * 4
    with database.writing() as session:
        assert session.connection().execute(sa.text("SELECT 7")).scalar_one() == 7
    await database.close()


async def test_a_cancelled_query_ends_on_the_server(postgresql_target: str) -> None:
    database = await Database.open(postgresql_target)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await database.fetch(Statement("SELECT pg_sleep(600)"))
    running = Statement(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE query LIKE '%pg_sleep(600)%' AND state = 'active' AND pid <> pg_backend_pid()"
    )
    assert await database.fetch(running) == [(0,)]
    await database.close()


async def test_a_statement_is_prepared_at_its_first_use(postgresql_target: str) -> None:
    database = await Database.open(postgresql_target)
    await database.fetch(Statement("SELECT 'once'"))
    prepared = Statement("SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT ''once'''")
    assert await database.fetch(prepared) == [(1,)]
    await database.close()


async def test_no_server_is_said_without_the_password(
    monkeypatch: pytest.MonkeyPatch, unused_tcp_port: int
) -> None:
    monkeypatch.setattr(database_postgresql, "CONNECT_TIMEOUT_SECONDS", 1)
    with pytest.raises(UpstreamUnavailable) as caught:
        await Database.open(f"postgresql://user:secret@127.0.0.1:{unused_tcp_port}/lore")
    assert "PostgreSQL at 127.0.0.1/lore cannot be reached" in caught.value.message
    assert "secret" not in str(caught.value)


# Targets


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("data/lore.db", Path("data/lore.db")),
        (Path("/srv/lore.db"), Path("/srv/lore.db")),
        ("sqlite:////srv/lore.db", Path("/srv/lore.db")),
        ("sqlite:///lore.db", Path("lore.db")),
        ("postgresql://host/lore", None),
        ("postgresql+psycopg://host/lore", None),
        ("postgres://host/lore", None),
    ],
)
def test_targets(target: str | Path, path: Path | None) -> None:
    assert sqlite_path(target) == path


@pytest.mark.parametrize(
    "target", ["mysql://u:secret@host/lore", "sqlite://", "sqlite:///:memory:", "http://[x"]
)
def test_targets_that_are_none(target: str) -> None:
    with pytest.raises(DataFolderError, match=r"postgresql://user@host/database") as caught:
        sqlite_path(target)
    assert "secret" not in str(caught.value)
