"""Mirrors of the fake Open5e in databases of their own, and what lies in those databases."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
import sqlalchemy as sa

from api.execution import Executor, Operation
from api.opening import open_house
from api.settings import Settings, load_settings
from schema.query import build_schema
from sources.database import Database, make_engine
from sources.dnd import SOURCE
from sources.dnd.embedded import read_embedded
from sources.dnd.settings import DndSettings
from sources.http import Http
from sources.http_settings import HttpSettings
from sources.mirroring import KindChanges, MirrorOptions, MirrorOutcome
from sources.source import Resources
from tests.support.databases import postgresql_database
from tests.support.fake_open5e import Corpus, FakeOpen5e, mixed_corpus
from tests.support.server import serving

MIRROR = SOURCE.mirrors["open5e"]

_TIMES = frozenset({"mirrored_at", "checked_at", "begun_at", "changed_at", "seeded_at"})
_LEFT_OUT = frozenset({"alembic_version", "data_version"})
"""Columns and tables that two equal mirrors differ in: when they were made, and how often data changed before."""


@dataclass(frozen=True, slots=True)
class World:
    """A seeded database, and the fake to mirror into it."""

    settings: Settings
    open5e: FakeOpen5e

    @property
    def target(self) -> str:
        """The database as commands name it."""
        return str(self.settings.database_target)

    async def mirror(self, documents: Sequence[str] | None = None, report: Any = None) -> MirrorOutcome:
        """Mirrors the fake, as `loregraph sync open5e` does."""
        async with self._resources() as resources:
            settings = DndSettings(open5e_url=self.open5e.url)
            return await MIRROR.run(
                resources, settings, MirrorOptions(self.target, documents), report or silent
            )

    async def remove(self) -> Mapping[str, KindChanges]:
        """Removes the mirror, as `loregraph sync open5e --remove` does."""
        async with self._resources() as resources:
            return await MIRROR.remove(resources, MirrorOptions(self.target), silent)

    async def dump(self) -> dict[str, list[tuple[Any, ...]]]:
        """All rows of all tables, without times and without names that are made up anew for each mirror."""
        return await anyio.to_thread.run_sync(_dump, self.target)

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[Any]:
        """A house of its own on the database, which is asked GraphQL: `await ask(query)`."""
        async with open_house(self.settings) as house:
            executor = Executor(build_schema(), scope=lambda: house.scope)

            async def ask(query: str) -> dict[str, Any]:
                return (await executor.execute(Operation(query))).formatted()

            yield ask

    @asynccontextmanager
    async def _resources(self) -> AsyncIterator[Resources]:
        database = await Database.open(self.settings.database_target)
        http = Http(HttpSettings(host_rate=10_000, host_burst=10_000, retry_seconds=0.01))
        try:
            yield Resources(database=database, data_dir=self.settings.data_dir, http=http)
        finally:
            await http.close()
            await database.close()


def silent(what: str, done: int, total: int) -> None:
    """Reports to nobody."""


def _dump(target: str) -> dict[str, list[tuple[Any, ...]]]:
    engine = make_engine(target)
    try:
        metadata = sa.MetaData()
        metadata.reflect(engine)
        with engine.connect() as connection:
            ids = _mirror_ids(connection)
            return {
                name: sorted(
                    (_row(table, row, ids) for row in connection.execute(sa.select(table))), key=repr
                )
                for name, table in metadata.tables.items()
                # Of a text index, the numbers and the inner tables tell of its history.
                if name not in _LEFT_OUT and "_text" not in name
            } | dict(_texts(connection, metadata))
    finally:
        engine.dispose()


def _mirror_ids(connection: sa.Connection) -> dict[Any, str]:
    rows = connection.exec_driver_sql("SELECT id, state FROM dnd_mirror").all()
    return {id_: f"the {state} mirror" for id_, state in rows}


def _row(table: sa.Table, row: Any, ids: Mapping[Any, str]) -> tuple[Any, ...]:
    return tuple(
        ids.get(value, value) if isinstance(value, str) else value
        for column, value in zip(table.columns, row, strict=True)
        if column.name not in _TIMES
    )


def _texts(connection: sa.Connection, metadata: sa.MetaData) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """What every text index says of each record."""
    for name in ("spell", "creature", "equipment", "rule", "character_option"):
        table = f"dnd_{name}_text"
        if connection.dialect.name == "sqlite":
            query = f"SELECT k.key, f.name, f.body FROM {table} k JOIN {table}_fts f ON f.rowid = k.row_id"
        else:
            query = f"SELECT key, CAST(words AS text) FROM {table}"
        yield table, sorted(tuple(row) for row in connection.exec_driver_sql(query))


_KEPT = 15


def small_corpus() -> Corpus:
    """All documents of `mixed_corpus` with all that was made up for them, and a few records of each kind of the
    SRD 5.1, so that it is mirrored in a moment."""
    corpus = mixed_corpus()
    for endpoint in ("spells", "creatures", "items", "magicitems", "rules", "languages"):
        of_srd = [one.key for one in corpus.records(endpoint) if one.key.startswith("srd_")]
        for key in of_srd[_KEPT:]:
            if key not in ("srd_fireball", "srd_burning-hands"):
                corpus.remove(endpoint, key)
    return corpus


embedded_once = cache(read_embedded)
"""The embedded records, read once for all tests of a process."""


@pytest.fixture
def small_open5e(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpen5e]:
    """A fake that holds `small_corpus`, at the address in its `url`."""
    monkeypatch.setattr("sources.dnd.mirror.read_embedded", embedded_once)
    fake = FakeOpen5e(small_corpus())
    with serving(fake) as url:
        fake.url = f"{url}/v2"
        yield fake


@pytest.fixture
def mirror_world(seeded_settings: Settings, small_open5e: FakeOpen5e, tmp_path: Path) -> World:
    """A seeded SQLite database of the test's own, and a fake to mirror."""
    return World(copied(seeded_settings, tmp_path / "data"), small_open5e)


def copied(settings: Settings, folder: Path) -> Settings:
    """The settings of a copy of a data folder on SQLite, which nobody writes to meanwhile."""
    shutil.copytree(settings.data_dir, folder)
    return load_settings({"data_dir": folder}, env_file=None)


@pytest.fixture(params=["sqlite", "postgresql"])
def either_mirror_world(
    request: pytest.FixtureRequest, seeded_settings: Settings, small_open5e: FakeOpen5e, tmp_path: Path
) -> Iterator[World]:
    """`mirror_world`; the test runs once on each database."""
    if request.param == "sqlite":
        yield World(copied(seeded_settings, tmp_path / "data"), small_open5e)
        return
    seeded: Settings = request.getfixturevalue("seeded_postgresql_settings")
    with postgresql_database(
        request.getfixturevalue("postgresql_server"), str(seeded.database_target)
    ) as url:
        settings = load_settings({"data_dir": tmp_path / "data", "database_url": url}, env_file=None)
        yield World(settings, small_open5e)
