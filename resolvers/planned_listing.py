"""A page of an upstream's records: the plan carried out, every row checked again, the rest done here.

Answers as `resolvers/listing.py` does for a store. An upstream that is caught not to do what its client
declared loses that ability for the life of the process, and the question is planned again without it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlencode

from resolvers import cursor
from resolvers.planner import Plan, Reading, make_plan, subset_predicates
from resolvers.pushdown import Call, Completions
from resolvers.question import Answer, PageInfo, Question
from sources.ability import Ability, Doubts, ListAbilities, UpstreamPage
from sources.criteria import Predicate, matches, predicates
from sources.errors import BadInput
from sources.page import Position, position_of, position_order, sorted_records
from sources.provenance import Provenance

log = logging.getLogger(__name__)


class ListUpstream(Protocol):
    """A client of one list endpoint.

    `kind` is the kind of its records, `key` their unique attribute, `name` the system's name for people.
    `doubts` lives as long as the process, beside the client.
    """

    kind: str
    key: str
    name: str
    abilities: ListAbilities
    doubts: Doubts

    async def fetch(
        self, parameters: Mapping[str, str], offset: int, limit: int, columns: Sequence[str]
    ) -> UpstreamPage:
        """Rows `offset` to `offset + limit` of the list that `parameters` describe; `columns` are needed of each.

        `offset` is a multiple of `limit`, so page numbers do as well. Raises `UpstreamError`.
        """
        ...

    async def complete_subset(self, predicate: Predicate) -> Collection[Any] | None:
        """The keys of all records that fulfil `predicate`, as an index of this endpoint knows them.

        Those which the endpoint's own filter finds for certain may be left out. None when there is no index, or
        it cannot be had now.
        """
        ...

    def read(self, record: Any, attribute: str) -> Any:
        """An attribute of a record."""
        ...


async def list_planned(
    upstream: ListUpstream, question: Question, provenance: Provenance, *, list_print: str | None = None
) -> Answer:
    """The page that `question` asks of `upstream`, with `provenance` completed.

    `list_print` is the fingerprint of the list that its cursors belong to, where that is more than this one.

    Raises `BadInput` for `last` and `before`, which upstream lists do not have, and for a cursor of another
    list; `QueryTooExpensive` before the first request of a plan; `UpstreamError` as the client does. `total_count` is
    None when the answer is not complete.
    """
    for argument, value in (("last", question.page.last), ("before", question.page.before)):
        if value is not None:
            raise BadInput(
                "is not offered for a list that is read from another system. Use `first` and `after`.",
                argument=argument,
            )
    print_ = list_print or cursor.fingerprint(upstream.kind, question.criteria, question.order)
    after = None
    if question.page.after is not None:
        after = cursor.read(question.page.after, print_, len(question.order) + 1, argument="after")
    while True:
        plan = await _plan(upstream, question)
        execution = _Execution(upstream, question, plan, after, provenance)
        try:
            found = await execution.run()
        except _CaughtError as caught:
            if caught.warning not in provenance.warnings:
                provenance.warnings.append(caught.warning)
                log.warning("%s: %s", upstream.name, caught.warning)
            continue
        break
    _account(provenance, plan, execution.losses)
    wanted = question.wanted
    positions = [position_of(row, question.order, upstream.key, upstream.read) for row in found.records]
    cursors = [cursor.mint(position, print_) for position in positions] if wanted.cursors else []
    return Answer(
        nodes=found.records,
        cursors=cursors,
        page_info=PageInfo(
            has_next_page=found.has_next,
            has_previous_page=found.has_previous,
            start_cursor=cursors[0] if cursors else None,
            end_cursor=cursors[-1] if cursors else None,
        ),
        total_count=found.total if wanted.total_count and provenance.complete else None,
        provenance=provenance,
    )


async def _plan(upstream: ListUpstream, question: Question) -> Plan:
    abilities, doubts = upstream.abilities, upstream.doubts
    unsure = subset_predicates(question, abilities, doubts)

    def plan_with(completions: Completions) -> Plan:
        return make_plan(
            question,
            abilities,
            key=upstream.key,
            upstream=upstream.name,
            doubts=doubts,
            completions=completions,
        )

    # An index may have to be fetched first: a question that is too expensive even with one is refused here.
    plan = plan_with(dict.fromkeys(unsure, ()))
    if not unsure:
        return plan
    return plan_with({predicate: await upstream.complete_subset(predicate) for predicate in unsure})


def _account(provenance: Provenance, plan: Plan, cuts: Iterable[str]) -> None:
    for names, part in ((provenance.pushed_down, plan.pushed), (provenance.residual, plan.residual)):
        names.extend(name for name in _arguments(part) if name not in names)
    queries = (urlencode({**call.parameters, **plan.ordering}) for call in plan.calls)
    provenance.effective_query = " ; ".join(queries) or None
    losses = dict.fromkeys((*(plan.losses if plan.calls else ()), *cuts))
    if losses:
        provenance.complete = False
        provenance.warnings.extend(losses)


def _arguments(part: Iterable[Predicate]) -> list[str]:
    names = (predicate.argument.removeprefix("filter.") for predicate in part)
    return [name for name in dict.fromkeys(names) if name]


class _CaughtError(Exception):
    """The upstream did not do what its client declared; the doubts are noted, and planning starts again."""

    def __init__(self, warning: str) -> None:
        super().__init__(warning)
        self.warning = warning


@dataclass(slots=True)
class _Found:
    records: list[Any]
    total: int | None = None
    has_next: bool = False
    has_previous: bool = False


class _Execution:
    """One plan, carried out once."""

    def __init__(
        self,
        upstream: ListUpstream,
        question: Question,
        plan: Plan,
        after: Position | None,
        provenance: Provenance,
    ) -> None:
        self.upstream = upstream
        self.question = question
        self.plan = plan
        self.after = after
        self.provenance = provenance
        self.compare = position_order(question.order)
        self.spent = 0
        self.losses: list[str] = []
        self.cached: list[bool] = []
        self.rows: dict[Any, Any] = {}
        """Every row seen, by key; those that do not match too, so that none is asked for twice."""
        self.one_by_one = True
        """Rows are records: none that could not be read, and none that holds several."""
        asked = (predicate.attribute for predicate in predicates(question.criteria))
        order = (part.attribute for part in question.order)
        self.columns = tuple(dict.fromkeys((*question.wanted.columns, *asked, *order, upstream.key)))

    async def run(self) -> _Found:
        match self.plan.reading:
            case Reading.NOTHING:
                return _Found([])
            case Reading.COUNT:
                call = self.plan.calls[0]
                page = await self._fetch(call, 0, self.plan.page_sizes[0])
                self._note(call, page.records)
                total = self._counted(page)
                if not page.has_more and self.one_by_one and total != len(self.rows):
                    raise self._doubt_count()
                return _Found([], total)
            case Reading.IN_ORDER:
                return await self._in_order(self.plan.calls[0])
            case Reading.WHOLE:
                return await self._whole()

    async def _whole(self) -> _Found:
        main = [call for call in self.plan.calls if call.supplement is None]
        await together([self._all_pages(call) for call in main])
        for call in self.plan.calls:
            narrowed = call.beyond(self.rows.keys()) if call.supplement is not None else None
            if narrowed is not None:
                await self._all_pages(narrowed)
        question, upstream = self.question, self.upstream
        matching = [row for row in self.rows.values() if self._matches(row)]
        ordered = sorted_records(matching, question.order, upstream.key, upstream.read)
        beyond = [row for row in ordered if self._lies_beyond(row)]
        first = question.page.first or 0
        return _Found(
            records=beyond[:first] if self.plan.records else [],
            total=len(ordered),
            has_next=len(beyond) > first,
            has_previous=len(beyond) < len(ordered),
        )

    async def _all_pages(self, call: Call) -> None:
        size = self.plan.page_sizes[-1]
        offset = 0
        total: int | None = None
        while True:
            page = await self._page(call, offset, size)
            if page is None:
                return
            total = self._check_unchanged(page, total)
            self._note(call, page.records)
            if not self._goes_on(page, size):
                return
            offset += size

    async def _in_order(self, call: Call) -> _Found:
        """Reads until the page is full and, where more rows may be filtered out, one row further."""
        wanted = self.question.wanted
        first = self.question.page.first or 0
        needed = first + 1 if wanted.has_next and not self.plan.exact else first
        found: list[Any] = []
        before = 0
        offset = read = 0
        size = self._next_size(0, 0, 1.0, needed)
        total: int | None = None
        said: int | None = None
        last: Position | None = None
        while True:
            page = await self._page(call, offset, size)
            if page is None:
                return _Found(found[:first], total, has_next=len(found) > first, has_previous=before > 0)
            said = self._check_unchanged(page, said)
            if offset == 0 and self.plan.counted:
                total = self._counted(page)
            new = page.records
            if read > offset:
                new = [row for row in new if self.upstream.read(row, self.upstream.key) not in self.rows]
            last = self._check_order(new, last)
            for row in self._note(call, new):
                if not self._matches(row):
                    continue
                if self._lies_beyond(row):
                    found.append(row)
                else:
                    before += 1
            read = max(read, offset + page.given)
            more = self._goes_on(page, size)
            if not more or len(found) >= needed:
                break
            offset += size
            size = self._next_size(size, offset, len(found) / read, needed - len(found))
            offset -= offset % size
        if total is not None and not more and self.one_by_one and total != len(self.rows):
            raise self._doubt_count()
        return _Found(
            records=found[:first],
            total=total,
            has_next=len(found) > first or (self.plan.exact and more),
            has_previous=before > 0,
        )

    async def _page(self, call: Call, offset: int, size: int) -> UpstreamPage | None:
        """One page; None when the budget is spent."""
        budget = self.upstream.abilities.max_calls
        if self.spent >= budget:
            self.losses.append(
                f"Reading stopped after {budget} requests to {self.upstream.name}; records beyond are missing."
            )
            return None
        return await self._fetch(call, offset, size)

    async def _fetch(self, call: Call, offset: int, size: int) -> UpstreamPage:
        self.spent += 1
        page = await self.upstream.fetch(
            {**call.parameters, **self.plan.ordering}, offset, size, self.columns
        )
        account = self.provenance
        self.one_by_one = self.one_by_one and page.given == len(page.records)
        account.scanned += len(page.records)
        account.upstream_requests += not page.from_cache
        self.cached.append(page.from_cache)
        account.from_cache = all(self.cached)
        account.stale = account.stale or page.stale
        if page.fetched_at is not None:
            known = account.fetched_at
            account.fetched_at = page.fetched_at if known is None else min(known, page.fetched_at)
        return page

    def _goes_on(self, page: UpstreamPage, size: int) -> bool:
        """Whether the next page lies where we would look for it."""
        if not page.has_more:
            return False
        if page.given == size:
            return True
        self.losses.append(
            f"{self.upstream.name} gave {page.given} records where {size} were asked for; records beyond "
            "are missing."
        )
        return False

    def _check_unchanged(self, page: UpstreamPage, before: int | None) -> int | None:
        """The length of the list by the upstream's word; another than `before`, and rows may have moved between
        the pages."""
        if page.total is not None and before is not None and page.total != before:
            self.losses.append(
                f"The list of {self.upstream.name} changed while it was read; records may be missing."
            )
        return page.total

    def _note(self, call: Call, rows: Iterable[Any]) -> list[Any]:
        """Remembers rows; returns those not seen before. Raises `_CaughtError` for one that was not asked for."""
        read, key = self.upstream.read, self.upstream.key
        new = []
        for row in rows:
            for claim in call.claims:
                if not matches(claim.criteria, row, read):
                    raise self._doubt_filter(claim.ability)
            row_key = read(row, key)
            if row_key not in self.rows:
                self.rows[row_key] = row
                new.append(row)
            elif self.plan.counted:
                raise self._doubt_count()
        return new

    def _matches(self, row: Any) -> bool:
        return matches(self.question.criteria, row, self.upstream.read)

    def _position(self, row: Any) -> Position:
        return position_of(row, self.question.order, self.upstream.key, self.upstream.read)

    def _lies_beyond(self, row: Any) -> bool:
        """Whether `row` comes after the cursor."""
        if self.after is None:
            return True
        try:
            return self.compare(self._position(row), self.after) > 0
        except TypeError:
            # Its checksum is right but its values are of other kinds than this list's: it was forged.
            raise BadInput("is not a cursor of this service.", argument="after") from None

    def _check_order(self, rows: Iterable[Any], last: Position | None) -> Position | None:
        """The position of the last row, after checking that all come in the order asked for."""
        for row in rows:
            position = self._position(row)
            if last is not None and self.compare(last, position) > 0:
                raise self._doubt_order()
            last = position
        return last

    def _next_size(self, previous: int, offset: int, rate: float, missing: int) -> int:
        """The size of the next page: what is missing at the share of rows that were of use so far.

        Never smaller than the page before, and twice its size where the offset allows.
        """
        sizes = self.plan.page_sizes
        likely = missing / rate if rate > 0 else sizes[-1]
        least = 2 * previous if offset % (2 * previous or 1) == 0 else previous
        return next((size for size in sizes if size >= max(likely, least)), sizes[-1])

    def _counted(self, page: UpstreamPage) -> int:
        if page.total is None:
            raise self._doubt_count()
        return page.total

    def _doubt_filter(self, ability: Ability) -> _CaughtError:
        self.upstream.doubts.filters.add(ability)
        return _CaughtError(
            f"{self.upstream.name} gave records that its filter `{', '.join(ability.names)}` should have left out; "
            "it is applied here from now on."
        )

    def _doubt_order(self) -> _CaughtError:
        self.upstream.doubts.orders.add(self.question.order)
        return _CaughtError(
            f"{self.upstream.name} did not sort as it was asked to; this order is made here from now on."
        )

    def _doubt_count(self) -> _CaughtError:
        self.upstream.doubts.count = True
        return _CaughtError(
            f"{self.upstream.name} gave a count that is not that of its records; they are counted here from now on."
        )


async def together(readings: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Runs all at once. When one fails the others are stopped, and its error is raised."""
    tasks = [asyncio.ensure_future(reading) for reading in readings]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
