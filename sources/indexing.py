"""Building the index: vectors of everything that a house can be asked for by meaning.

A room says what it has (`Shelf.indexables`); the builder compares the hashes of its texts with those beside the
vectors, and makes what is missing, a batch at a time. So a new text costs one vector, a crash costs one batch, and a
folder of vectors that was lost is built anew. SQL is the truth; nothing here is ever read back into it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from sources.database import Database
from sources.embedders import Embedders, EmbedderSpec
from sources.errors import DataFolderError, EmbedderMismatch, LoregraphError
from sources.index_state import IndexState, index_states, remove_index_states, write_index_state
from sources.vector_access import VectorAccess, try_lock
from sources.vectors import Collection, Identity

if TYPE_CHECKING:
    from sources.source import Report

log = logging.getLogger("loregraph.index")

BATCH = 64
"""Texts between two writes: what a crash costs, and what a question waits for at most an eighth of."""
_STATE_SECONDS = 2.0
"""Between two notes of how far it is: each is a write that other writers wait for."""
_RETRY_SECONDS = 30.0


class Indexable(ABC):
    """One collection of texts of a room, each under an id of its own.

    - `room`: its name; `collection`: that of the collection, which begins with the room's and a colon: `dnd:spell`
    - `text_version`: moved by hand when the texts are made in another way, so that all are embedded anew
    - `embedder`: who makes the vectors; None for the one that is set up
    """

    room: str
    collection: str
    text_version: int = 1
    embedder: EmbedderSpec | None = None

    @abstractmethod
    async def version(self) -> str:
        """Changes whenever a text does. Cheap: it is looked at every few seconds."""

    @abstractmethod
    async def hashes(self) -> Mapping[str, str]:
        """The hash of every text, by its id; see `text_hash`."""

    @abstractmethod
    async def texts(self, ids: Sequence[str]) -> Mapping[str, str]:
        """The texts that exist among `ids`."""


def text_hash(text: str) -> str:
    """A digest of a text, by which a changed one is told."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


Indexables = Callable[[], Awaitable[Mapping[str, Sequence[Indexable]]]]
"""Everything that is to be indexed, by room. A room that cannot say now is left out: nothing of it is removed."""


def silent(what: str, done: int, total: int) -> None:
    """A report that nobody reads."""


@dataclass(frozen=True, slots=True)
class Built:
    """What one pass did: texts that got a vector, vectors that were removed, collections that failed, and why."""

    embedded: int
    removed: int
    failed: Mapping[str, str]


class Indexer:
    """The builder. `run_once` brings everything up to date; `run` does so for as long as it lives."""

    def __init__(
        self,
        database: Database,
        access: VectorAccess,
        embedders: Embedders,
        indexables: Indexables,
        *,
        poll_seconds: float = 2.0,
    ) -> None:
        self._database = database
        self._access = access
        self._embedders = embedders
        self._indexables = indexables
        self._poll_seconds = poll_seconds
        # What this process saw to be whole, with the version that it had then.
        self._whole: dict[str, tuple[Identity, str]] = {}

    async def run(self) -> None:
        """Looks every few seconds whether something changed, and indexes it; until it is cancelled."""
        while True:
            wait = self._poll_seconds
            try:
                await self._access.store()
                built = await self.run_once()
                if built.embedded or built.removed:
                    log.info("indexed %d texts, removed %d", built.embedded, built.removed)
                if built.failed:
                    wait = max(wait, _RETRY_SECONDS)
            except LoregraphError as error:
                log.warning("the index is not built now: %s", error.message)
                wait = max(wait, _RETRY_SECONDS)
            except Exception:
                # A fault here must not end the server, which answers without vectors.
                log.exception("the index is not built now")
                wait = max(wait, _RETRY_SECONDS)
            await asyncio.sleep(wait)

    async def run_once(self, report: Report = silent, *, must: bool = False) -> Built:
        """Indexes whatever is new or changed, and removes what is gone; nothing when another process is at it.

        With `must` that is an error. Raises `DataFolderError` or `UpstreamError` when the vectors cannot be reached at
        all; what fails for one collection stands in its state, and the others go on.
        """
        wanted = await self._indexables()
        if await self._is_done(wanted):
            return Built(0, 0, {})
        lock = self._access.builder_lock()
        if not await asyncio.to_thread(try_lock, lock):
            if must:
                raise DataFolderError(
                    "Another loregraph process of this data folder is indexing.",
                    hint="Wait for it to end: a server indexes by itself. `loregraph doctor` says how far it is.",
                )
            return Built(0, 0, {})
        try:
            return await self._build(wanted, report)
        finally:
            lock.release()

    async def _is_done(self, wanted: Mapping[str, Sequence[Indexable]]) -> bool:
        things = [thing for of_room in wanted.values() for thing in of_room]
        if {thing.collection for thing in things} != set(self._whole) or self._access.doubted:
            return False
        for thing in things:
            identity, version = self._whole[thing.collection]
            if version != await thing.version() or identity != self._identity(thing):
                return False
        return True

    def _identity(self, thing: Indexable) -> Identity | None:
        try:
            return identity_of(thing, self._embedders)
        except LoregraphError:
            return None

    async def _build(self, wanted: Mapping[str, Sequence[Indexable]], report: Report) -> Built:
        embedded = removed = 0
        failed: dict[str, str] = {}
        await self._remove_unlisted(wanted)
        for thing in (thing for of_room in wanted.values() for thing in of_room):
            try:
                made, gone = await _Pass(self._database, self._access, self._embedders, thing).run(report)
                embedded, removed = embedded + made[0], removed + gone
                self._whole[thing.collection] = made[1], made[2]
            except DataFolderError:
                raise
            except LoregraphError as error:
                log.warning("the collection %s is not indexed now: %s", thing.collection, error.message)
                failed[thing.collection] = error.message
                self._whole.pop(thing.collection, None)
                await self._note_failure(thing, error)
        return Built(embedded, removed, failed)

    async def _note_failure(self, thing: Indexable, error: LoregraphError) -> None:
        states = {state.collection: state for state in await index_states(self._database, thing.room)}
        held = states.get(thing.collection)
        state = IndexState(
            thing.collection,
            thing.room,
            held.model if held else "",
            None,
            held.indexed if held else 0,
            held.total if held else len(await thing.hashes()),
            error.public,
        )
        await asyncio.to_thread(write_index_state, self._database, state)

    async def _remove_unlisted(self, wanted: Mapping[str, Sequence[Indexable]]) -> None:
        """Removes the collections of rooms that spoke, and did not name them."""
        listed = {thing.collection for of_room in wanted.values() for thing in of_room}
        for name in await (await self._access.store()).names():
            if name not in listed and name.partition(":")[0] in wanted:
                await self._access.drop(name)
        for room in wanted:
            gone = [
                state.collection
                for state in await index_states(self._database, room)
                if state.collection not in listed
            ]
            if gone:
                await asyncio.to_thread(remove_index_states, self._database, gone)
        self._whole = {name: held for name, held in self._whole.items() if name in listed}


