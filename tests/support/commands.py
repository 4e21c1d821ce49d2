"""The command `loregraph` in processes of its own, as people and MCP clients start it."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECONDS = 120
"""How long a command may take before its test fails; only a command that hangs comes near it."""


def environment(data_dir: Path, variables: dict[str, str] | None = None) -> dict[str, str]:
    """The environment of this process without its settings, with a data folder, and with `variables`."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("LOREGRAPH_")}
    # Terminals differ in width, and help wraps at it.
    plain = {"PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    own = {
        "LOREGRAPH_DATA_DIR": str(data_dir),
        "LOREGRAPH_OPEN5E_LIVE": "false",
        "LOREGRAPH_DND5E_LIVE": "false",
    }
    return {**inherited, **plain, **own, **(variables or {})}


def loregraph(
    *arguments: str, data_dir: Path, cwd: Path, variables: dict[str, str] | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Runs `loregraph` with these arguments to its end."""
    return subprocess.run(
        [sys.executable, "-m", "api", *arguments],
        cwd=cwd,
        env=environment(data_dir, variables),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


class Running:
    """A command that is running: its standard error is read all the while, line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._queue: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._queue.put(line.rstrip("\n"))
        self._queue.put(None)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """The first line yet unread that holds `pattern`; fails when the command ends or hangs before it."""
        while True:
            line = self._queue.get(timeout=SECONDS)
            if line is None:
                raise AssertionError(f"the command ended without {pattern!r}:\n" + "\n".join(self.lines))
            self.lines.append(line)
            found = re.search(pattern, line)
            if found:
                return found

    def stop(self, with_signal: int = signal.SIGTERM) -> int:
        """Sends a signal and waits for the end; returns the exit code."""
        self.process.send_signal(with_signal)
        return self.wait()

    def wait(self) -> int:
        """Waits for the end; returns the exit code."""
        code = self.process.wait(timeout=SECONDS)
        self._reader.join(timeout=SECONDS)
        while (line := self._queue.get(timeout=SECONDS)) is not None:
            self.lines.append(line)
        return code


@contextmanager
def running(
    *arguments: str, data_dir: Path, cwd: Path, variables: dict[str, str] | None = None
) -> Iterator[Running]:
    """A running `loregraph`, killed at the end if it still runs. Its output is discarded."""
    with _started(["-m", "api", *arguments], data_dir, cwd, variables) as command:
        yield command


@contextmanager
def running_script(script: str, *arguments: str, data_dir: Path, cwd: Path) -> Iterator[Running]:
    """Python running `script` in the environment of a command."""
    with _started(["-c", script, *arguments], data_dir, cwd, None) as command:
        yield command


@contextmanager
def _started(
    arguments: Sequence[str], data_dir: Path, cwd: Path, variables: dict[str, str] | None
) -> Iterator[Running]:
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=cwd,
        env=environment(data_dir, variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    command = Running(process)
    try:
        yield command
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(timeout=SECONDS)
        command._reader.join(timeout=SECONDS)
        assert process.stderr is not None
        process.stderr.close()


@contextmanager
def serving(
    *arguments: str, data_dir: Path, cwd: Path, variables: dict[str, str] | None = None
) -> Iterator[tuple[Running, str]]:
    """A running `loregraph serve` on a free port of loopback, and its base URL."""
    with running(
        "serve", "--port", "0", *arguments, data_dir=data_dir, cwd=cwd, variables=variables
    ) as command:
        yield command, command.wait_for(r"listens on (http://\S+)").group(1)
