"""Starting on folders that are empty, shared, damaged or not ours, and stopping, in real processes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pty
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import anyio
import httpx
import pytest

from api.commands.doctor import doctor
from api.opening import open_house, prepare
from api.settings import Settings, load_settings
from resolvers.source_status import all_statuses
from schema.query import ROOM_NAMES, ROOMS
from sources.errors import DataFolderError, LoregraphError
from sources.source import Source, SourceState
from tests.support.browser import missing
from tests.support.commands import SECONDS, environment, loregraph, running, running_script, serving

pytestmark = pytest.mark.timeout(300)

SPELLS = "{ spells(filter: {school: [EVOCATION], level: [3]}) { totalCount } creatures { totalCount } }"
WHOLE = {"spells": {"totalCount": 7}, "creatures": {"totalCount": 334}}


def counts(folder: Path) -> dict[str, int]:
    connection = sqlite3.connect(folder / "loregraph.db")
    try:
        tables = ("dnd_spell", "dnd_creature", "seed_state")
        return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    finally:
        connection.close()


SEEDED = {room.name: type(room.source).seed is not Source.seed for room in ROOMS}
"""The rooms, and whether they bring data along."""
ALL_SEEDED = "".join(f"{name}: {'seeded' if seeds else 'up to date'}\n" for name, seeds in SEEDED.items())
UP_TO_DATE = "".join(f"{name}: up to date\n" for name in SEEDED)
EVERYTHING = {"dnd_spell": 319, "dnd_creature": 334, "seed_state": sum(SEEDED.values())}


def ask(base: str) -> object:
    with httpx.Client(trust_env=False, timeout=SECONDS) as client:
        return client.post(f"{base}/graphql", json={"query": SPELLS}).json()["data"]


def test_serve_fills_an_empty_folder_answers_and_stops_cleanly(tmp_path: Path) -> None:
    with serving(data_dir=tmp_path / "new" / "data", cwd=tmp_path) as (server, base):
        assert ask(base) == WHOLE
        with httpx.Client(trust_env=False, base_url=base, timeout=SECONDS) as client:
            assert client.get("/healthz").status_code == 200
            assert client.get("/readyz").json()["status"] == "ready"
        assert server.stop(signal.SIGTERM) == 0
    assert any("seeding dnd rows: 0 of" in line for line in server.lines)
    assert not any("Traceback" in line for line in server.lines)


def test_serve_stops_at_an_interrupt_too(data_dir: Path, tmp_path: Path) -> None:
    with serving(data_dir=data_dir, cwd=tmp_path) as (server, _):
        assert server.stop(signal.SIGINT) == 0
    assert not any("Traceback" in line for line in server.lines)


def test_workers_share_one_address(data_dir: Path, tmp_path: Path) -> None:
    with serving("--workers", "2", data_dir=data_dir, cwd=tmp_path) as (server, base):
        assert [ask(base) for _ in range(4)] == [WHOLE] * 4
        assert server.stop() == 0


def test_two_servers_that_start_on_one_empty_folder_both_answer(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with (
        running("serve", "--port", "0", data_dir=folder, cwd=tmp_path) as first,
        running("serve", "--port", "0", data_dir=folder, cwd=tmp_path) as second,
    ):
        bases = [server.wait_for(r"listens on (http://\S+)").group(1) for server in (first, second)]
        assert [ask(base) for base in bases] == [WHOLE, WHOLE]
        assert counts(folder) == EVERYTHING
        assert [server.stop() for server in (first, second)] == [0, 0]
    assert sum(line.endswith("seeded dnd") for line in first.lines + second.lines) == 1


def test_three_processes_that_seed_at_once_write_once(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with ThreadPoolExecutor(3) as threads:
        runs = [threads.submit(loregraph, "seed", data_dir=folder, cwd=tmp_path) for _ in range(3)]
        results = [run.result() for run in runs]
    assert [(result.returncode, "Traceback" in result.stderr) for result in results] == [(0, False)] * 3
    assert sorted(result.stdout for result in results) == sorted([ALL_SEEDED, *[UP_TO_DATE] * 2])
    assert counts(folder) == EVERYTHING


KILL_WHILE_SEEDING = """
import os, signal
import anyio
from api.opening import prepare
from api.settings import load_settings

def report(what, done, total):
    if 0 < done < total:
        os.kill(os.getpid(), signal.SIGKILL)

