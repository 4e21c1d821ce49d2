"""Plans carried out: which pages are read, what is checked here, and what the answer says about itself."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from resolvers import cursor
from resolvers.planned_listing import list_planned
from resolvers.question import Answer, PageRequest, Question, Wanted
from sources.ability import ListAbilities, UpstreamPage
from sources.criteria import EVERYTHING, All, AnyOf, Criteria, Not, Op, Predicate
from sources.errors import BadInput, QueryTooExpensive, UpstreamTimeout
from sources.page import OrderKey
from sources.provenance import Provenance
from tests.support.list_upstream import ABILITIES, SORT, Entry, FakeList, Request, declared

WANTED = Wanted(("key",), cursors=True, has_next=True, has_previous=True, total_count=True)
UNCOUNTED = replace(WANTED, total_count=False)
BY_LEVEL = (OrderKey("level"),)

LEVEL_3 = Predicate("level", Op.EQUALS, 3, "filter.level")
HEAVY = Predicate("weight", Op.AT_LEAST, 5, "filter.weightMin")


def hundred(**every: int) -> list[Entry]:
    """Entries `k000` to `k099`; attributes are the number modulo the given value."""
    return [
        Entry(f"k{number:03}", **{name: number % modulus for name, modulus in every.items()})  # type: ignore[arg-type]
        for number in range(100)
    ]


async def ask(
    upstream: FakeList,
    criteria: Criteria = EVERYTHING,
    *,
    wanted: Wanted = WANTED,
    order: tuple[OrderKey, ...] = BY_LEVEL,
    first: int = 20,
    after: str | None = None,
) -> Answer:
    question = Question(wanted, criteria, order, PageRequest(first, after))
    return await list_planned(upstream, question, Provenance("fake"))


def keys(answer: Answer) -> list[str]:
    return [node.key for node in answer.nodes]


async def test_one_call_answers_what_the_upstream_can_do_whole() -> None:
    upstream = FakeList(hundred(level=5), declared())
    answer = await ask(upstream, LEVEL_3, first=3)
    assert keys(answer) == ["k003", "k008", "k013"]
    assert answer.total_count == 20
    assert (answer.page_info.has_next_page, answer.page_info.has_previous_page) == (True, False)
    assert upstream.requests == [Request({"level": "3", "ordering": "level,key"}, 0, 3)]
    account = answer.provenance
    assert (account.pushed_down, account.residual) == (["level"], [])
    assert (account.scanned, account.upstream_requests, account.complete) == (3, 1, True)
    assert account.effective_query == "level=3&ordering=level%2Ckey"
    assert account.warnings == []


async def test_a_cursor_goes_on_where_its_page_ended() -> None:
    upstream = FakeList(hundred(level=5), declared())
    start = await ask(upstream, LEVEL_3, first=18)
    rest = await ask(upstream, LEVEL_3, first=18, after=start.page_info.end_cursor)
    assert keys(rest) == ["k093", "k098"]
    assert (rest.page_info.has_next_page, rest.page_info.has_previous_page) == (False, True)
    assert rest.total_count == 20


async def test_all_is_read_filtered_sorted_and_cut_where_something_remains() -> None:
    upstream = FakeList(hundred(level=5, weight=7), declared(page_size=8))
    answer = await ask(upstream, All((LEVEL_3, HEAVY)), order=(OrderKey("weight", descending=True),), first=2)
    assert keys(answer) == ["k013", "k048"]
    assert answer.total_count == 5
    assert upstream.requests == [
        Request({"level": "3", "ordering": "key"}, offset, 8) for offset in (0, 8, 16)
    ]
    account = answer.provenance
    assert (account.pushed_down, account.residual, account.scanned) == (["level"], ["weightMin"], 20)


async def test_reading_in_order_stops_when_the_page_is_full_and_one_more_is_known() -> None:
    upstream = FakeList(hundred(weight=10), declared(page_size=80))
    answer = await ask(upstream, HEAVY, wanted=UNCOUNTED, order=(), first=10)
    assert keys(answer) == ["k005", "k006", "k007", "k008", "k009", "k015", "k016", "k017", "k018", "k019"]
    assert answer.page_info.has_next_page
    assert answer.total_count is None
    assert upstream.requests == [
        Request({"ordering": "key"}, 0, 20),
        Request({"ordering": "key"}, 20, 20),
    ]


async def test_pages_grow_by_the_share_of_rows_that_were_of_use() -> None:
    records = [replace(row, weight=9) if row.key > "k090" else row for row in hundred()]
    upstream = FakeList(records, declared(page_size=80))
    answer = await ask(upstream, HEAVY, wanted=UNCOUNTED, order=(), first=3)
    assert keys(answer) == ["k091", "k092", "k093"]
    assert [(request.offset, request.limit) for request in upstream.requests] == [(0, 20), (0, 80), (80, 80)]
    assert answer.provenance.scanned == 120


async def test_what_a_subset_search_misses_is_added_by_key() -> None:
    records = [
        Entry("a", "Kulmking"),
        Entry("b", "Külmking"),
        Entry("c", "King"),
        Entry("d", "Old Kulmking’s Ghost"),
    ]
    upstream = FakeList(records, declared())
    kulmking = Predicate("name", Op.CONTAINS, "kulmking", "filter.name")
    answer = await ask(upstream, kulmking, order=(OrderKey("name"),))
    assert keys(answer) == ["a", "b", "d"]
    assert (answer.total_count, answer.provenance.complete) == (3, True)
    assert [request.parameters for request in upstream.requests] == [
        {"name__icontains": "kulmking", "ordering": "key"},
        {"key__in": "b", "ordering": "key"},
    ]

    upstream = FakeList(records, declared(), index=False)
    answer = await ask(upstream, kulmking, order=(OrderKey("name"),))
    assert keys(answer) == ["a", "d"]
    assert (answer.total_count, answer.provenance.complete) == (None, False)
    assert answer.provenance.warnings == [
        "The search of Fakelore for `name` can miss records, and no index of names is at hand to add them."
    ]


async def test_a_search_that_misses_nothing_makes_no_call_by_key() -> None:
    upstream = FakeList([Entry("a", "Ogre"), Entry("b", "Half-Ogre"), Entry("c", "Orc")], declared())
    answer = await ask(upstream, Predicate("name", Op.CONTAINS, "ogre"))
    assert keys(answer) == ["a", "b"]
    assert [request.parameters for request in upstream.requests] == [
        {"name__icontains": "ogre", "ordering": "key"}
    ]


async def test_rows_that_come_twice_are_one_record() -> None:
    records = [Entry("a", tags=("acid", "fire")), Entry("b", tags=("fire",)), Entry("c", tags=("cold",))]
    either = Predicate("tags", Op.HAS_ANY, ("acid", "fire"), "filter.damageType")
    joined = FakeList(records, declared(["tag_list"]))
    answer = await ask(joined, either)
    assert (keys(answer), answer.total_count, answer.provenance.scanned) == (["a", "b"], 2, 3)

    single = FakeList(records, declared(["tag"]))
    answer = await ask(single, either)
    assert (keys(answer), answer.total_count, answer.provenance.scanned) == (["a", "b"], 2, 3)
    assert [request.parameters["tag"] for request in single.requests] == ["acid", "fire"]


async def test_branches_of_any_of_are_merged_by_key() -> None:
    upstream = FakeList(hundred(level=5, weight=7), declared())
    low = Predicate("level", Op.AT_MOST, 0, "filter.anyOf[0].levelMax")
    some = Predicate("key", Op.IN, ("k000", "k001"), "filter.anyOf[1].key")
    answer = await ask(upstream, AnyOf((low, some)), order=())
    assert answer.total_count == 21
    assert keys(answer)[:3] == ["k000", "k001", "k005"]
    assert answer.provenance.pushed_down == ["anyOf[0].levelMax", "anyOf[1].key"]


async def test_absent_values_fail_their_predicate_pass_its_negation_and_come_last() -> None:
    records = [Entry("a", level=None), Entry("b", level=3), Entry("c", level=1)]
    upstream = FakeList(records, declared())
    descending = (OrderKey("level", descending=True),)
    assert keys(await ask(upstream, order=descending)) == ["b", "c", "a"]
    assert keys(await ask(upstream, Not(LEVEL_3))) == ["c", "a"]
    assert keys(await ask(upstream, Predicate("level", Op.AT_MOST, 9))) == ["c", "b"]


async def test_nothing_is_asked_for_what_nobody_wants_or_nothing_can_match() -> None:
    upstream = FakeList(hundred(level=5), declared())
    answer = await ask(upstream, LEVEL_3, wanted=Wanted((), records=False))
    assert (keys(answer), answer.total_count) == ([], None)
    answer = await ask(upstream, Predicate("key", Op.IN, ()))
    assert (keys(answer), answer.total_count, answer.provenance.complete) == ([], 0, True)
    assert (answer.page_info.start_cursor, answer.page_info.has_next_page) == (None, False)
    assert upstream.requests == []


async def test_a_bare_count_is_one_small_page() -> None:
    upstream = FakeList(hundred(level=5), declared(page_size=80))
    answer = await ask(upstream, LEVEL_3, wanted=Wanted((), records=False, total_count=True))
    assert (keys(answer), answer.total_count) == ([], 20)
    assert upstream.requests == [Request({"level": "3"}, 0, 20)]


async def test_a_filter_without_effect_is_caught_once_and_applied_here_from_then_on() -> None:
    upstream = FakeList(hundred(level=5), declared(), ignored=["level"])
    answer = await ask(upstream, LEVEL_3, first=3)
    assert (keys(answer), answer.total_count) == (["k003", "k008", "k013"], 20)
    assert upstream.doubts.filters == {ABILITIES["level"]}
    account = answer.provenance
    assert account.warnings == [
        "Fakelore gave records that its filter `level` should have left out; it is applied here from now on."
    ]
    assert account.complete
    # The range filter serves a single level as well, so it takes over.
    assert (account.pushed_down, account.residual) == (["level"], [])
    assert [request.parameters for request in upstream.requests] == [
        {"level": "3", "ordering": "level,key"},
        {"level__range": "3,3", "ordering": "level,key"},
    ]

    upstream.requests.clear()
    again = await ask(upstream, LEVEL_3, first=3)
    assert (keys(again), again.provenance.warnings) == (["k003", "k008", "k013"], [])
    assert len(upstream.requests) == 1


async def test_a_caught_filter_without_a_substitute_becomes_a_residual() -> None:
    upstream = FakeList(hundred(level=5), declared(["level"]), ignored=["level"])
    answer = await ask(upstream, LEVEL_3, first=3)
    assert (keys(answer), answer.total_count) == (["k003", "k008", "k013"], 20)
    assert (answer.provenance.pushed_down, answer.provenance.residual) == ([], ["level"])


async def test_a_negated_filter_without_effect_is_caught_as_well() -> None:
    records = [Entry("a", flag=True), Entry("b")]
    upstream = FakeList(records, declared(["flag"]), ignored=["flag"])
    assert keys(await ask(upstream, Not(Predicate("flag", Op.EQUALS, True)))) == ["b"]
    assert upstream.doubts.filters == {ABILITIES["flag"]}


async def test_a_superset_filter_may_give_other_rows() -> None:
    upstream = FakeList([Entry("a", note="Frost"), Entry("b", note="Fire")], declared())
    answer = await ask(upstream, Predicate("note", Op.CONTAINS, "frost"))
    assert (keys(answer), answer.total_count, answer.provenance.scanned) == (["a"], 1, 2)
    assert answer.provenance.warnings == []
    assert upstream.doubts.filters == set()


async def test_an_order_that_is_not_kept_is_caught_and_made_here() -> None:
    upstream = FakeList(hundred(level=5), declared(), ignored=["ordering"])
    answer = await ask(upstream, order=BY_LEVEL, first=6)
    assert keys(answer) == ["k000", "k005", "k010", "k015", "k020", "k025"]
    assert upstream.doubts.orders == {BY_LEVEL}
    assert answer.provenance.warnings == [
        "Fakelore did not sort as it was asked to; this order is made here from now on."
    ]


@pytest.mark.parametrize("wanted", [WANTED, Wanted((), records=False, total_count=True)])
async def test_a_count_that_is_wrong_is_caught_and_counted_here(wanted: Wanted) -> None:
    upstream = FakeList(hundred(level=50), declared(), miscount=4)
    answer = await ask(upstream, LEVEL_3, wanted=wanted)
    assert answer.total_count == 2
    assert upstream.doubts.count
    assert answer.provenance.warnings == [
        "Fakelore gave a count that is not that of its records; they are counted here from now on."
    ]


async def test_a_count_over_undeclared_duplicates_is_caught() -> None:
    twice = [*hundred(level=5), *hundred(level=5)]
    upstream = FakeList(twice, declared())
    answer = await ask(upstream, LEVEL_3, first=3)
    assert (keys(answer), answer.total_count) == (["k003", "k008", "k013"], 20)


async def test_a_list_of_unknown_size_is_cut_at_the_budget_and_says_so() -> None:
    upstream = FakeList(hundred(weight=10), declared(page_size=20, max_calls=3))
    answer = await ask(upstream, HEAVY, first=50)
    assert len(answer.nodes) == 30
    assert (answer.total_count, answer.provenance.complete) == (None, False)
    assert answer.provenance.warnings == [
        "Reading stopped after 3 requests to Fakelore; records beyond are missing."
    ]
    answer = await ask(upstream, HEAVY, wanted=UNCOUNTED, first=50, order=())
    assert (len(answer.nodes), answer.provenance.complete) == (30, False)
    assert not answer.page_info.has_next_page


async def test_pages_smaller_than_asked_for_are_not_taken_for_the_end() -> None:
    upstream = FakeList(hundred(weight=10), declared(page_size=80), largest=30)
    answer = await ask(upstream, HEAVY, first=50)
    assert len(answer.nodes) == 15
    assert (answer.total_count, answer.provenance.complete) == (None, False)
    assert answer.provenance.warnings == [
        "Fakelore gave 30 records where 80 were asked for; records beyond are missing."
    ]


@pytest.mark.parametrize("wanted", [WANTED, UNCOUNTED])
@pytest.mark.parametrize("order", [BY_LEVEL, (OrderKey("weight"),)])
@pytest.mark.parametrize("criteria", [EVERYTHING, HEAVY])
async def test_a_record_that_cannot_be_read_costs_no_other(
    criteria: Criteria, order: tuple[OrderKey, ...], wanted: Wanted
) -> None:
    """Neither the rows that follow on its page and on others, nor the trust in the upstream's count."""
    bad = {"k000", "k042", "k099"}
    upstream = FakeList(hundred(level=5, weight=7), declared(page_size=16), unreadable=bad)
    found: list[str] = []
    after: str | None = None
    while True:
        answer = await ask(upstream, criteria, wanted=wanted, order=order, first=13, after=after)
        assert answer.provenance.warnings == []
        found += keys(answer)
        after = answer.page_info.end_cursor
        if not answer.page_info.has_next_page:
            break
    meant = FakeList([row for row in upstream.records if row.key not in bad], declared(page_size=100))
    assert found == keys(await ask(meant, criteria, wanted=UNCOUNTED, order=order, first=100))
    assert not upstream.doubts.count


