"""The root fields of the library."""

from typing import Annotated

import strawberry
from strawberry import UNSET

from resolvers.library import queries, search
from resolvers.question import Answer, PageRequest, Question
from schema.connection import After, Before, Connection, First, Last, given, question, wanted_of
from schema.directives import Constraint, Tool
from schema.fields import root
from schema.filtering import criteria_of, word_of
from schema.library import wording
from schema.library.connections import CategoryConceptConnection, CategoryDocumentConnection
from schema.library.filters import CategoryFilter, ConceptFilter, DocumentFilter
from schema.library.ordering import ConceptOrder, DocumentOrder
from schema.library.types import Category, Concept, Document, DocumentHit
from schema.library.vocabularies import CategoryConceptSort, CategorySort
from schema.selection import Selection
from sources.page import Record
from sources.text_index import fold

VOCABULARY_FIRST = 50
"""Page size of categories and concepts, as concept-rag has it."""

FirstFifty = Annotated[
    int | None,
    strawberry.argument(
        description="How many items to return from the start, 1 to 100. 50 when neither `first` nor `last` is "
        "given.",
        directives=[Constraint(min=1, max=100)],
    ),
]
CategoryName = Annotated[
    str,
    strawberry.argument(description=wording.CATEGORY, directives=[Constraint(min_length=1, max_length=200)]),
]
IncludeChildren = Annotated[bool | None, strawberry.argument(description=wording.INCLUDE_CHILDREN)]
WhichDocuments = Annotated[
    DocumentFilter | None, strawberry.argument(description="Which documents to return; all when left out.")
]
WhichConcepts = Annotated[
    ConceptFilter | None, strawberry.argument(description="Which concepts to return; all when left out.")
]
DocumentOrders = Annotated[
    list[DocumentOrder] | None,
    strawberry.argument(
        description="What to sort by, the weightiest first, instead of the title.",
        directives=[Constraint(max_items=3)],
    ),
]


async def _categories(
    info: strawberry.Info,
    search: Annotated[
        str | None,
        strawberry.argument(
            description="Name, an alias or the description contains this, whatever case and accents.",
            directives=[Constraint(max_length=200)],
        ),
    ] = UNSET,
    sort_by: Annotated[
        CategorySort | None,
        strawberry.argument(description="What comes first. Counts are those of the category itself."),
    ] = CategorySort.POPULARITY,
    filter: Annotated[
        CategoryFilter | None, strawberry.argument(description="Which categories to return.")
    ] = UNSET,
    first: FirstFifty = UNSET,
    after: After = UNSET,
    last: Last = UNSET,
    before: Before = UNSET,
) -> Answer:
    asked = question(
        info,
        "Category",
        filter_=filter,
        default_order=queries.ORDERS[word_of(sort_by or CategorySort.POPULARITY)],
        first=first,
        after=after,
        last=last,
        before=before,
        default_first=VOCABULARY_FIRST,
    )
    text = given(search)
    return await queries.find_categories(info.context.scope, asked, text if text and fold(text) else None)


async def _category(
    info: strawberry.Info,
    name: CategoryName,
) -> Record:
    columns = Selection.below(info).columns("Category")
    return await queries.get_category(info.context.scope, name, columns)


async def _category_documents(
    info: strawberry.Info,
    category: CategoryName,
    include_children: IncludeChildren = False,
    filter: WhichDocuments = UNSET,
    order_by: DocumentOrders = UNSET,
    first: First = UNSET,
    after: After = UNSET,
    last: Last = UNSET,
    before: Before = UNSET,
) -> queries.CategoryAnswer:
    asked = question(
        info,
        "Document",
        connection="CategoryDocumentConnection",
        filter_=filter,
        order_by=order_by,
        default_order=queries.BY_TITLE,
        first=first,
        after=after,
        last=last,
        before=before,
    )
    columns = _category_columns(info, "CategoryDocumentConnection")
    return await queries.find_category_documents(
        info.context.scope, asked, category, bool(include_children), columns
    )


async def _category_concepts(
    info: strawberry.Info,
    category: CategoryName,
    sort_by: Annotated[
        CategoryConceptSort | None, strawberry.argument(description="What comes first.")
    ] = CategoryConceptSort.DOCUMENT_COUNT,
    include_children: IncludeChildren = False,
    filter: Annotated[
        ConceptFilter | None,
        strawberry.argument(
            description="Which concepts to return; `documentsMin` counts inside the category."
        ),
    ] = UNSET,
    first: FirstFifty = UNSET,
    after: After = UNSET,
    last: Last = UNSET,
    before: Before = UNSET,
) -> queries.CategoryAnswer:
    asked = question(
        info,
        "CategoryConcept",
        connection="CategoryConceptConnection",
        filter_=filter,
        default_order=queries.ORDERS[word_of(sort_by or CategoryConceptSort.DOCUMENT_COUNT)],
        first=first,
        after=after,
        last=last,
        before=before,
        default_first=VOCABULARY_FIRST,
    )
    columns = _category_columns(info, "CategoryConceptConnection")
    return await queries.find_category_concepts(
        info.context.scope, asked, category, bool(include_children), columns
    )


def _category_columns(info: strawberry.Info, connection: str) -> tuple[str, ...]:
    return Selection.below(info).into(connection, "category").columns("Category")


