"""The databases that a caller may ask: their list, one by its name, and what a tool says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from resolvers.memory.visibility import check_reachable, readable
from resolvers.scope import Scope
from sources.errors import BadInput, nearest, shorten
from sources.memory.store import MemoryShelf
from sources.registry import KeptDatabase

SUFFIX_DATABASES = 20
SUFFIX_CHARACTERS = 160
"""Of each description, in a tool's: more of them make it worse for the reader."""


@dataclass(frozen=True, slots=True)
class DatabaseRecord:
    """One database, and how far it is indexed by meaning."""

    name: str
    description: str
    kind: str
    model: str
    dimension: int
    public: bool
    entries: int | None
    indexed: int | None
    ready: bool


def shelf_of(scope: Scope) -> MemoryShelf:
    """The opened room, for a caller who may read it. Raises Forbidden, and as `Scope.shelf` does."""
    check_reachable(scope)
    return scope.shelf("memory", MemoryShelf)


async def active_databases(scope: Scope) -> list[KeptDatabase]:
    """The databases that this caller may ask, by name. Raises Forbidden where there can be none."""
    shelf = shelf_of(scope)
    return readable(scope, await shelf.databases())


async def active_database(scope: Scope, name: str) -> KeptDatabase:
    """One of them. Raises `BadInput` with their names for any other."""
    active = await active_databases(scope)
    for kept in active:
        if kept.name == name:
            return kept
    names = [kept.name for kept in active]
    if not names:
        raise BadInput(f"does not know `{shorten(name)}`: no memory database is active.", argument="dbName")
    raise BadInput(
        f"does not know an active database `{shorten(name)}`.",
        argument="dbName",
        allowed=names,
        suggestions=nearest(name, names),
    )


async def list_databases(scope: Scope) -> Sequence[DatabaseRecord]:
    """The active databases."""
    shelf = shelf_of(scope)
    return [await _record(shelf, kept) for kept in await active_databases(scope)]


async def _record(shelf: MemoryShelf, kept: KeptDatabase) -> DatabaseRecord:
    indexed, ready = None, True
    if kept.managed:
        reach = await shelf.semantic.reach(shelf.indexed(kept))
        ready = reach.whole
        indexed = kept.entries if ready else min(reach.indexed, kept.entries or 0)
    return DatabaseRecord(
        kept.name,
        kept.description,
        "managed" if kept.managed else "external",
        kept.embedder.model,
        kept.embedder.dimension,
        kept.public,
        kept.entries,
        indexed,
        ready,
    )


async def databases_in_words(scope: Scope) -> str:
    """What the tool's description says of the databases that this caller may ask; empty without any."""
    shelf = scope.shelves.get("memory")
    if not isinstance(shelf, MemoryShelf):
        return ""
    active = readable(scope, await shelf.databases())
    if not active:
        return ""
    lines = [f"- {kept.name}: {shorten(kept.description, SUFFIX_CHARACTERS)}" for kept in active]
    said = ["Active databases:", *lines[:SUFFIX_DATABASES]]
    if len(lines) > SUFFIX_DATABASES:
        said.append(f"and {len(lines) - SUFFIX_DATABASES} more, which `list_memory_databases` tells.")
    return "\n".join(said)
