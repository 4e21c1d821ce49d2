"""Memory: databases of entries that are found by meaning."""

from resolvers.memory.databases import databases_in_words
from resolvers.memory.queries import entries_by_key
from schema.memory.prompts import MEMORY_PROMPTS
from schema.memory.queries import MemoryQuery
from schema.room import Room, text_beside
from sources.memory import SOURCE

ROOM = Room(
    source=SOURCE,
    query=MemoryQuery,
    nodes={"MemoryEntry": entries_by_key},
    kinds={"memory_entry": "MemoryEntry"},
    guide=text_beside(__file__, "guide.md"),
    prompts=MEMORY_PROMPTS,
    tool_notes={"recall": databases_in_words},
)
