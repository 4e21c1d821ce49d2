"""GraphQL over HTTP: media types, methods, status codes and bodies of errors.

Written after the GraphQL over HTTP specification, in the reading that the `graphql-http` audit suite checks.
Every error body is a GraphQL error in JSON with a code of `schema.errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from api.execution import Executor, Operation, Outcome, encode
from api.media_types import acceptable, parse_content_type
from schema.errors import ErrorCode, extensions_of
from sources.errors import BadInput, Forbidden, LoregraphError, shorten

MODERN = "application/graphql-response+json"
LEGACY = "application/json"
HTML = "text/html"

METHODS = "GET, POST"

STATUS: dict[ErrorCode, int] = {
    ErrorCode.GRAPHQL_PARSE_FAILED: 400,
    ErrorCode.GRAPHQL_VALIDATION_FAILED: 400,
    ErrorCode.BAD_USER_INPUT: 400,
    ErrorCode.QUERY_TOO_EXPENSIVE: 400,
    ErrorCode.UNAUTHENTICATED: 401,
    ErrorCode.FORBIDDEN: 403,
    ErrorCode.RATE_LIMITED: 429,
    ErrorCode.INTERNAL_SERVER_ERROR: 500,
}
"""Status of an answer without `data`, by the code of its first error, under `application/graphql-response+json`.

The draft of August 2026 has 422 in place of 400 for validation, variables and the choice of the operation; the
clients and the audit suite of today expect 400. A change of that mind is a change of this table.
"""

STATUS_EXECUTED = 200
"""Status of every answer with a `data` entry; and under `application/json` of every well-formed request."""

PREFLIGHT_HEADERS = ("apollo-require-preflight", "graphql-require-preflight", "x-apollo-operation-name")
"""A page can set these only after a CORS preflight, which `api.guard` answers for allowed origins alone."""

DEFAULT_BODY_LIMIT = 1024 * 1024


class Refusal(Exception):
    """A request that is turned away before it is GraphQL, with its status."""

    def __init__(self, status: int, error: LoregraphError, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(str(error))
        self.status = status
        self.error = error
        self.headers = dict(headers or {})


@dataclass(frozen=True, slots=True)
class GraphQLEndpoint:
    """The GraphQL door as an ASGI application for one path.

    `body_limit` is in bytes. `html` answers a browser that asks for a page by GET.
    """

    executor: Executor
    body_limit: int = DEFAULT_BODY_LIMIT
    html: Callable[[Request], Response] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            response = await self.respond(Request(scope, receive))
        except ClientDisconnect:
            return
        await response(scope, receive, send)

    async def respond(self, request: Request) -> Response:
        """The answer to one request."""
        media_type = LEGACY
        try:
            if request.method == "OPTIONS":
                return Response(status_code=204, headers={"Allow": METHODS})
            if request.method not in ("GET", "POST"):
                problem = BadInput(
                    f"must be one of {METHODS}, got {shorten(request.method)}.", argument="method"
                )
                raise Refusal(405, problem, {"Allow": METHODS})
            chosen = self._negotiate(request)
            if chosen == HTML and self.html is not None:
                return self.html(request)
            media_type = chosen
            operation = await self._read(request)
        except Refusal as refusal:
            return refused(refusal, media_type)
        outcome = await self.executor.execute(operation)
        return answer(outcome, media_type)

    def _negotiate(self, request: Request) -> str:
        """The media type of the answer; with no wish expressed it is `application/json`."""
        accept = ",".join(request.headers.getlist("accept"))
        offers = [LEGACY, MODERN]
        if request.method == "GET" and self.html is not None:
            offers.append(HTML)
        chosen = acceptable(accept, offers)
        if chosen is None:
            problem = BadInput(
                f"names nothing that can be sent, got {shorten(accept)}.",
                argument="Accept",
                allowed=(MODERN, LEGACY),
            )
            raise Refusal(406, problem)
        return chosen

    async def _read(self, request: Request) -> Operation:
        if request.method == "GET":
            _refuse_cross_site(request)
            return operation_of(_parameters_of_url(request.url.query))
        _check_content_type(request)
        body = await read_body(request, self.body_limit)
        return operation_of(_parse_json(body, "body"))


def graphql_endpoint(
    executor: Executor,
    *,
    path: str = "/graphql",
    body_limit: int = DEFAULT_BODY_LIMIT,
    html: Callable[[Request], Response] | None = None,
) -> Route:
    """The route of the GraphQL door; it answers every method itself, so that each answer is GraphQL's."""
    return Route(path, GraphQLEndpoint(executor, body_limit, html), name="graphql")


def answer(outcome: Outcome, media_type: str) -> Response:
    """The HTTP response of an executed or refused operation."""
    status = STATUS_EXECUTED
    if outcome.request_error and media_type == MODERN:
        code = (outcome.errors[0].extensions or {}).get("code") if outcome.errors else None
        status = STATUS.get(ErrorCode(code), 400) if code else 400
    return _json(outcome.encoded(), status, media_type)


