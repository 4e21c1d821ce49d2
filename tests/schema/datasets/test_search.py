"""`datasets`, `relevantDatasets` and `dataset` through both doors, by their values."""

from __future__ import annotations

from typing import Any

import pytest

from schema.node import global_id
from tests.support.ckan_doors import ROWS, Doors, ckan_doors, golden_portal
from tests.support.fake_ckan import FakeCkan, Profile
from tests.support.fake_ckan.corpus import Line, golden_packages, package, resource

SEARCH = """query ($url: String!, $q: String, $filter: DatasetFilter, $parser: QueryParser) {
  datasets(serverUrl: $url, q: $q, filter: $filter, queryParser: $parser) {
    nodes { datasetId } totalCount
    provenance { effectiveQuery parserVerdict pushedDown residual upstreamRequests complete warnings }
  }
}"""


def ids(content: dict[str, Any]) -> str:
    """The ids of a page's datasets in order, without their `d`, as either door writes them."""
    found = [node.get("datasetId") or node["dataset_id"] for node in content["nodes"]]
    return " ".join(id_.removeprefix("d") for id_ in found)


async def both(doors: Doors, filter_: dict[str, Any] | None = None, **arguments: Any) -> dict[str, Any]:
    """The page by GraphQL, after comparing it with the tool's."""
    data = await doors.graphql(SEARCH, filter=filter_, **arguments)
    page: dict[str, Any] = data["datasets"]
    named = {"parser": "query_parser"}
    flat = {named.get(key, key): value for key, value in arguments.items()}
    snake = {_snake(key): value for key, value in (filter_ or {}).items()}
    tool = await doors.tool("ckan_package_search", **flat, **snake)
    assert ids(tool) == ids(page)
    assert tool["total_count"] == page["totalCount"]
    assert tool["provenance"]["effective_query"] == page["provenance"]["effectiveQuery"]
    assert tool["provenance"].get("parser_verdict") == page["provenance"]["parserVerdict"]
    assert tool["provenance"]["warnings"] == page["provenance"]["warnings"]
    return page


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


@pytest.mark.parametrize(
    ("q", "found", "sent", "verdict"),
    [
        ("bonifica siti Piemonte", "07 08", "bonifica siti Piemonte", None),
        ("aria OR Milano", "04 01 02 03", "text:(aria OR Milano)", "wrap"),
        ("aria -Milano", "02", "aria -Milano", None),
        ("e-bike", "05", r"text:(e\-bike)", "wrap"),
        ("PM10", "01", '"PM10"', None),
        ("tags:mobilita", "06", "tags:mobilita", None),
        ("Sea Levels Online: variations", "14", r"Sea Levels Online\: variations", None),
        (None, None, "*:*", None),
    ],
)
async def test_what_is_found_and_sent(
    q: str | None, found: str | None, sent: str, verdict: str | None
) -> None:
    async with ckan_doors(golden_portal()) as doors:
        page = await both(doors, q=q)
        assert page["provenance"]["effectiveQuery"] == sent
        if verdict is not None:
            assert page["provenance"]["parserVerdict"] == verdict
        if found is None:
            assert page["totalCount"] == 15
        else:
            assert ids(page) == found


@pytest.mark.parametrize(
    ("profile", "parser", "sent", "count"),
    [
        (Profile.DISMAX, "DEFAULT", "aria OR Milano", 2),
        (Profile.EDISMAX, "TEXT", "text:(aria OR Milano)", 4),
        (Profile.NO_TEXT_FIELD, "AUTO", "aria OR Milano", 1),
    ],
)
async def test_the_parser_can_be_chosen(profile: Profile, parser: str, sent: str, count: int) -> None:
    async with ckan_doors(FakeCkan(profile=profile)) as doors:
        page = await both(doors, q="aria OR Milano", parser=parser)
        assert (page["provenance"]["effectiveQuery"], page["totalCount"]) == (sent, count)


