"""Events."""

from resolvers.events.queries import events_by_key
from schema.events.prompts import EVENT_PROMPTS
from schema.events.queries import EventsQuery
from schema.room import Room, text_beside
from sources.events import SOURCE

ROOM = Room(
    source=SOURCE,
    query=EventsQuery,
    nodes={"Event": events_by_key},
    kinds={"event": "Event"},
    guide=text_beside(__file__, "guide.md"),
    prompts=EVENT_PROMPTS,
)
