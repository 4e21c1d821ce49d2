"""The table of error codes, and the one place where an exception becomes what a caller reads."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from graphql import GraphQLError

from sources import errors

logger = logging.getLogger("loregraph.errors")


class ErrorCode(StrEnum):
    """Every value of `extensions.code`. Documented one by one in `docs/errors.md`."""

    GRAPHQL_PARSE_FAILED = "GRAPHQL_PARSE_FAILED"
    GRAPHQL_VALIDATION_FAILED = "GRAPHQL_VALIDATION_FAILED"
    BAD_USER_INPUT = "BAD_USER_INPUT"
    NOT_FOUND = "NOT_FOUND"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    FORBIDDEN = "FORBIDDEN"
    UPSTREAM_UNAVAILABLE = "UPSTREAM_UNAVAILABLE"
    UPSTREAM_TIMEOUT = "UPSTREAM_TIMEOUT"
    UPSTREAM_BAD_RESPONSE = "UPSTREAM_BAD_RESPONSE"
    PORTAL_BLOCKED = "PORTAL_BLOCKED"
    NOT_CKAN = "NOT_CKAN"
    EMBEDDER_MISMATCH = "EMBEDDER_MISMATCH"
    SOURCE_NOT_CONFIGURED = "SOURCE_NOT_CONFIGURED"
    QUERY_TOO_EXPENSIVE = "QUERY_TOO_EXPENSIVE"
    RATE_LIMITED = "RATE_LIMITED"
    TIMEOUT = "TIMEOUT"
    INTERNAL_SERVER_ERROR = "INTERNAL_SERVER_ERROR"


CODE_OF: dict[type[errors.LoregraphError], ErrorCode] = {
    errors.BadInput: ErrorCode.BAD_USER_INPUT,
    errors.NotFound: ErrorCode.NOT_FOUND,
    errors.Unauthenticated: ErrorCode.UNAUTHENTICATED,
    errors.Forbidden: ErrorCode.FORBIDDEN,
    errors.UpstreamUnavailable: ErrorCode.UPSTREAM_UNAVAILABLE,
    errors.UpstreamTimeout: ErrorCode.UPSTREAM_TIMEOUT,
    errors.UpstreamBadResponse: ErrorCode.UPSTREAM_BAD_RESPONSE,
    errors.PortalBlocked: ErrorCode.PORTAL_BLOCKED,
    errors.NotCkan: ErrorCode.NOT_CKAN,
    errors.EmbedderMismatch: ErrorCode.EMBEDDER_MISMATCH,
    errors.SourceNotConfigured: ErrorCode.SOURCE_NOT_CONFIGURED,
    errors.QueryTooExpensive: ErrorCode.QUERY_TOO_EXPENSIVE,
    errors.RateLimited: ErrorCode.RATE_LIMITED,
    errors.DeadlineExceeded: ErrorCode.TIMEOUT,
    # A store that fails while it serves is, to a caller, a source that is down.
    errors.DataFolderError: ErrorCode.UPSTREAM_UNAVAILABLE,
}


def code_of(error: errors.LoregraphError) -> ErrorCode:
    """The public code of one of our errors, by the nearest class in the table."""
    for class_ in type(error).__mro__:
        if class_ in CODE_OF:
            return CODE_OF[class_]
    return ErrorCode.INTERNAL_SERVER_ERROR


def extensions_of(error: errors.LoregraphError) -> dict[str, Any]:
    """The `extensions` of one of our errors: the code, and what helps to mend the request."""
    extensions: dict[str, Any] = {"code": code_of(error).value}
    match error:
        case errors.BadInput():
            extensions["argument"] = error.argument
            if error.allowed:
                extensions["allowed"] = list(error.allowed)
            if error.suggestions:
                extensions["suggestions"] = list(error.suggestions)
        case errors.NotFound():
            if error.argument is not None:
                extensions["argument"] = error.argument
            if error.suggestions:
                extensions["suggestions"] = list(error.suggestions)
        case errors.UpstreamError():
            extensions["upstream"] = error.upstream
        case errors.RateLimited():
            extensions["retryAfter"] = error.retry_after
    return extensions


def public_error(
    error: GraphQLError, *, fallback: ErrorCode, new_id: Callable[[], str] = lambda: secrets.token_hex(6)
) -> GraphQLError:
    """`error` as the caller may read it.

    One of our errors keeps its words and gets its code. An error of GraphQL itself (it has no original
    exception) keeps its words and gets `fallback` unless it carries a code already. Anything else is masked:
    its words may hold a secret, so only an error id is shown, and the log holds the rest under that id.
    """
    original = error.original_error
    if isinstance(original, errors.LoregraphError):
        if original.public != str(original):
            logger.error("at %s: %s", error.path, original)
        return _rewritten(error, original.public, extensions_of(original))
    if original is None or isinstance(original, GraphQLError):
        code = (error.extensions or {}).get("code", fallback.value)
        return _rewritten(error, error.message, {**(error.extensions or {}), "code": code})
    error_id = new_id()
    logger.error("error %s at %s", error_id, error.path, exc_info=original)
    return _rewritten(
        error,
        f"Something went wrong on our side. The error id is {error_id}.",
        {"code": ErrorCode.INTERNAL_SERVER_ERROR.value, "errorId": error_id},
    )


def _rewritten(error: GraphQLError, message: str, extensions: dict[str, Any]) -> GraphQLError:
    return GraphQLError(
        message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        original_error=error.original_error,
        extensions=extensions,
    )