async def _documents(
    info: strawberry.Info,
    filter: WhichDocuments = UNSET,
    order_by: DocumentOrders = UNSET,
    first: First = UNSET,
    after: After = UNSET,
    last: Last = UNSET,
    before: Before = UNSET,
) -> Answer:
    asked = question(
        info,
        "Document",
        filter_=filter,
        order_by=order_by,
        default_order=queries.BY_TITLE,
        first=first,
        after=after,
        last=last,
        before=before,
    )
    return await queries.find_documents(info.context.scope, asked)


async def _document(
    info: strawberry.Info,
    key: Annotated[
        str,
        strawberry.argument(
            description="The key, a DOI, ISBN or arXiv id, or the whole title.",
            directives=[Constraint(min_length=1, max_length=1000)],
        ),
    ],
) -> Record:
    columns = Selection.below(info).columns("Document")
    return await queries.get_document(info.context.scope, key, columns)


async def _search_documents(
    info: strawberry.Info,
    query: Annotated[
        str,
        strawberry.argument(
            description="What to look for, in a few words: a topic, a phrase, a title, a DOI.",
            directives=[Constraint(min_length=1, max_length=10_000)],
        ),
    ],
    filter: WhichDocuments = UNSET,
    first: First = UNSET,
    after: After = UNSET,
) -> Answer:
    selection = Selection.below(info)
    wanted = wanted_of(selection, "DocumentHitConnection", "DocumentHit")
    hits = selection.into("DocumentHitConnection", "nodes").merged(
        selection.into("DocumentHitConnection", "edges", "node")
    )
    asked = Question(wanted, criteria_of(filter), (), PageRequest(given(first) or 20, given(after)))
    columns = hits.into("DocumentHit", "node").columns("Document")
    return await search.search_documents(info.context.scope, query, asked, columns)


async def _concepts(
    info: strawberry.Info,
    filter: WhichConcepts = UNSET,
    order_by: Annotated[
        list[ConceptOrder] | None,
        strawberry.argument(
            description="What to sort by, the weightiest first, instead of the name.",
            directives=[Constraint(max_items=3)],
        ),
    ] = UNSET,
    first: FirstFifty = UNSET,
    after: After = UNSET,
    last: Last = UNSET,
    before: Before = UNSET,
) -> Answer:
    asked = question(
        info,
        "Concept",
        filter_=filter,
        order_by=order_by,
        default_order=queries.BY_NAME,
        first=first,
        after=after,
        last=last,
        before=before,
        default_first=VOCABULARY_FIRST,
    )
    return await queries.find_concepts(info.context.scope, asked)


async def _concept(
    info: strawberry.Info,
    name: Annotated[
        str,
        strawberry.argument(
            description="The concept: its id, name or a synonym.",
            directives=[Constraint(min_length=1, max_length=1000)],
        ),
    ],
) -> Record:
    columns = Selection.below(info).columns("Concept")
    return await queries.get_concept(info.context.scope, name, columns)


@strawberry.type
class LibraryQuery:
    categories: Connection[Category] | None = root(
        _categories,
        Connection[Category] | None,
        Tool(name="list_categories", flatten="filter", omit=["nameExact"], limit=VOCABULARY_FIRST),
        "The categories of the library, which form a tree, with how much is in each.",
    )
    category: Category | None = root(
        _category,
        Category | None,
        Tool(name="get_category", aliases=["category=name", "id=name"]),
        "One category by id, name or alias: its place in the tree, and how much is in it.",
    )
    category_documents: CategoryDocumentConnection | None = root(
        _category_documents,
        CategoryDocumentConnection | None,
        # The filter is left to GraphQL and to `list_documents`, which takes a category too.
        Tool(name="category_search", omit=["filter"]),
        "The documents of one category. To look for a text, use `searchDocuments`.",
    )
    category_concepts: CategoryConceptConnection | None = root(
        _category_concepts,
        CategoryConceptConnection | None,
        Tool(name="list_concepts_in_category", omit=["filter"], limit=VOCABULARY_FIRST),
        "The different concepts that the documents of one category speak of, which is what the field is about.",
    )
    documents: Connection[Document] | None = root(
        _documents,
        Connection[Document] | None,
        Tool(name="list_documents", flatten="filter", omit=["titleExact"]),
        "Books and papers by title, author, year, category, concept and more.",
    )
    document: Document | None = root(
        _document,
        Document | None,
        Tool(name="get_document", aliases=["id=key", "document=key"]),
        "One document by key, DOI, ISBN, arXiv id or title; its text is in `chunks`.",
    )
    search_documents: Connection[DocumentHit] | None = root(
        _search_documents,
        Connection[DocumentHit] | None,
        Tool(name="catalog_search", flatten="filter", omit=["titleExact", "search"], aliases=["text=query"]),
        "Books and papers ranked by how well they fit a text, with the passage that shows why.",
    )
    concepts: Connection[Concept] | None = root(
        _concepts,
        Connection[Concept] | None,
        Tool(name="list_concepts", flatten="filter", omit=["nameExact"], limit=VOCABULARY_FIRST),
        "The concepts that the documents speak of, by name, category and how often.",
    )
    concept: Concept | None = root(
        _concept,
        Concept | None,
        Tool(name="concept_search", aliases=["concept=name", "id=name"]),
        "One concept by id, name or synonym: what it means, what is near it, and which documents speak of it.",
    )
