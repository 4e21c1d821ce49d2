"""Mirroring: what a room says of an upstream that can be held here whole, and of what became of it.

The command `loregraph sync NAME` walks the rooms and knows nothing else of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from sources.source import Report, Resources


@dataclass(frozen=True, slots=True)
class MirrorOptions:
    """How to mirror.

    - `target`: the database of the resources, as it was opened: processes that mirror into it keep apart by it
    - `documents`: keys of those to mirror, all when None; a later mirror replaces the choice
    """

    target: str
    documents: Sequence[str] | None = None


@dataclass(slots=True)
class KindChanges:
    """How many records of one kind became of each sort; `quarantined` are those that were turned away."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    quarantined: int = 0


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A record that was turned away: the upstream's `list`, its `key` where it has one, and the `reason`."""

    list: str
    key: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class MirrorOutcome:
    """What became of a mirror.

    - `upstream`: its base URL; `documents`: keys of those that are mirrored now
    - `changed`: whether any record differs from what was held; `kinds`: by kind of record
    - `quarantined`: what was turned away
    - `requests`: sent to the upstream; `resumed`: pages that an earlier, stopped run had read already
    """

    upstream: str
    documents: tuple[str, ...]
    changed: bool
    kinds: Mapping[str, KindChanges]
    quarantined: tuple[Quarantined, ...]
    requests: int
    resumed: int


class Mirror(ABC):
    """Holds an upstream in the tables of one room."""

    title: ClassVar[str]
    """The upstream's name for people."""

    @abstractmethod
    async def run(
        self, resources: Resources, settings: Any, options: MirrorOptions, report: Report
    ) -> MirrorOutcome:
        """Reads all of the upstream, then replaces what is held of it in one transaction.

        A run that was stopped is gone on with by the next. Reports as "reading NAME" and "writing NAME". Raises
        LoregraphError: `BadInput` for an unknown document, `UpstreamError`, and when another run is under way;
        what is held then stays as it was.
        """

    @abstractmethod
    async def remove(
        self, resources: Resources, options: MirrorOptions, report: Report
    ) -> Mapping[str, KindChanges]:
        """Goes back to the embedded data; returns what changed, by kind. Nothing mirrored: nothing changes."""