@pytest.mark.parametrize(
    ("filter_", "found"),
    [
        ({"organization": ["comune-milano"]}, "01 03 04"),
        ({"tags": ["aria", "acqua"]}, "01 02 03"),
        ({"organization": ["comune-milano"], "tags": ["aria"]}, "01"),
        ({"modifiedMin": "2024-02-27"}, "01 02"),
        ({"modifiedMax": "2024-02-15"}, "14 15"),
        ({"modifiedMin": "2024-02-15T09:30:00Z", "modifiedMax": "2024-02-15"}, "14"),
        ({"format": ["csv"]}, "01"),
        ({"licence": ["cc-by"], "format": ["PDF"]}, "01"),
        ({"hasDatastore": True}, "01"),
    ],
)
async def test_filters(filter_: dict[str, Any], found: str) -> None:
    async with ckan_doors(golden_portal()) as doors:
        page = await both(doors, filter_)
        assert ids(page) == found
        applied = page["provenance"]["pushedDown"] + page["provenance"]["residual"]
        assert sorted(applied) == sorted(filter_)


@pytest.mark.parametrize(
    ("filter_", "found"),
    [
        ({"anyOf": [{"tags": ["acqua"]}, {"organization": ["comune-bari"]}]}, "03 06"),
        ({"organization": ["comune-milano"], "not": {"tags": ["aria"]}}, "03 04"),
        ({"anyOf": [{"hasDatastore": True}, {"organization": ["comune-bari"]}]}, "01 06"),
        ({"anyOf": [{"hasDatastore": True}, {"format": ["JSON"]}]}, "01 02"),
        ({"anyOf": [{"hasDatastore": True}, {"groups": ["acque"]}]}, "01 03"),
    ],
)
async def test_filters_compose_whether_the_portal_applies_them_or_not(
    filter_: dict[str, Any], found: str
) -> None:
    portal = golden_portal()
    portal.packages[1]["resources"] = [resource("r2", "d02", format="json")]
    portal.packages[2]["groups"] = [{"name": "acque", "title": "Acque"}]
    portal.refresh()
    async with ckan_doors(portal) as doors:
        data = await doors.graphql(SEARCH, filter=filter_)
        assert ids(data["datasets"]) == found


async def test_facets_are_there_when_asked_for() -> None:
    query = """query ($url: String!, $fields: [String!]) {
      datasets(serverUrl: $url, facetField: $fields, facetLimit: 2) {
        totalCount facets { field values { name count } }
      }
    }"""
    async with ckan_doors(golden_portal()) as doors:
        without = await doors.graphql(query)
        assert without["datasets"] == {"totalCount": 15, "facets": None}
        asked = await doors.graphql(query, fields=["organization"])
        (facet,) = asked["datasets"]["facets"]
        assert facet["field"] == "organization"
        assert facet["values"][0] == {"name": "comune-milano", "count": 3}
        tool = await doors.tool("ckan_package_search", facet_field="organization", limit=0)
        assert tool["nodes"] == []
        assert tool["facets"][0]["values"][0] == {
            "name": "comune-milano",
            "display_name": "comune-milano",
            "count": 3,
        }
        assert "facets" not in await doors.tool("ckan_package_search", q="aria")


async def test_pages_hold_every_dataset_once() -> None:
    query = """query ($url: String!, $after: String) {
      datasets(serverUrl: $url, first: 4, after: $after, sort: "name desc") {
        edges { cursor node { datasetId } } nodes { datasetId } pageInfo { hasNextPage hasPreviousPage endCursor }
      }
    }"""
    async with ckan_doors(golden_portal()) as doors:
        seen: list[str] = []
        after, previous = None, []
        while True:
            page = (await doors.graphql(query, after=after))["datasets"]
            seen += [node["datasetId"] for node in page["nodes"]]
            previous.append(page["pageInfo"]["hasPreviousPage"])
            after = page["pageInfo"]["endCursor"]
            assert page["edges"][-1]["cursor"] == after
            if not page["pageInfo"]["hasNextPage"]:
                break
        assert seen == [f"d{number:02}" for number in range(15, 0, -1)]
        assert previous == [False, True, True, True]
        refused = await doors.error(
            'query ($url: String!, $after: String) { datasets(serverUrl: $url, q: "x", after: $after) '
            "{ totalCount } }",
            after=after,
        )
        assert (refused["code"], refused["argument"]) == ("BAD_USER_INPUT", "after")


