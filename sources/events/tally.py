"""Running totals: what statistics over everything of a status would count, kept as events come and go.

Counting the tags of a million events takes seconds; reading a total that every import keeps takes a millisecond. A
change of totals is written in the transaction that changes the events, so that they never part. Means are kept as
sums of whole billionths: adding and taking away again leaves exactly what was there before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from sources.criteria import All, Criteria, Op, Predicate
from sources.events.maps import ENTITY, ENTITY_MASK, EVENT, SOURCE_MASK, TAG, TALLY
from sources.text_index import Dialect

BILLION = 1_000_000_000
DAY = 86_400_000_000

CATEGORIES, SOURCE_TYPES, ENTITY_TYPES, TAGS, ENTITIES, DAYS = (
    "category",
    "source_type",
    "entity_type",
    "tag",
    "entity",
    "day",
)
"""The kinds of totals."""

Key = tuple[str, str, str, str, str]
"""Status, kind, word, and for tags and entities the word as it was written and the type."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What of an event is counted."""

    number: int
    status: str
    category: str
    timestamp: int
    magnitude: float
    confidence: float
    source_types: int
    entity_types: int


class Tally:
    """A change of the totals."""

    def __init__(self) -> None:
        self._changes: dict[Key, list[int]] = {}

    def count(
        self,
        events: Iterable[Counted],
        tags: Iterable[tuple[int, str, str]],
        entities: Iterable[tuple[int, str, str, str]],
        sign: int,
    ) -> None:
        """Adds events, or takes them away with -1. Tags are (event, folded, tag), entities (event, id, name, type)."""
        status: dict[int, str] = {}
        for event in events:
            status[event.number] = event.status
            sums = (round(event.magnitude * BILLION) * sign, round(event.confidence * BILLION) * sign)
            self._add((event.status, CATEGORIES, event.category, "", ""), sign, *sums)
            day = str(event.timestamp // DAY * DAY)
            self._add((event.status, DAYS, day, "", ""), sign, *sums)
            for word in SOURCE_MASK.held(event.source_types):
                self._add((event.status, SOURCE_TYPES, word, "", ""), sign)
            for word in ENTITY_MASK.held(event.entity_types):
                self._add((event.status, ENTITY_TYPES, word, "", ""), sign)
        for number, folded, tag in tags:
            self._add((status[number], TAGS, folded, tag, ""), sign)
        for number, id_, name, type_ in entities:
            self._add((status[number], ENTITIES, id_, name, type_), sign)

    def _add(self, key: Key, number: int, magnitude: int = 0, confidence: int = 0) -> None:
        known = self._changes.get(key)
        if known is None:
            self._changes[key] = [number, magnitude, confidence]
        else:
            known[0] += number
            known[1] += magnitude
            known[2] += confidence

    def write(self, connection: sa.Connection) -> None:
        """Writes the change, in the caller's transaction."""
        changed = [(*key, *values) for key, values in self._changes.items() if any(values)]
        if not changed:
            return
        connection.exec_driver_sql(_upsert(connection.dialect.name), changed)
        if any(values[0] < 0 for values in self._changes.values()):
            connection.exec_driver_sql(f"DELETE FROM {TALLY.name} WHERE number = 0")


def counted(connection: sa.Connection, numbers: Sequence[int], tally: Tally, sign: int) -> None:
    """Counts events as they are stored, with what belongs to them; as many as stand in one statement."""
    columns = [EVENT.c[name] for name in Counted.__dataclass_fields__]
    events = connection.execute(sa.select(*columns).where(EVENT.c.number.in_(numbers))).all()
    tags = connection.execute(sa.select(TAG.c.event, TAG.c.folded, TAG.c.tag).where(TAG.c.event.in_(numbers)))
    parts = (ENTITY.c.event, ENTITY.c.id, ENTITY.c.name, ENTITY.c.type)
    entities = connection.execute(sa.select(*parts).where(ENTITY.c.event.in_(numbers)))
    tally.count(
        [Counted(*row) for row in events],
        [(row[0], row[1], row[2]) for row in tags],
        [(row[0], row[1], row[2], row[3]) for row in entities],
        sign,
    )


def statuses_alone(criteria: Criteria) -> tuple[str, ...] | None:
    """The statuses that are asked for, where nothing else is."""
    while isinstance(criteria, All) and len(criteria.parts) == 1:
        criteria = criteria.parts[0]
    if isinstance(criteria, Predicate) and criteria.attribute == "status" and criteria.op is Op.IN:
        return tuple(criteria.value)
    return None


def _upsert(dialect: str) -> str:
    names = [column.name for column in TALLY.columns]
    mark = "?" if dialect == "sqlite" else "%s"
    sums = ", ".join(f"{name} = {TALLY.name}.{name} + excluded.{name}" for name in names[5:])
    return (
        f"INSERT INTO {TALLY.name} ({', '.join(names)}) VALUES ({', '.join([mark] * len(names))})"
        f" ON CONFLICT ({', '.join(names[:5])}) DO UPDATE SET {sums}"
    )


def totals_query(dialect: Dialect, most: int | None) -> sa.Select[Any]:
    """Word, how it is written, type, number and sums, by word; the `most` frequent alone, where it is given."""
    given: sa.BindParameter[Any] = sa.bindparam("statuses", type_=sa.Text())
    kind: sa.BindParameter[Any] = sa.bindparam("kind", type_=sa.Text())
    if dialect == "sqlite":
        asked = sa.select(sa.func.json_each(given).table_valued("value").c.value)
    else:
        asked = sa.select(sa.func.unnest(sa.cast(given, ARRAY(sa.Text()))))
    number, magnitude, confidence = (
        # PostgreSQL adds whole numbers to decimal ones.
        sa.cast(sa.func.sum(TALLY.c[name]), sa.BigInteger())
        for name in ("number", "magnitude", "confidence")
    )
    query = sa.select(
        TALLY.c.word,
        sa.func.min(TALLY.c.label),
        sa.func.min(TALLY.c.type),
        number,
        magnitude,
        confidence,
    )
    query = query.where(TALLY.c.kind == kind, TALLY.c.status.in_(asked)).group_by(TALLY.c.word)
    if most is None:
        return query
    query = query.order_by(number.desc(), TALLY.c.word)
    return query.limit(sa.literal_column(str(most))).offset(sa.literal_column("0"))
