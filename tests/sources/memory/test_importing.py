"""`loregraph import memory`: only what changed is written, what is wrong is told, and nothing told is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
import sqlalchemy as sa

from sources.database import Database
from sources.errors import BadInput
from sources.memory import SOURCE
from sources.memory.tables import DATABASE, ENTRY, ENTRY_TEXT, PAIR
from sources.registry import Changes
from sources.text_index_tables import fts_table
from tests.support.commands import ROOT, environment
from tests.support.memory import TOY, MemoryHouse, memory_house, no_report, sqlite_house

ENTRY_A: dict[str, Any] = {
    "id": "a",
    "content": "one",
    "metadata": {"k": ["x", "y"]},
    "timestamp": "2024-01-01",
}


@pytest.fixture
async def house(database: Database, database_target: str, tmp_path: Path) -> AsyncIterator[MemoryHouse]:
    async with memory_house(database, database_target, tmp_path / "data") as opened:
        await opened.create("notes")
        yield opened


def rows(house: MemoryHouse, statement: Any) -> list[tuple[Any, ...]]:
    with house.database.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(statement)]


async def test_only_what_changed_is_written(house: MemoryHouse) -> None:
    entries: list[dict[str, Any]] = [ENTRY_A, {"id": "b", "content": "two"}]
    assert (await house.load("notes", entries)).counts == {"added": 2, "changed": 0, "unchanged": 0}
    revision = sa.select(DATABASE.c.entries, DATABASE.c.revision)
    assert rows(house, revision) == [(2, 1)]
    assert (await house.load("notes", entries)).counts == {"added": 0, "changed": 0, "unchanged": 2}
    assert rows(house, revision) == [(2, 1)]
    changed = [
        ENTRY_A | {"metadata": {"k": ["y"]}},
        {"id": "b", "delete": True},
        {"id": "c", "content": "three"},
    ]
    outcome = await house.load("notes", changed)
    assert outcome.counts == {"added": 1, "changed": 1, "unchanged": 0, "removed": 1}
    assert rows(house, revision) == [(2, 2)]
    assert rows(house, sa.select(ENTRY.c.key).order_by(ENTRY.c.key)) == [("notes/a",), ("notes/c",)]
    assert rows(house, sa.select(PAIR.c.pair)) == [("k=y",)]


async def test_the_last_line_of_an_id_counts(house: MemoryHouse) -> None:
    lines: list[dict[str, object]] = [
        {"id": "a", "content": "first"},
        {"id": "a", "content": "second"},
        {"id": "b", "content": "gone"},
        {"id": "b", "delete": True},
        {"id": "c", "delete": True},
        {"id": "c", "content": "back"},
    ]
    await house.load("notes", lines)
    found = rows(house, sa.select(ENTRY.c.entry_id, ENTRY.c.content).order_by(ENTRY.c.key))
    assert found == [("a", "second"), ("c", "back")]


async def test_what_is_wrong_is_told_and_the_rest_is_taken(house: MemoryHouse, tmp_path: Path) -> None:
    file = tmp_path / "mixed.jsonl"
    wrong = [
        ('{"id": "", "content": "x"}', "id"),
        ('{"id": "x"}', "content"),
        ('{"id": "x", "content": "  "}', "content"),
        ('{"id": "x", "content": "y", "timestamp": "yesterday"}', "timestamp"),
        ('{"id": "x", "content": "y", "metadata": []}', "metadata"),
        ('{"id": "x", "content": "y", "metdata": {}}', "metdata"),
        ('{"id": " x", "content": "y"}', "id"),
        (json.dumps({"id": "x", "content": "y", "metadata": {"k": "z" * 70_000}}), "metadata"),
        ("not json", "Invalid JSON"),
        ("[]", "object"),
        ('{"id": "x", "content": "\xff"}', "Invalid"),
    ]
    lines = [line.encode("latin-1") for line, _ in wrong]
    file.write_bytes(b"\xef\xbb\xbf" + b"\n\n".join([*lines, '{"id": "ok", "content": "née"}'.encode()]))
    rejects = tmp_path / "rejects.jsonl"
    outcome = await house.load_file("notes", file, rejects=rejects)
    assert outcome.rejected == len(wrong)
    assert outcome.counts["added"] == 1
    told = [json.loads(line) for line in rejects.read_text(encoding="utf-8").splitlines()]
    assert [one["line"] for one in told] == [1 + 2 * place for place in range(len(wrong))]
    for one, (line, about) in zip(told, wrong, strict=True):
        assert about in " ".join(one["reasons"]), line
    assert rows(house, sa.select(ENTRY.c.content)) == [("née",)]


async def test_a_dry_run_counts_and_writes_nothing(house: MemoryHouse) -> None:
    outcome = await house.load("notes", [ENTRY_A], dry_run=True)
    assert outcome.counts == {"added": 1, "changed": 0, "unchanged": 0}
    assert rows(house, sa.select(ENTRY.c.key)) == []


async def test_dropping_leaves_nothing_of_it(house: MemoryHouse) -> None:
    await house.create("other", entries=[ENTRY_A])
    await house.load("notes", [ENTRY_A])
    assert await SOURCE.registry.drop(house.database, "notes") == 1
    assert rows(house, sa.select(ENTRY.c.key)) == [("other/a",)]
    assert rows(house, sa.select(PAIR.c.entry).distinct()) == [("other/a",)]
    table = sa.table(ENTRY_TEXT, sa.column("key", sa.Text))
    assert rows(house, sa.select(table.c.key)) == [("other/a",)]
    if house.database.dialect == "sqlite":
        assert rows(house, sa.select(sa.func.count()).select_from(sa.table(fts_table(ENTRY_TEXT)))) == [(1,)]


async def test_only_a_database_of_ones_own_is_imported_into(tmp_path: Path) -> None:
    async with sqlite_house(tmp_path) as house:
        await house.create("notes")
        with pytest.raises(BadInput, match=r"there is none `note`.*memory create note.*Did you mean `notes`"):
            await house.load("note", [ENTRY_A])
        with pytest.raises(BadInput, match="names no file"):
            await anyio.to_thread.run_sync(
                lambda: SOURCE.importer.run(house.database, None, [Path("notes")], _options(), no_report)
            )


def _options() -> Any:
    from sources.importing import ImportOptions

    return ImportOptions()


async def test_the_registry_refuses_what_cannot_be(tmp_path: Path) -> None:
    async with sqlite_house(tmp_path) as house:
        registry = SOURCE.registry
        await house.create("notes")
        with pytest.raises(BadInput, match="is taken"):
            await house.create("notes")
        for name in ("", "a/b", "-a", "a" * 65, "größe", "a b"):
            with pytest.raises(BadInput, match="1 to 64"):
                await house.create(name)
        with pytest.raises(BadInput, match="Did you mean `notes`"):
            await registry.change(house.database, "note", Changes())
        with pytest.raises(BadInput, match="printable text"):
            await registry.create(house.database, "x", "bell\x07", TOY, public=False)
        kept = await registry.change(
            house.database, "notes", Changes(description=" Two\n lines ", active=False, public=True)
        )
        assert (kept.description, kept.active, kept.public) == ("Two lines", False, True)
        assert await registry.all(house.database) == [kept]


async def test_two_writers_and_a_reader_lose_nothing(house: MemoryHouse, tmp_path: Path) -> None:
    """Two imports into one database at once, while it is asked."""
    files = []
    for writer in range(2):
        file = tmp_path / f"{writer}.jsonl"
        lines = [{"id": f"{writer}-{number}", "content": f"note {number}"} for number in range(2_500)]
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        files.append(file)
    over = threading.Event()
    seen: list[int] = []

    async def read() -> None:
        query = '{ memoryEntries(dbName: "notes", first: 1) { totalCount } memoryDatabases { entries } }'
        while not over.is_set():
            answer = await house.ask(query)
            assert "errors" not in answer, answer
            seen.append(answer["data"]["memoryEntries"]["totalCount"])

    async def write(file: Path) -> None:
        outcome = await house.load_file("notes", file)
        assert outcome.counts["added"] == 2_500

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        async with anyio.create_task_group() as writers:
            for file in files:
                writers.start_soon(write, file)
        over.set()
    assert seen == sorted(seen)
    assert rows(house, sa.select(DATABASE.c.entries)) == [(5_000,)]
    assert rows(house, sa.select(sa.func.count()).select_from(ENTRY)) == [(5_000,)]


_IMPORT = """
import asyncio, sys
from pathlib import Path
from sources.database import Database
from sources.importing import ImportOptions
from sources.memory import SOURCE

