"""What goes wrong has one code at both doors, never a portal's own words, and never takes a sibling with it."""

from __future__ import annotations

from typing import Any

import pytest

from schema.node import global_id
from tests.support.ckan_doors import Doors, ckan_doors, golden_portal
from tests.support.fake_ckan import FakeCkan, Profile
from tests.support.fake_ckan.replies import HOME_PAGE
from tests.support.fake_upstream import Canned, Down

SEARCH = "query ($url: String!, $q: String) { datasets(serverUrl: $url, q: $q) { totalCount } }"
LEAKS = ("SOLR", "Solr", "site_id", "permission_labels", "<html", "_Incapsula", "Traceback", "support ID")


async def search(doors: Doors, **variables: Any) -> dict[str, Any]:
    """The error of a search, after comparing it with that of the tool, and looking for what must not be said."""
    found = await doors.error(SEARCH, **variables)
    arguments = {"server_url": variables.get("url", doors.url), "q": variables.get("q")}
    said = await doors.refusal("ckan_package_search", **arguments)
    assert said.startswith(f"{found['code']}: ")
    for text in (found["message"], said):
        assert not any(leak in text for leak in LEAKS), text
    return found


@pytest.mark.parametrize(
    ("profile", "code"),
    [
        (Profile.WAF_403, "PORTAL_BLOCKED"),
        (Profile.HTML_200, "PORTAL_BLOCKED"),
        (Profile.SUCCESS_FALSE, "UPSTREAM_BAD_RESPONSE"),
    ],
)
async def test_portals_that_refuse(profile: Profile, code: str) -> None:
    async with ckan_doors(FakeCkan(profile=profile)) as doors:
        found = await search(doors, q="aria")
        assert (found["code"], found["upstream"]) == (code, doors.url.removeprefix("http://"))


async def test_a_site_that_is_no_portal() -> None:
    portal = FakeCkan()
    portal.faults.always(Canned(200, HOME_PAGE.encode()))
    async with ckan_doors(portal) as doors:
        assert (await search(doors, q="aria"))["code"] == "NOT_CKAN"


async def test_a_portal_that_left_ckan() -> None:
    async with ckan_doors(FakeCkan()) as doors:
        found = await search(doors, url="https://catalog.data.gov/dataset/x")
        assert found["code"] == "NOT_CKAN"
        assert found["message"].startswith("catalog.data.gov left CKAN")


@pytest.mark.parametrize("how", ["q", "fq", "sort"])
async def test_a_query_that_the_search_engine_refuses(how: str) -> None:
    wrong = {"q": "title:[aria", "fq": "res_format:[x", "sort": "no_such_field desc"}[how]
    query = f"query ($url: String!, $x: String) {{ datasets(serverUrl: $url, {how}: $x) {{ totalCount }} }}"
    async with ckan_doors(golden_portal()) as doors:
        found = await doors.error(query, x=wrong)
        said = await doors.refusal("ckan_package_search", **{how: wrong})
        assert (found["code"], found["argument"]) == ("BAD_USER_INPUT", how)
        assert said.startswith(f"BAD_USER_INPUT: `{how}` cannot be read by the search engine of 127.0.0.1")
        assert not any(leak in text for leak in LEAKS for text in (said, found["message"]))


async def test_what_is_not_there() -> None:
    async with ckan_doors(golden_portal()) as doors:
        for root, tool in (("dataset", "ckan_package_show"), ("datasetResources", "ckan_list_resources")):
            query = f'query ($url: String!) {{ {root}(serverUrl: $url, id: "Aria-Milano") {{ __typename }} }}'
            found = await doors.error(query)
            assert (found["code"], found["argument"]) == ("NOT_FOUND", "id")
            assert "has no dataset `Aria-Milano`" in found["message"]
            assert (await doors.refusal(tool, id="Aria-Milano")) == f"NOT_FOUND: {found['message']}"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("torontoo", "does not know the portal `torontoo`"),
        ("http://169.254.169.254/latest", "serverUrl"),
        ("https://169.254.169.254/latest", "serverUrl"),
        ("https://127.0.0.1:6379/", "serverUrl"),
        ("https://localhost/", "serverUrl"),
        ("https://[::ffff:10.0.0.1]/", "serverUrl"),
        ("https://2130706433/", "serverUrl"),
        ("file:///etc/passwd", "serverUrl"),
        ("ftp://dati.gov.it/", "serverUrl"),
    ],
)
async def test_addresses_that_are_not_asked(url: str, said: str) -> None:
    async with ckan_doors(FakeCkan()) as doors:
        found = await search(doors, url=url)
        assert (found["code"], found["argument"]) == ("BAD_USER_INPUT", "serverUrl")
        assert said in found["message"]
        assert doors.world.world.network.connected == []


