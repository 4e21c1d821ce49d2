"""The fake portal answers and refuses as CKAN 2.12 was measured to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.support.fake_ckan import FakeCkan, Profile, Table
from tests.support.fake_ckan.corpus import golden_packages


@pytest.fixture
def fake() -> FakeCkan:
    portal = FakeCkan(golden_packages())
    portal.tables = {"r1": Table({"n": "int"}, [{"n": number} for number in (3, 1, 2)])}
    return portal


@pytest.fixture
async def portal(fake: FakeCkan) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(fake)
    async with httpx.AsyncClient(transport=transport, base_url="http://ckan.test") as client:
        yield client


@pytest.mark.parametrize(
    ("action", "given", "status", "kind"),
    [
        ("package_show", {"id": "nothing"}, 404, "Not Found Error"),
        ("package_show", {"id": "D01"}, 404, "Not Found Error"),
        ("package_show", {}, 409, "Validation Error"),
        ("package_search", {"rows": "-1"}, 409, "Validation Error"),
        ("package_search", {"rows": "many"}, 409, "Validation Error"),
        ("package_search", {"facet.field": "tags"}, 409, "Validation Error"),
        ("package_search", {"q": "{!func}x"}, 409, "Search Error"),
        ("package_search", {"q": "title:("}, 409, "Search Error"),
        ("package_search", {"sort": "nonsense"}, 400, "Search Query Error"),
        ("package_search", {"nonsense": "1"}, 400, "Search Query Error"),
        ("datastore_search", {"resource_id": "nothing"}, 404, "Not Found Error"),
        ("datastore_search", {}, 409, "Validation Error"),
        ("datastore_search", {"resource_id": "r1", "filters": '{"m": 1}'}, 409, "Validation Error"),
        ("datastore_search", {"resource_id": "r1", "fields": "m"}, 409, "Validation Error"),
        ("datastore_search", {"resource_id": "r1", "sort": "m desc"}, 409, "Validation Error"),
        ("datastore_search", {"resource_id": "r1", "limit": "-1"}, 409, "Validation Error"),
    ],
)
async def test_refusals(
    portal: httpx.AsyncClient, action: str, given: dict[str, str], status: int, kind: str
) -> None:
    response = await portal.get(f"/api/3/action/{action}", params=given)
    assert (response.status_code, response.json()["error"]["__type"]) == (status, kind)
    assert response.json()["success"] is False


async def test_an_unknown_action_and_bad_json_get_a_bare_string(portal: httpx.AsyncClient) -> None:
    for response in (
        await portal.get("/api/3/action/nonsense"),
        await portal.post("/api/3/action/package_search", content=b"{"),
    ):
        assert response.status_code == 400
        assert isinstance(response.json(), str)


async def test_what_is_no_action_gets_a_page(portal: httpx.AsyncClient) -> None:
    for path in ("/api/3/action/package_search/", "/", "/dataset/d01", "/other/api/3/action/package_search"):
        response = await portal.get(path)
        assert (response.status_code, response.headers["content-type"]) == (404, "text/html; charset=utf-8")


async def test_post_equals_get_and_the_version_may_be_left_out(portal: httpx.AsyncClient) -> None:
    given: dict[str, str | int] = {"q": "aria", "rows": 2}
    answers = [
        (await portal.get("/api/3/action/package_search", params=given)).json(),
        (await portal.get("/api/action/package_search", params=given)).json(),
        (await portal.post("/api/3/action/package_search", json=given)).json(),
    ]
    assert answers[0] == answers[1] == answers[2]
    assert (answers[0]["result"]["count"], len(answers[0]["result"]["results"])) == (3, 2)


async def search(portal: httpx.AsyncClient, **given: Any) -> Any:
    return (await portal.post("/api/3/action/package_search", json=given)).json()["result"]


async def test_empty_queries_find_everything(portal: httpx.AsyncClient) -> None:
    for q in ("", '""', "''", "*:*"):
        assert (await search(portal, q=q))["count"] == 15


async def test_an_or_at_the_top_of_a_filter_is_swallowed(portal: httpx.AsyncClient) -> None:
    assert (await search(portal, fq="tags:aria OR tags:acqua"))["count"] == 15
    assert (await search(portal, fq="tags:(aria OR acqua)"))["count"] == 3
    assert (await search(portal, fq="+(tags:aria OR tags:acqua)"))["count"] == 3


async def test_one_filter_in_a_list_is_torn_over_get(portal: httpx.AsyncClient) -> None:
    torn = await portal.get("/api/3/action/package_search", params={"fq_list": "tags:aria"})
    assert torn.status_code == 409
    assert (await search(portal, fq_list=["tags:aria"]))["count"] == 2


async def test_facets_are_told_only_when_asked_for_and_items_by_name_downwards(
    portal: httpx.AsyncClient,
) -> None:
    assert (await search(portal))["facets"] == {}
    result = await search(portal, **{"facet.field": ["tags"], "facet.limit": 2, "rows": 0})
    assert result["facets"] == {"tags": {"aria": 2, "bonifica": 2}}
    assert [item["name"] for item in result["search_facets"]["tags"]["items"]] == ["bonifica", "aria"]
    everything = await search(portal, **{"facet.field": ["tags"], "facet.limit": -1})
    assert len(everything["facets"]["tags"]) == 16


async def test_private_datasets_are_neither_found_nor_shown(
    fake: FakeCkan, portal: httpx.AsyncClient
) -> None:
    fake.packages[0]["private"] = True
    fake.refresh()
    assert (await search(portal, q="aria"))["count"] == 2
    response = await portal.get("/api/3/action/package_show", params={"id": "d01"})
    assert (response.status_code, response.json()["error"]["__type"]) == (403, "Authorization Error")


async def test_rows_of_the_datastore(portal: httpx.AsyncClient) -> None:
    given: dict[str, str | int] = {"resource_id": "r1", "sort": "n desc", "limit": 2, "offset": 1}
    result = (await portal.get("/api/3/action/datastore_search", params=given)).json()["result"]
    assert result["records"] == [{"_id": 3, "n": 2}, {"_id": 2, "n": 1}]
    assert (result["total"], result["fields"][0]) == (3, {"id": "_id", "type": "int"})
    more: dict[str, str | int] = {"resource_id": "r1", "limit": 50_000, "include_total": "false"}
    result = (await portal.get("/api/3/action/datastore_search", params=more)).json()["result"]
    assert (result["limit"], "total" in result) == (32_000, False)


@pytest.mark.parametrize(
    ("profile", "query", "count"),
    [
        (Profile.DISMAX, "aria OR Milano", 2),
        (Profile.EDISMAX, "aria OR Milano", 4),
        (Profile.NO_TEXT_FIELD, "text:(aria OR Milano)", 0),
        (Profile.OPERATOR_OR, "text:(aria Milano)", 4),
    ],
)
async def test_profiles(profile: Profile, query: str, count: int) -> None:
    transport = httpx.ASGITransport(FakeCkan(profile=profile))
    async with httpx.AsyncClient(transport=transport, base_url="http://ckan.test") as portal:
        assert (await search(portal, q=query))["count"] == count
