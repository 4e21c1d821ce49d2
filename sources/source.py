"""What a source is: how it is described, opened, seeded and asked for its health."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from pydantic_settings import BaseSettings

from sources.database import Database
from sources.http import Http

if TYPE_CHECKING:
    from sources.importing import Importer
    from sources.mirroring import Mirror

SettingsT = TypeVar("SettingsT", bound=BaseSettings)


class SourceState(StrEnum):
    """How well a source can answer."""

    READY = "ready"
    DEGRADED = "degraded"
    UNAVAILABLE = "unavailable"
    NOT_CONFIGURED = "not_configured"


@dataclass(frozen=True, slots=True)
class RecordCount:
    """How many records of one kind a source holds."""

    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class SourceLicence:
    """A licence under which records of a source are offered, with the attribution it asks for."""

    name: str
    url: str | None
    attribution: str | None


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source's health and contents at one moment.

    `message` says what to do when it is not ready; of a ready one, what to know of its data.
    """

    name: str
    title: str
    description: str
    state: SourceState
    message: str | None
    data_version: str | None
    counts: tuple[RecordCount, ...]
    licences: tuple[SourceLicence, ...]


@dataclass(frozen=True, slots=True)
class Resources:
    """What the house lends to every source when it opens."""

    database: Database
    data_dir: Path
    http: Http


class ProbeVerdict(StrEnum):
    """How an upstream's ability compares with what is declared of it."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNTRIED = "untried"
    """The upstream's records gave no value that tells one from the other."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One ability of an upstream, tried: where, by which parameter, how it went, and the figures behind it."""

    where: str
    parameter: str
    verdict: ProbeVerdict
    detail: str


Report = Callable[[str, int, int], None]
"""Called with what is being done, how much is done, and how much there is: `("spells", 120, 319)`."""


class Shelf(ABC):
    """An opened source. Each room adds its own stores and clients."""

    @abstractmethod
    async def status(self) -> SourceStatus:
        """Health and contents, asked of the data itself. Never raises for a source that is down."""

    async def probe(self) -> Sequence[Probe]:
        """Tries everything that is declared of the source's upstreams, on the upstreams themselves.

        Costs them many requests: for a person who asks, never for a start or a question. A source without
        upstreams has nothing to try. Raises UpstreamError where an upstream cannot be asked.
        """
        return ()

    async def complaints(self) -> tuple[str, ...]:
        """What a person should mend, in sentences, though the source answers; `doctor` tells it."""
        return ()

    async def close(self) -> None:
        """Lets go of what the source opened for itself; what was lent stays open."""


class Source(ABC, Generic[SettingsT]):
    """A source before it is opened. One instance, `SOURCE`, is exported by each room of `sources/`."""

    name: ClassVar[str]
    """The room's name, the same in every layer."""
    title: ClassVar[str]
    description: ClassVar[str]
    settings_type: type[SettingsT]
    importer: ClassVar[Importer | None] = None
    """What `loregraph import` runs for this room; None where nothing can be imported."""
    mirrors: ClassVar[Mapping[str, Mirror]] = {}
    """What `loregraph sync NAME` runs for this room, by name."""

    @abstractmethod
    async def open(self, resources: Resources, settings: SettingsT) -> Shelf:
        """Opens the source on migrated tables. Raises `LoregraphError` when it cannot be opened at all."""

    def seed(self, database: Database, settings: SettingsT, report: Report) -> bool:
        """Fills the source's tables with its embedded data where they are empty or out of date.

        Runs in one transaction per source, under the house's lock, off the event loop. Returns whether
        anything was written. Sources without embedded data have nothing to do.
        """
        return False

    def remove_sample(self, database: Database) -> int | None:
        """Removes the sample records that seeding wrote, for good: a later start does not bring them back.

        Returns how many were removed; None for a source whose embedded data is no sample.
        """
        return None
