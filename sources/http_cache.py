"""Answers kept for use again.

hishel, the well-kept HTTP cache for httpx, was weighed: it follows the upstream's Cache-Control, and the
upstreams here send none; it does not answer stale when an upstream fails; and its stores are not bounded in
bytes. What is needed instead is small: freshness set by the caller, an age for standing in, two bounds.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """One answer as it arrived, decompressed. `fetched_at` is in seconds since 1970."""

    status: int
    content_type: str
    body: bytes
    url: str
    fetched_at: float


class ResponseCache(Protocol):
    """Where answers are kept. Keys are short texts without blanks; a cache shared by machines serves as well.

    A cache that is out of order answers None and keeps nothing; it never raises.
    """

    async def get(self, key: str) -> CachedResponse | None:
        """The answer kept under `key`, until its seconds are over."""
        ...

    async def put(self, key: str, response: CachedResponse, keep_seconds: float) -> None:
        """Keeps an answer until `keep_seconds` after it was fetched, or until others need the room."""
        ...


class MemoryCache:
    """A cache in this process: the answers used last, within a number of entries and of bytes."""

    def __init__(self, most_entries: int, most_bytes: int) -> None:
        self._most_entries = most_entries
        self._most_bytes = most_bytes
        self._entries: OrderedDict[str, CachedResponse] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    async def get(self, key: str) -> CachedResponse | None:
        """The answer kept under `key`. Its age is the reader's to judge; bounds alone drop it here."""
        entry = self._entries.get(key)
        if entry is not None:
            self._entries.move_to_end(key)
        return entry

    async def put(self, key: str, response: CachedResponse, keep_seconds: float) -> None:
        """Keeps an answer, unless it takes more than an eighth of all room."""
        old = self._entries.pop(key, None)
        if old is not None:
            self.bytes -= len(old.body)
        if len(response.body) * 8 > self._most_bytes or keep_seconds <= 0:
            return
        self._entries[key] = response
        self.bytes += len(response.body)
        while len(self._entries) > self._most_entries or self.bytes > self._most_bytes:
            _, dropped = self._entries.popitem(last=False)
            self.bytes -= len(dropped.body)
