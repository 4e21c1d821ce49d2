"""The MCP door: one server over all rooms, and one for each room, over Streamable HTTP and stdio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from typing import Any

from graphql import GraphQLSchema
from mcp.server import Server
from mcp.server.stdio import stdio_server
from starlette.routing import Route

from api.execution import Executor
from api.mcp_tools.options import McpOptions
from api.mcp_tools.service import Service
from api.mcp_tools.standard_input import claimed_input
from api.mcp_tools.tools import Toolbox
from api.mcp_tools.transport import HttpTransport
from schema.query import sdl_of
from schema.room import Room


class McpDoor:
    """The MCP door of one schema, made of these rooms.

    `server` is the SDK's server over all of them, for in-process clients. Over HTTP, mount `routes()` and enter
    `run()` once for as long as the app lives.
    """

    def __init__(
        self,
        schema: GraphQLSchema,
        executor: Executor,
        options: McpOptions = McpOptions(),  # noqa: B008
        rooms: Sequence[Room] = (),
    ) -> None:
        self.options = options
        self.toolbox = Toolbox(schema, output_schemas=options.output_schemas)
        self._executor = executor
        self._rooms = tuple(rooms)
        self._sdl = cache(lambda: sdl_of(schema))
        self.server = self.service(self._rooms).server()
        self._transports: Mapping[str, HttpTransport] = {
            "": HttpTransport(self.server, options),
            **{room.name: HttpTransport(self.service([room]).server(), options) for room in self._rooms},
        }

    def service(self, served: Sequence[Room]) -> Service:
        """What is answered where only these rooms are served."""
        return Service(self.toolbox, self._executor, self.options, self._rooms, served, self._sdl)

    def routes(self, path: str = "/mcp") -> list[Route]:
        """The door's HTTP routes: all rooms at `path`, and each of them below it by its name."""
        return [
            transport.route(f"{path}/{room}" if room else path, f"mcp_{room}" if room else "mcp")
            for room, transport in self._transports.items()
        ]

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Keeps the HTTP side running; to be entered once, by the lifespan of the app that has the routes."""
        async with AsyncExitStack() as stack:
            for transport in self._transports.values():
                await stack.enter_async_context(transport.run())
            yield

    async def run_stdio(self, served: Sequence[Room] | None = None) -> None:
        """Serves one client over standard input and output until its side closes; `served` rooms, or all.

        Standard output carries the protocol alone: while this runs, whatever else is written to it goes to
        standard error.
        """
        server: Server[Any] = self.server if served is None else self.service(served).server()
        with claimed_input() as lines:
            async with stdio_server(stdin=lines) as (read_stream, write_stream):
                await server.run(read_stream, write_stream, server.create_initialization_options())
