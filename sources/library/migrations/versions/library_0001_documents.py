"""Documents, categories and concepts, their links and statistics, and the full text."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from sources.text_index_tables import create_text_index, drop_text_index

revision = "library_0001"
down_revision = None
branch_labels = ("library",)
depends_on = None

# A revision has its own words for types: what the modules of tables come to say must not change it.
_TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")


def _columns(type_: Any, *names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, type_, nullable=nullable) for name in names]


def _text(*names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    return _columns(_TEXT, *names, nullable=nullable)


def _integers(*names: str) -> list[sa.Column[Any]]:
    return _columns(sa.Integer, *names)


def _owned(column: str, table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{table}.key"], ondelete="CASCADE")


def _refers(column: str, table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{table}.key"])


def _index(table: str, name: str, *columns: Any, unique: bool = False) -> None:
    op.create_index(f"ix_{table}{name}", table, list(columns), unique=unique)


def upgrade() -> None:
    _create_categories_and_concepts()
    _create_documents()
    _create_chunks()
    _create_statistics()
    op.create_table("library_removed_sample", *_text("removed_at"), sa.PrimaryKeyConstraint("removed_at"))
    create_text_index("library_document_text")
    create_text_index("library_chunk_text")


def _create_categories_and_concepts() -> None:
    op.create_table(
        "library_category",
        *_text("key", "name", "name_folded", "search_folded"),
        *_text("description", nullable=True),
        *_text("aliases"),
        *_text("parent_key", nullable=True),
        *_integers("depth"),
        *_text("origin"),
        *_text("content_hash", nullable=True),
        *_integers("document_count", "chunk_count", "concept_count"),
        *_integers("subtree_document_count", "subtree_chunk_count", "subtree_concept_count"),
        sa.PrimaryKeyConstraint("key"),
    )
    _index("library_category", "_name", "name_folded", "key")
    _index("library_category", "_parent", "parent_key")
    op.create_table(
        "library_category_relation",
        *_text("category_key"),
        *_integers("position"),
        *_text("related_key"),
        sa.PrimaryKeyConstraint("category_key", "position"),
        _owned("category_key", "library_category"),
        _owned("related_key", "library_category"),
    )
    op.create_table(
        "library_concept",
        *_text("key", "name", "name_folded"),
        *_text("summary", nullable=True),
        *_text("synonyms"),
        *_columns(sa.Float, "weight", nullable=True),
        *_text("origin"),
        *_text("content_hash", nullable=True),
        *_integers("document_count", "chunk_count"),
        sa.PrimaryKeyConstraint("key"),
    )
    _index("library_concept", "_name", "name_folded", "key")
    _index("library_concept", "_documents", sa.text("document_count DESC"), "name_folded", "key")
    op.create_table(
        "library_concept_synonym",
        *_text("concept_key", "synonym_folded"),
        sa.PrimaryKeyConstraint("concept_key", "synonym_folded"),
        _owned("concept_key", "library_concept"),
    )
    _index("library_concept_synonym", "", "synonym_folded", "concept_key")
    op.create_table(
        "library_concept_relation",
        *_text("concept_key", "relation"),
        *_integers("position"),
        *_text("other_key"),
        sa.PrimaryKeyConstraint("concept_key", "relation", "position"),
        _owned("concept_key", "library_concept"),
        _owned("other_key", "library_concept"),
    )
    _index("library_concept_relation", "_other", "other_key")


def _create_documents() -> None:
    op.create_table(
        "library_document",
        *_text("key", "title", "title_folded", "authors"),
        *_text("authors_folded", nullable=True),
        *_columns(sa.Integer, "year", nullable=True),
        *_text("type"),
        *_text("publisher", "publisher_folded", "isbn", "doi", "arxiv_id", nullable=True),
        *_text("venue", "venue_folded", nullable=True),
        *_text("keywords"),
        *_text("abstract", "summary", "folder", "path", nullable=True),
        *_text("origin", "content_hash"),
        *_integers("chunk_count", "concept_count"),
        sa.PrimaryKeyConstraint("key"),
    )
    _index("library_document", "_title", "title_folded", "key")
    _index("library_document", "_year", "year", "title_folded", "key")
    _index("library_document", "_origin", "origin")
    _index("library_document", "_folder", "folder", "path")
    op.create_table(
        "library_document_identifier",
        *_text("document_key", "identifier"),
        sa.PrimaryKeyConstraint("document_key", "identifier"),
        _owned("document_key", "library_document"),
    )
    _index("library_document_identifier", "", "identifier", "document_key")
    op.create_table(
        "library_document_category",
        *_text("document_key", "category_key"),
        *_integers("position"),
        sa.PrimaryKeyConstraint("document_key", "category_key"),
        _owned("document_key", "library_document"),
        _refers("category_key", "library_category"),
    )
    _index("library_document_category", "", "category_key", "document_key")
    op.create_table(
        "library_document_concept",
        *_text("document_key", "concept_key"),
        *_integers("position"),
        *_columns(sa.Float, "weight", nullable=True),
        *_text("pages", "match_type"),
        sa.PrimaryKeyConstraint("document_key", "concept_key"),
        _owned("document_key", "library_document"),
        _refers("concept_key", "library_concept"),
    )
    _index("library_document_concept", "", "concept_key", "document_key")


def _create_chunks() -> None:
    op.create_table(
        "library_chunk",
        *_text("key", "document_key"),
        *_integers("position"),
        *_text("text"),
        *_columns(sa.Integer, "page", nullable=True),
        *_columns(sa.Boolean, "is_reference", "has_math", "has_extraction_issues"),
        sa.PrimaryKeyConstraint("key"),
        _owned("document_key", "library_document"),
    )
    _index("library_chunk", "_document", "document_key", "position", unique=True)
    op.create_table(
        "library_chunk_concept",
        *_text("chunk_key", "concept_key"),
        *_integers("position"),
        sa.PrimaryKeyConstraint("chunk_key", "concept_key"),
        _owned("chunk_key", "library_chunk"),
        _refers("concept_key", "library_concept"),
    )
    _index("library_chunk_concept", "", "concept_key", "chunk_key")


def _create_statistics() -> None:
    op.create_table(
        "library_category_ancestor",
        *_text("category_key", "ancestor_key"),
        *_integers("distance"),
        sa.PrimaryKeyConstraint("category_key", "ancestor_key"),
        _owned("category_key", "library_category"),
        _owned("ancestor_key", "library_category"),
    )
    _index("library_category_ancestor", "", "ancestor_key", "category_key")
    op.create_table(
        "library_document_scope",
        *_text("document_key", "category_key"),
        *_integers("direct"),
        *_text("title_folded"),
        sa.PrimaryKeyConstraint("document_key", "category_key"),
        _owned("document_key", "library_document"),
        _refers("category_key", "library_category"),
    )
    ordered = ("title_folded", "document_key")
    _index("library_document_scope", "_direct", "category_key", "direct", *ordered)
    _index("library_document_scope", "_subtree", "category_key", *ordered)
    table = "library_category_concept"
    op.create_table(
        table,
        *_text("category_key", "concept_key", "name_folded"),
        *_integers("direct_documents", "subtree_documents"),
        sa.PrimaryKeyConstraint("category_key", "concept_key"),
        _owned("category_key", "library_category"),
        _refers("concept_key", "library_concept"),
    )
    _index(table, "_name", "category_key", "name_folded", "concept_key")
    for name in ("direct", "subtree"):
        counted = sa.text(f"{name}_documents DESC")
        _index(table, f"_{name}", "category_key", counted, "name_folded", "concept_key")
    _index(table, "_concept", "concept_key", "category_key")


def downgrade() -> None:
    drop_text_index("library_chunk_text")
    drop_text_index("library_document_text")
    for table in (
        "library_removed_sample",
        "library_category_concept",
        "library_document_scope",
        "library_category_ancestor",
        "library_chunk_concept",
        "library_chunk",
        "library_document_concept",
        "library_document_category",
        "library_document_identifier",
        "library_document",
        "library_concept_relation",
        "library_concept_synonym",
        "library_concept",
        "library_category_relation",
        "library_category",
    ):
        op.drop_table(table)