async def main():
    database = await Database.open(Path(sys.argv[1]))
    def report(what, done, total):
        print(done, flush=True)
    SOURCE.importer.run(database, None, [Path("notes"), Path(sys.argv[2])], ImportOptions(), report)

asyncio.run(main())
"""


def _killed_import(folder: Path, file: Path) -> int:
    """Imports in a process of its own, and kills it; returns how many bytes of the file it said were read."""
    command = [sys.executable, "-c", _IMPORT, str(folder / "loregraph.db"), str(file)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment(folder)
    ) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(3)]
        process.send_signal(signal.SIGKILL)
        return max([*told, *(int(line) for line in process.stdout if line.strip())])


async def test_an_import_that_is_killed_loses_nothing_it_told(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    sizes: list[int] = []
    with file.open("w", encoding="utf-8") as out:
        for number in range(20_000):
            out.write(json.dumps({"id": str(number), "content": f"note {number}"}) + "\n")
            sizes.append(out.tell())
    async with sqlite_house(tmp_path) as house:
        await house.create("notes")
        told = await anyio.to_thread.run_sync(_killed_import, tmp_path, file)
        acknowledged = sum(1 for size in sizes if size <= told)
        assert 2_000 <= acknowledged < 20_000
        held = {row[0] for row in rows(house, sa.select(ENTRY.c.entry_id))}
        assert {str(number) for number in range(acknowledged)} <= held
        assert rows(house, sa.select(DATABASE.c.entries)) == [(len(held),)]
        outcome = await house.load_file("notes", file)
        assert outcome.counts == {"added": 20_000 - len(held), "changed": 0, "unchanged": len(held)}