@pytest.mark.parametrize("order", [BY_LEVEL, (OrderKey("weight"),)])
async def test_a_list_that_changes_between_its_pages_is_told_of(order: tuple[OrderKey, ...]) -> None:
    upstream = FakeList(hundred(weight=7), declared(page_size=16), departing="k000")
    answer = await ask(upstream, HEAVY, wanted=UNCOUNTED, order=order, first=20)
    assert len(answer.nodes) == 20
    assert answer.provenance.complete is False
    assert answer.provenance.warnings == [
        "The list of Fakelore changed while it was read; records may be missing."
    ]


async def test_a_refused_question_makes_no_request_not_even_to_the_index() -> None:
    class Unindexed(FakeList):
        async def complete_subset(self, predicate: Predicate) -> None:
            raise AssertionError("asked")

    upstream = Unindexed(hundred(weight=10), declared(page_size=2, max_calls=5, size=100))
    search = Predicate("name", Op.CONTAINS, "king")
    with pytest.raises(QueryTooExpensive):
        await ask(upstream, All((search, HEAVY)))
    assert upstream.requests == []


async def test_an_index_that_knows_too_many_keys_gives_way_to_reading_everything() -> None:
    records = [Entry(f"k{number:03}", "Külm" if number % 2 else "Orc") for number in range(100)]
    upstream = FakeList(records, declared(page_size=50, max_calls=5, size=100))
    answer = await ask(upstream, Predicate("name", Op.CONTAINS, "kulm", "filter.name"), order=())
    assert (answer.total_count, answer.provenance.complete) == (50, True)
    assert answer.provenance.residual == ["name"]
    assert [request.parameters for request in upstream.requests] == [{"ordering": "key"}] * 2


