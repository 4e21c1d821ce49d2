"""Equipment and rules as rows and back, through the real tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, create_engine, insert
from sqlmodel import SQLModel

from sources.dnd import writing
from sources.dnd.embedded import read_embedded
from sources.dnd.records_equipment import Equipment
from sources.dnd.records_rules import RuleEntry
from sources.dnd.rows import table_rows
from sources.dnd.rows_equipment import equipment_record, equipment_rows, rule_record, rule_rows

DATA = read_embedded()
TABLES = {name: table for name, table in SQLModel.metadata.tables.items() if name.startswith("dnd_")}


@pytest.fixture
def filled() -> Iterator[Connection]:
    engine = create_engine("sqlite://")
    SQLModel.metadata.create_all(engine, tables=list(TABLES.values()))
    rows = {**table_rows(DATA.document), **equipment_rows(DATA.equipment), **rule_rows(DATA.rules)}
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA foreign_keys = ON")
        for name, part in rows.items():
            connection.execute(insert(TABLES[name]), part)
        yield connection
    engine.dispose()


def test_every_record_comes_back_as_it_went(filled: Connection) -> None:
    equipment = filled.exec_driver_sql("SELECT * FROM dnd_equipment ORDER BY key").mappings()
    assert tuple(equipment_record(dict(row)) for row in equipment) == DATA.equipment
    rules = filled.exec_driver_sql("SELECT * FROM dnd_rule ORDER BY key").mappings()
    assert tuple(rule_record(dict(row)) for row in rules) == DATA.rules


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("SELECT count(*) FROM dnd_equipment_category WHERE category_key = 'weapon'", 67),
        ("SELECT count(*) FROM dnd_equipment_category WHERE category_key = 'mount'", 9),
        ("SELECT count(DISTINCT category_key) FROM dnd_equipment_category", 39),
        ("SELECT count(*) FROM dnd_equipment_property WHERE property_key = 'srd_finesse'", 6),
        ("SELECT count(*) FROM dnd_rule WHERE parent_key = 'srd_combat'", 8),
    ],
)
def test_tables_hold_what_filters_ask(filled: Connection, query: str, count: int) -> None:
    assert filled.exec_driver_sql(query).scalar_one() == count


@pytest.mark.parametrize(
    ("record", "table"), [(Equipment, "dnd_equipment"), (RuleEntry, "dnd_rule")], ids=["equipment", "rule"]
)
def test_a_row_holds_exactly_the_record(record: type[Equipment] | type[RuleEntry], table: str) -> None:
    columns = [column.name for column in TABLES[table].columns]
    assert [name for name in columns if name != "name_folded"] == list(record.__dataclass_fields__)


def test_all_tables_of_records_are_written() -> None:
    of_the_mirror = {"dnd_mirror", "dnd_mirror_page", "dnd_mirror_reject"}
    assert {model.__tablename__ for model in writing.TABLES} == set(TABLES) - of_the_mirror
