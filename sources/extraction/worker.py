"""The process that reads files: `python -m sources.extraction.worker MEMORY_MB SECONDS`.

Each line of its input names a file, in JSON; each line of its output is what became of one. It may not take more
memory than it is given, nor write any file. Whoever asks it stops it when a file takes too long; should nobody be left
to do so, it ends by itself soon after.
"""

from __future__ import annotations

import json
import math
import os
import resource
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from sources.extraction.extracted import Extracted, Unreadable, check_size
from sources.extraction.formats import READERS

_GRACE_SECONDS = 10
_DEEPEST = 3_000
"""Calls: readers of nested data give up here, long before the stack ends."""


def read_file(path: Path) -> dict[str, Any]:
    """What a file holds, as `{"read": …}`, or why it cannot be taken, as `{"reason": …}`."""
    try:
        check_size(path.stat().st_size)
        module, function = READERS[path.suffix.lower()]
        # The library behind a format is loaded when its first file comes: each takes its time to load.
        extracted: Extracted = getattr(import_module(module), function)(path)
    except Unreadable as error:
        return {"reason": str(error)}
    except MemoryError:
        return {"reason": "Reading it takes more memory than is allowed (LOREGRAPH_LIBRARY_FILE_MEMORY_MB)."}
    except RecursionError:
        return {"reason": "It is nested too deep."}
    except OSError as error:
        return {"reason": f"It cannot be opened: {error.strerror or type(error).__name__}."}
    except Exception as error:  # noqa: BLE001 — a broken file breaks its reader in ways that nobody can list
        return {"reason": f"It is damaged: its reader failed ({type(error).__name__})."}
    if not any(text.strip() for _, text in extracted.sections):
        return {"reason": "It holds no text."}
    return {"read": extracted.to_json()}


def main() -> None:
    """Reads files until the input ends."""
    memory = int(sys.argv[1]) * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    sys.setrecursionlimit(_DEEPEST)
    # Whatever a library prints must not stand between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    answers.write("ready\n")
    answers.flush()
    seconds = math.ceil(float(sys.argv[2])) + _GRACE_SECONDS
    for line in sys.stdin:
        signal.alarm(seconds)  # nobody handles it, so that it ends the process, whatever it is at
        answer = read_file(Path(json.loads(line)))
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        signal.alarm(0)


if __name__ == "__main__":
    main()
