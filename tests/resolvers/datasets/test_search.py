"""Searching a portal: what is found, what was sent, and how often it was asked."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio
import pytest

from resolvers.datasets.questions import DatasetsAnswer, DatasetSearch
from resolvers.datasets.search import find_datasets
from resolvers.question import PageRequest, Wanted
from sources.datasets.query_resolver import QueryParser, Reached, Verdict
from sources.deadline import bounded_by
from tests.support.ckan_world import CkanWorld, ckan_world
from tests.support.fake_ckan import FakeCkan, Profile
from tests.support.fake_ckan.corpus import Line, package
from tests.support.fake_upstream import Gate, Held

ALL = Wanted((), cursors=True, has_next=True, total_count=True)


async def search(world: CkanWorld, q: str | None = None, **more: Any) -> DatasetsAnswer:
    first, after = more.pop("first", 20), more.pop("after", None)
    asked = DatasetSearch(more.pop("url", world.url), ALL, q, page=PageRequest(first, after), **more)
    return await find_datasets(world.scope, asked)


def ids(answer: DatasetsAnswer) -> str:
    return " ".join(dataset.dataset_id.removeprefix("d") for dataset in answer.nodes)


async def test_plain_words_cost_one_request_and_no_probe() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answer = await search(world, "bonifica siti Piemonte")
        assert (ids(answer), answer.total_count) == ("07 08", 2)
        assert answer.provenance.upstream_requests == len(portal.calls) == 1
        assert answer.provenance.effective_query == "bonifica siti Piemonte"
        assert portal.searches[0]["q"] == "bonifica siti Piemonte"


async def test_a_boolean_query_on_a_fresh_portal_costs_six_requests_and_on_a_measured_one_one() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answer = await search(world, "aria OR Milano")
        assert ids(answer) == "01 04 02 03"
        assert answer.provenance.effective_query == "text:(aria OR Milano)"
        assert answer.resolved is not None
        assert (answer.resolved.probe_verdict, answer.resolved.parser) == (Verdict.WRAP, Reached.TEXT)
        assert answer.provenance.upstream_requests == len(portal.calls) == 6
        portal.forget()
        again = await search(world, "acqua OR bike")
        assert ids(again) == "03 05 06"
        assert again.provenance.upstream_requests == len(portal.calls) == 1


async def test_a_hundred_boolean_queries_at_once_measure_a_fresh_portal_once() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answers = await asyncio.gather(
            *(search(world, f"aria OR niente{'x' * number}") for number in range(100))
        )
        assert {ids(answer) for answer in answers} == {"02 01 04"}
        assert len(portal.calls) == 5 + 100
        assert sum(answer.provenance.upstream_requests for answer in answers) == 105


@pytest.mark.parametrize(
    ("profile", "query", "verdict", "effective", "found"),
    [
        (Profile.DISMAX, "aria OR Milano", Verdict.WRAP, "text:(aria OR Milano)", 4),
        (Profile.EDISMAX, "aria OR Milano", Verdict.HONOURS, "aria OR Milano", 4),
        (Profile.NO_TEXT_FIELD, "aria OR Milano", Verdict.NO_WRAPPER, "aria OR Milano", 1),
        (Profile.OLD, "aria OR Milano", Verdict.NO_WRAPPER, "aria OR Milano", 1),
        (Profile.OPERATOR_OR, "aria OR Milano", Verdict.WRAP, "text:(aria OR Milano)", 4),
        (Profile.DISMAX, "e-bike", Verdict.WRAP, r"text:(e\-bike)", 1),
        (Profile.EDISMAX, "e-bike", Verdict.HONOURS, '"e-bike"', 1),
    ],
)
async def test_the_verdict_of_each_kind_of_portal(
    profile: Profile, query: str, verdict: Verdict, effective: str, found: int
) -> None:
    async with ckan_world(FakeCkan(profile=profile)) as world:
        answer = await search(world, query)
        assert answer.resolved is not None
        assert answer.resolved.probe_verdict is verdict
        assert answer.provenance.effective_query == effective
        assert answer.total_count == found


@pytest.mark.parametrize("failing", [1, 2, 3, 4, 5])
async def test_a_measurement_that_fails_is_not_kept_and_tried_again(failing: int) -> None:
    portal = FakeCkan()
    portal.flaky = {failing}
    async with ckan_world(portal) as world:
        answer = await search(world, "aria OR Milano")
        assert answer.resolved is not None
        assert answer.resolved.probe_verdict is Verdict.UNKNOWN
        assert answer.provenance.effective_query == "aria OR Milano"
        assert any("may read OR as AND" in warning for warning in answer.provenance.warnings)
        portal.flaky = set()
        again = await search(world, "aria OR Milano")
        assert again.provenance.effective_query == "text:(aria OR Milano)"
        assert ids(again) == "01 04 02 03"


async def test_a_verdict_holds_for_its_time_and_is_measured_again_after_it() -> None:
    portal = FakeCkan()
    async with ckan_world(portal, probe_seconds=3_600) as world:
        await search(world, "aria OR Milano")
        world.world.clock.pass_by(3_500)
        portal.forget()
        await search(world, "acqua OR bike")
        assert len(portal.calls) == 1
        portal.profile = Profile.EDISMAX
        world.world.clock.pass_by(200)
        portal.forget()
        answer = await search(world, "aria OR Milano OR bike")
        assert answer.provenance.effective_query == "aria OR Milano OR bike"
        assert len(portal.calls) == 6


async def test_a_portal_is_measured_once_in_whatever_spelling_it_is_named() -> None:
    portal = FakeCkan(prefix="/opendata")
    async with ckan_world(portal) as world:
        for tail in ("", "/", "/api/3/action", "/dataset/x", "/dataset", "/en"):
            await search(world, "aria OR Milano", url=world.url + tail)
        assert len(portal.calls) == 6, "one measurement, and one search that the others share from the cache"


async def test_words_of_titles_measure_a_portal_whose_tags_tell_nothing() -> None:
    portal = FakeCkan()
    for raw in portal.packages:
        raw["tags"] = [{"name": "open-data"}, {"name": "a:b"}, {"name": "OR"}]
    portal.refresh()
    async with ckan_world(portal) as world:
        answer = await search(world, "aria OR Milano")
        assert answer.provenance.effective_query == "text:(aria OR Milano)"
        measuring = [given["q"] for given in portal.searches[2:6]]
        assert all("open-data" not in q and "a:b" not in q for q in measuring)
        assert len(portal.calls) == 7


async def test_an_empty_portal_cannot_be_measured() -> None:
    async with ckan_world(FakeCkan([])) as world:
        answer = await search(world, "aria OR Milano")
        assert answer.resolved is not None
        assert answer.resolved.probe_verdict is Verdict.UNKNOWN
        assert answer.total_count == 0
        assert any("no two words that would tell" in warning for warning in answer.provenance.warnings)


@pytest.mark.parametrize(
    ("query", "parser", "effective", "requests"),
    [
        ("aria Milano", QueryParser.TEXT, "text:(aria Milano)", 1),
        ("aria OR Milano", QueryParser.DEFAULT, "aria OR Milano", 1),
        ("title:aria OR Milano", QueryParser.TEXT, "title:aria OR Milano", 1),
        ("*:*", QueryParser.TEXT, "*:*", 1),
        (None, QueryParser.AUTO, "*:*", 1),
    ],
)
async def test_no_portal_is_measured_where_the_verdict_would_not_matter(
    query: str | None, parser: QueryParser, effective: str, requests: int
) -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answer = await search(world, query, parser=parser)
        assert answer.provenance.effective_query == effective
        assert len(portal.calls) == requests


async def test_pages_hold_every_dataset_once() -> None:
    async with ckan_world(FakeCkan()) as world:
        seen: list[str] = []
        after = None
        while True:
            answer = await search(world, first=4, after=after)
            assert answer.total_count == 15
            seen += [dataset.dataset_id for dataset in answer.nodes]
            after = answer.page_info.end_cursor
            if not answer.page_info.has_next_page:
                break
        assert sorted(seen) == [f"d{number:02}" for number in range(1, 16)]


async def test_facets_without_datasets_are_one_request() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        asked = DatasetSearch(world.url, Wanted((), records=False), facet_field=("organization",))
        answer = await find_datasets(world.scope, asked)
        assert not answer.nodes
        assert [(value.name, value.count) for value in answer.facets[0].values][:2] == [
            ("comune-milano", 3),
            ("regione-puglia", 2),
        ]
        assert [given["rows"] for given in portal.searches] == ["0"]


async def test_a_search_does_not_wait_for_a_portal_that_is_slow_to_be_measured() -> None:
    portal, gate = FakeCkan(), Gate()
    portal.faults.once(Held(gate))
    async with ckan_world(portal) as world:
        with bounded_by(anyio.current_time() + 2):
            answer = await search(world, "aria OR Milano")
        assert answer.resolved is not None
        assert answer.resolved.probe_verdict is Verdict.UNKNOWN
        assert answer.total_count == 2
        assert any("did not answer in time" in warning for warning in answer.provenance.warnings)
        gate.open()


async def test_a_portal_that_gives_fewer_than_it_counts_is_told() -> None:
    lines = [Line(f"n{number:04}", "x", "", ("x",), "o") for number in range(1_005)]
    async with ckan_world(FakeCkan([package(line) for line in lines])) as world:
        answer = await search(world, first=5_000)
        assert (len(answer.nodes), answer.total_count) == (1_000, 1_005)
        assert answer.page_info.has_next_page
        assert not answer.provenance.complete
        rest = await search(world, first=5_000, after=answer.page_info.end_cursor)
        assert (len(rest.nodes), rest.page_info.has_next_page, rest.provenance.complete) == (5, False, True)