async def test_a_name_that_leads_to_a_private_address_is_not_asked() -> None:
    async with ckan_doors(FakeCkan()) as doors:
        doors.world.world.names.answers["portal.example"] = [["10.0.0.7"]]
        found = await search(doors, url="https://portal.example")
        assert (found["code"], found["argument"]) == ("BAD_USER_INPUT", "serverUrl")
        assert doors.world.world.network.connected == []


async def test_a_node_of_an_address_that_is_not_asked_is_none() -> None:
    async with ckan_doors(FakeCkan()) as doors:
        id_ = global_id("Dataset", "https://127.0.0.1:6379#x")
        data = await doors.graphql("query ($id: ID!) { node(id: $id) { id } }", id=id_)
        assert data == {"node": None}
        assert doors.world.world.network.connected == []


@pytest.mark.parametrize(
    ("filter_", "argument"),
    [
        ({"modifiedMin": "2024-02-01", "modifiedMax": "2024-01-31"}, "filter.modifiedMin"),
        ({"organization": ["x"] * 51}, "filter.organization"),
        ({"anyOf": [{"anyOf": [{"anyOf": [{"not": {"tags": ["x"]}}]}]}]}, None),
    ],
)
async def test_filters_that_cannot_be(filter_: dict[str, Any], argument: str | None) -> None:
    query = (
        "query ($url: String!, $f: DatasetFilter) { datasets(serverUrl: $url, filter: $f) { totalCount } }"
    )
    portal = FakeCkan()
    async with ckan_doors(portal) as doors:
        found = await doors.error(query, f=filter_)
        assert found["code"] == "BAD_USER_INPUT"
        assert argument is None or found["argument"] == argument
        assert not portal.calls


async def test_a_date_that_is_none_is_refused_at_both_doors() -> None:
    query = (
        "query ($url: String!, $f: DatasetFilter) { datasets(serverUrl: $url, filter: $f) { totalCount } }"
    )
    async with ckan_doors(FakeCkan()) as doors:
        found = await doors.error(query, f={"modifiedMin": "10/01/2024"})
        assert found["code"] == "BAD_USER_INPUT"
        said = await doors.refusal("ckan_package_search", modified_min="10/01/2024")
        assert said == "BAD_USER_INPUT: `modified_min` must be a valid DateOrTime, got `10/01/2024`."


async def test_a_portal_that_is_down_leaves_its_siblings_alone() -> None:
    down = FakeCkan()
    down.faults.always(Down())
    query = """query ($here: String!, $there: String!) {
      here: datasets(serverUrl: $here, q: "bonifica") { totalCount }
      there: datasets(serverUrl: $there, q: "bonifica") { totalCount }
      portals(query: "toronto") { key }
    }"""
    async with ckan_doors(golden_portal(), down) as doors:
        here, there = doors.world.urls
        answer = await doors.answer(query, here=here, there=there)
        assert answer["data"] == {"here": {"totalCount": 2}, "there": None, "portals": [{"key": "toronto"}]}
        (error,) = answer["errors"]
        assert (error["path"], error["extensions"]["code"]) == (["there"], "UPSTREAM_UNAVAILABLE")


async def test_every_field_that_searches_says_its_own_argument() -> None:
    async with ckan_doors(golden_portal()) as doors:
        for tool, arguments, argument in (
            ("ckan_package_search", {"q": "OR"}, "q"),
            ("ckan_tag_list", {"q": "AND OR"}, "q"),
            ("ckan_find_relevant_datasets", {"query": "OR"}, "query"),
        ):
            said = await doors.refusal(tool, **arguments)
            assert said.startswith(f"BAD_USER_INPUT: `{argument}` ")
