"""Where the attributes of library records lie, for the compiler of questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
import sqlalchemy as sa

from sources.library.statistics import (
    ANCESTOR,
    CATEGORY,
    CATEGORY_CONCEPT,
    CHUNK,
    CHUNK_CONCEPT,
    CONCEPT,
    DOCUMENT,
    DOCUMENT_CATEGORY,
    DOCUMENT_CONCEPT,
    SCOPE,
)
from sources.library.tables import CHUNK_TEXT, DOCUMENT_TEXT
from sources.library.write_categories import RELATION as CATEGORY_RELATION
from sources.library.write_concepts import RELATION as CONCEPT_RELATION
from sources.library.write_documents import IDENTIFIER
from sources.table_map import ColumnSpec, FacetSpec, JoinSpec, TableMap


def _list(text: str) -> list[Any]:
    found: list[Any] = orjson.loads(text)
    return found


_LISTS = ("authors", "keywords", "aliases", "synonyms", "pages")


def _columns(table: sa.FromClause, *leave_out: str, join: str | None = None) -> dict[str, ColumnSpec]:
    """Every column of a table; a text with a folded twin is searched and sorted by that."""
    specs: dict[str, ColumnSpec] = {}
    for column in table.c:
        name = column.name
        if name.endswith("_folded") or name in leave_out:
            continue
        folded = table.c.get(f"{name}_folded", column)
        specs[name] = ColumnSpec(
            expression=column,
            nullable=bool(getattr(column, "nullable", False)),
            folded=folded if isinstance(column.type, sa.String) else None,
            decode=_list if name in _LISTS else None,
            join=join,
        )
    return specs


def _linked(
    link: sa.FromClause, key: sa.ColumnElement[Any], table: sa.Table, kind: str, *own: str
) -> TableMap:
    """Records of `table` as they belong to others by the rows of `link`, with columns of the link beside theirs.

    They are found by what they belong to, so the key need not be unique over the whole link.
    """
    columns = _columns(table, join="record")
    columns |= {name: ColumnSpec(link.c[name], folded=link.c[name]) for name in own}
    return TableMap(
        kind=kind,
        table=link,
        key="key",
        columns=columns,
        joins={"record": JoinSpec(table, table.c.key == key)},
    )


def _ranked(
    owner: sa.ColumnElement[Any], *order: Any, source: sa.FromClause, columns: list[Any]
) -> sa.Subquery:
    """The rows of `source` with each row's place among those of its owner, from 1."""
    place = sa.func.row_number().over(partition_by=owner, order_by=order).label("place")
    return sa.select(*columns, place).select_from(source).subquery()


CATEGORIES = TableMap(
    kind="category",
    table=CATEGORY,
    key="key",
    columns=_columns(CATEGORY, "content_hash")
    | {"search": ColumnSpec(CATEGORY.c.search_folded, folded=CATEGORY.c.search_folded)},
)
DOCUMENTS = TableMap(
    kind="library_document",
    table=DOCUMENT,
    key="key",
    columns=_columns(DOCUMENT, "content_hash"),
    facets={
        "category": FacetSpec(
            SCOPE, SCOPE.c.document_key, SCOPE.c.category_key, (SCOPE.c.direct == sa.literal_column("1"),)
        ),
        "category_tree": FacetSpec(SCOPE, SCOPE.c.document_key, SCOPE.c.category_key),
        "concept": FacetSpec(
            DOCUMENT_CONCEPT, DOCUMENT_CONCEPT.c.document_key, DOCUMENT_CONCEPT.c.concept_key
        ),
        "identifier": FacetSpec(IDENTIFIER, IDENTIFIER.c.document_key, IDENTIFIER.c.identifier),
    },
    texts={"text": DOCUMENT_TEXT},
)
_OTHER_SCOPE = SCOPE.alias()
DOCUMENTS_OF_CATEGORIES = TableMap(
    kind="library_document",
    table=SCOPE,
    key="key",
    columns=_columns(DOCUMENT, "content_hash", join="document")
    | {
        "key": ColumnSpec(SCOPE.c.document_key, folded=SCOPE.c.document_key),
        "title": ColumnSpec(DOCUMENT.c.title, folded=SCOPE.c.title_folded, join="document"),
        "category_key": ColumnSpec(SCOPE.c.category_key, folded=SCOPE.c.category_key),
        "direct": ColumnSpec(SCOPE.c.direct),
    },
    facets=dict(DOCUMENTS.facets)
    | {
        "category": FacetSpec(
            _OTHER_SCOPE,
            _OTHER_SCOPE.c.document_key,
            _OTHER_SCOPE.c.category_key,
            (_OTHER_SCOPE.c.direct == sa.literal_column("1"),),
        ),
        "category_tree": FacetSpec(_OTHER_SCOPE, _OTHER_SCOPE.c.document_key, _OTHER_SCOPE.c.category_key),
    },
    texts=DOCUMENTS.texts,
    joins={"document": JoinSpec(DOCUMENT, DOCUMENT.c.key == SCOPE.c.document_key)},
)
CONCEPTS = TableMap(
    kind="concept",
    table=CONCEPT,
    key="key",
    columns=_columns(CONCEPT, "content_hash"),
    facets={
        "category": FacetSpec(
            CATEGORY_CONCEPT, CATEGORY_CONCEPT.c.concept_key, CATEGORY_CONCEPT.c.category_key
        ),
    },
)
CHUNKS = TableMap(
    kind="document_chunk",
    table=CHUNK,
    key="key",
    columns=_columns(CHUNK),
    texts={"text_words": CHUNK_TEXT},
)


