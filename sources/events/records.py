"""The records of the events shelf that are no rows: what is held, and statistics over it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Holdings:
    """What is held at one data version: how many events of the embedded sample, whether others, and since when."""

    version: int
    changed_at: datetime
    sample: int
    imported: bool


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
