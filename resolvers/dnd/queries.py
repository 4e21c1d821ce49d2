"""Spells and creatures: lists, single records, and records by key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from resolvers.dnd.vocabulary import resolve_key, settle
from resolvers.listing import RecordStore, list_records
from resolvers.question import Answer, Question
from resolvers.scope import Scope
from sources.dnd.embedded import SRD_2014
from sources.dnd.store import DndShelf
from sources.errors import BadInput, NotFound, UpstreamUnavailable, nearest, shorten
from sources.page import OrderKey, Record
from sources.provenance import Provenance
from sources.sql_store import SqlStore

BY_NAME = (OrderKey("name"),)


async def find_spells(scope: Scope, question: Question) -> Answer:
    """The spells that `question` asks for. Raises `BadInput` for an unknown open value or a foreign cursor."""
    shelf = scope.shelf("dnd", DndShelf)
    return await find_records(shelf, shelf.spells, question)


async def find_creatures(scope: Scope, question: Question) -> Answer:
    """The creatures that `question` asks for. Raises `BadInput` for an unknown open value or a foreign cursor."""
    shelf = scope.shelf("dnd", DndShelf)
    return await find_records(shelf, shelf.creatures, question)


async def get_spell(scope: Scope, key: str, editions: Sequence[str], columns: Sequence[str]) -> Record:
    """One spell by key or unique slug. Raises `NotFound` with the nearest keys, `BadInput` for an ambiguous slug."""
    shelf = scope.shelf("dnd", DndShelf)
    return await _get(shelf, shelf.spells, key, editions, columns)


async def get_creature(scope: Scope, key: str, editions: Sequence[str], columns: Sequence[str]) -> Record:
    """One creature by key or unique slug. Raises as `get_spell` does."""
    shelf = scope.shelf("dnd", DndShelf)
    return await _get(shelf, shelf.creatures, key, editions, columns)


async def spells_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    """The spells that exist among `keys`."""
    return await scope.shelf("dnd", DndShelf).spells.by_keys(keys, columns)


async def creatures_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    """The creatures that exist among `keys`."""
    return await scope.shelf("dnd", DndShelf).creatures.by_keys(keys, columns)


async def find_records(shelf: DndShelf, store: RecordStore, question: Question) -> Answer:
    """The page of a store's records that `question` asks for, its open values settled. Raises as `find_spells`."""
    version, written = await shelf.data()
    if not version:
        raise _nothing_held()
    missing: list[str] = []
    criteria = await settle(question.criteria, shelf, store.kind, missing)
    provenance = Provenance("dnd", providers=("local",), fetched_at=written)
    if missing:
        provenance.complete = False
        provenance.warnings.append(f"No document of edition {', '.join(missing)} is held here.")
    if set(await shelf.documents()) == {SRD_2014.key}:
        provenance.warnings.append(f"Only the embedded {SRD_2014.name} (`{SRD_2014.key}`) is held here.")
    return await list_records(store, replace(question, criteria=criteria), provenance)


async def _get(
    shelf: DndShelf, store: SqlStore, text: str, editions: Sequence[str], columns: Sequence[str]
) -> Record:
    version, _ = await shelf.data()
    if not version:
        raise _nothing_held()
    documents = [
        key
        for key, document in (await shelf.documents()).items()
        if not editions or document.edition in editions
    ]
    held = await shelf.keys(store.kind)
    meant = resolve_key(text, held, documents)
    if len(meant) > 1:
        raise BadInput("is the slug of several records; give the whole key.", argument="key", allowed=meant)
    if not meant:
        within = f" in the editions {', '.join(editions)}" if editions else ""
        known = sorted(key for key, document in held.items() if document in documents)
        raise NotFound(
            f"No {store.kind} has the key `{shorten(text)}`{within}.",
            argument="key",
            suggestions=nearest(text, known),
        )
    records = await store.by_keys(meant, columns)
    return records[meant[0]]


def _nothing_held() -> UpstreamUnavailable:
    return UpstreamUnavailable(
        "No D&D records are held here yet. The operator loads them with `loregraph seed`.", upstream="dnd"
    )
