"""What an import reads, before it is stored: categories, concepts and documents as their files tell them.

References (`parent`, `related`, `categories`, `concepts`, `broader`, `narrower`) are texts as written: an id or a
name. `writing.py` resolves them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Origin(StrEnum):
    """Whether a record came with loregraph or was imported."""

    SAMPLE = "sample"
    IMPORT = "import"


DOCUMENT_TYPES = ("book", "paper", "article", "unknown")


@dataclass(frozen=True, slots=True)
class CategoryEntry:
    """A category of a catalogue file; `digest` identifies its content."""

    key: str
    name: str
    digest: str
    description: str | None = None
    aliases: tuple[str, ...] = ()
    parent: str | None = None
    related: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConceptEntry:
    """A concept of a catalogue file; `weight` from 0 to 1."""

    key: str
    name: str
    digest: str
    summary: str | None = None
    synonyms: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()
    narrower: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    weight: float | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A concept that a document speaks of: where (pages from 1), how much (0 to 1), and how it was found."""

    concept: str
    weight: float | None = None
    pages: tuple[int, ...] = ()
    match_type: str = "exact"


@dataclass(frozen=True, slots=True)
class ChunkEntry:
    """A piece of a document's text, with the concepts that it speaks of."""

    text: str
    page: int | None = None
    is_reference: bool = False
    has_math: bool = False
    has_extraction_issues: bool = False
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A document with its text; `folder` and `path` where it was read from a folder of files."""

    key: str
    title: str
    digest: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    type: str = "unknown"
    publisher: str | None = None
    isbn: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    venue: str | None = None
    keywords: tuple[str, ...] = ()
    abstract: str | None = None
    summary: str | None = None
    folder: str | None = None
    path: str | None = None
    categories: tuple[str, ...] = ()
    concepts: tuple[Mention, ...] = ()
    chunks: tuple[ChunkEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Collection:
    """The work that a document is taken from, as its `source` shows it."""

    name: str
    url: str | None = None
    licence: str | None = None
    attribution: str | None = None


SAMPLE_COLLECTION = Collection("The sample catalogue that comes with loregraph", licence="Apache-2.0")
