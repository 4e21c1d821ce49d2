"""What a caller of a tool reads when a call fails: the code and one sentence, in the tool's own names."""

from __future__ import annotations

from collections.abc import Iterable

import mcp_types as types
from graphql import GraphQLError

from api.mcp_tools.cleaning import clean
from api.mcp_tools.tool_spec import ToolSpec
from schema.errors import ErrorCode, code_of, public_error
from sources.errors import BadInput, LoregraphError, QueryTooExpensive


def failed_call(lines: Iterable[str]) -> types.CallToolResult:
    """A tool error. It has no structured content: that would have to match the tool's output schema."""
    text = clean("\n".join(dict.fromkeys(lines)))
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def failure_of(tool: ToolSpec, error: LoregraphError) -> str:
    """One of our errors as `CODE: sentence`."""
    if isinstance(error, BadInput):
        sentence = error.message_for(tool.argument_name, lambda value: tool.word(error.argument, value))
    else:
        sentence = error.public
        if isinstance(error, QueryTooExpensive):
            # The only other error that names an argument and a place of the operation that we wrote.
            sentence = sentence.replace("`first`", "`limit`").replace(".edges.node", ".nodes")
    return f"{code_of(error).value}: {sentence}"


def failure_of_graphql(tool: ToolSpec, error: GraphQLError) -> str:
    """An error of an operation's outcome as `CODE: sentence`.

    The operation is of our making, so an error of GraphQL itself is a fault of ours whose words would mean
    nothing to the caller: it is logged, and the caller reads that we failed.
    """
    original = error.original_error
    if isinstance(original, LoregraphError):
        return failure_of(tool, original)
    if "errorId" in (error.extensions or {}):
        return f"{ErrorCode.INTERNAL_SERVER_ERROR.value}: {error.message}"
    return masked(error)


def masked(error: Exception) -> str:
    """A fault of ours: the caller reads an error id, under which the log holds the rest."""
    wrapped = GraphQLError("", original_error=_fault(error))
    public = public_error(wrapped, fallback=ErrorCode.INTERNAL_SERVER_ERROR)
    return f"{ErrorCode.INTERNAL_SERVER_ERROR.value}: {public.message}"


def _fault(error: Exception) -> Exception:
    """`public_error` lets the words of GraphQL's own errors through, so those are wrapped once more."""
    if not isinstance(error, GraphQLError):
        return error
    fault = RuntimeError(error.message)
    fault.__cause__ = error
    return fault
