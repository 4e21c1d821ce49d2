"""Documents, categories, concepts, and the links between them."""

from typing import Annotated

import strawberry
from strawberry import UNSET

from resolvers.library import loaders
from schema.directives import Constraint, Summary
from schema.fields import batch, derived, plain
from schema.hits import MatchedBy
from schema.library import parts
from schema.library.vocabularies import DocumentType
from schema.node import Node, id_field
from schema.provenance import RecordSource

MOST_NESTED = 100

Some = Annotated[
    int | None,
    strawberry.argument(
        description="How many at most, 1 to 100. 20 when left out.",
        directives=[Constraint(min=1, max=MOST_NESTED)],
    ),
]


def _some(first: Some = UNSET) -> None: ...


def _from_position(
    first: Some = UNSET,
    position: Annotated[
        int | None,
        strawberry.argument(
            description="Begin with the chunk at this position; 1 is the first.",
            directives=[Constraint(min=1)],
        ),
    ] = UNSET,
) -> None: ...


@strawberry.type(description="How much there is in a category.")
class CategoryStatistics:
    documents: int = plain("How many documents.")
    chunks: int = plain("How many chunks of text those documents have.")
    concepts: int = plain("How many different concepts those documents speak of.")


@strawberry.type(
    description="A field of knowledge that documents are about. Categories form a tree.",
    directives=[
        Summary(
            fields=[
                "key",
                "name",
                "description",
                "aliases",
                "parent.name",
                "path.name",
                "statistics",
                "subtreeStatistics",
                "related.name",
            ]
        )
    ],
)
class Category(Node):
    id: strawberry.ID = id_field("Category")
    key: str = plain("The id in the catalogue, such as `distributed-systems`.")
    name: str = plain("Its name.")
    description: str | None = plain("What belongs into it.")
    aliases: list[str] = plain("Other names that it is found by.")
    depth: int = plain("How many steps it lies below the top; 0 is the top.")
    parent: Annotated["Category", strawberry.lazy("schema.library.types")] | None = batch(
        loaders.categories, "parent_key", description="The category above it; null at the top."
    )
    children: list[Annotated["Category", strawberry.lazy("schema.library.types")]] = batch(
        loaders.subcategories,
        "key",
        description="The categories right below it, by name.",
        metadata={"size": 10},
    )
    path: list[Annotated["Category", strawberry.lazy("schema.library.types")]] = batch(
        loaders.paths,
        "key",
        description="The way from the top of the tree down to it, itself included.",
        metadata={"size": 4},
    )
    related: list[Annotated["Category", strawberry.lazy("schema.library.types")]] = batch(
        loaders.related_categories,
        "key",
        description="Categories that it is said to be close to.",
        metadata={"size": 5},
    )
    statistics: CategoryStatistics = derived(
        parts.statistics,
        "document_count",
        "chunk_count",
        "concept_count",
        description="Of the documents that are in this category itself.",
    )
    subtree_statistics: CategoryStatistics = derived(
        parts.statistics,
        "subtree_document_count",
        "subtree_chunk_count",
        "subtree_concept_count",
        description="Of the documents in this category or any below it, each counted once.",
    )
    sample: bool = derived(parts.is_sample, "origin", description="Whether it came with loregraph.")


@strawberry.type(
    description="An idea that documents speak of.",
    directives=[
        Summary(
            fields=[
                "key",
                "name",
                "summary",
                "synonyms",
                "broader.name",
                "narrower.name",
                "related.name",
                "documentCount",
                "chunkCount",
                "documents",
            ]
        )
    ],
)
class Concept(Node):
    id: strawberry.ID = id_field("Concept")
    key: str = plain("The id in the catalogue, such as `consensus`.")
    name: str = plain("Its name.")
    summary: str | None = plain("What it means.")
    synonyms: list[str] = plain("Other names that it is found by.")
    weight: float | None = plain("How much it matters in the catalogue, 0 to 1.")
    document_count: int = plain("How many documents speak of it.")
    chunk_count: int = plain("How many chunks of text speak of it.")
    broader: list[Annotated["Concept", strawberry.lazy("schema.library.types")]] = batch(
        loaders.broader_concepts, "key", description="Concepts that it is a case of.", metadata={"size": 5}
    )
    narrower: list[Annotated["Concept", strawberry.lazy("schema.library.types")]] = batch(
        loaders.narrower_concepts, "key", description="Concepts that are cases of it.", metadata={"size": 5}
    )
    related: list[Annotated["Concept", strawberry.lazy("schema.library.types")]] = batch(
        loaders.related_concepts,
        "key",
        description="Concepts that it is said to be close to.",
        metadata={"size": 5},
    )
    documents: list[Annotated["ConceptDocument", strawberry.lazy("schema.library.types")]] = batch(
        loaders.documents_of_concepts,
        "key",
        description="The documents that speak of it, the weightiest first.",
        arguments=_some,
        graphql_type=list[Annotated["ConceptDocument", strawberry.lazy("schema.library.types")]],
        metadata={"size": loaders.LINKS},
    )
    chunks: list[Annotated["DocumentChunk", strawberry.lazy("schema.library.types")]] = batch(
        loaders.chunks_of_concepts,
        "key",
        description="The chunks of text that speak of it, by document and place.",
        arguments=_some,
        graphql_type=list[Annotated["DocumentChunk", strawberry.lazy("schema.library.types")]],
        metadata={"size": loaders.CHUNKS},
    )
    sample: bool = derived(parts.is_sample, "origin", description="Whether it came with loregraph.")


