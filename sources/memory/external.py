"""Collections of Chroma that others filled: looked up and searched as they are, and never written.

Each has vectors, mostly the texts as well, and whatever distance its maker chose. So the score is reckoned here, from
the vectors themselves: the cosine, as for loregraph's own collections.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sources.embedder import Vectors, unit_length
from sources.embedders import Embedders, EmbedderSpec
from sources.errors import DataFolderError, EmbedderMismatch, NotFound, nearest
from sources.memory.records import ExternalEntry, entry_key
from sources.registry import Location
from sources.vectors import VectorStore

CHROMA_FILE = "chroma.sqlite3"
_PAGE = 1_000
_SHOWN = ("documents", "metadatas")


class ExternalStores:
    """The stores that external databases lie in, each opened when it is first asked, and kept."""

    def __init__(self, embedders: Embedders) -> None:
        self._embedders = embedders
        self._stores: dict[str, VectorStore] = {}
        self._opening = asyncio.Lock()

    async def check(self, location: Location, embedder: EmbedderSpec) -> int:
        """How many entries the collection holds, after a look at one of its vectors.

        Raises `NotFound`, `EmbedderMismatch`, `DataFolderError`, `UpstreamError`.
        """
        held = await self._collection(location)
        sample = await self._run(location, held.get, include=["embeddings"], limit=1)
        if len(sample["ids"]):
            check_dimension(location, len(sample["embeddings"][0]), embedder)
        return int(await self._run(location, held.count))

    async def nearest(
        self, name: str, location: Location, embedder: EmbedderSpec, vector: Vectors, most: int
    ) -> list[tuple[ExternalEntry, float]]:
        """The entries nearest to a vector of unit length, each with the cosine, best first.

        Raises as `check` does.
        """
        held = await self._collection(location)
        check_dimension(location, len(vector), embedder)
        sample = await self._run(location, held.get, include=["embeddings"], limit=1)
        if not len(sample["ids"]):
            return []
        check_dimension(location, len(sample["embeddings"][0]), embedder)
        answer = await self._run(
            location,
            held.query,
            query_embeddings=vector[None, :],
            n_results=most,
            include=[*_SHOWN, "embeddings"],
        )
        scores = unit_length(np.asarray(answer["embeddings"][0], dtype=np.float32)) @ vector
        entries = _entries(name, {key: answer[key][0] for key in ("ids", *_SHOWN)})
        found = list(zip(entries, (float(score) for score in scores), strict=True))
        return sorted(found, key=lambda pair: -pair[1])

    async def by_ids(self, name: str, location: Location, ids: Sequence[str]) -> list[ExternalEntry]:
        """The entries that exist among `ids`. Raises as `check` does."""
        held = await self._collection(location)
        return _entries(name, await self._run(location, held.get, ids=list(ids), include=list(_SHOWN)))

    async def read(self, name: str, location: Location, most: int) -> tuple[list[ExternalEntry], bool]:
        """Up to `most` entries, and whether these are all. Raises as `check` does."""
        held = await self._collection(location)
        found: list[ExternalEntry] = []
        while len(found) < most:
            page = await self._run(
                location,
                held.get,
                include=list(_SHOWN),
                limit=min(_PAGE, most - len(found)),
                offset=len(found),
            )
            found += _entries(name, page)
            if not len(page["ids"]):
                return found, True
        return found, int(await self._run(location, held.count)) <= len(found)

    async def close(self) -> None:
        """Closes every store that was opened."""
        for store in self._stores.values():
            await store.close()
        self._stores.clear()

    async def _collection(self, location: Location) -> Any:
        store = await self._store(location)
        held = await store.find(location.collection)
        if held is None:
            client = store._client
            known = [one.name for one in await store.run(client.list_collections)]
            raise NotFound(
                f"There is no collection `{location.collection}` in {location.where}.",
                suggestions=nearest(location.collection, known),
            )
        return held

    async def _store(self, location: Location) -> VectorStore:
        async with self._opening:
            store = self._stores.get(location.where)
            if store is None:
                if location.path is not None:
                    folder = Path(location.path)
                    # Chroma would make an empty store in any folder that it is shown.
                    if not await asyncio.to_thread((folder / CHROMA_FILE).is_file):
                        raise DataFolderError(
                            f"{folder} is no folder of Chroma: it holds no {CHROMA_FILE}.",
                            hint="Name the folder that Chroma was given as its path.",
                        )
                    store = await VectorStore.open_embedded(folder)
                else:
                    store = await VectorStore.open_server(location.where)
                self._stores[location.where] = store
            return store

    async def _run(self, location: Location, function: Any, **arguments: Any) -> Any:
        return await self._stores[location.where].run(function, **arguments)


def check_dimension(location: Location, dimension: int, embedder: EmbedderSpec) -> None:
    """Raises `EmbedderMismatch` where vectors and embedder cannot be compared."""
    if dimension != embedder.dimension:
        raise EmbedderMismatch(
            f"The vectors of `{location.collection}` have {dimension} dimensions, and {embedder.model} makes"
            f" {embedder.dimension}. Attach it with the embedder that filled it: `loregraph memory attach … --embedder"
            " … --model … --dimension …`."
        )


def _entries(name: str, page: Mapping[str, Any]) -> list[ExternalEntry]:
    count = len(page["ids"])
    texts = page["documents"] or [None] * count
    metadatas = page["metadatas"] or [None] * count
    return [
        ExternalEntry(entry_key(name, id_), name, id_, text or "", dict(metadata or {}))
        for id_, text, metadata in zip(page["ids"], texts, metadatas, strict=True)
    ]
