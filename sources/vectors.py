"""Vectors in Chroma, embedded in this process or on a Chroma server.

What the measurements taught, and this module holds to:

- A Chroma folder has exactly one owner process: two writers lose vectors without an error, and a reader never
  sees what another process wrote. So the folder is locked while it is open.
- Chroma cannot tell vectors of two models apart where they have one dimension. So each collection carries the
  model, the dimension and the version of its texts, and all three are checked whenever it is opened.
- A text that comes without its vector makes Chroma download a model. So no text ever goes to it.
- Adding an id that is there keeps the old row. So rows are always upserted, in batches that it can take.

The collections are a derived index: what they hold can be made again from SQL, and is, when they disagree.
"""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from filelock import FileLock, Timeout

from sources.embedder import Vectors
from sources.errors import (
    DataFolderError,
    EmbedderMismatch,
    SourceNotConfigured,
    UpstreamError,
    UpstreamUnavailable,
)

log = logging.getLogger("loregraph.vectors")

NAME = "The vector store"
LARGEST_BATCH = 5_000
"""Rows of one upsert; Chroma 1.5 refuses more than 5,461."""
_PAGE = 5_000
_SERVER_SECONDS = 60.0
_THREADS = 4
_PREFIX = "lg."


@dataclass(frozen=True, slots=True)
class Identity:
    """What made the vectors of a collection: the model, its dimension, and the version of the texts it was given."""

    model: str
    dimension: int
    text_version: int

    def written(self) -> dict[str, str | int]:
        """As it stands in a collection's metadata, beside the distance that its index is built for."""
        return {
            "loregraph:model": self.model,
            "loregraph:dimension": self.dimension,
            "loregraph:text_version": self.text_version,
        }


@dataclass(frozen=True, slots=True)
class Near:
    """A row near to a vector: its id, and the cosine of the angle between the two, -1 to 1."""

    id: str
    score: float


def encode_name(name: str) -> str:
    """`name` as a collection can be called: Chroma takes 3 to 512 of few characters, and people take any.

    Raises ValueError for a name that is too long to be written so.
    """
    encoded = _PREFIX + base64.b32hexencode(name.encode()).decode().rstrip("=").lower() + "x"
    if len(encoded) > 512:
        raise ValueError("the name of a collection holds at most 315 bytes")
    return encoded


def decode_name(encoded: str) -> str | None:
    """The name behind `encode_name`'s; None for a collection that is not loregraph's."""
    text = encoded.removeprefix(_PREFIX).removesuffix("x").upper()
    if not encoded.startswith(_PREFIX) or not encoded.endswith("x"):
        return None
    try:
        return base64.b32hexdecode(text + "=" * (-len(text) % 8)).decode()
    except ValueError:
        return None


class CollectionGone(UpstreamUnavailable):
    """A collection that was there is there no more: another process removed it, or the server lost its data."""


