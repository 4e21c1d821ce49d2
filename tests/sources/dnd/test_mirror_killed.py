"""Mirrors that are killed at any moment and resumed, with readers asking all the while."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any
from unittest.mock import patch

import anyio
import anyio.to_thread
import pytest

from tests.support.commands import ROOT, environment
from tests.support.fake_upstream import Gate
from tests.support.live import ENVIRONMENT
from tests.support.mirrored import World
from tests.support.seeded import data

pytestmark = pytest.mark.timeout(180)

ASKED = """{
    rulebooks(first: 100) { totalCount nodes { key source counts { kind count } } }
    spells(first: 3, filter: {search: "lights the dark"}) { totalCount nodes { key document { name } } }
    byClass: spells(filter: {classKey: ["druid"]}) { totalCount }
    creatures(first: 2, orderBy: [{field: HIT_POINTS, direction: DESC}]) { totalCount nodes { key } }
    equipment { totalCount }
    characterOptions(filter: {kind: [CLASS]}) { totalCount nodes { key ... on CharacterClass { features { key } } } }
    rules { totalCount }
}"""
"""A question of many statements, whose every part differs between the embedded records and the mirror."""

BETWEEN_SECONDS = 0.05
"""From one question of the readers to the next."""

PLACES = ("records made", "rows written", "all but committed")
"""Moments of the switch-over, see `tests/support/mirror_process.py`."""

AFTER_REQUESTS = (1, 2, 4, 7, 11, 15, 18)
"""With those of `PLACES`, ten points at which a run is killed."""


@asynccontextmanager
async def readers(world: World, allowed: list[Any], seen: list[Any]) -> AsyncIterator[None]:
    """Asks all the while; each answer must be one of `allowed`, whole. `seen` gets the answers, repeats left out."""
    over = asyncio.Event()

    async def read() -> None:
        async with world.asking() as ask:
            while not over.is_set():
                answer = data(await ask(ASKED))
                assert answer in allowed
                if not seen or seen[-1] != answer:
                    seen.append(answer)
                # The processes that write need the machine as well.
                with anyio.move_on_after(BETWEEN_SECONDS):
                    await over.wait()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        try:
            yield
        finally:
            over.set()


class Runs:
    """Runs of the command, one at a time, in processes of their own."""

    def __init__(self, process: subprocess.Popen[str], world: World) -> None:
        self._process = process
        self._world = world

    async def begin(self, place: str = "") -> int:
        """Begins a run, which kills itself at `place` where one is given; returns its process id."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{place}\n")
        self._process.stdin.flush()
        return int(await self.line())

    async def ended(self) -> int:
        """The exit code of the run."""
        return int(await self.line())

    async def killed_after(self, requests: int) -> None:
        """Begins a run and kills it when so many requests have come; from the last on they are never answered."""
        gate, answered, numbers = Gate(), self._world.open5e.answer, count(1)

        async def answer(*arguments: Any) -> None:
            if next(numbers) >= requests:
                await gate.passed()
            await answered(*arguments)

        with patch.object(self._world.open5e, "answer", answer):
            process = await self.begin()
            await gate.arrived(1)
            os.kill(process, signal.SIGKILL)
            assert await self.ended() == -signal.SIGKILL
            gate.open()

    async def line(self) -> str:
        assert self._process.stdout is not None
        line = await anyio.to_thread.run_sync(self._process.stdout.readline)
        assert line, "the process that runs the commands has ended"
        return line.strip()


@asynccontextmanager
async def running(world: World) -> AsyncIterator[Runs]:
    """Runs on the world's database and its fake."""
    on_server = world.target.startswith("postgresql")
    variables = {
        **ENVIRONMENT,
        "LOREGRAPH_OPEN5E_URL": world.open5e.url,
        **({"LOREGRAPH_DATABASE_URL": world.target} if on_server else {}),
    }
    process = subprocess.Popen(  # noqa: ASYNC220 - it begins at once; all waiting is done in threads
        [sys.executable, "-m", "tests.support.mirror_process"],
        cwd=ROOT,
        env=environment(world.settings.data_dir, variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        runs = Runs(process, world)
        assert await runs.line() == "ready"
        yield runs
    finally:
        process.kill()
        process.communicate()


async def whole(world: World) -> tuple[Any, Any, dict[str, Any]]:
    """What is answered before and after an undisturbed mirror, and all that the database holds after it.

    The world is then as it was.
    """
    async with world.asking() as ask:
        before = data(await ask(ASKED))
    await world.mirror()
    async with world.asking() as ask:
        after = data(await ask(ASKED))
    dump = await world.dump()
    await world.remove()
    world.open5e.forget()
    for name, part in before.items():
        assert part != after[name]
    return before, after, dump


async def test_a_mirror_killed_at_ten_points_ends_as_an_undisturbed_one(mirror_world: World) -> None:
    before, after, undisturbed = await whole(mirror_world)
    seen: list[Any] = []
    async with running(mirror_world) as runs, readers(mirror_world, [before, after], seen):
        for requests in AFTER_REQUESTS:
            await runs.killed_after(requests)
        for place in PLACES:
            await runs.begin(place)
            assert await runs.ended() == -signal.SIGKILL
        assert seen == [before]
        mirror_world.open5e.forget()
        await runs.begin()
        assert await runs.ended() == 0
    # All had been read already: what was asked at last is whether it still stands.
    assert {call.values["limit"] for call in mirror_world.open5e.calls} == {"1", "1000"}
    assert seen[0] == before
    assert len(seen) <= 2
    async with mirror_world.asking() as ask:
        assert data(await ask(ASKED)) == after
    assert await mirror_world.dump() == undisturbed


@pytest.mark.parametrize("either_mirror_world", ["postgresql"], indirect=True)
async def test_on_postgresql_as_well(either_mirror_world: World) -> None:
    world = either_mirror_world
    before, after, undisturbed = await whole(world)
    seen: list[Any] = []
    async with running(world) as runs, readers(world, [before, after], seen):
        await runs.killed_after(9)
        await runs.begin("all but committed")
        assert await runs.ended() == -signal.SIGKILL
        assert seen == [before]
        await runs.begin()
        assert await runs.ended() == 0
    async with world.asking() as ask:
        assert data(await ask(ASKED)) == after
    assert await world.dump() == undisturbed
