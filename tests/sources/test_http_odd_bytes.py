"""Whatever bytes an upstream sends, what the caller meets is an error of ours."""

from __future__ import annotations

import gzip
import random

import pytest

from sources.errors import UpstreamError
from tests.support.faulty_server import JSON, faulty_server, head, raw
from tests.support.http_world import http_world

WHOLE = (
    head(200, JSON, 7) + b"[1,2,3]",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n0\r\nX: y\r\n\r\n",
    head(302, {"Location": "http://example.org:80/x?y=1#z"}, 0),
    head(429, {"Retry-After": "12"}, 0),
    head(200, {**JSON, "Content-Encoding": "gzip"}, None) + gzip.compress(b'{"a": NaN, "b": 1e400}'),
    b"HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.0 404 No\r\nContent-Type: text/html\r\n\r\n<html>",
    head(200, JSON, None).replace(b"\r\n\r\n", b"\r\nContent-Length: " + b"9" * 5_000 + b"\r\n\r\n"),
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
)
PIECES = (
    b"\r\n",
    b"\n",
    b"\x00",
    b":",
    b" ",
    b"\xff\xe9",
    b"-1",
    b"chunked",
    b"gzip",
    b"Location: //[::1]/\r\n",
)


def damaged(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(data))
        piece = chance.choice(PIECES)
        data = chance.choice((data[:at] + piece + data[at:], data[:at] + data[at + 3 :], data[:at]))
    return data


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_bytes_come_the_error_is_ours(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    async with (
        faulty_server() as server,
        http_world(
            attempts=1, breaker_failures=1_000, connect_seconds=0.2, first_byte_seconds=0.1, body_seconds=0.1
        ) as world,
    ):
        client = world.http.trusted("Open5e", server.origin)
        ours = 0
        for n in range(100):
            server.on("/x", raw(damaged(chance.choice(WHOLE), chance)))
            world.clock.pass_by(1_000)
            try:
                await client.get_json("/x", {"n": str(n)}, accept={200, 404})
            except UpstreamError:
                ours += 1
        assert len(server.requests) >= 100
        assert 50 < ours < 100
