"""The library's own format: one JSON object a line, each a category, a concept or a document.

Lines may stand in any order. `LINE_SCHEMA` is the whole truth about one line; `docs/library.md` explains it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from jsonschema import Draft202012Validator

from sources.errors import DataFolderError, shorten
from sources.library.identity import LONGEST_IN_BYTES, LONGEST_KEY, LONGEST_TITLE, is_wide
from sources.library.quick_check import quick_check
from sources.library.records import (
    DOCUMENT_TYPES,
    CategoryEntry,
    ChunkEntry,
    ConceptEntry,
    DocumentEntry,
    Mention,
)

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of one line: some 10,000 pages of text."""

_REASONS = 5

Entry = CategoryEntry | ConceptEntry | DocumentEntry


def _text(longest: int, what: str) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": longest, "pattern": r"\S", "description": what}


def _texts(longest: int, what: str) -> dict[str, Any]:
    item = {"type": "string", "minLength": 1, "maxLength": longest, "pattern": r"\S"}
    return {"type": "array", "items": item, "maxItems": 1000, "description": what}


def _object(kind: str, required: list[str], properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"kind": {"const": kind}, **properties},
        "required": ["kind", *required],
        "additionalProperties": False,
    }


_ID = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST_KEY,
    "pattern": r"^[^\s\u0000-\u001f](?:[^\u0000-\u001f]*[^\s\u0000-\u001f])?$",
    "description": "A key that never changes, unique among the lines of its kind.",
}
_WEIGHT = {"type": "number", "minimum": 0, "maximum": 1, "description": "From 0 to 1."}
_REFERENCES = "Ids or names; a name that is nowhere defined makes a new entry."

CATEGORY_SCHEMA = _object(
    "category",
    ["id", "name"],
    {
        "id": _ID,
        "name": _text(200, "Unique among categories, whatever case and accents."),
        "description": _text(10_000, "What belongs into it."),
        "aliases": _texts(200, "Other names that it is found by."),
        "parent": _text(200, "Id or name of the category above it; absent at the top."),
        "related": _texts(200, f"Categories that are close to it. {_REFERENCES}"),
    },
)
CONCEPT_SCHEMA = _object(
    "concept",
    ["id", "name"],
    {
        "id": _ID,
        "name": _text(200, "Unique among concepts, whatever case and accents."),
        "summary": _text(10_000, "What it means."),
        "synonyms": _texts(200, "Other names that it is found by."),
        "broader": _texts(200, f"Concepts that it is a case of. {_REFERENCES}"),
        "narrower": _texts(200, f"Concepts that are cases of it. {_REFERENCES}"),
        "related": _texts(200, f"Concepts that are close to it. {_REFERENCES}"),
        "weight": _WEIGHT,
    },
)
_MENTION = {
    "type": "object",
    "properties": {
        "concept": _text(200, "Id or name of the concept."),
        "weight": _WEIGHT,
        "pages": {
            "type": "array",
            "items": {"type": "integer", "minimum": 1, "maximum": 1_000_000},
            "maxItems": 10_000,
            "description": "The pages that speak of it.",
        },
        "match_type": _text(40, "How it was found: `exact`, `synonym` or another word; `exact` when absent."),
    },
    "required": ["concept"],
    "additionalProperties": False,
}
_CHUNK = {
    "type": "object",
    "properties": {
        "text": _text(1_000_000, "The text itself."),
        "page": {"type": "integer", "minimum": 1, "maximum": 1_000_000, "description": "Where it begins."},
        "is_reference": {"type": "boolean", "description": "Whether it is a list of references."},
        "has_math": {"type": "boolean", "description": "Whether formulas stand in it."},
        "has_extraction_issues": {"type": "boolean", "description": "Whether its text may be garbled."},
        "concepts": _texts(200, f"What it speaks of. {_REFERENCES}"),
    },
    "required": ["text"],
    "additionalProperties": False,
}
DOCUMENT_SCHEMA = _object(
    "document",
    ["id", "title"],
    {
        "id": _ID,
        "title": _text(LONGEST_TITLE, "The title."),
        "authors": _texts(300, "The authors in their order."),
        "year": {"type": "integer", "minimum": -3000, "maximum": 2200, "description": "Year of publication."},
        "type": {"enum": list(DOCUMENT_TYPES), "description": "`unknown` when absent."},
        "publisher": _text(300, "Who published it."),
        "isbn": _text(40, "Its ISBN."),
        "doi": _text(300, "Its DOI."),
        "arxiv_id": _text(60, "Its arXiv id."),
        "venue": _text(300, "The journal or conference."),
        "keywords": _texts(200, "The authors' own keywords."),
        "abstract": _text(100_000, "The abstract."),
        "summary": _text(100_000, "What it says, in a few sentences."),
        "categories": _texts(200, f"The categories that it is in. {_REFERENCES}"),
        "concepts": {
            "type": "array",
            "items": _MENTION,
            "maxItems": 10_000,
            "description": f"The concepts that it speaks of. {_REFERENCES}",
        },
        "chunks": {
            "type": "array",
            "items": _CHUNK,
            "maxItems": 100_000,
            "description": "Its text in pieces.",
        },
    },
)
SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "category": CATEGORY_SCHEMA,
    "concept": CONCEPT_SCHEMA,
    "document": DOCUMENT_SCHEMA,
}
LINE_SCHEMA: Mapping[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "One line of a library catalogue",
    "oneOf": list(SCHEMAS.values()),
}


@cache
def _validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(SCHEMAS[kind])


