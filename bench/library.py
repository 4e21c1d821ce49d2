"""The library's three category questions beside hand-written SQL: `python -m bench.library --help`.

20,000 documents, 200 categories in a tree and 100,000 concepts are made, imported through the room's own importer,
and asked in one process on SQLite. Each question runs in rounds that alternate between the GraphQL executor, the
room's resolver below it, and two statements that a person would write for the driver itself: one that reads the
statistics which the room keeps, and one that counts the links anew, as it must be done without them. The ratios
are the resolver's to each statement, of the same moment.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import orjson

from api.execution import Executor, Operation
from resolvers.library import queries
from resolvers.question import Answer, PageRequest, Question, Wanted
from resolvers.scope import Scope
from schema.query import build_schema
from sources import migrations
from sources.database import Database
from sources.importing import ImportOptions
from sources.library import SOURCE
from sources.library.settings import LibrarySettings
from sources.library.store import LibraryShelf
from sources.seeding import seed_sources

LARGEST = "c000"
"""The category that a quarter of all documents is in."""

_BELOW = """WITH RECURSIVE below (key) AS (SELECT ? UNION SELECT c.key FROM library_category c
  JOIN below b ON c.parent_key = b.key)"""


def _wanted(*columns: str) -> Wanted:
    return Wanted(tuple(sorted(columns)), has_next=True)


async def _documents(scope: Scope) -> Answer:
    asked = Question(_wanted("key", "title", "year"), order=queries.BY_TITLE, page=PageRequest(20))
    return await queries.find_category_documents(scope, asked, LARGEST, True, ())


async def _categories(scope: Scope) -> Answer:
    columns = _wanted("key", "name", "document_count", "chunk_count", "concept_count")
    asked = Question(columns, order=queries.BY_POPULARITY, page=PageRequest(50))
    return await queries.find_categories(scope, asked, None)


async def _concepts(scope: Scope) -> Answer:
    columns = _wanted("key", "name", "document_count")
    asked = Question(columns, order=queries.BY_DOCUMENTS, page=PageRequest(50))
    return await queries.find_category_concepts(scope, asked, LARGEST, True, ())


Sql = tuple[str, tuple[Any, ...]]
QUESTIONS: dict[str, tuple[str, Callable[[Scope], Awaitable[Answer]], Sql, Sql]] = {
    "documents of the largest category": (
        f'{{ categoryDocuments(category: "{LARGEST}", includeChildren: true)'
        " { nodes { key title year } } }",
        _documents,
        (
            "SELECT d.key, d.title, d.year FROM library_document_scope s JOIN library_document d"
            " ON d.key = s.document_key WHERE s.category_key = ? ORDER BY s.title_folded, s.document_key LIMIT 21",
            (LARGEST,),
        ),
        (
            f"{_BELOW} SELECT key, title, year FROM library_document WHERE key IN (SELECT document_key FROM"
            " library_document_category WHERE category_key IN (SELECT key FROM below))"
            " ORDER BY title_folded, key LIMIT 21",
            (LARGEST,),
        ),
    ),
    "categories with statistics": (
        "{ categories { nodes { key name statistics { documents chunks concepts } } } }",
        _categories,
        (
            "SELECT key, name, document_count, chunk_count, concept_count FROM library_category"
            " ORDER BY chunk_count DESC, document_count DESC, name_folded, key LIMIT 51",
            (),
        ),
        (
            "SELECT c.key, c.name, (SELECT count(*) FROM library_document_category l WHERE l.category_key = c.key)"
            " AS documents, (SELECT coalesce(sum(d.chunk_count), 0) FROM library_document_category l"
            " JOIN library_document d ON d.key = l.document_key WHERE l.category_key = c.key) AS chunks,"
            " (SELECT count(DISTINCT k.concept_key) FROM library_document_category l JOIN library_document_concept k"
            " ON k.document_key = l.document_key WHERE l.category_key = c.key) AS concepts"
            " FROM library_category c ORDER BY chunks DESC, documents DESC, c.name_folded, c.key LIMIT 51",
            (),
        ),
    ),
    "concepts of the largest category": (
        f'{{ categoryConcepts(category: "{LARGEST}", includeChildren: true)'
        " { nodes { key name documentCount } } }",
        _concepts,
        (
            "SELECT k.concept_key, c.name, k.subtree_documents FROM library_category_concept k JOIN library_concept c"
            " ON c.key = k.concept_key WHERE k.category_key = ?"
            " ORDER BY k.subtree_documents DESC, k.name_folded, k.concept_key LIMIT 51",
            (LARGEST,),
        ),
        (
            f"{_BELOW} SELECT c.key, c.name, count(*) AS documents FROM library_document_concept k"
            " JOIN library_concept c ON c.key = k.concept_key WHERE k.document_key IN"
            " (SELECT document_key FROM library_document_category WHERE category_key IN (SELECT key FROM below))"
            " GROUP BY c.key"
            " ORDER BY documents DESC, c.name_folded, c.key LIMIT 51",
            (LARGEST,),
        ),
    ),
}
"""By name: the operation, the resolver's call, the statement over what is kept, and the one that counts."""


