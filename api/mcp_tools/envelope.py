"""What stands between HTTP and the SDK at `/mcp`: requests that are no JSON-RPC are answered in our words.

The SDK answers some of them as plain text, some in the words of its validator, and logs a caller who goes away
as a fault. Every refusal here is a JSON-RPC error with the code that the JSON-RPC specification gives it
(section 5.1), and with the code of `schema.errors` in `data`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mcp_types as types
import pydantic_core
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.execution import encode
from api.media_types import parse_content_type
from schema.errors import ErrorCode
from sources.errors import shorten


class _Refused(Exception):
    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        *,
        id_: str | int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.headers = dict(headers or {})
        data = {"code": ErrorCode.BAD_USER_INPUT.value}
        self.body = encode(
            {"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message, "data": data}}
        )


class Envelope:
    """ASGI application around the SDK's: passes on POSTs that hold one JSON-RPC message, and refuses the rest.

    `body_limit` is in bytes.
    """

    def __init__(self, app: ASGIApp, *, body_limit: int) -> None:
        self._app = app
        self._body_limit = body_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self._read(scope, receive)
            if body is None:
                return
            _check_message(body)
        except _Refused as refused:
            await _respond(send, refused)
            return
        # The SDK knows this one spelling of it.
        others = [(name, value) for name, value in scope["headers"] if name != b"content-type"]
        if not any(name == b"accept" for name, _ in others):
            # Without the header anything is acceptable (RFC 9110, section 12.5.1); the SDK refuses it.
            others.append((b"accept", b"application/json, text/event-stream"))
        scope = {**scope, "headers": [*others, (b"content-type", b"application/json")]}
        waiting = [body]

        async def replay() -> Message:
            if waiting:
                return {"type": "http.request", "body": waiting.pop(), "more_body": False}
            return await receive()

        await self._app(scope, replay, send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The body of a POST of JSON; None when the caller goes away before its end."""
        if scope["method"] != "POST":
            message = f"This address takes POST alone, got {shorten(scope['method'])}."
            raise _Refused(405, types.INVALID_REQUEST, message, headers={"Allow": "POST"})
        headers = Headers(scope=scope)
        announced = headers.get("content-length", "")
        if announced.isdigit() and len(announced) < 20 and int(announced) > self._body_limit:
            raise self._too_large()
        given = headers.get("content-type", "")
        if not parse_content_type(given).is_json:
            # 400 and not 415, as the SDK has it: clients of both eras are used to that.
            message = f"`Content-Type` must be application/json, got {shorten(given) or 'none'}."
            raise _Refused(400, types.INVALID_REQUEST, message)
        body = bytearray()
        while True:
            part = await receive()
            if part["type"] != "http.request":
                return None
            body += part.get("body", b"")
            if len(body) > self._body_limit:
                raise self._too_large()
            if not part.get("more_body", False):
                return bytes(body)

    def _too_large(self) -> _Refused:
        message = f"The body must have at most {self._body_limit} bytes."
        return _Refused(413, types.INVALID_REQUEST, message)


def _check_message(body: bytes) -> None:
    try:
        # The SDK's own reader, so that both take the same for JSON.
        message = pydantic_core.from_json(body)
    except ValueError:
        raise _Refused(400, types.PARSE_ERROR, "The body is not valid JSON.") from None
    problem = _problem(message)
    if problem is not None:
        id_ = message.get("id") if isinstance(message, dict) else None
        known = id_ if isinstance(id_, (str, int)) and not isinstance(id_, bool) else None
        raise _Refused(400, types.INVALID_REQUEST, problem, id_=known)


def _problem(message: Any) -> str | None:
    """Why a JSON value is not one JSON-RPC message (JSON-RPC 2.0, sections 4 and 5); None when it is."""
    if isinstance(message, list):
        return "The body is a batch, and batches are not supported. Send one message a request."
    if not isinstance(message, dict):
        return "The body must be a JSON object: one JSON-RPC message."
    if message.get("jsonrpc") != "2.0":
        return '`jsonrpc` must be "2.0".'
    id_ = message.get("id", 0)
    # A response to a message that could not be read has the id null.
    unread = id_ is None and "error" in message
    if not unread and (isinstance(id_, bool) or not isinstance(id_, (str, int))):
        return "`id` must be a text or a whole number."
    if "method" not in message:
        if "result" in message or "error" in message:
            return None
        return "`method` is missing."
    if not isinstance(message["method"], str):
        return "`method` must be a text."
    if message.get("params") is not None and not isinstance(message["params"], dict):
        return "`params` must be an object."
    return None


async def _respond(send: Send, refused: _Refused) -> None:
    headers = {
        "Content-Type": "application/json",
        "Content-Length": str(len(refused.body)),
        "Cache-Control": "no-store",
        **refused.headers,
    }
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refused.status, "headers": encoded})
    await send({"type": "http.response.body", "body": refused.body})
