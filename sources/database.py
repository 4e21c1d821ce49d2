"""The one SQL database of the house, as its readers and writers see it.

Reads go through `fetch`: a `Statement` (text compiled once by SQLAlchemy Core) runs on the driver itself.
Writes go through `writing`: a SQLModel session in one transaction. SQLite is the default, PostgreSQL the
larger choice; `database_sqlite.py` and `database_postgresql.py` hold what is peculiar to each.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import BindTyping
from sqlalchemy.engine.interfaces import Dialect as SqlDialect
from sqlalchemy.exc import ArgumentError
from sqlalchemy.sql import ClauseElement
from sqlmodel import Session

from sources.errors import DataFolderError
from sources.text_index import Dialect


def _postgresql_compiler() -> SqlDialect:
    # Numbered parameters are PostgreSQL's own: psycopg's raw cursor sends the text as it stands.
    dialect: SqlDialect = postgresql.dialect(paramstyle="numeric_dollar")  # type: ignore[no-untyped-call]
    # psycopg types the values themselves; SQLAlchemy's `$1::INTEGER` would refuse a large number instead of
    # finding nothing equal to it.
    dialect.bind_typing = BindTyping.NONE
    return dialect


COMPILERS: Mapping[Dialect, SqlDialect] = {
    "sqlite": sqlite.dialect(paramstyle="qmark"),
    "postgresql": _postgresql_compiler(),
}
"""The SQLAlchemy dialects that render text for the two drivers."""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL text for one driver, and the names of its parameters in the order in which they are sent."""

    sql: str
    names: tuple[str, ...] = ()

    def bind(self, values: Mapping[str, object]) -> tuple[object, ...]:
        """The values in the statement's order. Raises KeyError for a missing one."""
        return tuple([values[name] for name in self.names])


def compile_statement(query: ClauseElement, dialect: Dialect) -> Statement:
    """The text of a SQLAlchemy Core query; every value in it must be a `bindparam` or a rendered literal.

    Raises TypeError when the query holds a value of its own: it would be one statement per value, and the
    value would be lost.
    """
    compiled = query.compile(dialect=COMPILERS[dialect])
    for name, value in compiled.params.items():
        if value is not None:
            raise TypeError(f"parameter {name} holds the value {value!r}; use bindparam() instead")
    names = getattr(compiled, "positiontup", None) or ()
    return Statement(str(compiled), tuple(names))


@lru_cache(maxsize=2048)
def _cached(dialect: Dialect, build: Callable[[], ClauseElement], shape: Hashable) -> Statement:
    return compile_statement(build(), dialect)


def cached_statement(dialect: Dialect, shape: Hashable, build: Callable[[], ClauseElement]) -> Statement:
    """The statement of a query shape, built at its first use and kept (the last 2048 shapes are).

    `build` must be a module-level function or another object that stays the same between calls; with `shape`
    it names the statement.
    """
    return _cached(dialect, build, shape)


class Database(ABC):
    """An opened database. `open` returns the kind that the target asks for."""

    dialect: Dialect
    name: str
    """What people call it in messages and logs: a path, or host and database; never a password."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._writer = threading.Lock()

    @staticmethod
    async def open(target: str | Path) -> Database:
        """Opens what `target` names: a path or `sqlite:///` URL, or a `postgresql://` URL.

        Never creates or changes anything: `sources.migrations.upgrade` does. Raises DataFolderError when a
        file or folder is missing, damaged or unreadable, UpstreamUnavailable when PostgreSQL does not answer.
        """
        from sources.database_postgresql import PostgresqlDatabase
        from sources.database_sqlite import SqliteDatabase

        path = sqlite_path(target)
        if path is not None:
            return await SqliteDatabase.open_file(path)
        return await PostgresqlDatabase.open_server(str(target))

    @property
    def engine(self) -> Engine:
        """The SQLAlchemy engine, for writes."""
        return self._engine

    @abstractmethod
    async def fetch(self, statement: Statement, params: Sequence[object] = ()) -> list[Row]:
        """All rows of a read. `params` stand in the order of `statement.names`.

        Cancelling the caller stops the query. Raises DataFolderError or UpstreamUnavailable when the database
        cannot answer.
        """

    async def fetch_one(self, statement: Statement, params: Sequence[object] = ()) -> Row | None:
        """The first row of a read, or None; the statement should have a limit."""
        rows = await self.fetch(statement, params)
        return rows[0] if rows else None

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session in one transaction: committed at the end, rolled back when anything is raised.

        Blocks, so it belongs in a command or a worker thread, never in the event loop. One writer at a time:
        others in this process wait, and those in other processes as long as the database lets them.
        """
        with self._writer, self._explained(), Session(self._engine) as session, session.begin():
            yield session

    @abstractmethod
    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turns the driver's errors that a user can do something about into ours."""
        yield

    @abstractmethod
    async def close(self) -> None:
        """Stops running reads and lets go of every connection."""


def sqlite_path(target: str | Path) -> Path | None:
    """The file that `target` names, or None when it names a PostgreSQL server.

    Raises DataFolderError for any other URL.
    """
    if isinstance(target, Path):
        return target
    if "://" not in target:
        return Path(target)
    hint = "Use a file path, `sqlite:////absolute/path.db`, or `postgresql://user@host/database`."
    try:
        url = make_url(target)
    except (ArgumentError, ValueError):
        raise DataFolderError("The database URL cannot be read.", hint=hint) from None
    backend = url.drivername.partition("+")[0]
    if backend in ("postgresql", "postgres"):
        return None
    if backend == "sqlite" and url.database and url.database != ":memory:":
        return Path(url.database)
    raise DataFolderError(f"A database of the kind `{url.drivername}` is not supported.", hint=hint)


def make_engine(target: str | Path) -> Engine:
    """A SQLAlchemy engine for writes and migrations on `target`, as `Database.open` reads it."""
    from sources import database_postgresql, database_sqlite

    path = sqlite_path(target)
    if path is not None:
        return database_sqlite.make_engine(path)
    return database_postgresql.make_engine(str(target))
