"""The sample catalogue: a small library that comes with loregraph, until it is removed."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

import sqlalchemy as sa

from sources.library import tables
from sources.library.catalogue import import_catalogue
from sources.library.jsonl import read_lines
from sources.library.records import CategoryEntry, ConceptEntry, DocumentEntry, Origin
from sources.library.statistics import (
    ANCESTOR,
    CATEGORY,
    CONCEPT,
    DOCUMENT,
    DOCUMENT_CATEGORY,
    DOCUMENT_CONCEPT,
    batches,
)
from sources.library.write_categories import RELATION as CATEGORY_RELATION
from sources.library.write_concepts import RELATION as CONCEPT_RELATION
from sources.library.write_documents import remove_documents
from sources.source import Report

SAMPLE = Path(__file__).with_name("sample.jsonl")
REMOVED = tables.table_of(tables.RemovedSampleRow)


def sample_version(path: Path = SAMPLE) -> str:
    """Identifies the sample that this program holds."""
    return f"sample-{blake2b(path.read_bytes(), digest_size=6).hexdigest()}"


def is_removed(connection: sa.Connection) -> bool:
    """Whether the sample was removed for good."""
    return connection.execute(sa.select(REMOVED.c.removed_at).limit(1)).first() is not None


def write_sample(connection: sa.Connection, report: Report, path: Path = SAMPLE) -> None:
    """Writes the sample in place of an earlier one, unless it was removed. What was imported stays as it is.

    Raises ValueError, a fault of ours, when a line of it cannot be taken.
    """
    if is_removed(connection):
        return
    tally = import_catalogue(path, Origin.SAMPLE, lambda: nullcontext(connection), report)
    if tally.rejections:
        raise ValueError(f"{path.name}: {tally.rejections[:3]}")
    entries = [line.entry for line in read_lines(path)]
    documents, categories, concepts = (
        {entry.key for entry in entries if isinstance(entry, type_)}
        for type_ in (DocumentEntry, CategoryEntry, ConceptEntry)
    )
    _remove(connection, documents, categories, concepts)


def remove_sample(connection: sa.Connection) -> int:
    """Takes the sample away for good; returns how many records went.

    Categories and concepts that imported documents use stay, as if they had been imported.
    """
    removed = _remove(connection, set(), set(), set())
    for table in (CATEGORY, CONCEPT):
        connection.execute(sa.update(table).values(origin=Origin.IMPORT.value))
    if not is_removed(connection):
        connection.execute(sa.insert(REMOVED).values(removed_at=datetime.now(UTC).isoformat()))
    return removed


def _remove(connection: sa.Connection, documents: set[str], categories: set[str], concepts: set[str]) -> int:
    """Removes what is of the sample and neither among these keys nor used by what stays."""
    before = _count(connection)
    remove_documents(connection, sorted(_of_sample(connection, DOCUMENT) - documents))
    unused = CATEGORY.c.key.not_in(sa.select(DOCUMENT_CATEGORY.c.category_key))
    leaf = CATEGORY.c.key.not_in(sa.select(CATEGORY.c.parent_key).where(CATEGORY.c.parent_key.is_not(None)))
    other = CATEGORY.alias()
    related = (
        sa.select(CATEGORY_RELATION.c.related_key)
        .join_from(CATEGORY_RELATION, other, other.c.key == CATEGORY_RELATION.c.category_key)
        .where(sa.or_(other.c.origin != Origin.SAMPLE.value, other.c.key.in_(sorted(categories))))
    )
    by_others = CATEGORY.c.key.not_in(related)
    while gone := _of_sample(connection, CATEGORY, unused, leaf, by_others) - categories:
        for batch in batches(sorted(gone)):
            connection.execute(sa.delete(ANCESTOR).where(ANCESTOR.c.category_key.in_(batch)))
            connection.execute(sa.delete(CATEGORY).where(CATEGORY.c.key.in_(batch)))
    owner = CONCEPT.alias()
    named = (
        sa.select(CONCEPT_RELATION.c.other_key)
        .join_from(CONCEPT_RELATION, owner, owner.c.key == CONCEPT_RELATION.c.concept_key)
        .where(sa.or_(owner.c.origin != Origin.SAMPLE.value, owner.c.key.in_(sorted(concepts))))
    )
    free = (
        CONCEPT.c.key.not_in(sa.select(DOCUMENT_CONCEPT.c.concept_key)),
        CONCEPT.c.key.not_in(named),
    )
    for batch in batches(sorted(_of_sample(connection, CONCEPT, *free) - concepts)):
        connection.execute(sa.delete(CONCEPT).where(CONCEPT.c.key.in_(batch)))
    return before - _count(connection)


def _of_sample(connection: sa.Connection, table: sa.Table, *conditions: sa.ColumnElement[bool]) -> set[str]:
    query = sa.select(table.c.key).where(table.c.origin == Origin.SAMPLE.value, *conditions)
    return set(connection.execute(query).scalars())


def _count(connection: sa.Connection) -> int:
    tables_ = (DOCUMENT, CATEGORY, CONCEPT)
    counts = [
        connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() for table in tables_
    ]
    return sum(counts)
