"""`loregraph import memory NAME FILE`: entries from JSON Lines, in batches that are whole or not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TextIO

import orjson
import sqlalchemy as sa
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from sources.database import Database
from sources.errors import BadInput, DataFolderError, nearest, shorten
from sources.importing import Importer, ImportOptions, ImportOutcome
from sources.memory.records import LONGEST_CONTENT, LONGEST_ID, LONGEST_METADATA, Draft
from sources.memory.tables import DATABASE
from sources.memory.writing import Written, write_entries
from sources.moments import read_moment
from sources.source import Report

BATCH = 1_000
"""Lines in one transaction."""
LONGEST_LINE = 4_000_000
"""Bytes of one line."""
_CHUNK = 1 << 16


class EntryInput(BaseModel):
    """One entry of a memory database, or the removal of one."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(
        min_length=1, max_length=LONGEST_ID, description="Its id, unique in the database; your own."
    )
    content: str | None = Field(
        default=None, max_length=LONGEST_CONTENT, description="The text that is found by its meaning."
    )
    metadata: dict[str, Any] | None = Field(
        default=None,
        description="Anything else that is known of it. Filters find `key=value` of its top level.",
    )
    timestamp: str | None = Field(
        default=None,
        description="When it was, as 2024-01-31T23:59:59Z or 2024-01-31; UTC where no offset is given.",
    )
    delete: bool = Field(default=False, description="Take the entry with this id out; needs no content.")

    @field_validator("id")
    @classmethod
    def _printable(cls, value: str) -> str:
        if not value.isprintable() or value != value.strip():
            raise ValueError("must be printable, without blanks at its ends")
        return value

    @field_validator("timestamp")
    @classmethod
    def _moment(cls, value: str | None) -> str | None:
        if value is not None:
            read_moment(value)
        return value

    @field_validator("metadata")
    @classmethod
    def _bounded(cls, value: dict[str, Any] | None) -> dict[str, Any] | None:
        try:
            size = 0 if value is None else len(orjson.dumps(value))
        except (TypeError, orjson.JSONEncodeError):
            raise ValueError("holds a number beyond 64 bits, or text that is no Unicode") from None
        if size > LONGEST_METADATA:
            raise ValueError(f"takes more than {LONGEST_METADATA} bytes of JSON")
        return value

    def draft(self) -> Draft:
        """The entry. Raises ValueError when it has no content."""
        content = (self.content or "").replace("\0", "\ufffd")
        if not content.strip():
            raise ValueError("content: must hold a text.")
        moment = None if self.timestamp is None else read_moment(self.timestamp).first
        return Draft(self.id, content, self.metadata or {}, moment)


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    read: int
    draft: Draft | None = None
    removed: str | None = None
    reasons: tuple[str, ...] = ()


class MemoryImporter(Importer):
    """Takes the name of a database, and files of its entries."""

    takes: ClassVar[str] = "a database's name, then JSON Lines of id, content, metadata and timestamp"

    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of one entry."""
        schema = EntryInput.model_json_schema()
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "MemoryEntry"}

    def run(
        self,
        database: Database,
        settings: Any,
        paths: Sequence[Path],
        options: ImportOptions,
        report: Report,
    ) -> ImportOutcome:
        """Imports the files into the database that the first of `paths` names."""
        name, *files = str(paths[0]), *paths[1:]
        _check_name(database, name)
        if not files:
            raise BadInput(f"names no file to import into `{name}`.", argument="PATH")
        written, rejected = Written(), 0
        with _rejects(options.rejects) as rejects:
            for file in files:
                rejected += _take(database, name, file, options, rejects, report, written)
        counts = {"added": written.added, "changed": written.changed, "unchanged": written.unchanged}
        if written.removed:
            counts["removed"] = written.removed
        return ImportOutcome(counts, rejected)


def _check_name(database: Database, name: str) -> None:
    with database.writing() as session:
        rows = session.connection().execute(
            sa.select(DATABASE.c.name, DATABASE.c.location, DATABASE.c.embedded).order_by(DATABASE.c.name)
        )
        held = {row[0]: row for row in rows}
    taking = [known for known, row in held.items() if row[1] is None and not row[2]]
    if name not in held:
        raise BadInput(
            f"begins with the name of a memory database, and there is none `{shorten(name)}`. Make it with"
            f" `loregraph memory create {shorten(name)}`.",
            argument="PATH",
            allowed=taking,
            suggestions=nearest(name, taking),
        )
    if name not in taking:
        why = "is filled by loregraph itself" if held[name][2] else "is attached, and only read"
        raise BadInput(f"cannot be `{name}`, which {why}.", argument="PATH", allowed=taking)


def _take(
    database: Database,
    name: str,
    file: Path,
    options: ImportOptions,
    rejects: TextIO | None,
    report: Report,
    written: Written,
) -> int:
    """Imports one file; what is reported as read is written. Returns how many lines were rejected."""
    rejected = 0
    try:
        size = file.stat().st_size
        report(file.name, 0, size)
        batch: list[_Line] = []
        read = 0
        for line in _lines(file):
            read = line.read
            if line.reasons:
                rejected += 1
                if rejects is not None:
                    said = {"file": str(file), "line": line.number, "reasons": list(line.reasons)}
                    rejects.write(orjson.dumps(said).decode() + "\n")
            batch.append(line)
            if len(batch) >= BATCH:
                written += _write(database, name, batch, options.dry_run)
                batch = []
                report(file.name, min(read, size), size)
        written += _write(database, name, batch, options.dry_run)
        report(file.name, size, size)
    except OSError as error:
        raise DataFolderError(
            f"{file} cannot be read: {(error.strerror or 'unknown reason').lower()}.",
            hint="Check its name and rights.",
        ) from None
    return rejected


def _write(database: Database, name: str, lines: Sequence[_Line], dry_run: bool) -> Written:
    drafts: dict[str, Draft] = {}
    removed: dict[str, None] = {}
    for line in lines:
        # In the order of the file: an entry that is removed and added again stays.
        if line.draft is not None:
            drafts[line.draft.id] = line.draft
            removed.pop(line.draft.id, None)
        elif line.removed is not None:
            removed[line.removed] = None
            drafts.pop(line.removed, None)
    if not drafts and not removed:
        return Written()
    with database.writing() as session:
        return write_entries(
            session.connection(), name, list(drafts.values()), list(removed), dry_run=dry_run
        )


def _lines(path: Path) -> Iterator[_Line]:
    """The lines of a file, one held at a time; blank ones are passed over."""
    with path.open("rb") as file:
        read = number = 0
        while line := file.readline(LONGEST_LINE):
            number += 1
            read += len(line)
            if len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
                while rest := file.readline(_CHUNK):
                    read += len(rest)
                    if rest.endswith(b"\n"):
                        break
                yield _Line(number, read, reasons=(f"The line is longer than {LONGEST_LINE} bytes.",))
                continue
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if line.strip():
                yield _read(line, number, read)


def _read(line: bytes, number: int, read: int) -> _Line:
    try:
        entry = EntryInput.model_validate_json(line)
        if entry.delete:
            return _Line(number, read, removed=entry.id)
        return _Line(number, read, draft=entry.draft())
    except ValidationError as error:
        return _Line(number, read, reasons=tuple(_reasons(error)))
    except ValueError as error:
        return _Line(number, read, reasons=(str(error),))


def _reasons(error: ValidationError) -> Iterator[str]:
    for problem in error.errors(include_url=False, include_context=False):
        place = ".".join(str(step) for step in problem["loc"])
        text = problem["msg"].removeprefix("Value error, ")
        yield f"{place}: {text}." if place else f"{text}."


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
