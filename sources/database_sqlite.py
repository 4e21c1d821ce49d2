"""SQLite: short reads inside the event loop, long ones in threads, writes under the write-ahead log.

A hop to a thread and back costs over ten times what reading one row does, so a read first runs where it is
asked for, with a budget of virtual-machine steps. SQLite does about 30 steps a microsecond on the
machine this was measured on, so `INLINE_STEPS` is some 2 ms; counting them costs under 2 % of a query. A read
over its budget is stopped and started again in a thread, and its statement goes there directly for its next
`LONG_MEMORY` runs. Work that SQLite does not count in steps (full-text ranking, sorting, searching long
texts) is found by the clock instead: two runs in a row over `SLOW_SECONDS`.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, event
from sqlalchemy import create_engine as create_sql_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry

from sources.database import Database, Row, Statement
from sources.errors import DataFolderError, UpstreamUnavailable
from sources.text_index import Dialect

INLINE_STEPS = 64_000
STEPS_BETWEEN_LOOKS = 2_000
LONG_MEMORY = 64
SLOW_SECONDS = 0.008
REMEMBERED_STATEMENTS = 1_024
READ_THREADS = 4

_MMAP_BYTES = 256 * 1024 * 1024
_WRITE_WAIT_SECONDS = 30.0
_READ_WAIT_MS = 5_000
# In the event loop nothing may wait: a file that another process is recovering goes to a thread.
_INLINE_WAIT_MS = 0

_RESTORE = (
    "Nothing was changed. Restore the file from a backup, or move it away and run `loregraph seed` to build"
    " a new one."
)


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 for errors that Python's module raises by itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def explain(error: sqlite3.Error, path: Path) -> DataFolderError | None:
    """What a SQLite error means for the person who runs loregraph; None when it is a fault of ours."""
    match _code(error):
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return DataFolderError(f"The database file {path} is damaged or not a database.", hint=_RESTORE)
        case sqlite3.SQLITE_CANTOPEN:
            return _cannot_open(path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return DataFolderError(
                f"The database file {path} cannot be written.",
                hint="Give this user write access to the file and its folder, or choose another"
                " LOREGRAPH_DATA_DIR.",
            )
        case sqlite3.SQLITE_FULL:
            return DataFolderError(
                f"The disk that holds {path} is full.",
                hint="Free some space and start again; what was half written has been undone.",
            )
        case sqlite3.SQLITE_IOERR:
            return DataFolderError(
                f"The database file {path} cannot be read or written.",
                hint="Check the disk and the access rights of the file and its folder.",
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return DataFolderError(
                f"The database file {path} is held by another process.",
                hint="Wait for the running import or seed to end, or stop it, and try again.",
            )
    return None


def _cannot_open(path: Path) -> DataFolderError:
    if not path.parent.is_dir():
        return DataFolderError(
            f"The data folder {path.parent} does not exist or is not a folder.",
            hint="Create it, or set LOREGRAPH_DATA_DIR to one that does.",
        )
    if not path.exists():
        return DataFolderError(
            f"The database file {path} does not exist.", hint="Run `loregraph seed` to build it."
        )
    return DataFolderError(
        f"The database file {path} cannot be opened.",
        hint="Give this user read and write access to the file and its folder, or choose another"
        " LOREGRAPH_DATA_DIR.",
    )


def _configure(connection: sqlite3.Connection, wait_ms: int) -> None:
    connection.execute(f"PRAGMA busy_timeout = {wait_ms:d}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA mmap_size = {_MMAP_BYTES:d}")


def connect_reader(path: Path, wait_ms: int = _READ_WAIT_MS) -> sqlite3.Connection:
    """A connection that cannot write. Raises sqlite3.Error when the file is missing or is no database."""
    connection = sqlite3.connect(
        # Bytes: a name that the locale cannot read is still the name of a file.
        f"file:{quote(os.fsencode(path.absolute()))}?mode=ro",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=512,
    )
    try:
        _configure(connection, wait_ms)
        connection.execute("PRAGMA query_only = ON")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def make_engine(path: Path) -> Engine:
    """The engine for writes: write-ahead log, foreign keys on, each transaction takes the write lock at once.

    Taking it at `BEGIN` means that a transaction waits for its turn before it reads, and never fails halfway
    because another process wrote in between.
    """
    url = URL.create("sqlite+pysqlite", database=str(path))
    engine = create_sql_engine(url, connect_args={"timeout": _WRITE_WAIT_SECONDS})

    @event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
        connection.isolation_level = None
        _configure(connection, round(_WRITE_WAIT_SECONDS * 1000))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Raises SQLite's errors, SQLAlchemy's wrapping taken off, as DataFolderError where it is one."""
    try:
        yield
    except sqlite3.Error as error:
        ours = explain(error, path)
        if ours is None:
            raise
        raise ours from error
    except DBAPIError as error:
        ours = explain(error.orig, path) if isinstance(error.orig, sqlite3.Error) else None
        if ours is None:
            raise
        raise ours from error


