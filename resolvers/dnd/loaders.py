"""Batch functions of the D&D room: one call for all parents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from resolvers.dnd.live import live_documents
from resolvers.scope import Scope
from sources.dnd.store import DndShelf


async def documents(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[Any]:
    """The document of each key: of records that are held here, and of live ones."""
    shelf = scope.shelf("dnd", DndShelf)
    held = await shelf.documents()
    if shelf.open5e is not None and not held.keys() >= set(keys):
        held = {**await live_documents(shelf.open5e), **held}
    return [held[key] for key in keys]
