"""Batch functions of the D&D room: one call for all parents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from resolvers.dnd.live_provider import live_of
from resolvers.scope import Scope
from sources.dnd.records import Document
from sources.dnd.store import DndShelf


async def documents(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[Any]:
    """The document of each key: of records that are held here, and of live ones."""
    shelf = scope.shelf("dnd", DndShelf)
    held: Mapping[str, Document] = await shelf.documents()
    for live in live_of(shelf):
        if held.keys() >= set(keys):
            break
        held = {**await live.documents(), **held}
    return [held[key] for key in keys]
