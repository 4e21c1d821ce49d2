"""Statistics over events: only the parts that are wanted are reckoned, and each is kept until the data changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from resolvers.events.queries import provenance_of, statuses_of
from resolvers.events.visibility import check_statuses
from resolvers.scope import Scope
from sources.criteria import Criteria
from sources.errors import BadInput
from sources.events import statistics
from sources.events.records import Bucket, Count, TopEntity, Totals
from sources.events.statistics import MOST_BUCKETS, TooManyBuckets
from sources.events.store import EventsShelf
from sources.provenance import Provenance

PARTS: dict[str, Callable[[EventsShelf, Criteria], Awaitable[Any]]] = {
    "by_status": statistics.by_status,
    "by_source_type": statistics.by_source_type,
    "by_entity_type": statistics.by_entity_type,
    "top_tags": statistics.top_tags,
    "top_entities": statistics.top_entities,
}


@dataclass(frozen=True, slots=True)
class EventStatistics:
    """What was reckoned of it; a part that was not wanted is empty."""

    total: int
    mean_magnitude: float | None
    mean_confidence: float | None
    by_category: list[Count]
    provenance: Provenance
    by_status: list[Count] = field(default_factory=list)
    by_source_type: list[Count] = field(default_factory=list)
    by_entity_type: list[Count] = field(default_factory=list)
    top_tags: list[Count] = field(default_factory=list)
    top_entities: list[TopEntity] = field(default_factory=list)
    buckets: list[Bucket] = field(default_factory=list)


async def event_statistics(
    scope: Scope, criteria: Criteria, wanted: Collection[str], *, bucket: str, top: int
) -> EventStatistics:
    """The parts named in `wanted` over the events that `criteria` ask for; `top` bounds the most frequent ones.

    Raises `Forbidden` for a status that the caller may not see, and `BadInput` for too many buckets.
    """
    shelf = scope.shelf("events", EventsShelf)
    check_statuses(scope, statuses_of(criteria))
    provenance = await provenance_of(scope, shelf, criteria)
    totals = Totals()
    if {"total", "mean_magnitude", "mean_confidence", "by_category"} & set(wanted):
        totals = await _kept(shelf, "totals", criteria, statistics.totals)
    parts: dict[str, Any] = {
        name: await _kept(shelf, name, criteria, reckon) for name, reckon in PARTS.items() if name in wanted
    }
    for name in ("top_tags", "top_entities"):
        if name in parts:
            parts[name] = parts[name][:top]
    if "buckets" in wanted:
        try:
            parts["buckets"] = await _kept(
                shelf, f"buckets {bucket}", criteria, partial(statistics.buckets, width=bucket)
            )
        except TooManyBuckets:
            raise BadInput(
                f"{bucket} gives more than {MOST_BUCKETS} spans of time. Choose a longer one, or a narrower range.",
                argument="bucket",
            ) from None
    return EventStatistics(
        totals.total,
        totals.mean_magnitude,
        totals.mean_confidence,
        totals.by_category,
        provenance,
        **parts,
    )


async def _kept(
    shelf: EventsShelf,
    name: str,
    criteria: Criteria,
    reckon: Callable[[EventsShelf, Criteria], Awaitable[Any]],
) -> Any:
    """An answer from memory while the data is the same, else from the database."""
    key = (name, criteria)
    version, known = await shelf.remembered(key)
    if known is None:
        known = await reckon(shelf, criteria)
        shelf.remember(version, key, known)
    return known