async def test_recent_contents() -> None:
    lines = [Line(f"d{number}", "Dati", "", ("x",), "o") for number in range(3)]
    portal = FakeCkan(
        [
            package(lines[0], extras=[{"key": "issued", "value": "2027-01-14"}]),
            package(lines[1], extras=[{"key": "issued", "value": "2026-01-01"}]),
            package(lines[2], metadata_created="2027-01-10T00:00:00.000000"),
        ]
    )
    async with ckan_doors(portal) as doors:
        found = await doors.tool("ckan_package_search", content_recent=True, content_recent_days=30)
        assert sorted(node["dataset_id"] for node in found["nodes"]) == ["d0", "d2"]


RELEVANT = """query ($url: String!, $query: String!, $first: Int, $weights: RelevanceWeightsInput) {
  relevantDatasets(serverUrl: $url, query: $query, first: $first, weights: $weights) {
    nodes { kind name score matchedBy foundTerms parts { title notes tags holder everyTerm } node { datasetId } }
    terms candidates totalCount weights { title holder } resolved { parser reason }
    provenance { effectiveQuery scanned }
  }
}"""


async def test_the_right_dataset_comes_first_whatever_the_limit() -> None:
    async with ckan_doors(golden_portal()) as doors:
        for first in (1, 10):
            data = await doors.graphql(RELEVANT, query="defibrillatori Comune di Lecce", first=first)
            page = data["relevantDatasets"]
            assert page["nodes"][0]["node"]["datasetId"] == "d09"
            assert page["terms"] == ["defibrillatori", "comune", "lecce"]
            assert page["candidates"] == page["provenance"]["scanned"] == page["totalCount"] == 2
            tool = await doors.tool(
                "ckan_find_relevant_datasets", query="defibrillatori Comune di Lecce", limit=first
            )
            assert [hit["node"]["dataset_id"] for hit in tool["nodes"]] == [
                hit["node"]["datasetId"] for hit in page["nodes"]
            ]
            assert tool["nodes"][0]["score"] == page["nodes"][0]["score"]
            assert tool["page_info"]["has_next_page"] is (first == 1)


async def test_a_score_is_the_sum_of_its_parts_and_follows_the_weights() -> None:
    weights = {"title": 10.0, "notes": 0.0, "tags": 0.0}
    async with ckan_doors(golden_portal()) as doors:
        data = await doors.graphql(RELEVANT, query="aria Milano", weights=weights)
        first, second = data["relevantDatasets"]["nodes"][:2]
        assert first["parts"] == {"title": 10.0, "notes": 0.0, "tags": 0.0, "holder": 0.0, "everyTerm": 17.0}
        assert (first["node"]["datasetId"], first["matchedBy"]) == ("d01", ["title", "tags", "organization"])
        assert first["score"] == 10.0 + 17.0 + 0.5
        assert (second["node"]["datasetId"], second["parts"]["title"]) == ("d04", 5.0)
        assert data["relevantDatasets"]["weights"] == {"title": 10.0, "holder": 4.0}
        tool = await doors.tool("ckan_find_relevant_datasets", query="aria Milano", weights=weights)
        assert tool["nodes"][0]["score"] == first["score"]
        assert tool["nodes"][0]["parts"]["every_term"] == 17.0


async def test_a_ranking_goes_on_where_its_page_ended() -> None:
    async with ckan_doors(golden_portal()) as doors:
        whole = await doors.tool("ckan_find_relevant_datasets", query="aria OR acqua OR rifiuti", limit=10)
        seen, after = [], None
        while True:
            page = await doors.tool(
                "ckan_find_relevant_datasets", query="aria OR acqua OR rifiuti", limit=3, after=after
            )
            seen += [hit["node"]["dataset_id"] for hit in page["nodes"]]
            if not page["page_info"]["has_next_page"]:
                break
            after = page["page_info"]["end_cursor"]
        assert len(seen) == 4
        assert seen == [hit["node"]["dataset_id"] for hit in whole["nodes"]]


