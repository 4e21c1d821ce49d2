"""`loregraph import events`: files into the tables, in batches that are whole or not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, TextIO

import orjson

from sources.database import Database
from sources.errors import DataFolderError
from sources.events.format import EventInput
from sources.events.reading import SUFFIXES, Accepted, Rejected, read_events, unreadable
from sources.events.repeats import LastOnes, last_ones
from sources.events.rows import published_status
from sources.events.writing import Written, make_room, refresh_statistics, upsert
from sources.importing import Importer, ImportOptions, ImportOutcome
from sources.source import Report

BATCH = 2_000
"""Events in one transaction."""


class EventImporter(Importer):
    """Takes events in the import format and earthquakes of the USGS."""

    takes: ClassVar[str] = "JSON Lines, CSV, and earthquakes of the USGS as GeoJSON"

    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of one event."""
        schema = EventInput.model_json_schema()
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Event"}

    def run(
        self,
        database: Database,
        settings: Any,
        paths: Sequence[Path],
        options: ImportOptions,
        report: Report,
    ) -> ImportOutcome:
        """Imports the files, and of folders the files whose names end as those of events do."""
        files = [file for path in paths for file in _files(path)]
        with _rejects(options.rejects) as rejects:
            run = _Run(database, options, rejects, report, last_ones(files))
            for file in files:
                run.take(file)
        if run.written.added + run.written.changed and not options.dry_run:
            with database.writing() as session:
                refresh_statistics(session.connection())
        return run.outcome()


def _files(path: Path) -> list[Path]:
    try:
        if not path.is_dir():
            path.stat()
            return [path]
        found = sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
    except OSError as error:
        raise unreadable(path, error) from None
    if not found:
        raise DataFolderError(f"{path} holds no file of events.", hint=f"They end in {', '.join(SUFFIXES)}.")
    return found


@contextmanager
def _rejects(path: Path | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
        return
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise DataFolderError(
            f"{path} cannot be written: {(error.strerror or 'unknown reason').lower()}.",
            hint="Name another file with --rejects.",
        ) from None
    with file:
        yield file


class _Run:
    """One import: what was written and rejected so far."""

    def __init__(
        self,
        database: Database,
        options: ImportOptions,
        rejects: TextIO | None,
        report: Report,
        last: LastOnes,
    ) -> None:
        self._database = database
        self._options = options
        self._rejects = rejects
        self._report = report
        self.written = Written()
        self._rejected = 0
        self._waiting = 0
        self._last = last
        self._superseded = 0

    def take(self, file: Path) -> None:
        """Imports one file. What is reported as read is written."""
        size = file.stat().st_size
        self._report(file.name, 0, size)
        batch: list[EventInput] = []
        since = read = 0
        for item in read_events(file):
            read = item.read
            since += 1
            if isinstance(item, Accepted):
                if self._last.superseded(item.event.id):
                    self._superseded += 1
                else:
                    batch.append(item.event)
            else:
                self._reject(file, item)
            if since >= BATCH:
                self._write(batch)
                batch, since = [], 0
                self._report(file.name, min(read, size), size)
        self._write(batch)
        self._report(file.name, size, size)

    def _write(self, batch: list[EventInput]) -> None:
        if not batch:
            return
        with self._database.writing() as session:
            make_room(session.connection())
            written = upsert(session.connection(), batch, dry_run=self._options.dry_run)
        self.written += written
        self._waiting += sum(
            1 for event in batch if event.status == "published" and published_status(event) != "published"
        )

    def _reject(self, file: Path, item: Rejected) -> None:
        self._rejected += 1
        if self._rejects is not None:
            line = {"file": str(file), "line": item.line, "reasons": list(item.reasons)}
            if item.id is not None:
                line["id"] = item.id
            self._rejects.write(orjson.dumps(line).decode() + "\n")

    def outcome(self) -> ImportOutcome:
        """What became of all files."""
        notes: list[str] = []
        if self._waiting:
            notes.append(
                f"{self._waiting} events wait as `pending`: only with a confidence of 0.3, a magnitude of 1 and a"
                " source is an event published."
            )
        if self._superseded:
            notes.append(f"{self._superseded} records were passed over: a later one has the same id.")
        counts = {
            "added": self.written.added,
            "changed": self.written.changed,
            "unchanged": self.written.unchanged,
        }
        return ImportOutcome(counts, self._rejected, tuple(notes))
