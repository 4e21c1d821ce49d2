"""Records of several parents, read at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
import sqlalchemy as sa

from sources.children import children
from sources.criteria import Op, Predicate
from sources.database import Database, Statement, make_engine
from sources.page import OrderKey
from sources.sql_store import SqlStore
from sources.table_map import ColumnSpec, TableMap

TABLE = sa.Table(
    "leaf",
    sa.MetaData(),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("branch", sa.Text),
    sa.Column("size", sa.Integer),
)
MAP = TableMap(
    kind="leaf",
    table=TABLE,
    key="key",
    columns={
        "key": ColumnSpec(TABLE.c.key, folded=TABLE.c.key),
        "branch": ColumnSpec(TABLE.c.branch, nullable=True, folded=TABLE.c.branch),
        "size": ColumnSpec(TABLE.c.size, nullable=True),
    },
)
ROWS = [("a", "oak", 2), ("b", "oak", 1), ("c", "elm", 3), ("d", None, 4), ("e", "oak", None)]


@pytest.fixture
async def leaves(database_target: str) -> AsyncIterator[SqlStore]:
    engine = make_engine(database_target)
    with engine.begin() as connection:
        TABLE.create(connection)
        connection.execute(
            sa.insert(TABLE), [dict(zip(("key", "branch", "size"), row, strict=True)) for row in ROWS]
        )
    engine.dispose()
    database = await Database.open(database_target)
    yield SqlStore(database, MAP)
    await database.close()


async def test_each_parent_gets_its_own_in_order(leaves: SqlStore) -> None:
    found = await children(leaves, "branch", ["oak", "elm", "ash"], ["key"], order=[OrderKey("size")])
    assert {branch: [record.key for record in records] for branch, records in found.items()} == {
        "oak": ["b", "a", "e"],
        "elm": ["c"],
    }
    assert found["elm"][0].branch == "elm"


async def test_criteria_hold_beside_the_parents(leaves: SqlStore) -> None:
    large = Predicate("size", Op.AT_LEAST, 2)
    found = await children(leaves, "branch", ["oak", "elm"], ["key"], large)
    assert {branch: [record.key for record in records] for branch, records in found.items()} == {
        "oak": ["a"],
        "elm": ["c"],
    }


async def test_one_statement_for_all_parents(leaves: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    fetch = leaves.database.fetch

    async def kept(_: Database, statement: Statement, params: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        asked.append(statement.sql)
        return await fetch(statement, params)

    monkeypatch.setattr(type(leaves.database), "fetch", kept)
    assert await children(leaves, "branch", [], ["key"]) == {}
    await children(leaves, "branch", ["oak", "elm", "oak"], ["key"])
    await children(leaves, "branch", [str(number) for number in range(500)], ["key"])
    assert len(asked) == 3
