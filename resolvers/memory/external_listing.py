"""The entries of an external collection as a list: Chroma can neither sort nor count by a filter of ours."""

from __future__ import annotations

from collections.abc import Sequence

from sources.criteria import Criteria, matches
from sources.errors import BadInput
from sources.memory.records import KIND, ExternalEntry
from sources.memory.store import ENTRIES, MemoryShelf
from sources.page import OrderKey, Page, Position, Slice, position_of, position_order, sorted_records
from sources.provenance import Provenance
from sources.registry import KeptDatabase
from sources.selection_sql import ColumnSpec

MOST_READ = 20_000
"""Entries that are read to list some of them."""


class ExternalListing:
    """Entries in memory, asked as a store in SQL is."""

    kind = KIND

    def __init__(self, entries: Sequence[ExternalEntry]) -> None:
        self._entries = entries

    @classmethod
    async def read(cls, shelf: MemoryShelf, kept: KeptDatabase, provenance: Provenance) -> ExternalListing:
        """Reads the collection, as far as `MOST_READ`, and says so in `provenance` where that is not all of it."""
        assert kept.location is not None
        entries, whole = await shelf.external.read(kept.name, kept.location, MOST_READ)
        provenance.scanned += len(entries)
        provenance.upstream_requests += 1
        if not whole:
            provenance.complete = False
            provenance.warnings.append(
                f"Only the first {MOST_READ:,} entries of `{kept.name}` were read: it is an external collection, which"
                " cannot be filtered or sorted where it lies. `recall` searches all of it."
            )
        return cls(entries)

    async def select(
        self, columns: Sequence[str], criteria: Criteria, order: Sequence[OrderKey], piece: Slice
    ) -> Page:
        """A slice of the entries that fulfil `criteria`, in `order`."""
        compare = position_order(order)
        found = sorted_records([one for one in self._entries if matches(criteria, one)], order, "key")
        placed = [(one, position_of(one, order, "key")) for one in found]
        if piece.after is not None:
            after = piece.after
            placed = [pair for pair in placed if compare(pair[1], after) > 0]
        if piece.before is not None:
            before = piece.before
            placed = [pair for pair in placed if compare(pair[1], before) < 0]
        kept = placed[-piece.limit :] if piece.backward else placed[: piece.limit]
        if not piece.limit:
            kept = []
        return Page([one for one, _ in kept], [place for _, place in kept], len(placed) > len(kept))

    async def count(self, criteria: Criteria) -> int:
        """How many of the entries that were read fulfil `criteria`."""
        return sum(1 for one in self._entries if matches(criteria, one))

    def checked(self, position: Position, order: Sequence[OrderKey], argument: str) -> Position:
        """`position`, whose values are of the kinds that `order` compares. Raises `BadInput` otherwise."""
        for attribute, value in zip([*(part.attribute for part in order), "key"], position, strict=True):
            spec: ColumnSpec = ENTRIES.column(attribute)
            fits = spec.nullable if value is None else isinstance(value, spec.expression.type.python_type)
            if not fits:
                raise BadInput("is not a cursor of this service.", argument=argument)
        return position
