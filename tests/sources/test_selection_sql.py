"""The SQL of a question finds, sorts and cuts exactly as Python does, on both databases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

import orjson
import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.dialects import postgresql

from sources.criteria import EVERYTHING, All, AnyOf, Criteria, Not, Op, Predicate, matches
from sources.database import Database, make_engine
from sources.page import OrderKey, Position, Slice, position_of, sorted_records
from sources.selection_sql import (
    ColumnSpec,
    FacetSpec,
    JoinSpec,
    TableMap,
    count_records,
    select_records,
)
from sources.sql_store import SqlStore
from sources.text_index import fold
from sources.text_index_tables import clear_texts, create_text_index, write_texts

METADATA = sa.MetaData()
TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")

BOOK = sa.Table("book", METADATA, sa.Column("key", TEXT, primary_key=True), sa.Column("title", TEXT))
LORE = sa.Table(
    "lore",
    METADATA,
    sa.Column("key", TEXT, primary_key=True),
    sa.Column("name", TEXT, nullable=False),
    sa.Column("name_folded", TEXT, nullable=False),
    # No "C" here: the order must not hang on how a column was declared.
    sa.Column("note", sa.Text),
    sa.Column("note_folded", sa.Text),
    sa.Column("level", sa.Integer, nullable=False),
    sa.Column("weight", sa.Float),
    sa.Column("magic", sa.Boolean),
    sa.Column("seen", sa.DateTime),
    sa.Column("sizes", sa.JSON, nullable=False),
    sa.Column("dice", TEXT),
    sa.Column("book_key", TEXT),
)
LABEL = sa.Table(
    "label",
    METADATA,
    sa.Column("lore_key", TEXT, primary_key=True),
    sa.Column("kind", TEXT, primary_key=True),
    sa.Column("value", TEXT, primary_key=True),
)
MAP = TableMap(
    kind="lore",
    table=LORE,
    key="key",
    columns={
        "key": ColumnSpec(LORE.c.key),
        "name": ColumnSpec(LORE.c.name, folded=LORE.c.name_folded),
        "note": ColumnSpec(LORE.c.note, nullable=True, folded=LORE.c.note_folded),
        "level": ColumnSpec(LORE.c.level),
        "weight": ColumnSpec(LORE.c.weight, nullable=True),
        "magic": ColumnSpec(LORE.c.magic, nullable=True),
        "seen": ColumnSpec(LORE.c.seen, nullable=True),
        "sizes": ColumnSpec(LORE.c.sizes, decode=tuple),
        "dice": ColumnSpec(LORE.c.dice, nullable=True, decode=lambda text: tuple(orjson.loads(text))),
        "book_title": ColumnSpec(BOOK.c.title, nullable=True, folded=BOOK.c.title, join="book"),
    },
    facets={
        "tags": FacetSpec(
            LABEL, LABEL.c.lore_key, LABEL.c.value, (LABEL.c.kind == sa.literal_column("'tag'"),)
        )
    },
    texts={"text": "lore_text"},
    joins={"book": JoinSpec(BOOK, BOOK.c.key == LORE.c.book_key)},
)
BOOKS = {"a": "almanac", "b": "bestiary", "c": None}


@dataclass(frozen=True)
class Lore:
    key: str
    name: str
    note: str | None = None
    level: int = 0
    weight: float | None = None
    magic: bool | None = None
    seen: datetime | None = None
    sizes: tuple[int, ...] = ()
    dice: tuple[str, ...] | None = None
    book_key: str | None = None
    tags: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return f"{self.name} {self.note or ''}"

    @property
    def book_title(self) -> str | None:
        return BOOKS.get(self.book_key or "")


def _row(lore: Lore) -> dict[str, Any]:
    values = asdict(lore) | {"name_folded": fold(lore.name)}
    del values["tags"]
    values["note_folded"] = None if lore.note is None else fold(lore.note)
    values["sizes"] = list(lore.sizes)
    values["dice"] = None if lore.dice is None else orjson.dumps(lore.dice).decode()
    return values


def _store(database: Database, rows: list[Lore]) -> None:
    """Replaces everything that is stored by `rows`."""
    with database.writing() as session:
        connection = session.connection()
        connection.execute(sa.delete(LABEL))
        connection.execute(sa.delete(LORE))
        clear_texts(connection, "lore_text")
        if rows:
            connection.execute(sa.insert(LORE), [_row(lore) for lore in rows])
        labels = [
            {"lore_key": lore.key, "kind": kind, "value": value + ("" if kind == "tag" else "other")}
            for lore in rows
            for value in lore.tags
            for kind in ("tag", "other")
        ]
        if labels:
            connection.execute(sa.insert(LABEL), labels)
        write_texts(connection, "lore_text", [(lore.key, lore.name, lore.note or "") for lore in rows])


@pytest.fixture
async def lore(database_target: str) -> AsyncIterator[SqlStore]:
    engine = make_engine(database_target)
    with engine.begin() as connection:
        METADATA.create_all(connection)
        connection.execute(sa.insert(BOOK), [{"key": key, "title": title} for key, title in BOOKS.items()])
        with Operations.context(MigrationContext.configure(connection)):
            create_text_index("lore_text")
    engine.dispose()
    database = await Database.open(database_target)
    yield SqlStore(database, MAP)
    await database.close()


# Random questions over random rows

NAMES = ["Fire", "fire", "Fïré", "FIRE ball", "Althea’s", "altheas", "althea's", "Å", "z", "東京", "京"]
WORDS = st.sampled_from([*NAMES, "ice_%", "a\\b", " ", ""])
WEIGHTS = st.sampled_from([-1.5, 0.0, 0.125, 0.5, 3.0, 1e9])
TIMES = st.sampled_from(
    [datetime(1999, 12, 31, 23, 59, 59, 999999), datetime(2000, 1, 1), datetime(2026, 6, 1, 12)]
)
TAGS = st.sampled_from(["red", "blue", "Zed", "blueother"])
LEVELS = st.integers(-1, 3)
BOOK_KEYS = st.sampled_from(["a", "b", "c", "gone"])


def _maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


ROWS = st.lists(
    st.builds(
        Lore,
        key=st.sampled_from([f"{letter}{number}" for letter in "aZé" for number in range(5)]),
        name=WORDS,
        note=_maybe(WORDS),
        level=LEVELS,
        weight=_maybe(WEIGHTS),
        magic=_maybe(st.booleans()),
        seen=_maybe(TIMES),
        sizes=st.tuples(LEVELS),
        dice=_maybe(st.just(("1d4",))),
        book_key=_maybe(BOOK_KEYS),
        tags=st.lists(TAGS, unique=True, max_size=3).map(tuple),
    ),
    max_size=12,
    unique_by=lambda lore: lore.key,
)

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "key": st.sampled_from(["a0", "Z1", "é2", "none"]),
    "name": WORDS,
    "note": WORDS,
    "level": LEVELS,
    "weight": WEIGHTS,
    "magic": st.booleans(),
    "seen": TIMES,
    "book_title": st.sampled_from(["almanac", "bestiary", "b"]),
}
FOLDED = ("name", "note", "book_title")
SORTED = sorted(VALUES.keys() - {"key"})


def _on_value(attribute: str) -> st.SearchStrategy[Predicate]:
    values = VALUES[attribute]
    ranges = [] if attribute == "magic" else [Op.AT_LEAST, Op.AT_MOST]
    return st.one_of(
        st.builds(Predicate, st.just(attribute), st.sampled_from([Op.EQUALS, *ranges]), values),
        st.builds(Predicate, st.just(attribute), st.just(Op.IN), st.lists(values, max_size=3).map(tuple)),
    )


PREDICATES = st.one_of(
    st.sampled_from(sorted(VALUES)).flatmap(_on_value),
    st.builds(Predicate, st.sampled_from(FOLDED), st.sampled_from([Op.CONTAINS, Op.FOLDED_EQUALS]), WORDS),
    st.builds(Predicate, st.just("tags"), st.just(Op.HAS_ANY), st.lists(TAGS, max_size=2).map(tuple)),
    st.builds(Predicate, st.just("text"), st.just(Op.MATCHES), WORDS),
)


def _branches(parts: st.SearchStrategy[Criteria]) -> st.SearchStrategy[Criteria]:
    lists = st.lists(parts, max_size=3).map(tuple)
    return st.builds(All, lists) | st.builds(AnyOf, lists) | st.builds(Not, parts)


CRITERIA: st.SearchStrategy[Criteria] = st.recursive(PREDICATES, _branches, max_leaves=5)
ORDERS = st.lists(
    st.builds(OrderKey, st.sampled_from(SORTED), st.booleans()),
    max_size=3,
    unique_by=lambda part: part.attribute,
)
QUIET = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@QUIET
@given(rows=ROWS, questions=st.lists(CRITERIA, min_size=1, max_size=12))
async def test_sql_finds_what_python_finds(
    lore: SqlStore, rows: list[Lore], questions: list[Criteria]
) -> None:
    _store(lore.database, rows)
    for criteria in questions:
        expected = sorted(row.key for row in rows if matches(criteria, row))
        selection = select_records(MAP, lore.database.dialect, ["key"], criteria)
        page = selection.page(await lore.database.fetch(selection.statement, selection.params))
        assert ([record.key for record in page.records], criteria) == (expected, criteria)
        assert page.has_more is False
        assert await lore.count(criteria) == len(expected)


async def _chunks(
    lore: SqlStore,
    order: list[OrderKey],
    limit: int,
    backward: bool,
    read: Callable[[Position | None], Slice],
) -> list[list[str]]:
    chunks: list[list[str]] = []
    bound: Position | None = None
    while True:
        page = await lore.select(["key", "name"], EVERYTHING, order, read(bound))
        chunks.append([record.key for record in page.records])
        if not page.has_more:
            return chunks
        assert len(page.records) == limit
        bound = page.positions[0 if backward else -1]


@QUIET
@given(rows=ROWS, order=ORDERS, limit=st.integers(1, 4))
async def test_pages_make_up_the_whole_list(
    lore: SqlStore, rows: list[Lore], order: list[OrderKey], limit: int
) -> None:
    _store(lore.database, rows)
    in_order = sorted_records(rows, order, "key")
    expected = [row.key for row in in_order]

    whole = await lore.select(["key"], EVERYTHING, order, Slice(100))
    assert [record.key for record in whole.records] == expected
    assert whole.positions == [position_of(row, order, "key") for row in in_order]

    forward = await _chunks(lore, order, limit, False, lambda bound: Slice(limit, after=bound))
    assert [key for chunk in forward for key in chunk] == expected
    backward = await _chunks(
        lore, order, limit, True, lambda bound: Slice(limit, before=bound, backward=True)
    )
    assert [key for chunk in reversed(backward) for key in chunk] == expected


@QUIET
@given(
    rows=ROWS, order=ORDERS, bounds=st.tuples(st.integers(0, 12), st.integers(0, 12)), backward=st.booleans()
)
async def test_bounds_on_both_sides(
    lore: SqlStore, rows: list[Lore], order: list[OrderKey], bounds: tuple[int, int], backward: bool
) -> None:
    _store(lore.database, rows)
    in_order = sorted_records(rows, order, "key")
    first, last = bounds
    positions = [position_of(row, order, "key") for row in in_order]
    part = Slice(
        3,
        after=positions[first] if first < len(positions) else None,
        before=positions[last] if last < len(positions) else None,
        backward=backward,
    )
    between = in_order[first + 1 if part.after else 0 : last if part.before else None]
    page = await lore.select(["key"], EVERYTHING, order, part)
    expected = between[-3:] if backward else between[:3]
    assert [record.key for record in page.records] == [row.key for row in expected]
    assert page.has_more is (len(between) > 3)


# Single facts


FULL = Lore(
    key="full",
    name="Fïré",
    note="Note’s",
    level=3,
    weight=0.125,
    magic=False,
    seen=datetime(2026, 6, 1, 12, 0, 0, 5),
    sizes=(1, 2),
    dice=("1d4", "2d6"),
    book_key="a",
)
BARE = Lore(key="bare", name="")


async def test_records_hold_what_was_wanted_in_its_own_types(lore: SqlStore) -> None:
    _store(lore.database, [FULL, BARE])
    wanted = ["sizes", "magic", "seen", "note", "dice", "name", "book_title", "weight", "level"]
    page = await lore.select(wanted, EVERYTHING, [OrderKey("name", descending=True)], Slice(5))
    full, bare = page.records
    assert tuple(full) == tuple(getattr(FULL, attribute) for attribute in wanted)
    assert full.magic is False
    assert full.kind == "lore"
    assert tuple(bare) == ((), None, None, None, None, "", None, None, 0)
    assert page.positions == [("fire", "full"), ("", "bare")]
    with pytest.raises(AttributeError, match="read without its column 'key'"):
        _ = full.key


async def test_no_columns_at_all_still_give_a_record_each(lore: SqlStore) -> None:
    _store(lore.database, [FULL, BARE])
    page = await lore.select([], EVERYTHING, [], Slice(5))
    assert [tuple(record) for record in page.records] == [(), ()]
    assert page.positions == [("bare",), ("full",)]


async def test_values_that_no_database_can_hold_match_nothing(lore: SqlStore) -> None:
    _store(lore.database, [FULL, BARE])
    for predicate in (
        Predicate("key", Op.EQUALS, "full\0"),
        Predicate("key", Op.EQUALS, "full\ud800"),
        Predicate("key", Op.IN, ("full\0", "\udfff")),
        Predicate("level", Op.EQUALS, 10**30),
        Predicate("level", Op.AT_MOST, -(10**30)),
        Predicate("weight", Op.EQUALS, None),
    ):
        assert await lore.count(predicate) == 0
        assert await lore.count(Not(predicate)) == 2
    assert await lore.count(Predicate("level", Op.AT_MOST, 10**30)) == 2


async def test_by_keys_takes_any_number(lore: SqlStore) -> None:
    rows = [replace(BARE, key=f"k{number:04}") for number in range(2000)]
    _store(lore.database, rows)
    found = await lore.by_keys([row.key for row in rows[:1500]] + ["none"], ["name"])
    assert sorted(found) == [row.key for row in rows[:1500]]


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_a_shape_has_one_statement_whatever_its_values(dialect: Any) -> None:
    def ask(keys: tuple[str, ...], level: int, after: Position) -> Any:
        criteria = All((Predicate("key", Op.IN, keys), Predicate("level", Op.EQUALS, level)))
        part = Slice(level, after=after)
        return select_records(MAP, dialect, ["key"], criteria, [OrderKey("weight")], part)

    first, second = ask(("a", "b"), 1, (0.5, "a")), ask(("a", "b", "c"), 2, (0.75, "b"))
    assert first.statement is second.statement
    assert first.params != second.params
    assert ask((), 1, (0.5, "a")).statement is first.statement
    assert ask(("a", "b"), 1, (None, "a")).statement is not first.statement
    assert ask(("a",), 1, (0.5, "a")).statement is ask(("b",), 2, (0.75, "b")).statement


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_tables_are_joined_only_when_they_are_needed(dialect: Any) -> None:
    assert "book" not in select_records(MAP, dialect, ["key"], EVERYTHING).statement.sql.lower()
    asked = Predicate("book_title", Op.EQUALS, "almanac")
    assert "LEFT OUTER JOIN book" in select_records(MAP, dialect, ["book_title"], EVERYTHING).statement.sql
    assert "LEFT OUTER JOIN book" in count_records(MAP, dialect, asked)[0].sql
    order = [OrderKey("book_title")]
    assert "LEFT OUTER JOIN book" in select_records(MAP, dialect, ["key"], EVERYTHING, order).statement.sql


def test_texts_compare_by_code_point_whatever_the_server_prefers() -> None:
    """Seen in the text: a test server may have no other locale in which to see it in the order."""
    order, part = [OrderKey("note"), OrderKey("level")], Slice(5, after=("x", 1, "a"))
    asked = Predicate("note", Op.AT_LEAST, "x")
    sql = select_records(MAP, "postgresql", ["key"], asked, order, part).statement.sql
    assert 'ORDER BY lore.note_folded COLLATE "C" ASC, lore.level ASC, lore.key COLLATE "C" ASC' in sql
    assert '(lore.note COLLATE "C") >= $1' in sql
    assert '(lore.note_folded COLLATE "C") > $2' in sql
    assert '(lore.key COLLATE "C") > $4' in sql


async def test_lists_in_order_walk_an_index_without_sorting(sqlite_target: str) -> None:
    engine = make_engine(sqlite_target)
    with engine.begin() as connection:
        METADATA.create_all(connection)
        connection.execute(sa.text("CREATE INDEX by_level ON lore (level, name_folded, key)"))
    engine.dispose()
    database = await Database.open(sqlite_target)
    criteria = Predicate("level", Op.IN, (1,))
    for part in (Slice(20), Slice(20, after=("x", "a")), Slice(20, before=("x", "a"), backward=True)):
        selection = select_records(MAP, "sqlite", ["key"], criteria, [OrderKey("name")], part)
        explain = replace(selection.statement, sql="EXPLAIN QUERY PLAN " + selection.statement.sql)
        plan = [row[3] for row in await database.fetch(explain, selection.params)]
        assert len(plan) == 1
        assert plan[0].startswith("SEARCH lore USING COVERING INDEX by_level (level=?")
        if part != Slice(20):
            assert "(name_folded,key)" in plan[0]
    await database.close()


@pytest.mark.parametrize(
    ("criteria", "order", "said"),
    [
        (Predicate("colour", Op.EQUALS, "red"), [], "no column for 'colour'"),
        (Predicate("level", Op.CONTAINS, "1"), [], "level has no folded text"),
        (EVERYTHING, [OrderKey("dice")], "dice has no folded text"),
    ],
)
def test_what_a_map_does_not_hold_is_our_fault(criteria: Criteria, order: list[OrderKey], said: str) -> None:
    with pytest.raises(LookupError, match=said):
        select_records(MAP, "sqlite", ["key"], criteria, order)
