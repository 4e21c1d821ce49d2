"""One process at a time for one kind of work on a database; a second is turned away and does not wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

from filelock import FileLock, Timeout
from sqlalchemy import text

from sources import database_postgresql
from sources.database import make_engine, sqlite_path
from sources.errors import DataFolderError
from sources.migrations import name_of, unusable_folder

_ADVISORY_LOCKS = 7_021_956_300_000_000
"""Where our locks begin among a PostgreSQL server's advisory locks."""


@contextmanager
def sole_process(target: str | Path, work: str) -> Iterator[None]:
    """While the context lasts, no other process does this `work` (one word) on the database `target`.

    The lock is gone with the process, however it ends. Raises DataFolderError when another process has it, or when
    the folder cannot be written; UpstreamUnavailable when PostgreSQL does not answer.
    """
    path = sqlite_path(target)
    if path is None:
        with _on_server(str(target), work):
            yield
        return
    lock = FileLock(f"{path}.{work}.lock", thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise _busy(target, work) from None
    except OSError as error:
        raise unusable_folder(path.parent) from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _on_server(target: str, work: str) -> Iterator[None]:
    engine = make_engine(target)
    number = _ADVISORY_LOCKS + crc32(work.encode())
    try:
        with database_postgresql.explained(database_postgresql.server_name(target)):
            connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        # The lock lasts as long as the connection: whatever becomes of the process, the server lets go of it.
        with connection:
            if not connection.execute(text(f"SELECT pg_try_advisory_lock({number})")).scalar_one():
                raise _busy(target, work)
            try:
                yield
            finally:
                connection.execute(text(f"SELECT pg_advisory_unlock({number})"))
    finally:
        engine.dispose()


def _busy(target: str | Path, work: str) -> DataFolderError:
    return DataFolderError(
        f"Another loregraph process does a {work} on {name_of(target)}.",
        hint="Wait for it to end, or stop it, and start again.",
    )
