"""The SQL tables of the library shelf: what was imported, and the statistics that are kept beside it.

A column is named as the attribute of the record that it holds. Lists that are only shown are compact JSON in
text columns; what filters and links ask is a table of its own. `origin` says whether a record is part of the
embedded sample or was imported; a record without `content_hash` exists because others name it.

The last four tables are derived from the others, in the transaction that changes those (`statistics.py`):
`library_category_ancestor` the closed tree, `library_document_scope` the categories that a document counts in,
`library_category_concept` how many documents of a category speak of a concept, and the counts in
`library_category` and `library_concept`.
"""

# No `from __future__ import annotations`: SQLModel reads the annotations as types.

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Index, Text
from sqlalchemy.dialects import postgresql
from sqlmodel import Field, SQLModel

BINARY_TEXT = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
"""Text that is compared and sorted by code points, as SQLite does and PostgreSQL does with COLLATE "C"."""

DOCUMENT_TEXT = "library_document_text"
CHUNK_TEXT = "library_chunk_text"


def _text(**options: Any) -> Any:
    return Field(sa_type=BINARY_TEXT, **options)


def _key() -> Any:
    return _text(primary_key=True)


def _owner(table: str, *, primary: bool = True) -> Any:
    """The key of the record that a row belongs to, and disappears with."""
    return _text(primary_key=primary, foreign_key=f"{table}.key", ondelete="CASCADE")


class CategoryRow(SQLModel, table=True):
    """One category. `search_folded` is what a search over categories looks in."""

    __tablename__ = "library_category"
    __table_args__ = (
        Index("ix_library_category_name", "name_folded", "key"),
        Index("ix_library_category_parent", "parent_key"),
    )

    key: str = _key()
    name: str = _text()
    name_folded: str = _text()
    search_folded: str = _text()
    description: str | None = _text()
    aliases: str = _text()
    parent_key: str | None = _text()
    depth: int
    origin: str = _text()
    content_hash: str | None = _text()
    document_count: int
    chunk_count: int
    concept_count: int
    subtree_document_count: int
    subtree_chunk_count: int
    subtree_concept_count: int


class CategoryRelationRow(SQLModel, table=True):
    """A category that another one is related to."""

    __tablename__ = "library_category_relation"

    category_key: str = _owner("library_category")
    position: int = Field(primary_key=True)
    related_key: str = _owner("library_category", primary=False)


class ConceptRow(SQLModel, table=True):
    """One concept."""

    __tablename__ = "library_concept"
    __table_args__ = (
        Index("ix_library_concept_name", "name_folded", "key"),
        Index("ix_library_concept_documents", sa.text("document_count DESC"), "name_folded", "key"),
    )

    key: str = _key()
    name: str = _text()
    name_folded: str = _text()
    summary: str | None = _text()
    synonyms: str = _text()
    weight: float | None
    origin: str = _text()
    content_hash: str | None = _text()
    document_count: int
    chunk_count: int


class ConceptSynonymRow(SQLModel, table=True):
    """A synonym, folded, by which a concept is found."""

    __tablename__ = "library_concept_synonym"
    __table_args__ = (Index("ix_library_concept_synonym", "synonym_folded", "concept_key"),)

    concept_key: str = _owner("library_concept")
    synonym_folded: str = _key()


class ConceptRelationRow(SQLModel, table=True):
    """A concept that is broader or narrower than another, or related to it."""

    __tablename__ = "library_concept_relation"
    __table_args__ = (Index("ix_library_concept_relation_other", "other_key"),)

    concept_key: str = _owner("library_concept")
    relation: str = _key()
    position: int = Field(primary_key=True)
    other_key: str = _owner("library_concept", primary=False)


class DocumentRow(SQLModel, table=True):
    """One document."""

    __tablename__ = "library_document"
    __table_args__ = (
        Index("ix_library_document_title", "title_folded", "key"),
        Index("ix_library_document_year", "year", "title_folded", "key"),
        Index("ix_library_document_origin", "origin"),
        Index("ix_library_document_folder", "folder", "path"),
    )

    key: str = _key()
    title: str = _text()
    title_folded: str = _text()
    authors: str = _text()
    authors_folded: str | None = _text()
    year: int | None
    type: str = _text()
    publisher: str | None = _text()
    publisher_folded: str | None = _text()
    isbn: str | None = _text()
    doi: str | None = _text()
    arxiv_id: str | None = _text()
    venue: str | None = _text()
    venue_folded: str | None = _text()
    keywords: str = _text()
    abstract: str | None = _text()
    summary: str | None = _text()
    folder: str | None = _text()
    path: str | None = _text()
    origin: str = _text()
    content_hash: str = _text()
    chunk_count: int
    concept_count: int


