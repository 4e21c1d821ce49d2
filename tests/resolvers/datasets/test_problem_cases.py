"""Forty ways in which clients of CKAN go wrong, each asked of a portal from end to end."""

from __future__ import annotations

from typing import Any

import pytest

from resolvers.datasets.queries import (
    DatasetsAnswer,
    DatasetSearch,
    RelevanceAnswer,
    RelevanceSearch,
    VocabularySearch,
    find_datasets,
    find_organizations,
    find_relevant,
    find_resources,
    find_tags,
    get_dataset,
)
from resolvers.question import PageRequest, Wanted
from sources.datasets.query_resolver import QueryParser, Verdict
from sources.datasets.source_check import SourceState
from sources.errors import NotCkan, PortalBlocked, UpstreamBadResponse
from tests.support.ckan_world import CkanWorld, ckan_world
from tests.support.fake_ckan import FakeCkan, Profile, Table
from tests.support.fake_ckan.corpus import Line, identity, package, resource
from tests.support.fake_upstream import Canned

ALL = Wanted((), cursors=True, has_next=True, total_count=True)
LINE = Line("d1", "Title", "", ("x",), "town")


async def search(world: CkanWorld, q: str | None = None, **more: Any) -> DatasetsAnswer:
    page = PageRequest(more.pop("first", 50))
    return await find_datasets(
        world.scope, DatasetSearch(more.pop("url", world.url), ALL, q, page=page, **more)
    )


async def rank(world: CkanWorld, query: str, **more: Any) -> RelevanceAnswer:
    return await find_relevant(world.scope, RelevanceSearch(world.url, query, **more))


def ids(answer: DatasetsAnswer) -> list[str]:
    return [dataset.dataset_id.removeprefix("d") for dataset in answer.nodes]


AUTO, TEXT = QueryParser.AUTO, QueryParser.TEXT
QUERIES: list[tuple[str, Profile, QueryParser, str, str, int]] = [
    ("01 a disjunction", Profile.DISMAX, AUTO, "aria OR Milano", "text:(aria OR Milano)", 4),
    ("02 plain words", Profile.DISMAX, AUTO, "bonifica siti contaminati Piemonte", "", 1),
    ("04 many words", Profile.DISMAX, AUTO, "siti contaminati bonifica aree industriali dismesse Puglia", "", 1),
    ("05 a minus", Profile.DISMAX, AUTO, "aria -rifiuti", "", 2),
    ("05 a minus, wrapped", Profile.DISMAX, TEXT, "aria -rifiuti", "text:(aria -rifiuti)", 2),
    ("05 two plusses", Profile.DISMAX, TEXT, "+aria +Torino", "text:(+aria +Torino)", 1),
    ("06 a minus in parentheses", Profile.DISMAX, AUTO, "bike OR (-aria)", "text:(bike OR (-aria))", 2),
    ("07 escaped parentheses", Profile.DISMAX, AUTO, r"foo OR \(aria\)", r"text:(foo OR \(aria\))", 3),
    ("10 no field for all text", Profile.NO_TEXT_FIELD, AUTO, "aria OR Torino", "", 1),
    ("10 CKAN 2.6", Profile.OLD, AUTO, "aria OR Torino", "", 1),
    ("11 everything, wrapped", Profile.DISMAX, TEXT, "*:*", "", 15),
    ("12 a field, wrapped", Profile.DISMAX, TEXT, "title:aria", "", 2),
    ("13 a phrase", Profile.DISMAX, AUTO, 'acqua OR "aria Milano"', 'text:(acqua OR "aria Milano")', 2),
    ("14 an odd quote", Profile.DISMAX, AUTO, 'bike OR "acqua', r"text:(bike OR \"acqua)", 3),
    ("14 a bracket", Profile.DISMAX, AUTO, "bike OR [acqua", r"text:(bike OR \[acqua)", 3),
    ("14 a slash", Profile.DISMAX, AUTO, "bike OR /acqua", r"text:(bike OR \/acqua)", 3),
    ("14 a parenthesis", Profile.DISMAX, AUTO, "bike OR acqua)", r"text:(bike OR acqua\))", 3),
    ("15 a colon", Profile.DISMAX, AUTO, "Sea Levels Online: variations", r"Sea Levels Online\: variations", 1),
    ("16 a DOI", Profile.DISMAX, AUTO, "doi:10.5281/zenodo", r"doi\:10.5281\/zenodo", 0),
    ("16 a URN", Profile.DISMAX, AUTO, "urn:nbn:it:x", r"urn\:nbn\:it\:x", 0),
    ("16 a URL", Profile.DISMAX, AUTO, "https://x.org/aria?a=1", r"https\:\/\/x.org\/aria\?a=1", 0),
    ("37 a star", Profile.DISMAX, AUTO, "*", "*:*", 15),
]  # fmt: skip


