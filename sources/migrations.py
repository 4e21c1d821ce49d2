"""The schema of the database, and how it moves from one version to the next.

Each room keeps its Alembic revisions in `sources/<room>/migrations/versions/`, as one branch labelled with
the room's name (`branch_labels` in its first revision). They are written by hand. All pending revisions of all
rooms run in one transaction, under a lock that other processes wait for: a schema is whole or unchanged.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from filelock import FileLock, Timeout
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from sources import database_postgresql, database_sqlite
from sources.database import make_engine, sqlite_path
from sources.errors import DataFolderError, shorten

LOCK_SECONDS = 300.0
"""How long one process waits for another that is migrating or seeding."""

_ADVISORY_LOCK = 7_021_956_317_404_112
"""Our lock among a PostgreSQL server's advisory locks: any number that is always the same."""

_ALEMBIC = threading.Lock()
"""Alembic keeps the running migration in a global of its module: two threads would run each other's."""

_TEMPLATE = Path(__file__).with_name("migrations_template")


def versions_folder(room: str) -> Path | None:
    """Where the room `sources.<room>` keeps its revisions, or None when it has no tables."""
    spec = find_spec(f"sources.{room}")
    if spec is None or spec.origin is None:
        raise LookupError(f"there is no package sources.{room}")
    folder = Path(spec.origin).with_name("migrations") / "versions"
    return folder if folder.is_dir() else None


def configuration(rooms: Sequence[str]) -> Config:
    """Alembic's settings for these rooms, made in code: there is no ini file to find."""
    folders = [str(folder) for room in rooms if (folder := versions_folder(room)) is not None]
    config = Config()
    # Alembic reads values with ConfigParser, to which a percent sign is syntax.
    config.set_main_option("script_location", str(_TEMPLATE).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", "\n".join(folders).replace("%", "%%"))
    return config


@contextmanager
def house_lock(target: str | Path) -> Iterator[None]:
    """One process at a time on this database: for migrations, and for seeding after them.

    Not reentrant. Raises DataFolderError when the folder cannot be written, or when the other process takes
    longer than `LOCK_SECONDS`.
    """
    path = sqlite_path(target)
    if path is None:
        with _server_lock(str(target)):
            yield
        return
    lock = FileLock(f"{path}.lock")
    try:
        lock.acquire(timeout=LOCK_SECONDS)
    except Timeout:
        raise _held_too_long(str(path)) from None
    except OSError as error:
        raise unusable_folder(path.parent) from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _server_lock(target: str) -> Iterator[None]:
    name = database_postgresql.server_name(target)
    engine = make_engine(target)
    try:
        with database_postgresql.explained(name):
            connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        with connection:
            with database_postgresql.explained(name):
                connection.execute(text(f"SET lock_timeout = {LOCK_SECONDS * 1000:.0f}"))
                try:
                    connection.execute(text(f"SELECT pg_advisory_lock({_ADVISORY_LOCK})"))
                except DBAPIError as error:
                    if isinstance(error.orig, psycopg.errors.LockNotAvailable):
                        raise _held_too_long(name) from None
                    raise
            try:
                yield
            finally:
                # Closing the connection would do as well, but the pool keeps it open.
                connection.execute(text(f"SELECT pg_advisory_unlock({_ADVISORY_LOCK})"))
    finally:
        engine.dispose()


@contextmanager
def said_in_words(target: str | Path) -> Iterator[None]:
    """Raises whatever the database refuses of our own schema or data as DataFolderError.

    For migrations, seeding and checks alone: what they ask is always the same, so when it fails the database
    differs from what they expect. A query that fails while serving may as well be a fault of ours.
    """
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, psycopg.Error, CommandError) as error:
        # The driver's own words without the statement, which SQLAlchemy adds, and without PostgreSQL's details.
        cause = getattr(error, "orig", None) or error
        said = shorten(str(cause).partition("\n")[0], 200)
        raise DataFolderError(
            f"The database {name_of(target)} holds something else than this loregraph expects ({said}).",
            hint="Nothing was changed. If another program made it, choose another LOREGRAPH_DATA_DIR or"
            " LOREGRAPH_DATABASE_URL; else restore it from a backup.",
        ) from error


def _held_too_long(name: str) -> DataFolderError:
    return DataFolderError(
        f"Another loregraph process is migrating or seeding {name}, for over {LOCK_SECONDS:.0f} seconds now.",
        hint="Wait for it to end, or stop it, and start again.",
    )


def unusable_folder(folder: Path) -> DataFolderError:
    """What is said of a folder that cannot be written."""
    return DataFolderError(
        f"The data folder {folder} cannot be used.",
        hint="It must be a folder that this user can write to. Change its owner or rights, or choose another"
        " with LOREGRAPH_DATA_DIR.",
    )


def _prepare_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable_folder(path.parent) from error


def current(target: str | Path) -> tuple[str, ...]:
    """The newest applied revision of each branch; empty for a database that does not exist yet.

    Reads only. Raises DataFolderError or UpstreamUnavailable when the database cannot be read.
    """
    with said_in_words(target):
        return _current(target)


