"""Batch functions of the memory room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from resolvers.memory.queries import entries_by_key
from resolvers.scope import Scope


async def entries(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> list[Any]:
    """The entry of each key; null for one that was removed meanwhile."""
    found = await entries_by_key(scope, keys, columns)
    return [found.get(key) for key in keys]
