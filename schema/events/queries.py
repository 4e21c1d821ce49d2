"""The root fields about events."""

from dataclasses import replace
from typing import Annotated, Any

import strawberry
from strawberry import UNSET

from resolvers.events import queries
from resolvers.events.queries import EventPage
from resolvers.events.statistics import EventStatistics, event_statistics
from resolvers.question import Question
from schema.connection import After, given, wanted_of
from schema.directives import Constraint, Tool
from schema.events.filters import MAX_LIMIT, EventQuery, criteria_of, order_of, page_of
from schema.events.types import Event, EventConnection
from schema.events.types_statistics import EventStats
from schema.events.vocabularies import TimeBucket
from schema.fields import graphql_name, root
from schema.filtering import word_of
from schema.node import parse_global_id
from schema.selection import Selection
from sources.errors import BadInput
from sources.events.statistics import MOST_TOP
from sources.page import Record

Query = Annotated[
    EventQuery | None,
    strawberry.argument(description="Which events to return; all published ones when left out."),
]
First = Annotated[
    int | None,
    strawberry.argument(
        description="How many events to return, 1 to 200, in place of `query.limit`.",
        directives=[Constraint(min=1, max=MAX_LIMIT)],
    ),
]
EventId = Annotated[
    strawberry.ID,
    strawberry.argument(
        description="The event's `id` or `key`.", directives=[Constraint(min_length=1, max_length=1024)]
    ),
]
_TOP = 10


async def _events(
    info: strawberry.Info, query: Query = UNSET, first: First = UNSET, after: After = UNSET
) -> EventPage:
    asked_query = given(query)
    page, number = page_of(asked_query, given(first), given(after))
    selection = Selection.below(info)
    wanted = wanted_of(selection, "EventConnection", "Event")
    if "hasMore" in selection.fields("EventConnection"):
        wanted = replace(wanted, has_next=True)
    asked = Question(wanted, criteria_of(asked_query), order_of(asked_query), page)
    return await queries.find_events(info.context.scope, asked, number)


async def _event(info: strawberry.Info, id: EventId) -> Record:
    columns = Selection.below(info).columns("Event")
    return await queries.get_event(info.context.scope, _key(id), columns)


def _key(id_: str) -> str:
    """The key behind an `id`; anything that is no global ID of an event is taken for a key itself."""
    try:
        return parse_global_id(id_, {"Event": None}, "id")[1]
    except BadInput:
        return id_


async def _event_stats(
    info: strawberry.Info,
    query: Query = UNSET,
    bucket: Annotated[
        TimeBucket, strawberry.argument(description="The span of time of `buckets`.")
    ] = TimeBucket.MONTH,
    top: Annotated[
        int,
        strawberry.argument(
            description="How many tags and entities, 1 to 100.",
            directives=[Constraint(min=1, max=MOST_TOP)],
        ),
    ] = _TOP,
) -> EventStatistics:
    selected = Selection.below(info).fields("EventStats")
    wanted = {name for name in EventStatistics.__dataclass_fields__ if graphql_name(name) in selected}
    criteria = criteria_of(given(query))
    return await event_statistics(info.context.scope, criteria, wanted, bucket=word_of(bucket), top=top)


_PAGE: dict[str, Any] = {"page": ("first", "query.limit")}
_HEAVY: dict[str, Any] = {"cost": 50}


@strawberry.type
class EventsQuery:
    events: EventConnection | None = root(
        _events,
        EventConnection | None,
        Tool(name="get_events", flatten="query", omit=["first"], aliases=["search=search_query"]),
        "Events, filtered and sorted; the newest first unless `sortBy` says otherwise.",
        metadata=_PAGE,
    )
    event: Event | None = root(
        _event,
        Event | None,
        Tool(name="get_event"),
        "One event by its id, with all that is known of it.",
    )
    event_stats: EventStats | None = root(
        _event_stats,
        EventStats | None,
        Tool(
            name="get_event_stats",
            flatten="query",
            omit=["page", "limit", "sortBy", "sortOrder"],
        ),
        "Counts by category, status, type of source and entity, top tags and entities, means, and a time series over "
        "the same conditions as `events`; page and order do not matter.",
        metadata=_HEAVY,
    )
