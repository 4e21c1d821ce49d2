"""Whether a database is whole: the pages of a SQLite file, and the tables that the migrations made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sqlalchemy import text

from sources.database import make_engine, sqlite_path
from sources.database_postgresql import explained as explained_server
from sources.database_postgresql import server_name
from sources.database_sqlite import connect_reader, explained
from sources.errors import DataFolderError
from sources.migrations import (
    COLUMNS,
    VERSIONS,
    columns_by_table,
    current,
    house_lock,
    name_of,
    said_in_words,
    tables_made,
)
from sources.seeding import HOUSE_TABLES
from sources.text_index_tables import fts_table

CHECKED_BYTES = 256 * 1024 * 1024
"""The largest file that is checked at a start: the check reads all of it, some 3 ms a megabyte."""


def check_whole(target: str | Path) -> None:
    """Reads the whole of a SQLite file. Raises DataFolderError when it is damaged; changes nothing.

    Nothing to do for a file that is absent or empty, or for PostgreSQL.
    """
    path = sqlite_path(target)
    if path is None or _size(path) == 0:
        return
    with explained(path):
        connection = connect_reader(path)
        try:
            found = connection.execute("PRAGMA quick_check(1)").fetchall()
        finally:
            connection.close()
    if found != [("ok",)]:
        raise DataFolderError(
            f"The database file {path} is damaged: some of its pages hold nonsense.",
            hint="Nothing was changed. Restore the file from a backup, or move it away and run `loregraph seed`"
            " to build a new one.",
        )


def check_before_use(target: str | Path) -> None:
    """`check_whole` at a start: not for large files, and not while another process migrates or seeds."""
    path = sqlite_path(target)
    if path is not None and 0 < _size(path) <= CHECKED_BYTES:
        with house_lock(target):
            check_whole(target)


def check_unclaimed(target: str | Path, rooms: Sequence[str]) -> None:
    """Whether a database that loregraph never used is free for it: no table stands there under one of our names.

    `rooms` are all rooms of the program. Changes nothing. Raises DataFolderError, and UpstreamUnavailable when
    PostgreSQL does not answer.
    """
    path = sqlite_path(target)
    if (path is not None and _size(path) == 0) or current(target):
        return
    foreign = sorted({*tables_made(rooms), *HOUSE_TABLES} & _tables(target).keys() - {VERSIONS})
    if foreign:
        raise DataFolderError(
            f"The database {name_of(target)} holds {', '.join(foreign)}, which loregraph did not make.",
            hint="Nothing was changed. Choose another LOREGRAPH_DATA_DIR or LOREGRAPH_DATABASE_URL.",
        )


def check_tables(target: str | Path, rooms: Sequence[str]) -> None:
    """Whether all that the revisions of these rooms made is still there: tables, and in a file their columns.

    For a database without pending revisions; `rooms` are all rooms of the program. Changes nothing. Raises
    DataFolderError, and UpstreamUnavailable when PostgreSQL does not answer.
    """
    made, held = dict(tables_made(rooms)), _tables(target)
    made |= {table: columns for table, columns in HOUSE_TABLES.items() if table in held}
    in_file = sqlite_path(target) is not None
    # PostgreSQL needs no table beside that of the texts for its full-text search.
    missing = [
        table for table in made if table not in held and (in_file or not table.endswith(fts_table("")))
    ]
    if in_file:
        missing += [
            f"{table}.{column}" for table in made.keys() & held for column in made[table] - held[table]
        ]
    if missing:
        raise DataFolderError(
            f"The database {name_of(target)} lacks {', '.join(sorted(missing))}, without which loregraph cannot"
            " answer.",
            hint="Nothing was changed. Restore it from a backup, or put an empty one in its place and run"
            " `loregraph seed` to build it anew.",
        )


def _tables(target: str | Path) -> Mapping[str, frozenset[str]]:
    path = sqlite_path(target)
    with said_in_words(target):
        return _tables_of_file(path) if path is not None else _tables_of_server(str(target))


def _tables_of_file(path: Path) -> dict[str, frozenset[str]]:
    with explained(path):
        connection = connect_reader(path)
        try:
            return columns_by_table(connection.execute(COLUMNS).fetchall())
        finally:
            connection.close()


def _tables_of_server(target: str) -> dict[str, frozenset[str]]:
    """Without columns: those of a full-text index are others here than in the file that revisions are tried on."""
    engine = make_engine(target)
    try:
        with explained_server(server_name(target)), engine.connect() as connection:
            # Every schema in the search path: a table is where the queries find it.
            seen = text("SELECT relname FROM pg_class WHERE relkind = 'r' AND pg_table_is_visible(oid)")
            return {name: frozenset() for name in connection.execute(seen).scalars()}
    finally:
        engine.dispose()


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
