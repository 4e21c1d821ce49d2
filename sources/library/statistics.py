"""The numbers that are kept beside categories and concepts, so that no question has to count.

What a document adds to them does not depend on other documents: one document, its chunks, and one for each of its
concepts, to every category that it is in and to every one above such a category, once each. So a change takes
away what the documents added before (`contribute` with -1), changes them, and adds what they add now (+1), in
one transaction. Where the tree itself changes under documents, `rebuild` counts everything anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from sources.library import tables

CATEGORY = tables.table_of(tables.CategoryRow)
ANCESTOR = tables.table_of(tables.CategoryAncestorRow)
CONCEPT = tables.table_of(tables.ConceptRow)
DOCUMENT = tables.table_of(tables.DocumentRow)
CHUNK = tables.table_of(tables.ChunkRow)
CHUNK_CONCEPT = tables.table_of(tables.ChunkConceptRow)
DOCUMENT_CATEGORY = tables.table_of(tables.DocumentCategoryRow)
DOCUMENT_CONCEPT = tables.table_of(tables.DocumentConceptRow)
SCOPE = tables.table_of(tables.DocumentScopeRow)
CATEGORY_CONCEPT = tables.table_of(tables.CategoryConceptRow)

AT_ONCE = 500
"""Values of one statement: SQLite takes 32,766 and PostgreSQL 65,535."""

ItemT = TypeVar("ItemT")


def batches(items: Iterable[ItemT], size: int = AT_ONCE) -> Iterator[list[ItemT]]:
    """The items in lists of at most `size`."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


