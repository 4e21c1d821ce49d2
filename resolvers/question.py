"""What is asked of a list, and what is answered: the words between the schema and the resolvers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sources.criteria import EVERYTHING, Criteria
from sources.page import OrderKey
from sources.provenance import Provenance


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Relay's four arguments after the defaults were filled in. Exactly one of `first` and `last` is given.

    `offset` records are passed over before the page; numbered pages alone have one, and no cursor beside it.
    """

    first: int | None = 20
    after: str | None = None
    last: int | None = None
    before: str | None = None
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which parts of an answer the caller selected; what is not wanted is not computed.

    `columns` are attributes of the records. `cursors` is set when any item's cursor is needed, `only_ends` when it
    is only those of the first and last; the flags for the two page ends say whether they must be known exactly.
    """

    columns: tuple[str, ...]
    records: bool = True
    cursors: bool = False
    only_ends: bool = False
    has_next: bool = False
    has_previous: bool = False
    total_count: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a list of records."""

    wanted: Wanted
    criteria: Criteria = EVERYTHING
    order: tuple[OrderKey, ...] = ()
    page: PageRequest = PageRequest()


@dataclass(frozen=True, slots=True)
class PageInfo:
    """Relay's page information. Cursors are null on an empty page."""

    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None


@dataclass(frozen=True, slots=True)
class Edge:
    """One record with its cursor."""

    cursor: str
    node: Any


@dataclass(frozen=True, slots=True)
class Answer:
    """A connection's record. `total_count` is null where it was not wanted or cannot be known."""

    nodes: Sequence[Any]
    cursors: Sequence[str]
    page_info: PageInfo
    total_count: int | None
    provenance: Provenance

    @property
    def edges(self) -> list[Edge]:
        """The records with their cursors, which are empty where they were not wanted."""
        cursors = self.cursors or [""] * len(self.nodes)
        return [Edge(cursor, node) for cursor, node in zip(cursors, self.nodes, strict=True)]
