"""Whatever an upstream can or cannot do, the answer is that of filtering and sorting all of it here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from resolvers.planned_listing import list_planned
from resolvers.planner import make_plan
from resolvers.question import Answer, PageRequest, Question, Wanted
from sources.ability import ListAbilities
from sources.criteria import All, AnyOf, Criteria, Not, Op, Predicate, matches
from sources.errors import QueryTooExpensive
from sources.page import OrderKey, sorted_records
from sources.provenance import Provenance
from tests.support.list_upstream import ABILITIES, SORT, Entry, FakeList

EVERYTHING_WANTED = Wanted(("key",), cursors=True, has_next=True, has_previous=True, total_count=True)
SCHOOLS = ("abjuration", "evocation", "illusion")
TAGS = ("acid", "cold", "fire")

steady = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""How busy the machine is must not decide."""

levels = st.integers(0, 4)
texts = st.lists(
    st.sampled_from(["king", "külm", "Kulm", "Althea", "’s", "'s", " ", "É", "e", "FIRE"]),
    min_size=1,
    max_size=3,
).map("".join)
ratings = st.sampled_from([0.125, 0.5, 1.0, 2.5])
schools = st.sampled_from(SCHOOLS)
tags = st.lists(st.sampled_from(TAGS), unique=True, max_size=3).map(tuple)
keys = [f"k{number}" for number in range(14)]


@st.composite
def entries(draw: st.DrawFn) -> list[Entry]:
    return [
        Entry(
            key,
            name=draw(st.none() | texts),
            note=draw(st.none() | texts),
            level=draw(st.none() | levels),
            school=draw(st.none() | schools),
            tags=draw(tags),
            flag=draw(st.booleans()),
            rating=draw(st.none() | ratings),
            weight=draw(st.none() | levels),
        )
        for key in draw(st.permutations(draw(st.lists(st.sampled_from(keys), unique=True))))
    ]