anyio.run(prepare, load_settings(), report)
"""


def test_a_server_killed_while_it_seeds_leaves_a_folder_to_start_on(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with running_script(KILL_WHILE_SEEDING, data_dir=folder, cwd=tmp_path) as killed:
        assert killed.wait() == -signal.SIGKILL
    assert counts(folder) == {"dnd_spell": 0, "dnd_creature": 0, "seed_state": 0}
    with serving(data_dir=folder, cwd=tmp_path) as (_, base):
        assert ask(base) == WHOLE
    assert counts(folder) == EVERYTHING


@pytest.mark.parametrize("at_once", [1, 2])
@pytest.mark.usefixtures("own_log")
async def test_postgresql_is_filled_once(
    at_once: int, postgresql_target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = load_settings({"data_dir": tmp_path, "database_url": postgresql_target}, env_file=None)
    written = await asyncio.gather(*(prepare(settings) for _ in range(at_once)))
    assert sorted(done["dnd"] for done in written) == [*[False] * (at_once - 1), True]
    assert await prepare(settings) == dict.fromkeys(ROOM_NAMES, False)
    async with open_house(settings) as house:
        (status,) = [one for one in await all_statuses(house.scope) if one.name == "dnd"]
    assert status.state is SourceState.READY
    counts = {count.kind: count.count for count in status.counts}
    assert (counts["spell"], counts["creature"], counts["magic-item"]) == (319, 334, 362)
    options = {"data_dir": tmp_path / "unused", "database_url": postgresql_target, "port": "0"}
    assert await anyio.to_thread.run_sync(partial(doctor, options, as_json=False)) == 0
    assert "319 spell, 334 creature, " in capsys.readouterr().out


def test_on_a_terminal_seeding_shows_a_bar(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "api", "seed"],
        cwd=tmp_path,
        env=environment(tmp_path / "data", {"TERM": "xterm"}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        shown = b""
        # Linux ends the reading of a terminal whose other side is gone with an error.
        with contextlib.suppress(OSError):
            while part := os.read(ours, 4096):
                shown += part
        os.close(ours)
        assert process.wait(timeout=SECONDS) == 0
    rows = re.findall(rb"(\d+)/(\d+)", shown)
    assert rows[-1][0] == rows[-1][1] != b"0"
    assert b"seeding dnd rows: 0 of" not in shown


def test_data_of_another_version_is_replaced(data_dir: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(data_dir / "loregraph.db")
    connection.execute("UPDATE seed_state SET data_version = 'of last year' WHERE source = 'dnd'")
    connection.execute("UPDATE dnd_spell SET name = 'Wrong'")
    connection.commit()
    connection.close()
    result = loregraph("seed", data_dir=data_dir, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, UP_TO_DATE.replace("dnd: up to date", "dnd: seeded"))
    assert counts(data_dir) == EVERYTHING
    connection = sqlite3.connect(data_dir / "loregraph.db")
    assert connection.execute("SELECT count(*) FROM dnd_spell WHERE name = 'Wrong'").fetchone() == (0,)
    connection.close()


def test_a_taken_port_is_one_sentence_and_touches_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = loregraph("serve", "--port", str(port), data_dir=tmp_path / "data", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == (
        f"loregraph: Port {port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another with"
        " --port or LOREGRAPH_PORT.\n"
    )
    assert not (tmp_path / "data").exists()


def test_an_address_of_another_machine_is_one_sentence(tmp_path: Path) -> None:
    # 192.0.2.0/24 is kept for documentation: no machine has it.
    result = loregraph("serve", "--host", "192.0.2.1", data_dir=tmp_path / "data", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == (
        "loregraph: The address 192.0.2.1 is not this machine's. Choose another with --host or LOREGRAPH_HOST.\n"
    )


def test_off_loopback_serve_says_what_is_open(data_dir: Path, tmp_path: Path) -> None:
    names = {"LOREGRAPH_ALLOWED_HOSTS": "lore.example"}
    with serving("--host", "0.0.0.0", data_dir=data_dir, cwd=tmp_path, variables=names) as (server, base):
        server.wait_for("Open to the network: whoever reaches 0.0.0.0 port")
        server.wait_for("Host names answered besides loopback: lore.example")
        server.wait_for("Web pages that may call it: none")
        with httpx.Client(trust_env=False, timeout=SECONDS) as client:
            answers = [
                client.get(f"{base}/healthz", headers={"host": host}).status_code
                for host in ("lore.example", "127.0.0.1", "other.example")
            ]
        assert answers == [200, 200, 421]


def test_mcp_speaks_the_protocol_alone_on_standard_output(tmp_path: Path) -> None:
    messages = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "lookup_spell", "arguments": {"school": "evocation", "level": 3}},
        },
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "api", "mcp"],
        cwd=tmp_path,
        env=environment(tmp_path / "data"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin, process.stdout:
        for message in messages:
            process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        assert process.stdout.read() == ""
    assert process.wait(timeout=SECONDS) == 0
    assert answers[0]["result"]["serverInfo"]["name"] == "loregraph"
    found = answers[1]["result"]["structuredContent"]
    assert [spell["name"] for spell in found["nodes"]] == [
        "Daylight",
        "Fireball",
        "Lightning Bolt",
        "Mass Healing Word",
        "Sending",
        "Tiny Hut",
        "Wind Wall",
    ]


# Folders and databases that cannot be used. Each maker spoils a whole data folder and returns the setting that
# leads to it, with what must be said about it.

Spoiled = tuple[dict[str, str], str]


def garbage(folder: Path) -> Spoiled:
    (folder / "loregraph.db").write_bytes(b"This is not a database. " * 400)
    return {}, f"The database file {folder}/loregraph.db is damaged or not a database."


def cut_short(folder: Path) -> Spoiled:
    file = folder / "loregraph.db"
    os.truncate(file, 20 * 4096 + 7)
    return {}, f"The database file {file} is damaged"


def overwritten_in_the_middle(folder: Path) -> Spoiled:
    file = folder / "loregraph.db"
    with file.open("r+b") as opened:
        opened.seek(file.stat().st_size // 2 // 4096 * 4096)
        opened.write(b"\xff" * 50 * 4096)
    return {}, f"The database file {file} is damaged: some of its pages hold nonsense."


def of_a_newer_program(folder: Path) -> Spoiled:
    connection = sqlite3.connect(folder / "loregraph.db")
    connection.execute("UPDATE alembic_version SET version_num = 'dnd_9999' WHERE version_num LIKE 'dnd%'")
    connection.commit()
    connection.close()
    return {}, f"The database {folder}/loregraph.db was written by a newer loregraph than this one."


def changed(folder: Path, *statements: str) -> str:
    connection = sqlite3.connect(folder / "loregraph.db")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return f"The database {folder}/loregraph.db "


def of_another_program(folder: Path) -> Spoiled:
    (folder / "loregraph.db").unlink()
    return {}, changed(
        folder, "CREATE TABLE dnd_spell (x)"
    ) + "holds dnd_spell, which loregraph did not make."


def with_the_seeding_of_another(folder: Path) -> Spoiled:
    (folder / "loregraph.db").unlink()
    return {}, changed(
        folder, "CREATE TABLE seed_state (x)"
    ) + "holds seed_state, which loregraph did not make."


def with_the_revisions_of_another(folder: Path) -> Spoiled:
    said = changed(folder, "DROP TABLE alembic_version", "CREATE TABLE alembic_version (x)")
    return {}, said + "holds something else than this loregraph expects (no such column: version_num)."


def without_a_table(folder: Path) -> Spoiled:
    return {}, changed(folder, "DROP TABLE dnd_creature_alignment") + "lacks dnd_creature_alignment, without"


def without_an_index(folder: Path) -> Spoiled:
    return {}, changed(folder, "DROP TABLE dnd_spell_text_fts") + "lacks dnd_spell_text_fts, without"


def without_a_column(folder: Path) -> Spoiled:
    said = changed(folder, "ALTER TABLE dnd_spell DROP COLUMN duration")
    return {}, said + "lacks dnd_spell.duration, without"


def without_a_column_of_its_seeding(folder: Path) -> Spoiled:
    said = changed(folder, "ALTER TABLE seed_state DROP COLUMN seeded_at")
    return {}, said + "lacks seed_state.seeded_at, without"


def a_file_in_its_place(folder: Path) -> Spoiled:
    shutil.rmtree(folder)
    folder.write_text("I am a file.")
    return {}, f"The data folder {folder} "


def below_a_file(folder: Path) -> Spoiled:
    (folder / "file").write_text("I am a file.")
    return {"data_dir": f"{folder}/file/data"}, f"The data folder {folder}/file/data "


def a_folder_in_place_of_the_database(folder: Path) -> Spoiled:
    (folder / "loregraph.db").unlink()
    (folder / "loregraph.db").mkdir()
    return {}, f"The database file {folder}/loregraph.db cannot be "


def no_such_kind_of_database(_folder: Path) -> Spoiled:
    return {"database_url": "mysql://ada:hunter2@db/lore"}, "A database of the kind `mysql` is not supported."


def a_server_that_is_not_there(_folder: Path) -> Spoiled:
    return {"database_url": "postgresql://ada:hunter2@127.0.0.1:1/lore"}, "127.0.0.1"


SPOILERS: list[Callable[[Path], Spoiled]] = [
    garbage,
    cut_short,
    overwritten_in_the_middle,
    of_a_newer_program,
    of_another_program,
    with_the_seeding_of_another,
    with_the_revisions_of_another,
    without_a_table,
    without_an_index,
    without_a_column,
    without_a_column_of_its_seeding,
    a_file_in_its_place,
    below_a_file,
    a_folder_in_place_of_the_database,
    no_such_kind_of_database,
    a_server_that_is_not_there,
]


def contents(folder: Path) -> dict[str, bytes]:
    """What a folder holds, without what SQLite and the lock put beside a database while it is looked at."""
    if folder.is_file():
        return {"": folder.read_bytes()}
    files = [file for file in folder.rglob("*") if file.is_file()]
    return {
        str(file): file.read_bytes() for file in files if not file.name.endswith(("-wal", "-shm", ".lock"))
    }


async def start(settings: Settings) -> None:
    await prepare(settings)
    async with open_house(settings) as house:
        assert house.scope.unopened == {}


async def test_a_place_where_no_folder_can_be_made_is_explained() -> None:
    # Not even the superuser makes folders in /proc.
    settings = load_settings({"data_dir": "/proc/loregraph"}, env_file=None)
    with pytest.raises(DataFolderError, match=r"The data folder /proc/loregraph cannot be used\. It must be"):
        await start(settings)


@pytest.mark.parametrize("spoil", SPOILERS, ids=lambda spoil: spoil.__name__)
@pytest.mark.usefixtures("own_log")
async def test_what_cannot_be_used_is_explained_and_left_alone(
    spoil: Callable[[Path], Spoiled], data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options, said = spoil(data_dir)
    settings = load_settings({"data_dir": data_dir, **options}, env_file=None)
    before = contents(data_dir)
    with pytest.raises(LoregraphError) as caught:
        await start(settings)
    sentence = caught.value.message
    assert said in sentence
    assert "hunter2" not in sentence
    assert len(sentence.split(". ")) > 1, "it says what to do as well"

    look = partial(doctor, {"data_dir": data_dir, "port": "0", **options}, as_json=False)
    code = await anyio.to_thread.run_sync(look)
    printed = capsys.readouterr()
    assert code == 2
    assert "hunter2" not in printed.out + printed.err
    assert "loregraph cannot start like this" in printed.out
    assert contents(data_dir) == before


@pytest.mark.parametrize("command", ["serve", "seed", "mcp"])
def test_commands_end_with_code_2_on_a_damaged_database(command: str, data_dir: Path, tmp_path: Path) -> None:
    _, said = garbage(data_dir)
    before = contents(data_dir)
    arguments = [command, "--port", "0"] if command == "serve" else [command]
    result = loregraph(*arguments, data_dir=data_dir, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"loregraph: {said} Nothing was changed. Restore the file from a backup")
    assert len(result.stderr.splitlines()) == 1
    assert contents(data_dir) == before


@pytest.mark.parametrize("filled", [True, False])
def test_a_read_only_folder_is_explained(filled: bool, data_dir: Path, tmp_path: Path) -> None:
    if not filled:
        (data_dir / "loregraph.db").unlink()
    for file in data_dir.iterdir():
        file.chmod(0o444)
    data_dir.chmod(0o555)
    before = contents(data_dir)
    command = [sys.executable, "-m", "api", "serve", "--port", "0"]
    if os.geteuid() == 0:
        # The superuser may write anywhere, unless it lays that power down.
        if shutil.which("setpriv") is None:
            missing("needs setpriv: install util-linux")
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", *command]
    result = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment(data_dir),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert result.returncode == 2, result.stderr
    assert str(data_dir) in result.stderr
    assert "LOREGRAPH_DATA_DIR" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert contents(data_dir) == before
    data_dir.chmod(0o755)
