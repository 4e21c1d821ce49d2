"""Doors to events that a test makes up: an empty events room on each database, and ways to fill and to ask it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import mcp
import pytest
import sqlalchemy as sa

from api.execution import Executor, Operation
from api.mcp_tools.server import McpDoor
from resolvers.scope import Scope
from schema.query import ROOMS, build_schema
from sources.data_version import make_data_versions, move_data_version
from sources.database import Database
from sources.events import SOURCE
from sources.events.format import EventInput
from sources.events.store import EventsShelf
from sources.events.writing import remove_events, upsert
from sources.importing import ImportOptions, ImportOutcome
from sources.migrations import upgrade
from sources.seeding import seed_sources

SCHEMA = build_schema()


def event(key: str, **more: Any) -> dict[str, Any]:
    """An event of the import format that may be published, with what a test says of it."""
    return {
        "id": key,
        "timestamp": "2024-01-01T00:00:00Z",
        "title": key.replace("-", " ").capitalize(),
        "summary": "",
        "magnitude": 5.0,
        "category": "other",
        "confidence": {"score": 0.9},
        "sources": [{"id": f"{key}-source", "type": "news_media"}],
        **more,
    }


@dataclass
class EventsDoor:
    """An events room on one database, asked through the executor that both doors use."""

    database: Database
    target: str
    shelf: EventsShelf
    local: bool = True

    def __post_init__(self) -> None:
        self._executor = Executor(SCHEMA, scope=lambda: self.scope)

    @cached_property
    def _mcp(self) -> McpDoor:
        return McpDoor(SCHEMA, self._executor, rooms=ROOMS)

    @property
    def scope(self) -> Scope:
        """What the operations of one caller work with."""
        return Scope(shelves={"events": self.shelf}, unopened={}, local=self.local)

    def fill(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Replaces everything that is held by these events."""
        with self.database.writing() as session:
            connection = session.connection()
            if remove_events(connection, sa.true()):
                move_data_version(connection, "events")
            upsert(connection, [EventInput.model_validate(one) for one in events])

    def imported(self, *paths: Path, **options: Any) -> ImportOutcome:
        """Runs the importer over files."""
        return SOURCE.importer.run(
            self.database, None, paths, ImportOptions(**options), lambda what, done, total: None
        )

    async def ask(self, text: str, /, **variables: Any) -> dict[str, Any]:
        """The whole answer of a GraphQL operation, errors included."""
        return (await self._executor.execute(Operation(text, variables=variables))).formatted()

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """The result of an MCP tool."""
        async with mcp.Client(self._mcp.server) as client:
            return await client.call_tool(tool, dict(arguments))


@asynccontextmanager
async def _opened(target: str) -> AsyncIterator[EventsDoor]:
    upgrade(target, ["events"])
    database = await Database.open(target)
    try:
        with database.writing() as session:
            make_data_versions(session.connection())
        shelf = EventsShelf(database, title=SOURCE.title, description=SOURCE.description)
        yield EventsDoor(database, target, shelf)
    finally:
        await database.close()


@pytest.fixture
async def events_door(database_target: str) -> AsyncIterator[EventsDoor]:
    """An empty events room; the test runs once on each database."""
    async with _opened(database_target) as door:
        yield door


def seeded(door: EventsDoor) -> bool:
    """Seeds the embedded sample; whether anything was written."""
    settings = SOURCE.settings_type()
    done = seed_sources(door.target, door.database, [(SOURCE, settings)], lambda what, done, total: None)
    return done["events"]


@pytest.fixture
async def sqlite_events_door(sqlite_target: str) -> AsyncIterator[EventsDoor]:
    """An empty events room on SQLite, for what no database has a part in."""
    async with _opened(sqlite_target) as door:
        yield door
