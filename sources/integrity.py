"""Whether a SQLite file is whole. PostgreSQL looks after its own."""

from __future__ import annotations

from pathlib import Path

from sources.database import sqlite_path
from sources.database_sqlite import connect_reader, explained
from sources.errors import DataFolderError
from sources.migrations import house_lock

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


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
