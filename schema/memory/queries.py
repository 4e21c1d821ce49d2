"""The root fields of the memory room."""

from collections.abc import Sequence
from typing import Annotated

import strawberry
from strawberry import UNSET

from resolvers.memory import databases, queries, recall
from resolvers.question import Answer
from schema.connection import MAX_FIRST, After, Before, Connection, First, Last, given, question
from schema.directives import Constraint, Tool
from schema.fields import root
from schema.filtering import criteria_of
from schema.memory.filters import MemoryFilter
from schema.memory.ordering import MemoryOrder
from schema.memory.types import MemoryDatabase, MemoryEntry, RecallAnswer
from sources.memory.records import LONGEST_NAME

DatabaseName = Annotated[
    str,
    strawberry.argument(
        description="Name of an active database.",
        directives=[Constraint(min_length=1, max_length=LONGEST_NAME)],
    ),
]


async def _recall(
    info: strawberry.Info,
    db_name: DatabaseName,
    query: Annotated[
        str,
        strawberry.argument(
            description="What to recall: a sentence or a few words of the meaning.",
            directives=[Constraint(max_length=20_000)],
        ),
    ],
    first: Annotated[
        int,
        strawberry.argument(
            description="How many entries to return, 1 to 100.",
            directives=[Constraint(min=1, max=MAX_FIRST)],
        ),
    ] = recall.DEFAULT_FIRST,
    query_vector: Annotated[
        list[float] | None,
        strawberry.argument(
            description="The vector of `query`, from a caller that embeds by itself with the database's `model`; it "
            "must have its `dimension`.",
            directives=[Constraint(max_items=65_536)],
        ),
    ] = UNSET,
    min_score: Annotated[
        float | None,
        strawberry.argument(
            description="Only entries at least so near, -1 to 1.", directives=[Constraint(min=-1, max=1)]
        ),
    ] = UNSET,
    filter: Annotated[
        MemoryFilter | None, strawberry.argument(description="Only entries that this holds of.")
    ] = UNSET,
) -> recall.Recalled:
    vector = given(query_vector)
    asked = recall.RecallQuestion(
        database=db_name,
        text=query,
        first=first,
        vector=None if vector is None else tuple(vector),
        min_score=given(min_score),
        criteria=criteria_of(filter),
    )
    return await recall.recall(info.context.scope, asked)


async def _entries(
    info: strawberry.Info,
    db_name: DatabaseName,
    filter: Annotated[
        MemoryFilter | None, strawberry.argument(description="Which entries to return; all when left out.")
    ] = UNSET,
    order_by: Annotated[
        list[MemoryOrder] | None,
        strawberry.argument(
            description="What to sort by; at most 3. The newest come first when it is left out.",
            directives=[Constraint(max_items=3)],
        ),
    ] = UNSET,
    first: First = UNSET,
    after: After = UNSET,
    last: Last = UNSET,
    before: Before = UNSET,
) -> Answer:
    asked = question(
        info,
        "MemoryEntry",
        filter_=filter,
        order_by=order_by,
        default_order=queries.NEWEST,
        first=first,
        after=after,
        last=last,
        before=before,
    )
    return await queries.find_entries(info.context.scope, db_name, asked)


async def _databases(info: strawberry.Info) -> Sequence[databases.DatabaseRecord]:
    return await databases.list_databases(info.context.scope)


@strawberry.type
class MemoryQuery:
    recall: RecallAnswer | None = root(
        _recall,
        RecallAnswer | None,
        Tool(name="recall_search", flatten="filter", omit=["queryVector"]),
        "Search an active memory database for the entries whose meaning is nearest to a text. Read-only. Only "
        "`dbName` and `query` are needed.",
        metadata={"cost": 20},
    )
    memory_entries: Connection[MemoryEntry] | None = root(
        _entries,
        Connection[MemoryEntry] | None,
        Tool(name="list_memory_entries", flatten="filter"),
        "Entries of one memory database, filtered and sorted; the newest first. `recall` finds by meaning.",
    )
    memory_databases: list[MemoryDatabase] | None = root(
        _databases,
        list[MemoryDatabase] | None,
        Tool(name="list_memory_databases"),
        "The memory databases that can be asked, with their descriptions and how far they are indexed.",
    )
