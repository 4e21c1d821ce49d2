"""Libraries for tests: an empty one, ways to fill it, and a plain-Python reckoning of its statistics."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pytest
import sqlalchemy as sa

from api.execution import Executor, Operation
from resolvers.scope import Scope
from schema.query import build_schema
from sources import migrations
from sources.database import Database
from sources.importing import ImportOptions, ImportOutcome
from sources.library import SOURCE
from sources.library.settings import LibrarySettings
from sources.library.store import LibraryShelf
from sources.seeding import seed_sources
from tests.support.seeded import Ask

Line = dict[str, Any]


@pytest.fixture
async def library(database_target: str) -> AsyncIterator[Database]:
    """A migrated database with nothing in it; the test runs once for each kind."""
    migrations.upgrade(database_target, ["library"])
    opened = await Database.open(database_target)
    seed_sources(database_target, opened, [], quiet)  # makes the house's own tables
    yield opened
    await opened.close()


@pytest.fixture
def ask_library(library: Database) -> Ask:
    """Puts GraphQL operations to `library`."""
    return asker(library)


def fill(target: str, *paths: Path) -> str:
    """Makes a library in an empty database and imports these files; returns the database's target."""

    async def run() -> None:
        migrations.upgrade(target, ["library"])
        database = await Database.open(target)
        seed_sources(target, database, [], quiet)
        outcome = run_import(database, *paths)
        await database.close()
        assert outcome.rejected == 0

    asyncio.run(run())
    return target


def asker(database: Database) -> Ask:
    """Puts GraphQL operations to the library in a database."""
    shelf = LibraryShelf(database, title=SOURCE.title, description=SOURCE.description)
    executor = Executor(build_schema(), scope=lambda: Scope({"library": shelf}, {}))

    async def run(query: str, **variables: Any) -> dict[str, Any]:
        return (await executor.execute(Operation(query, variables=variables))).formatted()

    return run


def quiet(_what: str, _done: int, _total: int) -> None:
    """A report that nobody reads."""


def write_catalogue(path: Path, lines: Iterable[Line | bytes]) -> Path:
    """A catalogue file of these lines."""
    raw = (line if isinstance(line, bytes) else orjson.dumps(line) for line in lines)
    path.write_bytes(b"\n".join(raw) + b"\n")
    return path


def run_import(
    database: Database,
    *paths: Path,
    dry_run: bool = False,
    rejects: Path | None = None,
    settings: LibrarySettings | None = None,
) -> ImportOutcome:
    """Imports files or folders as the command does."""
    assert SOURCE.importer is not None
    options = ImportOptions(dry_run=dry_run, rejects=rejects)
    given = settings or LibrarySettings()
    return SOURCE.importer.run(database, given, paths, options, quiet)


def category(key: str, parent: str | None = None, **more: Any) -> Line:
    """The line of a category."""
    line = {"kind": "category", "id": key, "name": key, **more}
    return line if parent is None else {**line, "parent": parent}


def concept(key: str, **more: Any) -> Line:
    """The line of a concept."""
    return {"kind": "concept", "id": key, "name": key, **more}


def document(key: str, categories: Sequence[str] = (), concepts: Sequence[str] = (), **more: Any) -> Line:
    """The line of a document."""
    return {
        "kind": "document",
        "id": key,
        "title": key,
        "categories": list(categories),
        "concepts": [{"concept": one} for one in concepts],
        **more,
    }


@dataclass
class Model:
    """What a library holds, in the plainest way, and its statistics by counting."""

    parents: dict[str, str | None] = field(default_factory=dict)
    documents: dict[str, Line] = field(default_factory=dict)

    def take(self, lines: Iterable[Line]) -> None:
        """What an import of these lines does."""
        for line in lines:
            if line["kind"] == "category":
                self.parents[line["id"]] = line.get("parent")
            elif line["kind"] == "document":
                self.documents[line["id"]] = line

    def subtree(self, key: str) -> set[str]:
        """A category and all below it."""
        below = {key}
        while more := {one for one, parent in self.parents.items() if parent in below} - below:
            below |= more
        return below

    def within(self, key: str, include_children: bool) -> list[Line]:
        """The documents of a category."""
        wanted = self.subtree(key) if include_children else {key}
        return [line for line in self.documents.values() if wanted & set(line["categories"])]

    def statistics(self, key: str, include_children: bool) -> tuple[int, int, int]:
        """Documents, chunks and concepts."""
        lines = self.within(key, include_children)
        chunks = sum(len(line.get("chunks", ())) for line in lines)
        return len(lines), chunks, len(self.concepts(key, include_children))

    def concepts(self, key: str, include_children: bool) -> dict[str, int]:
        """The concepts of a category with the number of its documents that speak of each."""
        counts: dict[str, int] = {}
        for line in self.within(key, include_children):
            for one in concepts_of(line):
                counts[one] = counts.get(one, 0) + 1
        return counts


def concepts_of(line: Line) -> set[str]:
    """The concepts of a document, those of its chunks included."""
    named = {mention["concept"] for mention in line["concepts"]}
    return named.union(*(chunk.get("concepts", ()) for chunk in line.get("chunks", ())))


def rows(database: Database, query: sa.Select[Any]) -> list[tuple[Any, ...]]:
    """The rows of a query, as they are committed."""
    with database.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(query)]


def counts(outcome: ImportOutcome) -> Mapping[str, int]:
    """What happened, without what did not."""
    return {what: number for what, number in outcome.counts.items() if number}