@pytest.mark.parametrize(
    ("profile", "parser", "query", "effective", "count"),
    [row[1:] for row in QUERIES],
    ids=[row[0] for row in QUERIES],
)
async def test_case(profile: Profile, parser: QueryParser, query: str, effective: str, count: int) -> None:
    async with ckan_world(FakeCkan(profile=profile)) as world:
        answer = await search(world, query, parser=parser)
        assert answer.provenance.effective_query == (effective or query)
        assert answer.total_count == count


async def test_case_03_the_dataset_with_every_word_comes_first() -> None:
    async with ckan_world(FakeCkan()) as world:
        assert (await rank(world, "defibrillatori Comune di Lecce", first=3)).nodes[
            0
        ].node.dataset_id == "d09"


async def test_case_06_warns_of_a_nested_minus() -> None:
    async with ckan_world(FakeCkan()) as world:
        answer = await search(world, "foo OR (-aria)")
        assert any("only excludes" in warning for warning in answer.provenance.warnings)


async def test_case_08_a_probe_that_fails_once_is_tried_again() -> None:
    portal = FakeCkan()
    portal.flaky = {3}
    async with ckan_world(portal) as world:
        first = await search(world, "aria OR Milano")
        assert first.resolved is not None
        assert first.resolved.probe_verdict is Verdict.UNKNOWN
        assert ids(await search(world, "aria OR Milano")) == ["01", "04", "02", "03"]


@pytest.mark.parametrize("odd", ["open-data", "a:b", "OR", "two words", "x"])
async def test_case_09_a_tag_of_other_than_letters_does_not_measure(odd: str) -> None:
    portal = FakeCkan()
    for raw in portal.packages[:3]:
        raw["tags"].append({"name": odd})
    portal.refresh()
    async with ckan_world(portal) as world:
        assert len(ids(await search(world, "aria OR Milano"))) == 4
        assert [given["q"] for given in portal.searches[1:5]] == [
            "aria",
            "bonifica",
            "aria OR bonifica",
            "text:(aria OR bonifica)",
        ]


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("UN population", ("un", "population")),  # 17
        ("aria OR acqua", ("aria", "acqua")),  # 18
        ("dell'aria", ("aria",)),  # 20
    ],
)
async def test_cases_17_18_20_terms(query: str, terms: tuple[str, ...]) -> None:
    async with ckan_world(FakeCkan()) as world:
        assert (await rank(world, query)).terms == terms


async def test_case_19_accents_at_the_end_of_words_and_other_normal_forms() -> None:
    titles = {"nfc": "mobilità urbana piste", "nfd": "mobilita\u0300 urbana piste"}
    portal = FakeCkan([package(Line(name, title, "", ("x",), "town")) for name, title in titles.items()])
    async with ckan_world(portal) as world:
        for query in ("urbana piste mobilità", "urbana piste mobilita\u0300"):
            answer = await rank(world, query)
            assert {hit.node.dataset_id: hit.parts.title for hit in answer.nodes} == {"nfc": 4, "nfd": 4}


