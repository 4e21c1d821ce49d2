"""`loregraph import`: files into the tables of one room, whichever rooms there are."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import anyio
import anyio.to_thread
import typer

from api.commands.starting import Options, prepare_and_show, progress, read_and_log
from api.opening import source_settings
from api.settings import Settings
from schema.query import ROOMS
from sources.database import Database
from sources.errors import BadInput, nearest, shorten
from sources.importing import Importer, ImportOptions, ImportOutcome
from sources.source import Report

REJECTED = 1
"""Exit code of an import that took only a part of what it was given."""
INTERRUPTED = 130


class Interrupted(Exception):
    """A person stopped the import; what was reported as done stays."""


def import_files(
    room: str,
    paths: Sequence[Path],
    options: Options,
    *,
    dry_run: bool,
    rejects: Path | None,
    as_json: bool,
) -> int:
    """Imports and says what became of it; returns the exit code.

    Raises LoregraphError for an unknown room, a path that cannot be read, and a database that cannot be used.
    """
    importer = importer_of(room)
    if not paths:
        raise BadInput(f"names no file. `{room}` takes {importer.takes}.", argument="PATH")
    settings = read_and_log(options)
    prepare_and_show(settings)
    outcome = _stoppable(settings, room, importer, paths, ImportOptions(dry_run, rejects))
    if outcome is None:
        typer.echo(
            "Stopped. What was reported as done is kept; the same command completes the rest.", err=True
        )
        return INTERRUPTED
    typer.echo(_as_json(outcome, dry_run) if as_json else _as_text(outcome, dry_run, rejects), nl=False)
    return REJECTED if outcome.rejected else 0


def print_schema(room: str) -> int:
    """Prints the JSON Schema of one record of the room's own format; returns the exit code."""
    schema = dict(importer_of(room).schema())
    typer.echo(json.dumps(schema, indent=2, ensure_ascii=False))
    return 0


def importer_of(room: str) -> Importer:
    """The importer of a room. Raises BadInput with the rooms that have one."""
    importers = {one.name: one.source.importer for one in ROOMS if one.source.importer is not None}
    if room in importers:
        return importers[room]
    known = any(one.name == room for one in ROOMS)
    problem = f"cannot be `{room}`, which takes no files." if known else f"does not know `{shorten(room)}`."
    raise BadInput(
        problem, argument="ROOM", allowed=tuple(importers), suggestions=nearest(room, tuple(importers))
    )


def _stoppable(
    settings: Settings, room: str, importer: Importer, paths: Sequence[Path], options: ImportOptions
) -> ImportOutcome | None:
    """The outcome; None when a person stopped the import, which then ends after the batch that it is in."""
    stopped = threading.Event()
    with progress("importing", steps=10) as shown, _on_interrupt(stopped):

        def report(what: str, done: int, total: int) -> None:
            shown(what, done, total)
            if stopped.is_set():
                raise Interrupted

        try:
            return anyio.run(_run, settings, room, importer, paths, options, report)
        except Interrupted:
            return None


@contextmanager
def _on_interrupt(stopped: threading.Event) -> Iterator[None]:
    """Lets a first Ctrl-C end the batch that is being written, and a second one end the command at once."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        stopped.set()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


async def _run(
    settings: Settings,
    room: str,
    importer: Importer,
    paths: Sequence[Path],
    options: ImportOptions,
    report: Report,
) -> ImportOutcome:
    of_room: Any = source_settings()[room]
    database = await Database.open(settings.database_target)
    try:
        return await anyio.to_thread.run_sync(importer.run, database, of_room, paths, options, report)
    finally:
        await database.close()


def _as_text(outcome: ImportOutcome, dry_run: bool, rejects: Path | None) -> str:
    counted = [f"{number} {what}" for what, number in outcome.counts.items()]
    counted.append(f"{outcome.rejected} rejected")
    lines = [", ".join(counted) + (". Nothing was written: this was a dry run." if dry_run else ".")]
    if outcome.rejected and rejects is not None:
        lines.append(f"The reasons stand in {rejects}.")
    elif outcome.rejected:
        lines.append("`--rejects FILE` writes the reasons to a file.")
    return "\n".join([*lines, *outcome.notes]) + "\n"


def _as_json(outcome: ImportOutcome, dry_run: bool) -> str:
    body = {
        "counts": dict(outcome.counts),
        "rejected": outcome.rejected,
        "notes": list(outcome.notes),
        "dry_run": dry_run,
    }
    return json.dumps(body, ensure_ascii=False) + "\n"
