"""Host and Origin allow-lists, request ids, security headers, preflight."""

from __future__ import annotations

import json
import logging
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message
from starlette.websockets import WebSocketDisconnect

from api.guard import Guard
from api.hosts import is_loopback, split_host
from api.telemetry import FORMAT, REQUEST_ID, with_request_id
from tests.support.server import serving


async def echo(request: Request) -> Response:
    return JSONResponse({"id": request.state.request_id, "in_context": REQUEST_ID.get()})


async def broken(_request: Request) -> Response:
    raise RuntimeError("password=hunter2")


async def own_policy(_request: Request) -> Response:
    return Response("x", headers={"Content-Security-Policy": "default-src 'self'"})


def client_of(**options: Any) -> httpx.AsyncClient:
    routes = [
        Route("/", echo, methods=["GET", "POST"]),
        Route("/broken", broken),
        Route("/own-policy", own_policy),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(Guard, **options)])
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost:8000")


async def status(headers: dict[str, str], **options: Any) -> int:
    async with client_of(**options) as client:
        response = await client.get("/", headers=headers)
    if response.status_code in (403, 421):
        (error,) = response.json()["errors"]
        assert error["extensions"] == {"code": "FORBIDDEN"}
    return response.status_code


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:8000", "127.0.0.1:1", "127.9.9.9", "[::1]:8000", "app.localhost", "localhost."],
)
async def test_loopback_names_are_always_answered(host: str) -> None:
    assert await status({"host": host}) == 200
    assert await status({"host": host}, hosts=["lore.example.org"]) == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "notlocalhost",
        "192.168.1.4",
        "0.0.0.0",
        "[::2]",
        "[::1",
        "",
        "localhost:x",
        "localhost:8000:1",
        "localhost@evil.example",
        "localhost, evil.example",
        "lore.example.org.evil.example",
    ],
)
async def test_a_name_that_another_owns_is_not_answered(host: str) -> None:
    assert await status({"host": host}, hosts=["lore.example.org"]) == 421


async def test_the_refusal_of_a_host_says_what_to_do() -> None:
    async with client_of() as client:
        response = await client.get("/", headers={"host": "evil.example"})
    assert response.json()["errors"][0]["message"] == (
        "This server does not answer to the host `evil.example`. Its operator can add it to LOREGRAPH_ALLOWED_HOSTS."
    )
    assert response.headers["content-type"] == "application/json; charset=utf-8"


@pytest.mark.parametrize(
    ("hosts", "host", "expected"),
    [
        (["lore.example.org"], "lore.example.org", 200),
        (["Lore.Example.org"], "LORE.example.org:8443", 200),
        (["lore.example.org:8443"], "lore.example.org:8443", 200),
        (["lore.example.org:8443"], "lore.example.org", 421),
        (["192.168.1.4"], "192.168.1.4:8000", 200),
        (["[2001:db8::1]"], "[2001:DB8:0::1]:8000", 200),
        (["[2001:db8::1]:1"], "[2001:db8::1]:2", 421),
        (["*"], "anything.example", 200),
        (["*"], "bad host", 421),
    ],
)
async def test_configured_hosts(hosts: list[str], host: str, expected: int) -> None:
    assert await status({"host": host}, hosts=hosts) == expected


async def test_two_or_no_host_headers() -> None:
    async def call(headers: list[tuple[bytes, bytes]]) -> int:
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": "/", "headers": headers}
        await Guard(Response("fine"))(scope, receive, send)
        return int(sent[0]["status"])

    assert await call([(b"host", b"localhost")]) == 200
    assert await call([]) == 421
    assert await call([(b"host", b"localhost"), (b"host", b"localhost")]) == 421


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("http://localhost:8000", 200),
        ("http://localhost:3000", 200),
        ("http://127.0.0.1:5173", 200),
        ("http://[::1]:1", 200),
        ("https://app.example.org", 200),
        ("https://APP.example.org", 200),
        ("https://app.example.org:443", 200),
        ("http://app.example.org", 403),
        ("https://app.example.org:444", 403),
        ("https://evil.example", 403),
        ("https://app.example.org.evil.example", 403),
        ("https://localhost.evil.example", 403),
        ("http://localhost:8000/path", 403),
        ("http://localhost@evil.example", 403),
        ("file://localhost", 403),
        ("chrome-extension://abc", 403),
        ("http://[", 403),
        ("null", 403),
        ("", 403),
    ],
)
async def test_origins(origin: str, expected: int) -> None:
    assert await status({"origin": origin}, origins=["https://app.example.org"]) == expected