async def test_case_21_one_wanted_fifty_scored() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        await rank(world, "aria", first=1)
        assert portal.searches[0]["rows"] == "50"


async def test_cases_22_and_23_shares_of_the_holder_and_extras_first() -> None:
    lecce = package(
        LINE, holder_name="Harvester", extras=[{"key": "holder_name", "value": "Comune di Lecce"}]
    )
    other = package(Line("d2", "Title", "Lecce", ("x",), "town"), holder_name="Comune di Martina Franca")
    lecce["notes"] = "Comune"
    other["notes"] = "Comune Lecce"
    async with ckan_world(FakeCkan([lecce, other])) as world:
        answer = await rank(world, "comune Lecce")
        assert {hit.node.dataset_id: hit.parts.holder for hit in answer.nodes} == {"d1": 4, "d2": 2}
        assert answer.nodes[0].node.holder_name == "Comune di Lecce"


async def test_case_24_nothing_found_for_want_of_an_accent_is_explained() -> None:
    async with ckan_world(FakeCkan()) as world:
        answer = await search(world, "mobilite")
        assert answer.total_count == 0
        assert "with or without accents" in answer.provenance.warnings[0]


async def test_case_25_a_filter_with_or_filters() -> None:
    async with ckan_world(FakeCkan()) as world:
        answer = await search(world, fq="organization:comune-milano OR organization:comune-bari")
        assert sorted(ids(answer)) == ["01", "03", "04", "06"]


async def test_case_26_no_list_of_filters_is_sent() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        await search(world, "aria", fq="tags:aria", content_recent=True)
        assert "fq_list" not in portal.searches[0]


async def test_case_27_a_format_in_lower_case() -> None:
    async with ckan_world(FakeCkan([package(LINE, resources=[resource("r", "d1", format="CSV")])])) as world:
        assert (await search(world, fq="res_format:csv")).total_count == 1


async def test_case_28_an_organization_by_its_title_in_any_case() -> None:
    async with ckan_world(FakeCkan()) as world:
        answer = await find_organizations(world.scope, VocabularySearch(world.url, ALL, query="Roma"))
        assert [record.name for record in answer.nodes] == ["roma-capitale"]


async def test_case_29_a_tag_behind_the_first_hundred_and_an_error_that_is_one() -> None:
    portal = FakeCkan(
        [package(Line(f"n{n}", "x", "", (f"tag{n:03}", "Città" if n == 7 else "y"), "o")) for n in range(300)]
    )
    async with ckan_world(portal) as world:
        asked = VocabularySearch(world.url, ALL, query="citta")
        assert [tag.name for tag in (await find_tags(world.scope, asked)).nodes] == ["Città"]
        portal.profile = Profile.SUCCESS_FALSE
        with pytest.raises(UpstreamBadResponse):
            await find_tags(world.scope, VocabularySearch(world.url, ALL, query="other", q="x"))


async def test_case_30_more_than_a_portal_gives_is_told() -> None:
    portal = FakeCkan([package(Line(f"n{n:04}", "x", "", ("x",), "o")) for n in range(1_100)])
    async with ckan_world(portal) as world:
        answer = await search(world, first=5_000)
        assert (answer.total_count, len(answer.nodes), answer.page_info.has_next_page) == (1_100, 1_000, True)
        assert not answer.provenance.complete


async def test_case_31_more_organizations_than_a_page_holds() -> None:
    portal = FakeCkan([])
    portal.more_organizations = [{"id": f"o{n:03}", "name": f"o{n:03}", "title": "O"} for n in range(300)]
    async with ckan_world(portal) as world:
        asked = VocabularySearch(world.url, ALL, page=PageRequest(300))
        answer = await find_organizations(world.scope, asked)
        assert len(answer.nodes) == 300


ELSEWHERE = f"http://dati.example.org/dataset/x/resource/{identity('r')}/f.csv"


