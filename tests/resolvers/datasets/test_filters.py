"""Filters, orders and the other words of a search, by what they find."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from resolvers.datasets.queries import DatasetsAnswer, DatasetSearch, find_datasets
from resolvers.question import PageRequest, Wanted
from sources.criteria import AnyOf, Criteria, Not, Op, Predicate
from sources.errors import BadInput
from tests.support.ckan_world import CkanWorld, ckan_world
from tests.support.fake_ckan import FakeCkan
from tests.support.fake_ckan.corpus import Line, golden_packages, package, resource

ALL = Wanted((), cursors=True, has_next=True, total_count=True)


async def search(world: CkanWorld, q: str | None = None, **more: Any) -> DatasetsAnswer:
    page = PageRequest(more.pop("first", 50), more.pop("after", None))
    return await find_datasets(world.scope, DatasetSearch(world.url, ALL, q, page=page, **more))


def ids(answer: DatasetsAnswer) -> str:
    return " ".join(sorted(dataset.dataset_id.removeprefix("d") for dataset in answer.nodes))


def tags(*values: str) -> Predicate:
    return Predicate("tags", Op.HAS_ANY, values, "filter.tags")


def organization(*values: str) -> Predicate:
    return Predicate("organization", Op.IN, values, "filter.organization")


@pytest.mark.parametrize(
    ("criteria", "found"),
    [
        (tags("aria"), "01 02"),
        (tags("aria", "acqua"), "01 02 03"),
        (tags(), ""),
        (organization("comune-milano"), "01 03 04"),
        (AnyOf((tags("acqua"), organization("comune-bari"))), "03 06"),
        (Not(organization("comune-milano")), "02 05 06 07 08 09 10 11 12 13 14 15"),
        (Not(AnyOf((tags("aria"), Not(organization("comune-milano"))))), "03 04"),
        (Predicate("metadata_modified", Op.AT_LEAST, datetime(2024, 2, 27, tzinfo=UTC)), "01 02"),
    ],
)
async def test_a_filter_finds_what_it_says(criteria: Criteria, found: str) -> None:
    async with ckan_world(FakeCkan()) as world:
        answer = await search(world, criteria=criteria)
        assert ids(answer) == found
        assert answer.provenance.residual == []


async def test_pushed_filters_are_named() -> None:
    async with ckan_world(FakeCkan()) as world:
        answer = await search(world, "aria", criteria=organization("comune-milano"))
        assert ids(answer) == "01 04"
        assert answer.provenance.pushed_down == ["organization"]


@pytest.mark.parametrize(
    ("fq", "found"),
    [
        ("organization:comune-milano", "01 03 04"),
        ("organization:comune-milano OR organization:comune-bari", "01 03 04 06"),
        ("organization:(comune-milano OR comune-bari)", "01 03 04 06"),
        ("-organization:comune-milano tags:aria", "02"),
        ("tags:aria AND organization:comune-milano", "01"),
    ],
)
async def test_a_callers_own_filter_filters(fq: str, found: str) -> None:
    """A bare OR between CKAN's own clauses would let the whole catalog through."""
    async with ckan_world(FakeCkan()) as world:
        assert ids(await search(world, fq=fq)) == found
        assert ids(await search(world, fq=fq, criteria=Not(tags("nothing")))) == found


@pytest.mark.parametrize("how", ["fq", "filter"])
async def test_a_format_is_found_in_any_case(how: str) -> None:
    portal = FakeCkan(
        [
            package(Line(f"d0{number}", "x", "", ("x",), "o"), resources=[resource("r", "d", format=written)])
            for number, written in enumerate(["CSV", "csv", "JSON", ".csv"], 1)
        ]
    )
    async with ckan_world(portal) as world:
        if how == "fq":
            answer = await search(world, fq="res_format:csv")
            assert "upper and lower case" in answer.provenance.warnings[0]
        else:
            answer = await search(world, criteria=Predicate("format", Op.IN, ("csv",)))
        assert ids(answer) == "01 02 04"


def with_datastore(*active: int) -> FakeCkan:
    packages = golden_packages()
    for number, raw in enumerate(packages, 1):
        raw["resources"] = [resource("r", raw["id"], datastore_active=number in active)]
    return FakeCkan(packages)


