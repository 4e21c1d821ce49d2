"""The outside world of the HTTP client: a clock, a name service and a network that tests are in charge of."""

from __future__ import annotations

import typing
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpcore

from sources.clock import Clock
from sources.guarded_network import NameUnknown
from sources.http import Http
from sources.http_settings import HttpSettings

PUBLIC = "93.184.215.14"
"""A public address. Nothing is ever sent there: `FakeNetwork` leads it to loopback."""
OTHER_PUBLIC = "2606:2800:21f:cb07:6820:80da:af6b:8b2c"
START = 1_800_000_000.0


@dataclass(slots=True)
class FakeClock:
    """A clock that moves when it is told to, or slept on; `slept` are the waits."""

    seconds: float = START
    slept: list[float] = field(default_factory=list)

    def pass_by(self, seconds: float) -> None:
        """Moves on."""
        self.seconds += seconds

    async def sleep(self, seconds: float) -> None:
        """Moves on at once, and notes it."""
        self.slept.append(seconds)
        self.seconds += seconds

    def clock(self) -> Clock:
        """The clock as the client takes it."""
        return Clock(now=lambda: self.seconds, monotonic=lambda: self.seconds, sleep=self.sleep)


@dataclass(slots=True)
class FakeNames:
    """A name service. Each name has the answers of one look-up after another; the last goes on."""

    answers: dict[str, list[Sequence[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    broken: bool = False

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        if self.broken:
            raise NameUnknown(host, temporary=True)
        answers = self.answers.get(host)
        if not answers:
            raise NameUnknown(host, temporary=False)
        return answers.pop(0) if len(answers) > 1 else answers[0]


class FakeNetwork(httpcore.AsyncNetworkBackend):
    """Real sockets, but for addresses that are led elsewhere; `connected` are all that were asked for."""

    def __init__(self, routes: Mapping[str, int]) -> None:
        self.routes = routes
        self.connected: list[tuple[str, int]] = []
        self._sockets = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        local_address: str | None = None,
        socket_options: typing.Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.connected.append((host, port))
        if host in self.routes:
            return await self._sockets.connect_tcp("127.0.0.1", self.routes[host], timeout)
        if host != "127.0.0.1":
            raise httpcore.ConnectError("no route")
        return await self._sockets.connect_tcp(host, port, timeout)


@dataclass(slots=True)
class World:
    """An open `Http`, and what stands in for the outside."""

    http: Http
    clock: FakeClock
    names: FakeNames
    network: FakeNetwork


@asynccontextmanager
async def http_world(
    *,
    names: Mapping[str, Sequence[Sequence[str]]] | None = None,
    routes: Mapping[str, int] | None = None,
    **settings: Any,
) -> AsyncIterator[World]:
    """An `Http` over `names` (the answers of one look-up after another) and `routes` (address to loopback port).

    Rate and times are so large that no test waits for them, unless it sets its own.
    """
    given = {"host_rate": 10_000, "host_burst": 10_000, **settings}
    clock = FakeClock()
    resolve = FakeNames({host: list(answers) for host, answers in (names or {}).items()})
    network = FakeNetwork(routes or {})
    http = Http(HttpSettings(_env_file=None, **given), clock=clock.clock(), resolve=resolve, network=network)
    try:
        yield World(http, clock, resolve, network)
    finally:
        await http.close()
