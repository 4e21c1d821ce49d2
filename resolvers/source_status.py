"""The health and contents of every source of this server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import anyio

from resolvers.scope import Scope
from sources.source import Shelf, SourceStatus


async def all_statuses(scope: Scope) -> Sequence[SourceStatus]:
    """One status for each source, opened or not, in the house's order; asked side by side."""
    found: dict[str, SourceStatus] = dict(scope.unopened)
    async with anyio.create_task_group() as tasks:
        for name, shelf in scope.shelves.items():
            tasks.start_soon(_ask, name, shelf, found)
    return [found[name] for name in _in_order(scope.shelves, scope.unopened)]


async def _ask(name: str, shelf: Shelf, found: dict[str, SourceStatus]) -> None:
    found[name] = await shelf.status()


def _in_order(shelves: Mapping[str, Shelf], unopened: Mapping[str, SourceStatus]) -> list[str]:
    return sorted({*shelves, *unopened})
