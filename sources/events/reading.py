"""Reading files of events: JSON Lines, CSV, and earthquakes as the USGS publishes them.

Every reader streams: it holds one record at a time, whatever the size of the file, and says with each record how many
bytes of the file lie behind it. What cannot be read or is not allowed comes as a `Rejected`, and reading goes on.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from pydantic import ValidationError

from sources.errors import DataFolderError, shorten
from sources.events.format import EventInput
from sources.events.usgs import NotAnEarthquake, earthquake

LONGEST_RECORD = 16_000_000
"""Characters of one record; a longer one is no event, and would fill the memory."""

_CHUNK = 1 << 16

_FEATURES = re.compile(r'"features"\s*:\s*\[')


@dataclass(frozen=True, slots=True)
class Accepted:
    """An event, and the bytes of its file that lie behind it."""

    event: EventInput
    line: int
    read: int


@dataclass(frozen=True, slots=True)
class Rejected:
    """What was not taken: where it stands, and every reason."""

    line: int
    read: int
    reasons: tuple[str, ...]
    id: str | None = None


Item = Accepted | Rejected
Reader = Callable[[BinaryIO], Iterator[Item]]


def read_events(path: Path) -> Iterator[Item]:
    """The records of a file, in its order. Raises DataFolderError when it cannot be read, or is of no known kind."""
    try:
        with path.open("rb") as file:
            yield from _reader(path, file)(file)
    except OSError as error:
        raise unreadable(path, error) from None


def unreadable(path: Path, error: OSError) -> DataFolderError:
    """A file or folder that the system does not hand over."""
    return DataFolderError(
        f"{path} cannot be read: {(error.strerror or 'unknown reason').lower()}.",
        hint="Check its name and rights.",
    )


SUFFIXES = (".jsonl", ".ndjson", ".csv", ".geojson", ".json")


def _reader(path: Path, file: BinaryIO) -> Reader:
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return read_csv
    if suffix == ".geojson":
        return read_geojson
    if suffix in (".jsonl", ".ndjson"):
        return read_jsonl
    start = file.read(4096)
    file.seek(0)
    if b'"FeatureCollection"' in start:
        return read_geojson
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") or suffix == ".json":
        return read_jsonl
    raise DataFolderError(
        f"{path} is of no kind that is known by its name.", hint=f"Name it {', '.join(SUFFIXES)}."
    )


def read_jsonl(file: BinaryIO) -> Iterator[Item]:
    """One event of the import format a line; blank lines are passed over."""
    read = number = 0
    while line := file.readline(LONGEST_RECORD):
        number += 1
        read += len(line)
        if len(line) >= LONGEST_RECORD and not line.endswith(b"\n"):
            while rest := file.readline(_CHUNK):
                read += len(rest)
                if rest.endswith(b"\n"):
                    break
            yield Rejected(number, read, (f"The line is longer than {LONGEST_RECORD} bytes.",))
            continue
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line.strip():
            yield _event(EventInput.model_validate_json, line, number, read)


def _event(make: Callable[[Any], EventInput], written: Any, line: int, read: int) -> Item:
    try:
        return Accepted(make(written), line, read)
    except ValidationError as error:
        return Rejected(line, read, tuple(_reasons(error)))


def _reasons(error: ValidationError) -> Iterator[str]:
    for problem in error.errors(include_url=False, include_context=False):
        place = ""
        for step in problem["loc"]:
            place += f"[{step}]" if isinstance(step, int) else f".{step}" if place else str(step)
        text = problem["msg"].removeprefix("Value error, ")
        if problem["type"] != "json_invalid" and isinstance(problem["input"], (str, int, float)):
            text += f", got {shorten(problem['input'], 60)}"
        yield f"{place}: {text}." if place else f"{text}."


def read_ids(path: Path) -> Iterator[str]:
    """The ids that a file's records name, taken or not; of JSON Lines without checking them, which is quicker."""
    try:
        with path.open("rb") as file:
            reader = _reader(path, file)
            if reader is not read_jsonl:
                items = reader(file)
                yield from (item.event.id for item in items if isinstance(item, Accepted))
                return
            while line := file.readline(LONGEST_RECORD):
                try:
                    record = orjson.loads(line.removeprefix(b"\xef\xbb\xbf"))
                except orjson.JSONDecodeError:
                    continue
                if isinstance(record, dict) and (id_ := record.get("id")) is not None:
                    # A number is taken for the text that it is written as.
                    yield str(id_)
    except OSError as error:
        raise unreadable(path, error) from None


_CSV_COLUMNS = {
    "confidence_score": ("confidence", "score"),
    "confidence": ("confidence", "score"),
    "confidence_reasoning": ("confidence", "reasoning"),
    "confidence_source_count": ("confidence", "source_count"),
    "latitude": ("location", "latitude"),
    "longitude": ("location", "longitude"),
    "country": ("location", "country"),
    "city": ("location", "city"),
    "region": ("location", "region"),
}
_CSV_LISTS = frozenset({"tags", "entities", "sources"})


