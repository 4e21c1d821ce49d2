"""An HTTP server on a free loopback port that does wrong on purpose, byte by byte where need be.

Each path has steps, one for each request to it; the last goes on for all that follow. Every request and
connection is counted, so that tests assert on what was really sent.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

JSON = {"Content-Type": "application/json"}
HTML = {"Content-Type": "text/html; charset=utf-8"}


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it came in; header names are in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(slots=True)
class Turn:
    """One request to answer. `hold` lasts until the server is released or closed."""

    server: FaultyServer
    request: Received
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self.writer.write(data)
        await self.writer.drain()

    async def hold(self) -> None:
        """Keeps the client waiting."""
        await self.server.released.wait()

    def reset(self) -> None:
        """Ends the connection with a TCP reset, without a word."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Step = Callable[[Turn], Awaitable[None]]


def head(status: int, headers: Mapping[str, str], length: int | None) -> bytes:
    """The head of an answer; without a length the body ends with the connection."""
    lines = [f"HTTP/1.1 {status} Status", *(f"{key}: {value}" for key, value in headers.items())]
    lines.append("Connection: close" if length is None else f"Content-Length: {length}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def answer(body: bytes, status: int = 200, headers: Mapping[str, str] = JSON) -> Step:
    """A whole answer."""

    async def step(turn: Turn) -> None:
        await turn.send(head(status, headers, len(body)) + body)

    return step


def as_json(value: Any, status: int = 200, headers: Mapping[str, str] = JSON) -> Step:
    """JSON, as it should be."""
    return answer(json.dumps(value).encode(), status, headers)


def redirect(location: str, status: int = 302) -> Step:
    """A redirect."""
    return answer(b"", status, {"Location": location})


def raw(data: bytes) -> Step:
    """Bytes as they are, then the end of the connection."""

    async def step(turn: Turn) -> None:
        await turn.send(data)
        turn.writer.close()

    return step


async def slow_head(turn: Turn) -> None:
    """Half a head, and then nothing."""
    await turn.send(b"HTTP/1.1 200 OK\r\nContent-")
    await turn.hold()


async def slow_body(turn: Turn) -> None:
    """A head and half a body, and then nothing."""
    await turn.send(head(200, JSON, 100) + b'{"half": ')
    await turn.hold()


async def reset_in_body(turn: Turn) -> None:
    """A head and half a body, and then a reset."""
    await turn.send(head(200, JSON, 100) + b'{"half": ')
    turn.reset()


async def reset_at_once(turn: Turn) -> None:
    """A reset before any answer."""
    turn.reset()


def held(then: Step) -> Step:
    """Nothing until the server is released, then a step."""

    async def step(turn: Turn) -> None:
        await turn.hold()
        await then(turn)

    return step


def gzip_bomb(megabytes: int) -> bytes:
    """JSON of that many megabytes in about a thousandth of the bytes."""
    return gzip.compress(b'["' + b"0" * (megabytes * 2**20) + b'"]', 9)


@dataclass(slots=True)
class FaultyServer:
    """The running server. `peak` is the most requests that were under way at once."""

    port: int = 0
    scheme: str = "http"
    requests: list[Received] = field(default_factory=list)
    connections: int = 0
    under_way: int = 0
    peak: int = 0
    released: asyncio.Event = field(default_factory=asyncio.Event)
    arrived: asyncio.Condition = field(default_factory=asyncio.Condition)
    _steps: dict[str, list[Step]] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def origin(self) -> str:
        """Its base URL."""
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def on(self, path: str, *steps: Step) -> None:
        """What is done for each request to `path` in turn; the last step goes on."""
        self._steps[path] = list(steps)

    async def wait_for_requests(self, count: int) -> None:
        """Until that many requests have arrived in all."""
        async with self.arrived:
            await self.arrived.wait_for(lambda: len(self.requests) >= count)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            while not writer.is_closing() and (request := await _read(reader)) is not None:
                await self._answer(request, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # The client left, or the test is over.
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _answer(self, request: Received, writer: asyncio.StreamWriter) -> None:
        self.under_way += 1
        self.peak = max(self.peak, self.under_way)
        async with self.arrived:
            self.requests.append(request)
            self.arrived.notify_all()
        try:
            steps = self._steps.get(request.target.partition("?")[0])
            if steps is None:
                await answer(b"<h1>Not Found</h1>", 404, HTML)(Turn(self, request, writer))
                return
            step = steps.pop(0) if len(steps) > 1 else steps[0]
            await step(Turn(self, request, writer))
        finally:
            self.under_way -= 1


async def _read(reader: asyncio.StreamReader) -> Received | None:
    try:
        text = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = text.strip().split("\r\n")
    method, target, _ = first.split(" ")
    headers = {key.lower(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method, target, headers, body)


@asynccontextmanager
async def faulty_server(tls: ssl.SSLContext | None = None, port: int = 0) -> AsyncIterator[FaultyServer]:
    """Runs a server while the context lasts, on a given port or on any free one."""
    server = FaultyServer(scheme="https" if tls is not None else "http")
    listener = await asyncio.start_server(server._serve, "127.0.0.1", port, ssl=tls, limit=2**20)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        server.released.set()
        listener.close()
        await listener.wait_closed()
        tasks = list(server._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
