"""Portals and their vocabulary through both doors."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.ckan_doors import Doors, ckan_doors, golden_portal
from tests.support.fake_ckan import FakeCkan, Profile


def pages(root: str) -> str:
    return f"""query ($url: String!, $query: String, $first: Int, $after: String) {{
      page: {root}(serverUrl: $url, query: $query, first: $first, after: $after) {{
        nodes {{ name }} totalCount pageInfo {{ hasNextPage endCursor }}
      }}
    }}"""


@pytest.mark.parametrize(
    ("root", "tool", "query", "names"),
    [
        (
            "organizations",
            "ckan_organization_list",
            None,
            [
                "comune-bari",
                "comune-lecce",
                "comune-milano",
                "comune-torino",
                "noaa",
                "provincia-trento",
                "regione-piemonte",
                "regione-puglia",
                "roma-capitale",
                "tokyo",
                "un",
                "ville-lyon",
            ],
        ),
        (
            "organizations",
            "ckan_organization_list",
            "COMUNE",
            ["comune-bari", "comune-lecce", "comune-milano", "comune-torino"],
        ),
        ("datasetGroups", "ckan_group_list", None, ["ambiente"]),
        ("datasetTags", "ckan_tag_list", "mobilita", ["mobilita", "mobilità"]),
        ("datasetTags", "ckan_tag_list", "defibrillator", ["defibrillatore", "defibrillatori"]),
    ],
)
async def test_vocabulary_at_both_doors(root: str, tool: str, query: str | None, names: list[str]) -> None:
    async with ckan_doors(golden_portal()) as doors:
        page = (await doors.graphql(pages(root), query=query))["page"]
        assert sorted(node["name"] for node in page["nodes"]) == names
        assert page["totalCount"] == len(names)
        content = await doors.tool(tool, query=query)
        assert content["nodes"] == [
            {**node, "name": shown["name"]}
            for node, shown in zip(content["nodes"], page["nodes"], strict=True)
        ]


async def test_what_is_told_of_an_organization_a_group_and_a_tag() -> None:
    async with ckan_doors(golden_portal()) as doors:
        (organization,) = (await doors.tool("ckan_organization_list", pattern="milano"))["nodes"]
        assert (organization["name"], organization["package_count"]) == ("comune-milano", 3)
        (group,) = (await doors.tool("ckan_group_list"))["nodes"]
        assert (group["title"], group["package_count"]) == ("Ambiente", 2)
        tags = await doors.tool("ckan_tag_list", q="aria", limit=2)
        assert tags["nodes"][0] == {"name": "aria", "display_name": "aria", "count": 2}
        assert tags["total_count"] == 3
        query = """query ($url: String!) { organizations(serverUrl: $url, query: "milano") {
          nodes { kind portal viewUrl packageCount } } }"""
        (shown,) = (await doors.graphql(query))["organizations"]["nodes"]
        assert shown == {
            "kind": "organization",
            "portal": doors.url,
            "viewUrl": f"{doors.url}/organization/comune-milano",
            "packageCount": 3,
        }


async def test_a_list_goes_on_beyond_what_a_portal_gives_at_once() -> None:
    portal = FakeCkan()
    portal.more_organizations = [{"name": f"ufficio-{number:03}", "title": "U"} for number in range(60)]
    async with ckan_doors(portal) as doors:
        names, after = [], None
        while True:
            page = await doors.tool("ckan_organization_list", limit=30, after=after)
            names += [node["name"] for node in page["nodes"]]
            if not page["page_info"]["has_next_page"]:
                break
            after = page["page_info"]["end_cursor"]
        assert len(names) == len(set(names)) == 72
        assert names == sorted(names)


PORTALS = """query ($country: String, $query: String, $language: String, $datastore: Boolean) {
  portals(country: $country, query: $query, language: $language, hasDatastore: $datastore) { key }
}"""


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        ({"country": "canada"}, ["open.canada.ca", "toronto"]),
        ({"country": "Italy", "datastore": True}, ["roma", "indicepa", "milano"]),
        ({"language": "fr"}, ["open.canada.ca", "opendata.swiss"]),
        ({"query": "zurich"}, ["zurich"]),
        ({"query": "nowhere"}, []),
    ],
)
async def test_known_portals(arguments: dict[str, Any], keys: list[str]) -> None:
    async with ckan_doors(FakeCkan()) as doors:
        data = await doors.graphql(PORTALS, **arguments)
        assert [portal["key"] for portal in data["portals"]] == keys
        given = {("has_datastore" if key == "datastore" else key): value for key, value in arguments.items()}
        content = await doors.tool("ckan_find_portals", **given)
        assert [portal["key"] for portal in content["portals"]] == keys
        assert doors.world.world.network.connected == []


async def test_an_unknown_country_is_answered_with_those_that_there_are() -> None:
    async with ckan_doors(FakeCkan()) as doors:
        said = await doors.error(PORTALS, country="Itly")
        assert (said["code"], said["argument"], said["suggestions"]) == (
            "BAD_USER_INPUT",
            "country",
            ["Italy"],
        )


STATUS = """query ($url: String!) { portal(serverUrl: $url) {
  key title url apiUrl known hasDatastore ckanVersion locale extensions provenance { upstreamRequests }
} }"""


async def asked(doors: Doors) -> dict[str, Any]:
    portal: dict[str, Any] = (await doors.graphql(STATUS))["portal"]
    return portal


async def test_what_a_portal_says_of_itself() -> None:
    async with ckan_doors(golden_portal()) as doors:
        assert await asked(doors) == {
            "key": doors.url,
            "title": "Dati di prova",
            "url": doors.url,
            "apiUrl": f"{doors.url}/api/3/action",
            "known": False,
            "hasDatastore": True,
            "ckanVersion": "2.12.0",
            "locale": "it",
            "extensions": ["datastore", "harvest"],
            "provenance": {"upstreamRequests": 1},
        }


@pytest.mark.parametrize(
    ("profile", "verdict"),
    [(Profile.DISMAX, "wrap"), (Profile.EDISMAX, "honours"), (Profile.OLD, "no_wrapper")],
)
async def test_how_a_portal_reads_or_is_measured_where_it_is_asked_for(
    profile: Profile, verdict: str
) -> None:
    portal = FakeCkan(profile=profile)
    async with ckan_doors(portal) as doors:
        await asked(doors)
        assert not portal.searches
        content = await doors.tool("ckan_status_show")
        assert content["portal"]["parser_verdict"] == verdict
        assert len(portal.searches) == 5