DATASET = """query ($url: String!, $id: String!, $language: String) {
  dataset(serverUrl: $url, id: $id, language: $language) {
    id portal name title notes language tags numResources licenceId organization { name title }
    metadataModified viewUrl source { name url licence attribution }
    resources { resourceId name format size sizeBytes datastoreActive sourceCheck { state } }
  }
}"""


async def test_one_dataset() -> None:
    async with ckan_doors(golden_portal()) as doors:
        data = (await doors.graphql(DATASET, id="d01"))["dataset"]
        assert data["id"] == global_id("Dataset", f"{doors.url}#d01")
        assert (data["portal"], data["title"]) == (doors.url, "Qualità dell'aria Milano")
        assert data["organization"] == {"name": "comune-milano", "title": "Comune Milano"}
        assert data["metadataModified"] == "2024-02-28T09:30:00.123456+00:00"
        assert data["source"] == {
            "name": doors.url,
            "url": f"{doors.url}/dataset/d01",
            "licence": "cc-by",
            "attribution": "Comune Milano",
        }
        assert data["resources"][0] == {
            "resourceId": ROWS,
            "name": "Rilevazioni orarie",
            "format": "CSV",
            "size": "1.5 MB",
            "sizeBytes": 1_572_864.0,
            "datastoreActive": True,
            "sourceCheck": None,
        }
        assert (data["resources"][1]["name"], data["resources"][1]["size"]) == ("Unnamed Resource", None)
        tool = (await doors.tool("ckan_package_show", id="d01"))["dataset"]
        assert (tool["id"], tool["notes"], tool["tags"]) == (data["id"], data["notes"], ["aria", "ambiente"])
        assert [one["resource_id"] for one in tool["resources"]] == [
            one["resourceId"] for one in data["resources"]
        ]
        assert "source_datastore_active" not in tool["resources"][0]


@pytest.mark.parametrize(("language", "title", "spoken"), [("fr", "Air", "fr"), ("de", "Luft", "de")])
async def test_texts_in_the_language_asked_for(language: str, title: str, spoken: str) -> None:
    portal = FakeCkan(
        [
            package(
                Line("d1", "x", "", ("x",), "o"),
                title={"de": "Luft", "fr": "Air"},
                notes={"de": "", "fr": ""},
            )
        ]
    )
    async with ckan_doors(portal) as doors:
        data = (await doors.graphql(DATASET, id="d1", language=language))["dataset"]
        assert (data["title"], data["notes"], data["language"]) == (title, None, spoken)
        tool = await doors.tool("ckan_package_show", id="d1", language=language)
        assert tool["dataset"]["title"] == title
        assert "notes" not in tool["dataset"]


NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Dataset { title } } }"


async def test_a_node_is_found_at_its_own_portal() -> None:
    other = golden_packages()
    other[0]["title"] = "Of another portal"
    async with ckan_doors(golden_portal(), FakeCkan(other)) as doors:
        here, there = (global_id("Dataset", f"{url}#d01") for url in doors.world.urls)
        gone = global_id("Dataset", f"{doors.url}#d99")
        data = await doors.graphql(NODES, ids=[there, gone, here])
        assert data["nodes"] == [
            {"id": there, "title": "Of another portal"},
            None,
            {"id": here, "title": "Qualità dell'aria Milano"},
        ]
        tool = await doors.tool("get_node", id=here)
        assert (tool["node"]["typename"], tool["node"]["dataset_id"]) == ("dataset", "d01")


async def test_a_portal_that_is_down_takes_only_its_own_nodes_with_it() -> None:
    broken = FakeCkan(profile=Profile.WAF_403)
    async with ckan_doors(golden_portal(), broken) as doors:
        here, there = (global_id("Dataset", f"{url}#d01") for url in doors.world.urls)
        answer = await doors.answer(NODES, ids=[here, there])
        assert answer["data"]["nodes"] == [{"id": here, "title": "Qualità dell'aria Milano"}, None]
        (error,) = answer["errors"]
        assert (error["path"], error["extensions"]["code"]) == (["nodes", 1], "PORTAL_BLOCKED")
