"""What a client of a live D&D API must do so that `resolvers/dnd/live.py` can answer with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from resolvers.planned_listing import ListUpstream
from sources.dnd.live_index import Cost, NameIndex
from sources.dnd.records import Document
from sources.page import Record
from sources.united_lists import UnitedLists


class LiveClient(Protocol):
    """A client whose lists can be planned. Every method counts to `cost` and raises `UpstreamError`."""

    def list(self, kind: str, cost: Cost) -> ListUpstream | UnitedLists[ListUpstream]:
        """The list of the records of `kind`, or the lists that hold them between them, for one question."""
        ...

    async def documents(self, cost: Cost) -> Mapping[str, Document]:
        """Every document, by key."""
        ...

    async def words(self, vocabulary: str, cost: Cost) -> Sequence[str]:
        """The keys of an open vocabulary (`classes`, `environments`, …), sorted."""
        ...

    async def index(self, kind: str, cost: Cost) -> NameIndex:
        """The index of all records of `kind`."""
        ...

    def remembered_index(self, kind: str) -> NameIndex | None:
        """The index of `kind` if it is at hand and not too old."""
        ...

    async def by_keys(
        self, kind: str, keys: Sequence[str], columns: Sequence[str], cost: Cost
    ) -> dict[str, Record]:
        """The records that exist among `keys`, by key; few requests for many keys."""
        ...