class _Budget:
    """A progress handler: SQLite calls it every `STEPS_BETWEEN_LOOKS` steps, and stops when it says True."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = 0

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


class _Read:
    """One read in a thread, and the connection that it is running on, if it is."""

    __slots__ = ("_connection", "_lock", "_stopped")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._stopped = False

    def run(self, connection: sqlite3.Connection, sql: str, params: Sequence[object]) -> list[Row] | None:
        """The rows, or None when the read was stopped."""
        with self._lock:
            if self._stopped:
                return None
            self._connection = connection
        try:
            return connection.execute(sql, params).fetchall()
        except sqlite3.Error as error:
            if _code(error) == sqlite3.SQLITE_INTERRUPT:
                return None
            raise
        finally:
            with self._lock:
                self._connection = None

    def stop(self) -> None:
        """Interrupts the read, and only it: the connection is let go of under the same lock."""
        with self._lock:
            self._stopped = True
            if self._connection is not None:
                self._connection.interrupt()


class SqliteDatabase(Database):
    """A SQLite file."""

    dialect: Dialect = "sqlite"

    def __init__(self, path: Path, reader: sqlite3.Connection) -> None:
        super().__init__(make_engine(path))
        self.path = path
        self.name = str(path)
        self._reader = reader
        self._budget = _Budget()
        reader.set_progress_handler(self._budget, STEPS_BETWEEN_LOOKS)
        self._long: dict[str, int] = {}
        self._slow: dict[str, int] = {}
        self._threads = ThreadPoolExecutor(READ_THREADS, thread_name_prefix="sqlite-read")
        self._of_thread = threading.local()
        self._thread_readers: list[sqlite3.Connection] = []
        self._running: set[_Read] = set()
        self._closed = False

    @classmethod
    async def open_file(cls, path: Path) -> SqliteDatabase:
        """Opens an existing file. Raises DataFolderError when it cannot be read."""
        with explained(path):
            return cls(path, connect_reader(path, _INLINE_WAIT_MS))

    async def fetch(self, statement: Statement, params: Sequence[object] = ()) -> list[Row]:
        if self._closed:
            raise RuntimeError("the database is closed")
        sql = statement.sql
        left = self._long.get(sql)
        if left is None:
            rows = self._fetch_here(sql, params)
            if rows is not None:
                return rows
            self._remember(self._long, sql, LONG_MEMORY)
        elif left > 1:
            self._long[sql] = left - 1
        else:
            del self._long[sql]
        return await self._fetch_in_thread(sql, params)

    def _fetch_here(self, sql: str, params: Sequence[object]) -> list[Row] | None:
        """The rows, or None when the read is too long for the event loop."""
        self._budget.left = INLINE_STEPS // STEPS_BETWEEN_LOOKS
        started = time.perf_counter()
        try:
            rows: list[Row] = self._reader.execute(sql, params).fetchall()
        except sqlite3.Error as error:
            if _code(error) in (sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_BUSY):
                return None
            ours = explain(error, self.path)
            if ours is None:
                raise
            raise ours from error
        if time.perf_counter() - started > SLOW_SECONDS:
            self._was_slow(sql)
        elif self._slow:
            self._slow.pop(sql, None)
        return rows

    def _was_slow(self, sql: str) -> None:
        # One slow run may be the machine's doing; two in a row are the statement's.
        if self._slow.pop(sql, 0):
            self._remember(self._long, sql, LONG_MEMORY)
        else:
            self._remember(self._slow, sql, 1)

    @staticmethod
    def _remember(memory: dict[str, int], sql: str, value: int) -> None:
        if len(memory) >= REMEMBERED_STATEMENTS:
            del memory[next(iter(memory))]
        memory[sql] = value

    async def _fetch_in_thread(self, sql: str, params: Sequence[object]) -> list[Row]:
        read = _Read()
        self._running.add(read)
        future = self._threads.submit(self._run, read, sql, params)
        try:
            rows = await asyncio.shield(asyncio.wrap_future(future))
        except asyncio.CancelledError:
            await self._stop(read, future)
            raise
        finally:
            self._running.discard(read)
        if rows is None:
            raise UpstreamUnavailable(f"{self.name} is being closed.", upstream=self.name)
        return rows

    def _run(self, read: _Read, sql: str, params: Sequence[object]) -> list[Row] | None:
        with explained(self.path):
            connection: sqlite3.Connection | None = getattr(self._of_thread, "connection", None)
            if connection is None:
                connection = connect_reader(self.path)
                self._of_thread.connection = connection
                self._thread_readers.append(connection)
            return read.run(connection, sql, params)

    @staticmethod
    async def _stop(read: _Read, future: Future[list[Row] | None]) -> None:
        if future.cancel():
            return
        finished = asyncio.wrap_future(future)
        # SQLite forgets an interrupt that arrives just before the statement's first step: ask until it ends.
        while not finished.done():
            read.stop()
            await asyncio.wait([finished], timeout=0.005)
        if not finished.cancelled():
            finished.exception()  # nobody awaits it any more

    @contextmanager
    def _explained(self) -> Iterator[None]:
        with explained(self.path):
            yield

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        stopped = asyncio.get_running_loop().run_in_executor(None, self._threads.shutdown)
        while not stopped.done():
            for read in self._running:
                read.stop()
            await asyncio.wait([stopped], timeout=0.005)
        for connection in (self._reader, *self._thread_readers):
            connection.close()
        self._engine.dispose()
