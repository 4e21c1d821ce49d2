"""`loregraph sync open5e` in processes that can be killed: forks of one that has imported everything already.

Reads names of places from standard input, one for each run: the run kills itself there, and an empty name lets it
run. Writes the run's process id, and when it has ended its exit code.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from api import cli
from sources.dnd import mirror, writing


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _dies(module: Any, name: str, *, after: bool) -> Callable[[], None]:
    """Makes the process die before or after it calls `name` of `module`."""
    done = getattr(module, name)

    def call(*arguments: Any, **named: Any) -> None:
        if after:
            done(*arguments, **named)
        _die()

    return lambda: setattr(module, name, call)


PLACES: dict[str, Callable[[], None]] = {
    "": lambda: None,
    "records made": _dies(mirror, "write_content", after=False),
    "rows written": _dies(writing, "apply_differences", after=True),
    "all but committed": _dies(mirror, "hold", after=True),
}
"""Of the switch-over: in the transaction before anything is written, with all rows, and with all there is."""


def _run(place: str) -> int:
    silent = os.open(os.devnull, os.O_RDWR)
    os.dup2(silent, 0)
    os.dup2(silent, 1)
    PLACES[place]()
    sys.argv = ["loregraph", "sync", "open5e"]
    try:
        cli.main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def main() -> None:
    """Runs until standard input ends."""
    import tinys_srd  # noqa: F401 - imported before the forks, which all read it

    import api.commands.sync  # noqa: F401

    print("ready", flush=True)  # noqa: T201
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            code = 3
            try:
                code = _run(line.strip("\n"))
            finally:
                os._exit(code)
        print(process, flush=True)  # noqa: T201
        _, status = os.waitpid(process, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
