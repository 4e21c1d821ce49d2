"""The commands `loregraph memory …`. What runs is imported by the command that runs it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from api.cli_options import DataDir, LogLevel, finish

memory = typer.Typer(no_args_is_help=True, help="The memory databases: what there is to recall from.")

DatabaseName = Annotated[str, typer.Argument(help="The database's name.", metavar="NAME")]
Description = Annotated[
    str,
    typer.Option("--description", help="What it holds: models choose databases by it.", metavar="TEXT"),
]
EmbedderOption = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        help="What makes its vectors: minilm, here and offline, or openai, any endpoint of that protocol. The one of"
        " LOREGRAPH_EMBEDDER_KIND when left out.",
        metavar="KIND",
        show_default=False,
    ),
]
Model = Annotated[
    str | None,
    typer.Option("--model", help="The model, of openai.", metavar="NAME", show_default=False),
]
Dimension = Annotated[
    int | None,
    typer.Option("--dimension", help="Of the model's vectors.", metavar="NUMBER", show_default=False),
]
Public = Annotated[bool, typer.Option("--public", help="Whoever reaches the server may ask it.")]


@memory.command(name="create")
def memory_create(
    name: DatabaseName,
    description: Description = "",
    embedder: EmbedderOption = None,
    model: Model = None,
    dimension: Dimension = None,
    public: Public = False,
    data_dir: DataDir = None,
    log_level: LogLevel = None,
) -> None:
    """Make an empty memory database, which is active at once. `loregraph import memory NAME FILE` fills it."""
    from api.commands import memory as run

    spec = run.embedder_of(embedder, model, dimension)
    finish(run.create({"data_dir": data_dir, "log_level": log_level}, name, description, spec, public=public))


@memory.command(name="attach")
def memory_attach(
    name: DatabaseName,
    collection: Annotated[
        str, typer.Option("--collection", help="The collection's name in Chroma.", metavar="NAME")
    ],
    chroma_url: Annotated[
        str | None,
        typer.Option(
            "--chroma-url", help="The Chroma server that has it.", metavar="URL", show_default=False
        ),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option(
            "--path",
            help="The folder of Chroma that has it; no other program may use it.",
            metavar="FOLDER",
            show_default=False,
        ),
    ] = None,
    description: Description = "",
    embedder: EmbedderOption = None,
    model: Model = None,
    dimension: Dimension = None,
    public: Public = False,
    data_dir: DataDir = None,
    log_level: LogLevel = None,
) -> None:
    """Make an existing collection of Chroma a memory database. It is read where it is, and never written."""
    from api.commands import memory as run

    spec = run.embedder_of(embedder, model, dimension)
    where = run.location_of(chroma_url, path, collection)
    options = {"data_dir": data_dir, "log_level": log_level}
    finish(run.attach(options, name, description, spec, where, public=public))


@memory.command(name="list")
def memory_list(data_dir: DataDir = None, log_level: LogLevel = None) -> None:
    """Show all memory databases."""
    from api.commands.memory import list_all as run

    finish(run({"data_dir": data_dir, "log_level": log_level}))


@memory.command(name="describe")
def memory_describe(
    name: DatabaseName,
    description: Annotated[
        str | None,
        typer.Option("--description", help="Describe it so from now on.", metavar="TEXT", show_default=False),
    ] = None,
    public: Annotated[
        bool | None,
        typer.Option(
            "--public/--private", help="Whether whoever reaches the server may ask it.", show_default=False
        ),
    ] = None,
    data_dir: DataDir = None,
    log_level: LogLevel = None,
) -> None:
    """Show a memory database, or change what is said of it. A running server goes by it at once."""
    _change(name, data_dir, log_level, description=description, public=public)


@memory.command(name="activate")
def memory_activate(name: DatabaseName, data_dir: DataDir = None, log_level: LogLevel = None) -> None:
    """Let a memory database be asked."""
    _change(name, data_dir, log_level, active=True)


@memory.command(name="deactivate")
def memory_deactivate(name: DatabaseName, data_dir: DataDir = None, log_level: LogLevel = None) -> None:
    """Keep a memory database, but answer nothing from it."""
    _change(name, data_dir, log_level, active=False)


def _change(name: str, data_dir: str | None, log_level: str | None, **changes: Any) -> None:
    from api.commands.memory import change as run
    from sources.registry import Changes

    finish(run({"data_dir": data_dir, "log_level": log_level}, name, Changes(**changes)))


@memory.command(name="drop")
def memory_drop(
    name: DatabaseName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data_dir: DataDir = None,
    log_level: LogLevel = None,
) -> None:
    """Remove a memory database with all its entries. An attached collection stays where it is."""
    from api.commands.memory import drop as run

    finish(run({"data_dir": data_dir, "log_level": log_level}, name, sure=yes))
