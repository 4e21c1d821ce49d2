"""A toy embedder and a toy collection of texts, for tests of the index that need no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from sources.database import Database
from sources.embedder import Embedder, Vectors, unit_length
from sources.embedder_settings import EmbedderSettings
from sources.embedders import Embedders, EmbedderSpec
from sources.errors import LoregraphError
from sources.http import Http
from sources.http_settings import HttpSettings
from sources.indexing import Indexable, Indexer, text_hash
from sources.semantic import SemanticIndex
from sources.text_index import tokens
from sources.vector_access import VectorAccess
from sources.vector_settings import VectorSettings

DIMENSION = 64


class ToyEmbedder(Embedder):
    """Words in common are nearness. `texts` are those that it was given; `failing` is raised in their place."""

    model = "toy"
    dimension = DIMENSION
    most_characters = 1_000

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.failing: LoregraphError | None = None

    async def embed(self, texts: Sequence[str]) -> Vectors:
        if self.failing is not None:
            raise self.failing
        self.texts += texts
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in tokens(text):
                vectors[row, blake2b(word.encode(), digest_size=4).digest()[0] % DIMENSION] += 1
        return unit_length(vectors)


class ToyEmbedders(Embedders):
    """One toy for whatever is asked for."""

    def __init__(self) -> None:
        super().__init__(EmbedderSettings(), Http(HttpSettings()))
        self.toy = ToyEmbedder()

    def of(self, spec: EmbedderSpec | None = None) -> Embedder:
        return self.toy


class Notes(Indexable):
    """Texts in memory, which a test may change."""

    room = "toy"

    def __init__(self, name: str, notes: Mapping[str, str]) -> None:
        self.collection = f"toy:{name}"
        self.notes = dict(notes)

    async def version(self) -> str:
        return text_hash(repr(sorted(self.notes.items())))

    async def hashes(self) -> Mapping[str, str]:
        return {key: text_hash(text) for key, text in self.notes.items()}

    async def texts(self, ids: Sequence[str]) -> Mapping[str, str]:
        return {key: self.notes[key] for key in ids if key in self.notes}


class ToyIndex:
    """An indexer over some notes, and what asks its index."""

    def __init__(
        self, database: Database, folder: Path, *notes: Notes, settings: VectorSettings | None = None
    ) -> None:
        self.database = database
        self.rooms: dict[str, list[Notes]] = {"toy": list(notes)}
        self.embedders = ToyEmbedders()
        self.access = VectorAccess(folder, settings or VectorSettings())
        self.indexer = Indexer(database, self.access, self.embedders, self._indexables)
        self.semantic = SemanticIndex(database, self.access, self.embedders)

    async def _indexables(self) -> Mapping[str, Sequence[Indexable]]:
        return self.rooms

    async def find(self, notes: Notes, text: str, most: int = 3) -> list[str]:
        """The ids nearest to a text, by the index alone."""
        reach = await self.semantic.reach(notes)
        vector = await self.semantic.vector(notes, text)
        return [near.id for near in await self.semantic.nearest(notes, reach, vector, most)]

    async def close(self) -> None:
        await self.access.close()