async def test_the_page_of_the_server_itself_may_call_it() -> None:
    hosts = ["lore.example.org"]
    own = {"host": "lore.example.org", "origin": "https://lore.example.org"}
    assert await status(own, hosts=hosts) == 200
    assert await status({**own, "origin": "https://lore.example.org:444"}, hosts=hosts) == 403
    assert await status({**own, "origin": "http://lore.example.org"}, hosts=hosts) == 200


async def test_no_cors_headers_without_an_allowed_origin() -> None:
    async with client_of() as client:
        plain = await client.get("/")
        foreign = await client.get("/", headers={"origin": "https://evil.example"})
    for response in (plain, foreign):
        assert not [name for name in response.headers if name.startswith("access-control")]
        assert response.headers["vary"] == "Origin"


async def test_an_allowed_origin_may_read_the_answer() -> None:
    async with client_of(origins=["https://app.example.org/"]) as client:
        response = await client.get("/", headers={"origin": "https://app.example.org"})
    assert response.headers["access-control-allow-origin"] == "https://app.example.org"
    assert "X-Request-Id" in response.headers["access-control-expose-headers"]
    assert "access-control-allow-credentials" not in response.headers


PREFLIGHT = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "Content-Type, X-Evil, mcp-protocol-version",
}


async def test_preflight_of_an_allowed_origin() -> None:
    async with client_of(origins=["https://app.example.org"]) as client:
        response = await client.options("/", headers={"origin": "https://app.example.org", **PREFLIGHT})
    assert response.status_code == 204
    assert response.headers["access-control-allow-origin"] == "https://app.example.org"
    assert response.headers["access-control-allow-methods"] == "GET, POST, OPTIONS"
    assert response.headers["access-control-allow-headers"] == "content-type, mcp-protocol-version"
    assert response.headers["access-control-max-age"] == "600"


async def test_preflight_of_a_foreign_origin() -> None:
    async with client_of(origins=["https://app.example.org"]) as client:
        response = await client.options("/", headers={"origin": "https://evil.example", **PREFLIGHT})
    assert response.status_code == 403
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("given", ["abc-123", "A.b_c", "x" * 64])
async def test_a_sane_request_id_is_kept(given: str) -> None:
    async with client_of() as client:
        response = await client.get("/", headers={"x-request-id": given})
    assert response.headers["x-request-id"] == given
    assert response.json() == {"id": given, "in_context": given}
    assert REQUEST_ID.get() is None


@pytest.mark.parametrize("given", [None, "", "x" * 65, "a b", "a\tb", "<script>"])
async def test_another_request_id_is_made(given: str | None) -> None:
    headers = {} if given is None else {"x-request-id": given}
    async with client_of() as client:
        first = (await client.get("/", headers=headers)).headers["x-request-id"]
        second = (await client.get("/", headers=headers)).headers["x-request-id"]
    assert re.fullmatch("[0-9a-f]{16}", first)
    assert first != second


async def test_security_headers() -> None:
    async with client_of() as client:
        response = await client.get("/")
        own = await client.get("/own-policy")
        missing = await client.get("/nowhere")
    for answer in (response, missing):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert own.headers["content-security-policy"] == "default-src 'self'"


async def test_a_fault_is_masked_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with client_of() as client:
        with caplog.at_level(logging.ERROR, logger="loregraph.guard"):
            response = await client.get("/broken")
    assert response.status_code == 500
    (error,) = response.json()["errors"]
    error_id = error["extensions"]["errorId"]
    assert error["extensions"] == {"code": "INTERNAL_SERVER_ERROR", "errorId": error_id}
    assert error["message"] == f"Something went wrong on our side. The error id is {error_id}."
    assert caplog.records[-1].getMessage() == f"error {error_id}"
    assert caplog.records[-1].exc_info is not None


