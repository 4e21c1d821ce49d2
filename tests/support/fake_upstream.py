"""What every fake upstream has: a log of what it was asked and what it sent, and switches for faults.

A fake is an ASGI application: serve it on a real port with `tests.support.server.serving`, or hand it to
`httpx.ASGITransport`. Faults work in both ways, except that a transport without a socket raises httpx's error
where a real connection would break.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import parse_qsl

import httpx
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_WAIT = 25.0
"""Seconds after which a wait of these fakes fails: a test that forgot to open a gate ends, with a reason."""

HTML_500 = (
    b'\n<!doctype html>\n<html lang="en">\n<head>\n  <title>Server Error (500)</title>\n</head>\n<body>\n'
    b"  <h1>Server Error (500)</h1><p></p>\n</body>\n</html>\n"
)


class Gate:
    """Holds answers back until it is opened, whichever thread they are given in."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._opened = False
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []
        self._arrived = 0

    def open(self) -> None:
        """Lets everything pass, now and from now on."""
        with self._condition:
            self._opened = True
            waiting, self._waiting = self._waiting, []
        for loop, event in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    async def passed(self) -> None:
        """Returns when the gate is open."""
        event = asyncio.Event()
        with self._condition:
            self._arrived += 1
            if self._opened:
                event.set()
            else:
                self._waiting.append((asyncio.get_running_loop(), event))
            self._condition.notify_all()
        await asyncio.wait_for(event.wait(), LONGEST_WAIT)

    async def arrived(self, count: int) -> None:
        """Returns when `count` requests have come to the gate, open or not, since it was made."""

        def wait() -> bool:
            with self._condition:
                return self._condition.wait_for(lambda: self._arrived >= count, LONGEST_WAIT)

        assert await asyncio.to_thread(wait), f"fewer than {count} requests came to the gate"


@dataclass(slots=True, eq=False)
class Call:
    """One request, and what was sent for it.

    - `path`: decoded, without the query; `query`: as it came, still encoded
    - `parameters`: names and values of the query in their order, decoded, with repetitions
    - `headers`: lower-case names; `client`: host and port at the other end
    - `status`: of the answer, None when none was begun; `sent`: bytes of its body
    """

    method: str
    path: str
    query: str
    parameters: tuple[tuple[str, str], ...]
    headers: Mapping[str, str]
    client: tuple[str, int] | None
    status: int | None = None
    sent: int = 0

    @property
    def values(self) -> dict[str, str]:
        """The parameters by name; of a repeated one, the last."""
        return dict(self.parameters)


