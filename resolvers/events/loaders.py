"""Batch functions of the events room: one statement for all events of a page. Keys are the events' numbers."""

from __future__ import annotations

from collections.abc import Sequence

from resolvers.scope import Scope
from sources.events.store import EventsShelf
from sources.page import Record


async def tags(scope: Scope, numbers: Sequence[int], columns: Sequence[str]) -> list[list[str]]:
    """The tags of each event."""
    found = await scope.shelf("events", EventsShelf).tags(numbers)
    return [found.get(number, []) for number in numbers]


async def sources(scope: Scope, numbers: Sequence[int], columns: Sequence[str]) -> list[list[Record]]:
    """The sources of each event."""
    found = await scope.shelf("events", EventsShelf).sources(numbers, columns)
    return [found.get(number, []) for number in numbers]


async def entities(scope: Scope, numbers: Sequence[int], columns: Sequence[str]) -> list[list[Record]]:
    """The entities of each event."""
    found = await scope.shelf("events", EventsShelf).entities(numbers, columns)
    return [found.get(number, []) for number in numbers]
