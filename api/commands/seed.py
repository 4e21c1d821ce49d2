"""`loregraph seed`: fills the data folder with what comes with loregraph."""

from __future__ import annotations

import typer

from api.commands.starting import Options, prepare_and_show, read_and_log


def seed(options: Options) -> int:
    """Migrates and seeds; returns the exit code. Raises LoregraphError when the database cannot be used."""
    settings = read_and_log(options)
    for name, was_written in prepare_and_show(settings).items():
        typer.echo(f"{name}: {'seeded' if was_written else 'up to date'}")
    return 0
