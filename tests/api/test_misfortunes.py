"""Callers who misbehave, and places whose names or contents nobody expected, in real processes."""

from __future__ import annotations

import json
import signal
import socket
from pathlib import Path

import pytest

from schema.query import ROOM_NAMES
from tests.api.test_start_up import WHOLE, ask, changed
from tests.support.commands import SECONDS, loregraph, serving

pytestmark = pytest.mark.timeout(300)


def test_callers_who_misbehave_leave_no_traceback(data_dir: Path, tmp_path: Path) -> None:
    head = b"POST /%b HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
    upgrade = b"GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    variables = {"LOREGRAPH_SHUTDOWN_SECONDS": "0"}
    with serving(data_dir=data_dir, cwd=tmp_path, variables=variables) as (server, base):
        address = ("127.0.0.1", int(base.rpartition(":")[2]))
        for request in (head % b"mcp", head % b"graphql"):
            with socket.create_connection(address, timeout=SECONDS) as leaving:
                leaving.sendall(request)
        for request in (b"CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", upgrade):
            with socket.create_connection(address, timeout=SECONDS) as asking:
                asking.sendall(request)
                assert asking.recv(100).startswith(b"HTTP/1.1 4")
        with socket.create_connection(address, timeout=SECONDS) as staying:
            staying.sendall(head % b"mcp")
            # Answered after the slow request was begun, since the server reads its connections in turn.
            assert ask(base) == WHOLE
            assert server.stop(signal.SIGTERM) == 0
    said = "\n".join(server.lines)
    assert "Traceback" not in said
    assert "WebSocket" not in said
    assert "upgrade" not in said


@pytest.mark.parametrize("command", ["serve", "seed", "mcp"])
def test_commands_end_with_code_2_on_a_database_of_another_program(command: str, tmp_path: Path) -> None:
    folder = tmp_path / "foreign"
    folder.mkdir()
    said = changed(folder, "CREATE TABLE dnd_creature (x)")
    arguments = [command, "--port", "0"] if command == "serve" else [command]
    result = loregraph(*arguments, data_dir=folder, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"loregraph: {said}holds dnd_creature, which loregraph did not make.")
    assert len(result.stderr.splitlines()) == 1


PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""A locale of ASCII alone, which Python is not to better."""


def test_a_folder_whose_name_the_locale_cannot_read(data_dir: Path, tmp_path: Path) -> None:
    folder = data_dir.rename(tmp_path / "K\N{LATIN SMALL LETTER U WITH DIAERESIS}lmking \N{DRAGON}")
    arguments = ["--data-dir", str(folder)]
    seeded = loregraph("seed", *arguments, data_dir=tmp_path, cwd=tmp_path, variables=PLAIN)
    assert (seeded.returncode, seeded.stdout) == (
        0,
        "".join(f"{name}: up to date\n" for name in ROOM_NAMES),
    ), seeded.stderr
    looked = loregraph("doctor", "--json", *arguments, data_dir=tmp_path, cwd=tmp_path, variables=PLAIN)
    assert looked.returncode == 0, looked.stderr
    assert json.loads(looked.stdout)["verdict"] == "fine"
    with serving(*arguments, data_dir=tmp_path, cwd=tmp_path, variables=PLAIN) as (_, base):
        assert ask(base) == WHOLE


@pytest.mark.parametrize("command", ["serve", "seed", "mcp", "doctor"])
def test_an_empty_data_folder_option_is_refused(command: str, tmp_path: Path) -> None:
    result = loregraph(command, "--data-dir", "", data_dir=tmp_path, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == (
        "loregraph: `--data-dir` (`LOREGRAPH_DATA_DIR`) must be the path of a folder; it is empty.\n"
    )
    assert list(tmp_path.iterdir()) == []