def lines(documents: int, categories: int, concepts: int) -> Iterator[dict[str, Any]]:
    """A catalogue that is the same in every run."""
    chance = random.Random(20_000)  # noqa: S311 — nothing here is a secret
    for number in range(categories):
        line = {"kind": "category", "id": f"c{number:03}", "name": f"category {number}"}
        yield line | ({"parent": f"c{(number - 1) // 4:03}"} if number else {})
    for number in range(concepts):
        yield {"kind": "concept", "id": f"k{number}", "name": f"concept {number}"}
    for number in range(documents):
        places = {0} if chance.random() < 0.25 else {chance.randrange(categories)}
        spoken = {min(int(chance.paretovariate(0.6)), concepts - 1) for _ in range(4)}
        spoken |= {chance.randrange(concepts) for _ in range(8)}
        yield {
            "kind": "document",
            "id": f"d{number}",
            "title": f"{chance.choice('abcdefghij')} document {number}",
            "year": 1950 + number % 70,
            "categories": [f"c{place:03}" for place in places],
            "concepts": [{"concept": f"k{one}"} for one in sorted(spoken)],
            "chunks": [{"text": f"Text of document {number}."}] * (number % 3),
        }


async def measure(folder: Path, arguments: argparse.Namespace) -> None:
    """Imports, asks, and prints."""
    path, target = folder / "catalogue.jsonl", folder / "loregraph.db"
    with path.open("wb") as file:
        for line in lines(arguments.documents, arguments.categories, arguments.concepts):
            file.write(orjson.dumps(line) + b"\n")
    migrations.upgrade(target, ["library"])
    database = await Database.open(target)
    seed_sources(target, database, [], lambda *_: None)
    started = time.perf_counter()
    assert SOURCE.importer is not None
    outcome = SOURCE.importer.run(database, LibrarySettings(), [path], ImportOptions(), lambda *_: None)
    print(f"imported {outcome.counts['added']} records in {time.perf_counter() - started:.1f} s")
    shelf = LibraryShelf(database, title="", description="")
    executor = Executor(build_schema(), scope=lambda: Scope({"library": shelf}, {}))
    by_hand = sqlite3.connect(f"file:{target}?mode=ro", uri=True)
    print(
        f"{'question':36}{'GraphQL':>9}{'resolver':>10}{'kept':>8}{'counted':>10}   ratio to kept, to counted"
    )
    for name, (query, ask, kept, counted) in QUESTIONS.items():
        times = await _rounds(
            executor, Scope({"library": shelf}, {}), by_hand, query, ask, kept, counted, arguments
        )
        columns = "".join(
            f"{statistics.median(column) * 1e3:{width}.2f}"
            for column, width in zip(zip(*times, strict=True), (9, 10, 8, 10), strict=True)
        )
        to_kept = statistics.median(own / read for _, own, read, _ in times)
        to_counted = statistics.median(own / reckoned for _, own, _, reckoned in times)
        print(f"{name:36}{columns}   {to_kept:.2f}, {to_counted:.3f}")
    by_hand.close()
    await database.close()


async def _rounds(
    executor: Executor,
    scope: Scope,
    by_hand: sqlite3.Connection,
    query: str,
    ask: Callable[[Scope], Awaitable[Answer]],
    kept: Any,
    counted: Any,
    arguments: argparse.Namespace,
) -> list[tuple[float, float, float, float]]:
    """Seconds of each way, round by round, after checking that all find the same."""

    async def door() -> Any:
        return (await executor.execute(Operation(query))).formatted()["data"]

    async def room() -> Answer:
        return await ask(scope)

    async def run(statement: tuple[str, tuple[Any, ...]]) -> Any:
        return by_hand.execute(*statement).fetchall()

    (page,) = (await door()).values()
    keys = [node["key"] for node in page["nodes"]]
    assert [record.key for record in (await room()).nodes] == keys
    for statement in (kept, counted):
        found = [row[0] for row in await run(statement)][: len(keys)]
        assert found == keys, "the statements answer another question"
    return [
        (
            await _timed(door),
            await _timed(room),
            await _timed(lambda: run(kept)),
            await _timed(lambda: run(counted)),
        )
        for _ in range(arguments.rounds)
    ]


async def _timed(call: Callable[[], Awaitable[Any]]) -> float:
    started = time.perf_counter()
    await call()
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=30, help="rounds of each question (default 30)")
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--categories", type=int, default=200)
    parser.add_argument("--concepts", type=int, default=100_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="loregraph-bench-") as folder:
        asyncio.run(measure(Path(folder), arguments))


if __name__ == "__main__":
    main()