async def test_case_32_a_resource_of_another_portal() -> None:
    source = FakeCkan()
    source.tables = {identity("r"): Table({}, [])}
    portal = FakeCkan([package(LINE, resources=[resource("r", "d1", url=ELSEWHERE)])])
    async with ckan_world(portal, named={"dati.example.org": source}) as world:
        (found,) = (await find_resources(world.scope, world.url, "d1")).nodes
        assert (found.source_datastore_active, found.source_portal_url) == (True, "http://dati.example.org")


async def test_case_33_urls_that_scan_a_network() -> None:
    hosts = ["10.0.0.1:6379", "169.254.169.254", "localhost", "192.168.1.1", "[::1]"]
    resources = [
        resource(f"r{number}", "d1", url=f"http://{host}/resource/{identity(host)}")
        for number, host in enumerate(hosts * 60)
    ]
    async with ckan_world(FakeCkan([package(LINE, resources=resources)])) as world:
        answer = await find_resources(world.scope, world.url, "d1")
        assert len(answer.nodes) == 300
        assert {found.check.state for found in answer.nodes if found.check} == {SourceState.SKIPPED}
        assert all(found.source_note for found in answer.nodes)
        assert {host for host, _ in world.world.network.connected} == {"127.0.0.1"}


async def test_case_34_a_portal_that_left_ckan() -> None:
    async with ckan_world(FakeCkan()) as world:
        with pytest.raises(NotCkan, match="left CKAN"):
            await search(world, "aria", url="https://catalog.data.gov")
        assert world.world.network.connected == []


@pytest.mark.parametrize("profile", [Profile.WAF_403, Profile.HTML_200])
async def test_case_35_a_firewall(profile: Profile) -> None:
    async with ckan_world(FakeCkan(profile=profile)) as world:
        with pytest.raises(PortalBlocked):
            await search(world, "aria")


async def test_case_36_a_size_of_none() -> None:
    async with ckan_world(FakeCkan([package(LINE, resources=[resource("r", "d1", size="None")])])) as world:
        dataset, _ = await get_dataset(world.scope, world.url, "d1")
        assert (dataset.resources[0].size_bytes, dataset.resources[0].size_text) == (None, "None")


async def test_case_37_facets_alone_are_one_request() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        answer = await find_datasets(
            world.scope, DatasetSearch(world.url, Wanted((), records=False), "*", facet_field=("tags",))
        )
        assert answer.facets[0].values[0].name == "aria"
        assert len(portal.calls) == 1


async def test_case_38_texts_as_mappings_and_tags_as_texts() -> None:
    raw = package(LINE, title={"de": "Luft", "fr": "Air"}, tags=["a", {"display_name": "b"}])
    portal = FakeCkan([raw])
    async with ckan_world(portal) as world:
        answer = await search(world, language="fr")
        assert (answer.nodes[0].title, answer.nodes[0].tags) == ("Air", ("a", "b"))


async def test_case_39_dates_that_solr_cannot_count_with() -> None:
    portal = FakeCkan([package(LINE, extras=[{"key": "modified", "value": "2027-01-10"}])])
    async with ckan_world(portal) as world:  # The clock of tests shows 2027-01-15.
        for q, fq in (("modified:[NOW-30DAYS TO NOW]", None), (None, "modified:[NOW-30DAYS TO NOW]")):
            assert (await search(world, q, fq=fq)).total_count == 1


async def test_case_40_odd_characters_in_links() -> None:
    portal = FakeCkan([package(LINE, name="a b?c/ü")])
    async with ckan_world(portal) as world:
        dataset, _ = await get_dataset(world.scope, world.url, "d1")
        assert dataset.view_url.endswith("/dataset/a%20b%3Fc%2F%C3%BC")


async def test_a_page_of_html_never_becomes_an_empty_result() -> None:
    portal = FakeCkan()
    portal.faults.always(Canned(200, b"<html></html>"))
    async with ckan_world(portal) as world:
        with pytest.raises(NotCkan):
            await search(world, "aria")
