"""Memory databases, their entries, and what is recalled of them."""

from datetime import datetime
from enum import Enum
from typing import Any

import strawberry
from strawberry.scalars import JSON

from resolvers.memory import loaders
from schema.connection import PageInfo
from schema.directives import Summary
from schema.fields import batch, derived, plain
from schema.hits import MatchedBy
from schema.node import Node, id_field
from schema.provenance import Provenance, RecordSource
from sources.memory.records import WorkOfEntry, work_of
from sources.moments import moment_of


def moment(number: int | None) -> Any:
    """A time that may be unknown."""
    return None if number is None else moment_of(number)


def source(database: str) -> WorkOfEntry:
    """The database that an entry is taken from."""
    return work_of(database)


@strawberry.type(
    description="One entry of a memory database: a text, and what is known of it.",
    directives=[Summary(fields=["id", "entryId", "database", "content", "metadata", "timestamp"])],
)
class MemoryEntry(Node):
    id: strawberry.ID = id_field("MemoryEntry")
    entry_id: str = plain("Its id in its database, as it was imported.")
    database: str = plain("The database that it is in.")
    content: str = plain("Its text.")
    metadata: JSON = plain("Whatever was imported beside the text: an object.")
    timestamp: datetime | None = derived(moment, "timestamp", description="When it was, where that is known.")
    source: RecordSource = derived(source, "database", description="The database, and its licence.")


@strawberry.type(
    description="An entry that was recalled.",
    directives=[Summary(fields=["id", "entryId", "score", "matchedBy", "content", "metadata", "timestamp"])],
)
class MemoryHit:
    id: strawberry.ID = id_field("MemoryEntry")
    entry_id: str = plain("The entry's id in its database, as it was imported.")
    score: float = plain(
        "Nearness of meaning to the query, -1 to 1: 1 is the same, and what is below 0.2 has seldom to do with it."
    )
    matched_by: list[MatchedBy] = plain("How it was found.")
    content: str = plain("The entry's text.")
    metadata: JSON = plain("Whatever was imported beside the text: an object.")
    timestamp: datetime | None = derived(moment, "timestamp", description="When it was, where that is known.")
    node: MemoryEntry | None = batch(loaders.entries, "key", description="The entry itself.")


@strawberry.type(
    description="What was recalled, the nearest first.",
    directives=[Summary(fields=["query", "nodes", "pageInfo.hasNextPage"])],
)
class RecallAnswer:
    query: str = plain("The text that was asked with.")
    database: str = plain("The database that was asked.")
    nodes: list[MemoryHit] = plain("The hits.")
    page_info: PageInfo = plain("Whether there are more; a larger `first` shows them.")
    provenance: Provenance = plain("Where this answer comes from and whether it is whole.")


@strawberry.enum(description="Where the entries of a memory database are.")
class MemoryDatabaseKind(Enum):
    MANAGED = strawberry.enum_value("managed", description="In loregraph's own store.")
    EXTERNAL = strawberry.enum_value("external", description="In a collection of Chroma that others fill.")


@strawberry.type(
    description="A memory database that can be asked.",
    directives=[Summary(fields=["name", "description", "entries", "indexed", "ready"])],
)
class MemoryDatabase:
    name: str = plain("Its name, as `dbName` takes it.")
    description: str = plain("What it holds, in its owner's words.")
    kind: MemoryDatabaseKind = plain("Where its entries are.")
    model: str = plain("The model that its vectors are made by.")
    dimension: int = plain("The dimension of its vectors.")
    public: bool = plain("Whether whoever reaches this server may ask it.")
    entries: int | None = plain("How many entries it holds; null for an external one.")
    indexed: int | None = plain("How many of them are found by meaning already; null for an external one.")
    ready: bool = plain("Whether all are; the others are found by their words.")
