"""Organizations, groups, tags, portals, and DataStore rows."""

from __future__ import annotations

from typing import Any

import pytest

from resolvers.datasets.queries import (
    DatastoreAnswer,
    DatastoreSearch,
    VocabularySearch,
    datasets_by_key,
    find_groups,
    find_organizations,
    find_portals,
    find_rows,
    find_tags,
    get_portal,
)
from resolvers.question import PageRequest, Wanted
from sources.datasets.query_resolver import Verdict
from sources.datasets.records import Dataset
from sources.errors import BadInput, UpstreamBadResponse
from tests.support.ckan_world import CkanWorld, ckan_world
from tests.support.fake_ckan import FakeCkan, Profile, Table
from tests.support.fake_ckan.corpus import Line, Raw, golden_packages, identity, package
from tests.support.fake_upstream import html_error

COUNTED = Wanted((), cursors=True, has_next=True, total_count=True)


def asked(world: CkanWorld, first: int = 20, after: str | None = None, **more: Any) -> VocabularySearch:
    return VocabularySearch(world.url, more.pop("wanted", COUNTED), page=PageRequest(first, after), **more)


def organization(number: int) -> Raw:
    name = f"org-{number:03}"
    return {
        "id": identity(name),
        "name": name,
        "title": f"Organization {number}",
        "package_count": number,
        "state": "active",
        "created": "2023-01-01T00:00:00",
    }


async def test_organizations_are_paged_by_what_came_back() -> None:
    """A portal gives 25 with all fields at most, whatever is asked for."""
    portal = FakeCkan([])
    portal.more_organizations = [organization(number) for number in range(300)]
    async with ckan_world(portal) as world:
        answer = await find_organizations(world.scope, asked(world, 100))
        assert [record.name for record in answer.nodes] == [f"org-{number:03}" for number in range(100)]
        assert (answer.total_count, answer.page_info.has_next_page) == (300, True)
        after = answer.page_info.end_cursor
        rest = await find_organizations(world.scope, asked(world, 250, after))
        assert [record.name for record in rest.nodes] == [f"org-{number:03}" for number in range(100, 300)]
        assert not rest.page_info.has_next_page


async def test_one_page_of_organizations_is_one_request() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answer = await find_organizations(world.scope, asked(world, 5, wanted=Wanted((), has_next=True)))
        assert [record.name for record in answer.nodes][:2] == ["comune-bari", "comune-lecce"]
        assert answer.page_info.has_next_page
        assert len(portal.calls) == 1


@pytest.mark.parametrize(
    ("query", "names"), [("Roma", ["roma-capitale"]), ("MILANO", ["comune-milano"]), ("x", [])]
)
async def test_organizations_are_found_by_a_part_of_their_names_in_any_case(
    query: str, names: list[str]
) -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answer = await find_organizations(world.scope, asked(world, query=query))
        assert [record.name for record in answer.nodes] == names
        assert len(portal.calls) == 1


async def test_an_organization_list_that_fails_is_made_from_counts_and_says_so() -> None:
    portal = FakeCkan()
    portal.faults.always(html_error(500), path="/api/3/action/organization_list")
    async with ckan_world(portal) as world:
        answer = await find_organizations(world.scope, asked(world))
        assert len(answer.nodes) == 12
        assert {record.name: record.package_count for record in answer.nodes}["comune-milano"] == 3
        assert not answer.provenance.complete
        assert answer.total_count is None


async def test_groups_are_listed_alike() -> None:
    portal = FakeCkan()
    portal.groups = [{"id": "g1", "name": "ambiente", "title": "Ambiente", "package_count": 2}]
    async with ckan_world(portal) as world:
        answer = await find_groups(world.scope, asked(world))
        assert [(record.kind, record.name) for record in answer.nodes] == [("group", "ambiente")]