@pytest.mark.parametrize("page", [PageRequest(None, None, 5), PageRequest(5, None, None, "x")])
async def test_lists_of_upstreams_have_no_backward_pages(page: PageRequest) -> None:
    upstream = FakeList([], declared())
    with pytest.raises(BadInput, match="Use `first` and `after`") as refusal:
        await list_planned(upstream, Question(WANTED, page=page), Provenance("fake"))
    assert refusal.value.argument in ("last", "before")


async def test_a_cursor_of_another_list_or_of_other_values_is_refused() -> None:
    upstream = FakeList(hundred(level=5), declared())
    other = await ask(upstream, order=())
    with pytest.raises(BadInput, match="cursor of another query"):
        await ask(upstream, LEVEL_3, after=other.page_info.end_cursor)
    print_ = cursor.fingerprint("entry", LEVEL_3, BY_LEVEL)
    forged = cursor.mint(("three", "k003"), print_)
    with pytest.raises(BadInput, match="not a cursor of this service"):
        await ask(upstream, LEVEL_3, after=forged)


async def test_provenance_tells_of_cached_pages() -> None:
    oldest = datetime(2026, 1, 1, tzinfo=UTC)

    class Cached(FakeList):
        async def fetch(
            self, parameters: Mapping[str, str], offset: int, limit: int, columns: Sequence[str]
        ) -> UpstreamPage:
            page = await super().fetch(parameters, offset, limit, columns)
            return replace(
                page, from_cache=True, stale=offset > 0, fetched_at=oldest.replace(day=1 if offset else 2)
            )

    upstream = Cached(hundred(weight=10), declared(page_size=80))
    account = (await ask(upstream, HEAVY)).provenance
    assert (account.from_cache, account.stale, account.fetched_at) == (True, True, oldest)
    assert (account.upstream_requests, account.scanned) == (0, 100)


