"""Answers kept for use again, standing in during an outage, and shared while they are on their way."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from sources.deadline import bounded_by, seconds_left
from sources.errors import UpstreamBadResponse, UpstreamError, UpstreamTimeout, UpstreamUnavailable
from sources.http_cache import CachedResponse, MemoryCache
from tests.support.faulty_server import (
    HTML,
    JSON,
    Step,
    answer,
    as_json,
    faulty_server,
    held,
    redirect,
    reset_in_body,
    slow_body,
)
from tests.support.http_world import http_world


async def test_a_fresh_answer_is_used_again_and_says_so() -> None:
    async with faulty_server() as server, http_world(fresh_seconds=300) as world:
        server.on("/x", as_json([1]), as_json([2]))
        client = world.http.trusted("Open5e", server.origin)
        first = await client.get_json("/x")
        world.clock.pass_by(300)
        again = await client.get_json("/x")
        assert (again.value, again.fetched_at, again.status, again.url) == (
            [1],
            first.fetched_at,
            200,
            f"{server.origin}/x",
        )
        assert (again.from_cache, again.stale, again.requests, again.bytes_received) == (True, False, 0, 0)
        world.clock.pass_by(1)
        assert (await client.get_json("/x")).value == [2]
        assert len(server.requests) == 2


async def test_a_clock_that_was_set_back_keeps_nothing_fresh_for_ever() -> None:
    async with faulty_server() as server, http_world(fresh_seconds=300) as world:
        server.on("/x", as_json([1]), as_json([2]))
        client = world.http.trusted("Open5e", server.origin)
        await client.get_json("/x")
        world.clock.pass_by(-301)
        assert (await client.get_json("/x")).value == [2]


async def test_an_error_names_the_argument_of_each_who_asked() -> None:
    async with http_world() as world:
        client = world.http.guarded()
        errors = await asyncio.gather(
            client.get_json("http://inside.example/", argument="serverUrl"),
            client.get_json("http://inside.example/", argument="portal"),
            client.get_json("http://inside.example/"),
            return_exceptions=True,
        )
        assert [getattr(error, "argument", None) for error in errors] == ["serverUrl", "portal", None]


async def test_a_call_may_be_stricter_than_the_settings() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/x", *(as_json(n) for n in range(9)))
        client = world.http.trusted("Open5e", server.origin)
        assert (await client.get_json("/x", fresh_seconds=0)).value == 0
        assert (await client.get_json("/x")).value == 1
        assert (await client.get_json("/x", fresh_seconds=0)).value == 2
        assert (await client.get_json("/x")).value == 1
        world.clock.pass_by(10)
        assert (await client.get_json("/x", fresh_seconds=5)).value == 3


async def test_different_questions_have_different_answers() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/x", *(as_json(n) for n in range(9)))
        client = world.http.trusted("Open5e", server.origin)
        values = [
            (await client.get_json("/x")).value,
            (await client.get_json("/x", {"a": "1"})).value,
            (await client.get_json("/x", headers={"Accept-Language": "en"})).value,
            (await client.get_json("/x", headers={"accept-language": "de"})).value,
            (await client.post_json("/x", {"a": 1})).value,
            (await client.post_json("/x", {"a": 2})).value,
            (await client.get_json("/x")).value,
            (await client.get_json("/x", headers={"Accept-Language": "de"})).value,
            (await client.post_json("/x", {"a": 1})).value,
        ]
        assert values == [0, 1, 2, 3, 4, 5, 0, 3, 4]


@pytest.mark.parametrize(
    "step",
    [
        as_json({"detail": "no"}, 404),
        as_json([1], headers={**JSON, "Cache-Control": "private, No-Store"}),
        as_json({"success": False}),
    ],
)
async def test_what_is_not_worth_it_is_not_kept(step: Step) -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/x", step)
        client = world.http.trusted("Open5e", server.origin)
        for _ in range(2):
            await client.get_json("/x", accept={200, 404}, keep=lambda value: value != {"success": False})
        assert len(server.requests) == 2


@pytest.mark.parametrize("step", [answer(b"{", 200), answer(b"<p>", 200, HTML), answer(b"", 503)])
async def test_failures_are_not_kept(step: Step) -> None:
    async with faulty_server() as server, http_world(attempts=1) as world:
        server.on("/x", step, as_json([1]))
        client = world.http.trusted("Open5e", server.origin)
        with pytest.raises(UpstreamError):
            await client.get_json("/x")
        assert (await client.get_json("/x")).value == [1]


@pytest.mark.parametrize(
    "step",
    [
        answer(b"", 503),
        answer(b"", 429),
        answer(b"<p>down", 200, HTML),
        answer(b"{"),
        reset_in_body,
        slow_body,
    ],
)
async def test_an_older_answer_stands_in_while_the_upstream_fails(step: Step) -> None:
    async with (
        faulty_server() as server,
        http_world(fresh_seconds=10, stale_seconds=100, attempts=1, body_seconds=0.1) as world,
    ):
        server.on("/x", as_json([1]), step)
        client = world.http.trusted("Open5e", server.origin)
        first = await client.get_json("/x")
        world.clock.pass_by(110)
        old = await client.get_json("/x")
        assert (old.value, old.fetched_at) == ([1], first.fetched_at)
        assert (old.from_cache, old.stale, old.requests) == (True, True, 1)
        world.clock.pass_by(1)
        with pytest.raises(UpstreamError):
            await client.get_json("/x")


async def test_a_host_that_is_gone_or_left_alone_is_stood_in_for() -> None:
    async with http_world(fresh_seconds=10, breaker_failures=2, attempts=1) as world:
        async with faulty_server() as server:
            server.on("/x", as_json([1]))
            client = world.http.trusted("Open5e", server.origin)
            await client.get_json("/x")
        world.clock.pass_by(11)
        stale = [await client.get_json("/x") for _ in range(4)]
        assert [(old.value, old.stale, old.requests) for old in stale] == [
            ([1], True, 1),
            ([1], True, 1),
            ([1], True, 0),
            ([1], True, 0),
        ]


@pytest.mark.parametrize("step", [as_json({}, 404), answer(b"", 403, HTML), redirect("http://10.0.0.1/")])
async def test_a_refusal_is_the_truth_of_now(step: Step) -> None:
    async with faulty_server() as server, http_world(fresh_seconds=10) as world:
        server.on("/x", as_json([1]), step)
        client = world.http.trusted("Open5e", server.origin)
        await client.get_json("/x")
        world.clock.pass_by(11)
        with pytest.raises(UpstreamBadResponse):
            await client.get_json("/x")


async def test_all_who_ask_the_same_at_once_share_one_request() -> None:
    async with faulty_server() as server, http_world(host_connections=2) as world:
        server.on("/x", held(as_json([1])))
        client = world.http.trusted("Open5e", server.origin)
        tasks = [asyncio.create_task(client.get_json("/x", fresh_seconds=0)) for _ in range(100)]
        await server.wait_for_requests(1)
        server.released.set()
        fetched = await asyncio.gather(*tasks)
        assert [one.value for one in fetched] == [[1]] * 100
        assert sorted(one.requests for one in fetched) == [0] * 99 + [1]
        assert sum(one.bytes_received for one in fetched) == 3
        assert (len(server.requests), server.connections) == (1, 1)


async def test_all_who_ask_the_same_share_its_error() -> None:
    async with faulty_server() as server, http_world(attempts=2) as world:
        server.on("/x", held(answer(b"", 503)))
        client = world.http.trusted("Open5e", server.origin)
        tasks = [asyncio.create_task(client.get_json("/x")) for _ in range(50)]
        await server.wait_for_requests(1)
        server.released.set()
        errors = await asyncio.gather(*tasks, return_exceptions=True)
        assert {str(error) for error in errors} == {"Open5e is out of order (it answered 503)."}
        assert len(server.requests) == 2


async def test_one_who_leaves_does_not_take_the_others_along() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/x", held(as_json([1])))
        client = world.http.trusted("Open5e", server.origin)
        first, second = (asyncio.create_task(client.get_json("/x")) for _ in range(2))
        await server.wait_for_requests(1)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        server.released.set()
        assert (await second).value == [1]
        assert len(server.requests) == 1


async def test_when_the_last_leaves_the_request_is_ended() -> None:
    async with faulty_server() as server, http_world(host_connections=1) as world:
        server.on("/x", held(as_json([1])))
        server.on("/y", as_json([2]))
        client = world.http.trusted("Open5e", server.origin)
        task = asyncio.create_task(client.get_json("/x"))
        await server.wait_for_requests(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        # Its turn and its connection are free again.
        assert (await client.get_json("/y")).value == [2]
        assert server.connections == 2
        server.released.set()
        assert (await client.get_json("/x")).value == [1]


async def test_closing_ends_what_is_under_way() -> None:
    async with faulty_server() as server:
        server.on("/x", held(as_json([1])))
        async with http_world() as world:
            client = world.http.trusted("Open5e", server.origin)
            task = asyncio.create_task(client.get_json("/x"))
            await server.wait_for_requests(1)
        with pytest.raises(UpstreamUnavailable, match="Open5e is no longer asked"):
            await task


async def test_an_error_comes_before_the_deadline_cuts_off() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/x", held(as_json([1])))
        client = world.http.trusted("Open5e", server.origin)
        with anyio.fail_after(0.3), pytest.raises(UpstreamTimeout, match="Open5e did not answer in time"):
            await client.get_json("/x")
        # A task of its own does not inherit the scope, but it does inherit the deadline.
        with bounded_by(anyio.current_time() + 0.2):
            task = asyncio.create_task(client.get_json("/x"))
        with pytest.raises(UpstreamTimeout):
            await task


async def test_what_went_wrong_before_is_told_when_time_is_up() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/x", answer(b"", 503), held(as_json([1])))
        client = world.http.trusted("Open5e", server.origin)
        with anyio.fail_after(0.5), pytest.raises(UpstreamUnavailable, match="Open5e is out of order"):
            await client.get_json("/x")
        assert len(server.requests) == 2


async def test_each_waits_by_his_own_deadline() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/x", held(as_json([1])))
        client = world.http.trusted("Open5e", server.origin)

        async def hasty() -> Any:
            with anyio.fail_after(0.2):
                return await client.get_json("/x")

        tasks = [asyncio.create_task(hasty()), asyncio.create_task(client.get_json("/x"))]
        with pytest.raises(UpstreamTimeout):
            await tasks[0]
        server.released.set()
        assert (await tasks[1]).value == [1]
        assert len(server.requests) == 1


async def test_a_retry_that_would_come_too_late_is_not_made() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/x", answer(b"", 503, {"Retry-After": "8"}), as_json([1]))
        client = world.http.trusted("Open5e", server.origin)
        with anyio.fail_after(5), pytest.raises(UpstreamUnavailable) as caught:
            await client.get_json("/x")
        assert caught.value.retry_after == 8
        assert (len(server.requests), world.clock.slept) == (1, [])


async def test_an_older_answer_stands_in_when_time_is_up() -> None:
    async with faulty_server() as server, http_world(fresh_seconds=10) as world:
        server.on("/x", as_json([1]), held(as_json([2])))
        client = world.http.trusted("Open5e", server.origin)
        await client.get_json("/x")
        world.clock.pass_by(11)
        with anyio.fail_after(0.2):
            old = await client.get_json("/x")
        assert (old.value, old.stale) == ([1], True)


async def test_deadlines_only_come_nearer() -> None:
    now = anyio.current_time()
    assert seconds_left() == float("inf")
    with bounded_by(now + 100), bounded_by(now + 1000):
        assert 99 < seconds_left() <= 100
        with anyio.CancelScope(deadline=now + 50):
            await anyio.lowlevel.checkpoint()
            assert 49 < seconds_left() <= 50
    assert seconds_left() == float("inf")


def entry(size: int) -> CachedResponse:
    return CachedResponse(200, "application/json", b"x" * size, "http://h/", 0.0)


async def test_memory_keeps_what_was_used_last_within_its_entries() -> None:
    cache = MemoryCache(2, 1_000)
    await cache.put("a", entry(1), 10)
    await cache.put("b", entry(1), 10)
    assert await cache.get("a") is not None
    await cache.put("c", entry(1), 10)
    assert [await cache.get(key) is not None for key in "abc"] == [True, False, True]
    assert (len(cache), cache.bytes) == (2, 2)


async def test_memory_stays_within_its_bytes() -> None:
    cache = MemoryCache(1_000, 800)
    for n in range(50):
        await cache.put(str(n), entry(100), 10)
    assert (len(cache), cache.bytes) == (8, 800)
    await cache.put("49", entry(10), 10)
    assert (len(cache), cache.bytes) == (8, 710)
    await cache.put("large", entry(101), 10)
    await cache.put("never", entry(1), 0)
    assert await cache.get("large") is None
    assert await cache.get("never") is None
    await cache.put("49", entry(200), 10)
    assert (await cache.get("49"), cache.bytes) == (None, 700)


async def test_a_cache_of_no_entries_keeps_nothing() -> None:
    async with faulty_server() as server, http_world(cache_entries=0) as world:
        server.on("/x", as_json([1]))
        client = world.http.trusted("Open5e", server.origin)
        for _ in range(2):
            await client.get_json("/x")
        assert len(server.requests) == 2
