"""The D&D source: how it is seeded and opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlmodel import SQLModel

from sources.database import Database
from sources.dnd import tables, tables_equipment, tables_rules
from sources.dnd.embedded import EmbeddedData, read_embedded
from sources.dnd.maps import CREATURE_TEXT, SPELL_TEXT
from sources.dnd.maps_equipment import EQUIPMENT_TEXT, RULE_TEXT
from sources.dnd.maps_options import OPTION_TEXT
from sources.dnd.records import Creature, Document, Spell
from sources.dnd.records_equipment import Equipment
from sources.dnd.records_rules import RuleEntry
from sources.dnd.rows import table_rows
from sources.dnd.rows_equipment import equipment_rows, rule_rows
from sources.dnd.rows_options import option_rows, option_texts
from sources.dnd.settings import DndSettings
from sources.dnd.store import DndShelf
from sources.dnd.tables_options import OPTION_TABLES
from sources.seeding import replace_rows, seed_once
from sources.source import Report, Resources, Source
from sources.text_index_tables import TextRow, clear_texts, write_texts

_TABLES: tuple[type[SQLModel], ...] = (
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


class DndSource(Source[DndSettings]):
    """The rules content of fifth edition. SRD 5.1 is embedded, so that it answers without a network."""

    name: ClassVar[str] = "dnd"
    title: ClassVar[str] = "Dungeons & Dragons, fifth edition"
    description: ClassVar[str] = (
        "Spells, creatures, equipment, character options and rules of the fifth edition, each with its document "
        "and licence."
    )
    settings_type = DndSettings

    async def open(self, resources: Resources, settings: DndSettings) -> DndShelf:
        """Opens the shelf on migrated tables; needs nothing else."""
        return DndShelf(resources.database, title=self.title, description=self.description)

    def seed(self, database: Database, settings: DndSettings, report: Report) -> bool:
        """Loads the embedded SRD 5.1 where it is absent or of another version."""
        data = read_embedded()
        return seed_once(
            database, self.name, data.version, lambda connection: write_embedded(connection, data, report)
        )


def write_embedded(connection: sa.Connection, data: EmbeddedData, report: Report) -> None:
    """Replaces all records by the embedded ones, full text included."""
    rows: dict[str, list[Mapping[str, Any]]] = {}
    records: tuple[Document | Spell | Creature, ...] = (data.document, *data.spells, *data.creatures)
    for record in records:
        for name, values in table_rows(record).items():
            rows.setdefault(name, []).extend(values)
    for more in (equipment_rows(data.equipment), rule_rows(data.rules)):
        for name, values in more.items():
            rows.setdefault(name, []).extend(values)
    rows |= option_rows(data.options)
    by_table: dict[sa.Table, Sequence[Mapping[str, Any]]] = {}
    for model in _TABLES:
        table: sa.Table = model.__table__  # type: ignore[attr-defined]
        by_table[table] = rows.get(table.name, [])
    replace_rows(connection, by_table, report)
    for index, texts in (
        (SPELL_TEXT, spell_texts(data.spells)),
        (CREATURE_TEXT, creature_texts(data.creatures)),
        (EQUIPMENT_TEXT, equipment_texts(data.equipment)),
        (RULE_TEXT, rule_texts(data.rules)),
        (OPTION_TEXT, option_texts(data.options)),
    ):
        clear_texts(connection, index)
        write_texts(connection, index, texts)


def spell_texts(spells: Sequence[Spell]) -> Iterator[TextRow]:
    """What full text finds a spell by: its name, and everything that its text says."""
    for spell in spells:
        body = (spell.description, spell.higher_level, spell.material_specified)
        yield spell.key, spell.name, "\n".join(part for part in body if part)


def creature_texts(creatures: Sequence[Creature]) -> Iterator[TextRow]:
    """What full text finds a creature by: its name, its kind, and the texts of its features."""
    for creature in creatures:
        features = (
            *creature.traits,
            *creature.actions,
            *creature.bonus_actions,
            *creature.reactions,
            *creature.legendary_actions,
        )
        body = [creature.type, creature.subtype, creature.alignment, creature.languages, creature.description]
        body += [text for feature in features for text in (feature.name, feature.description)]
        yield creature.key, creature.name, "\n".join(part for part in body if part)


def equipment_texts(equipment: Sequence[Equipment]) -> Iterator[TextRow]:
    """What full text finds equipment by: its name, its categories and properties, and its text."""
    for item in equipment:
        body = [item.type_text, item.description]
        body += [reference.name for reference in (*item.categories, *item.properties)]
        body += [packed.name for packed in item.contents]
        yield item.key, item.name, "\n".join(part for part in body if part)


def rule_texts(rules: Sequence[RuleEntry]) -> Iterator[TextRow]:
    """What full text finds a rule by: its name, its text, and the few words of a term without one."""
    for rule in rules:
        body = [rule.description, rule.abbreviation, rule.category, rule.script, rule.subject_name]
        body += [*rule.typical_speakers, *(reference.name for reference in rule.skills)]
        yield rule.key, rule.name, "\n".join(part for part in body if part)
