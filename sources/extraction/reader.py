"""Asking the reading process: one file at a time, each within its time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from queue import Empty, Queue
from types import TracebackType

import sources
from sources.errors import DataFolderError
from sources.extraction.extracted import Extracted, Unreadable

_START_SECONDS = 60
_FILES_OF_ONE_PROCESS = 200
"""Readers of foreign formats leak; a new process now and then costs less than what they keep."""


class Reader:
    """Reads document files in a process that it starts when it is first needed, and again when that fails.

    A context: the process ends with it.
    """

    def __init__(self, seconds: float, memory_mb: int) -> None:
        self.seconds = seconds
        self._memory_mb = memory_mb
        self._process: subprocess.Popen[str] | None = None
        self._listener: threading.Thread | None = None
        self._answers: Queue[str] = Queue()
        self._files = 0

    def read(self, path: Path) -> Extracted:
        """The text and metadata of a file. Raises Unreadable with the reason when it cannot be taken."""
        if self._process is None or self._files >= _FILES_OF_ONE_PROCESS:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        self._files += 1
        try:
            self._process.stdin.write(json.dumps(str(path)) + "\n")
            self._process.stdin.flush()
            line = self._answers.get(timeout=self.seconds)
        except Empty:
            self._stop()
            raise Unreadable(
                f"Reading it takes longer than {self.seconds:g} seconds (LOREGRAPH_LIBRARY_FILE_SECONDS)."
            ) from None
        except BrokenPipeError:
            line = ""
        if not line:
            self._stop()
            raise Unreadable("Its reader broke down, as files that are made to do harm make it.")
        answer = json.loads(line)
        if "reason" in answer:
            raise Unreadable(answer["reason"])
        return Extracted.from_json(answer["read"])

    def _start(self) -> None:
        self._stop()
        root = Path(sources.__file__).parent.parent
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
        # The child's modules are those of this process, wherever it was started.
        process = subprocess.Popen(  # noqa: S603 — our own interpreter and module
            [sys.executable, "-m", "sources.extraction.worker", str(self._memory_mb), str(self.seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            cwd=root,
            env={**kept, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"},
        )
        answers: Queue[str] = Queue()
        self._listener = threading.Thread(target=_pass_on, args=(process, answers), daemon=True)
        self._listener.start()
        self._process, self._answers, self._files = process, answers, 0
        try:
            ready = answers.get(timeout=_START_SECONDS)
        except Empty:
            ready = ""
        if ready.strip() != "ready":
            self._stop()
            raise DataFolderError(
                "The process that reads documents does not start.",
                hint="It may need more memory: set LOREGRAPH_LIBRARY_FILE_MEMORY_MB higher.",
            )

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        if self._listener is not None:
            self._listener.join()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()


def _pass_on(process: subprocess.Popen[str], answers: Queue[str]) -> None:
    """Hands on each line of the process, and an empty one when it ends."""
    assert process.stdout is not None
    for line in process.stdout:
        answers.put(line)
    answers.put("")
