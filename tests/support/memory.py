"""The memory room alone, on an empty database, with a toy embedder: quick to make, and free to be changed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio.to_thread
from graphql import GraphQLSchema

from api.execution import Executor, Operation
from api.mcp_tools.options import McpOptions
from api.mcp_tools.server import McpDoor
from resolvers.scope import Scope
from schema.query import ROOMS, build_schema
from sources.database import Database
from sources.embedder_settings import EmbedderKind
from sources.embedders import EmbedderSpec
from sources.importing import ImportOptions, ImportOutcome
from sources.indexing import Indexable, Indexer
from sources.memory import SOURCE
from sources.memory.store import MemoryShelf
from sources.migrations import upgrade
from sources.seeding import seed_sources
from sources.semantic import SemanticIndex
from sources.vector_access import VectorAccess
from sources.vector_settings import VectorSettings
from tests.support.toy_index import DIMENSION, ToyEmbedders

TOY = EmbedderSpec(EmbedderKind.MINILM, "toy", DIMENSION)


def no_report(what: str, done: int, total: int) -> None:
    """Nobody reads it."""


class MemoryHouse:
    """The room, opened, with all that a test may do to it."""

    def __init__(
        self, database: Database, folder: Path, schema: GraphQLSchema, settings: VectorSettings | None = None
    ) -> None:
        self.database = database
        self.folder = folder
        self.embedders = ToyEmbedders()
        self.access = VectorAccess(folder, settings or VectorSettings())
        semantic = SemanticIndex(database, self.access, self.embedders)
        self.shelf = MemoryShelf(database, semantic, title="Memory", description="Notes.")
        self.indexer = Indexer(database, self.access, self.embedders, self._indexables)
        self.scope = Scope(shelves={"memory": self.shelf}, unopened={}, local=True)
        self.executor = Executor(schema, scope=lambda: self.scope)
        self.schema = schema

    async def _indexables(self) -> Mapping[str, Sequence[Indexable]]:
        return {"memory": await self.shelf.indexables()}

    async def create(self, name: str, description: str = "Notes of a cook.", entries: Any = ()) -> None:
        """Makes a database, and fills it."""
        await SOURCE.registry.create(self.database, name, description, TOY, public=False)
        if entries:
            await self.load(name, entries)

    async def load(self, name: str, entries: Sequence[Mapping[str, Any]], **options: Any) -> ImportOutcome:
        """Imports entries from a file of JSON Lines."""
        file = self.folder / "entries.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
        return await self.load_file(name, file, **options)

    async def load_file(self, name: str, file: Path, **options: Any) -> ImportOutcome:
        """Imports a file."""
        return await anyio.to_thread.run_sync(
            lambda: SOURCE.importer.run(
                self.database, None, [Path(name), file], ImportOptions(**options), no_report
            )
        )

    async def ask(self, query: str, **variables: Any) -> dict[str, Any]:
        """Puts a GraphQL operation to the room."""
        return (await self.executor.execute(Operation(query, variables=variables))).formatted()

    def door(self) -> McpDoor:
        """The MCP door of this house."""
        return McpDoor(self.schema, self.executor, McpOptions(), ROOMS)

    async def close(self) -> None:
        """Closes what was opened."""
        await self.shelf.close()
        await self.access.close()


@asynccontextmanager
async def memory_house(
    database: Database, target: str, folder: Path, settings: VectorSettings | None = None
) -> AsyncIterator[MemoryHouse]:
    """The room on an empty database of its own."""
    await anyio.to_thread.run_sync(upgrade, target, ["memory"])
    await anyio.to_thread.run_sync(seed_sources, target, database, (), no_report)
    house = MemoryHouse(database, folder, build_schema(), settings)
    try:
        yield house
    finally:
        await house.close()


@asynccontextmanager
async def sqlite_house(folder: Path, settings: VectorSettings | None = None) -> AsyncIterator[MemoryHouse]:
    """The same, on a file in `folder`."""
    target = folder / "loregraph.db"
    await anyio.to_thread.run_sync(upgrade, target, ["memory"])
    database = await Database.open(target)
    try:
        async with memory_house(database, str(target), folder / "data", settings) as house:
            yield house
    finally:
        await database.close()
