"""Whatever a table holds, the difference brings it to what it shall hold, and says what that took."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sources.database import make_engine
from sources.row_difference import BATCH, apply_differences, difference

METADATA = sa.MetaData()
PARENTS = sa.Table(
    "difference_parent",
    METADATA,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("flag", sa.Boolean),
    sa.Column("weight", sa.Float),
)
CHILDREN = sa.Table(
    "difference_child",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("part", sa.Text, primary_key=True),
    sa.Column("parent", sa.Text, sa.ForeignKey(PARENTS.c.key, ondelete="CASCADE"), nullable=False),
)
TABLES = (PARENTS, CHILDREN)

keys = st.sampled_from("abcdef")
parents = st.dictionaries(
    keys,
    st.tuples(
        st.sampled_from(["x", "é", ""]), st.sampled_from([None, True, False]), st.sampled_from([None, 0.5])
    ),
)
Content = dict[sa.Table, list[dict[str, Any]]]


@st.composite
def contents(draw: st.DrawFn) -> Content:
    held = draw(parents)
    children = {}
    if held:
        children = draw(
            st.dictionaries(
                st.tuples(st.integers(1, 3), st.sampled_from("pq")), st.sampled_from(sorted(held))
            )
        )
    return {
        PARENTS: [
            {"key": key, "name": name, "flag": flag, "weight": weight}
            for key, (name, flag, weight) in held.items()
        ],
        CHILDREN: [
            {"number": number, "part": part, "parent": parent} for (number, part), parent in children.items()
        ],
    }


@pytest.fixture
def engine(database_target: str) -> Any:
    engine = make_engine(database_target)
    METADATA.create_all(engine)
    yield engine
    engine.dispose()


def bring(connection: sa.Connection, content: Content) -> tuple[list[Any], list[tuple[str, int, int]]]:
    reports: list[tuple[str, int, int]] = []
    found = [difference(connection, table, content[table]) for table in TABLES]
    apply_differences(connection, found, lambda *one: reports.append(one))
    return found, reports


def held(connection: sa.Connection) -> dict[sa.Table, list[Any]]:
    return {
        table: sorted((dict(row) for row in connection.execute(sa.select(table)).mappings()), key=repr)
        for table in TABLES
    }


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=contents(), second=contents())
def test_a_table_holds_what_it_shall(engine: sa.Engine, first: Content, second: Content) -> None:
    with engine.begin() as connection:
        for table in reversed(TABLES):
            connection.execute(sa.delete(table))
        bring(connection, first)
        assert held(connection) == {table: sorted(rows, key=repr) for table, rows in first.items()}
        found, reports = bring(connection, second)
        assert held(connection) == {table: sorted(rows, key=repr) for table, rows in second.items()}
        total = 0
        for table, one in zip(TABLES, found, strict=True):
            names = [column.name for column in table.primary_key.columns]
            old = {tuple(row[name] for name in names): row for row in first[table]}
            new = {tuple(row[name] for name in names): row for row in second[table]}
            assert set(one.added) == new.keys() - old.keys()
            assert set(one.removed) == old.keys() - new.keys()
            assert set(one.changed) == {key for key in old.keys() & new.keys() if old[key] != new[key]}
            assert set(one.unchanged) == {key for key in old.keys() & new.keys() if old[key] == new[key]}
            total += len(one.added) + len(one.removed) + len(one.changed)
        assert reports[0] == ("rows", 0, total)
        assert reports[-1] == ("rows", total, total)
        again, _ = bring(connection, second)
        assert not any(again)


def test_what_is_ignored_makes_no_difference_and_is_written_with_one(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        row = {"key": "a", "name": "x", "flag": None, "weight": 1.0}
        bring(connection, {PARENTS: [row], CHILDREN: []})
        later = row | {"weight": 2.0}
        assert not difference(connection, PARENTS, [later], ignoring=("weight",))
        changed = difference(connection, PARENTS, [later | {"name": "y"}], ignoring=("weight",))
        assert list(changed.touched) == [later | {"name": "y"}, row]
        apply_differences(connection, [changed], lambda *_: None)
        assert held(connection)[PARENTS] == [later | {"name": "y"}]


def test_two_rows_of_one_key_are_a_fault(engine: sa.Engine) -> None:
    row = {"key": "a", "name": "x"}
    with engine.begin() as connection, pytest.raises(ValueError, match="two rows of the key"):
        difference(connection, PARENTS, [row, row])


def test_many_rows_are_written_in_batches(engine: sa.Engine) -> None:
    rows = [{"key": f"{number:04}", "name": "x"} for number in range(2 * BATCH + 1)]
    with engine.begin() as connection:
        _, reports = bring(connection, {PARENTS: rows, CHILDREN: []})
    assert [done for _, done, _ in reports] == [0, BATCH, 2 * BATCH, 2 * BATCH + 1]
