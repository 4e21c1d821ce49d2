"""PostgreSQL: a pool of read-only connections with prepared statements, and an engine for writes.

A lost server is an UpstreamUnavailable for the reads that meet it; the pool connects again by itself, and the
next read after the server is back succeeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import orjson
import psycopg
from psycopg.types.json import set_json_loads
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from sqlalchemy import URL, Engine, make_url
from sqlalchemy import create_engine as create_sql_engine
from sqlalchemy.exc import DBAPIError

from sources.database import Database, Row, Statement
from sources.errors import DataFolderError, LoregraphError, UpstreamTimeout, UpstreamUnavailable
from sources.text_index import Dialect

LARGEST_POOL = 8
READ_TIMEOUT_SECONDS = 30
"""The server ends a read after this; the deadline of an operation is shorter and cancels sooner."""
CONNECT_TIMEOUT_SECONDS = 10
PREPARED_STATEMENTS = 512

_CHECK = "Check that the server runs and that LOREGRAPH_DATABASE_URL is right."


def server_url(target: str) -> URL:
    """The target as SQLAlchemy reads it, with the driver that is used here."""
    return make_url(target).set(drivername="postgresql+psycopg")


def server_name(target: str) -> str:
    """Host and database of a URL, without user and password."""
    url = make_url(target)
    host = url.query.get("host") or url.host or "localhost"
    return f"PostgreSQL at {host}/{url.database or 'postgres'}"


def make_engine(target: str) -> Engine:
    """The engine for writes and migrations."""
    return create_sql_engine(
        server_url(target),
        pool_pre_ping=True,
        connect_args={"connect_timeout": CONNECT_TIMEOUT_SECONDS},
    )


def explain(error: psycopg.Error, name: str) -> LoregraphError | None:
    """What a PostgreSQL error means for the caller; None when it is a fault of ours."""
    if isinstance(error, psycopg.errors.QueryCanceled):
        return UpstreamTimeout(f"{name} did not answer within its time.", upstream=name)
    if isinstance(error, psycopg.errors.DiskFull):
        return DataFolderError(
            f"The disk of {name} is full.",
            hint="Free some space and start again; what was half written has been undone.",
        )
    if isinstance(error, psycopg.errors.InsufficientPrivilege | psycopg.errors.ReadOnlySqlTransaction):
        return DataFolderError(
            f"{name} does not let this user write.",
            hint="Use an account that owns its database, and a server that is not a read-only replica.",
        )
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return UpstreamUnavailable(f"{name} cannot be reached. {_CHECK}", upstream=name)
    return None


@contextmanager
def explained(name: str) -> Iterator[None]:
    """Raises psycopg's errors, SQLAlchemy's wrapping taken off, as ours where the caller can act on them."""
    try:
        yield
    except psycopg.Error as error:
        ours = explain(error, name)
        if ours is None:
            raise
        raise ours from error
    except DBAPIError as error:
        ours = explain(error.orig, name) if isinstance(error.orig, psycopg.Error) else None
        if ours is None:
            raise
        raise ours from error


_Connection = psycopg.AsyncConnection[Row]


async def _configure(connection: _Connection) -> None:
    connection.prepared_max = PREPARED_STATEMENTS
    set_json_loads(orjson.loads, connection)


class PostgresqlDatabase(Database):
    """A database on a PostgreSQL server."""

    dialect: Dialect = "postgresql"

    def __init__(self, target: str, pool: AsyncConnectionPool[_Connection]) -> None:
        super().__init__(make_engine(target))
        self.name = server_name(target)
        self._pool = pool

    @classmethod
    async def open_server(cls, target: str) -> PostgresqlDatabase:
        """Connects. Raises UpstreamUnavailable when there is no answer within ten seconds."""
        settings: dict[str, Any] = {
            "autocommit": True,
            "prepare_threshold": 0,
            "cursor_factory": psycopg.AsyncRawCursor,
            "connect_timeout": CONNECT_TIMEOUT_SECONDS,
            "options": (
                f"-c statement_timeout={READ_TIMEOUT_SECONDS * 1000} -c default_transaction_read_only=on"
            ),
        }
        pool: AsyncConnectionPool[_Connection] = AsyncConnectionPool(
            server_url(target).set(drivername="postgresql").render_as_string(hide_password=False),
            kwargs=settings,
            min_size=1,
            max_size=LARGEST_POOL,
            timeout=CONNECT_TIMEOUT_SECONDS,
            configure=_configure,
            open=False,
            name="loregraph",
        )
        name = server_name(target)
        try:
            await pool.open(wait=True, timeout=CONNECT_TIMEOUT_SECONDS)
        except PoolTimeout as error:
            await pool.close()
            raise UpstreamUnavailable(f"{name} cannot be reached. {_CHECK}", upstream=name) from error
        return cls(target, pool)

    async def fetch(self, statement: Statement, params: Sequence[object] = ()) -> list[Row]:
        with explained(self.name):
            try:
                return await self._fetch(statement, params)
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                if isinstance(error, psycopg.errors.QueryCanceled | PoolTimeout):
                    raise
                # A restarted server leaves dead connections in the pool; a read may be asked twice.
                await self._pool.check()
                return await self._fetch(statement, params)

    async def _fetch(self, statement: Statement, params: Sequence[object]) -> list[Row]:
        async with self._pool.connection() as connection:
            cursor = await connection.execute(statement.sql.encode(), params)
            return await cursor.fetchall()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        with explained(self.name):
            yield

    async def close(self) -> None:
        await self._pool.close()
        self._engine.dispose()
