"""The library: documents, categories and concepts."""

from resolvers.library.queries import categories_by_key, chunks_by_key, concepts_by_key, documents_by_key
from schema.library.prompts import LIBRARY_PROMPTS
from schema.library.queries import LibraryQuery
from schema.room import Room, text_beside
from sources.library import SOURCE

ROOM = Room(
    source=SOURCE,
    query=LibraryQuery,
    nodes={
        "Document": documents_by_key,
        "Category": categories_by_key,
        "Concept": concepts_by_key,
        "DocumentChunk": chunks_by_key,
    },
    kinds={
        "library_document": "Document",
        "category": "Category",
        "concept": "Concept",
        "document_chunk": "DocumentChunk",
    },
    guide=text_beside(__file__, "guide.md"),
    prompts=LIBRARY_PROMPTS,
)