def test_websockets_are_guarded_too() -> None:
    client = TestClient(Guard(Starlette()), base_url="http://evil.example")
    with pytest.raises(WebSocketDisconnect) as caught, client.websocket_connect("/"):
        pass
    assert caught.value.code == 1008


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("Example.org", ("example.org", None)),
        ("example.org.:80", ("example.org", 80)),
        ("[2001:DB8::1]:80", ("2001:db8::1", 80)),
        ("[::1]x", (None, None)),
        ("example.org:", (None, None)),
        ("example.org:123456", (None, None)),
        (":80", (None, None)),
        ("a/b", (None, None)),
        ("[::1", (None, None)),
        ("[x]", (None, None)),
        ("a:70000", (None, None)),
        ("a*b", (None, None)),
        (".", (None, None)),
    ],
)
def test_split_host(host: str, expected: tuple[str | None, int | None]) -> None:
    assert split_host(host) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("localhost", True),
        ("::1", True),
        ("10.0.0.1", False),
        ("127.0.0.1.nip.io", False),
    ],
)
def test_is_loopback(name: str, expected: bool) -> None:
    assert is_loopback(name) is expected


async def test_floods_of_headers_are_refused() -> None:
    many = [(f"x-{number}", "1") for number in range(250)]
    async with client_of() as client:
        for headers in (many, [("x-long", "a" * 64_000)]):
            response = await client.get("/", headers=headers)
            assert response.status_code == 431
            (error,) = response.json()["errors"]
            assert error["extensions"] == {"code": "BAD_USER_INPUT"}
            assert "at most 200 of 64000 bytes are read." in error["message"]
        assert (await client.get("/", headers=many[:150])).status_code == 200


async def read_whole(request: Request) -> Response:
    return JSONResponse({"length": len(await request.body())})


@contextmanager
def slow_server(body_seconds: float) -> Iterator[tuple[str, int]]:
    routes = [
        Route("/read", read_whole, methods=["POST"]),
        Route("/", echo, methods=["GET", "POST"]),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(Guard, body_seconds=body_seconds)])
    with serving(app) as base:
        yield "127.0.0.1", int(base.rpartition(":")[2])


def answer_to(address: tuple[str, int], request: bytes) -> bytes:
    """All that a server sends until it closes the connection, which stays open on this side."""
    with socket.create_connection(address, timeout=20) as connection:
        connection.sendall(request)
        received = b""
        while part := connection.recv(65536):
            received += part
    return received


PARTIAL = b"POST %b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc"
CHUNKED = b"POST %b HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"


@pytest.mark.parametrize("request_", [PARTIAL, CHUNKED])
def test_a_body_that_does_not_end_is_answered_and_the_connection_closed(request_: bytes) -> None:
    with slow_server(0.05) as address:
        head, _, body = answer_to(address, request_ % b"/read").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in head.lower()
    (error,) = json.loads(body)["errors"]
    assert error == {
        "message": "The body of the request did not arrive within 0.05 seconds.",
        "extensions": {"code": "TIMEOUT"},
    }


@pytest.mark.parametrize(("path", "status"), [(b"/", 200), (b"/nowhere", 404)])
def test_a_body_that_nobody_reads_does_not_hold_the_connection(path: bytes, status: int) -> None:
    with slow_server(20.0) as address:
        answer = answer_to(address, PARTIAL % path)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert b"connection: close" in answer.lower()


async def test_a_whole_body_keeps_the_connection() -> None:
    with slow_server(20.0) as (host, port):
        async with httpx.AsyncClient(trust_env=False, base_url=f"http://{host}:{port}") as client:
            response = await client.post("/read", content=b"abc")
            assert response.json() == {"length": 3}
            assert "connection" not in response.headers
            assert "connection" not in (await client.get("/")).headers


def test_what_is_logged_for_a_request_carries_its_id() -> None:
    record = logging.LogRecord("loregraph.errors", logging.ERROR, "", 0, "lost", (), None)
    token = REQUEST_ID.set("abc-1")
    try:
        assert with_request_id(record)
    finally:
        REQUEST_ID.reset(token)
    assert logging.Formatter(FORMAT).format(record).endswith("ERROR   loregraph.errors [abc-1]: lost")
    outside = logging.LogRecord("loregraph.errors", logging.ERROR, "", 0, "lost", (), None)
    assert with_request_id(outside)
    assert logging.Formatter(FORMAT).format(outside).endswith("ERROR   loregraph.errors: lost")
