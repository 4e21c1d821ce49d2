"""The vector store of a house, opened when it is first needed and never in the way of a start."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

from filelock import FileLock, Timeout

from sources.errors import DataFolderError, LoregraphError
from sources.vector_settings import VectorSettings
from sources.vectors import Collection, Identity, VectorStore

log = logging.getLogger("loregraph.vectors")

_RETRY_SECONDS = 30.0

FOLDER = "chroma"
"""The folder of the vectors in the data folder."""


class VectorAccess:
    """One Chroma: the server that is set up, or the folder in `data_dir`, of which a process becomes the owner.

    Questions look at `opened` alone and do without vectors while it is None; what builds the index calls `store`.
    `doubted` are the collections that the builder is to look at again.
    """

    def __init__(self, data_dir: Path, settings: VectorSettings) -> None:
        self._data_dir = data_dir
        self._settings = settings
        self._opening = asyncio.Lock()
        self._collections: dict[tuple[str, Identity], Collection] = {}
        self.doubted: set[str] = set()
        self.opened: VectorStore | None = None

    @property
    def server(self) -> str | None:
        """The URL of the Chroma server; None where vectors lie in the data folder."""
        return self._settings.chroma_url

    async def store(self) -> VectorStore:
        """The store, opened now if it is not yet; tried again after a failure.

        Raises `DataFolderError` when another process owns the folder, `UpstreamUnavailable` when the server does
        not answer, `SourceNotConfigured` for a URL that cannot be used.
        """
        async with self._opening:
            if self.opened is None:
                if self._settings.chroma_url is None:
                    self.opened = await VectorStore.open_embedded(self._data_dir / FOLDER)
                else:
                    token = self._settings.chroma_token
                    self.opened = await VectorStore.open_server(
                        self._settings.chroma_url, token=None if token is None else token.get_secret_value()
                    )
            return self.opened

    async def keep_open(self) -> None:
        """Opens the store, and tries again for as long as that fails; until it is cancelled."""
        while self.opened is None:
            try:
                await self.store()
            except LoregraphError as error:
                log.warning("the vectors cannot be reached now: %s", error.message)
                await asyncio.sleep(_RETRY_SECONDS)

    async def collection(self, name: str, identity: Identity) -> Collection:
        """A collection of the store, remembered. Raises as `store` and `VectorStore.collection` do."""
        held = self._collections.get((name, identity))
        if held is None:
            held = await (await self.store()).collection(name, identity)
            self._collections[name, identity] = held
        return held

    def forget(self, name: str) -> None:
        """Looks for the collection anew next time: it was removed, perhaps by another process."""
        for known in [key for key in self._collections if key[0] == name]:
            del self._collections[known]

    def doubt(self, name: str) -> None:
        """Notes that a collection does not hold what it should: the builder looks at it again."""
        self.forget(name)
        self.doubted.add(name)

    async def drop(self, name: str) -> bool:
        """Removes a collection; says whether it was there. Raises as `store` does."""
        self.forget(name)
        return await (await self.store()).drop(name)

    def builder_lock(self) -> FileLock:
        """Held by the one process of this data folder that builds the index. Not acquired yet."""
        self._data_dir.mkdir(parents=True, exist_ok=True)
        return FileLock(self._data_dir / "index.lock", timeout=0, thread_local=False)

    async def close(self) -> None:
        """Closes what was opened, and gives the folder free."""
        self._collections.clear()
        if self.opened is not None:
            opened, self.opened = self.opened, None
            await opened.close()


def try_lock(lock: FileLock) -> bool:
    """Whether the lock is held now; False while another process holds it. Raises `DataFolderError`."""
    try:
        lock.acquire()
    except Timeout:
        return False
    except OSError as error:
        raise DataFolderError(
            f"The file {lock.lock_file} cannot be used: {error.strerror or error}.",
            hint="Change the owner or rights of its folder, or choose another with LOREGRAPH_DATA_DIR.",
        ) from None
    return True
