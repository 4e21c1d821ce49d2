"""Portals that fail: each failure is a typed error in our words, and never "no results"."""

from __future__ import annotations

from typing import Any

import pytest

from resolvers.datasets.queries import (
    DatasetSearch,
    DatastoreSearch,
    find_datasets,
    find_rows,
    get_dataset,
    get_portal,
)
from resolvers.question import Wanted
from sources.errors import (
    BadInput,
    LoregraphError,
    NotCkan,
    NotFound,
    PortalBlocked,
    UpstreamBadResponse,
    UpstreamUnavailable,
)
from tests.support.ckan_world import CkanWorld, ckan_world
from tests.support.fake_ckan import FakeCkan, Profile
from tests.support.fake_ckan.replies import HOME_PAGE, NOT_FOUND_PAGE
from tests.support.fake_upstream import Canned, Down, html_error

LEAKS = (
    "SOLR",
    "solr.",
    "permission_labels",
    "site_id",
    "Traceback",
    "<html",
    "Incapsula",
    "support ID",
    "Access denied",
)


async def search(world: CkanWorld, q: str | None = "aria", **more: Any) -> Any:
    return await find_datasets(world.scope, DatasetSearch(more.pop("url", world.url), Wanted(()), q, **more))


def safe(error: LoregraphError) -> None:
    assert not any(word in error.message for word in LEAKS), error.message


@pytest.mark.parametrize(
    ("profile", "kind"),
    [
        (Profile.WAF_403, PortalBlocked),
        (Profile.HTML_200, PortalBlocked),
        (Profile.SUCCESS_FALSE, UpstreamBadResponse),
    ],
)
async def test_a_portal_that_does_not_answer_the_question(
    profile: Profile, kind: type[LoregraphError]
) -> None:
    async with ckan_world(FakeCkan(profile=profile)) as world:
        with pytest.raises(kind) as caught:
            await search(world)
        assert type(caught.value) is kind
        safe(caught.value)


async def test_a_portal_that_is_down() -> None:
    portal = FakeCkan()
    portal.faults.always(Down())
    async with ckan_world(portal) as world:
        with pytest.raises(UpstreamUnavailable):
            await search(world)


async def test_a_search_engine_that_is_down() -> None:
    portal = FakeCkan()
    portal.faults.always(html_error(500))
    async with ckan_world(portal) as world:
        with pytest.raises(UpstreamUnavailable):
            await search(world)


@pytest.mark.parametrize(
    "answer",
    [
        Canned(200, HOME_PAGE.encode()),
        Canned(404, NOT_FOUND_PAGE.encode()),
        Canned(200, b'{"results": []}', "application/json"),
        Canned(200, b"[1, 2]", "application/json"),
        Canned(404, b'{"detail": "no such path"}', "application/json"),
    ],
)
async def test_an_address_that_is_no_ckan(answer: Canned) -> None:
    portal = FakeCkan()
    portal.faults.always(answer)
    async with ckan_world(portal) as world:
        with pytest.raises(NotCkan, match="not as a CKAN portal"):
            await search(world)


async def test_a_page_with_200_from_a_portal_that_runs_ckan_is_a_firewalls() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        await search(world)
        portal.faults.always(Canned(200, HOME_PAGE.encode()))
        with pytest.raises(PortalBlocked):
            await search(world, "acqua")


async def test_an_action_that_a_portal_does_not_offer() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        await search(world)
        portal.faults.always(Canned(404, NOT_FOUND_PAGE.encode()))
        with pytest.raises(UpstreamBadResponse, match="does not offer `status_show`"):
            await get_portal(world.scope, world.url)


async def test_a_bare_string_is_an_error_too() -> None:
    portal = FakeCkan()
    body = b'"Bad request - Action name not known: package_search"'
    portal.faults.always(Canned(400, body, "application/json"))
    async with ckan_world(portal) as world:
        with pytest.raises(UpstreamBadResponse, match="does not know or take the request `package_search`"):
            await search(world)


