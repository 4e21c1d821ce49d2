"""The command `loregraph`: its commands, their options, and how it ends.

Exit codes: 0 done, 1 done with something to mend (a check that differs, a degraded source), 2 not possible as
asked or with these settings. What runs is imported by the command that runs it, so that `--help` is quick.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

UNUSABLE = 2
"""Exit code when a command cannot do what it was asked for as things are."""

app = typer.Typer(
    name="loregraph",
    help="One typed GraphQL service, and its MCP tools, over the places where knowledge lives.",
    epilog="Every setting is an environment variable or a line in `.env`: see docs/settings.md.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

sample = typer.Typer(no_args_is_help=True, help="The sample records that come with loregraph.")
app.add_typer(sample, name="sample")


def _variable(help_: str, variable: str, *names: str, **options: Any) -> Any:
    """An option that wins over an environment variable; the settings themselves check its value."""
    return typer.Option(*names, help=f"{help_} ({variable})", show_default=False, **options)


DataDir = Annotated[
    str | None,  # Not a Path: an empty one would quietly be the current folder.
    _variable(
        "Folder that holds everything loregraph stores.", "LOREGRAPH_DATA_DIR", "--data-dir", metavar="FOLDER"
    ),
]
LogLevel = Annotated[
    str | None,
    _variable(
        "How much is logged: debug, info, warning or error.",
        "LOREGRAPH_LOG_LEVEL",
        "--log-level",
        metavar="LEVEL",
    ),
]
Host = Annotated[
    str | None,
    _variable(
        "Address to listen on; the default, 127.0.0.1, is this machine alone.",
        "LOREGRAPH_HOST",
        "--host",
        metavar="ADDRESS",
    ),
]
Port = Annotated[
    str | None,
    _variable(
        "Port to listen on, 8000 by default; 0 takes any free one.",
        "LOREGRAPH_PORT",
        "--port",
        metavar="NUMBER",
    ),
]
Workers = Annotated[
    str | None,
    _variable(
        "Number of server processes, 1 by default.", "LOREGRAPH_WORKERS", "--workers", metavar="NUMBER"
    ),
]
Output = Annotated[
    Path | None, typer.Option("--output", help="Write it to this file.", metavar="FILE", show_default=False)
]
Check = Annotated[
    Path | None,
    typer.Option(
        "--check",
        help="Print nothing, and end with code 1 when this file differs from it.",
        metavar="FILE",
        show_default=False,
    ),
]


def _print_version(wanted: bool) -> None:
    if wanted:
        from api.version import loregraph_version

        typer.echo(f"loregraph {loregraph_version()}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """One typed GraphQL service, and its MCP tools, over the places where knowledge lives."""


@app.command()
def serve(
    host: Host = None,
    port: Port = None,
    data_dir: DataDir = None,
    workers: Workers = None,
    log_level: LogLevel = None,
) -> None:
    """Serve GraphQL and MCP over HTTP.

    An empty data folder is filled first with the data that comes with loregraph.
    """
    from api.commands.serve import serve as run

    options = {"host": host, "port": port, "data_dir": data_dir, "workers": workers, "log_level": log_level}
    _finish(run(options))


@app.command()
def mcp(
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            help="Serve the tools of these sources alone, separated by commas, such as dnd.",
            metavar="SOURCES",
            show_default=False,
        ),
    ] = None,
    data_dir: DataDir = None,
    log_level: LogLevel = None,
) -> None:
    """Serve the MCP tools over standard input and output, for one client.

    The client starts this command itself. Standard output carries the protocol alone; the log goes to
    standard error.
    """
    from api.commands.mcp import mcp as run

    _finish(run({"data_dir": data_dir, "log_level": log_level}, only))


@app.command()
def seed(data_dir: DataDir = None, log_level: LogLevel = None) -> None:
    """Fill the data folder with the data that comes with loregraph.

    Does nothing when it is there already; `serve` and `mcp` do this by themselves.
    """
    from api.commands.seed import seed as run

    _finish(run({"data_dir": data_dir, "log_level": log_level}))


@app.command(name="import")
def import_(
    room: Annotated[str, typer.Argument(help="The source that takes the records, such as events.")],
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Files to read, or folders of them.", metavar="PATH...", show_default=False),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read and check everything; write no record.")
    ] = False,
    rejects: Annotated[
        Path | None,
        typer.Option(
            "--rejects",
            help="Write what was not taken to this file, a JSON object a line with the reasons.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of one record, and read nothing.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
    data_dir: DataDir = None,
    log_level: LogLevel = None,
) -> None:
    """Import files into a source.

    Importing the same files again changes nothing. Ends with code 1 when something was rejected; the rest is
    imported all the same. A server may go on running beside it.
    """
    from api.commands import importing

    if schema:
        _finish(importing.print_schema(room))
        return
    options = {"data_dir": data_dir, "log_level": log_level}
    _finish(
        importing.import_files(room, paths or [], options, dry_run=dry_run, rejects=rejects, as_json=json)
    )


@sample.command(name="remove")
def sample_remove(
    room: Annotated[str, typer.Argument(help="The source whose sample goes, such as events.")],
    data_dir: DataDir = None,
    log_level: LogLevel = None,
) -> None:
    """Remove the sample records that came with loregraph, for good. Imported records stay."""
    from api.commands.sample import remove

    _finish(remove(room, {"data_dir": data_dir, "log_level": log_level}))


@app.command()
def sync(
    mirror: Annotated[
        str, typer.Argument(help="What to mirror: open5e.", metavar="MIRROR", show_default=False)
    ],
    documents: Annotated[
        str | None,
        typer.Option(
            "--documents",
            help="Mirror these documents alone, separated by commas, such as srd-2024,tob.",
            metavar="KEYS",
            show_default=False,
        ),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove the mirror: only what comes with loregraph is held then.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    data_dir: DataDir = None,
    log_level: LogLevel = None,
) -> None:
    """Mirror an upstream whole, so that it answers offline and with every filter.

    A run that was stopped is gone on with by the next. Readers see the old records or the new, never both. Ends
    with code 0 when all is mirrored, 1 when records were turned away, 2 when nothing was replaced.
    """
    from api.commands.sync import sync as run

    options = {"data_dir": data_dir, "log_level": log_level}
    _finish(run(options, mirror, documents=documents, remove=remove, as_json=json))


@app.command()
def schema(output: Output = None, check: Check = None) -> None:
    """Print the GraphQL schema."""
    from api.commands.prints import schema as run

    _finish(run(output, check))


@app.command()
def tools(output: Output = None, check: Check = None) -> None:
    """Print the MCP tools, as JSON."""
    from api.commands.prints import tools as run

    _finish(run(output, check))


@app.command()
def doctor(
    data_dir: DataDir = None,
    host: Host = None,
    port: Port = None,
    json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
    probe: Annotated[
        bool,
        typer.Option("--probe", help="Also try on each upstream what is declared of it; some 100 requests."),
    ] = False,
) -> None:
    """Look at the settings, the data and every source, and say what to do.

    Changes nothing. Ends with code 0 when all is well, 1 when something needs care, 2 when loregraph could
    not start.
    """
    from api.commands.doctor import doctor as run

    _finish(run({"data_dir": data_dir, "host": host, "port": port}, as_json=json, probe=probe))


def _finish(code: int) -> None:
    if code:
        raise typer.Exit(code)


def main() -> None:
    """Runs the command line. What a person can mend is said in a sentence, without a traceback."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader has gone (`loregraph schema | head`); Python would complain again while it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        from sources.errors import LoregraphError

        if not isinstance(error, LoregraphError):
            raise
        for line in error.message.splitlines():
            typer.echo(f"loregraph: {line}", err=True)
        sys.exit(UNUSABLE)
