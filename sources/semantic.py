"""Asking the index: which texts are near to a question in meaning, and how far that can be relied on."""

from __future__ import annotations

from dataclasses import dataclass

from sources.database import Database
from sources.embedder import Vectors
from sources.embedders import Embedders
from sources.errors import LoregraphError
from sources.index_state import index_state
from sources.indexing import Indexable, identity_of
from sources.vector_access import VectorAccess
from sources.vectors import Collection, CollectionGone, Near


@dataclass(frozen=True, slots=True)
class Reach:
    """What of a collection can be found by meaning now.

    - `collection`: None where nothing can
    - `indexed`, `total`: how many texts have a vector, of how many
    - `reason`: why that is not all of them, in a sentence; None when it is
    """

    collection: Collection | None
    indexed: int
    total: int
    reason: str | None

    @property
    def whole(self) -> bool:
        """Whether every text, as it is now, has its vector."""
        return self.collection is not None and self.reason is None


class SemanticIndex:
    """The vectors of a house, for questions. Opens nothing: what is not open is out of reach, and that is said."""

    def __init__(self, database: Database, access: VectorAccess, embedders: Embedders) -> None:
        self._database = database
        self._access = access
        self.embedders = embedders
        # Collections whose rows were counted, with the version that the count was right for.
        self._counted: dict[str, str] = {}

    async def reach(self, thing: Indexable) -> Reach:
        """How far `thing` is indexed. Never raises for vectors that cannot be reached: `reason` says it."""
        state = await index_state(self._database, thing.collection)
        indexed, total = (0, 0) if state is None else (state.indexed, state.total)
        if self._access.opened is None:
            return Reach(None, indexed, total, "The index of meanings is not open in this process.")
        if state is None:
            return Reach(None, 0, 0, "Nothing is indexed by meaning yet.")
        try:
            identity = identity_of(thing, self.embedders)
            collection = await self._access.collection(thing.collection, identity)
            if state.version is not None and self._counted.get(thing.collection) != state.version:
                if await collection.count() != state.total:
                    self._access.doubt(thing.collection)
                    return Reach(collection, 0, total, "The index of meanings is being checked.")
                self._counted[thing.collection] = state.version
        except CollectionGone as error:
            self._lost(thing)
            return Reach(None, 0, total, error.public)
        except LoregraphError as error:
            return Reach(None, indexed, total, error.public)
        if state.version is None or state.version != await thing.version():
            reason = f"Indexed by meaning: {indexed:,} of {total:,}."
            if indexed == total:
                reason = (
                    "Something changed since the index of meanings was built; it is being brought up to date."
                )
            if state.message is not None:
                reason = f"{reason} {state.message}"
            return Reach(collection, indexed, total, reason)
        return Reach(collection, indexed, total, None)

    async def vector(self, thing: Indexable, text: str) -> Vectors:
        """The vector of a question to `thing`. Raises `SourceNotConfigured`, `UpstreamError`."""
        return await self.embedders.of(thing.embedder).embed_one(text)

    async def nearest(self, thing: Indexable, reach: Reach, vector: Vectors, most: int) -> list[Near]:
        """The texts nearest to a vector, nearest first. Raises `EmbedderMismatch`, `UpstreamError`."""
        if reach.collection is None:
            return []
        try:
            return (await reach.collection.nearest(vector[None, :], most))[0]
        except CollectionGone:
            self._lost(thing)
            raise

    async def vectors(self, thing: Indexable, reach: Reach, ids: list[str]) -> dict[str, Vectors]:
        """The vectors that exist among `ids`. Raises `UpstreamError`."""
        if reach.collection is None:
            return {}
        try:
            return await reach.collection.vectors(ids)
        except CollectionGone:
            self._lost(thing)
            raise

    def _lost(self, thing: Indexable) -> None:
        self._counted.pop(thing.collection, None)
        self._access.doubt(thing.collection)