def _concepts_of_categories(counted: sa.ColumnElement[Any]) -> TableMap:
    """The concepts of categories; `document_count` counts those of the category's documents that speak of them."""
    held, other = CATEGORY_CONCEPT.c, CATEGORY_CONCEPT.alias()
    own = {
        "category_key": ColumnSpec(held.category_key, folded=held.category_key),
        "key": ColumnSpec(held.concept_key, folded=held.concept_key),
        "document_count": ColumnSpec(counted),
        "name": ColumnSpec(CONCEPT.c.name, folded=held.name_folded, join="concept"),
    }
    concept = _columns(CONCEPT, "content_hash", "key", "name", "document_count", join="concept")
    return TableMap(
        kind="category_concept",
        table=CATEGORY_CONCEPT,
        key="key",
        columns=concept | own,
        joins={"concept": JoinSpec(CONCEPT, CONCEPT.c.key == held.concept_key)},
        facets={"category": FacetSpec(other, other.c.concept_key, other.c.category_key)},
    )


DIRECT_CONCEPTS = _concepts_of_categories(CATEGORY_CONCEPT.c.direct_documents)
SUBTREE_CONCEPTS = _concepts_of_categories(CATEGORY_CONCEPT.c.subtree_documents)

CATEGORIES_OF_DOCUMENTS = _linked(
    DOCUMENT_CATEGORY, DOCUMENT_CATEGORY.c.category_key, CATEGORY, "category", "document_key", "position"
)
ANCESTORS = _linked(ANCESTOR, ANCESTOR.c.ancestor_key, CATEGORY, "category", "category_key", "distance")
RELATED_CATEGORIES = _linked(
    CATEGORY_RELATION, CATEGORY_RELATION.c.related_key, CATEGORY, "category", "category_key", "position"
)
RELATED_CONCEPTS = _linked(
    CONCEPT_RELATION,
    CONCEPT_RELATION.c.other_key,
    CONCEPT,
    "concept",
    "concept_key",
    "relation",
    "position",
)
CONCEPTS_OF_DOCUMENTS = TableMap(
    kind="document_concept",
    table=DOCUMENT_CONCEPT,
    key="concept_key",
    columns=_columns(DOCUMENT_CONCEPT),
)
_DOCUMENTS_OF_CONCEPTS = _ranked(
    DOCUMENT_CONCEPT.c.concept_key,
    sa.func.coalesce(DOCUMENT_CONCEPT.c.weight, sa.literal_column("-1.0")).desc(),
    DOCUMENT.c.title_folded,
    DOCUMENT.c.key,
    source=DOCUMENT_CONCEPT.join(DOCUMENT, DOCUMENT.c.key == DOCUMENT_CONCEPT.c.document_key),
    columns=list(DOCUMENT_CONCEPT.c),
)
DOCUMENTS_OF_CONCEPTS = TableMap(
    kind="concept_document",
    table=_DOCUMENTS_OF_CONCEPTS,
    key="document_key",
    columns=_columns(_DOCUMENTS_OF_CONCEPTS, "position"),
)
_CHUNKS_OF_CONCEPTS = _ranked(
    CHUNK_CONCEPT.c.concept_key,
    CHUNK.c.document_key,
    CHUNK.c.position,
    source=CHUNK_CONCEPT.join(CHUNK, CHUNK.c.key == CHUNK_CONCEPT.c.chunk_key),
    columns=[CHUNK_CONCEPT.c.concept_key, *CHUNK.c],
)
CHUNKS_OF_CONCEPTS = TableMap(
    kind="document_chunk",
    table=_CHUNKS_OF_CONCEPTS,
    key="key",
    columns=_columns(_CHUNKS_OF_CONCEPTS),
)
CONCEPTS_OF_CHUNKS = _linked(
    CHUNK_CONCEPT, CHUNK_CONCEPT.c.concept_key, CONCEPT, "concept", "chunk_key", "position"
)

MAPS: Mapping[str, TableMap] = {
    "category": CATEGORIES,
    "concept": CONCEPTS,
    "document": DOCUMENTS,
    "chunk": CHUNKS,
}
"""By what people call them: the records that have a key of their own."""
