"""The D&D source: how it is seeded and opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import sqlalchemy as sa
from sqlmodel import SQLModel

from sources.database import Database
from sources.dnd import tables, tables_equipment, tables_rules
from sources.dnd.dnd5e_client import HEADERS, Dnd5e, host_limits
from sources.dnd.dnd5e_client import NAME as DND5E
from sources.dnd.embedded import EmbeddedData, read_embedded
from sources.dnd.maps import CREATURE_TEXT, SPELL_TEXT
from sources.dnd.maps_equipment import EQUIPMENT_TEXT, RULE_TEXT
from sources.dnd.maps_options import OPTION_TEXT
from sources.dnd.open5e_client import NAME, Open5e
from sources.dnd.records import Creature, Document, Spell
from sources.dnd.rows import table_rows
from sources.dnd.rows_equipment import equipment_rows, rule_rows
from sources.dnd.rows_options import option_rows, option_texts
from sources.dnd.settings import DndSettings
from sources.dnd.store import DndShelf
from sources.dnd.tables_options import OPTION_TABLES
from sources.dnd.texts import creature_texts, equipment_texts, rule_texts, spell_texts
from sources.seeding import replace_rows, seed_once
from sources.source import Report, Resources, Source
from sources.text_index_tables import clear_texts, write_texts

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
        """Opens the shelf on migrated tables. The live API is asked nothing until a question needs it."""
        open5e = None
        if settings.open5e_live:
            open5e = Open5e(resources.http.trusted(NAME, settings.open5e_url))
        dnd5e = None
        if settings.dnd5e_live:
            http = resources.http.trusted(
                DND5E, settings.dnd5e_url, headers=HEADERS, limits=host_limits(settings.dnd5e_rate)
            )
            dnd5e = Dnd5e(http, settings.dnd5e_url)
        return DndShelf(
            resources.database, title=self.title, description=self.description, open5e=open5e, dnd5e=dnd5e
        )

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