async def test_the_client_is_told_which_columns_are_needed() -> None:
    seen: list[tuple[str, ...]] = []

    class Watching(FakeList):
        async def fetch(
            self, parameters: Mapping[str, str], offset: int, limit: int, columns: Sequence[str]
        ) -> UpstreamPage:
            seen.append(tuple(columns))
            return await super().fetch(parameters, offset, limit, columns)

    upstream = Watching(hundred(level=5), declared())
    await ask(upstream, HEAVY, wanted=replace(WANTED, columns=("name",)))
    assert seen == [("name", "weight", "level", "key")]


async def test_when_one_call_fails_the_others_are_stopped_and_its_error_is_raised() -> None:
    stopped: list[str] = []

    class Failing(FakeList):
        async def fetch(
            self, parameters: Mapping[str, str], offset: int, limit: int, columns: Sequence[str]
        ) -> UpstreamPage:
            if parameters["level"] == "4":
                raise UpstreamTimeout("Fakelore did not answer.", upstream="fake")
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                stopped.append(parameters["level"])
                raise
            raise AssertionError("never reached")

    upstream = Failing([], ListAbilities((ABILITIES["level"],), sort=SORT))
    with pytest.raises(UpstreamTimeout):
        await ask(upstream, Predicate("level", Op.IN, (1, 4)))
    assert stopped == ["1"]
