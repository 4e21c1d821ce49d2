"""An embedder behind any endpoint that speaks OpenAI's `POST /embeddings`: OpenAI itself, or one's own server."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from sources.embedder import Embedder, Vectors, unit_length
from sources.errors import UpstreamBadResponse
from sources.http import HttpClient

NAME = "The embedding service"
LARGEST_BATCH = 100
"""Texts in one request; the protocol allows 2,048, and smaller ones are tried again more cheaply."""


class OpenAiEmbedder(Embedder):
    """Asks `http`, which is bound to the base URL and carries the key.

    `shorten` sends the wanted dimension, which only some models understand; without it the dimension of what
    comes is checked all the same.
    """

    most_characters = 8_000

    def __init__(self, http: HttpClient, model: str, dimension: int, *, shorten: bool) -> None:
        self._http = http
        self._remote = model
        self._shorten = shorten
        self.model = f"openai:{model}:{dimension}"
        self.dimension = dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """The vectors of `texts`, by one request for each hundred. Raises `UpstreamError`."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), LARGEST_BATCH):
            # An empty input is refused by the protocol, and has no meaning to ask for.
            batch = [text[: self.most_characters] or " " for text in texts[start : start + LARGEST_BATCH]]
            vectors[start : start + len(batch)] = await self._ask(batch)
        return unit_length(vectors)

    async def _ask(self, texts: list[str]) -> Vectors:
        body: dict[str, Any] = {"model": self._remote, "input": texts, "encoding_format": "float"}
        if self._shorten:
            body["dimensions"] = self.dimension
        fetched = await self._http.post_json("/embeddings", body, fresh_seconds=0, name=NAME)
        rows = fetched.value.get("data") if isinstance(fetched.value, dict) else None
        if not isinstance(rows, list) or len(rows) != len(texts):
            raise UpstreamBadResponse(f"{NAME} did not answer a vector for each text.", upstream=NAME)
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        seen: set[int] = set()
        for position, row in enumerate(rows):
            place, vector = self._read(row, position)
            if not 0 <= place < len(texts) or place in seen:
                raise UpstreamBadResponse(f"{NAME} did not answer a vector for each text.", upstream=NAME)
            seen.add(place)
            vectors[place] = vector
        return vectors

    def _read(self, row: Any, position: int) -> tuple[int, list[float]]:
        """The place of a vector among the texts, and the vector."""
        vector = row.get("embedding") if isinstance(row, dict) else None
        if not isinstance(vector, list) or not all(
            isinstance(value, int | float) and math.isfinite(value) for value in vector
        ):
            raise UpstreamBadResponse(f"{NAME} answered with something that is no vector.", upstream=NAME)
        if len(vector) != self.dimension:
            raise UpstreamBadResponse(
                f"{NAME} answered vectors of {len(vector)} dimensions, not {self.dimension}: see"
                " `LOREGRAPH_EMBEDDER_DIMENSION`.",
                upstream=NAME,
            )
        place = row.get("index", position)
        return (place if isinstance(place, int) else -1), vector