@cache
def _quick(kind: str) -> Callable[[Any], bool]:
    return quick_check(SCHEMAS[kind])


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, from 1: what it holds, or why it cannot be taken."""

    number: int
    entry: Entry | None
    reasons: tuple[str, ...] = ()


def read_lines(path: Path, kinds: frozenset[str] = frozenset(SCHEMAS)) -> Iterator[Line]:
    """Each line of a file that is one of `kinds`, and each that cannot be read at all.

    Blank lines are passed over. Raises DataFolderError when the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(_raw_lines(file), 1):
                if number == 1:
                    raw = raw.removeprefix(b"\xef\xbb\xbf")
                if raw.strip():
                    line = _read(number, raw, kinds)
                    if line is not None:
                        yield line
    except OSError as error:
        raise DataFolderError(
            f"The file {path} cannot be read.", hint=f"{error.strerror or error}. Check its name and rights."
        ) from error


def _raw_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; of one that is too long only the beginning, and the rest is passed over."""
    while raw := file.readline(LONGEST_LINE + 1):
        yield raw
        while len(raw) > LONGEST_LINE and not raw.endswith(b"\n"):
            raw = file.readline(LONGEST_LINE + 1)


def _read(number: int, raw: bytes, kinds: frozenset[str]) -> Line | None:
    if len(raw) > LONGEST_LINE:
        return Line(number, None, (f"The line is longer than {LONGEST_LINE // 2**20} MB.",))
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        return Line(number, None, (f"This is no JSON: {shorten(error.msg)}.",))
    kind = value.get("kind") if isinstance(value, dict) else None
    if kind not in SCHEMAS:
        return Line(number, None, (f"`kind` must be one of {', '.join(SCHEMAS)}.",))
    if kind not in kinds:
        return None
    if b"\\u0000" in raw:
        value = _without_nul(value)
    reasons = () if _quick(kind)(value) else tuple(_reasons(kind, value))
    if reasons:
        return Line(number, None, reasons)
    entry: Entry = _ENTRIES[kind](value, digest_of(value))
    wide = tuple(
        f"`{shorten(text, 60)}` is longer than {LONGEST_IN_BYTES} bytes of UTF-8."
        for text in dict.fromkeys(_indexed(entry))
        if is_wide(text)
    )
    return Line(number, None, wide[:_REASONS]) if wide else Line(number, entry)


def _indexed(entry: Entry) -> Iterator[str]:
    """The texts of an entry that databases keep in indexes."""
    yield entry.key
    match entry:
        case CategoryEntry():
            yield entry.name
            yield from entry.related
            if entry.parent is not None:
                yield entry.parent
        case ConceptEntry():
            yield entry.name
            for texts in (entry.synonyms, entry.broader, entry.narrower, entry.related):
                yield from texts
        case DocumentEntry():
            yield entry.title
            yield from entry.categories
            yield from (mention.concept for mention in entry.concepts)
            for chunk in entry.chunks:
                yield from chunk.concepts


def _reasons(kind: str, value: Any) -> Iterator[str]:
    for index, error in enumerate(_validator(kind).iter_errors(value)):
        if index == _REASONS:
            yield "There are more problems."
            return
        where = ".".join(str(part) for part in error.absolute_path)
        yield f"{f'`{where}`: ' if where else ''}{shorten(error.message, 160)}"


def _without_nul(value: Any) -> Any:
    """Neither database stores the character NUL in a text."""
    match value:
        case str():
            return value.replace("\0", "\ufffd")
        case list():
            return [_without_nul(item) for item in value]
        case dict():
            return {key: _without_nul(item) for key, item in value.items()}
    return value


def digest_of(value: Any) -> str:
    """Identifies the content of a line, whatever the order of its names."""
    return blake2b(orjson.dumps(value, option=orjson.OPT_SORT_KEYS), digest_size=16).hexdigest()


def _category(value: Mapping[str, Any], digest: str) -> CategoryEntry:
    return CategoryEntry(
        key=value["id"],
        name=value["name"].strip(),
        digest=digest,
        description=value.get("description"),
        aliases=_once(value.get("aliases", ())),
        parent=value["parent"].strip() if "parent" in value else None,
        related=_once(value.get("related", ())),
    )


def _concept(value: Mapping[str, Any], digest: str) -> ConceptEntry:
    return ConceptEntry(
        key=value["id"],
        name=value["name"].strip(),
        digest=digest,
        summary=value.get("summary"),
        synonyms=_once(value.get("synonyms", ())),
        broader=_once(value.get("broader", ())),
        narrower=_once(value.get("narrower", ())),
        related=_once(value.get("related", ())),
        weight=value.get("weight"),
    )


def _document(value: Mapping[str, Any], digest: str) -> DocumentEntry:
    plain = {
        name: value[name]
        for name in ("type", "publisher", "isbn", "doi", "arxiv_id", "venue", "abstract", "summary")
        if name in value
    }
    return DocumentEntry(
        key=value["id"],
        title=value["title"].strip(),
        digest=digest,
        authors=_once(value.get("authors", ())),
        keywords=_once(value.get("keywords", ())),
        categories=_once(value.get("categories", ())),
        concepts=tuple(
            Mention(
                mention["concept"].strip(),
                mention.get("weight"),
                tuple(sorted({int(page) for page in mention.get("pages", ())})),
                mention.get("match_type", "exact"),
            )
            for mention in value.get("concepts", ())
        ),
        chunks=tuple(
            ChunkEntry(
                **{**chunk, "page": _whole(chunk.get("page")), "concepts": _once(chunk.get("concepts", ()))}
            )
            for chunk in value.get("chunks", ())
        ),
        year=_whole(value.get("year")),
        **plain,
    )


def _whole(number: float | None) -> int | None:
    """To JSON Schema 2014.0 is a whole number as well."""
    return None if number is None else int(number)


def _once(texts: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in texts))


_ENTRIES: Mapping[str, Any] = {"category": _category, "concept": _concept, "document": _document}
