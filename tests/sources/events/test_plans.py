"""Which index answers the common questions about events, read from the plans of both databases.

SQLite keeps no statistics here, so its plan is that of a table of any size. PostgreSQL is given rows enough.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from sources.criteria import All, Criteria, Op, Predicate
from sources.database import Database, Statement
from sources.events.maps import EVENTS
from sources.events.paths import residual_for
from sources.page import OrderKey, Slice
from sources.selection_sql import count_records, select_records
from sources.sphere import Box, Circle
from tests.support.events import EventsDoor

pytestmark = pytest.mark.timeout(120)

ROWS = 20_000
COLUMNS = ("key", "timestamp", "title", "magnitude")

PUBLISHED = Predicate("status", Op.IN, ("published",))
CYBER = Predicate("category", Op.IN, ("cyber",))
TWO_CATEGORIES = Predicate("category", Op.IN, ("cyber", "military"))
STRONG = Predicate("magnitude", Op.AT_LEAST, 7.0)
SURE = Predicate("confidence", Op.AT_LEAST, 0.8)
SINCE = Predicate("timestamp", Op.AT_LEAST, 1_650_000_000_000_000)
SOURCES = Predicate("source_types", Op.HAS_ANY, ("government", "blog"))
RARE_TAG = Predicate("tags", Op.HAS_ANY, ("rare",))
RARE_WORD = Predicate("text", Op.SEARCH, '"rare word"')
SOMEBODY = Predicate("entities", Op.HAS_ANY, ("somebody",))
HERE = Predicate("place", Op.NEAR, Circle(10.0, 10.0, 5.0))
BOX = Predicate("place", Op.WITHIN, Box(10.0, 10.0, 10.1, 10.1))


def by(attribute: str, *, ascending: bool = False) -> tuple[OrderKey, ...]:
    key, newest = OrderKey("key", not ascending), OrderKey("timestamp", not ascending)
    if attribute == "timestamp":
        return (newest, key)
    return (OrderKey(attribute, not ascending), OrderKey("timestamp", True), OrderKey("key", True))


@dataclass(frozen=True)
class Shape:
    """A common question: its conditions beside the status, its order, and the index that serves it."""

    parts: tuple[Predicate, ...]
    order: tuple[OrderKey, ...]
    index: str
    after: bool = False


IN_ORDER = [
    Shape((), by("timestamp"), "newest"),
    Shape((), by("timestamp", ascending=True), "newest"),
    Shape((), by("timestamp"), "newest", after=True),
    Shape((SINCE,), by("timestamp"), "newest"),
    Shape((SINCE, STRONG), by("timestamp"), "newest"),
    Shape((STRONG, SURE, SOURCES), by("timestamp"), "newest"),
    Shape((TWO_CATEGORIES,), by("timestamp"), "newest"),
    Shape((CYBER,), by("timestamp"), "category_newest"),
    Shape((CYBER, STRONG, SURE), by("timestamp"), "category_newest"),
    Shape((CYBER, STRONG), by("timestamp"), "category_newest", after=True),
    Shape((), by("magnitude"), "strongest"),
    Shape((), by("magnitude"), "strongest", after=True),
    Shape((STRONG, SINCE), by("magnitude"), "strongest"),
    Shape((TWO_CATEGORIES, SINCE, SURE), by("magnitude"), "strongest"),
    Shape((CYBER,), by("magnitude"), "category_strongest"),
    Shape((CYBER, STRONG, SINCE), by("magnitude"), "category_strongest"),
    Shape((), by("confidence"), "surest"),
    Shape((CYBER, SURE), by("confidence"), "surest"),
    Shape((), by("created_at"), "created"),
    Shape((), by("updated_at"), "updated"),
]
FEW = [
    Shape((RARE_TAG,), by("timestamp"), "ix_events_tag_folded"),
    Shape((RARE_TAG, CYBER, STRONG), by("magnitude"), "ix_events_tag_folded"),
    Shape((SOMEBODY,), by("timestamp"), "ix_events_entity_name_name"),
    Shape((RARE_WORD,), by("timestamp"), "events_event_fts"),
    Shape((RARE_WORD, CYBER, SINCE), by("timestamp"), "events_event_fts"),
    Shape((HERE,), by("timestamp"), "ix_events_event_place"),
    Shape((BOX, CYBER), by("timestamp"), "ix_events_event_place"),
]

_FILL = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) ",
    "postgresql": "WITH n(i) AS (SELECT * FROM generate_series(1::bigint, {rows})) ",
}
_INSERT = (
    "INSERT INTO events_event (number, key, timestamp, title, summary, magnitude, category, status, confidence,"
    " confidence_source_count, latitude, longitude, source_types, entity_types, created_at, updated_at, sample,"
    " content_hash) {with_} SELECT i, 'key-' || i, 1600000000000000 + (i * 7919 % 100000) * 1000000000, 'title', '',"
    " (i * 31 % 100) / 10.0, CASE i % 10 WHEN 0 THEN 'cyber' WHEN 1 THEN 'military' ELSE 'other' END,"
    " CASE i % 20 WHEN 0 THEN 'pending' ELSE 'published' END, (i * 17 % 100) / 100.0, 1,"
    " (i * 37 % 18000) / 100.0 - 90, (i * 53 % 36000) / 100.0 - 180, 1 + i % 511, 1 + i % 2047,"
    " 1600000000000000 + i, 1600000000000000 + i * 3, {false}, '' FROM n"
)


@pytest.fixture
async def filled(events_door: EventsDoor) -> Database:
    database = events_door.database
    served = database.dialect == "postgresql"
    fill = _FILL[database.dialect].format(rows=ROWS if served else 100)
    statements = [_INSERT.format(with_=fill, false="false" if served else "0")]
    if served:
        statements += [
            f"{fill} INSERT INTO events_tag SELECT i, 0, 'tag ' || i % 50, 'tag ' || i % 50 FROM n",
            f"{fill} INSERT INTO events_entity_name SELECT i, 'name ' || i % 500 FROM n",
            f"{fill} INSERT INTO events_event_fts SELECT i, ' word ', ' word ',"
            " CAST('word w' || i % 100 AS tsvector) FROM n",
            *(f"ANALYZE events_{table}" for table in ("event", "tag", "entity_name", "event_fts")),
        ]
    with database.writing() as session:
        for statement in statements:
            # To psycopg a percent sign begins a parameter.
            session.connection().exec_driver_sql(statement.replace("%", "%%") if served else statement)
    return database


async def plan_of(database: Database, sql: Statement, params: tuple[object, ...]) -> list[str]:
    """The lines of the database's plan."""
    explain = "EXPLAIN QUERY PLAN " if database.dialect == "sqlite" else "EXPLAIN "
    rows = await database.fetch(Statement(explain + sql.sql, sql.names), params)
    return [str(row[-1]) for row in rows]


