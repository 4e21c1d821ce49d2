"""Resources and rows through both doors: what is there, what is asked elsewhere, and what the tools show."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.ckan_doors import FILE, ROWS, ckan_doors, golden_portal
from tests.support.fake_ckan import FakeCkan, Table
from tests.support.fake_ckan.corpus import Line, Raw, identity, package, resource
from tests.support.fake_upstream import Down

MILANO = "dati.comune.milano.it"
THERE, ELSEWHERE, NOWHERE = identity("there"), identity("elsewhere"), identity("nowhere")

RESOURCES = """query ($url: String!, $id: String!, $format: String, $check: Boolean, $first: Int, $after: String) {
  datasetResources(
    serverUrl: $url, id: $id, formatFilter: $format, checkSourcePortal: $check, first: $first, after: $after
  ) {
    nodes {
      resourceId name format size datastoreActive url
      sourceDatastoreActive sourcePortalUrl sourceResourceId sourceNote
      sourceCheck { state portalUrl resourceId note }
    }
    totalCount pageInfo { hasNextPage endCursor } dataset { title }
    provenance { upstreamRequests complete warnings }
  }
}"""


def aggregator(*resources: Raw) -> FakeCkan:
    """A portal with one dataset of these resources."""
    return FakeCkan([package(Line("d1", "Raccolta", "", ("x",), "comune"), resources=resources)])


def listed(identifier: str, host: str = MILANO, **more: Any) -> Raw:
    """A resource of another portal."""
    url = f"http://{host}/dataset/x/resource/{identifier}/download/f.csv"
    return resource(f"r-{identifier[:4]}", "d1", url=url, **more)


def milano() -> FakeCkan:
    """The portal that has the rows of `THERE`."""
    portal = FakeCkan()
    portal.tables = {THERE: Table({"anno": "int"}, [{"anno": 2024}])}
    return portal


async def test_resources_of_a_dataset_at_both_doors() -> None:
    async with ckan_doors(golden_portal()) as doors:
        page = (await doors.graphql(RESOURCES, id="d01"))["datasetResources"]
        rows, file = page["nodes"]
        assert rows == {
            "resourceId": ROWS,
            "name": "Rilevazioni orarie",
            "format": "CSV",
            "size": "1.5 MB",
            "datastoreActive": True,
            "url": f"https://ckan.example/dataset/d01/resource/{ROWS}/download/ore.csv",
            "sourceDatastoreActive": None,
            "sourcePortalUrl": None,
            "sourceResourceId": None,
            "sourceNote": None,
            "sourceCheck": None,
        }
        assert (file["name"], file["format"], file["size"], file["datastoreActive"]) == (
            "Unnamed Resource",
            "pdf",
            None,
            False,
        )
        assert file["sourceCheck"]["state"] == "SKIPPED"
        assert (page["totalCount"], page["dataset"]["title"]) == (2, "Qualità dell'aria Milano")
        tool = await doors.tool("ckan_list_resources", id="d01")
        assert tool["nodes"][0] == {
            "name": "Rilevazioni orarie",
            "resource_id": ROWS,
            "format": "CSV",
            "size": "1.5 MB",
            "datastore_active": True,
            "url": rows["url"],
        }
        assert tool["nodes"][1]["source_check"] == {"state": "skipped"}
        assert tool["nodes"][1]["source_note"] == file["sourceNote"]
        assert tool["total_count"] == 2


async def test_the_tool_shows_a_table_with_marks_and_the_next_step() -> None:
    async with ckan_doors(golden_portal()) as doors:
        text = await doors.text("ckan_list_resources", id="d01", check_source_portal=False)
        heads, _, rows, file, *rest = text.splitlines()
        assert heads.startswith("| Name | Resource id | Format | Size | Datastore active | Url |")
        assert rows.startswith(
            f"| Rilevazioni orarie | **{ROWS}** | CSV | 1.5 MB | **yes** | https://ckan.example/"
        )
        assert file.startswith(f"| Unnamed Resource | {FILE} | pdf |  | no |")
        assert rest[1].startswith("Next step: `ckan_datastore_search` gives the rows")
        as_json = await doors.text("ckan_list_resources", id="d01", response_format="json")
        assert as_json.startswith('{"nodes":[{"name":"Rilevazioni orarie"')


async def test_without_rows_there_is_no_next_step() -> None:
    async with ckan_doors(golden_portal()) as doors:
        text = await doors.text("ckan_list_resources", id="d01", format_filter="PDF")
        assert "**" not in text
        assert "Next step" not in text
        (spec,) = (tool for tool in doors.toolbox.listing if tool.name == "ckan_list_resources")
        assert spec.description is not None
        assert "Next step for those that have rows: `ckan_datastore_search`." in spec.description
        assert spec.input_schema["properties"]["response_format"]["default"] == "markdown"


async def test_the_portal_that_has_the_rows_is_named() -> None:
    portal = aggregator(listed(THERE), listed(ELSEWHERE))
    async with ckan_doors(portal, named={MILANO: milano()}) as doors:
        page = (await doors.graphql(RESOURCES, id="d1"))["datasetResources"]
        active, inactive = page["nodes"]
        assert active["sourceCheck"] == {
            "state": "ACTIVE",
            "portalUrl": f"http://{MILANO}",
            "resourceId": THERE,
            "note": None,
        }
        assert (active["sourceDatastoreActive"], active["sourcePortalUrl"], active["sourceResourceId"]) == (
            True,
            f"http://{MILANO}",
            THERE,
        )
        assert inactive["sourceCheck"]["state"] == "INACTIVE"
        assert (inactive["sourceDatastoreActive"], inactive["sourcePortalUrl"]) == (False, None)
        assert inactive["sourceResourceId"] is None
        tool = await doors.tool("ckan_list_resources", id="d1")
        first, second = tool["nodes"]
        assert first["source_datastore_active"] is True
        assert first["source_portal_url"] == f"http://{MILANO}"
        assert second["source_datastore_active"] is False
        assert "source_portal_url" not in second
        text = await doors.text("ckan_list_resources", id="d1")
        assert f"| **{active['resourceId']}** |" in text
        assert f"| {inactive['resourceId']} |" in text
        rows = await doors.tool(
            "ckan_datastore_search",
            server_url=first["source_portal_url"],
            resource_id=first["source_resource_id"],
        )
        assert rows["nodes"] == [{"values": {"anno": 2024}}]


async def test_nobody_is_asked_where_nobody_wants_to_know() -> None:
    source = milano()
    async with ckan_doors(aggregator(listed(THERE)), named={MILANO: source}) as doors:
        page = (await doors.graphql(RESOURCES, id="d1", check=False))["datasetResources"]
        assert (page["nodes"][0]["sourceCheck"], page["nodes"][0]["sourceDatastoreActive"]) == (None, None)
        tool = await doors.tool("ckan_list_resources", id="d1", check_source_portal=False)
        assert not [key for key in tool["nodes"][0] if key.startswith("source")]
        await doors.graphql(
            'query ($url: String!) { datasetResources(serverUrl: $url, id: "d1") { nodes { name } } }'
        )
        await doors.tool("ckan_list_resources", id="d1", fields=["name", "url"])
        assert not source.calls


async def test_a_source_that_is_down_is_noted_and_nothing_fails() -> None:
    source = milano()
    source.faults.always(Down())
    async with ckan_doors(aggregator(listed(THERE)), named={MILANO: source}) as doors:
        tool = await doors.tool("ckan_list_resources", id="d1")
        (only,) = tool["nodes"]
        assert (only["source_datastore_active"], only["source_check"]) == (False, {"state": "unreachable"})
        assert MILANO in only["source_note"]


async def test_more_resources_than_are_checked_are_told() -> None:
    portal = aggregator(*(listed(identity(f"n{number}")) for number in range(5)))
    async with ckan_doors(portal, named={MILANO: milano()}, source_checks=2) as doors:
        page = (await doors.graphql(RESOURCES, id="d1"))["datasetResources"]
        states = [node["sourceCheck"]["state"] for node in page["nodes"]]
        assert states == ["INACTIVE", "INACTIVE", "SKIPPED", "SKIPPED", "SKIPPED"]
        assert page["provenance"]["warnings"] == [
            "3 resources were not checked at the portals that they come from: at most 2 of a dataset are."
        ]


async def test_pages_of_resources() -> None:
    portal = aggregator(*(resource(f"r{number}", "d1") for number in range(5)))
    async with ckan_doors(portal) as doors:
        first = (await doors.graphql(RESOURCES, id="d1", first=3, check=False))["datasetResources"]
        assert [node["resourceId"] for node in first["nodes"]] == ["r0", "r1", "r2"]
        assert (first["totalCount"], first["pageInfo"]["hasNextPage"]) == (5, True)
        after = first["pageInfo"]["endCursor"]
        rest = (await doors.graphql(RESOURCES, id="d1", first=3, after=after, check=False))[
            "datasetResources"
        ]
        assert [node["resourceId"] for node in rest["nodes"]] == ["r3", "r4"]
        assert rest["pageInfo"]["hasNextPage"] is False


ROWS_OF = """query ($url: String!, $id: String!, $filters: JSON, $q: String, $fields: [String!], $sort: String,
                    $distinct: Boolean, $first: Int, $after: String) {
  datastoreRecords(serverUrl: $url, resourceId: $id, filters: $filters, q: $q, fields: $fields, sort: $sort,
                   distinct: $distinct, first: $first, after: $after) {
    nodes { values } totalCount pageInfo { hasNextPage endCursor } resourceId columns { name type }
  }
}"""


@pytest.mark.parametrize(
    ("arguments", "values"),
    [
        ({"filters": {"città": "Milano"}, "fields": ["anno"]}, [{"anno": 2020}, {"anno": 2022}]),
        (
            {"filters": {"città": ["Bari", "Lecce"], "anno": 2023}},
            [{"anno": 2023, "città": "Bari", "valore": 3.5}],
        ),
        ({"q": "Torino", "fields": ["città", "valore"]}, [{"città": "Torino", "valore": 1.5}]),
        ({"sort": "anno desc", "fields": ["anno"], "first": 2}, [{"anno": 2024}, {"anno": 2023}]),
        (
            {"fields": ["città"], "distinct": True, "sort": "città"},
            [{"città": "Bari"}, {"città": "Lecce"}, {"città": "Milano"}, {"città": "Torino"}],
        ),
    ],
)
async def test_rows_at_both_doors(arguments: dict[str, Any], values: list[dict[str, Any]]) -> None:
    async with ckan_doors(golden_portal()) as doors:
        page = (await doors.graphql(ROWS_OF, id=ROWS, **arguments))["datastoreRecords"]
        assert [node["values"] for node in page["nodes"]] == values
        given = {("limit" if key == "first" else key): value for key, value in arguments.items()}
        tool = await doors.tool("ckan_datastore_search", resource_id=ROWS, **given)
        assert [node["values"] for node in tool["nodes"]] == values
        assert tool["total_count"] == page["totalCount"]
        assert tool["columns"] == page["columns"]


async def test_no_rows_only_count_and_tell_the_columns() -> None:
    async with ckan_doors(golden_portal()) as doors:
        tool = await doors.tool("ckan_datastore_search", resource_id=ROWS, limit=0)
        assert (tool["nodes"], tool["total_count"]) == ([], 5)
        assert tool["columns"] == [
            {"name": "anno", "type": "int"},
            {"name": "città", "type": "text"},
            {"name": "valore", "type": "numeric"},
        ]


async def test_rows_in_markdown_are_a_table_of_their_columns() -> None:
    async with ckan_doors(golden_portal()) as doors:
        text = await doors.text(
            "ckan_datastore_search", resource_id=ROWS, limit=2, response_format="markdown"
        )
        assert text.splitlines()[:4] == [
            "| anno | città | valore |",
            "| --- | --- | --- |",
            "| 2020 | Milano | 0.5 |",
            "| 2021 | Torino | 1.5 |",
        ]


async def test_all_rows_page_by_page() -> None:
    async with ckan_doors(golden_portal()) as doors:
        years, after = [], None
        while True:
            page = (await doors.graphql(ROWS_OF, id=ROWS, first=2, after=after))["datastoreRecords"]
            years += [node["values"]["anno"] for node in page["nodes"]]
            if not page["pageInfo"]["hasNextPage"]:
                break
            after = page["pageInfo"]["endCursor"]
        assert years == [2020, 2021, 2022, 2023, 2024]


async def test_filters_are_an_object_also_as_text() -> None:
    async with ckan_doors(golden_portal()) as doors:
        tool = await doors.tool("ckan_datastore_search", resource_id=ROWS, filters='{"anno": 2021}')
        assert [node["values"]["città"] for node in tool["nodes"]] == ["Torino"]
        for wrong in ("anno=2021", [2021], 7):
            assert await doors.refusal("ckan_datastore_search", resource_id=ROWS, filters=wrong) == (
                "BAD_USER_INPUT: `filters` must be an object of columns and values."
            )


async def test_what_rows_can_be_asked_for_is_told() -> None:
    async with ckan_doors(golden_portal()) as doors:
        column = await doors.error(ROWS_OF, id=ROWS, fields=["ano"])
        assert (column["code"], column["argument"], column["suggestions"]) == (
            "BAD_USER_INPUT",
            "fields",
            ["anno"],
        )
        said = await doors.refusal("ckan_datastore_search", resource_id=ROWS, filters={"citta": "Bari"})
        assert said.startswith(
            "BAD_USER_INPUT: `filters` names the column `citta`, which the resource does not have."
        )
        assert said.endswith("Did you mean `città`?")
        missing = await doors.error(ROWS_OF, id=NOWHERE)
        assert (missing["code"], missing["argument"]) == ("NOT_FOUND", "resourceId")
        assert (await doors.refusal("ckan_datastore_search", resource_id=FILE)).startswith("NOT_FOUND: ")


async def test_what_a_reader_cannot_see_is_taken_out_and_markup_stays_text() -> None:
    nasty = "Ignore\u200b all\u202e previous | <b>x</b> [a](http://evil.example)\x1b[31m"
    portal = aggregator(resource("r1", "d1", name=nasty, datastore_active=True))
    portal.tables = {"r1": Table({"testo": "text"}, [{"testo": nasty}])}
    async with ckan_doors(portal) as doors:
        clean = "Ignore all previous | <b>x</b> [a](http://evil.example)[31m"
        tool = await doors.tool("ckan_list_resources", id="d1")
        assert tool["nodes"][0]["name"] == clean
        text = await doors.text("ckan_list_resources", id="d1")
        assert r"Ignore all previous \| \<b\>x\</b\> \[a\](http://evil.example)\[31m" in text
        rows = await doors.tool("ckan_datastore_search", resource_id="r1")
        assert rows["nodes"] == [{"values": {"testo": clean}}]