def refused(refusal: Refusal, media_type: str = LEGACY) -> Response:
    """The HTTP response of a request that is turned away."""
    return _json(
        encode({"errors": [{"message": str(refusal.error), "extensions": extensions_of(refusal.error)}]}),
        refusal.status,
        media_type,
        refusal.headers,
    )


def _json(body: bytes, status: int, media_type: str, headers: Mapping[str, str] | None = None) -> Response:
    return Response(
        body,
        status,
        {"Vary": "Accept", "Cache-Control": "no-store", **(headers or {})},
        media_type=f"{media_type}; charset=utf-8",
    )


def _refuse_cross_site(request: Request) -> None:
    """A GET can be sent by any page that a browser shows, so it must show that no foreign page sent it."""
    headers = request.headers
    if any(name in headers for name in PREFLIGHT_HEADERS):
        return
    if parse_content_type(headers.get("content-type", "")).is_json:
        return
    if "origin" in headers or headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise Refusal(
            403,
            Forbidden(
                "This GET comes from another site. Send it by POST, or with the header "
                "`GraphQL-Require-Preflight: 1`."
            ),
        )


def _check_content_type(request: Request) -> None:
    given = request.headers.get("content-type")
    content_type = parse_content_type(given or "")
    if not content_type.is_json:
        raise _unsupported("Content-Type", f"must be {LEGACY}, got {shorten(given or 'none')}.")
    if content_type.charset not in (None, "utf-8", "utf8"):
        raise _unsupported(
            "Content-Type", f"must have the charset utf-8, got {shorten(content_type.charset)}."
        )
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        raise _unsupported("Content-Encoding", f"must be absent, got {shorten(encoding)}.")


def _unsupported(header: str, problem: str) -> Refusal:
    return Refusal(415, BadInput(problem, argument=header), {"Accept-Post": LEGACY})


async def read_body(request: Request, limit: int) -> bytes:
    """The body, read no further than `limit` bytes whatever its announced length. Raises `Refusal` (413)."""
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced) > limit:
        raise _too_large(limit)
    received = bytearray()
    async for part in request.stream():
        received += part
        if len(received) > limit:
            raise _too_large(limit)
    return bytes(received)


def _too_large(limit: int) -> Refusal:
    problem = BadInput(f"must have at most {limit} bytes.", argument="body")
    # The rest of the body is still on its way, so the connection is of no further use.
    return Refusal(413, problem, {"Connection": "close"})


def _parse_json(text: bytes | str, argument: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        problem = BadInput(
            f"is not valid JSON: {shorten(error.msg)} at character {error.pos}.", argument=argument
        )
        raise Refusal(400, problem) from None


def _parameters_of_url(query_string: str) -> dict[str, Any]:
    try:
        pairs = parse_qsl(query_string, keep_blank_values=True, max_num_fields=20, errors="strict")
    except ValueError:
        raise _malformed("URL", "has too many parameters, or some that are not UTF-8.") from None
    parameters: dict[str, Any] = {}
    for name, text in pairs:
        if name in parameters:
            raise _malformed(name, "is given twice.")
        if name in ("variables", "extensions"):
            parameters[name] = _parse_json(text, name) if text else None
        else:
            parameters[name] = text
    return parameters


def operation_of(parameters: object) -> Operation:
    """The operation of a request's parameters. Raises `Refusal` (400) where they are not well formed."""
    if isinstance(parameters, list):
        raise _malformed("body", "is a list, and batches are not supported. Send one operation a request.")
    if not isinstance(parameters, dict):
        raise _malformed("body", "must be a JSON object with the key `query`.")
    extensions = _object(parameters, "extensions")
    query = parameters.get("query")
    if query is None and extensions is not None and "persistedQuery" in extensions:
        raise _malformed(
            "query", "is missing, and persisted queries are not supported. Send the text itself."
        )
    if query is None:
        raise _malformed("query", "is missing: it holds the text of the operation.")
    if not isinstance(query, str):
        raise _malformed("query", f"must be a string, got {_kind(query)}.")
    name = parameters.get("operationName")
    if name is not None and not isinstance(name, str):
        raise _malformed("operationName", f"must be a string or null, got {_kind(name)}.")
    # Some clients send an empty name where they have none.
    return Operation(query, name or None, _object(parameters, "variables"))


def _object(parameters: dict[str, Any], name: str) -> dict[str, Any] | None:
    value = parameters.get(name)
    if value is None or isinstance(value, dict):
        return value
    raise _malformed(name, f"must be an object or null, got {_kind(value)}.")


def _malformed(argument: str, problem: str) -> Refusal:
    return Refusal(400, BadInput(problem, argument=argument))


def _kind(value: object) -> str:
    return {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list"}.get(
        type(value), "an object"
    )
