"""What a filter leaves of each of several lists, and their union as one list."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from resolvers.planned_listing import ListUpstream
from resolvers.question import Answer, PageRequest, Question, Wanted
from resolvers.united_listing import NOTHING, list_united, narrowed
from sources.criteria import EVERYTHING, All, AnyOf, Criteria, Not, Op, Predicate, matches
from sources.errors import BadInput, QueryTooExpensive, UpstreamUnavailable
from sources.page import OrderKey, sorted_records
from sources.provenance import Provenance
from sources.united_lists import Part, UnitedLists
from tests.support.list_upstream import Entry, FakeList, declared

ENTRIES = tuple(
    Entry(
        f"key-{number:02}",
        name=("Ash", "Éclair", "ember", "Oak’s", None)[number % 5],
        level=(None, *range(6))[number % 7],
        school=("evocation", "illusion", "divination")[number % 3],
        flag=number % 4 == 0,
        weight=number % 6,
    )
    for number in range(60)
)
WANTED = Wanted(("key",), cursors=True, has_next=True, has_previous=True, total_count=True)
FLAG = Predicate("flag", Op.EQUALS, True, "filter.flag")
SCHOOL = Predicate("school", Op.EQUALS, "evocation", "filter.school")
WEIGHT = Predicate("weight", Op.EQUALS, 3, "filter.weight")


class House:
    """The entries in two lists: those with the flag, and the others."""

    def __init__(self, **others: Any) -> None:
        abilities = declared(("key", "name", "level", "level_min", "school"), page_size=8, **others)
        self.lists = {
            flag: FakeList([entry for entry in ENTRIES if entry.flag is flag], abilities)
            for flag in (True, False)
        }

    @property
    def united(self) -> UnitedLists[ListUpstream]:
        parts: list[Part[ListUpstream]] = [
            Part(one, "flagged" if flag else "plain", {"flag": (flag,)}) for flag, one in self.lists.items()
        ]
        return UnitedLists("entry", tuple(parts))

    async def ask(
        self,
        criteria: Criteria = EVERYTHING,
        order: tuple[OrderKey, ...] = (),
        page: PageRequest | None = None,
        wanted: Wanted = WANTED,
    ) -> Answer:
        question = Question(wanted, criteria, order, page or PageRequest(5))
        return await list_united(self.united, question, Provenance("test", providers=("fake",)))

    def requests(self) -> list[int]:
        return [len(one.requests) for one in self.lists.values()]


@pytest.mark.parametrize(
    ("criteria", "left"),
    [
        (FLAG, EVERYTHING),
        (Not(FLAG), NOTHING),
        (SCHOOL, SCHOOL),
        (All((FLAG, SCHOOL)), All((SCHOOL,))),
        (All((Not(FLAG), SCHOOL)), NOTHING),
        (AnyOf((FLAG, SCHOOL)), EVERYTHING),
        (AnyOf((Not(FLAG), SCHOOL)), AnyOf((SCHOOL,))),
        (AnyOf((Not(FLAG),)), NOTHING),
        (Not(AnyOf((Not(FLAG), SCHOOL))), Not(AnyOf((SCHOOL,)))),
        (EVERYTHING, EVERYTHING),
        (Predicate("size", Op.IN, ("small",)), Predicate("size", Op.IN, ("small",))),
        (Predicate("size", Op.IN, ("small", "large")), EVERYTHING),
        (Predicate("size", Op.IN, ("huge",)), NOTHING),
        (Predicate("rank", Op.AT_LEAST, 3), NOTHING),
        (Not(Predicate("rank", Op.AT_LEAST, 3)), EVERYTHING),
        (Predicate("tags", Op.HAS_ANY, ("a",)), NOTHING),
    ],
)
def test_what_is_left_of_a_filter(criteria: Criteria, left: Criteria) -> None:
    possible = {"flag": (True,), "size": ("small", "large"), "rank": (None,), "tags": ((),)}
    assert narrowed(criteria, possible) == left


leaves = st.one_of(
    st.booleans().map(lambda value: Predicate("flag", Op.EQUALS, value, "filter.flag")),
    st.sampled_from(["evocation", "illusion"]).map(lambda value: Predicate("school", Op.EQUALS, value)),
    st.integers(0, 5).map(lambda value: Predicate("level", Op.AT_LEAST, value)),
    st.integers(0, 5).map(lambda value: Predicate("weight", Op.AT_MOST, value)),
    st.sampled_from(["e", "eclair", "oak's"]).map(lambda value: Predicate("name", Op.CONTAINS, value)),
)
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: All(tuple(parts))),
        st.lists(inner, max_size=2).map(lambda parts: AnyOf(tuple(parts))),
        inner.map(Not),
    ),
    max_leaves=5,
)
sortings = st.lists(
    st.builds(OrderKey, st.sampled_from(["name", "level", "weight", "flag"]), st.booleans()),
    max_size=2,
    unique_by=lambda part: part.attribute,
).map(tuple)


@settings(deadline=None, max_examples=60)
@given(criteria=trees, order=sortings, first=st.integers(4, 25))
def test_every_page_is_that_of_one_list(criteria: Criteria, order: tuple[OrderKey, ...], first: int) -> None:
    expected = sorted_records([entry for entry in ENTRIES if matches(criteria, entry)], order, "key")
    keys = [entry.key for entry in expected]

    async def read_on() -> None:
        house, seen, after = House(), 0, None
        while True:
            answer = await house.ask(criteria, order, PageRequest(first, after))
            info = answer.page_info
            assert [node.key for node in answer.nodes] == keys[seen : seen + first]
            assert answer.total_count == len(keys)
            assert info.has_previous_page is (seen > 0)
            seen += first
            assert info.has_next_page is (seen < len(keys))
            if not info.has_next_page:
                return
            after = info.end_cursor

    asyncio.run(read_on())


@pytest.mark.parametrize(
    ("criteria", "requests"),
    [
        (FLAG, [2, 0]),
        (Not(FLAG), [0, 6]),
        (AnyOf((Not(FLAG), All((FLAG, Predicate("key", Op.IN, ("key-00",)))))), [1, 6]),
        (All((FLAG, Not(FLAG))), [0, 0]),
    ],
)
async def test_a_list_is_asked_only_where_it_can_have_a_record(
    criteria: Criteria, requests: Sequence[int]
) -> None:
    house = House()
    answer = await house.ask(criteria, (OrderKey("name"),))
    assert house.requests() == requests
    assert answer.provenance.upstream_requests == sum(requests)
    assert answer.total_count == sum(matches(criteria, entry) for entry in ENTRIES)


async def test_the_account_is_that_of_all_lists() -> None:
    house = House()
    answer = await house.ask(All((AnyOf((FLAG, Not(FLAG))), SCHOOL, WEIGHT)))
    account = answer.provenance
    assert (account.pushed_down, account.residual) == (["flag", "school"], ["weight"])
    assert account.providers == ("fake",)
    assert account.scanned == sum(entry.school == "evocation" for entry in ENTRIES)
    assert account.upstream_requests == sum(house.requests())
    assert account.complete
    assert account.effective_query == (
        "flagged?school__key=evocation&ordering=key ; plain?school__key=evocation&ordering=key"
    )


async def test_what_one_list_lost_is_lost_for_the_union() -> None:
    house = House()
    house.lists[True].index = False
    answer = await house.ask(Predicate("name", Op.CONTAINS, "eclair", "filter.name"))
    assert answer.provenance.complete is False
    assert answer.total_count is None
    (warning,) = answer.provenance.warnings
    assert "can miss records" in warning


async def test_a_cursor_of_another_filter_is_refused_even_where_no_list_is_asked() -> None:
    house = House()
    first = await house.ask(SCHOOL)
    other = All((FLAG, Not(FLAG)))
    for criteria in (WEIGHT, other):
        with pytest.raises(BadInput, match="cursor of another query"):
            await house.ask(criteria, page=PageRequest(5, first.page_info.end_cursor))
    with pytest.raises(BadInput) as refused:
        await house.ask(other, page=PageRequest(first=None, last=3))
    assert refused.value.argument == "last"


async def test_a_list_that_fails_fails_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()

    async def down(*arguments: Any) -> Any:
        raise UpstreamUnavailable("Down.", upstream="fake")

    monkeypatch.setattr(house.lists[False], "fetch", down)
    with pytest.raises(UpstreamUnavailable):
        await house.ask(SCHOOL)
    assert (await house.ask(FLAG)).total_count == 15


async def test_a_list_that_is_too_expensive_is_refused() -> None:
    with pytest.raises(QueryTooExpensive):
        await House(max_calls=3, size=100).ask(WEIGHT, (OrderKey("name"),))


async def test_a_bare_count_reads_no_records() -> None:
    house = House()
    answer = await house.ask(SCHOOL, wanted=Wanted((), records=False, total_count=True))
    assert (answer.nodes, answer.total_count) == ([], 20)
    assert house.requests() == [1, 1]