async def listed(database: Database, shape: Shape) -> list[str]:
    criteria: Criteria = All((PUBLISHED, *shape.parts))
    after = None
    if shape.after:
        values = {"timestamp": 1_650_000_000_000_000, "magnitude": 5.0, "confidence": 0.5, "key": "key-7"}
        after = (*(values[part.attribute] for part in shape.order), "key-7")
    residual = await residual_for(database, criteria, shape.order)
    asked = select_records(
        EVENTS, database.dialect, COLUMNS, criteria, shape.order, Slice(20, after=after), residual
    )
    return await plan_of(database, asked.statement, asked.params)


def _named(shape: Shape) -> str:
    parts = "+".join(part.attribute for part in shape.parts) or "all"
    return f"{parts}-by-{shape.order[0].attribute}{'-after' if shape.after else ''}"


async def test_lists_are_walked_in_the_order_of_an_index(filled: Database) -> None:
    for shape in IN_ORDER:
        plan = await listed(filled, shape)
        index = f"ix_events_event_{shape.index}"
        if filled.dialect == "sqlite":
            assert len([line for line in plan if "events_event" in line]) == 1, (_named(shape), plan)
            (line,) = [line for line in plan if "events_event" in line]
            assert line.startswith("SEARCH"), (_named(shape), plan)
            assert f"{index} (" in line, (_named(shape), plan)
            assert not any("TEMP B-TREE" in line for line in plan), (_named(shape), plan)
        else:
            assert any(f"using {index} on" in line for line in plan), (_named(shape), plan)
            assert not any(
                "Seq Scan" in line or "->  Sort" in line or line.startswith("Sort ") for line in plan
            ), (
                _named(shape),
                plan,
            )