def some(values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(values, max_size=3).map(tuple)


leaf = st.one_of(
    st.builds(Predicate, st.just("key"), st.just(Op.IN), some(st.sampled_from(keys))),
    st.builds(Predicate, st.sampled_from(["name", "note"]), st.just(Op.CONTAINS), texts),
    st.builds(
        Predicate,
        st.sampled_from(["level", "weight"]),
        st.sampled_from([Op.EQUALS, Op.AT_LEAST, Op.AT_MOST]),
        levels,
    ),
    st.builds(Predicate, st.sampled_from(["level", "weight"]), st.just(Op.IN), some(levels)),
    st.builds(Predicate, st.just("school"), st.just(Op.EQUALS), schools),
    st.builds(Predicate, st.just("school"), st.just(Op.IN), some(schools)),
    st.builds(Predicate, st.just("tags"), st.just(Op.HAS_ANY), some(st.sampled_from(TAGS))),
    st.builds(Predicate, st.just("flag"), st.just(Op.EQUALS), st.booleans()),
    st.builds(Predicate, st.just("rating"), st.sampled_from([Op.AT_LEAST, Op.AT_MOST]), ratings),
)
criteria_trees = st.recursive(
    leaf,
    lambda part: st.one_of(
        st.lists(part, max_size=3).map(lambda parts: All(tuple(parts))),
        st.lists(part, max_size=3).map(lambda parts: AnyOf(tuple(parts))),
        part.map(Not),
    ),
    max_leaves=7,
)
orders = st.lists(
    st.builds(OrderKey, st.sampled_from(["level", "name", "rating", "key"]), st.booleans()),
    max_size=3,
    unique_by=lambda part: part.attribute,
).map(tuple)


@st.composite
def abilities(draw: st.DrawFn, most_calls: int = 10_000) -> ListAbilities:
    names = draw(st.lists(st.sampled_from(sorted(ABILITIES)), unique=True))
    return ListAbilities(
        tuple(ABILITIES[name] for name in names),
        sort=draw(st.sampled_from([SORT, None])),
        page_size=draw(st.sampled_from([1, 2, 4, 80])),
        counts=draw(st.booleans()),
        max_calls=most_calls,
        size=draw(st.sampled_from([len(keys), None])),
    )


def expected(records: Sequence[Entry], criteria: Criteria, order: Sequence[OrderKey]) -> list[Entry]:
    return sorted_records([row for row in records if matches(criteria, row)], order, "key")


async def all_pages(upstream: FakeList, question: Question) -> list[Answer]:
    answers = [await list_planned(upstream, question, Provenance("fake"))]
    while answers[-1].page_info.has_next_page:
        page = replace(question.page, after=answers[-1].page_info.end_cursor)
        answers.append(await list_planned(upstream, replace(question, page=page), Provenance("fake")))
    return answers


def assert_within_allow_list(upstream: FakeList) -> None:
    for request in upstream.requests:
        assert set(request.parameters) <= upstream.abilities.parameters


@steady
@given(entries(), criteria_trees, orders, abilities(), st.integers(1, 6), st.booleans())
def test_the_answer_is_that_of_reading_everything(
    records: list[Entry],
    criteria: Criteria,
    order: tuple[OrderKey, ...],
    able: ListAbilities,
    first: int,
    counted: bool,
) -> None:
    upstream = FakeList(records, able)
    wanted = replace(EVERYTHING_WANTED, total_count=counted)
    answers = asyncio.run(all_pages(upstream, Question(wanted, criteria, order, PageRequest(first))))
    right = expected(records, criteria, order)
    assert [list(answer.nodes) for answer in answers] == [
        right[start : start + first] for start in range(0, max(len(right), 1), first)
    ]
    assert [answer.page_info.has_previous_page for answer in answers] == [False] + [True] * (len(answers) - 1)
    assert {answer.total_count for answer in answers} == {len(right) if counted else None}
    for answer in answers:
        assert answer.provenance.complete == (answer.provenance.warnings == [])
        assert answer.provenance.complete
    assert_within_allow_list(upstream)
    assert upstream.doubts.filters == set()
    assert not upstream.doubts.count


@steady
@given(entries(), criteria_trees, abilities())
def test_a_bare_count_is_that_of_reading_everything(
    records: list[Entry], criteria: Criteria, able: ListAbilities
) -> None:
    upstream = FakeList(records, able)
    question = Question(Wanted((), records=False, total_count=True), criteria)
    answer = asyncio.run(list_planned(upstream, question, Provenance("fake")))
    assert answer.total_count == len(expected(records, criteria, ()))
    assert list(answer.nodes) == []


@steady
@given(entries(), criteria_trees, orders, abilities())
def test_without_an_index_an_answer_is_whole_or_says_that_it_is_not(
    records: list[Entry], criteria: Criteria, order: tuple[OrderKey, ...], able: ListAbilities
) -> None:
    upstream = FakeList(records, able, index=False)
    question = Question(EVERYTHING_WANTED, criteria, order, PageRequest(100))
    answer = asyncio.run(list_planned(upstream, question, Provenance("fake")))
    right = expected(records, criteria, order)
    if answer.provenance.complete:
        assert list(answer.nodes) == right
        assert answer.total_count == len(right)
    else:
        assert list(answer.nodes) == [row for row in right if row in answer.nodes]
        assert answer.total_count is None
        assert any("can miss records" in warning for warning in answer.provenance.warnings)


@steady
@given(entries(), criteria_trees, orders, abilities(), st.data())
def test_a_filter_that_has_no_effect_is_caught_and_the_answer_is_right(
    records: list[Entry],
    criteria: Criteria,
    order: tuple[OrderKey, ...],
    able: ListAbilities,
    data: st.DataObject,
) -> None:
    ignored = data.draw(st.lists(st.sampled_from(sorted(able.parameters - {"ordering"}) or ["none"])))
    upstream = FakeList(records, able, ignored=ignored)
    question = Question(EVERYTHING_WANTED, criteria, order, PageRequest(100))
    provenance = Provenance("fake")
    answer = asyncio.run(list_planned(upstream, question, provenance))
    right = expected(records, criteria, order)
    assert list(answer.nodes) == right
    assert answer.total_count == len(right)
    assert {name for ability in upstream.doubts.filters for name in ability.names} <= {
        name for ability in able.filters for name in ability.names if set(ability.names) & set(ignored)
    }
    assert bool(provenance.warnings) == bool(upstream.doubts.filters or upstream.doubts.count)


@steady
@given(entries(), criteria_trees, orders, abilities(most_calls=3), st.integers(1, 6))
def test_a_question_within_its_budget_stays_there_and_any_other_makes_no_request(
    records: list[Entry], criteria: Criteria, order: tuple[OrderKey, ...], able: ListAbilities, first: int
) -> None:
    upstream = FakeList(records, replace(able, size=len(keys)))
    question = Question(EVERYTHING_WANTED, criteria, order, PageRequest(first))
    try:
        answer = asyncio.run(list_planned(upstream, question, Provenance("fake")))
    except QueryTooExpensive:
        assert upstream.requests == []
    else:
        assert len(upstream.requests) <= 3
        assert list(answer.nodes) == expected(records, criteria, order)[:first]


@steady
@given(criteria_trees, orders, abilities(), st.integers(1, 6))
def test_every_request_was_foreseen(
    criteria: Criteria, order: tuple[OrderKey, ...], able: ListAbilities, first: int
) -> None:
    records = [Entry(key, level=number % 3, name=key) for number, key in enumerate(keys)]
    upstream = FakeList(records, replace(able, size=len(records)), index=False)
    question = Question(EVERYTHING_WANTED, criteria, order, PageRequest(first))
    plan = make_plan(question, upstream.abilities, key="key", upstream="Fakelore")
    asyncio.run(list_planned(upstream, question, Provenance("fake")))
    assert len(upstream.requests) <= plan.worst_case
    assert {tuple(request.parameters.items()) for request in upstream.requests} <= {
        tuple({**call.parameters, **plan.ordering}.items()) for call in plan.calls
    }


def test_the_budget_of_the_property_is_met_both_ways() -> None:
    """The property above would prove nothing if every question were refused, or none."""
    records = [Entry(key, weight=1) for key in keys]
    able = ListAbilities(page_size=4, max_calls=3, size=len(keys))
    question = Question(EVERYTHING_WANTED, Predicate("weight", Op.EQUALS, 1))
    with pytest.raises(QueryTooExpensive):
        asyncio.run(list_planned(FakeList(records, able), question, Provenance("fake")))
    upstream = FakeList(records, replace(able, page_size=5))
    answer = asyncio.run(list_planned(upstream, question, Provenance("fake")))
    assert answer.total_count == len(keys)
    assert len(upstream.requests) == 3