def read_csv(file: BinaryIO) -> Iterator[Item]:
    """One event a row, under a row of names: those of the import format, with the parts of confidence and location
    as `confidence_score`, `latitude` and so on; `tags` with semicolons between, `entities` and `sources` as JSON.
    An empty cell is an absent value.
    """
    csv.field_size_limit(LONGEST_RECORD)
    text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="strict", newline="")
    lines = _Counted(text)
    rows = csv.reader(lines, strict=True)
    names: list[str] | None = None
    try:
        while True:
            start = rows.line_num + 1
            try:
                row = next(rows, None)
            except (csv.Error, UnicodeDecodeError) as error:
                yield Rejected(rows.line_num + 1, lines.read, (f"The file is no CSV from here on: {error}.",))
                return
            if row is None:
                return
            if not any(row):
                continue
            if names is None:
                names = [name.strip() for name in row]
                if wrong := tuple(_wrong_names(names)):
                    yield Rejected(start, lines.read, wrong)
                    return
                continue
            yield _csv_event(names, row, start, lines.read)
    finally:
        text.detach()


def _wrong_names(names: list[str]) -> Iterator[str]:
    """Names of columns by which a cell would be lost without a word."""
    parts = [_CSV_COLUMNS.get(name, ("", name)) for name in names]
    for name, part in zip(names, parts, strict=True):
        if parts.count(part) > 1:
            yield f"The column `{shorten(name)}` is there twice."
        if name == "location":
            yield "There is no column `location`: its parts are `latitude`, `longitude`, `country`, `city`, `region`."


class _Counted:
    """Lines of a text, with the bytes that they took."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text
        self.read = 0

    def __iter__(self) -> _Counted:
        return self

    def __next__(self) -> str:
        line = self._text.readline(LONGEST_RECORD)
        if not line:
            raise StopIteration
        self.read += len(line) if line.isascii() else len(line.encode())
        return line


def _csv_event(names: list[str], row: list[str], line: int, read: int) -> Item:
    if len(row) != len(names):
        return Rejected(line, read, (f"The row has {len(row)} cells, and the file {len(names)} columns.",))
    record: dict[str, Any] = {}
    for name, cell in zip(names, row, strict=True):
        if not cell.strip():
            continue
        if name in _CSV_COLUMNS:
            part, key = _CSV_COLUMNS[name]
            record.setdefault(part, {})[key] = cell
        elif name in _CSV_LISTS:
            try:
                record[name] = _cell_list(name, cell)
            except orjson.JSONDecodeError as error:
                return Rejected(line, read, (f"{name}: is no JSON list: {error.msg}.",), record.get("id"))
        else:
            record[name] = cell
    return _event(EventInput.model_validate, record, line, read)


def _cell_list(name: str, cell: str) -> Any:
    if name == "tags" and not cell.lstrip().startswith("["):
        return [tag.strip() for tag in cell.split(";") if tag.strip()]
    return orjson.loads(cell)


def read_geojson(file: BinaryIO) -> Iterator[Item]:
    """The earthquakes of a GeoJSON feed of the USGS, one after the other, without reading the whole file."""
    text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
    try:
        yield from _features(text)
    finally:
        text.detach()


def _features(text: io.TextIOWrapper) -> Iterator[Item]:
    decoder = json.JSONDecoder()
    buffer, line, read = "", 1, 0
    start = -1
    while start < 0:
        chunk = text.read(_CHUNK)
        read += len(chunk.encode())
        buffer += chunk
        found = _FEATURES.search(buffer)
        start = found.end() - 1 if found else -1
        if not chunk or (start < 0 and len(buffer) > LONGEST_RECORD):
            break
    if start < 0:
        yield Rejected(1, read, ("The file holds no `features`.",))
        return
    line += buffer.count("\n", 0, start + 1)
    buffer = buffer[start + 1 :]
    ended = False
    while True:
        rest = buffer.lstrip(" \t\r\n,")
        line += buffer.count("\n", 0, len(buffer) - len(rest))
        buffer = rest
        if buffer.startswith("]"):
            return
        try:
            if not buffer:
                raise json.JSONDecodeError("", buffer, 0)
            feature, end = decoder.raw_decode(buffer)
        except (json.JSONDecodeError, RecursionError):
            chunk = "" if ended or len(buffer) > LONGEST_RECORD else text.read(max(_CHUNK, len(buffer)))
            if not chunk:
                yield Rejected(line, read, ("The file ends, or is no JSON, within a feature.",))
                return
            read += len(chunk.encode())
            buffer += chunk
            continue
        at = line
        line += buffer.count("\n", 0, end)
        buffer = buffer[end:]
        yield _earthquake(feature, at, max(0, read - len(buffer.encode())))


def _earthquake(feature: Any, line: int, read: int) -> Item:
    try:
        record = earthquake(feature)
    except NotAnEarthquake as error:
        return Rejected(line, read, (str(error),))
    return _event(EventInput.model_validate, record, line, read)
