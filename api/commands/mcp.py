"""`loregraph mcp`: the tools over standard input and output."""

from __future__ import annotations

from dataclasses import replace

import anyio

from api.app import limits_of, mcp_options_of
from api.commands.starting import Options, prepare_and_show, read_and_log
from api.execution import Executor
from api.mcp_tools.groups import rooms_named
from api.mcp_tools.server import McpDoor
from api.opening import open_house
from api.settings import Settings
from schema.query import ROOMS, build_schema
from schema.room import Room


def mcp(options: Options, only: str | None = None) -> int:
    """Serves one client until its side closes; returns the exit code. Raises LoregraphError.

    `only` names the rooms whose tools are served, separated by commas; all of them when it is None.
    """
    served = ROOMS if only is None else rooms_named(only, ROOMS, "--only")
    settings = read_and_log(options)
    prepare_and_show(settings)
    anyio.run(_serve, settings, served)
    return 0


async def _serve(settings: Settings, served: tuple[Room, ...]) -> None:
    schema = build_schema()
    async with open_house(settings) as house:
        # Whoever started this process can read the database as well.
        scope = replace(house.scope, local=True)
        executor = Executor(schema, limits=limits_of(settings), scope=lambda: scope)
        await McpDoor(schema, executor, mcp_options_of(settings), ROOMS).run_stdio(served)
