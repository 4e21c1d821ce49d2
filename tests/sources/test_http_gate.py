"""How many requests a host is sent, and none while it is down."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sources.circuit_breaker import CircuitBreaker, CircuitOpen
from sources.errors import UpstreamError, UpstreamUnavailable
from sources.http import HostLimits
from sources.http_gate import MOST_HOSTS, HostGate, HostGates
from tests.support.faulty_server import (
    Step,
    answer,
    as_json,
    faulty_server,
    held,
    reset_at_once,
    slow_body,
    slow_head,
)
from tests.support.http_world import PUBLIC, FakeClock, http_world


def breaker(clock: FakeClock, failures: int = 2) -> CircuitBreaker:
    return CircuitBreaker(failures, 15, lambda: clock.seconds)


def fail(circuit: CircuitBreaker, times: int) -> None:
    for _ in range(times):
        circuit.admit().fail()


def test_it_opens_after_failures_in_a_row() -> None:
    circuit = breaker(FakeClock())
    fail(circuit, 1)
    circuit.admit().succeed()
    fail(circuit, 1)
    # A failure, a success and a failure: not two in a row.
    fail(circuit, 1)
    with pytest.raises(CircuitOpen) as caught:
        circuit.admit()
    assert caught.value.retry_after == 15
    assert circuit.is_open


def test_half_open_it_lets_one_through_at_a_time() -> None:
    clock = FakeClock()
    circuit = breaker(clock)
    fail(circuit, 2)
    clock.pass_by(14)
    with pytest.raises(CircuitOpen):
        circuit.admit()
    clock.pass_by(1)
    trial = circuit.admit()
    with pytest.raises(CircuitOpen):
        circuit.admit()
    trial.succeed()
    assert not circuit.is_open
    circuit.admit()
    circuit.admit()


def test_a_trial_that_fails_opens_it_anew() -> None:
    clock = FakeClock()
    circuit = breaker(clock)
    fail(circuit, 2)
    clock.pass_by(20)
    circuit.admit().fail()
    with pytest.raises(CircuitOpen) as caught:
        circuit.admit()
    assert caught.value.retry_after == 15


def test_a_trial_that_was_cancelled_leaves_room_for_the_next() -> None:
    clock = FakeClock()
    circuit = breaker(clock)
    fail(circuit, 2)
    clock.pass_by(15)
    circuit.admit().release()
    circuit.admit().succeed()
    assert not circuit.is_open


def test_what_began_before_a_change_changes_nothing_after() -> None:
    clock = FakeClock()
    circuit = breaker(clock)
    late_success, late_failure = circuit.admit(), circuit.admit()
    fail(circuit, 2)
    late_success.succeed()
    assert circuit.is_open
    clock.pass_by(15)
    circuit.admit().succeed()
    late_failure.fail()
    fail(circuit, 1)
    assert not circuit.is_open


def test_a_ticket_tells_once() -> None:
    circuit = breaker(FakeClock())
    ticket = circuit.admit()
    ticket.fail()
    ticket.fail()
    ticket.release()
    assert not circuit.is_open
    assert not circuit.idle


async def test_gates_that_remember_nothing_make_room() -> None:
    clock = FakeClock()

    def make() -> HostGate:
        return HostGate(HostLimits(1, 100, 100), breaker(clock), lambda: clock.seconds)

    gates = HostGates(make)
    down = gates.of("down.example", 80)
    fail(down.breaker, 2)
    resting = gates.of("resting.example", 80)
    resting.rest(100)
    for n in range(MOST_HOSTS + 50):
        gates.of(f"h{n}.example", 80)
        assert len(gates) <= MOST_HOSTS
    assert gates.of("down.example", 80) is down
    assert gates.of("resting.example", 80) is resting
    assert gates.of("resting.example", 81) is not resting


async def outcomes(*calls: Any) -> list[str]:
    results = await asyncio.gather(*calls, return_exceptions=True)
    return [type(result).__name__ for result in results]


@pytest.mark.parametrize("at_once", [1, 3])
async def test_requests_to_one_host_take_turns(at_once: int) -> None:
    async with faulty_server() as server, http_world() as world:
        for n in range(20):
            server.on(f"/{n}", held(as_json(n)))
        client = world.http.trusted("D&D 5e API", server.origin, limits=HostLimits(at_once, 1_000, 1_000))
        tasks = [asyncio.create_task(client.get_json(f"/{n}")) for n in range(20)]
        await server.wait_for_requests(at_once)
        server.released.set()
        assert [(await task).value for task in tasks] == list(range(20))
        assert (server.peak, server.connections) == (at_once, at_once)


async def test_the_rate_of_a_client_is_its_own() -> None:
    async with faulty_server() as server, http_world(total_seconds=0.3) as world:
        server.on("/x", as_json([1]))
        client = world.http.trusted("D&D 5e API", server.origin, limits=HostLimits(8, 0.1, 4))
        calls = (client.get_json("/x", {"n": str(n)}) for n in range(7))
        assert sorted(await outcomes(*calls)) == ["Fetched"] * 4 + ["UpstreamTimeout"] * 3
        assert len(server.requests) == 4
        other = world.http.trusted("Open5e", server.origin)
        assert (await other.get_json("/x", {"n": "other"})).value == [1]


async def test_an_outage_opens_no_more_than_the_configured_connections() -> None:
    async with faulty_server() as server:
        gone, port = server.origin, server.port
    async with http_world(host_connections=4, attempts=3, breaker_failures=5) as world:
        client = world.http.trusted("Open5e", gone)
        kinds = await outcomes(*(client.get_json("/x", {"n": str(n)}) for n in range(200)))
        assert kinds == ["UpstreamUnavailable"] * 200
        # Five failures open the breaker; of the four at once, three may be on their way by then.
        assert 5 <= len(world.network.connected) <= 8
        before = len(world.network.connected)
        assert set(await outcomes(*(client.get_json("/y", {"n": str(n)}) for n in range(200)))) == {
            "UpstreamUnavailable"
        }
        assert len(world.network.connected) == before
        # Back again: nothing is restarted, one request tries, and all go through.
        async with faulty_server(port=port) as back:
            back.on("/x", as_json([1]))
            with pytest.raises(UpstreamUnavailable, match=r"it is asked again in 1[0-5] seconds") as caught:
                await client.get_json("/x")
            assert caught.value.retry_after == pytest.approx(15, abs=5)
            world.clock.pass_by(15)
            assert (await client.get_json("/x", {"n": "trial"})).value == [1]
            kinds = await outcomes(*(client.get_json("/x", {"n": str(n)}) for n in range(200)))
            assert kinds == ["Fetched"] * 200
            assert back.peak <= 4
            assert back.connections <= 4


async def test_a_hanging_upstream_holds_no_more_than_its_turns() -> None:
    async with (
        faulty_server() as server,
        http_world(host_connections=4, first_byte_seconds=0.1, connect_seconds=0.1) as world,
    ):
        server.on("/x", held(as_json([1])))
        client = world.http.trusted("Open5e", server.origin)
        kinds = await outcomes(*(client.get_json("/x", {"n": str(n)}) for n in range(200)))
        assert set(kinds) == {"UpstreamTimeout", "UpstreamUnavailable"}
        # Five that failed open the breaker, while three more may be on their way.
        assert 5 <= len(server.requests) <= 8


async def test_while_half_open_one_request_is_sent() -> None:
    async with faulty_server() as server, http_world(attempts=1, breaker_failures=2) as world:
        server.on("/x", reset_at_once, reset_at_once, held(as_json([1])))
        client = world.http.trusted("Open5e", server.origin)
        for n in range(2):
            await outcomes(client.get_json("/x", {"n": str(n)}))
        world.clock.pass_by(15)
        trial = asyncio.create_task(client.get_json("/x", {"n": "trial"}))
        await server.wait_for_requests(3)
        kinds = await outcomes(*(client.get_json("/x", {"more": str(n)}) for n in range(20)))
        assert kinds == ["UpstreamUnavailable"] * 20
        assert len(server.requests) == 3
        trial.cancel()
        await outcomes(trial)
        server.released.set()
        assert (await client.get_json("/x", {"n": "next"})).value == [1]


async def test_one_host_down_leaves_the_others_alone() -> None:
    names = {"down.example": [["1.1.1.1"]], "up.example": [[PUBLIC]]}
    async with (
        faulty_server() as server,
        http_world(names=names, routes={PUBLIC: server.port}, breaker_failures=1, attempts=1) as world,
    ):
        server.on("/x", as_json([1]))
        client = world.http.guarded()
        for _ in range(3):
            with pytest.raises(UpstreamUnavailable):
                await client.get_json("http://down.example/x")
        assert world.network.connected == [("1.1.1.1", 80)]
        assert (await client.get_json("http://up.example/x")).value == [1]


@pytest.mark.parametrize("status", [400, 404, 429, 500])
async def test_a_host_that_answers_is_not_down(status: int) -> None:
    async with faulty_server() as server, http_world(attempts=1, breaker_failures=2) as world:
        server.on("/x", answer(b"{}", status))
        server.on("/y", as_json([1]))
        client = world.http.trusted("Open5e", server.origin)
        for n in range(5):
            with pytest.raises(UpstreamError):
                await client.get_json("/x", {"n": str(n)})
        assert (await client.get_json("/y")).value == [1]


@pytest.mark.parametrize("step", [answer(b"", 502), answer(b"", 503), answer(b"", 504), slow_head, slow_body])
async def test_a_host_that_is_out_of_order_or_hangs_is_down(step: Step) -> None:
    async with (
        faulty_server() as server,
        http_world(
            attempts=1, breaker_failures=2, connect_seconds=0.1, first_byte_seconds=0.1, body_seconds=0.1
        ) as world,
    ):
        server.on("/x", step)
        client = world.http.trusted("Open5e", server.origin)
        for n in range(2):
            await outcomes(client.get_json("/x", {"n": str(n)}))
        with pytest.raises(UpstreamUnavailable, match="Open5e does not answer at present"):
            await client.get_json("/x")
        assert len(server.requests) == 2


async def test_a_500_that_is_accepted_is_an_answer() -> None:
    async with faulty_server() as server, http_world(attempts=1, breaker_failures=2) as world:
        server.on("/x", answer(b"<h1>Server Error</h1>", 500, {"Content-Type": "text/html"}))
        client = world.http.trusted("Open5e", server.origin)
        for _ in range(5):
            with pytest.raises(UpstreamError, match="answered 500 with text/html where JSON was expected"):
                await client.get_json("/x", accept={200, 500})
        assert len(server.requests) == 5
