"""The tools of a schema, ready to be listed and called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import mcp_types as types
from graphql import GraphQLSchema

from api.execution import Executor, Operation
from api.mcp_tools.answers import AnswerKind
from api.mcp_tools.arguments import read_call
from api.mcp_tools.catalogue import catalogue_of
from api.mcp_tools.failures import failed_call, failure_of, masked
from api.mcp_tools.input_schema import input_schema_of
from api.mcp_tools.operations import Operations
from api.mcp_tools.output_schema import output_schema_of
from api.mcp_tools.results import result_of
from api.mcp_tools.tool_spec import ToolSpec
from sources.errors import LoregraphError


class Toolbox:
    """All tools of one schema. Raises `CatalogueError` when the schema cannot be turned into tools."""

    def __init__(self, schema: GraphQLSchema, *, output_schemas: bool = True) -> None:
        specs = catalogue_of(schema)
        self.specs: Mapping[str, ToolSpec] = {spec.name: spec for spec in specs}
        self.operations = Operations(schema, specs)
        tellers = field_tellers(specs)
        self.listing: tuple[types.Tool, ...] = tuple(
            self._listed(spec, output_schemas, tellers.get(spec.name)) for spec in specs
        )

    def _listed(self, spec: ToolSpec, output_schemas: bool, fields_told_by: str | None) -> types.Tool:
        return types.Tool(
            name=spec.name,
            title=spec.title,
            description=spec.description,
            input_schema=input_schema_of(spec, fields_told_by),
            output_schema=output_schema_of(self.operations.of(spec)) if output_schemas else None,
            annotations=types.ToolAnnotations(
                read_only_hint=True,
                destructive_hint=False,
                idempotent_hint=True,
                open_world_hint=spec.open_world,
            ),
        )

    async def call(
        self, spec: ToolSpec, arguments: Mapping[str, Any], executor: Executor, *, max_bytes: int
    ) -> types.CallToolResult:
        """Runs one tool. Whatever goes wrong becomes a tool error; a fault of ours is logged under its id."""
        try:
            call = read_call(spec, arguments)
            operation = self.operations.of(spec, call.fields)
            outcome = await executor.execute(
                Operation(operation.text, operation.name, call.variables, generated=True)
            )
            return result_of(spec, operation, outcome, markdown=call.markdown, max_bytes=max_bytes)
        except LoregraphError as error:
            return failed_call([failure_of(spec, error)])
        except Exception as error:  # noqa: BLE001  # The door's last line; `masked` logs it under an error id.
            return failed_call([masked(error)])


def field_tellers(specs: Iterable[ToolSpec]) -> dict[str, str]:
    """For each tool whose output fields another one tells as well, that other one: a list before a single object.

    Tools that return the same type belong to the same room, so they are always listed together.
    """
    by_type: dict[str, list[ToolSpec]] = {}
    for spec in specs:
        by_type.setdefault(spec.answer.item.name, []).append(spec)
    tellers: dict[str, str] = {}
    for same in by_type.values():
        first = min(same, key=lambda spec: spec.answer.kind is not AnswerKind.CONNECTION)
        tellers.update({spec.name: first.name for spec in same if spec is not first})
    return tellers
