"""Seeding: once for each version, whole or not at all, whatever else reads, writes or dies meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import ClassVar

import anyio
import pytest
import sqlalchemy as sa
from pydantic_settings import BaseSettings

from sources.database import Database, Statement, make_engine
from sources.seeding import BATCH, replace_rows, seed_once, seed_sources, seed_state, was_seeded
from sources.source import Report, Resources, Shelf, Source

ROOT = Path(__file__).parents[2]

METADATA = sa.MetaData()
BOOKS = sa.Table("toy_book", METADATA, sa.Column("key", sa.Text, primary_key=True))
PAGES = sa.Table(
    "toy_page",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("book", sa.Text, sa.ForeignKey("toy_book.key"), nullable=False),
)
COUNT = Statement("SELECT count(*) FROM toy_page")


class NoSettings(BaseSettings):
    """The toy has none."""


class ToySource(Source[NoSettings]):
    """A book of numbered pages."""

    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy"
    description: ClassVar[str] = "A book of numbered pages."
    settings_type = NoSettings

    def __init__(
        self, version: str = "1", pages: int = 250, before_commit: Callable[[], None] = lambda: None
    ) -> None:
        self.version = version
        self.pages = pages
        self.before_commit = before_commit

    async def open(self, resources: Resources, settings: NoSettings) -> Shelf:
        raise NotImplementedError

    def seed(self, database: Database, settings: NoSettings, report: Report) -> bool:
        return seed_once(
            database, self.name, self.version, lambda connection: self._write(connection, report)
        )

    def _write(self, connection: sa.Connection, report: Report) -> None:
        pages = [{"number": number, "book": "b"} for number in range(self.pages)]
        replace_rows(connection, {BOOKS: [{"key": "b"}], PAGES: pages}, report)
        self.before_commit()


def make_tables(target: str) -> None:
    engine = make_engine(target)
    METADATA.create_all(engine)
    engine.dispose()


def run(target: str, database: Database, source: ToySource, report: Report = lambda *_: None) -> bool:
    return seed_sources(target, database, [(source, NoSettings())], report)["toy"]


async def pages(database: Database) -> int:
    return int((await database.fetch(COUNT))[0][0])


@pytest.fixture
def toy_target(database_target: str) -> str:
    make_tables(database_target)
    return database_target


async def test_a_source_is_written_once_a_version(toy_target: str) -> None:
    database = await Database.open(toy_target)
    started = datetime.now(UTC)
    assert not await was_seeded(database)
    assert run(toy_target, database, ToySource("1"))
    assert await was_seeded(database)
    first = await seed_state(database, "toy")
    assert first is not None
    assert first.data_version == "1"
    assert started <= first.seeded_at <= datetime.now(UTC)

    assert not run(toy_target, database, ToySource("1", pages=1))
    assert await seed_state(database, "toy") == first
    assert await pages(database) == 250

    assert run(toy_target, database, ToySource("2", pages=7))
    assert await pages(database) == 7
    second = await seed_state(database, "toy")
    assert second is not None
    assert second.data_version == "2"
    assert second.seeded_at > first.seeded_at
    assert await seed_state(database, "other") is None
    await database.close()


async def test_progress_is_reported_over_all_tables(toy_target: str) -> None:
    database = await Database.open(toy_target)
    reports: list[tuple[str, int, int]] = []
    run(toy_target, database, ToySource(pages=2 * BATCH + 1), lambda *report: reports.append(report))
    total = 2 * BATCH + 2
    assert reports == [("toy rows", done, total) for done in (0, 1, BATCH + 1, 2 * BATCH + 1, total)]
    await database.close()


async def test_a_failure_leaves_what_was_there(toy_target: str) -> None:
    def fail() -> None:
        raise RuntimeError("the disk fell off")

    database = await Database.open(toy_target)
    run(toy_target, database, ToySource("1"))
    before = await seed_state(database, "toy")
    with pytest.raises(RuntimeError, match="fell off"):
        run(toy_target, database, ToySource("2", pages=3, before_commit=fail))
    assert await pages(database) == 250
    assert await seed_state(database, "toy") == before
    assert run(toy_target, database, ToySource("2", pages=3)), (
        "the lock is free and the work can be done again"
    )
    await database.close()


async def test_readers_see_the_old_data_until_the_new_is_whole(toy_target: str) -> None:
    written, looked = threading.Event(), threading.Event()

    def wait_for_reader() -> None:
        written.set()
        assert looked.wait(20)

    database = await Database.open(toy_target)
    run(toy_target, database, ToySource("1"))
    changed = ToySource("2", pages=7, before_commit=wait_for_reader)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(anyio.to_thread.run_sync, run, toy_target, database, changed))
        assert await anyio.to_thread.run_sync(written.wait, 20)
        assert await pages(database) == 250
        looked.set()
    assert await pages(database) == 7
    await database.close()


async def test_of_two_at_once_one_writes_and_the_other_waits_for_it(toy_target: str) -> None:
    first, second = await Database.open(toy_target), await Database.open(toy_target)
    both = threading.Barrier(2)

    def seed(database: Database) -> bool:
        both.wait(20)
        return run(toy_target, database, ToySource())

    def seed_both() -> list[bool]:
        with ThreadPoolExecutor(2) as threads:
            return list(threads.map(seed, (first, second)))

    assert sorted(await anyio.to_thread.run_sync(seed_both)) == [False, True]
    assert await pages(second) == 250
    await first.close()
    await second.close()


async def test_a_process_killed_while_it_writes_leaves_nothing_behind(toy_target: str) -> None:
    database = await Database.open(toy_target)
    run(toy_target, database, ToySource("1"))
    script = (
        "import asyncio, os, signal, sys\n"
        "from sources.database import Database\n"
        "from tests.sources.test_seeding import ToySource, run\n"
        "kill = lambda: os.kill(os.getpid(), signal.SIGKILL)\n"
        "run(sys.argv[1], asyncio.run(Database.open(sys.argv[1])), ToySource('2', 1000, kill))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    killed = await anyio.to_thread.run_sync(
        lambda: subprocess.run(
            [sys.executable, "-c", script, toy_target], env=environment, timeout=50, check=False
        )
    )
    assert killed.returncode == -9
    assert await pages(database) == 250
    assert run(toy_target, database, ToySource("2", pages=1000))
    assert await pages(database) == 1000
    await database.close()
