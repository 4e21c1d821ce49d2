"""`loregraph mcp`: the tools over standard input and output."""

from __future__ import annotations

import anyio

from api.app import limits_of, mcp_options_of
from api.commands.starting import Options, prepare_and_show, read_and_log
from api.execution import Executor
from api.mcp_tools.server import McpDoor
from api.opening import open_house
from api.settings import Settings
from schema.query import build_schema


def mcp(options: Options) -> int:
    """Serves one client until its side closes; returns the exit code. Raises LoregraphError."""
    settings = read_and_log(options)
    prepare_and_show(settings)
    anyio.run(_serve, settings)
    return 0


async def _serve(settings: Settings) -> None:
    schema = build_schema()
    async with open_house(settings) as house:
        executor = Executor(schema, limits=limits_of(settings), scope=lambda: house.scope)
        await McpDoor(schema, executor, mcp_options_of(settings)).run_stdio()
