"""What stands before every route: who may call, from which page, and what every answer carries.

DNS rebinding makes a browser send a foreign page's requests to a loopback address under the page's own host name,
so a request is answered only under names that this server is known by. Loopback names always are; others come
from the setting of allowed hosts. A foreign page that calls by its own origin is stopped by the Origin header.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterable, Sequence

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.execution import encode
from api.hosts import ANY, is_loopback, split_host, split_origin
from api.telemetry import REQUEST_ID
from schema.errors import ErrorCode
from sources.errors import shorten

logger = logging.getLogger("loregraph.guard")

_SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

ALLOWED_REQUEST_HEADERS = frozenset(
    {
        "accept",
        "apollo-require-preflight",
        "authorization",
        "content-type",
        "graphql-require-preflight",
        "last-event-id",
        "x-apollo-operation-name",
        "x-request-id",
    }
)
"""What a page of an allowed origin may send, besides every header of the Model Context Protocol (`mcp-…`)."""

EXPOSED_HEADERS = "Mcp-Session-Id, Retry-After, WWW-Authenticate, X-Request-Id"
MAX_HEADERS = 200
MAX_HEADER_BYTES = 64_000
"""Names and values of all headers together. They are in memory by then; nothing behind the guard reads them."""

DISCARD_SECONDS = 1.0
DISCARDED_BYTES = 10_000_000
"""How long and how much of a body is taken in that nobody wants to read."""

ALLOWED_METHODS = "GET, POST, OPTIONS"
PREFLIGHT_SECONDS = 600

SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    # Data is no page: nothing in it may load or run. The playground sets its own policy.
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


class Guard:
    """ASGI middleware, to be put outermost.

    `hosts` are names, or `name:port`, that requests may give in their Host header besides loopback names; a name
    without a port stands for every port. `origins` are origins of web pages (`https://app.example.org`) that may
    call from a browser and read the answers; origins on loopback names always may. `*` allows all of either.

    Answers 421 to another host and 403 to another origin, both FORBIDDEN. Sets security headers and
    `X-Request-Id`, taking over the caller's id when it is sane. An exception that reaches it becomes 500 with an
    error id, and the log holds the rest.

    A body that is not whole `body_seconds` after its headers ends in 408 with TIMEOUT; more headers than
    `MAX_HEADERS` or `MAX_HEADER_BYTES` in 431. Where a body was not read to its end, the connection is closed.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str] = (),
        origins: Iterable[str] = (),
        body_seconds: float = 30.0,
    ) -> None:
        self.app = app
        self._body_seconds = body_seconds
        hosts, origins = tuple(hosts), tuple(origins)
        self._any_host, self._any_origin = ANY in hosts, ANY in origins
        self._hosts = frozenset(split_host(host) for host in hosts)
        self._origins = frozenset(split_origin(origin.rstrip("/")) for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        request_id = _request_id(headers)
        scope.setdefault("state", {})["request_id"] = request_id
        token = REQUEST_ID.set(request_id)
        try:
            body = _Body(receive, headers, self._body_seconds)
            await self._guarded(scope, headers, body, _Sender(send, request_id, body))
        finally:
            REQUEST_ID.reset(token)

    async def _guarded(self, scope: Scope, headers: Headers, receive: Receive, send: _Sender) -> None:
        size = sum(len(name) + len(value) for name, value in headers.raw)
        if len(headers.raw) > MAX_HEADERS or size > MAX_HEADER_BYTES:
            message = (
                f"The request has {len(headers.raw)} headers of {size} bytes; at most {MAX_HEADERS} of"
                f" {MAX_HEADER_BYTES} bytes are read."
            )
            await _refuse(scope, receive, send, 431, message, ErrorCode.BAD_USER_INPUT)
            return
        hosts = headers.getlist("host")
        origins = headers.getlist("origin")
        if len(hosts) != 1 or not self._answers_to(hosts[0]):
            await _refuse(
                scope,
                receive,
                send,
                421,
                f"This server does not answer to the host `{shorten(', '.join(hosts))}`. Its operator can add it "
                "to LOREGRAPH_ALLOWED_HOSTS.",
            )
            return
        if origins and not (len(origins) == 1 and self._welcomes(origins[0], hosts[0])):
            await _refuse(
                scope,
                receive,
                send,
                403,
                f"Pages of `{shorten(', '.join(origins))}` may not call this server. Its operator can add the "
                "origin to LOREGRAPH_ALLOWED_ORIGINS.",
            )
            return
        if origins:
            send.origin = origins[0]
            if scope["type"] == "http" and scope["method"] == "OPTIONS":
                wanted = headers.get("access-control-request-headers", "")
                if "access-control-request-method" in headers:
                    await _preflight(send, wanted)
                    return
        await self._shielded(scope, receive, send)

    async def _shielded(self, scope: Scope, receive: Receive, send: _Sender) -> None:
        try:
            await self.app(scope, receive, send)
        except _TooSlow:
            if send.started:
                raise
            message = f"The body of the request did not arrive within {self._body_seconds:g} seconds."
            await _respond(send, 408, {"message": message, "extensions": {"code": ErrorCode.TIMEOUT}})
        except Exception:
            if send.started or scope["type"] != "http":
                raise
            error_id = secrets.token_hex(6)
            logger.exception("error %s", error_id)
            message = f"Something went wrong on our side. The error id is {error_id}."
            code = ErrorCode.INTERNAL_SERVER_ERROR
            await _respond(send, 500, {"message": message, "extensions": {"code": code, "errorId": error_id}})

    def _answers_to(self, host: str) -> bool:
        name, port = split_host(host)
        if name is None:
            return False
        if is_loopback(name) or self._any_host:
            return True
        return (name, None) in self._hosts or (name, port) in self._hosts

    def _welcomes(self, origin: str, host: str) -> bool:
        if self._any_origin:
            return True
        parts = split_origin(origin)
        if parts is None:
            return False
        if parts in self._origins:
            return True
        scheme, name, port = parts
        if scheme not in ("http", "https"):
            return False
        own_name, own_port = split_host(host)
        same = name == own_name and port == (own_port or (443 if scheme == "https" else 80))
        return same or is_loopback(name)


class _TooSlow(Exception):
    """The body of a request did not end in time."""


class _Body:
    """`receive`, keeping time until the body has ended."""

    def __init__(self, receive: Receive, headers: Headers, seconds: float) -> None:
        self._receive = receive
        self._deadline = anyio.current_time() + seconds
        self.unread = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        """Whether some of the body may still be on its way."""

    async def __call__(self) -> Message:
        if not self.unread:
            return await self._receive()
        with anyio.CancelScope(deadline=self._deadline) as waiting:
            message = await self._receive()
        if waiting.cancelled_caught:
            raise _TooSlow
        if message["type"] != "http.request" or not message.get("more_body", False):
            self.unread = False
        return message

    async def discard(self) -> None:
        """Takes in what is left of the body, for a short while and up to a bound.

        A connection that is closed on a caller who is still sending takes the answer with it.
        """
        left = DISCARDED_BYTES
        with anyio.CancelScope(deadline=min(self._deadline, anyio.current_time() + DISCARD_SECONDS)):
            while self.unread and left > 0:
                message = await self._receive()
                left -= len(message.get("body", b""))
                self.unread = message["type"] == "http.request" and bool(message.get("more_body", False))


class _Sender:
    """`send`, putting our headers on the answer on its way out."""

    def __init__(self, send: Send, request_id: str, body: _Body) -> None:
        self._send = send
        self._body = body
        self._request_id = request_id
        self.origin: str | None = None
        self.started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            self.started = True
            message.setdefault("headers", [])
            headers = MutableHeaders(scope=message)
            headers["X-Request-Id"] = self._request_id
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            headers.add_vary_header("Origin")
            await self._body.discard()
            if self._body.unread:
                # Whoever answers without reading the body has no use for the rest of it, however long it takes.
                headers["Connection"] = "close"
            if self.origin is not None:
                headers["Access-Control-Allow-Origin"] = self.origin
                headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        await self._send(message)


def _request_id(headers: Headers) -> str:
    given = headers.get("x-request-id", "")
    return given if _SANE_ID.fullmatch(given) else secrets.token_hex(8)


async def _preflight(send: Send, wanted: str) -> None:
    names = [name.strip().lower() for name in wanted.split(",")]
    allowed = [
        name for name in names if name in ALLOWED_REQUEST_HEADERS or re.fullmatch(r"mcp-[a-z0-9-]+", name)
    ]
    headers = [
        (b"access-control-allow-methods", ALLOWED_METHODS.encode()),
        (b"access-control-max-age", str(PREFLIGHT_SECONDS).encode()),
    ]
    if allowed:
        headers.append((b"access-control-allow-headers", ", ".join(allowed).encode()))
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(
    scope: Scope,
    receive: Receive,
    send: _Sender,
    status: int,
    message: str,
    code: ErrorCode = ErrorCode.FORBIDDEN,
) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    await _respond(send, status, {"message": message, "extensions": {"code": code}})


async def _respond(send: Send, status: int, error: dict[str, object]) -> None:
    body = encode({"errors": [error]})
    headers: Sequence[tuple[bytes, bytes]] = [
        (b"content-type", b"application/json; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body})
