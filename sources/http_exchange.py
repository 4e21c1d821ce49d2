"""One try at an upstream: a request, its redirects hop by hop, and the body of the answer within its bounds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import httpx

from sources.address_guard import AddressGuard, AddressRefused, not_public
from sources.circuit_breaker import CircuitOpen, Ticket
from sources.clock import Clock
from sources.errors import Arrived, BadInput, LoregraphError
from sources.guarded_network import NameUnknown
from sources.http_body import ACCEPT_ENCODING, UnusableBody, is_json, read_body, read_start
from sources.http_failure import (
    NETWORK_ERRORS,
    Failure,
    busy,
    kind_of,
    left_alone,
    of_network,
    read_retry_after,
    resting,
    too_slow,
    unexpected,
    unreachable,
)
from sources.http_gate import HostGate, HostGates, HostRests
from sources.http_settings import HttpSettings
from sources.web_address import UnusableUrl, WebAddress, follow

PASSING = frozenset({429, 500, 502, 503, 504})
"""What may pass by itself: asked again, unless the caller takes it for an answer."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ARRIVED_CHARACTERS = 2_000
_FOR_ANYONE = frozenset({"accept", "accept-language", "content-type", "user-agent", "accept-encoding"})


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked. `name` is the upstream's for people; `argument` gave the address, where a caller did."""

    address: WebAddress
    name: str
    argument: str | None = None
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    accept: Collection[int] = frozenset({200})


@dataclass(frozen=True, slots=True)
class Answer:
    """What arrived: a status among those accepted, and a body that says it is JSON."""

    status: int
    content_type: str
    body: bytes
    address: WebAddress
    keep: bool
    """False when the upstream forbids to keep it."""


@dataclass(slots=True)
class Account:
    """What a call cost upstream: requests sent, bytes of bodies received as they were sent."""

    requests: int = 0
    received: int = 0


@dataclass(frozen=True, slots=True)
class Lane:
    """A way out: a transport, and the guard that stands before its network (none: everything is let through)."""

    transport: httpx.AsyncBaseTransport
    guard: AddressGuard | None


