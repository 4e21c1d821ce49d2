"""Where each attribute of a character option lies in the tables, and of what belongs to one."""

from __future__ import annotations

import sqlalchemy as sa

from sources.dnd.mapping import columns_of, facet_of, joins_of, own_columns, table_of
from sources.dnd.maps import SPELLS
from sources.dnd.rows_options import FEATURE_DECODERS, LEVEL_DECODERS, OPTION_DECODERS, TRAIT_DECODERS
from sources.dnd.tables import SpellClassRow
from sources.dnd.tables_options import (
    CharacterOptionRow,
    ClassFeatureRow,
    ClassLevelRow,
    OptionSavingThrowRow,
    SpeciesTraitLinkRow,
    SpeciesTraitRow,
    SubclassSpellRow,
)
from sources.table_map import ColumnSpec, TableMap

OPTION_TEXT = "dnd_character_option_text"

_OPTION = table_of(CharacterOptionRow)
_FEATURE = table_of(ClassFeatureRow)
_LEVEL = table_of(ClassLevelRow)
_TRAIT = table_of(SpeciesTraitRow)
_TRAIT_LINK = table_of(SpeciesTraitLinkRow)
_CLASS_SPELL = table_of(SpellClassRow)
_SUBCLASS_SPELL = table_of(SubclassSpellRow)

# Live records name another provider: what belongs to a record is asked of the same.
_PROVIDER = {"provider": ColumnSpec(sa.literal_column("'local'", sa.Text()))}

CHARACTER_OPTIONS = TableMap(
    kind="character_option",
    table=_OPTION,
    key="key",
    columns={**columns_of(_OPTION, OPTION_DECODERS), **_PROVIDER},
    facets={"saving_throws": facet_of(OptionSavingThrowRow, "option_key", "ability")},
    texts={"text": OPTION_TEXT},
    joins=joins_of(_OPTION),
)
"""All kinds of options; whoever reads them under an interface reads `kind` too."""

CLASS_FEATURES = TableMap(
    kind="class_feature",
    table=_FEATURE,
    key="key",
    columns={**own_columns(_FEATURE, FEATURE_DECODERS), **_PROVIDER},
)
CLASS_LEVELS = TableMap(
    kind="class_level", table=_LEVEL, key="key", columns={**own_columns(_LEVEL, LEVEL_DECODERS), **_PROVIDER}
)
TRAITS = TableMap(
    kind="species_trait",
    table=_TRAIT,
    key="key",
    columns={**own_columns(_TRAIT, TRAIT_DECODERS), **_PROVIDER},
)

# Of the following, a record stands in the map once for each of its owners: they are read by owner alone.

SPECIES_TRAITS = TableMap(
    kind="species_trait",
    table=_TRAIT_LINK.join(_TRAIT, _TRAIT.c.key == _TRAIT_LINK.c.trait_key),
    key="key",
    columns={
        **TRAITS.columns,
        "species_key": ColumnSpec(_TRAIT_LINK.c.species_key, folded=_TRAIT_LINK.c.species_key),
        "place": ColumnSpec(_TRAIT_LINK.c.place),
    },
)
CLASS_SPELLS = TableMap(
    kind="spell",
    table=_CLASS_SPELL.join(SPELLS.table, SPELLS.table.c.key == _CLASS_SPELL.c.spell_key),
    key="key",
    columns={
        **SPELLS.columns,
        "class_key": ColumnSpec(_CLASS_SPELL.c.class_key, folded=_CLASS_SPELL.c.class_key),
    },
    facets=SPELLS.facets,
    texts=SPELLS.texts,
    joins=SPELLS.joins,
)
SUBCLASS_SPELLS = TableMap(
    kind="spell",
    table=_SUBCLASS_SPELL.join(SPELLS.table, SPELLS.table.c.key == _SUBCLASS_SPELL.c.spell_key),
    key="key",
    columns={
        **SPELLS.columns,
        "subclass_key": ColumnSpec(_SUBCLASS_SPELL.c.subclass_key, folded=_SUBCLASS_SPELL.c.subclass_key),
    },
    facets=SPELLS.facets,
    texts=SPELLS.texts,
    joins=SPELLS.joins,
)