def _current(target: str | Path) -> tuple[str, ...]:
    path = sqlite_path(target)
    if path is not None:
        # An empty file is what a start that was killed at once leaves behind.
        if not path.exists() or path.stat().st_size == 0:
            return ()
        with database_sqlite.explained(path):
            return _current_in_file(path)
    engine = make_engine(target)
    try:
        explained = database_postgresql.explained(database_postgresql.server_name(str(target)))
        with explained, engine.connect() as connection:
            return tuple(sorted(MigrationContext.configure(connection).get_current_heads()))
    finally:
        engine.dispose()


def _current_in_file(path: Path) -> tuple[str, ...]:
    connection = database_sqlite.connect_reader(path)
    try:
        tables = "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
        if connection.execute(tables).fetchone() is None:
            return ()
        versions = "SELECT version_num FROM alembic_version ORDER BY version_num"
        return tuple(row[0] for row in connection.execute(versions))
    finally:
        connection.close()


def pending(target: str | Path, rooms: Sequence[str]) -> tuple[str, ...]:
    """The revisions of these rooms that the database lacks, first to run first.

    `rooms` are all rooms of the program. Raises DataFolderError when the database holds a revision that this
    program does not know.
    """
    script = ScriptDirectory.from_config(configuration(rooms))
    known = {revision.revision for revision in script.walk_revisions()}
    heads = current(target)
    if not known.issuperset(heads):
        raise DataFolderError(
            f"The database {name_of(target)} was written by a newer loregraph than this one.",
            hint="Update loregraph, or choose another LOREGRAPH_DATA_DIR or LOREGRAPH_DATABASE_URL.",
        )
    applied = {revision.revision for head in heads for revision in script.iterate_revisions(head, "base")}
    return tuple(
        revision.revision
        for revision in reversed(list(script.walk_revisions()))
        if revision.revision not in applied
    )


def name_of(target: str | Path) -> str:
    """What people call a database: its path, or its server and name; never a password."""
    path = sqlite_path(target)
    return str(path) if path is not None else database_postgresql.server_name(str(target))


def upgrade(target: str | Path, rooms: Sequence[str]) -> tuple[str, ...]:
    """Brings the tables of these rooms to this program's version; returns the revisions that were run.

    Makes the data folder when there is none. Waits for another process that does the same. `rooms` are all
    rooms of the program. Raises DataFolderError or UpstreamUnavailable; the database is then unchanged.
    """
    path = sqlite_path(target)
    if path is not None:
        _prepare_folder(path)
    if not pending(target, rooms):
        return ()
    with house_lock(target):
        todo = pending(target, rooms)
        if todo:
            with _migrating(target) as connection:
                config = configuration(rooms)
                config.attributes["connection"] = connection
                with _ALEMBIC:
                    command.upgrade(config, "heads")
        return todo


VERSIONS = "alembic_version"
"""The table that remembers which revisions were run."""

COLUMNS = (
    "SELECT made.name, columns.name, made.sql FROM sqlite_master AS made"
    " JOIN pragma_table_info(made.name) AS columns WHERE made.type = 'table'"
)
"""Every column of every table of a SQLite database, for `columns_by_table`."""


def columns_by_table(rows: Iterable[tuple[str, str, str | None]]) -> dict[str, frozenset[str]]:
    """The columns of each table, without the tables that SQLite's full-text search keeps for itself."""
    found: dict[str, set[str]] = {}
    virtual: list[str] = []
    for table, column, sql in rows:
        found.setdefault(table, set()).add(column)
        if (sql or "").upper().startswith("CREATE VIRTUAL"):
            virtual.append(f"{table}_")
    own = (table for table in found if not table.startswith(tuple(virtual)))
    return {table: frozenset(found[table]) for table in own}


def tables_made(rooms: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """The tables that all revisions of these rooms make, with their columns as SQLite has them.

    Found by running the revisions on an empty database in memory, so that nothing has to be kept in step.
    """
    engine = create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            config = configuration(rooms)
            config.attributes["connection"] = connection
            with _ALEMBIC:
                command.upgrade(config, "heads")
            rows = connection.exec_driver_sql(COLUMNS).all()
    finally:
        engine.dispose()
    return columns_by_table((table, column, sql) for table, column, sql in rows)


def downgrade(target: str | Path, rooms: Sequence[str], room: str, revision: str = "base") -> None:
    """Takes one room's tables back to `revision` (`base`: none), with what they hold.

    For developers and for a step back to an older release after a backup. `rooms` are all rooms of the
    program. Raises as `upgrade` does.
    """
    with house_lock(target), _migrating(target) as connection:
        config = configuration(rooms)
        config.attributes["connection"] = connection
        with _ALEMBIC:
            command.downgrade(config, f"{room}@{revision}")


@contextmanager
def _migrating(target: str | Path) -> Iterator[Connection]:
    path = sqlite_path(target)
    engine = make_engine(target)
    explained = (
        database_sqlite.explained(path)
        if path is not None
        else database_postgresql.explained(database_postgresql.server_name(str(target)))
    )
    try:
        with said_in_words(target), explained, engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()
