"""Documents, categories and concepts: lists, single records, and records by key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from resolvers.library.vocabulary import (
    category_meant,
    concept_meant,
    known_category,
    not_found,
    settle,
)
from resolvers.listing import list_records
from resolvers.question import Answer, Question
from resolvers.scope import Scope
from sources.criteria import Criteria, Op, Predicate, all_of
from sources.errors import BadInput, NotFound, nearest, shorten
from sources.library.identity import normal_identifier
from sources.library.store import REMOVE_SAMPLE, LibraryShelf
from sources.page import OrderKey, Record
from sources.provenance import Provenance
from sources.sql_store import SqlStore

BY_NAME = (OrderKey("name"),)
BY_TITLE = (OrderKey("title"),)
BY_DOCUMENTS = (OrderKey("document_count", descending=True), OrderKey("name"))
BY_POPULARITY = (
    OrderKey("chunk_count", descending=True),
    OrderKey("document_count", descending=True),
    OrderKey("name"),
)
ORDERS = {"name": BY_NAME, "popularity": BY_POPULARITY, "documentCount": BY_DOCUMENTS}
"""By the words that concept-rag sorts by."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """How many documents, chunks and different concepts there are."""

    documents: int
    chunks: int
    concepts: int


@dataclass(frozen=True, slots=True)
class CategoryAnswer(Answer):
    """A page of what is in a category: `category`, its `statistics`, and the keys of those that were looked in.

    The statistics and `searched` cover the categories below it where the page does.
    """

    category: Record
    statistics: Statistics
    searched: tuple[str, ...]


def shelf_of(scope: Scope) -> LibraryShelf:
    """The opened library. Raises as `Scope.shelf` does."""
    return scope.shelf("library", LibraryShelf)


async def begin(shelf: LibraryShelf) -> Provenance:
    """The account of an answer that is about to be made; what the shelf remembers is brought up to date."""
    version = await shelf.data()
    provenance = Provenance("library", providers=("local",), fetched_at=version.changed_at)
    if not version.version:
        provenance.fetched_at = None
    sample = await shelf.sample_size()
    if sample:
        provenance.warnings.append(
            f"{sample} of the documents held are the sample that comes with loregraph. {REMOVE_SAMPLE}"
        )
    return provenance


async def _list(shelf: LibraryShelf, store: SqlStore, question: Question) -> Answer:
    provenance = await begin(shelf)
    criteria = await settle(question.criteria, shelf, store)
    return await list_records(store, replace(question, criteria=criteria), provenance)


async def find_documents(scope: Scope, question: Question) -> Answer:
    """The documents that `question` asks for. Raises `BadInput` for an unknown name or a foreign cursor."""
    shelf = shelf_of(scope)
    return await _list(shelf, shelf.documents, question)


async def find_concepts(scope: Scope, question: Question) -> Answer:
    """The concepts that `question` asks for. Raises as `find_documents` does."""
    shelf = shelf_of(scope)
    return await _list(shelf, shelf.concepts, question)


async def find_categories(scope: Scope, question: Question, search: str | None) -> Answer:
    """The categories that `question` asks for and that hold `search` in name, alias or description."""
    shelf = shelf_of(scope)
    if search is not None:
        held = Predicate("search", Op.CONTAINS, search, "search")
        question = replace(question, criteria=all_of([held, question.criteria]))
    return await _list(shelf, shelf.categories, question)


async def find_category_documents(
    scope: Scope, question: Question, category: str, include_children: bool, columns: Sequence[str]
) -> CategoryAnswer:
    """The documents of a category. Raises as `find_documents`; `columns` are those wanted of the category."""
    shelf = shelf_of(scope)
    await shelf.data()
    key = await known_category(shelf, category, "category")
    within: list[Criteria] = [Predicate("category_key", Op.EQUALS, key, "category")]
    if not include_children:
        within.append(Predicate("direct", Op.EQUALS, 1))
    question = replace(question, criteria=all_of([*within, question.criteria]))
    answer = await _list(shelf, shelf.documents_of_categories, question)
    return await _of_category(shelf, answer, key, include_children, columns)


async def find_category_concepts(
    scope: Scope, question: Question, category: str, include_children: bool, columns: Sequence[str]
) -> CategoryAnswer:
    """The concepts that the documents of a category speak of, counted inside it. As `find_category_documents`."""
    shelf = shelf_of(scope)
    await shelf.data()
    key = await known_category(shelf, category, "category")
    store = shelf.subtree_concepts if include_children else shelf.direct_concepts
    within: list[Criteria] = [Predicate("category_key", Op.EQUALS, key, "category")]
    if not include_children:
        within.append(Predicate("document_count", Op.AT_LEAST, 1))
    question = replace(question, criteria=all_of([*within, question.criteria]))
    answer = await _list(shelf, store, question)
    return await _of_category(shelf, answer, key, include_children, columns)


async def _of_category(
    shelf: LibraryShelf, answer: Answer, key: str, include_children: bool, columns: Sequence[str]
) -> CategoryAnswer:
    """`answer` with the category itself, which may have gone with an import meanwhile."""
    prefix = "subtree_" if include_children else ""
    counted = [f"{prefix}{name}_count" for name in ("document", "chunk", "concept")]
    found = await shelf.categories.by_keys([key], [*columns, *counted])
    if key not in found:
        raise NotFound(f"The category `{shorten(key)}` was just removed.", argument="category")
    category = found[key]
    statistics = Statistics(*(getattr(category, name) for name in counted))
    searched = await shelf.below(key) if include_children else (key,)
    return CategoryAnswer(
        answer.nodes,
        answer.cursors,
        answer.page_info,
        answer.total_count,
        answer.provenance,
        category,
        statistics,
        searched,
    )


async def get_category(scope: Scope, name: str, columns: Sequence[str]) -> Record:
    """One category by id, name or alias. Raises `NotFound` with the nearest names, `BadInput` for a shared alias."""
    shelf = shelf_of(scope)
    await shelf.data()
    key = await category_meant(shelf, name, "name")
    found = {} if key is None else await shelf.categories.by_keys([key], columns)
    if key not in found:
        raise not_found("category", name, "name", (await shelf.category_names()).names)
    return found[key]


async def get_concept(scope: Scope, name: str, columns: Sequence[str]) -> Record:
    """One concept by id, name or synonym. Raises as `get_category` does."""
    shelf = shelf_of(scope)
    await shelf.data()
    key = await concept_meant(shelf, name, "name")
    found = {} if key is None else await shelf.concepts.by_keys([key], columns)
    if key not in found:
        raise not_found("concept", name, "name", await shelf.concept_names())
    return found[key]


async def get_document(scope: Scope, key: str, columns: Sequence[str]) -> Record:
    """One document by its key, DOI, ISBN, arXiv id, or its whole title.

    Raises `NotFound` with the nearest titles, `BadInput` where several documents fit.
    """
    shelf = shelf_of(scope)
    await shelf.data()
    held = await shelf.documents.by_keys([key], columns)
    if held:
        return held[key]
    identifier = normal_identifier(key)
    for means in (
        Predicate("identifier", Op.HAS_ANY, (identifier,)),
        Predicate("title", Op.FOLDED_EQUALS, key),
    ):
        keys = await shelf.document_keys(means)
        if len(keys) == 1:
            return (await shelf.documents.by_keys(keys, columns))[keys[0]]
        if keys:
            raise BadInput("fits several documents; give the key.", argument="key", allowed=keys)
    titles = await shelf.document_titles()
    raise NotFound(
        f"No document has the key `{shorten(key)}`.", argument="key", suggestions=nearest(key, titles)
    )


async def documents_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    """The documents that exist among `keys`."""
    return await shelf_of(scope).documents.by_keys(keys, columns)


async def categories_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    """The categories that exist among `keys`."""
    return await shelf_of(scope).categories.by_keys(keys, columns)


async def concepts_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    """The concepts that exist among `keys`."""
    return await shelf_of(scope).concepts.by_keys(keys, columns)


async def chunks_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    """The chunks that exist among `keys`."""
    return await shelf_of(scope).chunks.by_keys(keys, columns)