class VectorStore:
    """One Chroma. Made by `open_embedded` or `open_server`."""

    def __init__(self, client: Any, *, threads: ThreadPoolExecutor | None, lock: FileLock | None) -> None:
        self._client = client
        self._threads = threads
        self._lock = lock

    @classmethod
    async def open_embedded(cls, folder: Path) -> VectorStore:
        """The Chroma in `folder`, which is made where it is not there, owned by this process until it closes.

        Raises `DataFolderError` when another process owns it, or when it cannot be read and written.
        """
        lock = await asyncio.to_thread(_own, folder)
        threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="chroma")
        try:
            client = await asyncio.get_running_loop().run_in_executor(threads, _persistent_client, folder)
        except Exception as error:
            # Chroma raises errors of its Rust core, of SQLite and of the system alike, and keeps what it failed
            # to open for whoever asks next.
            _forget_failed()
            lock.release()
            threads.shutdown(wait=False)
            log.exception("the vectors in %s cannot be opened", folder)
            raise DataFolderError(
                f"The vectors in {folder} cannot be opened.",
                hint=f"Move the folder away: `loregraph index` builds it anew. Chroma says: {type(error).__name__}.",
            ) from error
        return cls(client, threads=threads, lock=lock)

    @classmethod
    async def open_server(cls, url: str, *, token: str | None = None) -> VectorStore:
        """The Chroma server at `url`, `http://host:port`. Raises `UpstreamUnavailable` when it does not answer,
        `SourceNotConfigured` for a URL that cannot be used."""
        import chromadb
        from chromadb.config import Settings

        address = urlsplit(url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise SourceNotConfigured("The address of the Chroma server is no URL like `http://host:8000`.")
        headers = {"authorization": f"Bearer {token}"} if token else {}
        try:
            client = await chromadb.AsyncHttpClient(
                host=address.hostname,
                port=address.port or (443 if address.scheme == "https" else 80),
                ssl=address.scheme == "https",
                headers=headers,
                # Chroma trusts any certificate unless it is told not to.
                settings=Settings(anonymized_telemetry=False, chroma_server_ssl_verify=True),
            )
        except Exception as error:
            raise _explained(error) from error
        return cls(client, threads=None, lock=None)

    @property
    def embedded(self) -> bool:
        """Whether it lives in this process, which is then the only one that may use it."""
        return self._threads is not None

    async def names(self) -> list[str]:
        """The names of loregraph's collections, sorted. Raises `UpstreamError`."""
        found: list[str] = []
        while page := await self.run(self._client.list_collections, limit=1_000, offset=len(found)):
            found += [one.name for one in page]
        return sorted(name for one in found if (name := decode_name(one)) is not None)

    async def collection(self, name: str, identity: Identity) -> Collection:
        """The collection of that name, made where it is not there.

        Raises `EmbedderMismatch` when another model, dimension or version of texts filled it; `UpstreamError`.
        """
        held = await self.find(encode_name(name))
        if held is None:
            configuration = {"hnsw": {"space": "cosine"}}
            held = await self.run(
                self._client.get_or_create_collection,
                encode_name(name),
                metadata=identity.written(),
                configuration=configuration,
                embedding_function=None,
            )
        # Chroma ignores new metadata of a collection that is there, so what it carries is read back.
        carried = dict(held.metadata or {})
        if {key: carried.get(key) for key in identity.written()} != identity.written():
            raise EmbedderMismatch(
                f"The vectors of `{name}` were made by {carried.get('loregraph:model', 'an unknown model')}"
                f" with {carried.get('loregraph:dimension', '?')} dimensions, and are asked with"
                f" {identity.model} with {identity.dimension}. Set the embedder that made them, or run"
                " `loregraph index` to make them anew."
            )
        return Collection(self, held, identity.dimension)

    async def find(self, raw_name: str) -> Any | None:
        """Chroma's own collection under its raw name; None when it is not there. Raises `UpstreamError`."""
        import chromadb.errors

        try:
            return await self.run(self._client.get_collection, raw_name, embedding_function=None)
        except chromadb.errors.NotFoundError:
            return None

    async def drop(self, name: str) -> bool:
        """Removes a collection; says whether it was there. Raises `UpstreamError`."""
        if await self.find(encode_name(name)) is None:
            return False
        await self.run(self._client.delete_collection, encode_name(name))
        return True

    async def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """One call of Chroma: awaited on a server, in a thread where it is embedded. Raises `UpstreamError`,
        `DataFolderError` for a disk that cannot be written, and chromadb's NotFoundError."""
        import chromadb.errors

        try:
            if self._threads is None:
                # Chroma's own client waits for ever.
                async with asyncio.timeout(_SERVER_SECONDS):
                    return await function(*args, **kwargs)
            call = partial(function, *args, **kwargs)
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)
        except chromadb.errors.NotFoundError:
            raise
        except Exception as error:
            raise _explained(error) from error

    async def close(self) -> None:
        """Ends the threads after their turn, and gives the folder free."""
        if self._threads is not None:
            await asyncio.to_thread(self._threads.shutdown, wait=True, cancel_futures=True)
            await asyncio.to_thread(self._client.close)
        else:
            await self._client._server.__aexit__(None, None, None)
        if self._lock is not None:
            self._lock.release()


