"""`list_records` over a store in memory: pages, cursors and the two page ends, for any bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resolvers.listing import list_records
from resolvers.question import Answer, PageRequest, Question, Wanted
from sources.criteria import EVERYTHING, AnyOf, Criteria, Op, Predicate, matches
from sources.page import OrderKey, Page, Position, Slice, position_of, position_order, sorted_records
from sources.provenance import Provenance


@dataclass(frozen=True)
class Thing:
    key: str
    rank: int | None


class MemoryStore:
    """Answers as a store must, from a list; keeps what it was asked."""

    kind = "thing"

    def __init__(self, things: Sequence[Thing]) -> None:
        self.things = things
        self.selects = 0
        self.counts = 0

    async def select(
        self, columns: Sequence[str], criteria: Criteria, order: Sequence[OrderKey], piece: Slice
    ) -> Page:
        self.selects += 1
        compare = position_order(order)
        found = sorted_records([t for t in self.things if matches(criteria, t)], order, "key")
        found = [
            t for t in found if piece.after is None or compare(position_of(t, order, "key"), piece.after) > 0
        ]
        found = [
            t
            for t in found
            if piece.before is None or compare(position_of(t, order, "key"), piece.before) < 0
        ]
        cut = found[-piece.limit :] if piece.backward else found[: piece.limit]
        return Page(cut, [position_of(t, order, "key") for t in cut], len(found) > len(cut))

    async def count(self, criteria: Criteria) -> int:
        self.counts += 1
        return sum(matches(criteria, thing) for thing in self.things)

    def checked(self, position: Position, order: Sequence[OrderKey], argument: str) -> Position:
        return position


ALL_WANTED = Wanted(("key",), cursors=True, has_next=True, has_previous=True, total_count=True)


async def ask(store: MemoryStore, page: PageRequest, wanted: Wanted = ALL_WANTED, **parts: Any) -> Answer:
    question = Question(wanted, page=page, **{"order": (OrderKey("rank"),), **parts})
    return await list_records(store, question, Provenance("things"))


things = st.lists(
    st.builds(Thing, st.text("abcdef", min_size=1, max_size=3), st.none() | st.integers(0, 3)),
    unique_by=lambda thing: thing.key,
    max_size=12,
)


@given(things, st.booleans(), st.integers(1, 5), st.booleans(), st.data())
async def test_any_page_is_the_right_piece_with_its_ends_told_truly(
    rows: list[Thing], descending: bool, size: int, forward: bool, draw: st.DataObject
) -> None:
    order = (OrderKey("rank", descending),)
    store = MemoryStore(rows)
    whole = sorted_records(rows, order, "key")
    everything = await ask(store, PageRequest(first=100), order=order)
    assert [edge.node for edge in everything.edges] == whole
    index = st.none() | st.integers(0, max(len(whole) - 1, 0)) if whole else st.none()
    after, before = draw.draw(index), draw.draw(index)
    cursors = everything.cursors
    answer = await ask(
        store,
        PageRequest(
            first=size if forward else None,
            last=None if forward else size,
            after=None if after is None else cursors[after],
            before=None if before is None else cursors[before],
        ),
        order=order,
    )
    start = 0 if after is None else after + 1
    end = len(whole) if before is None else before
    within = whole[start:end] if start <= end else []
    expected = within[:size] if forward else within[-size:]
    assert answer.nodes == expected
    assert answer.total_count == len(whole)
    info = answer.page_info
    if expected:
        assert info.has_previous_page is (whole.index(expected[0]) > 0)
        assert info.has_next_page is (whole.index(expected[-1]) < len(whole) - 1)
        assert (info.start_cursor, info.end_cursor) == (answer.cursors[0], answer.cursors[-1])
    else:
        assert info.has_previous_page is (after is not None)
        assert info.has_next_page is (before is not None)
        assert (info.start_cursor, info.end_cursor) == (None, None)


@pytest.mark.parametrize(
    ("wanted", "selects", "counts"),
    [
        (Wanted((), records=False, total_count=True), 0, 1),
        (Wanted(("key",)), 1, 0),
        (Wanted((), records=False, has_next=True), 1, 0),
        (Wanted((), records=False), 0, 0),
    ],
)
async def test_only_what_is_wanted_is_asked_of_the_store(wanted: Wanted, selects: int, counts: int) -> None:
    store = MemoryStore([Thing("a", 1), Thing("b", 2)])
    answer = await ask(store, PageRequest(first=1), wanted)
    assert (store.selects, store.counts) == (selects, counts)
    assert answer.cursors == []
    assert answer.page_info.has_next_page is (selects > 0)


async def test_provenance_names_every_filter_argument_once() -> None:
    criteria = AnyOf(
        (
            Predicate("rank", Op.AT_LEAST, 1, "filter.rankMin"),
            Predicate("rank", Op.AT_LEAST, 1, "filter.rankMin"),
            Predicate("key", Op.IN, ("a",), "filter.anyOf[0].key"),
            EVERYTHING,
        )
    )
    answer = await ask(MemoryStore([Thing("a", 1)]), PageRequest(first=5), criteria=criteria)
    assert answer.provenance.pushed_down == ["rankMin", "anyOf[0].key"]
    assert answer.provenance.scanned == 1
    assert answer.provenance.complete
