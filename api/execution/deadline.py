"""What holds for the root fields of an operation: their deadline, each for itself, and their values together.

A source that hangs costs its own field alone: the field is cancelled and answers TIMEOUT, its siblings answer
with what they have. What hangs below a root field is ended a moment later with the whole operation.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import Any

import anyio
from graphql import GraphQLResolveInfo, GraphQLSchema, default_field_resolver

from api.execution.argument_values import admit
from schema.context import Context
from sources.deadline import bounded_by
from sources.errors import DeadlineExceeded

BOUNDED = "loregraph-deadline-bounded"

GRACE_SECONDS = 0.5
"""What the operation as a whole has beyond its root fields, to complete what they answered in time."""


def late(seconds: float) -> DeadlineExceeded:
    """The error of what did not end within its seconds."""
    return DeadlineExceeded(
        f"The answer did not come within {seconds:g} seconds. Ask for fewer items or fields at once."
    )


def bound_roots(schema: GraphQLSchema) -> None:
    """Puts the limits that root fields share, deadline and values, around each resolver, once a schema."""
    if schema.query_type is None or schema.extensions.get(BOUNDED):
        return
    for field in schema.query_type.fields.values():
        field.resolve = _bounded(field.resolve or default_field_resolver)
    schema.extensions[BOUNDED] = True


def _bounded(resolve: Callable[..., Any]) -> Callable[..., Any]:
    def bounded(parent: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        admit(arguments, info.context)
        value = resolve(parent, info, **arguments)
        return _in_time(value, info.context) if isawaitable(value) else value

    return bounded


async def _in_time(value: Awaitable[Any], context: Context) -> Any:
    with anyio.CancelScope(deadline=context.deadline) as scope, bounded_by(context.deadline):
        return await value
    assert scope.cancelled_caught
    raise late(context.seconds)