@dataclass(frozen=True, slots=True)
class Exchange:
    """Tries requests of one kind. `base` is the operator's own address, which alone takes the lane `trusted`."""

    settings: HttpSettings
    clock: Clock
    gates: HostGates
    guarded: Lane
    trusted: Lane | None = None
    base: WebAddress | None = None

    async def attempt(self, ask: Ask, account: Account) -> Answer:
        """Sends `ask` and follows where it leads. Raises Failure."""
        seen = [ask]
        while True:
            found = await self._hop(seen[-1], len(seen) == 1, account)
            if isinstance(found, Answer):
                return found
            if any(found.address == old.address and found.method == old.method for old in seen):
                raise unexpected(ask.name, "redirects in a circle")
            if len(seen) > self.settings.redirects:
                raise unexpected(ask.name, f"redirects more than {self.settings.redirects} times")
            seen.append(found)

    def lane(self, address: WebAddress) -> Lane:
        """Only the operator's own origin goes unguarded; wherever a redirect or a link leads, does not."""
        if self.trusted is not None and self.base is not None and address.origin == self.base.origin:
            return self.trusted
        return self.guarded

    async def _hop(self, ask: Ask, first: bool, account: Account) -> Answer | Ask:
        address, name, lane = ask.address, ask.name, self.lane(ask.address)
        try:
            if lane.guard is not None:
                lane.guard.check_url(address)
            url = address.url()
            gate = self.gates.of(address.host, address.port)
            async with gate.turn() as ticket, self._sent(lane, ask, url, ticket, account) as response:
                return await self._received(ask, response, gate, ticket)
        except CircuitOpen as error:
            raise left_alone(name, error.retry_after) from None
        except HostRests as error:
            raise resting(name, error.seconds) from None
        except AddressRefused as error:
            raise Failure(self._refused(error.problem, ask, first), stale=False) from None
        except UnusableUrl as error:
            raise Failure(self._refused(str(error), ask, first), stale=False) from None

    @asynccontextmanager
    async def _sent(
        self, lane: Lane, ask: Ask, url: httpx.URL, ticket: Ticket, account: Account
    ) -> AsyncIterator[httpx.Response]:
        """The head of the answer, its body open. Tells the breaker of what goes wrong here or in the body."""
        settings, name = self.settings, ask.name
        bound = settings.first_byte_seconds
        timeouts = {"connect": settings.connect_seconds, "read": bound, "write": bound, "pool": bound}
        headers = {
            "accept": "application/json",
            "user-agent": settings.user_agent,
            **ask.headers,
            "accept-encoding": ACCEPT_ENCODING,
        }
        response = None
        try:
            request = httpx.Request(
                ask.method, url, headers=headers, content=ask.body, extensions={"timeout": timeouts}
            )
            account.requests += 1
            # The timeouts of httpx begin anew with every byte; a head that drips in needs a bound as a whole.
            with anyio.move_on_after(settings.connect_seconds + bound):
                response = await lane.transport.handle_async_request(request)
            if response is None:
                raise too_slow(name, "did not answer")
            with anyio.move_on_after(settings.body_seconds) as scope:
                yield response
            if scope.cancelled_caught:
                raise too_slow(name, "did not send all of its answer")
        except NameUnknown as error:
            failure = unreachable(name, "has a name that cannot be looked up", retry=error.temporary)
            if lane.guard is None or error.temporary:
                ticket.fail()
                raise failure from None
            raise not_public(ask.address.host) from None
        except NETWORK_ERRORS as error:
            failure = of_network(error, name)
            if failure.down:
                ticket.fail()
            raise failure from error
        except Failure as failed:
            if failed.down:
                ticket.fail()
            raise
        finally:
            if response is not None:
                account.received += response.num_bytes_downloaded
                with anyio.CancelScope(shield=True):
                    await response.aclose()

    async def _received(
        self, ask: Ask, response: httpx.Response, gate: HostGate, ticket: Ticket
    ) -> Answer | Ask:
        status, settings, name = response.status_code, self.settings, ask.name
        if status not in ask.accept and status in PASSING:
            asked_for = read_retry_after(response.headers.get("retry-after"), self.clock.now)
            if asked_for is not None:
                asked_for = min(asked_for, settings.longest_pause_seconds)
                gate.rest(asked_for)
            raise busy(name, status, asked_for)
        if status not in ask.accept or not is_json(response.headers.get("content-type", "")):
            ticket.succeed()  # It answers; the body is of no use.
        if status in _REDIRECTS and "location" in response.headers:
            return self._followed(ask, status, response.headers["location"])
        content_type, encoding = (
            response.headers.get(key, "") for key in ("content-type", "content-encoding")
        )
        if status not in ask.accept:
            raise unexpected(name, f"answered {status}, which was not expected", await _arrived(response))
        if not is_json(content_type):
            problem = f"answered {status} with {kind_of(content_type)} where JSON was expected"
            raise unexpected(name, problem, await _arrived(response))
        try:
            if int(response.headers.get("content-length", "0")) > settings.wire_bytes:
                raise UnusableBody("a body that is too large")
            body = await read_body(response.aiter_raw(), encoding, settings.wire_bytes, settings.body_bytes)
        except UnusableBody as error:
            ticket.succeed()
            raise unexpected(
                name, f"answered {status} with {error}", Arrived(status, content_type, "")
            ) from None
        ticket.succeed()
        keep = "no-store" not in response.headers.get("cache-control", "").lower()
        return Answer(status, content_type, body, ask.address, keep)

    def _followed(self, ask: Ask, status: int, location: str) -> Ask:
        """The next request. All requests are questions that change nothing, so they keep method and body; 303
        alone says that the answer lies elsewhere, to be fetched."""
        try:
            address = follow(ask.address, location)
        except UnusableUrl as error:
            raise unexpected(ask.name, f"redirects to a place that {error}".rstrip(".")) from None
        method, body = ("GET", None) if status == 303 else (ask.method, ask.body)
        headers = dict(ask.headers)
        if address.origin != ask.address.origin:
            # Keys and tokens were meant for the first host alone.
            headers = {key: value for key, value in headers.items() if key.lower() in _FOR_ANYONE}
        return Ask(address, ask.name, ask.argument, method, headers, body, ask.accept)

    def _refused(self, problem: str, ask: Ask, first: bool) -> LoregraphError:
        if first and ask.argument is not None:
            return BadInput(problem, argument=ask.argument)
        where = "names an address that is not asked" if first else "redirects to an address that is not asked"
        return unexpected(ask.name, f"{where}: it {problem}".rstrip(".")).error


async def _arrived(response: httpx.Response) -> Arrived:
    start = await read_start(
        response.aiter_raw(), response.headers.get("content-encoding", ""), _ARRIVED_CHARACTERS
    )
    return Arrived(response.status_code, response.headers.get("content-type", ""), start)
