"""A mirror beside the embedded data: seeding leaves it alone, merges it with newer data, and answers never mix."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import anyio
import pytest

from api.opening import prepare
from sources.dnd.embedded import EmbeddedData
from sources.errors import DataFolderError
from sources.sole_process import sole_process
from sources.sql_store import SqlStore
from tests.support.mirrored import World, embedded_once
from tests.support.seeded import data

SPELLS = '{ spells(first: 100, filter: {name: "fire"}) { totalCount nodes { key level document { key } } } }'


def newer() -> EmbeddedData:
    """The embedded data of a later loregraph: one spell differs, and one is gone."""
    found = embedded_once()
    spells = tuple(
        replace(one, description="It glows, says the new edition.") if one.key == "srd_light" else one
        for one in found.spells
        if one.key != "srd_wish"
    )
    return replace(found, spells=spells, version="of a later loregraph")


@contextmanager
def with_newer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr("sources.dnd.source.read_embedded", newer)
        patch.setattr("sources.dnd.mirror.read_embedded", newer)
        yield


async def test_a_start_leaves_the_mirror_as_it_is(either_mirror_world: World) -> None:
    await either_mirror_world.mirror()
    before = await either_mirror_world.dump()
    assert (await prepare(either_mirror_world.settings))["dnd"] is False
    assert await either_mirror_world.dump() == before


async def test_newer_embedded_data_is_merged_with_the_mirror_without_a_network(
    mirror_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await mirror_world.mirror()
    before = await mirror_world.dump()
    mirror_world.open5e.forget()
    with with_newer(monkeypatch):
        assert (await prepare(mirror_world.settings))["dnd"] is True
        after = await mirror_world.dump()
        async with mirror_world.asking() as ask:
            answer = data(
                await ask("""{
                    spell(key: "srd_light") { description }
                    wish: spells(filter: {nameExact: "Wish"}) { totalCount }
                    glows: spells(filter: {search: "says the new edition"}) { nodes { key } }
                    ember: spells(filter: {documents: ["ember"]}) { totalCount }
                    rulebooks { nodes { key source } }
                }""")
            )
        assert answer["spell"] == {"description": "It glows, says the new edition."}
        assert answer["wish"] == {"totalCount": 0}
        assert answer["glows"] == {"nodes": [{"key": "srd_light"}]}
        assert answer["ember"]["totalCount"] == 7
        assert {"key": "srd-2014", "source": "merged"} in answer["rulebooks"]["nodes"]
        # What the next mirror makes is the same, and so is what is left without one.
        assert not (await mirror_world.mirror()).changed
        await mirror_world.remove()
        async with mirror_world.asking() as ask:
            answer = data(await ask("{ spells { totalCount } rulebooks { nodes { key source } } }"))
        assert answer == {
            "spells": {"totalCount": 318},
            "rulebooks": {"nodes": [{"key": "srd-2014", "source": "embedded"}]},
        }
    assert before["dnd_spell"] != after["dnd_spell"]
    for name in ("dnd_creature", "dnd_equipment", "dnd_rule", "dnd_character_option", "dnd_mirror_page"):
        assert before[name] == after[name]


async def test_a_loregraph_with_other_embedded_data_replaces_nothing(
    mirror_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await mirror_world.dump()
    with monkeypatch.context() as patch:
        patch.setattr("sources.dnd.mirror.read_embedded", newer)
        with pytest.raises(DataFolderError, match="not those of this loregraph"):
            await mirror_world.mirror()
        with pytest.raises(DataFolderError, match="not those of this loregraph"):
            await mirror_world.remove()
    after = await mirror_world.dump()
    assert after["dnd_spell"] == before["dnd_spell"]
    assert after["dnd_document"] == before["dnd_document"]


async def test_two_mirrors_at_once_are_refused(either_mirror_world: World) -> None:
    with sole_process(either_mirror_world.target, "sync"):
        with pytest.raises(DataFolderError, match="Another loregraph process does a sync"):
            await either_mirror_world.mirror()
        with pytest.raises(DataFolderError, match="Another loregraph process does a sync"):
            await either_mirror_world.remove()
    assert either_mirror_world.open5e.calls == []
    assert (await either_mirror_world.mirror()).changed


async def test_an_answer_that_a_mirror_cuts_in_two_is_made_again(
    either_mirror_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = either_mirror_world
    count, cuts = SqlStore.count, [world.mirror]

    async def cut_before(self: SqlStore, criteria: Any) -> int:
        # The page was read, its count was not.
        if cuts:
            await cuts.pop()()
        return await count(self, criteria)

    async with world.asking() as ask:
        before = data(await ask(SPELLS))
        monkeypatch.setattr(SqlStore, "count", cut_before)
        answer = data(await ask(SPELLS))
        assert cuts == []
        assert answer["spells"]["totalCount"] == len(answer["spells"]["nodes"])
        assert answer["spells"]["totalCount"] > before["spells"]["totalCount"]
        assert {node["document"]["key"] for node in answer["spells"]["nodes"]} == {
            *("srd-2014", "srd-2024", "ember", "a5e-lantern")
        }


async def test_data_that_never_rests_is_an_error_and_no_mixture(
    mirror_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = SqlStore.count

    async def cut_before(self: SqlStore, criteria: Any) -> int:
        changes = await mirror_world.remove()
        if not changes["document"].removed:
            await mirror_world.mirror()
        return await count(self, criteria)

    async with mirror_world.asking() as ask:
        monkeypatch.setattr(SqlStore, "count", cut_before)
        answer = await ask(SPELLS)
    assert answer["data"] is None
    (error,) = answer["errors"]
    assert error["extensions"]["code"] == "UPSTREAM_UNAVAILABLE"
    assert "replaced again and again" in error["message"]


async def test_readers_see_the_one_or_the_other_while_mirrors_come_and_go(either_mirror_world: World) -> None:
    world, query = either_mirror_world, SPELLS
    async with world.asking() as ask:
        embedded = data(await ask(query))
        await world.mirror()
        mirrored = data(await ask(query))
        await world.remove()
    assert embedded != mirrored
    seen: list[Any] = []
    over = asyncio.Event()

    async def read() -> None:
        async with world.asking() as ask:
            while not over.is_set():
                answer = data(await ask(query))
                assert answer in (embedded, mirrored)
                seen.append(answer)
                await asyncio.sleep(0)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        tasks.start_soon(read)
        for _ in range(2):
            await world.mirror()
            await world.remove()
        over.set()
    assert embedded in seen
    assert mirrored in seen