@strawberry.type(
    description="A piece of a document's text.",
    directives=[Summary(fields=["position", "page", "text", "document.key", "document.title"])],
)
class DocumentChunk(Node):
    id: strawberry.ID = id_field("DocumentChunk")
    key: str = plain("The key of the document and the position, such as `a-paper#3`.")
    position: int = plain("Its place in the document, from 1.")
    text: str = plain("The text itself.")
    page: int | None = plain("The page that it begins on.")
    is_reference: bool = plain("Whether it is a list of references.")
    has_math: bool = plain("Whether formulas stand in it.")
    has_extraction_issues: bool = plain("Whether its text may be garbled.")
    concepts: list[Concept] = batch(
        loaders.concepts_of_chunks, "key", description="What it speaks of.", metadata={"size": 10}
    )
    document: Annotated["Document", strawberry.lazy("schema.library.types")] | None = batch(
        loaders.documents, "document_key", description="The document that it stands in."
    )


@strawberry.type(
    description="A concept that a document speaks of.",
    directives=[Summary(fields=["concept.key", "concept.name", "weight", "pages", "matchType"])],
)
class DocumentConcept:
    concept: Concept | None = batch(loaders.concepts, "concept_key", description="The concept.")
    weight: float | None = plain("How much of the document is about it, 0 to 1.")
    pages: list[int] = plain("The pages that speak of it.")
    match_type: str = plain("How it was found, such as `exact`, `synonym`, `keyword` or `in chunks`.")


@strawberry.type(
    description="A document that speaks of a concept.",
    directives=[Summary(fields=["document.key", "document.title", "weight", "pages", "matchType"])],
)
class ConceptDocument:
    document: Annotated["Document", strawberry.lazy("schema.library.types")] | None = batch(
        loaders.documents, "document_key", description="The document."
    )
    weight: float | None = plain("How much of the document is about the concept, 0 to 1.")
    pages: list[int] = plain("The pages that speak of the concept.")
    match_type: str = plain("How the concept was found in it, such as `exact`, `synonym` or `keyword`.")


@strawberry.type(
    description="A book, paper or article.",
    directives=[
        Summary(
            fields=[
                "key",
                "title",
                "authors",
                "year",
                "type",
                "summary",
                "url",
                "categories.name",
                "concepts.concept.name",
                "chunkCount",
            ]
        )
    ],
)
class Document(Node):
    id: strawberry.ID = id_field("Document")
    key: str = plain("The id in the catalogue, or what the file is called in its folder.")
    title: str = plain("The title.")
    authors: list[str] = plain("The authors in their order.")
    year: int | None = plain("The year of publication.")
    type: DocumentType = plain("What kind of publication it is.")
    publisher: str | None = plain("Who published it.")
    isbn: str | None = plain("Its ISBN.")
    doi: str | None = plain("Its DOI.")
    arxiv_id: str | None = plain("Its arXiv id.")
    url: str | None = derived(
        parts.document_url, "doi", "arxiv_id", description="Where its DOI or arXiv id leads."
    )
    venue: str | None = plain("The journal or conference that it appeared in.")
    keywords: list[str] = plain("The authors' own keywords.")
    abstract: str | None = plain("The abstract.")
    summary: str | None = plain("What it says, in a few sentences.")
    path: str | None = plain("The file that it was read from, below the imported folder.")
    chunk_count: int = plain("How many chunks of text it has.")
    concept_count: int = plain("How many concepts it speaks of.")
    categories: list[Category] = batch(
        loaders.categories_of_documents,
        "key",
        description="The categories that it is in.",
        metadata={"size": 3},
    )
    concepts: list[DocumentConcept] = batch(
        loaders.concepts_of_documents,
        "key",
        description="The concepts that it speaks of, the foremost first.",
        metadata={"size": 10},
    )
    chunks: list[DocumentChunk] = batch(
        loaders.chunks_of_documents,
        "key",
        description="Its text in pieces, from the start or from a position on.",
        arguments=_from_position,
        graphql_type=list[DocumentChunk],
        metadata={"size": loaders.CHUNKS},
    )
    sample: bool = derived(parts.is_sample, "origin", description="Whether it came with loregraph.")
    source: RecordSource = derived(
        parts.collection, "origin", "path", description="Where its record comes from, and its licence."
    )


@strawberry.type(
    description="A concept as the documents of one category speak of it.",
    directives=[Summary(fields=["key", "name", "documentCount", "weight"])],
)
class CategoryConcept:
    key: str = plain("The concept's id.")
    name: str = plain("The concept's name.")
    document_count: int = plain("How many documents of the category speak of it.")
    weight: float | None = plain("How much the concept matters in the catalogue, 0 to 1.")
    concept: Concept | None = batch(loaders.concepts, "key", description="The concept itself.")


@strawberry.type(
    description="A document that fits a text.",
    directives=[
        Summary(
            fields=[
                "name",
                "score",
                "matchedBy",
                "snippet",
                "node.key",
                "node.authors",
                "node.year",
                "node.categories.name",
            ]
        )
    ],
)
class DocumentHit:
    kind: str = plain("What was found: `document`.")
    name: str = plain("The document's title.")
    score: float = plain("How well it fits, 0 to 1; comparable within one answer alone.")
    matched_by: list[MatchedBy] = plain("How it was found.")
    snippet: str = plain("A passage that shows why.")
    node: Document = plain("The document itself.")
