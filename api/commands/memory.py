"""`loregraph memory …`: the databases of the room that keeps some, and `loregraph index`: their vectors."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import anyio
import typer
from rich.console import Console
from rich.table import Table

from api.commands.starting import Options, prepare_and_show, progress, read_and_log
from api.environment import ENV_FILE, read_settings
from api.opening import all_sources, open_house
from api.settings import Settings
from sources.database import Database
from sources.embedder_settings import EmbedderKind, EmbedderSettings
from sources.embedders import MINILM, Embedders, EmbedderSpec, standard_spec
from sources.errors import BadInput
from sources.http import Http
from sources.http_settings import HttpSettings
from sources.registry import Changes, KeptDatabase, Location, Registry

ResultT = TypeVar("ResultT")
FAILED = 1


def create(options: Options, name: str, description: str, embedder: EmbedderSpec, *, public: bool) -> int:
    """Makes an empty database; returns the exit code. Raises LoregraphError."""

    async def run(registry: Registry, database: Database) -> None:
        await registry.create(database, name, description, embedder, public=public)

    _with_registry(options, run)
    typer.echo(f"{name}: created. `loregraph import memory {name} FILE` fills it.")
    return 0


def attach(
    options: Options,
    name: str,
    description: str,
    embedder: EmbedderSpec,
    location: Location,
    *,
    public: bool,
) -> int:
    """Makes an existing collection of Chroma known; returns the exit code. Raises LoregraphError."""

    async def run(registry: Registry, database: Database) -> int:
        async with _embedders() as embedders:
            return await registry.attach(
                database, name, description, embedder, location, embedders, public=public
            )

    count = _with_registry(options, run)
    typer.echo(f"{name}: attached, {count:,} entries in `{location.collection}` of {location.where}.")
    return 0


def list_all(options: Options) -> int:
    """Prints all databases; returns the exit code. Raises LoregraphError."""

    async def run(registry: Registry, database: Database) -> list[KeptDatabase]:
        return list(await registry.all(database))

    found = _with_registry(options, run)
    table = Table(box=None, pad_edge=False, header_style="")
    for title in ("name", "entries", "active", "embedder", "description"):
        table.add_column(title, justify="right" if title == "entries" else "left", overflow="fold")
    for kept in found:
        table.add_row(
            kept.name,
            "external" if kept.entries is None else f"{kept.entries:,}",
            "yes" if kept.active else "no",
            f"{kept.embedder.kind.value} {kept.embedder.model}",
            kept.description,
        )
    Console(highlight=False, markup=False, emoji=False).print(table)
    return 0


def change(options: Options, name: str, changes: Changes) -> int:
    """Changes what is said of a database, and prints it; returns the exit code. Raises LoregraphError."""

    async def run(registry: Registry, database: Database) -> KeptDatabase:
        return await registry.change(database, name, changes)

    kept = _with_registry(options, run)
    where = (
        "in the data folder"
        if kept.location is None
        else f"{kept.location.collection} of {kept.location.where}"
    )
    lines = {
        "name": kept.name,
        "description": kept.description or "(none)",
        "entries": "not counted" if kept.entries is None else f"{kept.entries:,}",
        "where": where,
        "embedder": f"{kept.embedder.kind.value} {kept.embedder.model}, {kept.embedder.dimension} dimensions",
        "active": "yes" if kept.active else "no",
        "public": "yes" if kept.public else "no",
    }
    for title, text in lines.items():
        typer.echo(f"{title + ':':<13}{text}")
    return 0


def drop(options: Options, name: str, *, sure: bool) -> int:
    """Removes a database; returns the exit code. Raises LoregraphError."""

    async def run(registry: Registry, database: Database) -> int:
        return await registry.drop(database, name)

    if not sure and not (
        sys.stdin.isatty() and typer.confirm(f"Remove the database `{name}` with all its entries?")
    ):
        typer.echo("Nothing was removed: `--yes` says that you are sure.", err=True)
        return FAILED
    removed = _with_registry(options, run)
    typer.echo(f"{name}: dropped, {removed:,} entries removed.")
    return 0


def index(options: Options) -> int:
    """Makes the vectors of whatever has none yet; returns the exit code. Raises LoregraphError."""
    settings = read_and_log(options)
    prepare_and_show(settings)
    return anyio.run(_index, settings)


async def _index(settings: Settings) -> int:
    async with open_house(settings) as house:
        with progress("indexing", steps=10) as report:
            built = await house.index(report)
    typer.echo(f"{built.embedded:,} texts indexed, {built.removed:,} removed.")
    for collection, reason in built.failed.items():
        typer.echo(f"{collection}: not indexed. {reason}", err=True)
    return FAILED if built.failed else 0


def embedder_of(kind: str | None, model: str | None, dimension: int | None) -> EmbedderSpec:
    """The embedder that the options of a command ask for; the one that is set up where they say nothing.

    Raises BadInput for a model or dimension that the embedder does not have, and WrongSettings.
    """
    settings = read_settings(EmbedderSettings, None, ENV_FILE)
    kinds = [str(one) for one in EmbedderKind]
    if kind is not None and kind not in kinds:
        raise BadInput.unknown("--embedder", kind, kinds)
    chosen = settings.kind if kind is None else EmbedderKind(kind)
    if chosen is EmbedderKind.MINILM:
        for given, name, only in (
            (model, "--model", MINILM.model),
            (dimension, "--dimension", MINILM.dimension),
        ):
            if given is not None and given != only:
                raise BadInput(f"can only be `{only}` with the embedder `minilm`.", argument=name)
        return MINILM
    standard = standard_spec(settings.model_copy(update={"kind": chosen}))
    if dimension is not None and not 1 <= dimension <= 65_536:
        raise BadInput.out_of_range("--dimension", dimension, 1, 65_536)
    return EmbedderSpec(chosen, model or standard.model, dimension or standard.dimension)


def location_of(url: str | None, path: str | None, collection: str) -> Location:
    """The place that the options of `attach` name. Raises BadInput unless it is one place."""
    if (url is None) == (path is None):
        raise BadInput(
            "or {related} says where the collection is: one of the two.",
            argument="--chroma-url",
            related="--path",
        )
    return Location(collection, url, None if path is None else str(Path(path).expanduser().absolute()))


def _registry() -> Registry:
    (registry,) = [source.registry for source in all_sources() if source.registry is not None]
    return registry


def _with_registry(options: Options, work: Callable[[Registry, Database], Awaitable[ResultT]]) -> ResultT:
    settings = read_and_log(options)
    prepare_and_show(settings)

    async def run() -> ResultT:
        database = await Database.open(settings.database_target)
        try:
            return await work(_registry(), database)
        finally:
            await database.close()

    return anyio.run(run)


@asynccontextmanager
async def _embedders() -> AsyncIterator[Embedders]:
    http = Http(read_settings(HttpSettings, None, ENV_FILE))
    embedders = Embedders(read_settings(EmbedderSettings, None, ENV_FILE), http)
    try:
        yield embedders
    finally:
        await embedders.close()
        await http.close()
