"""Standard input as the protocol's alone, for as long as one client is served over it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper

import anyio

_STDIN = 0


@contextmanager
def claimed_input() -> Iterator[anyio.AsyncFile[str]]:
    """What the client writes, line by line, as UTF-8; a byte order mark before the first line is left out.

    Some shells put one there, and the SDK's reader takes it for a part of the first message, which is then lost.
    As with that reader, whatever else in this process reads standard input finds it empty meanwhile.
    """
    private = os.dup(_STDIN)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, _STDIN)
    os.close(empty)
    # Never closed: a thread may still be waiting on this descriptor when the client is gone.
    binary = os.fdopen(private, "rb", closefd=False)
    try:
        yield anyio.wrap_file(TextIOWrapper(binary, encoding="utf-8-sig", errors="replace"))
    finally:
        os.dup2(private, _STDIN)