async def test_a_firewall_that_takes_only_post_is_asked_by_post() -> None:
    portal = FakeCkan()
    portal.post_only = True
    async with ckan_world(portal) as world:
        answer = await search(world)
        assert len(answer.nodes) == 3
        assert answer.provenance.upstream_requests == 2
        await search(world, "acqua")
        assert [call.method for call in portal.calls] == ["GET", "POST", "POST"]


async def test_a_long_question_goes_by_post() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        await search(world, " ".join(f"parola{'x' * number}" for number in range(60)))
        assert [call.method for call in portal.calls] == ["POST"]


@pytest.mark.parametrize(
    ("asked", "argument"),
    [
        ({"q": "title:(aria"}, "q"),
        ({"q": "title:[aria]"}, "q"),
        ({"q": None, "fq": "title:[aria]"}, "fq"),
        ({"sort": "nonsense desc"}, "sort"),
        ({"sort": "title; drop"}, "sort"),
        ({"sort": "{!func}x desc"}, "sort"),
        ({"q": "{!xmlparser}x"}, "q"),
        ({"q": "AND OR"}, "q"),
        ({"fq": "a) OR (b"}, "fq"),
        ({"url": "http://169.254.169.254/"}, "serverUrl"),
        ({"url": "https://169.254.169.254/"}, "serverUrl"),
        ({"url": "https://localhost"}, "serverUrl"),
        ({"url": "https://10.0.0.1/ckan"}, "serverUrl"),
    ],
)
async def test_what_the_caller_got_wrong_names_the_argument(asked: dict[str, Any], argument: str) -> None:
    async with ckan_world(FakeCkan()) as world:
        with pytest.raises(BadInput) as caught:
            await search(world, **{"q": "aria", **asked})
        assert caught.value.argument == argument
        safe(caught.value)


@pytest.mark.parametrize("identifier", ["nothing", "Aria-Milano", "D01"])
async def test_a_dataset_that_is_not_there(identifier: str) -> None:
    async with ckan_world(FakeCkan()) as world:
        with pytest.raises(NotFound, match=f"no dataset `{identifier}`") as caught:
            await get_dataset(world.scope, world.url, identifier)
        assert caught.value.argument == "id"


async def test_a_private_dataset_is_not_found_and_says_so() -> None:
    portal = FakeCkan()
    portal.packages[0]["private"] = True
    async with ckan_world(portal) as world:
        with pytest.raises(NotFound, match="may be private") as caught:
            await get_dataset(world.scope, world.url, "d01")
        safe(caught.value)


async def test_a_resource_without_a_datastore_says_where_to_look() -> None:
    async with ckan_world(FakeCkan()) as world:
        with pytest.raises(NotFound, match="datastoreActive") as caught:
            await find_rows(world.scope, DatastoreSearch(world.url, "nothing"))
        assert caught.value.argument == "resourceId"


async def test_a_failure_is_never_kept() -> None:
    portal = FakeCkan(profile=Profile.SUCCESS_FALSE)
    async with ckan_world(portal) as world:
        with pytest.raises(UpstreamBadResponse):
            await search(world)
        portal.profile = Profile.DISMAX
        assert len((await search(world)).nodes) == 3


async def test_an_answer_is_used_again_and_says_so() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        await search(world)
        again = await search(world)
        assert len(portal.calls) == 1
        assert (again.provenance.from_cache, again.provenance.upstream_requests) == (True, 0)


async def test_an_old_answer_stands_in_for_a_portal_that_is_down_and_says_so() -> None:
    portal = FakeCkan()
    async with ckan_world(portal) as world:
        await search(world)
        world.world.clock.pass_by(1_000)
        portal.faults.always(Down())
        again = await search(world)
        assert (again.provenance.stale, len(again.nodes)) == (True, 3)
        assert "an older answer stands in" in again.provenance.warnings[0]
