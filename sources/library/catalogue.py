"""Importing a catalogue file: its categories at once, then its concepts, then its documents in bounded pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import sqlalchemy as sa

from sources.library.jsonl import Line, read_lines
from sources.library.records import CategoryEntry, ConceptEntry, DocumentEntry, Origin
from sources.library.tally import Tally
from sources.library.write_categories import write_categories
from sources.library.write_concepts import write_concepts, write_relations
from sources.library.write_documents import write_documents
from sources.source import Report

Transaction = Callable[[], AbstractContextManager[sa.Connection]]
"""Begins a transaction, which ends with the context; when it changed something it moves the data version."""

CONCEPTS_AT_ONCE = 5_000
DOCUMENTS_AT_ONCE = 500
CHARACTERS_AT_ONCE = 8_000_000
"""A transaction ends when it holds this many documents, or this much of their text."""


def import_catalogue(path: Path, origin: Origin, begin: Transaction, report: Report) -> Tally:
    """Imports one file. Raises DataFolderError when it cannot be read or the database cannot be written."""
    tally = Tally()
    report(path.name, 0, 0)
    reading = _Reading(path, tally)
    categories, concepts, documents = reading.definitions()
    with begin() as connection:
        tally.add(write_categories(connection, categories, origin))
    related: list[ConceptEntry] = []
    for start in range(0, len(concepts), CONCEPTS_AT_ONCE):
        with begin() as connection:
            done, written = write_concepts(connection, concepts[start : start + CONCEPTS_AT_ONCE], origin)
        tally.add(done)
        related += written
    for start in range(0, len(related), CONCEPTS_AT_ONCE):
        with begin() as connection:
            write_relations(connection, related[start : start + CONCEPTS_AT_ONCE], origin)
    total = len(categories) + len(concepts) + documents
    done_so_far = total - documents
    report(path.name, done_so_far, total)
    for batch in _pieces(reading.documents()):
        with begin() as connection:
            tally.add(write_documents(connection, batch, origin))
        done_so_far += len(batch)
        report(path.name, done_so_far, total)
    tally.rejections.sort()
    return tally


class _Reading:
    """The two ways through a file; what cannot be taken is told once."""

    def __init__(self, path: Path, tally: Tally) -> None:
        self._path = path
        self._tally = tally
        self._documents: dict[str, int] = {}

    def definitions(self) -> tuple[list[tuple[int, CategoryEntry]], list[tuple[int, ConceptEntry]], int]:
        """Categories and concepts, and how many documents the file holds; it is checked as a whole."""
        categories: dict[str, tuple[int, CategoryEntry]] = {}
        concepts: dict[str, tuple[int, ConceptEntry]] = {}
        for line in read_lines(self._path):
            match line.entry:
                case None:
                    self._tally.reject(line.number, *line.reasons)
                case CategoryEntry() as entry:
                    earlier = categories.setdefault(entry.key, (line.number, entry))[0]
                    self._twice(line, entry.key, earlier)
                case ConceptEntry() as entry:
                    earlier = concepts.setdefault(entry.key, (line.number, entry))[0]
                    self._twice(line, entry.key, earlier)
                case DocumentEntry() as entry:
                    earlier = self._documents.setdefault(entry.key, line.number)
                    self._twice(line, entry.key, earlier)
        return list(categories.values()), list(concepts.values()), len(self._documents)

    def _twice(self, line: Line, key: str, earlier: int) -> None:
        if earlier != line.number:
            self._tally.reject(line.number, f"`id`: `{key}` stands in line {earlier} already.")

    def documents(self) -> Iterator[DocumentEntry]:
        """The documents that can be taken."""
        for line in read_lines(self._path, frozenset({"document"})):
            if isinstance(line.entry, DocumentEntry) and self._documents.get(line.entry.key) == line.number:
                yield line.entry


def _pieces(documents: Iterator[DocumentEntry]) -> Iterator[list[DocumentEntry]]:
    batch: list[DocumentEntry] = []
    characters = 0
    for document in documents:
        batch.append(document)
        characters += sum(len(chunk.text) for chunk in document.chunks)
        if len(batch) == DOCUMENTS_AT_ONCE or characters > CHARACTERS_AT_ONCE:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
