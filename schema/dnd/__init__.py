"""D&D fifth edition: spells and creatures."""

from resolvers.dnd.queries import creatures_by_key, spells_by_key
from schema.dnd.prompts import DND_PROMPTS
from schema.dnd.queries import DndQuery
from schema.room import Room, text_beside
from sources.dnd import SOURCE

ROOM = Room(
    source=SOURCE,
    query=DndQuery,
    nodes={"Spell": spells_by_key, "Creature": creatures_by_key},
    kinds={"spell": "Spell", "creature": "Creature"},
    guide=text_beside(__file__, "guide.md"),
    prompts=DND_PROMPTS,
)
