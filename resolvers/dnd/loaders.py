"""Batch functions of the D&D room: one call for all parents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from resolvers.scope import Scope
from sources.dnd.store import DndShelf


async def documents(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[Any]:
    """The document of each key."""
    held = await scope.shelf("dnd", DndShelf).documents()
    return [held[key] for key in keys]
