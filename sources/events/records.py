"""The records of the events shelf that are no rows: what is held, and statistics over it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Holdings:
    """What is held at one data version: events by status, how many of all are the embedded sample, and since when."""

    version: int
    changed_at: datetime
    by_status: Mapping[str, int]
    sample: int

    @property
    def total(self) -> int:
        """All events, of whatever status."""
        return sum(self.by_status.values())


@dataclass(frozen=True, slots=True)
class Count:
    """How many events have one value of an attribute."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class TopEntity:
    """An entity, and how many events it takes part in."""

    id: str
    name: str
    type: str
    count: int


@dataclass(frozen=True, slots=True)
class Bucket:
    """The events of one span of time that begins at `start`, in microseconds since 1970."""

    start: int
    count: int
    mean_magnitude: float
    mean_confidence: float


@dataclass(slots=True)
class Totals:
    """How many events there are, and their means; null without any."""

    total: int = 0
    mean_magnitude: float | None = None
    mean_confidence: float | None = None
    by_category: list[Count] = field(default_factory=list)
