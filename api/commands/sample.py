"""`loregraph sample remove`: takes the sample records of a room out again."""

from __future__ import annotations

from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import typer

from api.commands.starting import Options, prepare_and_show, read_and_log
from api.settings import Settings
from schema.query import ROOMS
from sources.database import Database
from sources.errors import BadInput, nearest, shorten
from sources.source import Source


def remove(room: str, options: Options) -> int:
    """Removes the sample of a room for good; returns the exit code.

    Raises LoregraphError for an unknown room, one whose data is no sample, and an unusable database.
    """
    source = _source_of(room)
    settings = read_and_log(options)
    prepare_and_show(settings)
    removed = anyio.run(partial(_remove, settings, source))
    if removed is None:
        raise BadInput(f"cannot be `{room}`, whose data is no sample.", argument="ROOM")
    typer.echo(f"{room}: {removed} sample records removed; they do not come back at the next start.")
    return 0


def _source_of(room: str) -> Source[Any]:
    sources = {one.name: one.source for one in ROOMS}
    if room not in sources:
        raise BadInput(
            f"does not know `{shorten(room)}`.",
            argument="ROOM",
            allowed=tuple(sources),
            suggestions=nearest(room, tuple(sources)),
        )
    return sources[room]


async def _remove(settings: Settings, source: Source[Any]) -> int | None:
    database = await Database.open(settings.database_target)
    try:
        return await anyio.to_thread.run_sync(source.remove_sample, database)
    finally:
        await database.close()
