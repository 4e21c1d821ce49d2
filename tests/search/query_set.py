"""The questions that search over the embedded SRD is judged by, written before anything was tuned.

Each has a class, its text, and the keys of which one should be among the first five. The set has two halves, by
turns: `TUNING` was looked at while ranking was tuned, `HELD_OUT` only when that was over.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson


@dataclass(frozen=True, slots=True)
class Judged:
    """One question. `wanted` are the keys that answer it, any of them."""

    kind: str
    text: str
    wanted: tuple[str, ...]


def _read(line: bytes) -> Judged:
    row: dict[str, Any] = orjson.loads(line)
    return Judged(row["class"], row["text"], tuple(row["wanted"]))


QUERIES = tuple(map(_read, Path(__file__).with_name("queries.jsonl").read_bytes().splitlines()))
TUNING = QUERIES[::2]
HELD_OUT = QUERIES[1::2]