async def test_what_leaves_few_is_asked_of_its_own_index(filled: Database) -> None:
    for shape in FEW:
        plan = await listed(filled, shape)
        if filled.dialect == "sqlite":
            assert not any(
                line.startswith("SCAN events_event ") or line == "SCAN events_event" for line in plan
            ), (
                _named(shape),
                plan,
            )
            served = [line for line in plan if shape.index in line or "VIRTUAL TABLE" in line]
            assert served, (_named(shape), plan)
        else:
            index = "events_event_fts_by_word" if "fts" in shape.index else shape.index
            # Of several that leave few it may begin with another.
            assert len(shape.parts) > 1 or any(index in line for line in plan), (_named(shape), plan)
            assert not any("Seq Scan on events_event " in line for line in plan), (_named(shape), plan)


@pytest.mark.parametrize(
    ("parts", "index"),
    [((), ""), ((CYBER,), "category_"), ((CYBER, STRONG), "category_strongest"), ((STRONG,), "strongest")],
)
async def test_counts_read_an_index_alone(filled: Database, parts: tuple[Predicate, ...], index: str) -> None:
    criteria = All((PUBLISHED, *parts))
    residual = await residual_for(filled, criteria, whole=True)
    plan = await plan_of(filled, *count_records(EVENTS, filled.dialect, criteria, residual))
    if filled.dialect == "sqlite":
        (line,) = plan
        assert "COVERING INDEX" in line
        assert f"ix_events_event_{index}" in line
    else:
        # Whether an index alone tells which rows are visible depends on when the table was last cleaned.
        assert any("Aggregate" in line for line in plan), plan


async def test_an_event_is_read_by_its_key(filled: Database) -> None:
    selection = select_records(
        EVENTS, filled.dialect, COLUMNS, All((Predicate("key", Op.IN, ("key-7",)), PUBLISHED))
    )
    plan = await plan_of(filled, selection.statement, selection.params)
    assert any("ix_events_event_key" in line for line in plan), plan


async def test_a_frequent_word_is_looked_for_along_the_list(events_door: EventsDoor) -> None:
    """What leaves much is not fetched whole to be sorted."""
    if events_door.database.dialect == "postgresql":
        pytest.skip("PostgreSQL decides by its own statistics")
    with events_door.database.writing() as session:
        rows = [(number, " word ", " ") for number in range(5_000)]
        session.connection().exec_driver_sql(
            "INSERT INTO events_event_fts (rowid, name, body) VALUES (?, ?, ?)", rows
        )
    word = Predicate("text", Op.SEARCH, "word")
    frequent = await listed(events_door.database, Shape((word,), by("timestamp"), "newest"))
    assert any("ix_events_event_newest" in line for line in frequent), frequent
    assert not any("TEMP B-TREE" in line for line in frequent), frequent
    rare = Predicate("text", Op.SEARCH, "word -word zebra")
    few = await listed(events_door.database, Shape((rare,), by("timestamp"), "fts"))
    assert not any("ix_events_event_newest" in line for line in few), few
