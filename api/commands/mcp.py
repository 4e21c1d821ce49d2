"""`loregraph mcp`: the tools over standard input and output."""

from __future__ import annotations

import anyio

from api.commands.starting import Options, prepare_and_show, read_and_log
from api.opening import open_house
from api.settings import Settings


def mcp(options: Options) -> int:
    """Serves one client until its input ends; returns the exit code. Raises LoregraphError."""
    settings = read_and_log(options)
    prepare_and_show(settings)
    anyio.run(_serve, settings)
    return 0


async def _serve(settings: Settings) -> None:
    from api.mcp_tools.server import run_stdio

    async with open_house(settings) as house:
        await run_stdio(house)