async def test_tags_come_with_counts_and_all_of_them_are_searched() -> None:
    packages = [package(Line(f"n{number}", "x", "", (f"tag{number:04}",), "o")) for number in range(1_200)]
    packages.append(package(Line("last", "x", "", ("Città",), "o")))
    portal = FakeCkan(packages)
    async with ckan_world(portal) as world:
        answer = await find_tags(world.scope, asked(world, query="citta"))
        assert [(tag.name, tag.count) for tag in answer.nodes] == [("Città", 1)]
        assert answer.provenance.scanned == 1_201
        assert len(portal.calls) == 1


async def test_tags_of_what_a_query_finds_go_through_the_same_resolver() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answer = await find_tags(world.scope, asked(world, q="aria OR acqua"))
        assert answer.provenance.effective_query == "text:(aria OR acqua)"
        assert [(tag.name, tag.count) for tag in answer.nodes] == [
            ("aria", 2),
            ("acqua", 1),
            ("ambiente", 1),
            ("rifiuti", 1),
        ]


async def test_tags_that_cannot_be_read_are_an_error() -> None:
    portal = FakeCkan(profile=Profile.SUCCESS_FALSE)
    async with ckan_world(portal) as world:
        with pytest.raises(UpstreamBadResponse):
            await find_tags(world.scope, asked(world, query="citta"))


async def test_tags_of_a_portal_that_does_not_count_them_come_from_its_list() -> None:
    portal = FakeCkan()
    portal.counts_facets = False
    async with ckan_world(portal) as world:
        answer = await find_tags(world.scope, asked(world, query="ac"))
        assert [(tag.name, tag.count) for tag in answer.nodes] == [("acqua", None)]
        assert "does not count its tags" in answer.provenance.warnings[0]


async def test_pages_of_tags() -> None:
    async with ckan_world(FakeCkan()) as world:
        first = await find_tags(world.scope, asked(world, 2))
        assert [tag.name for tag in first.nodes] == ["aria", "bonifica"]
        second = await find_tags(world.scope, asked(world, 2, first.page_info.end_cursor))
        assert [tag.name for tag in second.nodes] == ["acqua", "ambiente"]
        assert first.total_count == 16


async def test_what_a_portal_says_of_itself() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answer = await get_portal(world.scope, world.url)
        assert answer.status is not None
        assert (answer.title, answer.status.ckan_version, answer.has_datastore) == (
            "Dati di prova",
            "2.12.0",
            True,
        )
        assert (answer.verdict, len(portal.calls)) == (None, 1)
        measured = await get_portal(world.scope, world.url, with_verdict=True)
        assert measured.verdict is Verdict.WRAP
        assert len(portal.calls) == 6


async def test_an_old_portal_says_less() -> None:
    async with ckan_world(FakeCkan(profile=Profile.OLD)) as world:
        answer = await get_portal(world.scope, world.url)
        assert answer.status is not None
        assert (answer.status.ckan_version, answer.status.extensions, answer.has_datastore) == (
            "2.6.8",
            (),
            None,
        )


async def test_known_portals() -> None:
    async with ckan_world() as world:

        def keys(**given: Any) -> list[str]:
            return [portal.key for portal in find_portals(world.scope, **given)]

        assert "dati.gov.it" in keys()
        assert keys(country="switzerland") == ["opendata.swiss", "zurich"]
        assert keys(language="fr") == ["open.canada.ca", "opendata.swiss"]
        assert keys(country="Canada", has_datastore=True) == ["open.canada.ca", "toronto"]
        assert keys(query="zürich") == ["zurich"]
        with pytest.raises(BadInput, match="Did you mean `Italy`"):
            find_portals(world.scope, country="Itly")


async def test_datasets_by_key_leave_out_what_is_not_there() -> None:
    async with ckan_world(FakeCkan()) as world:
        key, missing = f"{world.url}#d01", f"{world.url}#d99"
        found = await datasets_by_key(world.scope, [key, missing, "x", "#", "nowhere#d01"], ())
        assert list(found) == [key]
        dataset = found[key]
        assert isinstance(dataset, Dataset)
        assert (dataset.title, dataset.key) == ("Qualità dell'aria Milano", key)


