"""`loregraph schema` and `loregraph tools`: the two prints of the public surface."""

from __future__ import annotations

from pathlib import Path

import typer

from sources.errors import LoregraphError


class UnusableFile(LoregraphError):
    """A file named on the command line cannot be read or written."""


def schema(output: Path | None, check: Path | None) -> int:
    """Prints the schema language; returns the exit code."""
    from schema.query import print_sdl

    return _deliver("schema", print_sdl(), output, check)


def tools(output: Path | None, check: Path | None) -> int:
    """Prints the tools as MCP clients see them; returns the exit code."""
    from api.mcp_tools.printing import tools_json
    from schema.query import build_schema

    return _deliver("tools", tools_json(build_schema()), output, check)


def _deliver(command: str, text: str, output: Path | None, check: Path | None) -> int:
    if check is not None:
        if _read(check) == text:
            return 0
        typer.echo(f"{check} is out of date. Run `loregraph {command} --output {check}`.", err=True)
        return 1
    if output is None:
        typer.echo(text, nl=False)
        return 0
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UnusableFile(f"The file {output} cannot be written: {error.strerror}.") from None
    return 0


def _read(file: Path) -> str | None:
    """What the file holds, or None when it is not there or not text."""
    try:
        return file.read_text(encoding="utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    except OSError as error:
        raise UnusableFile(f"The file {file} cannot be read: {error.strerror}.") from None
