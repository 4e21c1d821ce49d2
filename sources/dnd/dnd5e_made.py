"""Records that were made of entries of the D&D 5e API, kept so that each is made once."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sources.dnd.dnd5e_collections import Around, Collection, Surrounding
from sources.dnd.dnd5e_details import NAME, Details
from sources.dnd.live_index import Cost
from sources.dnd.parsing import MalformedRecord, Raw
from sources.errors import UpstreamBadResponse

log = logging.getLogger("loregraph.dnd.dnd5e")

_UNREADABLE = (MalformedRecord, AttributeError, KeyError, TypeError, ValueError)
"""What reading an entry of another shape ends in."""


class Made:
    """What was made of entries, as long as these stay the same objects."""

    def __init__(self) -> None:
        self._records: dict[tuple[str, str, tuple[str, ...]], tuple[Raw, tuple[Any, ...], Any]] = {}
        self._around: dict[str, tuple[Sequence[Raw], Any]] = {}

    def around(self, one: Surrounding, raws: Sequence[Raw]) -> Any:
        """What a surrounding makes of its entries. Raises `UpstreamBadResponse` when they cannot be read."""
        held = self._around.get(one.name)
        if held is None or not _same(held[0], raws):
            try:
                held = self._around[one.name] = (raws, one.make(raws))
            except _UNREADABLE as error:
                raise UpstreamBadResponse(
                    f"The {NAME} holds entries of {one.path} that cannot be read.", upstream=NAME
                ) from error
        return held[1]

    def record(self, collection: Collection, index: str, raw: Raw, around: Around) -> Any:
        """The record of an entry. Raises MalformedRecord when it cannot be read."""
        place, surroundings = (collection.path, index, tuple(around)), tuple(around.values())
        held = self._records.get(place)
        if held is None or held[0] is not raw or not _same(held[1], surroundings):
            try:
                record = collection.read(raw, around)
            except MalformedRecord:
                raise
            except _UNREADABLE as error:
                raise MalformedRecord(index, "(unknown)", "has another shape than expected") from error
            held = self._records[place] = (raw, surroundings, record)
        return held[2]


def _same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def read_references(collection: Collection, rows: Sequence[Raw], cost: Cost) -> list[dict[str, Any]]:
    """What references tell. One that cannot be read is left out, and `cost` says so."""
    told = []
    for raw in rows:
        try:
            told.append(collection.told(raw))
        except MalformedRecord as error:
            log.warning("a reference of %s was left out: %s", collection.path, error)
            cost.losses.append(f"A {collection.kind} that the {NAME} lists cannot be read: {error}.")
    return told


def older(one: datetime | None, other: datetime | None) -> datetime | None:
    """The earlier of two times, of which either may be unknown."""
    return one if other is None else other if one is None else min(one, other)


@dataclass(slots=True)
class Loaded:
    """Whole records of one collection, by index, with what was read around them; the rest as in `Details`."""

    records: dict[str, Any]
    around: Around
    fetched_at: datetime | None = None
    asked: bool = False
    stale: bool = False

    def note(self, details: Details) -> None:
        """Counts what was loaded."""
        self.asked = self.asked or details.asked
        self.stale = self.stale or details.stale
        self.fetched_at = older(self.fetched_at, details.fetched_at)
