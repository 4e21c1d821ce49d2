"""What `loregraph import library` runs: catalogue files, and folders of documents."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, ClassVar

import orjson
import sqlalchemy as sa

from sources.data_version import make_data_versions, move_data_version
from sources.database import Database
from sources.errors import DataFolderError
from sources.importing import Importer, ImportOptions, ImportOutcome
from sources.library.catalogue import import_catalogue
from sources.library.jsonl import LINE_SCHEMA
from sources.library.records import Origin
from sources.library.settings import LibrarySettings
from sources.library.tally import Tally
from sources.source import Report

ROOM = "library"
_LOCK = 5_102_640_119
"""Our lock among a PostgreSQL server's advisory locks: any number that is always the same."""

SHOWN = 20
"""Files that were not taken, named in the outcome; the file for rejects has them all."""
_ENDINGS = (".jsonl", ".ndjson")


class LibraryImporter(Importer):
    """Imports catalogue files in the library's own format, and folders of documents."""

    takes: ClassVar[str] = (
        "catalogue files (JSON Lines), and folders of Markdown, HTML, text, PDF and EPUB files"
    )

    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of one line of a catalogue file."""
        return LINE_SCHEMA

    def run(
        self,
        database: Database,
        settings: Any,
        paths: Sequence[Path],
        options: ImportOptions,
        report: Report,
    ) -> ImportOutcome:
        """Imports files and folders. Raises DataFolderError for a path that is neither, before anything is read."""
        assert isinstance(settings, LibrarySettings)
        for path in paths:
            _check(path)
        total = Tally()
        rejects: list[dict[str, Any]] = []
        with ExitStack() as stack:
            begin = _transactions(database, stack, dry_run=options.dry_run)
            for path in paths:
                where = path
                if path.is_dir():
                    # The libraries behind it take a second to load, which no server should wait for.
                    from sources.library.folder import CATEGORIES_FILE, import_folder, stored

                    where = path / CATEGORIES_FILE
                    tally, unread = import_folder(path, settings, begin, report)
                    rejects += [
                        {"file": stored(str(one.path)), "line": None, "reasons": [one.reason]}
                        for one in unread
                    ]
                    total.notes += [f"{stored(str(one.path))}: {one.reason}" for one in unread[:SHOWN]]
                    if len(unread) > SHOWN:
                        total.notes.append(f"{len(unread) - SHOWN} more files were not taken.")
                else:
                    tally = import_catalogue(path, Origin.IMPORT, begin, report)
                rejects += [
                    {
                        "file": os.fsencode(where).decode("utf-8", "backslashreplace"),
                        "line": number,
                        "reasons": list(reasons),
                    }
                    for number, reasons in tally.rejections
                ]
                total.add(tally)
        if options.rejects is not None:
            _write_rejects(options.rejects, rejects)
        counts = {word: total.counts[word] for word in ("added", "updated", "removed", "unchanged")}
        return ImportOutcome(counts, len(rejects), tuple(total.notes))


def _check(path: Path) -> None:
    if path.is_file() and path.suffix.lower() not in _ENDINGS:
        raise DataFolderError(
            f"The file {path} is no catalogue.",
            hint=f"A catalogue ends in {' or '.join(_ENDINGS)}; documents are imported by their folder.",
        )
    if not path.exists():
        raise DataFolderError(f"There is no {path}.", hint="Check the name.")


def _transactions(
    database: Database, stack: ExitStack, *, dry_run: bool
) -> Callable[[], AbstractContextManager[sa.Connection]]:
    """How transactions begin. A dry run is one transaction, undone at the end of `stack`."""
    if dry_run:
        connection = stack.enter_context(_undone(database))

        @contextmanager
        def within() -> Iterator[sa.Connection]:
            yield connection

        return within

    @contextmanager
    def committed() -> Iterator[sa.Connection]:
        with database.writing() as session:
            connection = session.connection()
            if connection.dialect.name == "postgresql":
                # One import at a time, as SQLite has it: what is counted must not change meanwhile.
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            yield connection
            make_data_versions(connection)
            move_data_version(connection, ROOM)

    return committed


class _Undo(Exception):
    """Ends the transaction of a dry run."""


@contextmanager
def _undone(database: Database) -> Iterator[sa.Connection]:
    try:
        with database.writing() as session:
            yield session.connection()
            raise _Undo
    except _Undo:
        return


def _write_rejects(path: Path, rejects: Sequence[Mapping[str, Any]]) -> None:
    try:
        path.write_bytes(b"".join(orjson.dumps(reject) + b"\n" for reject in rejects))
    except OSError as error:
        raise DataFolderError(
            f"The file {path} for what was rejected cannot be written.", hint=f"{error.strerror or error}."
        ) from error