class Collection:
    """The vectors of one kind of thing, each under an id, beside the hash of the text that it was made from."""

    def __init__(self, store: VectorStore, held: Any, dimension: int) -> None:
        self._store = store
        self._held = held
        self._dimension = dimension

    async def upsert(self, ids: Sequence[str], vectors: Vectors, hashes: Sequence[str]) -> None:
        """Writes rows, in the place of those with the same ids. Raises `EmbedderMismatch` for vectors of another
        dimension, `UpstreamError`, `DataFolderError`."""
        self._check(vectors)
        last = {key: place for place, key in enumerate(ids)}
        places = sorted(last.values())  # Chroma refuses a call that names an id twice: the last one stands.
        for start in range(0, len(places), LARGEST_BATCH):
            part = places[start : start + LARGEST_BATCH]
            await self._run(
                self._held.upsert,
                ids=[ids[place] for place in part],
                embeddings=vectors[part],
                metadatas=[{"hash": hashes[place]} for place in part],
            )

    async def remove(self, ids: Iterable[str]) -> None:
        """Removes rows; those that are not there are no error. Raises `UpstreamError`."""
        wanted = list(dict.fromkeys(ids))
        for start in range(0, len(wanted), LARGEST_BATCH):
            await self._run(self._held.delete, ids=wanted[start : start + LARGEST_BATCH])

    async def hashes(self) -> Mapping[str, str]:
        """The hash beside each id: what an index that is built step by step compares with. Raises `UpstreamError`."""
        found: dict[str, str] = {}
        while True:
            page = await self._run(self._held.get, include=["metadatas"], limit=_PAGE, offset=len(found))
            for key, metadata in zip(page["ids"], page["metadatas"] or (), strict=True):
                found[key] = str((metadata or {}).get("hash", ""))
            if len(page["ids"]) < _PAGE:
                return found

    async def count(self) -> int:
        """How many rows there are. Raises `UpstreamError`."""
        return int(await self._run(self._held.count))

    async def nearest(self, vectors: Vectors, most: int) -> list[list[Near]]:
        """For each vector the rows nearest to it, nearest first, at most `most`. Raises `EmbedderMismatch`,
        `UpstreamError`."""
        self._check(vectors)
        if most < 1 or not len(vectors):
            return [[] for _ in vectors]
        answer = await self._run(
            self._held.query, query_embeddings=vectors, n_results=most, include=["distances"]
        )
        return [
            [Near(key, 1.0 - float(distance)) for key, distance in zip(ids, distances, strict=True)]
            for ids, distances in zip(answer["ids"], answer["distances"], strict=True)
        ]

    async def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """The vectors that exist among `ids`. Raises `UpstreamError`."""
        found: dict[str, Vectors] = {}
        wanted = list(dict.fromkeys(ids))
        for start in range(0, len(wanted), _PAGE):
            page = await self._run(self._held.get, ids=wanted[start : start + _PAGE], include=["embeddings"])
            rows = np.asarray(page["embeddings"], dtype=np.float32)
            found |= dict(zip(page["ids"], rows, strict=True))
        return found

    async def _run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        import chromadb.errors

        try:
            return await self._store.run(function, *args, **kwargs)
        except chromadb.errors.NotFoundError:
            raise CollectionGone(f"{NAME} lost what it held; it is built anew.", upstream=NAME) from None

    def _check(self, vectors: Vectors) -> None:
        if vectors.ndim != 2 or vectors.shape[1] != self._dimension:
            raise EmbedderMismatch(
                f"A vector of {vectors.shape[-1]} dimensions cannot be compared with vectors of"
                f" {self._dimension}."
            )


def _own(folder: Path) -> FileLock:
    # Not bound to a thread: it is taken in one and given back in another.
    lock = FileLock(folder / "owner.lock", timeout=0, thread_local=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise DataFolderError(
            f"The vectors in {folder} are in use by another loregraph process.",
            hint="Only one process may own them: stop the other, or run a Chroma server and set"
            " LOREGRAPH_CHROMA_URL for all.",
        ) from None
    except OSError as error:
        raise DataFolderError(
            f"The folder {folder} cannot be used: {error.strerror or error}.",
            hint="Change its owner or rights, or choose another with LOREGRAPH_DATA_DIR.",
        ) from None
    return lock


def _persistent_client(folder: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    return chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))


def _forget_failed() -> None:
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()


def _explained(error: Exception) -> Exception:
    """What Chroma raised, as ours: it raises plain ValueErrors, its own, httpx's and those of its Rust core."""
    if isinstance(error, UpstreamError | DataFolderError | EmbedderMismatch):
        return error
    text = str(error)
    log.warning("Chroma: %s: %s", type(error).__name__, text[:500])
    lowered = text.lower()
    if "dimension" in lowered:
        return EmbedderMismatch("The vectors have another dimension than those that they are compared with.")
    if "full" in lowered or "readonly" in lowered or "read-only" in lowered:
        return DataFolderError(
            "The vectors cannot be written: the disk is full or read-only.",
            hint="Free some space; `loregraph index` goes on where it stopped.",
        )
    return UpstreamUnavailable(f"{NAME} does not answer.", upstream=NAME)
