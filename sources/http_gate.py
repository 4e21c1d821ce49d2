"""The turns of requests to one host: how many at once, how many a second, none while it is down or rests."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiolimiter import AsyncLimiter

from sources.circuit_breaker import CircuitBreaker, Ticket

MOST_HOSTS = 512
"""Gates kept; of more, those that remember nothing are dropped."""


@dataclass(frozen=True, slots=True)
class HostLimits:
    """What one host is asked at most: `at_once` requests, `rate` a second on average, `burst` after a rest."""

    at_once: int
    rate: float
    burst: int


class HostRests(Exception):
    """The host asked for a pause, of which `seconds` are left."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class HostGate:
    """The gate of one host."""

    def __init__(self, limits: HostLimits, breaker: CircuitBreaker, monotonic: Callable[[], float]) -> None:
        self.breaker = breaker
        self._monotonic = monotonic
        self._slots = asyncio.Semaphore(limits.at_once)
        self._rate = AsyncLimiter(limits.burst, limits.burst / limits.rate)
        self._rests_until = 0.0
        self.users = 0

    @property
    def idle(self) -> bool:
        """Whether a new gate would behave the same, all being quiet."""
        return (
            self.users == 0
            and self.breaker.idle
            and self._rests_until <= self._monotonic()
            and self._rate.has_capacity(self._rate.max_rate)
        )

    def rest(self, seconds: float) -> None:
        """Lets nothing through for `seconds`."""
        self._rests_until = max(self._rests_until, self._monotonic() + seconds)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Ticket]:
        """Waits for a turn and holds it. Raises CircuitOpen and HostRests rather than wait for these."""
        self.users += 1
        try:
            async with self._slots:
                self._check()
                await self._rate.acquire()
                # The host may have gone down while the rate was waited for.
                self._check()
                ticket = self.breaker.admit()
                try:
                    yield ticket
                finally:
                    ticket.release()
        finally:
            self.users -= 1

    def _check(self) -> None:
        self.breaker.check()
        left = self._rests_until - self._monotonic()
        if left > 0:
            raise HostRests(left)


class HostGates:
    """The gates of all hosts, made as they are asked for."""

    def __init__(self, make: Callable[[], HostGate]) -> None:
        self._make = make
        self._gates: OrderedDict[tuple[str, int], HostGate] = OrderedDict()

    def __len__(self) -> int:
        return len(self._gates)

    def of(self, host: str, port: int) -> HostGate:
        """The gate of a host and port."""
        key = (host, port)
        gate = self._gates.get(key)
        if gate is None:
            if len(self._gates) >= MOST_HOSTS:
                self._forget()
            gate = self._gates[key] = self._make()
        self._gates.move_to_end(key)
        return gate

    def _forget(self) -> None:
        for key in [key for key, gate in self._gates.items() if gate.idle]:
            del self._gates[key]
        # Whoever holds a turn keeps the gate itself; only what it remembers of a host is lost.
        while len(self._gates) >= MOST_HOSTS:
            self._gates.popitem(last=False)
