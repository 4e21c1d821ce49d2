"""Where each attribute of a spell and a creature lies in the tables."""

from __future__ import annotations

from sources.dnd.mapping import columns_of, facet_of, joins_of, table_of
from sources.dnd.rows import CREATURE_DECODERS, SPELL_DECODERS
from sources.dnd.tables import (
    CreatureAlignmentRow,
    CreatureConditionRow,
    CreatureDamageRow,
    CreatureEnvironmentRow,
    CreatureRow,
    SpellClassRow,
    SpellDamageTypeRow,
    SpellRow,
    SpellSaveRow,
)
from sources.table_map import TableMap

SPELL_TEXT = "dnd_spell_text"
CREATURE_TEXT = "dnd_creature_text"

_SPELL = table_of(SpellRow)
_CREATURE = table_of(CreatureRow)

SPELLS = TableMap(
    kind="spell",
    table=_SPELL,
    key="key",
    columns=columns_of(_SPELL, SPELL_DECODERS),
    facets={
        "classes": facet_of(SpellClassRow, "spell_key", "class_key"),
        "saving_throw_abilities": facet_of(SpellSaveRow, "spell_key", "ability"),
        "damage_types": facet_of(SpellDamageTypeRow, "spell_key", "damage_type"),
    },
    texts={"text": SPELL_TEXT},
    joins=joins_of(_SPELL),
)

CREATURES = TableMap(
    kind="creature",
    table=_CREATURE,
    key="key",
    columns=columns_of(_CREATURE, CREATURE_DECODERS),
    facets={
        "alignments": facet_of(CreatureAlignmentRow, "creature_key", "alignment"),
        "environments": facet_of(CreatureEnvironmentRow, "creature_key", "environment"),
        "condition_immunities": facet_of(CreatureConditionRow, "creature_key", "condition"),
        "damage_immunity_types": facet_of(
            CreatureDamageRow, "creature_key", "damage_type", relation="immunity"
        ),
        "damage_resistance_types": facet_of(
            CreatureDamageRow, "creature_key", "damage_type", relation="resistance"
        ),
        "damage_vulnerability_types": facet_of(
            CreatureDamageRow, "creature_key", "damage_type", relation="vulnerability"
        ),
    },
    texts={"text": CREATURE_TEXT},
    joins=joins_of(_CREATURE),
)
