"""The library's three category questions beside hand-written SQL: `python -m bench.library --help`.

20,000 documents, 200 categories in a tree and 100,000 concepts are made, imported through the room's own importer,
and asked in one process on SQLite. Each question runs in rounds that alternate between the GraphQL executor and
two statements that a person would write for the driver itself: one that reads the statistics which the room keeps,
and one that counts the links anew, as it must be done without them. The results are ratios of the same moment.
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

QUESTIONS: dict[str, tuple[str, tuple[str, tuple[Any, ...]], tuple[str, tuple[Any, ...]]]] = {
    "documents of the largest category": (
        f'{{ categoryDocuments(category: "{LARGEST}", includeChildren: true)'
        " { nodes { key title year } } }",
        (
            "SELECT key, title, year FROM library_document WHERE key IN (SELECT document_key FROM"
            " library_document_scope WHERE category_key = ?) ORDER BY title_folded, key LIMIT 21",
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
"""By name: the operation, the statement over what is kept, and the statement that counts."""


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
    print(f"{'question':36}{'ms':>8}{'kept ms':>9}{'counted ms':>12}{'to kept':>9}{'to counted':>12}")
    for name, (query, kept, counted) in QUESTIONS.items():
        times = await _rounds(executor, by_hand, query, kept, counted, arguments.rounds)
        own, read, reckoned = (statistics.median(column) for column in zip(*times, strict=True))
        to_kept = statistics.median(a / b for a, b, _ in times)
        to_counted = statistics.median(a / c for a, _, c in times)
        print(
            f"{name:36}{own * 1e3:8.2f}{read * 1e3:9.2f}{reckoned * 1e3:12.2f}{to_kept:9.2f}{to_counted:12.3f}"
        )
    by_hand.close()
    await database.close()


async def _rounds(
    executor: Executor, by_hand: sqlite3.Connection, query: str, kept: Any, counted: Any, rounds: int
) -> list[tuple[float, float, float]]:
    """Seconds of each way, round by round, after checking that all three find the same."""

    async def ask() -> Any:
        return (await executor.execute(Operation(query))).formatted()["data"]

    async def run(statement: tuple[str, tuple[Any, ...]]) -> Any:
        return by_hand.execute(*statement).fetchall()

    ((page,),) = [list((await ask()).values())]
    keys = [node["key"] for node in page["nodes"]]
    for statement in (kept, counted):
        found = [row[0] for row in await run(statement)][: len(keys)]
        assert found == keys, "the statements answer another question"
    return [
        (await _timed(ask), await _timed(lambda: run(kept)), await _timed(lambda: run(counted)))
        for _ in range(rounds)
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
