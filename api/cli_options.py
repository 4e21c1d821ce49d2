"""Options that several commands share, and how a command ends."""

from __future__ import annotations

from typing import Annotated, Any

import typer


def variable(help_: str, variable: str, *names: str, **options: Any) -> Any:
    """An option that wins over an environment variable; the settings themselves check its value."""
    return typer.Option(*names, help=f"{help_} ({variable})", show_default=False, **options)


DataDir = Annotated[
    str | None,  # Not a Path: an empty one would quietly be the current folder.
    variable(
        "Folder that holds everything loregraph stores.", "LOREGRAPH_DATA_DIR", "--data-dir", metavar="FOLDER"
    ),
]
LogLevel = Annotated[
    str | None,
    variable(
        "How much is logged: debug, info, warning or error.",
        "LOREGRAPH_LOG_LEVEL",
        "--log-level",
        metavar="LEVEL",
    ),
]


def finish(code: int) -> None:
    """Ends the command with this exit code."""
    if code:
        raise typer.Exit(code)
