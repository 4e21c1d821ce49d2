"""The opened events source: its store of events, and the tables of what belongs to them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from sources.criteria import Criteria, Op, Predicate
from sources.data_version import data_version
from sources.database import Database, Row, cached_statement
from sources.errors import LoregraphError
from sources.events.maps import ENTITY, ENTITY_NAME, EVENT, EVENTS, SOURCE, TAG
from sources.events.paths import residual_for
from sources.events.records import Holdings
from sources.events.vocabulary import PUBLIC_STATUSES
from sources.page import OrderKey, Page, Record, Slice, record_class
from sources.selection_sql import count_records, select_records
from sources.source import RecordCount, Shelf, SourceLicence, SourceState, SourceStatus
from sources.sql_store import SqlStore
from sources.text_index import Dialect

SAMPLE_LICENCE = SourceLicence(
    "Apache-2.0",
    "https://www.apache.org/licenses/LICENSE-2.0",
    "The sample of events that comes with loregraph.",
)
_REMEMBERED = 64


class EventStore(SqlStore):
    """Events, each question answered from the index that suits it."""

    async def select(
        self, columns: Sequence[str], criteria: Criteria, order: Sequence[OrderKey], piece: Slice
    ) -> Page:
        """A slice of the events that fulfil `criteria`, in `order`."""
        residual = await residual_for(self.database, criteria, order)
        selection = select_records(
            self.map, self.database.dialect, columns, criteria, order, piece, residual=residual
        )
        rows = await self.database.fetch(selection.statement, selection.params)
        return selection.page(rows, piece.limit, backward=piece.backward)

    async def count(self, criteria: Criteria) -> int:
        """How many events fulfil `criteria`, exactly."""
        residual = await residual_for(self.database, criteria, whole=True)
        row = await self.database.fetch_one(
            *count_records(self.map, self.database.dialect, criteria, residual)
        )
        return int(row[0]) if row else 0


def _holdings_query() -> sa.Select[Any]:
    """How much of the sample is held, and whether anything else is."""
    one = sa.literal_column("1", sa.Integer())
    sample = sa.select(sa.func.count()).where(EVENT.c.sample == sa.true()).scalar_subquery()
    # The sample is written first, so the first other event is found soon, wherever the rows end.
    imported = sa.exists(sa.select(one).where(EVENT.c.sample == sa.false()))
    return sa.select(sample, imported)


def _numbers(dialect: Dialect) -> sa.Select[Any]:
    """The numbers that one parameter holds, as a list that they can be looked up in."""
    given: sa.BindParameter[Any] = sa.bindparam("numbers", type_=sa.Text())
    if dialect == "sqlite":
        return sa.select(sa.func.json_each(given).table_valued("value").c.value)
    return sa.select(sa.func.unnest(sa.cast(given, ARRAY(sa.BigInteger))))


class EventsShelf(Shelf):
    """The opened source. `remembered` keeps a few answers about all of it for as long as its data stays the same."""

    def __init__(self, database: Database, *, title: str, description: str) -> None:
        self.database = database
        self.events = EventStore(database, EVENTS)
        self._title = title
        self._description = description
        self._holdings: Holdings | None = None
        self._answers: OrderedDict[Any, Any] = OrderedDict()
        self._answers_version = -1

    async def version(self) -> tuple[int, datetime]:
        """The number of the data, and when it last changed; 0 while nothing was ever written."""
        found = await data_version(self.database, "events")
        return (0, datetime.fromtimestamp(0, UTC)) if found is None else (found.version, found.changed_at)

    async def holdings(self) -> Holdings:
        """What is held; counted once for each version of the data."""
        version, changed_at = await self.version()
        held = self._holdings
        if held is None or held.version != version:
            ((sample, imported),) = await self.events.rows("events.holdings", _holdings_query)
            held = self._holdings = Holdings(version, changed_at, sample, bool(imported))
        return held

    async def _published(self, version: int) -> int:
        """How many events anybody may see; counted once for each version of the data."""
        _, known = await self.remembered("published")
        if known is None:
            public = Predicate("status", Op.IN, tuple(sorted(PUBLIC_STATUSES)))
            known = await self.events.count(public)
            self.remember(version, "published", known)
        return int(known)

    async def remembered(self, key: Any) -> tuple[int, Any]:
        """The data version, and the answer kept under `key` for it, or None."""
        version, _ = await self.version()
        if version != self._answers_version:
            self._answers.clear()
            self._answers_version = version
        answer = self._answers.get(key)
        if answer is not None:
            self._answers.move_to_end(key)
        return version, answer

    def remember(self, version: int, key: Any, answer: Any) -> None:
        """Keeps an answer that was made from the data of `version`."""
        if version == self._answers_version:
            self._answers[key] = answer
            if len(self._answers) > _REMEMBERED:
                self._answers.popitem(last=False)

    def forget(self) -> None:
        """Lets go of every remembered answer, so that the next one is reckoned anew."""
        self._answers.clear()

    async def tags(self, numbers: Sequence[int]) -> dict[int, list[str]]:
        """The tags of each event, as they were written, in their order; absent for one without."""
        found: dict[int, list[str]] = {}
        for number, tag in await self._of_events("tags", numbers):
            found.setdefault(number, []).append(tag)
        return found

    async def sources(self, numbers: Sequence[int], columns: Sequence[str]) -> dict[int, list[Record]]:
        """The sources of each event, in their order, with these columns."""
        return await self._parts("sources", "event_source", numbers, columns)

    async def entities(self, numbers: Sequence[int], columns: Sequence[str]) -> dict[int, list[Record]]:
        """The entities of each event, in their order, with these columns."""
        return await self._parts("entities", "event_entity", numbers, columns)

    async def _parts(
        self, what: str, kind: str, numbers: Sequence[int], columns: Sequence[str]
    ) -> dict[int, list[Record]]:
        record = record_class(kind, tuple(columns))
        found: dict[int, list[Record]] = {}
        for number, *values in await self._of_events(what, numbers, tuple(columns)):
            found.setdefault(number, []).append(record(values))
        return found

    async def _of_events(self, what: str, numbers: Sequence[int], columns: tuple[str, ...] = ()) -> list[Row]:
        """Rows of a part's table: the event's number, then the columns; ordered by position within each event."""
        dialect = self.database.dialect
        statement = cached_statement(dialect, "events.parts", _PartsQuery(what, columns, dialect))
        given: Any = list(numbers) if dialect == "postgresql" else orjson.dumps(list(numbers)).decode()
        return await self.database.fetch(statement, (given,))

    async def unknown(self, attribute: str, values: Sequence[str], statuses: Sequence[str]) -> list[str]:
        """Those of the folded tags or entity names that no event of these statuses has."""
        statement = cached_statement(self.database.dialect, "events.known", _KNOWN[attribute])
        missing: list[str] = []
        for value in values:
            for status in statuses:
                if await self.database.fetch(statement, (value, status)):
                    break
            else:
                missing.append(value)
        return missing

    async def status(self) -> SourceStatus:
        """Health and contents, asked of the database itself; the counts are of what anybody may see."""
        try:
            held = await self.holdings()
            count = await self._published(held.version)
        except LoregraphError as error:
            return self._status(SourceState.UNAVAILABLE, error.public)
        if not held.version:
            return self._status(
                SourceState.UNAVAILABLE,
                "Nothing was ever loaded. Run `loregraph seed`, or `loregraph import events`.",
            )
        return self._status(SourceState.READY, sample_notice(held), held, count)

    def _status(
        self, state: SourceState, message: str | None, held: Holdings | None = None, count: int = 0
    ) -> SourceStatus:
        counts = () if held is None else (RecordCount("event", count),)
        version = None if held is None else str(held.version)
        licences = (SAMPLE_LICENCE,) if held is not None and held.sample else ()
        return SourceStatus(
            "events", self._title, self._description, state, message, version, counts, licences
        )


def sample_notice(held: Holdings) -> str | None:
    """What a reader should know while the embedded sample is there."""
    if not held.sample:
        return None
    if not held.imported:
        return f"Only the embedded sample of {held.sample} events is held here."
    return f"The embedded sample of {held.sample} events is among what is held here."


@dataclass(frozen=True)
class _PartsQuery:
    what: str
    columns: tuple[str, ...]
    dialect: Dialect

    def __call__(self) -> sa.Select[Any]:
        table = {"tags": TAG, "sources": SOURCE, "entities": ENTITY}[self.what]
        names = ("tag",) if self.what == "tags" else self.columns
        query = sa.select(table.c.event, *[table.c[name] for name in names])
        query = query.where(table.c.event.in_(_numbers(self.dialect)))
        return query.order_by(table.c.event, table.c.position)


@dataclass(frozen=True)
class _KnownQuery:
    attribute: str

    def __call__(self) -> sa.Select[Any]:
        table, column = (TAG, TAG.c.folded) if self.attribute == "tags" else (ENTITY_NAME, ENTITY_NAME.c.name)
        value: sa.BindParameter[Any] = sa.bindparam("value", type_=sa.Text())
        status: sa.BindParameter[Any] = sa.bindparam("status", type_=sa.Text())
        one = sa.literal_column("1", sa.Integer())
        query = sa.select(one).select_from(table.join(EVENT, EVENT.c.number == table.c.event))
        return (
            query.where(column == value, EVENT.c.status == status).limit(one).offset(sa.literal_column("0"))
        )


_KNOWN = {name: _KnownQuery(name) for name in ("tags", "entities")}
