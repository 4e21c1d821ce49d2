"""The documents as a store: there are few, and they are held in memory, so questions are answered there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from sources.criteria import Criteria, matches
from sources.dnd.records import Document
from sources.errors import BadInput
from sources.page import (
    OrderKey,
    Page,
    Position,
    Record,
    Slice,
    position_of,
    position_order,
    record_class,
    sorted_records,
)


class DocumentStore:
    """Answers as every store does, by the house's own meaning of criteria and orders."""

    kind = "document"

    def __init__(self, documents: Callable[[], Awaitable[Mapping[str, Document]]]) -> None:
        self._documents = documents

    async def select(
        self, columns: Sequence[str], criteria: Criteria, order: Sequence[OrderKey], piece: Slice
    ) -> Page:
        """A slice of the documents that fulfil `criteria`, in `order` with the key appended."""
        compare = position_order(order)
        found = []
        for document in sorted_records(await self._matching(criteria), order, "key"):
            position = position_of(document, order, "key")
            follows = piece.after is None or compare(position, piece.after) > 0
            precedes = piece.before is None or compare(position, piece.before) < 0
            if follows and precedes:
                found.append((document, position))
        has_more = len(found) > piece.limit
        if has_more:
            found = found[len(found) - piece.limit :] if piece.backward else found[: piece.limit]
        records = [_record(document, columns) for document, _ in found]
        return Page(list(records), [position for _, position in found], has_more)

    async def count(self, criteria: Criteria) -> int:
        """How many documents fulfil `criteria`."""
        return len(await self._matching(criteria))

    async def by_keys(self, keys: Iterable[str], columns: Sequence[str]) -> dict[str, Record]:
        """The documents that exist among `keys`, by key."""
        held = await self._documents()
        return {key: _record(held[key], columns) for key in keys if key in held}

    def checked(self, position: Position, order: Sequence[OrderKey], argument: str) -> Position:
        """`position`, whose values are texts, as all that documents are sorted by. Raises `BadInput` else."""
        if not all(isinstance(value, str) for value in position):
            raise BadInput("is not a cursor of this service.", argument=argument)
        return position

    async def _matching(self, criteria: Criteria) -> list[Document]:
        return [document for document in (await self._documents()).values() if matches(criteria, document)]


def _record(document: Document, columns: Sequence[str]) -> Record:
    wanted = tuple(columns)
    return record_class("document", wanted)([getattr(document, name) for name in wanted])
