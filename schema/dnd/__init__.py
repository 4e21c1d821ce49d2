"""D&D fifth edition: spells, creatures, equipment, character options and rules."""

from functools import partial

from strawberry.tools import merge_types

from resolvers.dnd.options import class_features_by_key, options_by_key, traits_by_key
from resolvers.dnd.queries import creatures_by_key, spells_by_key
from resolvers.dnd.queries_equipment import equipment_by_key, rulebooks_by_key, rules_by_key
from schema.dnd import types_equipment, types_rules
from schema.dnd.prompts import DND_PROMPTS
from schema.dnd.queries import DndQuery
from schema.dnd.queries_equipment import EquipmentQuery
from schema.dnd.queries_options import CharacterOptionQuery
from schema.dnd.types_class import CharacterClass, Subclass
from schema.dnd.types_species import Background, Feat, Species
from schema.room import Room, text_beside
from sources.dnd import SOURCE

_KINDS = {**types_equipment.KINDS, **types_rules.KINDS}

ROOM = Room(
    source=SOURCE,
    query=merge_types("DndQuery", (DndQuery, EquipmentQuery, CharacterOptionQuery)),
    nodes={
        "Spell": spells_by_key,
        "Creature": creatures_by_key,
        **{name: partial(equipment_by_key, kinds) for name, kinds in types_equipment.KINDS.items()},
        **{name: partial(rules_by_key, kinds) for name, kinds in types_rules.KINDS.items()},
        "DndDocument": rulebooks_by_key,
        "CharacterClass": partial(options_by_key, "class"),
        "Subclass": partial(options_by_key, "subclass"),
        "Species": partial(options_by_key, "species"),
        "Background": partial(options_by_key, "background"),
        "Feat": partial(options_by_key, "feat"),
        "ClassFeature": class_features_by_key,
        "SpeciesTrait": traits_by_key,
    },
    types=(
        *types_equipment.TYPES,
        *types_rules.TYPES,
        CharacterClass,
        Subclass,
        Species,
        Background,
        Feat,
    ),
    kinds={
        "spell": "Spell",
        "creature": "Creature",
        "document": "DndDocument",
        **{kind: name for name, kinds in _KINDS.items() for kind in kinds},
        "class": "CharacterClass",
        "subclass": "Subclass",
        "species": "Species",
        "background": "Background",
        "feat": "Feat",
        "class_feature": "ClassFeature",
        "species_trait": "SpeciesTrait",
    },
    guide=text_beside(__file__, "guide.md"),
    prompts=DND_PROMPTS,
)
