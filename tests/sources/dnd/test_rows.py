"""Records as rows and back, through the real tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, create_engine, insert, make_url
from sqlalchemy.schema import CreateTable
from sqlmodel import SQLModel

from sources.dnd import tables, tables_equipment, tables_rules
from sources.dnd.embedded import SRD_2014, read_embedded
from sources.dnd.records import Creature, Document, Spell
from sources.dnd.rows import creature_record, creature_values, spell_record, spell_values, table_rows

DATA = read_embedded()
TABLES = {name: table for name, table in SQLModel.metadata.tables.items() if name.startswith("dnd_")}


@pytest.fixture
def filled() -> Iterator[Connection]:
    engine: Engine = create_engine("sqlite://")
    SQLModel.metadata.create_all(engine, tables=list(TABLES.values()))
    rows: dict[str, list[dict[str, Any]]] = {}
    records: list[Document | Spell | Creature] = [DATA.document, *DATA.spells, *DATA.creatures]
    for record in records:
        for name, part in table_rows(record).items():
            rows.setdefault(name, []).extend(part)
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA foreign_keys = ON")
        for name, part in rows.items():
            if part:
                connection.execute(insert(TABLES[name]), part)
        yield connection
    engine.dispose()


def test_every_record_comes_back_as_it_went(filled: Connection) -> None:
    spells = filled.exec_driver_sql("SELECT * FROM dnd_spell ORDER BY key").mappings()
    assert tuple(spell_record(dict(row)) for row in spells) == DATA.spells
    creatures = filled.exec_driver_sql("SELECT * FROM dnd_creature ORDER BY key").mappings()
    assert tuple(creature_record(dict(row)) for row in creatures) == DATA.creatures
    document = filled.exec_driver_sql("SELECT * FROM dnd_document").mappings().one()
    assert document["attribution"] == SRD_2014.attribution


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("SELECT count(*) FROM dnd_spell_class WHERE class_key = 'srd_wizard'", 204),
        ("SELECT count(*) FROM dnd_spell_class WHERE class_key = 'srd_cleric'", 105),
        ("SELECT count(*) FROM dnd_spell WHERE concentration", 126),
        ("SELECT count(*) FROM dnd_creature_condition WHERE condition = 'charmed'", 43),
        ("SELECT count(*) FROM dnd_creature_alignment WHERE alignment = 'unaligned'", 128),
        ("SELECT count(*) FROM dnd_creature_environment", 0),
        (
            "SELECT count(*) FROM dnd_creature_damage WHERE relation = 'immunity' AND damage_type = 'fire'",
            36,
        ),
        (
            "SELECT count(*) FROM dnd_creature_damage WHERE relation = 'resistance' AND damage_type = 'acid'",
            8,
        ),
        ("SELECT count(*) FROM dnd_spell_damage_type WHERE damage_type = 'thunder'", 4),
    ],
)
def test_facets_hold_what_filters_ask(filled: Connection, query: str, count: int) -> None:
    assert filled.exec_driver_sql(query).scalar_one() == count


def test_names_are_folded() -> None:
    spell = next(spell for spell in DATA.spells if spell.slug == "heroes-feast")
    assert (spell.name, spell_values(spell)["name_folded"]) == ("Heroes' Feast", "heroes' feast")
    assert creature_values(DATA.creatures[0])["name_folded"] == DATA.creatures[0].name.lower()


def test_lists_are_compact_json_texts() -> None:
    spell = next(spell for spell in DATA.spells if spell.slug == "fireball")
    values = spell_values(spell)
    assert values["damage_types"] == '["fire"]'
    assert values["damage_at_slot_level"].startswith('[{"level":3,"dice":"8d6"},')


@pytest.mark.parametrize(
    ("record", "table"), [(Spell, "dnd_spell"), (Creature, "dnd_creature")], ids=["spell", "creature"]
)
def test_a_row_holds_exactly_the_record(record: type[Spell] | type[Creature], table: str) -> None:
    columns = [column.name for column in TABLES[table].columns]
    assert [name for name in columns if name != "name_folded"] == list(record.__dataclass_fields__)


def test_every_text_column_sorts_by_code_points_on_postgresql() -> None:
    dialect = make_url("postgresql+psycopg://").get_dialect()()
    for table in TABLES.values():
        sql = str(CreateTable(table).compile(dialect=dialect))
        assert "VARCHAR" not in sql
        assert sql.count("TEXT") == sql.count('TEXT COLLATE "C"') > 0


def test_the_tables_are_the_ones_of_the_shelf() -> None:
    assert tables.SpellRow.__tablename__ == "dnd_spell"
    assert tables_equipment.EquipmentRow.__tablename__ == "dnd_equipment"
    assert tables_rules.RuleRow.__tablename__ == "dnd_rule"
    assert sorted(TABLES) == [
        "dnd_character_option",
        "dnd_class_feature",
        "dnd_class_level",
        "dnd_creature",
        "dnd_creature_alignment",
        "dnd_creature_condition",
        "dnd_creature_damage",
        "dnd_creature_environment",
        "dnd_document",
        "dnd_equipment",
        "dnd_equipment_category",
        "dnd_equipment_property",
        "dnd_mirror",
        "dnd_mirror_page",
        "dnd_mirror_reject",
        "dnd_option_saving_throw",
        "dnd_rule",
        "dnd_species_trait",
        "dnd_spell",
        "dnd_spell_class",
        "dnd_spell_damage_type",
        "dnd_spell_save",
        "dnd_subclass_spell",
        "dnd_trait",
    ]
