"""Memory entries: the list of one database, and entries by key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from resolvers.listing import list_records
from resolvers.memory.databases import active_database, active_databases, shelf_of
from resolvers.memory.external_listing import ExternalListing
from resolvers.question import Answer, Question
from resolvers.scope import Scope
from sources.criteria import Criteria, Op, Predicate, all_of
from sources.memory.records import split_key
from sources.page import OrderKey
from sources.provenance import Provenance
from sources.registry import KeptDatabase

NEWEST = (OrderKey("timestamp", descending=True), OrderKey("key"))
ROOM = "memory"


async def find_entries(scope: Scope, name: str, question: Question) -> Answer:
    """The entries of one database that `question` asks for. Raises `BadInput` for a name that is not active."""
    shelf = shelf_of(scope)
    kept = await active_database(scope, name)
    provenance = Provenance(ROOM, providers=(kept.name,))
    if kept.location is not None:
        listing = await ExternalListing.read(shelf, kept, provenance)
        return await list_records(listing, question, provenance)
    asked = replace(question, criteria=within(kept, question.criteria))
    return await list_records(shelf.entries, asked, provenance)


def within(kept: KeptDatabase, criteria: Criteria) -> Criteria:
    """`criteria` within one database."""
    return all_of((Predicate("database", Op.EQUALS, kept.name), criteria))


async def entries_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Any]:
    """The entries of active databases that exist among `keys`. Raises Forbidden where none may be read."""
    shelf = shelf_of(scope)
    active = {kept.name: kept for kept in await active_databases(scope)}
    managed: list[str] = []
    external: dict[str, list[str]] = {}
    for key in keys:
        kept = active.get(split_key(key)[0])
        if kept is not None and kept.managed:
            managed.append(key)
        elif kept is not None:
            external.setdefault(kept.name, []).append(split_key(key)[1])
    found: dict[str, Any] = dict(await shelf.entries.by_keys(managed, columns)) if managed else {}
    for name, ids in external.items():
        location = active[name].location
        assert location is not None
        found |= {entry.key: entry for entry in await shelf.external.by_ids(name, location, ids)}
    return found
