"""How fast the events room answers over many events, as ratios to hand-written SQL through the same driver.

    python -m bench.events                 a million generated events; takes long
    python -m bench.events --rows 50000

It imports the events with `loregraph import` (rate and peak memory are printed), imports them again (nothing may
change), and then asks each question in turns: through the room's resolvers, and as a statement that somebody wrote by
hand for this one question, on a connection of the same driver to the same file. The ratio is what counts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from api.opening import open_house
from api.settings import load_settings
from bench.events_data import FREQUENT, MIDDLE, RARE, write_generated
from resolvers.events import queries
from resolvers.events.queries import order_by
from resolvers.events.statistics import EventStatistics, event_statistics
from resolvers.question import PageRequest, Question, Wanted
from resolvers.scope import Scope
from sources.criteria import All, Criteria, Op, Predicate
from sources.events.store import EventsShelf

COLUMNS = (
    "category",
    "confidence",
    "key",
    "latitude",
    "longitude",
    "magnitude",
    "number",
    "status",
    "summary",
    "timestamp",
    "title",
)
_SELECT = f"SELECT {', '.join(f'e.{name}' for name in COLUMNS)} FROM events_event AS e"
PAGE = 20
FAR = 2_000
PUBLISHED = Predicate("status", Op.IN, ("published",))
NEWEST = order_by("timestamp", descending=True)
_WANTED = Wanted(columns=COLUMNS, cursors=True, only_ends=True, has_next=True)


@dataclass(slots=True)
class Case:
    """One question, asked in both ways, and the seconds that each round took."""

    name: str
    ours: Callable[[], Awaitable[int]]
    by_hand: Callable[[], int]
    ours_took: list[float] = field(default_factory=list)
    by_hand_took: list[float] = field(default_factory=list)


def run_import(data_dir: Path, file: Path) -> tuple[dict[str, Any], float]:
    """The outcome of `loregraph import`, and how many seconds it took."""
    started = time.perf_counter()
    result = subprocess.run(
        [sys.executable, "-m", "api", "import", "events", str(file), "--json"],
        env={**os.environ, "LOREGRAPH_DATA_DIR": str(data_dir), "LOREGRAPH_LOG_LEVEL": "warning"},
        stdout=subprocess.PIPE,
        check=True,
    )
    outcome: dict[str, Any] = json.loads(result.stdout)
    return outcome, time.perf_counter() - started


def measure_import(data_dir: Path, rows: int) -> None:
    """Imports generated events twice, and prints what it took."""
    file = data_dir / "events.jsonl"
    write_generated(file, rows)
    for name, expected in (("import", {"added": rows}), ("again", {"unchanged": rows})):
        outcome, seconds = run_import(data_dir, file)
        counts = {key: count for key, count in outcome["counts"].items() if count}
        if counts != expected or outcome["rejected"]:
            raise RuntimeError(f"{name}: {outcome}")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{name}: {rows} events in {seconds:.0f} s, {rows / seconds:.0f}/s, peak memory {peak:.0f} MiB")
    size = (data_dir / "loregraph.db").stat().st_size
    print(f"file: {file.stat().st_size / 1e6:.0f} MB, database: {size / 1e6:.0f} MB")
    file.unlink()


async def measure(data_dir: Path, rounds: int) -> list[Case]:
    """Asks every question in turns."""
    settings = load_settings({"data_dir": data_dir}, env_file=None)
    connection = sqlite3.connect(data_dir / "loregraph.db")
    connection.execute("PRAGMA mmap_size = 268435456")
    try:
        async with open_house(settings) as house:
            cases = [case async for case in _cases(house.scope, connection)]
            for number in range(rounds):
                for case in cases:
                    await _round(case, house.scope, ours_first=number % 2 == 0)
    finally:
        connection.close()
    return cases


LONG_SECONDS = 0.02
REPEATS = 20
"""How often a quick question is asked in each round, its time being that of all of them divided."""


async def _round(case: Case, scope: Scope, *, ours_first: bool) -> None:
    """Asks once unmeasured in both ways, so that neither pays for what the question before left cold."""
    shelf = scope.shelf("events", EventsShelf)

    async def ours() -> int:
        shelf.forget()
        return await case.ours()

    started = time.perf_counter()
    asked = await ours()
    repeats = 1 if time.perf_counter() - started > LONG_SECONDS else REPEATS
    by_hand = case.by_hand()
    if asked != by_hand:
        raise RuntimeError(f"{case.name}: {asked} is not {by_hand}")
    for measure_ours in (ours_first, not ours_first):
        started = time.perf_counter()
        for _ in range(repeats):
            if measure_ours:
                await ours()
            else:
                case.by_hand()
        took = (time.perf_counter() - started) / repeats
        (case.ours_took if measure_ours else case.by_hand_took).append(took)


async def _cases(scope: Scope, connection: sqlite3.Connection) -> Any:
    def fetched(sql: str, *params: Any) -> Callable[[], int]:
        return lambda: len(connection.execute(sql, params).fetchall())

    def listed(
        criteria: Criteria, after: str | None = None, wanted: Wanted = _WANTED
    ) -> Callable[[], Awaitable[int]]:
        async def ask() -> int:
            page = PageRequest(first=PAGE, after=after)
            answer = await queries.find_events(scope, Question(wanted, criteria, NEWEST, page), None)
            return len(answer.nodes)

        return ask

    two = All((PUBLISHED, Predicate("category", Op.IN, ("cyber",)), Predicate("magnitude", Op.AT_LEAST, 5.0)))
    by_time = f"ORDER BY e.timestamp DESC, e.key DESC LIMIT {PAGE}"
    yield Case(
        # The plus sign keeps SQLite from sorting what the index on magnitude finds: a far better statement.
        "list, two filters",
        listed(two),
        fetched(
            f"{_SELECT} WHERE e.status = ? AND e.category = ? AND +e.magnitude >= ? {by_time}",
            "published",
            "cyber",
            5.0,
        ),
    )
    everything = All((PUBLISHED,))
    position = connection.execute(
        "SELECT timestamp, key FROM events_event WHERE status = 'published' ORDER BY timestamp DESC, key DESC"
        f" LIMIT 1 OFFSET min({FAR * PAGE}, (SELECT count(*) FROM events_event WHERE status = 'published') / 2)"
    ).fetchone()
    after = _cursor(scope, everything, position)
    yield Case(
        f"page {FAR}, by cursor",
        listed(everything, after),
        fetched(
            f"{_SELECT} WHERE e.status = ? AND (e.timestamp, e.key) < (?, ?) {by_time}",
            "published",
            *position,
        ),
    )
    for word in (RARE, MIDDLE, FREQUENT):
        criteria = All((PUBLISHED, Predicate("text", Op.SEARCH, word)))
        yield Case(
            f"full text, {word}",
            listed(criteria),
            fetched(
                # CROSS: without it SQLite walks all events in the order of time.
                f"{_SELECT.replace('FROM', 'FROM events_event_fts AS f CROSS JOIN')}"
                f" WHERE f.events_event_fts MATCH ? AND e.number = f.rowid AND +e.status = ? {by_time}",
                word,
                "published",
            ),
        )
    key = "generated-777"

    async def point() -> int:
        return len(await queries.get_event(scope, key, COLUMNS)) - len(COLUMNS)

    def point_by_hand() -> int:
        row = connection.execute(f"{_SELECT} WHERE e.key = ?", (key,)).fetchone()
        return len(row) - len(COLUMNS)

    yield Case("point read", point, point_by_hand)

    count = Wanted((), records=False, total_count=True)

    async def counted() -> int:
        answer = await queries.find_events(scope, Question(count, two, NEWEST, PageRequest()), None)
        return answer.total_count or 0

    yield Case(
        "count, two filters",
        counted,
        lambda: connection.execute(
            "SELECT count(*) FROM events_event WHERE status = ? AND category = ? AND magnitude >= ?",
            ("published", "cyber", 5.0),
        ).fetchone()[0],
    )
    parts = set(EventStatistics.__dataclass_fields__)
    for name, asked, where, params in (
        (
            "statistics, one category",
            All(two.parts[:2]),
            "e.status = ? AND e.category = ?",
            ("published", "cyber"),
        ),
        ("statistics, everything", everything, "e.status = ?", ("published",)),
    ):
        yield Case(name, _stats(scope, asked, parts), _stats_by_hand(connection, where, params))


def _cursor(scope: Scope, criteria: Criteria, position: tuple[int, str]) -> str:
    from resolvers import cursor

    print_ = cursor.fingerprint("event", criteria, NEWEST)
    return cursor.mint((*position, position[1]), print_)


def _stats(scope: Scope, criteria: Criteria, parts: set[str]) -> Callable[[], Awaitable[int]]:
    async def ask() -> int:
        return (await event_statistics(scope, criteria, parts, bucket="month", top=10)).total

    return ask


def _stats_by_hand(connection: sqlite3.Connection, where: str, params: tuple[str, ...]) -> Callable[[], int]:
    source = f"FROM events_event AS e WHERE {where}"
    statements = (
        f"SELECT category, count(*), avg(magnitude), avg(confidence) {source} GROUP BY category",
        f"SELECT status, count(*) {source} GROUP BY status",
        f"SELECT s.type, count(DISTINCT e.number) FROM events_event AS e JOIN events_source AS s"
        f" ON s.event = e.number WHERE {where} GROUP BY s.type",
        f"SELECT n.type, count(DISTINCT e.number) FROM events_event AS e JOIN events_entity AS n"
        f" ON n.event = e.number WHERE {where} GROUP BY n.type",
        f"SELECT t.folded, count(*) AS n FROM events_event AS e JOIN events_tag AS t"
        f" ON t.event = e.number WHERE {where} GROUP BY t.folded ORDER BY n DESC LIMIT 10",
        f"SELECT n.id, min(n.name), count(*) AS n FROM events_event AS e JOIN events_entity AS n"
        f" ON n.event = e.number WHERE {where} GROUP BY n.id ORDER BY n DESC LIMIT 10",
        "SELECT strftime('%Y-%m', e.timestamp / 1000000, 'unixepoch') AS month, count(*), avg(magnitude),"
        f" avg(confidence) {source} GROUP BY month",
    )

    def ask() -> int:
        results = [connection.execute(statement, params).fetchall() for statement in statements]
        return sum(row[1] for row in results[0])

    return ask


def table(cases: list[Case]) -> str:
    """The medians, in milliseconds, and their ratios."""
    lines = [f"{'question':<28}{'loregraph ms':>14}{'by hand ms':>14}{'ratio':>8}{'lowest':>8}{'highest':>8}"]
    for case in cases:
        ours, by_hand = statistics.median(case.ours_took), statistics.median(case.by_hand_took)
        ratios = [a / b for a, b in zip(case.ours_took, case.by_hand_took, strict=True)]
        lines.append(
            f"{case.name:<28}{ours * 1e3:>14.3f}{by_hand * 1e3:>14.3f}{ours / by_hand:>8.2f}"
            f"{min(ratios):>8.2f}{max(ratios):>8.2f}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000, help="how many events (default 1,000,000)")
    parser.add_argument("--rounds", type=int, default=15, help="rounds, each of all questions (default 15)")
    parser.add_argument(
        "--keep", type=Path, help="folder to keep the data in; one that holds it is used again"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="loregraph-bench-") as made:
        data_dir = arguments.keep or Path(made)
        data_dir.mkdir(parents=True, exist_ok=True)
        if not (data_dir / "loregraph.db").exists():
            measure_import(data_dir, arguments.rows)
        print(table(asyncio.run(measure(data_dir, arguments.rounds))))


if __name__ == "__main__":
    main()
