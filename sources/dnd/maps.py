"""Where each attribute of a spell and a creature lies in the tables, and how other records are mapped alike."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa
from sqlmodel import SQLModel

from sources.dnd.rows import CREATURE_DECODERS, SPELL_DECODERS, Decoder
from sources.dnd.tables import (
    CreatureAlignmentRow,
    CreatureConditionRow,
    CreatureDamageRow,
    CreatureEnvironmentRow,
    CreatureRow,
    DocumentRow,
    SpellClassRow,
    SpellDamageTypeRow,
    SpellRow,
)
from sources.table_map import ColumnSpec, FacetSpec, JoinSpec, TableMap

SPELL_TEXT = "dnd_spell_text"
CREATURE_TEXT = "dnd_creature_text"

_BOOLEAN_DECODERS = frozenset({bool})


def table_of(row: type[SQLModel]) -> sa.Table:
    """The SQLAlchemy table behind a model."""
    table = row.__table__  # type: ignore[attr-defined]
    assert isinstance(table, sa.Table)
    return table


DOCUMENT = table_of(DocumentRow)


def own_columns(table: sa.Table, decoders: Mapping[str, Decoder]) -> dict[str, ColumnSpec]:
    """Every column of a record's table; the folded name serves the name."""
    specs: dict[str, ColumnSpec] = {}
    for column in table.columns:
        if column.name == "name_folded":
            continue
        folded = column
        if column.name == "name" and "name_folded" in table.c:
            folded = table.c.name_folded
        decode = decoders.get(column.name)
        specs[column.name] = ColumnSpec(
            expression=column,
            nullable=bool(column.nullable),
            folded=folded if isinstance(column.type, sa.String) else None,
            # SQLAlchemy's own type already reads truth values.
            decode=None if decode in _BOOLEAN_DECODERS else decode,
        )
    return specs


def record_columns(table: sa.Table, decoders: Mapping[str, Decoder]) -> dict[str, ColumnSpec]:
    """Every column of a record's table, and those of its document that a record's `source` needs."""
    specs = own_columns(table, decoders)
    for name in ("name", "url", "licence", "attribution"):
        specs[f"document_{name}"] = ColumnSpec(DOCUMENT.c[name], folded=DOCUMENT.c[name], join="document")
    return specs


def facet(row: type[SQLModel], owner: str, value: str, **fixed: str) -> FacetSpec:
    """A facet table; `fixed` are the columns that tell its facets apart."""
    table = table_of(row)
    where = tuple(table.c[name] == sa.literal_column(f"'{word}'") for name, word in fixed.items())
    return FacetSpec(table, table.c[owner], table.c[value], where)


def document_join(table: sa.Table) -> dict[str, JoinSpec]:
    """The join that the columns of a record's document lie in."""
    return {"document": JoinSpec(DOCUMENT, DOCUMENT.c.key == table.c.document_key)}


_SPELL = table_of(SpellRow)
_CREATURE = table_of(CreatureRow)

SPELLS = TableMap(
    kind="spell",
    table=_SPELL,
    key="key",
    columns=record_columns(_SPELL, SPELL_DECODERS),
    facets={
        "classes": facet(SpellClassRow, "spell_key", "class_key"),
        "damage_types": facet(SpellDamageTypeRow, "spell_key", "damage_type"),
    },
    texts={"text": SPELL_TEXT},
    joins=document_join(_SPELL),
)

CREATURES = TableMap(
    kind="creature",
    table=_CREATURE,
    key="key",
    columns=record_columns(_CREATURE, CREATURE_DECODERS),
    facets={
        "alignments": facet(CreatureAlignmentRow, "creature_key", "alignment"),
        "environments": facet(CreatureEnvironmentRow, "creature_key", "environment"),
        "condition_immunities": facet(CreatureConditionRow, "creature_key", "condition"),
        "damage_immunity_types": facet(CreatureDamageRow, "creature_key", "damage_type", relation="immunity"),
        "damage_resistance_types": facet(
            CreatureDamageRow, "creature_key", "damage_type", relation="resistance"
        ),
        "damage_vulnerability_types": facet(
            CreatureDamageRow, "creature_key", "damage_type", relation="vulnerability"
        ),
    },
    texts={"text": CREATURE_TEXT},
    joins=document_join(_CREATURE),
)
