"""Bodies of errors outside the two doors: the same JSON and codes as those of GraphQL, at every path."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from api.execution import encode
from schema.errors import ErrorCode
from sources.errors import shorten

PLACES = (
    "GraphQL is at `/graphql`, MCP at `/mcp`, the page for people at `/`, health at `/healthz` and `/readyz`."
)


def error_body(message: str, code: ErrorCode, **more: object) -> bytes:
    """One error as the body of an answer."""
    return encode({"errors": [{"message": message, "extensions": {"code": code.value, **more}}]})


def not_found(message: str) -> Response:
    """404, saying what is not there."""
    body = error_body(message, ErrorCode.NOT_FOUND)
    return Response(body, 404, {"Cache-Control": "no-store"}, media_type="application/json")


async def no_such_route(request: Request, error: Exception) -> Response:
    """The answer to a path or method that no route takes, as the router raised it."""
    assert isinstance(error, HTTPException)
    headers = {"Cache-Control": "no-store", **(error.headers or {})}
    path, method = shorten(request.url.path), shorten(request.method)
    if error.status_code == 404:
        return not_found(f"There is nothing at `{path}`. {PLACES}")
    if error.status_code == 405:
        allowed = headers.get("Allow", "GET")
        body = error_body(f"`{path}` takes {allowed}, got {method}.", ErrorCode.BAD_USER_INPUT)
    else:
        body = error_body(shorten(error.detail), ErrorCode.BAD_USER_INPUT)
    return Response(body, error.status_code, headers, media_type="application/json")