class DocumentIdentifierRow(SQLModel, table=True):
    """A DOI, ISBN or arXiv id of a document, normalised."""

    __tablename__ = "library_document_identifier"
    __table_args__ = (Index("ix_library_document_identifier", "identifier", "document_key"),)

    document_key: str = _owner("library_document")
    identifier: str = _key()


class DocumentCategoryRow(SQLModel, table=True):
    """A category that a document is in."""

    __tablename__ = "library_document_category"
    __table_args__ = (Index("ix_library_document_category", "category_key", "document_key"),)

    document_key: str = _owner("library_document")
    category_key: str = _text(primary_key=True, foreign_key="library_category.key")
    position: int


class DocumentConceptRow(SQLModel, table=True):
    """A concept that a document speaks of."""

    __tablename__ = "library_document_concept"
    __table_args__ = (Index("ix_library_document_concept", "concept_key", "document_key"),)

    document_key: str = _owner("library_document")
    concept_key: str = _text(primary_key=True, foreign_key="library_concept.key")
    position: int
    weight: float | None
    pages: str = _text()
    match_type: str = _text()


class ChunkRow(SQLModel, table=True):
    """A piece of a document's text."""

    __tablename__ = "library_chunk"
    __table_args__ = (Index("ix_library_chunk_document", "document_key", "position", unique=True),)

    key: str = _key()
    document_key: str = _owner("library_document", primary=False)
    position: int
    text: str = _text()
    page: int | None
    is_reference: bool
    has_math: bool
    has_extraction_issues: bool


class ChunkConceptRow(SQLModel, table=True):
    """A concept that a chunk speaks of."""

    __tablename__ = "library_chunk_concept"
    __table_args__ = (Index("ix_library_chunk_concept", "concept_key", "chunk_key"),)

    chunk_key: str = _owner("library_chunk")
    concept_key: str = _text(primary_key=True, foreign_key="library_concept.key")
    position: int


class RemovedSampleRow(SQLModel, table=True):
    """Stands there once the sample was removed, so that no later start brings it back."""

    __tablename__ = "library_removed_sample"

    removed_at: str = _key()


class CategoryAncestorRow(SQLModel, table=True):
    """A category and one at or above it, `distance` steps up."""

    __tablename__ = "library_category_ancestor"
    __table_args__ = (Index("ix_library_category_ancestor", "ancestor_key", "category_key"),)

    category_key: str = _owner("library_category")
    ancestor_key: str = _owner("library_category")
    distance: int


class DocumentScopeRow(SQLModel, table=True):
    """A category that a document counts in: one that it is in (`direct`), or one above such a one.

    The title stands here again, so that an index holds a category's documents in their order.
    """

    __tablename__ = "library_document_scope"
    __table_args__ = (
        Index("ix_library_document_scope_direct", "category_key", "direct", "title_folded", "document_key"),
        Index("ix_library_document_scope_subtree", "category_key", "title_folded", "document_key"),
    )

    document_key: str = _owner("library_document")
    category_key: str = _text(primary_key=True, foreign_key="library_category.key")
    direct: int
    title_folded: str = _text()


class CategoryConceptRow(SQLModel, table=True):
    """How many documents in a category, and in it or below it, speak of a concept; `name_folded` is its name's."""

    __tablename__ = "library_category_concept"
    __table_args__ = (
        Index("ix_library_category_concept_name", "category_key", "name_folded", "concept_key"),
        Index(
            "ix_library_category_concept_direct",
            "category_key",
            sa.text("direct_documents DESC"),
            "name_folded",
            "concept_key",
        ),
        Index(
            "ix_library_category_concept_subtree",
            "category_key",
            sa.text("subtree_documents DESC"),
            "name_folded",
            "concept_key",
        ),
        Index("ix_library_category_concept_concept", "concept_key", "category_key"),
    )

    category_key: str = _owner("library_category")
    concept_key: str = _text(primary_key=True, foreign_key="library_concept.key")
    name_folded: str = _text()
    direct_documents: int
    subtree_documents: int


def table_of(row: type[SQLModel]) -> sa.Table:
    """The table that a model describes."""
    table = row.__table__  # type: ignore[attr-defined]
    assert isinstance(table, sa.Table)
    return table
