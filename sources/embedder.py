"""Turning texts into vectors whose nearness is nearness of meaning.

An embedder is known by its `model`, which stands beside every vector that it made: vectors of two models say
nothing about each other, even where they have as many dimensions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""One row for each text, each of length 1 (cosine similarity is the dot product)."""


class Embedder(ABC):
    """Makes vectors of texts.

    - `model`: names the model and how it is run, and never changes for the vectors that it made
    - `dimension`: of its vectors
    - `most_characters`: what a text says beyond these has no weight in its vector
    """

    model: str
    dimension: int
    most_characters: int

    @abstractmethod
    async def embed(self, texts: Sequence[str]) -> Vectors:
        """The vectors of `texts`, in their order; a text without a word has a vector too.

        Raises `SourceNotConfigured` where the model cannot be used as things are set up, and `UpstreamError`
        where it is asked over the network.
        """

    async def embed_one(self, text: str) -> Vectors:
        """The vector of one text, of one dimension."""
        row: Vectors = (await self.embed([text]))[0]
        return row

    async def close(self) -> None:
        """Lets go of the model."""


def unit_length(vectors: Vectors) -> Vectors:
    """The rows at length 1; a row of zeros stays as it is, near to nothing."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return scaled
