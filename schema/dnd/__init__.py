"""D&D fifth edition: spells, creatures, equipment and rules."""

from functools import partial

from strawberry.tools import merge_types

from resolvers.dnd.queries import creatures_by_key, spells_by_key
from resolvers.dnd.queries_equipment import equipment_by_key, rulebooks_by_key, rules_by_key
from schema.dnd import types_equipment, types_rules
from schema.dnd.queries import DndQuery
from schema.dnd.queries_equipment import EquipmentQuery
from schema.room import Room
from sources.dnd import SOURCE

_KINDS = {**types_equipment.KINDS, **types_rules.KINDS}

ROOM = Room(
    source=SOURCE,
    query=merge_types("DndQuery", (DndQuery, EquipmentQuery)),
    nodes={
        "Spell": spells_by_key,
        "Creature": creatures_by_key,
        **{name: partial(equipment_by_key, kinds) for name, kinds in types_equipment.KINDS.items()},
        **{name: partial(rules_by_key, kinds) for name, kinds in types_rules.KINDS.items()},
        "DndDocument": rulebooks_by_key,
    },
    kinds={
        "spell": "Spell",
        "creature": "Creature",
        "document": "DndDocument",
        **{kind: name for name, kinds in _KINDS.items() for kind in kinds},
    },
    types=(*types_equipment.TYPES, *types_rules.TYPES),
)