async def test_what_the_portal_cannot_filter_is_filtered_here_and_named() -> None:
    async with ckan_world(with_datastore(1, 4, 12)) as world:
        answer = await search(
            world, criteria=Predicate("has_datastore", Op.EQUALS, True, "filter.hasDatastore")
        )
        assert (ids(answer), answer.total_count) == ("01 04 12", 3)
        assert answer.provenance.residual == ["hasDatastore"]
        assert (answer.provenance.complete, answer.provenance.scanned) == (True, 15)


async def test_pages_of_what_is_filtered_here_hold_every_dataset_once() -> None:
    wanted = Predicate("has_datastore", Op.EQUALS, True)
    async with ckan_world(with_datastore(1, 3, 5, 7, 9)) as world:
        seen, after = [], None
        while True:
            answer = await search(world, criteria=wanted, first=2, after=after)
            seen.append(ids(answer))
            after = answer.page_info.end_cursor
            if not answer.page_info.has_next_page:
                break
        assert sorted(" ".join(seen).split()) == ["01", "03", "05", "07", "09"]
        assert len(seen) == 3


async def test_a_scan_that_ends_early_says_so() -> None:
    lines = [Line(f"n{number:03}", "x", "", ("x",), "o") for number in range(250)]
    portal = FakeCkan([package(line) for line in lines])
    async with ckan_world(portal, scan_datasets=100) as world:
        answer = await search(
            world, criteria=Predicate("has_datastore", Op.EQUALS, True, "filter.hasDatastore")
        )
        assert (list(answer.nodes), answer.total_count) == ([], None)
        assert not answer.provenance.complete
        assert "100 of 250 datasets were read" in answer.provenance.warnings[0]


async def test_recent_datasets_are_those_issued_lately_or_else_taken_up_lately() -> None:
    packages = golden_packages()[:4]
    dates = ["2027-01-10", "2026-12-31", None, None]
    created = ["2020-01-01T00:00:00", "2027-01-12T00:00:00", "2027-01-12T00:00:00", "2020-01-01T00:00:00"]
    for raw, issued, taken_up in zip(packages, dates, created, strict=True):
        raw["metadata_created"] = taken_up
        raw["extras"] = [{"key": "issued", "value": issued}] if issued else []
    async with ckan_world(FakeCkan(packages)) as world:  # The clock of tests shows 2027-01-15.
        answer = await search(world, content_recent=True, content_recent_days=5)
        assert ids(answer) == "01 03"
        assert answer.sort == "issued desc, metadata_created desc, id asc"
        assert ids(await search(world, "aria", content_recent=True, content_recent_days=30)) == "01 02"


async def test_an_order_is_made_total() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answer = await search(world, sort="metadata_created asc")
        assert [dataset.dataset_id for dataset in answer.nodes][:2] == ["d15", "d14"]
        assert portal.searches[0]["sort"] == "metadata_created asc, id asc"


async def test_a_cursor_belongs_to_its_question() -> None:
    async with ckan_world(FakeCkan()) as world:
        after = (await search(world, "aria", first=1)).page_info.end_cursor
        assert ids(await search(world, "aria", first=5, after=after)) == "01 04"
        for other in (
            {"q": "acqua"},
            {"q": "aria", "sort": "name asc"},
            {"q": "aria", "criteria": tags("aria")},
        ):
            with pytest.raises(BadInput, match="cursor of another query"):
                await search(world, **{"first": 1, "after": after, **other})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "words"),
    [("mobilite", "another stem"), ("niente affatto", "join them by OR")],
)
async def test_a_search_without_a_hit_says_what_may_help(query: str, words: str) -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answer = await search(world, query)
        assert answer.total_count == 0
        assert any(words in warning for warning in answer.provenance.warnings)
        assert len(portal.calls) == 1


async def test_a_field_query_over_text_dates_counts_with_dates() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answer = await search(world, "modified:[NOW-30DAYS TO NOW]")
        assert answer.provenance.effective_query == "modified:[2026-12-16T08:00:00Z TO 2027-01-15T08:00:00Z]"
        assert portal.searches[0]["q"] == answer.provenance.effective_query
