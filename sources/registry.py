"""The databases that a room keeps by name, as the commands that manage them speak of them.

The command `loregraph memory …` walks the rooms for the one that has a registry, and knows nothing else of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from sources.database import Database
from sources.embedders import Embedders, EmbedderSpec


@dataclass(frozen=True, slots=True)
class Location:
    """Where the collection of an external database is: on a Chroma server, or in a folder of this machine."""

    collection: str
    url: str | None = None
    path: str | None = None

    @property
    def where(self) -> str:
        """The server or the folder, for people."""
        return self.url or self.path or ""


@dataclass(frozen=True, slots=True)
class KeptDatabase:
    """One database.

    - `active`: it is asked at all; `public`: whoever reaches the server may ask it
    - `embedded`: it comes with loregraph, and is filled by it
    - `entries`: how many it holds; None for an external one, which is not counted
    - `revision`: changes whenever one of its entries does
    - `location`: of an external one, which is only read
    """

    name: str
    description: str
    embedder: EmbedderSpec
    active: bool
    public: bool
    embedded: bool
    entries: int | None
    revision: str
    location: Location | None = None

    @property
    def managed(self) -> bool:
        """Whether its entries lie in SQL, and loregraph makes their vectors."""
        return self.location is None


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to become of a database; None leaves a thing as it is."""

    description: str | None = None
    active: bool | None = None
    public: bool | None = None


class Registry(ABC):
    """Manages the databases of one room. Every change is one transaction, and moves the room's data version.

    All raise `BadInput` for a name that is unknown, taken or cannot be one.
    """

    @abstractmethod
    async def all(self, database: Database) -> Sequence[KeptDatabase]:
        """All databases, by name."""

    @abstractmethod
    async def create(
        self, database: Database, name: str, description: str, embedder: EmbedderSpec, *, public: bool
    ) -> None:
        """Makes an empty database, which is active."""

    @abstractmethod
    async def attach(
        self,
        database: Database,
        name: str,
        description: str,
        embedder: EmbedderSpec,
        location: Location,
        embedders: Embedders,
        *,
        public: bool,
    ) -> int:
        """Makes an existing collection of Chroma known, to be read; returns how many entries it holds.

        It is looked at first. Raises `EmbedderMismatch` when its vectors are of another dimension than `embedder`
        makes, `NotFound` when it is not there, and what stands between.
        """

    @abstractmethod
    async def change(self, database: Database, name: str, changes: Changes) -> KeptDatabase:
        """Changes what is said of a database; returns it as it is then."""

    @abstractmethod
    async def drop(self, database: Database, name: str) -> int:
        """Removes a database with its entries; returns how many they were. An external one is only forgotten."""
