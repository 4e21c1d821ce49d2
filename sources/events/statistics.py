"""Statistics over the events that a question asks for, each part one statement of the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import orjson
import sqlalchemy as sa

from sources.access_path import Unindexed
from sources.criteria import Criteria
from sources.database import Row, cached_statement
from sources.events import tally
from sources.events.maps import ENTITY, ENTITY_MASK, EVENT, EVENTS, SOURCE_MASK, TAG
from sources.events.paths import residual_for
from sources.events.records import Bucket, Count, TopEntity, Totals
from sources.events.store import EventsShelf
from sources.moments import moment_of
from sources.selection_sql import Build, aggregate_records
from sources.table_map import Expression, MaskSpec
from sources.text_index import Dialect

MOST_BUCKETS = 5_000
"""Time buckets of one answer: an hour each they reach over seven months without a gap."""

_MOST_DAYS = 40 * MOST_BUCKETS

MOST_TOP = 100

MANY = 50_000
"""Events whose parts are counted along an index of all parts; see `_are_many`."""

_HOUR = 3_600_000_000
_DAY = 24 * _HOUR
_EPOCH_WEEKDAY = 3
"""1970 began on a Thursday, three days after a Monday."""

BUCKETS = {
    "hour": (_HOUR, 0),
    "day": (_DAY, 0),
    "week": (7 * _DAY, _EPOCH_WEEKDAY * _DAY),
    "month": (_DAY, 0),
}
"""Width and shift, in microseconds. A month has no width, so it is put together from days."""


class TooManyBuckets(Exception):
    """More spans of time hold events than one answer may have."""


async def totals(shelf: EventsShelf, criteria: Criteria) -> Totals:
    """The number of events, the means of magnitude and confidence, and the counts by category."""
    kept = await _kept(shelf, criteria, tally.CATEGORIES)
    if kept is None:
        rows = await _ask(shelf, criteria, _by_category)
    else:
        rows = [_summed(row) for row in kept]
    number = sum(row[1] for row in rows)
    if not number:
        return Totals()
    return Totals(
        number,
        rounded(sum(row[2] for row in rows) / number),
        rounded(sum(row[3] for row in rows) / number),
        _counts({row[0]: row[1] for row in rows}),
    )


async def by_status(shelf: EventsShelf, criteria: Criteria) -> list[Count]:
    """The counts by status, the most frequent first."""
    statuses = tally.statuses_alone(criteria)
    if statuses is None:
        return _counts({row[0]: row[1] for row in await _ask(shelf, criteria, _by_status)})
    found = {one: sum(row[3] for row in await _totals(shelf, (one,), tally.CATEGORIES)) for one in statuses}
    return _counts({status: count for status, count in found.items() if count})


async def by_source_type(shelf: EventsShelf, criteria: Criteria) -> list[Count]:
    """How many events have a source of each type; an event with two types counts under both."""
    kept = await _kept(shelf, criteria, tally.SOURCE_TYPES)
    if kept is None:
        return _counts(_unmasked(await _ask(shelf, criteria, _by_source_types), SOURCE_MASK))
    return _counts({row[0]: row[3] for row in kept})


async def by_entity_type(shelf: EventsShelf, criteria: Criteria) -> list[Count]:
    """How many events have an entity of each type; an event with two types counts under both."""
    kept = await _kept(shelf, criteria, tally.ENTITY_TYPES)
    if kept is None:
        return _counts(_unmasked(await _ask(shelf, criteria, _by_entity_types), ENTITY_MASK))
    return _counts({row[0]: row[3] for row in kept})


async def top_tags(shelf: EventsShelf, criteria: Criteria) -> list[Count]:
    """The `MOST_TOP` most frequent tags; tags that differ in case or accents alone are one."""
    kept = await _kept(shelf, criteria, tally.TAGS)
    if kept is not None:
        return [Count(row[1], row[3]) for row in kept]
    many = await _are_many(shelf, criteria)
    rows = await _ask(shelf, criteria, _top_tags_of_many if many else _top_tags)
    return [Count(row[1], row[2]) for row in rows]


async def top_entities(shelf: EventsShelf, criteria: Criteria) -> list[TopEntity]:
    """The `MOST_TOP` most frequent entities, told apart by their ids."""
    kept = await _kept(shelf, criteria, tally.ENTITIES)
    if kept is not None:
        return [TopEntity(*row[:4]) for row in kept]
    many = await _are_many(shelf, criteria)
    rows = await _ask(shelf, criteria, _top_entities_of_many if many else _top_entities)
    return [TopEntity(*row) for row in rows]


async def buckets(shelf: EventsShelf, criteria: Criteria, width: str) -> list[Bucket]:
    """The spans of time that hold events, the earliest first, in UTC; weeks begin on Monday.

    Raises TooManyBuckets.
    """
    kept = None if width == "hour" else await _kept(shelf, criteria, tally.DAYS)
    if kept is None:
        rows = await _ask(shelf, criteria, _BUCKET_QUERIES[width])
    else:
        rows = [(int(row[0]), *_summed(row)[1:]) for row in kept]
        if width == "week":
            rows = _together(rows, _first_of_week)
    if width == "month":
        if len(rows) > _MOST_DAYS:
            raise TooManyBuckets
        rows = _together(rows, _first_of_month)
    if len(rows) > MOST_BUCKETS:
        raise TooManyBuckets
    return [
        Bucket(start, count, rounded(magnitude / count), rounded(confidence / count))
        for start, count, magnitude, confidence in sorted(rows)
    ]


async def _kept(shelf: EventsShelf, criteria: Criteria, kind: str) -> list[Row] | None:
    """The running totals of a kind, where they answer `criteria`: word, label, type, number and sums."""
    statuses = tally.statuses_alone(criteria)
    return None if statuses is None else await _totals(shelf, statuses, kind)


async def _totals(shelf: EventsShelf, statuses: Sequence[str], kind: str) -> list[Row]:
    dialect = shelf.database.dialect
    most = MOST_TOP if kind in (tally.TAGS, tally.ENTITIES) else None
    statement = cached_statement(dialect, ("events.tally", most), _TALLY_QUERIES[dialect, most])
    given: Any = list(statuses) if dialect == "postgresql" else orjson.dumps(list(statuses)).decode()
    return await shelf.database.fetch(statement, statement.bind({"kind": kind, "statuses": given}))


def _summed(row: Row) -> Row:
    return (row[0], row[3], row[4] / tally.BILLION, row[5] / tally.BILLION)


def rounded(mean: float) -> float:
    """Means have four decimals: beyond them databases that add in another order differ."""
    return round(mean, 4)


async def _are_many(shelf: EventsShelf, criteria: Criteria) -> bool:
    """Whether an index of all tags or entities is rather read from end to end than asked event by event.

    It holds them in the order that they are counted in, while those of each event would have to be sorted.
    """
    return shelf.database.dialect == "sqlite" and await shelf.events.count(criteria) > MANY


async def _ask(shelf: EventsShelf, criteria: Criteria, build: Build) -> list[Row]:
    residual = await residual_for(shelf.database, criteria, whole=True)
    statement, params = aggregate_records(EVENTS, shelf.database.dialect, criteria, build, residual)
    return await shelf.database.fetch(statement, params)


def _counts(found: Mapping[str, int]) -> list[Count]:
    return [Count(value, count) for value, count in sorted(found.items(), key=lambda one: (-one[1], one[0]))]


def _unmasked(rows: Sequence[Row], mask: MaskSpec) -> Counter[str]:
    found: Counter[str] = Counter()
    for number, count in rows:
        for word in mask.held(number):
            found[word] += count
    return found


def _first_of_month(day: int) -> int:
    return day - (moment_of(day).day - 1) * _DAY


def _first_of_week(day: int) -> int:
    return day - (day // _DAY + _EPOCH_WEEKDAY) % 7 * _DAY


def _together(rows: Sequence[Row], first: Callable[[int], int]) -> list[Row]:
    """Days put together to longer spans, each of which begins on the `first` day of its days."""
    found: dict[int, list[Any]] = {}
    for start, *values in rows:
        known = found.setdefault(first(start), [0, 0.0, 0.0])
        for i, value in enumerate(values):
            known[i] += value
    return [(start, *values) for start, values in found.items()]


# The statements. Numbers in them are written out: they are the same for everybody. ------------------------------


def _by_category(source: sa.FromClause, condition: Expression) -> sa.Select[Any]:
    columns = (sa.func.count(), sa.func.sum(EVENT.c.magnitude), sa.func.sum(EVENT.c.confidence))
    query = sa.select(EVENT.c.category, *columns).select_from(source).where(condition)
    return query.group_by(EVENT.c.category)


def _grouped(column: sa.Column[Any], source: sa.FromClause, condition: Expression) -> sa.Select[Any]:
    return sa.select(column, sa.func.count()).select_from(source).where(condition).group_by(column)


_by_status = partial(_grouped, EVENT.c.status)
_by_source_types = partial(_grouped, EVENT.c.source_types)
_by_entity_types = partial(_grouped, EVENT.c.entity_types)


def _most(query: sa.Select[Any]) -> sa.Select[Any]:
    return query.limit(sa.literal_column(str(MOST_TOP))).offset(sa.literal_column("0"))


def _within(event: sa.Column[Any], source: sa.FromClause, condition: Expression) -> Expression:
    return Unindexed(event).in_(sa.select(EVENT.c.number).select_from(source).where(condition))


def _top_tags_of_many(source: sa.FromClause, condition: Expression) -> sa.Select[Any]:
    number = sa.func.count()
    query = sa.select(TAG.c.folded, sa.func.min(TAG.c.tag), number)
    query = query.where(_within(TAG.c.event, source, condition))
    return _most(query.group_by(TAG.c.folded).order_by(number.desc(), TAG.c.folded))


def _top_entities_of_many(source: sa.FromClause, condition: Expression) -> sa.Select[Any]:
    number = sa.func.count()
    query = sa.select(ENTITY.c.id, sa.func.min(ENTITY.c.name), sa.func.min(ENTITY.c.type), number)
    query = query.where(_within(ENTITY.c.event, source, condition))
    return _most(query.group_by(ENTITY.c.id).order_by(number.desc(), ENTITY.c.id))


def _top_tags(source: sa.FromClause, condition: Expression) -> sa.Select[Any]:
    number = sa.func.count()
    query = sa.select(TAG.c.folded, sa.func.min(TAG.c.tag), number)
    query = query.select_from(source.join(TAG, TAG.c.event == EVENT.c.number)).where(condition)
    return _most(query.group_by(TAG.c.folded).order_by(number.desc(), TAG.c.folded))


def _top_entities(source: sa.FromClause, condition: Expression) -> sa.Select[Any]:
    number = sa.func.count()
    query = sa.select(ENTITY.c.id, sa.func.min(ENTITY.c.name), sa.func.min(ENTITY.c.type), number)
    query = query.select_from(source.join(ENTITY, ENTITY.c.event == EVENT.c.number)).where(condition)
    return _most(query.group_by(ENTITY.c.id).order_by(number.desc(), ENTITY.c.id))


def _bucketed(width: int, shift: int, source: sa.FromClause, condition: Expression) -> sa.Select[Any]:
    def number(value: int) -> sa.ColumnElement[int]:
        return sa.literal_column(str(value), sa.BigInteger())

    moment = EVENT.c.timestamp
    # Both databases cut towards zero, and times before 1970 lie below it.
    into = (((moment + number(shift)) % number(width)) + number(width)) % number(width)
    start = (moment - into).label("start")
    columns = (sa.func.count(), sa.func.sum(EVENT.c.magnitude), sa.func.sum(EVENT.c.confidence))
    query = sa.select(start, *columns).select_from(source).where(condition).group_by(start)
    # Days may be those of months, which are put together from them.
    most = _MOST_DAYS if width == _DAY else MOST_BUCKETS
    return query.limit(number(most + 1)).offset(number(0))


_BUCKET_QUERIES: dict[str, Build] = {name: partial(_bucketed, *span) for name, span in BUCKETS.items()}

_DIALECTS: tuple[Dialect, ...] = ("sqlite", "postgresql")
_TALLY_QUERIES: dict[tuple[Dialect, int | None], Callable[[], sa.Select[Any]]] = {
    (dialect, most): partial(tally.totals_query, dialect, most)
    for dialect in _DIALECTS
    for most in (None, MOST_TOP)
}
