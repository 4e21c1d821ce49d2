"""Resources, and the portals that they come from."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from resolvers.datasets.queries import CheckedResource, find_resources
from sources.datasets.source_check import SourceState
from sources.errors import NotFound
from tests.support.ckan_world import CkanWorld, ckan_world
from tests.support.fake_ckan import FakeCkan, Profile, Table
from tests.support.fake_ckan.corpus import Line, Raw, identity, package, resource
from tests.support.fake_upstream import Canned, Down

MILANO = "dati.comune.milano.it"
ONE, TWO = identity("one"), identity("two")
TABLE = Table({"anno": "int"}, [{"anno": 2024}])


def portal_with(*resources: Raw) -> FakeCkan:
    line = Line("d1", "Dati", "", ("x",), "comune")
    return FakeCkan([package(line, resources=resources)])


def foreign(
    identifier: str = ONE, host: str = MILANO, path: str = "/dataset/x/resource/{}/download/f.csv"
) -> Raw:
    return resource("r1", "d1", url=f"http://{host}{path.format(identifier)}")


def source(**tables: Table) -> FakeCkan:
    portal = FakeCkan()
    portal.tables = {ONE: TABLE, **tables}
    return portal


async def resources_of(world: CkanWorld, **more: Any) -> list[CheckedResource]:
    return list((await find_resources(world.scope, world.url, "d1", **more)).nodes)


async def one(world: CkanWorld, **more: Any) -> CheckedResource:
    (found,) = await resources_of(world, **more)
    return found


async def test_the_source_portal_has_the_datastore() -> None:
    milano = source()
    async with ckan_world(portal_with(foreign()), named={MILANO: milano}) as world:
        found = await one(world)
        assert found.check is not None
        assert found.check.state is SourceState.ACTIVE
        assert found.source_datastore_active is True
        assert found.source_portal_url == f"http://{MILANO}"
        assert found.source_note is None
        assert [(asked.action, dict(asked.given)) for asked in milano.asked] == [
            ("datastore_search", {"resource_id": ONE, "limit": "0"})
        ]


async def test_the_source_portal_has_no_datastore() -> None:
    async with ckan_world(portal_with(foreign(TWO)), named={MILANO: source()}) as world:
        found = await one(world)
        assert found.check is not None
        assert found.check.state is SourceState.INACTIVE
        assert (found.source_datastore_active, found.source_portal_url) == (False, None)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:{port}/dataset/x/resource/{id}/f.csv", "http://127.0.0.1/resource/{id}"]
)
async def test_a_resource_of_the_same_portal_is_not_checked(url: str) -> None:
    portal = portal_with(resource("r1", "d1"))
    async with ckan_world(portal) as world:
        port = world.url.rpartition(":")[2]
        portal.packages[0]["resources"][0]["url"] = url.format(port=port, id=ONE)
        found = await one(world)
        assert (found.check, found.source_datastore_active, found.source_note) == (None, None, None)
        assert [asked.action for asked in portal.asked] == ["package_show"]


async def test_nothing_is_checked_where_the_caller_does_not_want_it() -> None:
    milano = source()
    async with ckan_world(portal_with(foreign()), named={MILANO: milano}) as world:
        found = await one(world, check_source_portal=False)
        assert found.check is None
        assert not milano.calls


async def test_nothing_is_checked_where_the_operator_does_not_want_it() -> None:
    milano = source()
    async with ckan_world(portal_with(foreign()), named={MILANO: milano}, source_check=False) as world:
        answer = await find_resources(world.scope, world.url, "d1")
        assert answer.nodes[0].check is None
        assert "does not ask" in answer.provenance.warnings[0]
        assert not milano.calls


async def test_a_source_portal_that_is_down_is_noted_and_raises_nothing() -> None:
    milano = source()
    milano.faults.always(Down())
    async with ckan_world(portal_with(foreign()), named={MILANO: milano}) as world:
        found = await one(world)
        assert found.check is not None
        assert found.check.state is SourceState.UNREACHABLE
        assert (found.source_datastore_active, found.source_portal_url) == (False, None)
        assert found.source_note is not None
        assert MILANO in found.source_note


@pytest.mark.parametrize(
    ("profile", "note"),
    [
        (Profile.WAF_403, "firewall"),
        (Profile.HTML_200, "firewall"),
        (Profile.SUCCESS_FALSE, "did not succeed"),
    ],
)
async def test_a_source_portal_that_answers_otherwise_is_inactive_with_its_kind(
    profile: Profile, note: str
) -> None:
    milano = source()
    milano.profile = profile
    async with ckan_world(portal_with(foreign()), named={MILANO: milano}) as world:
        found = await one(world)
        assert found.check is not None
        assert found.check.state is SourceState.INACTIVE
        assert found.source_note is not None
        assert note in found.source_note


async def test_active_resources_are_not_checked() -> None:
    milano = source()
    portal = portal_with({**foreign(), "datastore_active": True})
    async with ckan_world(portal, named={MILANO: milano}) as world:
        assert (await one(world)).check is None
        assert not milano.calls


@pytest.mark.parametrize(
    ("url", "note"),
    [
        (f"http://{MILANO}/files/data.csv", "does not name a resource"),
        (f"http://{MILANO}/dataset/x?y=/resource/{ONE}", "does not name a resource"),
        (f"http://{MILANO}:6379/dataset/x/resource/{ONE}", "port"),
        (f"http://{MILANO}:8080/resource/{ONE}/f", "port"),
        (f"https://catalog.data.gov/dataset/x/resource/{ONE}", "left CKAN"),
        (f"http://169.254.169.254/dataset/x/resource/{ONE}", "no public address"),
        (f"http://10.0.0.1/resource/{ONE}", "no public address"),
        (f"http://localhost/resource/{ONE}", "no public address"),
        (f"ftp://{MILANO}/resource/{ONE}", "none that can be asked"),
        ("not a url", "none that can be asked"),
    ],
)
async def test_what_must_not_be_asked_is_skipped_and_says_why(url: str, note: str) -> None:
    milano = source()
    async with ckan_world(portal_with(resource("r1", "d1", url=url)), named={MILANO: milano}) as world:
        found = await one(world)
        assert found.check is not None
        assert found.check.state is SourceState.SKIPPED
        assert found.source_datastore_active is None
        assert found.source_note is not None
        assert note in found.source_note
        assert not milano.calls


async def test_a_redirect_into_a_private_network_is_refused_and_noted() -> None:
    milano = source()
    target = {"location": f"http://169.254.169.254/api/3/action/datastore_search?resource_id={ONE}"}
    milano.faults.always(Canned(302, b"", headers=target))
    async with ckan_world(portal_with(foreign()), named={MILANO: milano}) as world:
        found = await one(world)
        assert found.check is not None
        assert found.check.state is SourceState.INACTIVE
        assert found.source_note is not None
        assert "address that is not asked" in found.source_note
        assert world.world.network.connected.count(("169.254.169.254", 80)) == 0


async def test_a_redirect_to_another_host_is_inactive_and_noted() -> None:
    milano, other = source(), source()
    milano.faults.always(
        Canned(
            302,
            b"",
            headers={"location": f"http://dati.example.org/api/3/action/datastore_search?resource_id={ONE}"},
        )
    )
    named = {MILANO: milano, "dati.example.org": other}
    async with ckan_world(portal_with(foreign()), named=named) as world:
        found = await one(world)
        assert found.check is not None
        assert found.check.state is SourceState.INACTIVE
        assert "another host" in (found.source_note or "")


@pytest.mark.parametrize(
    "path", ["/opendata/dataset/x/resource/{}/f.csv", "/opendata/it/dataset/x/resource/{}"]
)
async def test_a_portal_below_a_path_is_asked_there(path: str) -> None:
    milano = source()
    milano.prefix = "/opendata"
    async with ckan_world(portal_with(foreign(path=path)), named={MILANO: milano}) as world:
        found = await one(world)
        assert found.source_datastore_active is True
        assert found.source_portal_url == f"http://{MILANO}/opendata"


async def test_the_root_is_asked_where_the_path_is_no_portal() -> None:
    milano = source()
    async with ckan_world(
        portal_with(foreign(path="/files/dataset/x/resource/{}/f.csv")), named={MILANO: milano}
    ) as world:
        found = await one(world)
        assert found.source_portal_url == f"http://{MILANO}"
        assert len(milano.calls) == 2


async def test_at_most_so_many_are_checked_and_the_rest_is_told() -> None:
    resources = [{**foreign(identity(f"n{number}")), "id": f"r{number}"} for number in range(300)]
    milano = source()
    async with ckan_world(portal_with(*resources), named={MILANO: milano}) as world:
        answer = await find_resources(world.scope, world.url, "d1")
        states = [found.check.state for found in answer.nodes if found.check is not None]
        assert states == [SourceState.INACTIVE] * 10 + [SourceState.SKIPPED] * 290
        assert len(milano.calls) == 10
        assert milano.most_at_once <= 5
        assert answer.provenance.upstream_requests == 11
        assert "290 resources were not checked" in answer.provenance.warnings[0]


async def test_the_check_is_asked_anew_each_time() -> None:
    milano = source()
    async with ckan_world(portal_with(foreign()), named={MILANO: milano}) as world:
        await one(world)
        milano.tables = {}
        assert (await one(world)).source_datastore_active is False


async def test_what_a_resource_lacks_has_a_name_all_the_same() -> None:
    async with ckan_world(
        portal_with(
            resource(
                "r1", "d1", name="", format="", url=" ", download_url="", access_url=" http://a.example/x "
            ),
            resource("r2", "d1", name=None, url="http://b.example/x", download_url="http://c.example/x"),
        )
    ) as world:
        first, second = await resources_of(world, check_source_portal=False)
        assert (first.resource.name, first.resource.format) == ("Unnamed Resource", "Unknown")
        assert (first.resource.url, second.resource.url) == ("http://a.example/x", "http://c.example/x")


@pytest.mark.parametrize(("wanted", "count"), [("csv", 2), ("CSV", 2), (".csv", 2), ("json", 1), ("pdf", 0)])
async def test_a_format_is_compared_whole_and_whatever_its_case(wanted: str, count: int) -> None:
    async with ckan_world(
        portal_with(
            resource("r1", "d1", format="CSV "),
            resource("r2", "d1", format=".csv"),
            resource("r3", "d1", format="GeoJSON"),
            resource("r4", "d1", format="json"),
        )
    ) as world:
        assert len(await resources_of(world, format_filter=wanted, check_source_portal=False)) == count


async def test_a_dataset_that_is_not_there_is_not_found() -> None:
    async with ckan_world(FakeCkan()) as world:
        for identifier in ("nothing", "D01"):
            with pytest.raises(NotFound, match=f"has no dataset `{identifier}`"):
                await find_resources(world.scope, world.url, identifier)


async def test_many_at_once_ask_the_portal_once_for_the_dataset() -> None:
    portal = portal_with(resource("r1", "d1"))
    async with ckan_world(portal) as world:
        await asyncio.gather(*(resources_of(world, check_source_portal=False) for _ in range(20)))
        assert len(portal.calls) == 1
