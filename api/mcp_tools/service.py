"""What one address of the MCP door answers: the tools of some rooms, with their guides and prompts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.caching import CacheHint
from mcp.shared.exceptions import MCPError

from api.execution import Executor
from api.mcp_tools.cleaning import clean
from api.mcp_tools.groups import tools_of
from api.mcp_tools.instructions import INSTRUCTIONS
from api.mcp_tools.naming import fold
from api.mcp_tools.options import McpOptions
from api.mcp_tools.prompts import Prompts
from api.mcp_tools.resources import GUIDE_TEMPLATE, NODE_TEMPLATE, Resources
from api.mcp_tools.tool_spec import ToolSpec
from api.mcp_tools.tools import Toolbox
from api.version import loregraph_version
from schema.house_prompts import HOUSE_PROMPTS
from schema.room import Room
from sources.errors import LoregraphError, nearest, shorten

logger = logging.getLogger("loregraph.mcp")

Context = ServerRequestContext[Any]

MOST_COMPLETIONS = 100
"""The protocol allows no more values in one answer."""

_NODE_FIELD = "node"


class Service:
    """The tools, resources and prompts of the `served` rooms among all `rooms` of the house, as an SDK server."""

    def __init__(
        self,
        toolbox: Toolbox,
        executor: Executor,
        options: McpOptions,
        rooms: Sequence[Room],
        served: Sequence[Room],
        sdl: Callable[[], str],
    ) -> None:
        self._toolbox = toolbox
        self._executor = executor
        self._options = options
        all_specs = tuple(toolbox.specs.values())
        self.specs = {spec.name: spec for spec in tools_of(all_specs, rooms, served)}
        self._node = next((spec for spec in all_specs if spec.field_name == _NODE_FIELD), None)
        self.listing = tuple(tool for tool in toolbox.listing if tool.name in self.specs)
        self._resources = Resources(
            all_specs, rooms, served, sdl, self._read_node if self._node is not None else None
        )
        self._notes = {name: note for room in rooms for name, note in room.tool_notes.items()}
        own = [prompt for room in served for prompt in room.prompts]
        self._prompts = Prompts([*HOUSE_PROMPTS, *own] if rooms else [])

    def server(self) -> Server[Any]:
        """A server of the SDK that answers from here."""
        hint = CacheHint(ttl_ms=self._options.list_ttl_ms, scope="private")
        tools_hint = CacheHint(ttl_ms=self._options.tools_ttl_ms, scope="private")
        return Server(
            "loregraph",
            version=loregraph_version(),
            title="Loregraph",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_resource_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
            cache_hints={
                "tools/list": tools_hint,
                "resources/list": hint,
                "resources/templates/list": hint,
                "resources/read": hint,
                "prompts/list": hint,
                "server/discover": hint,
            },
        )

    async def _list_tools(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[await self._now(tool) for tool in self.listing])

    async def _now(self, tool: types.Tool) -> types.Tool:
        """The tool with what its description says of this moment, after the fixed text and a blank line."""
        note = self._notes.get(self.specs[tool.name].field_name)
        if note is None:
            return tool
        try:
            said = clean(await note(self._executor.scope()))
        except LoregraphError as error:
            logger.warning("the description of %s is the fixed text alone: %s", tool.name, error.message)
            return tool
        return tool.model_copy(update={"description": f"{tool.description}\n\n{said}"}) if said else tool

    async def _call_tool(
        self, _context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        spec = self.specs.get(params.name)
        if spec is None:
            raise MCPError(code=types.INVALID_PARAMS, message=_unknown_tool(params.name, list(self.specs)))
        return await self._run(spec, params.arguments or {})

    async def _run(self, spec: ToolSpec, arguments: dict[str, Any]) -> types.CallToolResult:
        return await self._toolbox.call(spec, arguments, self._executor, max_bytes=self._options.result_bytes)

    async def _list_resources(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=list(self._resources.listing))

    async def _list_resource_templates(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=list(self._resources.templates))

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return await self._resources.read(str(params.uri), context.protocol_version)

    async def _read_node(self, id_: str) -> types.CallToolResult:
        assert self._node is not None
        return await self._run(self._node, {"id": id_})

    async def _list_prompts(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=list(self._prompts.listing))

    async def _get_prompt(
        self, _context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        return self._prompts.get(params.name, params.arguments or {})

    async def _complete(self, _context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        words = self._words(params.ref, params.argument.name)
        begun = fold(params.argument.value)
        found = [word for word in words if fold(word).startswith(begun)]
        return types.CompleteResult(
            completion=types.Completion(
                values=found[:MOST_COMPLETIONS],
                total=len(found),
                has_more=len(found) > MOST_COMPLETIONS,
            )
        )

    def _words(
        self, ref: types.PromptReference | types.ResourceTemplateReference, argument: str
    ) -> tuple[str, ...]:
        if isinstance(ref, types.PromptReference):
            return self._prompts.words(ref.name, argument)
        words = {(GUIDE_TEMPLATE, "source"): self._resources.sources, (NODE_TEMPLATE, "id"): ()}
        found = words.get((ref.uri, argument))
        if found is None:
            raise MCPError(
                code=types.INVALID_PARAMS,
                message=f"There is no variable `{shorten(argument)}` in `{shorten(ref.uri)}` to complete.",
            )
        return found


def _unknown_tool(name: str, known: list[str]) -> str:
    near = nearest(name, known)
    message = f"There is no tool `{shorten(name)}`."
    if near:
        return f"{message} Did you mean {' or '.join(f'`{one}`' for one in near)}?"
    return f"{message} There are: {', '.join(known)}."
