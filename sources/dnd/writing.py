"""The records of the shelf brought into its tables: rows, facets and full text in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import SQLModel

from sources.dnd import tables, tables_equipment, tables_rules
from sources.dnd.content import Content
from sources.dnd.mapping import DOCUMENT, table_of
from sources.dnd.maps import CREATURE_TEXT, SPELL_TEXT
from sources.dnd.maps_equipment import EQUIPMENT_TEXT, RULE_TEXT
from sources.dnd.maps_options import OPTION_TEXT
from sources.dnd.records import Creature, Document, Spell
from sources.dnd.rows import document_values, table_rows
from sources.dnd.rows_equipment import equipment_rows, rule_rows
from sources.dnd.rows_options import option_rows
from sources.dnd.tables_options import (
    OPTION_TABLES,
    ClassFeatureRow,
    ClassLevelRow,
    SpeciesTraitRow,
)
from sources.dnd.texts import content_texts
from sources.mirroring import KindChanges
from sources.row_difference import Difference, apply_differences, difference
from sources.source import Report
from sources.text_index_tables import clear_texts, remove_texts, write_texts

TABLES: tuple[type[SQLModel], ...] = (
    tables.DocumentRow,
    tables.SpellRow,
    tables.SpellClassRow,
    tables.SpellSaveRow,
    tables.SpellDamageTypeRow,
    tables.CreatureRow,
    tables.CreatureAlignmentRow,
    tables.CreatureEnvironmentRow,
    tables.CreatureDamageRow,
    tables.CreatureConditionRow,
    tables_equipment.EquipmentRow,
    tables_equipment.EquipmentCategoryRow,
    tables_equipment.EquipmentPropertyRow,
    tables_rules.RuleRow,
    *OPTION_TABLES,
)
"""All tables of records, parents before their children."""

_KINDS: Mapping[str, str | None] = {
    "dnd_document": "document",
    "dnd_spell": "spell",
    "dnd_creature": "creature",
    # Of several kinds: the column `kind` says which.
    "dnd_equipment": None,
    "dnd_rule": None,
    "dnd_character_option": None,
    table_of(ClassFeatureRow).name: "class-feature",
    table_of(ClassLevelRow).name: "class-level",
    table_of(SpeciesTraitRow).name: "trait",
}
"""The kind of record in each table that holds some; the others hold what hangs on them."""

_INDEXES: Mapping[str, str] = {
    SPELL_TEXT: "dnd_spell",
    CREATURE_TEXT: "dnd_creature",
    EQUIPMENT_TEXT: "dnd_equipment",
    RULE_TEXT: "dnd_rule",
    OPTION_TEXT: "dnd_character_option",
}
"""The table whose records each text index is of."""

_TOLD_OF_OPTIONS = frozenset(table_of(model).name for model in (ClassFeatureRow, SpeciesTraitRow))
"""Tables whose texts stand in the index of the options that they belong to."""


def content_rows(content: Content) -> dict[sa.Table, list[Mapping[str, Any]]]:
    """Every row of every table, parents before their children.

    A subclass's spell that is not held has no row in the table of those: the subclass itself still names it.
    """
    rows: dict[str, list[Mapping[str, Any]]] = {}
    records: tuple[Document | Spell | Creature, ...] = (
        *content.documents,
        *content.spells,
        *content.creatures,
    )
    for record in records:
        for name, values in table_rows(record).items():
            rows.setdefault(name, []).extend(values)
    rows |= option_rows(content.options)
    for more in (equipment_rows(content.equipment), rule_rows(content.rules)):
        rows |= {name: list(values) for name, values in more.items()}
    spells = {spell.key for spell in content.spells}
    rows["dnd_subclass_spell"] = [row for row in rows["dnd_subclass_spell"] if row["spell_key"] in spells]
    options = {option.key for option in content.options.options}
    traits = {trait.key for trait in content.options.traits}
    rows["dnd_species_trait"] = [
        row
        for row in rows["dnd_species_trait"]
        if row["species_key"] in options and row["trait_key"] in traits
    ]
    return {table: _unique(table, rows.get(table.name, [])) for table in map(table_of, TABLES)}


def _unique(table: sa.Table, rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The rows, of equal keys the first: a record may name one category twice."""
    keys = [column.name for column in table.primary_key.columns]
    found: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for row in rows:
        found.setdefault(tuple(row[key] for key in keys), row)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a write: `kinds` of record and their changes, and whether `anything` was written at all."""

    kinds: Mapping[str, KindChanges]
    anything: bool


def write_content(
    connection: sa.Connection, content: Content, report: Report, *, every_text: bool = False
) -> Written:
    """Brings all tables and text indexes to `content`.

    Only what differs is written; when nothing does but the time of a mirror, nothing is. `every_text` writes the
    full text of all records anew, for a program that may make other words of the same texts.
    """
    differences = [
        difference(connection, table, rows, ignoring=("mirrored_at",) if table is DOCUMENT else ())
        for table, rows in content_rows(content).items()
    ]
    kinds, anything = _by_kind(differences), any(differences) or every_text
    if anything:
        # With other changes, the time of the mirror is one, too.
        differences[0] = difference(connection, DOCUMENT, map(document_values, content.documents))
        apply_differences(connection, differences, report)
        _write_texts(connection, content, {one.table.name: one for one in differences}, every_text, report)
    return Written(kinds, anything)


def _by_kind(differences: Iterable[Difference]) -> dict[str, KindChanges]:
    found: dict[str, KindChanges] = {}

    def count(name: str, what: str, rows: Iterable[Mapping[str, Any]]) -> None:
        for row in rows:
            kind = found.setdefault(_KINDS[name] or row["kind"], KindChanges())
            setattr(kind, what, getattr(kind, what) + 1)

    for one in differences:
        if one.table.name in _KINDS:
            for what in ("added", "changed", "removed", "unchanged"):
                count(one.table.name, what, getattr(one, what).values())
    return found


def _write_texts(
    connection: sa.Connection,
    content: Content,
    differences: Mapping[str, Difference],
    every_text: bool,
    report: Report,
) -> None:
    for index, texts in content_texts(content).items():
        one = differences[_INDEXES[index]]
        whole = every_text or (index == OPTION_TEXT and any(differences[name] for name in _TOLD_OF_OPTIONS))
        if whole:
            clear_texts(connection, index)
            write_texts(connection, index, texts)
            continue
        remove_texts(connection, index, _keys(one.removed))
        written = {*_keys(one.added), *_keys(one.changed)}
        write_texts(connection, index, (text for text in texts if text[0] in written))
    total = len(_INDEXES)
    report("full text", total, total)


def _keys(rows: Mapping[tuple[Any, ...], object]) -> Sequence[str]:
    return [key for (key,) in rows]