class Fault(Protocol):
    """Something that happens in place of the answer, or to it."""

    async def play(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers the request."""


@dataclass(frozen=True, slots=True)
class Canned:
    """An answer that has nothing to do with the question."""

    status: int
    body: bytes
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)

    async def play(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {"content-type": self.content_type, "content-length": str(len(self.body)), **self.headers}
        await _start(send, self.status, [(n.encode(), v.encode()) for n, v in headers.items()])
        await send({"type": "http.response.body", "body": self.body})


def html_error(status: int = 500) -> Canned:
    """A server fault as a page of HTML."""
    return Canned(status, HTML_500)


def html_with_200() -> Canned:
    """A page of HTML in the place of data, as a captive portal gives it."""
    return Canned(200, b"<!doctype html><title>Sign in</title><p>Please sign in.</p>")


def too_many_requests(retry_after: str | None = "1") -> Canned:
    """429; `retry_after` in seconds or as an HTTP date."""
    return Canned(429, b"Too many requests", "text/plain; charset=utf-8", _retry(retry_after))


def unavailable(retry_after: str | None = None) -> Canned:
    """503."""
    return Canned(503, b"<h1>Service Unavailable</h1>", headers=_retry(retry_after))


def _retry(after: str | None) -> dict[str, str]:
    return {} if after is None else {"retry-after": after}


@dataclass(frozen=True, slots=True)
class Down:
    """The connection ends without an answer."""

    async def play(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        await _hang_up(receive, httpx.ConnectError("the fake upstream is down"))


@dataclass(frozen=True, slots=True)
class Held:
    """The true answer, but only when the gate opens.

    `after_headers`: the headers go at once, and the body waits.
    """

    gate: Gate
    after_headers: bool = False

    async def play(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        if not self.after_headers:
            await self.gate.passed()
            await app(scope, receive, send)
            return
        start, body = await _whole_answer(app, scope, receive)
        await send(start)
        await send({"type": "http.response.body", "body": body[:1], "more_body": True})
        await self.gate.passed()
        await send({"type": "http.response.body", "body": body[1:]})


@dataclass(frozen=True, slots=True)
class Truncated:
    """The first part of the true answer, as if it were the whole: JSON that ends in the middle."""

    share: float = 0.5

    async def play(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        start, body = await _whole_answer(app, scope, receive)
        body = body[: int(len(body) * self.share)]
        headers = [(n, v) for n, v in start["headers"] if n.lower() != b"content-length"]
        await _start(send, start["status"], [*headers, (b"content-length", str(len(body)).encode())])
        await send({"type": "http.response.body", "body": body})


@dataclass(frozen=True, slots=True)
class ResetMidBody:
    """The true headers and half of the body, then the connection ends."""

    async def play(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        start, body = await _whole_answer(app, scope, receive)
        await send(start)
        await send({"type": "http.response.body", "body": body[: len(body) // 2], "more_body": True})
        await _hang_up(receive, httpx.ReadError("the fake upstream hung up"))


@dataclass(slots=True)
class _Planned:
    fault: Fault
    times: int | None
    path: str


class Faults:
    """The faults to come: the first planned one that fits a request happens to it."""

    def __init__(self) -> None:
        self._planned: list[_Planned] = []

    def once(self, fault: Fault, *, times: int = 1, path: str = "/") -> None:
        """`fault` happens to the next `times` requests whose path begins with `path`, after those planned before."""
        self._planned.append(_Planned(fault, times, path))

    def always(self, fault: Fault, *, path: str = "/") -> None:
        """`fault` happens to every request whose path begins with `path`, until `clear`."""
        self._planned.append(_Planned(fault, None, path))

    def clear(self) -> None:
        """No more faults."""
        self._planned.clear()

    def next(self, path: str) -> Fault | None:
        """The fault that happens to a request of `path`; counts it off."""
        for planned in self._planned:
            if path.startswith(planned.path):
                if planned.times is not None:
                    planned.times -= 1
                    if planned.times == 0:
                        self._planned.remove(planned)
                return planned.fault
        return None


class FakeUpstream:
    """An ASGI application around `answer`, with a log and with faults.

    - `calls`: every request since the last `forget`, in order of arrival
    - `faults`: what goes wrong
    - `most_at_once`: the highest number of requests that were under way together
    """

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.faults = Faults()
        self.most_at_once = 0
        self._under_way = 0
        self._lock = threading.Lock()

    @property
    def sent(self) -> int:
        """Bytes of all bodies that were sent."""
        return sum(call.sent for call in self.calls)

    @property
    def connections(self) -> int:
        """How many connections the requests came over; a transport without sockets says one."""
        return len({call.client for call in self.calls})

    @property
    def paths(self) -> list[str]:
        """Path and query of every request, as they came."""
        return [call.path + (f"?{call.query}" if call.query else "") for call in self.calls]

    def forget(self) -> None:
        """Empties the log; faults stay."""
        self.calls.clear()
        self.most_at_once = 0

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The upstream's own answer, without faults."""
        raise NotImplementedError

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        assert scope["type"] == "http"
        call = _call(scope)
        self.calls.append(call)

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                call.status = message["status"]
            elif message["type"] == "http.response.body":
                call.sent += len(message.get("body", b""))
            await send(message)

        with self._lock:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
        try:
            fault = self.faults.next(call.path)
            if fault is None:
                await self.answer(scope, receive, counted)
            else:
                await fault.play(self.answer, scope, receive, counted)
        finally:
            with self._lock:
                self._under_way -= 1


def _call(scope: Scope) -> Call:
    query = scope["query_string"].decode("ascii", "replace")
    client = scope.get("client")
    return Call(
        method=scope["method"],
        path=scope["path"],
        query=query,
        parameters=tuple(parse_qsl(query, keep_blank_values=True)),
        headers={name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]},
        client=None if client is None else (client[0], client[1]),
    )


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


async def _start(send: Send, status: int, headers: list[tuple[bytes, bytes]]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def _whole_answer(app: ASGIApp, scope: Scope, receive: Receive) -> tuple[Message, bytes]:
    messages: list[Message] = []

    async def keep(message: Message) -> None:
        messages.append(message)

    await app(scope, receive, keep)
    start, *rest = messages
    return start, b"".join(message.get("body", b"") for message in rest)


async def _hang_up(receive: Callable[[], Awaitable[Any]], without_socket: httpx.TransportError) -> None:
    """Breaks the connection under the server; raises `without_socket` where there is none."""
    # ASGI has no message for it: uvicorn's `receive` belongs to the object that holds the transport.
    transport = getattr(getattr(receive, "__self__", None), "transport", None)
    if transport is None:
        raise without_socket
    transport.abort()
    while (await receive())["type"] != "http.disconnect":
        pass
