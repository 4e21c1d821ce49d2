"""The MCP server: the toolbox behind the SDK, over Streamable HTTP and stdio, in both protocol eras."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any

import mcp_types as types
from graphql import GraphQLSchema
from mcp.server import Server, ServerRequestContext
from mcp.server.caching import CacheHint
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from starlette.routing import Route

from api.execution import Executor
from api.mcp_tools.envelope import Envelope
from api.mcp_tools.instructions import INSTRUCTIONS
from api.mcp_tools.options import ANY, LOOPBACK_HOSTS, McpOptions
from api.mcp_tools.standard_input import claimed_input
from api.mcp_tools.tools import Toolbox
from api.version import loregraph_version
from sources.errors import nearest, shorten


class McpDoor:
    """The MCP door of one schema.

    `server` is the SDK's server, for in-process clients. Over HTTP, mount `routes()` and enter `run()` once
    for as long as the app lives; each request stands alone, so there are no sessions to lose.
    """

    def __init__(self, schema: GraphQLSchema, executor: Executor, options: McpOptions = McpOptions()) -> None:  # noqa: B008
        self.options = options
        self.toolbox = Toolbox(schema, output_schemas=options.output_schemas)
        self._executor = executor
        self.server: Server[Any] = Server(
            "loregraph",
            version=loregraph_version(),
            title="Loregraph",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            cache_hints={"tools/list": CacheHint(ttl_ms=options.list_ttl_ms, scope="private")},
        )
        self._manager = StreamableHTTPSessionManager(
            app=self.server,
            stateless=True,
            json_response=True,
            security_settings=TransportSecuritySettings(
                enable_dns_rebinding_protection=not options.guarded
                and ANY not in options.allowed_hosts + options.allowed_origins,
                allowed_hosts=list(options.allowed_hosts or LOOPBACK_HOSTS),
                allowed_origins=list(options.allowed_origins),
            ),
            max_request_body_size=options.max_body_bytes,
        )

    def routes(self, path: str = "/mcp") -> list[Route]:
        """The door's HTTP routes. POST alone: a GET would open a stream that nothing is ever sent on."""
        app = StreamableHTTPASGIApp(self._manager)
        return [Route(path, endpoint=Envelope(app, body_limit=self.options.max_body_bytes), name="mcp")]

    def run(self) -> AbstractAsyncContextManager[None]:
        """Keeps the HTTP side running; to be entered once, by the lifespan of the app that has the routes."""
        return self._manager.run()

    async def run_stdio(self) -> None:
        """Serves one client over standard input and output until its side closes.

        Standard output carries the protocol alone: while this runs, whatever else is written to it goes to
        standard error.
        """
        with claimed_input() as lines:
            async with stdio_server(stdin=lines) as (read_stream, write_stream):
                await self.server.run(read_stream, write_stream, self.server.create_initialization_options())

    async def _list_tools(
        self, _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=list(self.toolbox.listing))

    async def _call_tool(
        self, _context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        spec = self.toolbox.specs.get(params.name)
        if spec is None:
            raise MCPError(
                code=types.INVALID_PARAMS, message=_unknown_tool(params.name, list(self.toolbox.specs))
            )
        return await self.toolbox.call(
            spec, params.arguments or {}, self._executor, max_bytes=self.options.result_bytes
        )


def _unknown_tool(name: str, known: list[str]) -> str:
    near = nearest(name, known)
    message = f"There is no tool `{shorten(name)}`."
    if near:
        return f"{message} Did you mean {' or '.join(f'`{one}`' for one in near)}?"
    return f"{message} There are: {', '.join(known)}."
