"""Batch functions of the library room: one call for all parents, one statement a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from resolvers.library.queries import shelf_of
from resolvers.scope import Scope
from sources.children import children
from sources.criteria import All, Criteria, Op, Predicate
from sources.page import OrderKey, Record
from sources.sql_store import SqlStore

_BY_POSITION = (OrderKey("position"),)
CHUNKS = 20
"""How many chunks a field returns unless it is asked for more or fewer."""
LINKS = 20
"""How many documents of a concept are returned unless more or fewer are asked for."""


async def _records(
    store: SqlStore, keys: Sequence[str | None], columns: Sequence[str]
) -> list[Record | None]:
    wanted = tuple(dict.fromkeys(key for key in keys if key is not None))
    found = await store.by_keys(wanted, columns) if wanted else {}
    return [None if key is None else found.get(key) for key in keys]


async def _lists(
    store: SqlStore,
    parent: str,
    keys: Sequence[str],
    columns: Sequence[str],
    order: Sequence[OrderKey],
    criteria: Criteria = All(),  # noqa: B008 — immutable
) -> list[list[Record]]:
    found = await children(store, parent, keys, columns, criteria, order)
    return [found.get(key, []) for key in keys]


async def categories(scope: Scope, keys: Sequence[str | None], columns: Sequence[str]) -> list[Record | None]:
    """The category of each key."""
    return await _records(shelf_of(scope).categories, keys, columns)


async def category_lists(
    scope: Scope, keys: Sequence[Sequence[str]], columns: Sequence[str]
) -> list[list[Record]]:
    """The categories of each list of keys, in its order."""
    wanted = tuple(dict.fromkeys(key for several in keys for key in several))
    found = await shelf_of(scope).categories.by_keys(wanted, columns) if wanted else {}
    return [[found[key] for key in several if key in found] for several in keys]


async def concepts(scope: Scope, keys: Sequence[str | None], columns: Sequence[str]) -> list[Record | None]:
    """The concept of each key."""
    return await _records(shelf_of(scope).concepts, keys, columns)


async def documents(scope: Scope, keys: Sequence[str | None], columns: Sequence[str]) -> list[Record | None]:
    """The document of each key."""
    return await _records(shelf_of(scope).documents, keys, columns)


async def subcategories(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[list[Record]]:
    """The categories right below each, by name."""
    return await _lists(shelf_of(scope).categories, "parent_key", keys, columns, (OrderKey("name"),))


async def paths(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[list[Record]]:
    """The way from the top of the tree down to each category, itself included."""
    top_first = (OrderKey("distance", descending=True),)
    return await _lists(shelf_of(scope).ancestors, "category_key", keys, columns, top_first)


async def related_categories(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[list[Record]]:
    """The categories that each says it is close to."""
    return await _lists(shelf_of(scope).related_categories, "category_key", keys, columns, _BY_POSITION)


async def categories_of_documents(
    scope: Scope, keys: Sequence[str], columns: Sequence[str]
) -> list[list[Record]]:
    """The categories that each document is in."""
    return await _lists(shelf_of(scope).categories_of_documents, "document_key", keys, columns, _BY_POSITION)


async def concepts_of_documents(
    scope: Scope, keys: Sequence[str], columns: Sequence[str]
) -> list[list[Record]]:
    """The links from each document to its concepts."""
    return await _lists(shelf_of(scope).concepts_of_documents, "document_key", keys, columns, _BY_POSITION)


async def chunks_of_documents(
    scope: Scope, keys: Sequence[str], columns: Sequence[str], *, first: int = CHUNKS, position: int = 1
) -> list[list[Record]]:
    """The chunks of each document from `position` on."""
    part = All(
        (
            Predicate("position", Op.AT_LEAST, position),
            Predicate("position", Op.AT_MOST, position + first - 1),
        )
    )
    return await _lists(shelf_of(scope).chunks, "document_key", keys, columns, _BY_POSITION, part)


async def documents_of_concepts(
    scope: Scope, keys: Sequence[str], columns: Sequence[str], *, first: int = LINKS
) -> list[list[Record]]:
    """The links from each concept to the documents that speak of it, the weightiest first."""
    return await _placed(shelf_of(scope).documents_of_concepts, keys, columns, first)


async def chunks_of_concepts(
    scope: Scope, keys: Sequence[str], columns: Sequence[str], *, first: int = CHUNKS
) -> list[list[Record]]:
    """The chunks that speak of each concept, by document and place."""
    return await _placed(shelf_of(scope).chunks_of_concepts, keys, columns, first)


async def _placed(
    store: SqlStore, keys: Sequence[str], columns: Sequence[str], first: int
) -> list[list[Record]]:
    wanted = Predicate("place", Op.AT_MOST, first)
    return await _lists(store, "concept_key", keys, columns, (OrderKey("place"),), wanted)


async def concepts_of_chunks(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[list[Record]]:
    """The concepts that each chunk speaks of."""
    return await _lists(shelf_of(scope).concepts_of_chunks, "chunk_key", keys, columns, _BY_POSITION)


async def _related(
    relation: str, scope: Scope, keys: Sequence[str], columns: Sequence[str]
) -> list[list[Any]]:
    told = Predicate("relation", Op.EQUALS, relation)
    return await _lists(shelf_of(scope).related_concepts, "concept_key", keys, columns, _BY_POSITION, told)


async def broader_concepts(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[list[Any]]:
    """The concepts that each is a case of."""
    return await _related("broader", scope, keys, columns)


async def narrower_concepts(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[list[Any]]:
    """The concepts that are cases of each."""
    return await _related("narrower", scope, keys, columns)


async def related_concepts(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[list[Any]]:
    """The concepts that each says it is close to."""
    return await _related("related", scope, keys, columns)
