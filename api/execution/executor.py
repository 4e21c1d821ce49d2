"""One GraphQL operation from text to answer. Both doors go through here, so that they cannot differ."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeGuard

import anyio
from graphql import (
    ExecutionResult,
    GraphQLError,
    GraphQLSchema,
    default_field_resolver,
    default_type_resolver,
)
from graphql import Executor as GraphQLExecutor
from graphql.execution.values import VariableValues

from api.execution.constraints import enforce
from api.execution.cost import too_dear
from api.execution.deadline import GRACE_SECONDS, bound_roots, late
from api.execution.documents import Documents, Prepared, PreparedOperation, Refused, shortened
from api.execution.limits import Limits
from api.execution.operation import Operation, Outcome
from api.execution.vocabulary import argument_misfit, coerce_variables
from resolvers.scope import Scope
from schema.context import Context
from schema.errors import ErrorCode, public_error
from sources.errors import LoregraphError, UpstreamUnavailable
from sources.reading import reading

DEFAULT_LIMITS = Limits()

TRIES = 3
"""How often an operation is run at most while data is replaced under it."""


class Executor:
    """Runs operations on one schema within fixed limits.

    `scope` is called once an operation and says what the resolvers may reach.
    """

    def __init__(
        self, schema: GraphQLSchema, *, limits: Limits = DEFAULT_LIMITS, scope: Callable[[], Scope]
    ) -> None:
        enforce(schema)
        bound_roots(schema)
        self.schema = schema
        self.limits = limits
        self._scope = scope
        self.documents = Documents(schema, limits)

    async def execute(self, operation: Operation, *, deadline: float | None = None) -> Outcome:
        """The answer to one operation; it never raises for what the caller wrote.

        `deadline` is in seconds from now, `Limits.seconds` when None. Root fields run at the same time, and
        one that fails, or is cancelled as the deadline passes, leaves the others alive. What hangs below them
        ends the whole operation a moment later: TIMEOUT with `data: null`.
        """
        prepared = self.documents.prepare(operation.query, generated=operation.generated)
        if isinstance(prepared, Refused):
            return Outcome(None, prepared.errors, request_error=True)
        extensions: dict[str, Any] = {}
        try:
            chosen = prepared.choose(operation.operation_name)
            variables = coerce_variables(
                self.schema, chosen.node, operation.variables or {}, self.limits.variable_values
            )
            if isinstance(variables, list):
                return self._refused(variables, extensions)
            reckoned = chosen.cost.reckon(variables.coerced)
            extensions["cost"] = {"requested": reckoned.total, "limit": self.limits.cost}
            if reckoned.total > self.limits.cost:
                raise too_dear(reckoned, self.limits.cost)
        except LoregraphError as error:
            return self._refused([GraphQLError(str(error), original_error=error)], extensions)
        seconds = self.limits.seconds if deadline is None else deadline
        result = await self._of_one_version(prepared, chosen, variables, seconds)
        if result is None:
            return self._timed_out(chosen, seconds, extensions)
        errors = tuple(self._public(error) for error in result.errors or ())
        return Outcome(result.data, errors, extensions)

    async def _of_one_version(
        self, prepared: Prepared, chosen: PreparedOperation, variables: VariableValues, seconds: float
    ) -> ExecutionResult | None:
        """The result, made again when data was replaced while it was read; None when it did not end in time.

        Operations change nothing, so each may be run more than once.
        """
        end = anyio.current_time() + seconds
        for _ in range(TRIES):
            left = end - anyio.current_time()
            with reading() as versions:
                result = await _within(
                    left + GRACE_SECONDS, self._execution(prepared, chosen, variables, left, seconds)
                )
                if result is None or not await versions.moved():
                    return result
        problem = UpstreamUnavailable(
            "The data was replaced again and again while it was read. Ask again.", upstream="loregraph"
        )
        return ExecutionResult(None, [GraphQLError(str(problem), chosen.node, original_error=problem)])

    def _execution(
        self,
        prepared: Prepared,
        chosen: PreparedOperation,
        variables: VariableValues,
        left: float,
        seconds: float,
    ) -> GraphQLExecutor[Context]:
        return GraphQLExecutor(
            self.schema,
            prepared.fragment_definitions,
            prepared.fragments,
            None,
            Context(
                self._scope(),
                deadline=anyio.current_time() + left,
                seconds=seconds,
                most_argument_values=self.limits.argument_values,
            ),
            chosen.node,
            variables,
            default_field_resolver,
            default_type_resolver,
            default_field_resolver,
            is_awaitable=is_awaitable,
        )

    def _refused(self, errors: Sequence[GraphQLError], extensions: dict[str, Any]) -> Outcome:
        public = (public_error(error, fallback=ErrorCode.BAD_USER_INPUT) for error in errors)
        return Outcome(
            None, tuple(shortened(error, self.limits) for error in public), extensions, request_error=True
        )

    def _timed_out(self, chosen: PreparedOperation, seconds: float, extensions: dict[str, Any]) -> Outcome:
        problem = late(seconds)
        error = GraphQLError(str(problem), chosen.node, original_error=problem)
        return Outcome(None, (public_error(error, fallback=ErrorCode.TIMEOUT),), extensions)

    def _public(self, error: GraphQLError) -> GraphQLError:
        misfit = argument_misfit(error)
        return shortened(public_error(misfit or error, fallback=ErrorCode.INTERNAL_SERVER_ERROR), self.limits)


async def _within(seconds: float, execution: GraphQLExecutor[Context]) -> ExecutionResult | None:
    """The result of an execution, or None when it did not end in time."""
    with anyio.move_on_after(seconds):
        result = execution.execute_operation()
        if is_awaitable(result):
            result = await result
        assert isinstance(result, ExecutionResult)  # The base executor knows no incremental delivery.
        return result
    return None


class _Awaitables(dict[type, bool]):
    """Which types can be awaited, each looked at once: execution asks this of every single value."""

    def __missing__(self, type_: type) -> bool:
        known = self[type_] = hasattr(type_, "__await__")
        return known


_AWAITABLES = _Awaitables()


def is_awaitable(value: Any) -> TypeGuard[Awaitable[Any]]:
    """Whether a resolver's value must be awaited. Coroutines made from generators are not; nothing uses them."""
    return _AWAITABLES[type(value)]