def identity_of(thing: Indexable, embedders: Embedders) -> Identity:
    """What the vectors of `thing` are made by. Raises `SourceNotConfigured`."""
    embedder = embedders.of(thing.embedder)
    return Identity(embedder.model, embedder.dimension, thing.text_version)


class _Pass:
    """Bringing one collection up to date."""

    def __init__(
        self, database: Database, access: VectorAccess, embedders: Embedders, thing: Indexable
    ) -> None:
        self._database = database
        self._access = access
        self._thing = thing
        self._embedder = embedders.of(thing.embedder)
        self._identity = identity_of(thing, embedders)
        self._noted = 0.0

    async def run(self, report: Report) -> tuple[tuple[int, Identity, str], int]:
        """How many vectors were made, by what, at which version of the texts; and how many were removed."""
        collection = await self._collection()
        self._access.doubted.discard(self._thing.collection)
        # The vectors before the texts: what another process adds meanwhile is then not taken for gone.
        held = await collection.hashes()
        version = await self._thing.version()
        wanted = await self._thing.hashes()
        gone = [key for key in held if key not in wanted]
        todo = [key for key, hash_ in wanted.items() if held.get(key) != hash_]
        total, done = len(wanted), len(wanted) - len(todo)
        if gone or todo:
            await self._note(done, total, None)
        await collection.remove(gone)
        report(self._thing.collection, done, total)
        for start in range(0, len(todo), BATCH):
            ids = todo[start : start + BATCH]
            texts = await self._thing.texts(ids)
            present = [key for key in ids if key in texts]
            vectors = await self._embedder.embed([texts[key] for key in present])
            if present:
                # The hash that was seen first: a text that changed since is found again, since its hash differs.
                await collection.upsert(present, vectors, [wanted[key] for key in present])
            done += len(ids)
            report(self._thing.collection, done, total)
            if time.monotonic() - self._noted > _STATE_SECONDS:
                await self._note(done, total, None)
        await self._note(total, total, version)
        return (len(todo), self._identity, version), len(gone)

    async def _collection(self) -> Collection:
        try:
            return await self._access.collection(self._thing.collection, self._identity)
        except EmbedderMismatch as mismatch:
            # Another model, or texts made in another way: all of it is made anew.
            log.info("%s is indexed anew: %s", self._thing.collection, mismatch.message)
            await self._access.drop(self._thing.collection)
            return await self._access.collection(self._thing.collection, self._identity)

    async def _note(self, done: int, total: int, version: str | None) -> None:
        self._noted = time.monotonic()
        state = IndexState(
            self._thing.collection, self._thing.room, self._identity.model, version, done, total
        )
        await asyncio.to_thread(write_index_state, self._database, state)