ROWS = [
    {"anno": 2020 + number % 3, "comune": name}
    for number, name in enumerate(["Bari", "Lecce", "Roma", "Bari", "Lecce"])
]


def datastore() -> FakeCkan:
    portal = FakeCkan(golden_packages())
    portal.tables = {"r1": Table({"anno": "int", "comune": "text"}, ROWS)}
    return portal


async def rows(world: CkanWorld, **more: Any) -> DatastoreAnswer:
    return await find_rows(world.scope, DatastoreSearch(world.url, "r1", **more))


async def test_rows_come_without_the_columns_that_ckan_adds() -> None:
    async with ckan_world(datastore()) as world:
        answer = await rows(world)
        assert list(answer.nodes) == ROWS
        assert [(field.name, field.type) for field in answer.fields] == [("anno", "int"), ("comune", "text")]
        assert answer.total_count == 5


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"filters": {"comune": "Bari"}}, [(2020, "Bari"), (2020, "Bari")]),
        ({"filters": {"comune": ["Bari", "Roma"], "anno": 2022}}, [(2022, "Roma")]),
        ({"q": "lecce"}, [(2021, "Lecce"), (2021, "Lecce")]),
        ({"sort": "comune desc, anno", "first": 2}, [(2022, "Roma"), (2021, "Lecce")]),
        ({"first": 0}, []),
    ],
)
async def test_rows_that_fit(more: dict[str, Any], found: list[tuple[int, str]]) -> None:
    async with ckan_world(datastore()) as world:
        answer = await rows(world, **more)
        assert [(row["anno"], row["comune"]) for row in answer.nodes] == found


async def test_columns_and_distinct_rows() -> None:
    async with ckan_world(datastore()) as world:
        answer = await rows(world, fields=("comune",), distinct=True, sort="comune")
        assert list(answer.nodes) == [{"comune": "Bari"}, {"comune": "Lecce"}, {"comune": "Roma"}]
        assert list((await rows(world, fields=("_id", "anno"), first=1)).nodes) == [{"_id": 1, "anno": 2020}]


async def test_a_column_with_a_blank_is_sorted_by_in_quotes() -> None:
    portal = datastore()
    portal.tables["r1"] = Table({"nome comune": "text"}, [{"nome comune": "b"}, {"nome comune": "a"}])
    async with ckan_world(portal) as world:
        for sort in ("nome comune desc", '"nome comune" desc'):
            assert [row["nome comune"] for row in (await rows(world, sort=sort)).nodes] == ["b", "a"]
        assert portal.asked[0].given["sort"] == '"nome comune" desc, _id asc'


async def test_pages_of_rows_in_a_total_order() -> None:
    portal = datastore()
    async with ckan_world(portal) as world:
        seen, after = [], None
        while True:
            answer = await rows(world, first=2, after=after, sort="comune")
            seen += [(row["comune"], row["anno"]) for row in answer.nodes]
            after = answer.page_info.end_cursor
            if not answer.page_info.has_next_page:
                break
        assert [name for name, _ in seen] == ["Bari", "Bari", "Lecce", "Lecce", "Roma"]
        assert portal.asked[0].given["sort"] == "comune asc, _id asc"


@pytest.mark.parametrize(
    ("more", "argument", "words"),
    [
        ({"filters": {"comun": "Bari"}}, "filters", "Did you mean `comune`"),
        ({"fields": ("anni",)}, "fields", "Did you mean `anno`"),
        ({"sort": "anni desc"}, "sort", "Did you mean `anno`"),
        ({"sort": "anno sideways please"}, "sort", "names the column `anno sideways please`"),
        ({"first": 40_000}, "first", "between 0 and 32000"),
        ({"after": "nonsense"}, "after", "cursor"),
    ],
)
async def test_a_wrong_question_for_rows_names_its_argument(
    more: dict[str, Any], argument: str, words: str
) -> None:
    async with ckan_world(datastore()) as world:
        with pytest.raises(BadInput, match=words) as caught:
            await rows(world, **more)
        assert caught.value.argument == argument
