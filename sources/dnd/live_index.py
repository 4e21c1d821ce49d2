"""What the clients of live D&D APIs share: the index of a kind's records, and what a question cost."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from sources.dnd.keys import KeyIndex
from sources.errors import UpstreamBadResponse
from sources.http import Fetched


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What the index knows of a record."""

    key: str
    name: str


class NameIndex:
    """The keys, names and documents of all records of one kind, from rows `(key, name, document key)`."""

    def __init__(self, rows: Sequence[tuple[str, str, str]]) -> None:
        self.entries = tuple(IndexEntry(key, name) for key, name, _ in rows)
        self.keys = KeyIndex([(key, document) for key, _, document in rows])

    @classmethod
    def of_all(cls, indexes: Sequence[NameIndex]) -> NameIndex:
        """One index of the records of several."""
        return cls(
            [(entry.key, entry.name, index.keys[entry.key]) for index in indexes for entry in index.entries]
        )


@dataclass(slots=True)
class Cost:
    """What one question cost beyond the pages of its list, and what it lost on the way."""

    requests: int = 0
    losses: list[str] = field(default_factory=list)

    def check_found(self, keys: Sequence[str], found: Collection[str], upstream: str) -> None:
        """Raises `UpstreamBadResponse` when something was lost and one of `keys` is not among those `found`: then
        nothing tells whether it exists."""
        if self.losses and any(key not in found for key in keys):
            raise UpstreamBadResponse(self.losses[0], upstream=upstream)

    def count(self, fetched: Fetched, *, page: bool = False) -> None:
        """Adds a call's requests. The planner counts one for each page that is not from the cache."""
        self.requests += fetched.requests - (page and not fetched.from_cache)
