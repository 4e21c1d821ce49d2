"""What a question costs a portal, counted at the portal and told by the answer."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.ckan_doors import Doors, ckan_doors, golden_portal
from tests.support.fake_ckan import FakeCkan

SEARCH = """query ($url: String!, $q: String) {
  datasets(serverUrl: $url, q: $q) { totalCount nodes { title } provenance { upstreamRequests } }
}"""


async def asked(doors: Doors, door: str, q: str) -> int:
    """Searches at one door; how many requests the answer says that it took."""
    if door == "graphql":
        page = (await doors.graphql(SEARCH, q=q))["datasets"]
        return int(page["provenance"]["upstreamRequests"])
    content = await doors.tool(
        "ckan_package_search", q=q, fields=["title", "total_count", "provenance.upstream_requests"]
    )
    return int(content["provenance"]["upstream_requests"])


@pytest.mark.parametrize("door", ["graphql", "tool"])
async def test_plain_words_cost_exactly_one_request(door: str) -> None:
    portal = golden_portal()
    async with ckan_doors(portal) as doors:
        assert await asked(doors, door, "bonifica siti Piemonte") == len(portal.calls) == 1


@pytest.mark.parametrize("door", ["graphql", "tool"])
async def test_a_boolean_query_costs_six_on_a_fresh_portal_and_one_afterwards(door: str) -> None:
    portal = golden_portal()
    async with ckan_doors(portal) as doors:
        assert await asked(doors, door, "aria OR Milano") == len(portal.calls) == 6
        portal.forget()
        assert await asked(doors, door, "acqua OR bike") == len(portal.calls) == 1
        portal.forget()
        await doors.tool("ckan_find_relevant_datasets", query="rifiuti OR acqua")
        # The language of the portal is asked for; its parser is known.
        assert [call.action for call in portal.asked] == ["status_show", "package_search"]


@pytest.mark.parametrize("door", ["graphql", "tool"])
async def test_a_hundred_boolean_queries_at_once_measure_a_fresh_portal_once(door: str) -> None:
    portal = FakeCkan()
    async with ckan_doors(portal) as doors:
        told = await asyncio.gather(
            *(asked(doors, door, f"aria OR niente{'x' * number}") for number in range(100))
        )
        assert len(portal.calls) == sum(told) == 105


async def test_only_what_is_wanted_is_asked_for() -> None:
    portal = golden_portal()
    async with ckan_doors(portal) as doors:
        await doors.graphql("query ($url: String!) { datasets(serverUrl: $url) { totalCount } }")
        assert portal.searches[0]["rows"] == "0"
        await doors.graphql("query ($url: String!) { organizations(serverUrl: $url) { nodes { name } } }")
        assert [call.action for call in portal.asked[1:]] == ["organization_list"] * 2


async def test_the_same_question_again_costs_nothing_for_its_time() -> None:
    portal = golden_portal()
    async with ckan_doors(portal) as doors:
        await asked(doors, "graphql", "aria")
        query = """query ($url: String!) { datasets(serverUrl: $url, q: "aria") {
          totalCount nodes { title } provenance { fromCache upstreamRequests } } }"""
        page = (await doors.graphql(query))["datasets"]
        assert page["provenance"] == {"fromCache": True, "upstreamRequests": 0}
        assert len(portal.calls) == 1