def insert_rows(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Adds rows; none is no error."""
    for batch in batches(rows):
        connection.execute(sa.insert(table), [dict(row) for row in batch])


def set_scope(connection: sa.Connection, keys: Sequence[str]) -> None:
    """Writes the categories that documents count in, from those that they are in and the closed tree."""
    for batch in batches(keys):
        _insert_scope(connection, DOCUMENT_CATEGORY.c.document_key.in_(batch))


def _insert_scope(connection: sa.Connection, which: sa.ColumnElement[bool]) -> None:
    link, above = DOCUMENT_CATEGORY.c, ANCESTOR.c
    direct = sa.func.max(sa.case((above.distance == 0, 1), else_=0))
    rows = (
        sa.select(link.document_key, above.ancestor_key, direct, DOCUMENT.c.title_folded)
        .join_from(DOCUMENT_CATEGORY, ANCESTOR, link.category_key == above.category_key)
        .join(DOCUMENT, DOCUMENT.c.key == link.document_key)
        .where(which)
        .group_by(link.document_key, above.ancestor_key, DOCUMENT.c.title_folded)
    )
    columns = ["document_key", "category_key", "direct", "title_folded"]
    connection.execute(sa.insert(SCOPE).from_select(columns, rows))


def contribute(connection: sa.Connection, keys: Sequence[str], sign: int) -> None:
    """Adds (+1) or takes away (-1) what these documents, as they are stored, count for in their categories."""
    for batch in batches(keys):
        which = SCOPE.c.document_key.in_(batch)
        categories = _add_to_categories(connection, which, sign)
        if categories:
            _add_to_category_concepts(connection, which, sign)
            if sign < 0:
                _drop_empty(connection, categories)
            count_concepts_of(connection, categories)


def _add_to_categories(connection: sa.Connection, which: sa.ColumnElement[bool], sign: int) -> list[str]:
    chunks = DOCUMENT.c.chunk_count
    changes = connection.execute(
        sa.select(
            SCOPE.c.category_key,
            sa.func.sum(SCOPE.c.direct),
            sa.func.sum(SCOPE.c.direct * chunks),
            sa.func.count(),
            sa.func.sum(chunks),
        )
        .join_from(SCOPE, DOCUMENT, SCOPE.c.document_key == DOCUMENT.c.key)
        .where(which)
        .group_by(SCOPE.c.category_key)
    ).all()
    if not changes:
        return []
    names = ("document_count", "chunk_count", "subtree_document_count", "subtree_chunk_count")
    statement = (
        sa.update(CATEGORY)
        .where(CATEGORY.c.key == sa.bindparam("category"))
        .values({name: CATEGORY.c[name] + sa.bindparam(f"by_{name}") for name in names})
    )
    connection.execute(
        statement,
        [
            {"category": key, **{f"by_{name}": sign * int(n) for name, n in zip(names, counts, strict=True)}}
            for key, *counts in changes
        ],
    )
    return [row[0] for row in changes]


def _add_to_category_concepts(connection: sa.Connection, which: sa.ColumnElement[bool], sign: int) -> None:
    rows = (
        sa.select(
            SCOPE.c.category_key,
            DOCUMENT_CONCEPT.c.concept_key,
            CONCEPT.c.name_folded,
            sign * sa.func.sum(SCOPE.c.direct),
            sign * sa.func.count(),
        )
        .join_from(SCOPE, DOCUMENT_CONCEPT, SCOPE.c.document_key == DOCUMENT_CONCEPT.c.document_key)
        .join(CONCEPT, CONCEPT.c.key == DOCUMENT_CONCEPT.c.concept_key)
        .where(which)
        .group_by(SCOPE.c.category_key, DOCUMENT_CONCEPT.c.concept_key, CONCEPT.c.name_folded)
    )
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    statement: Any = insert(CATEGORY_CONCEPT).from_select(
        ["category_key", "concept_key", "name_folded", "direct_documents", "subtree_documents"], rows
    )
    counted = ("direct_documents", "subtree_documents")
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["category_key", "concept_key"],
            set_={name: CATEGORY_CONCEPT.c[name] + statement.excluded[name] for name in counted},
        )
    )


def _drop_empty(connection: sa.Connection, categories: Sequence[str]) -> None:
    for batch in batches(categories):
        connection.execute(
            sa.delete(CATEGORY_CONCEPT).where(
                CATEGORY_CONCEPT.c.category_key.in_(batch), CATEGORY_CONCEPT.c.subtree_documents == 0
            )
        )


def count_concepts_of(connection: sa.Connection, categories: Sequence[str] | None = None) -> None:
    """Writes how many concepts categories have, from the rows that are kept of each; of all without a list."""
    held = CATEGORY_CONCEPT.c
    of_one = sa.select(sa.func.count()).where(held.category_key == CATEGORY.c.key)
    statement = sa.update(CATEGORY).values(
        concept_count=of_one.where(held.direct_documents > 0).scalar_subquery(),
        subtree_concept_count=of_one.scalar_subquery(),
    )
    if categories is None:
        connection.execute(statement)
        return
    for batch in batches(categories):
        connection.execute(statement.where(CATEGORY.c.key.in_(batch)))


def count_uses_of(connection: sa.Connection, concepts: Iterable[str]) -> None:
    """Writes how many documents and chunks speak of these concepts."""
    documents = sa.select(sa.func.count()).where(DOCUMENT_CONCEPT.c.concept_key == CONCEPT.c.key)
    chunks = sa.select(sa.func.count()).where(CHUNK_CONCEPT.c.concept_key == CONCEPT.c.key)
    statement = sa.update(CONCEPT).values(
        document_count=documents.scalar_subquery(), chunk_count=chunks.scalar_subquery()
    )
    for batch in batches(concepts):
        connection.execute(statement.where(CONCEPT.c.key.in_(batch)))


def rebuild(connection: sa.Connection) -> None:
    """Counts everything of the categories anew, from the links and the closed tree."""
    connection.execute(sa.delete(CATEGORY_CONCEPT))
    connection.execute(sa.delete(SCOPE))
    names = ("document_count", "chunk_count", "subtree_document_count", "subtree_chunk_count")
    connection.execute(sa.update(CATEGORY).values(dict.fromkeys(names, 0)))
    _insert_scope(connection, sa.true())
    _add_to_categories(connection, sa.true(), 1)
    _add_to_category_concepts(connection, sa.true(), 1)
    count_concepts_of(connection)
