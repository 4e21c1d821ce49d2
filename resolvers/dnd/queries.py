"""Spells and creatures: lists, single records, and records by key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

import anyio

from resolvers.dnd.live_provider import chosen_live, first_live
from resolvers.dnd.provider import AUTO_SECONDS, Provider, key_is_elsewhere, not_held, within_held
from resolvers.dnd.vocabulary import resolve_key, settle
from resolvers.listing import RecordStore, list_records
from resolvers.question import Answer, Question
from resolvers.scope import Scope
from sources.deadline import bounded_by
from sources.dnd.embedded import SRD_2014
from sources.dnd.store import NOTHING, DndShelf
from sources.errors import BadInput, NotFound, UpstreamError, UpstreamUnavailable, nearest, shorten
from sources.page import OrderKey, Record
from sources.provenance import Provenance
from sources.sql_store import SqlStore

BY_NAME = (OrderKey("name"),)


class KeyedStore(Protocol):
    """A store that finds its records by key."""

    kind: str

    async def by_keys(self, keys: Iterable[str], columns: Sequence[str]) -> dict[str, Record]:
        """The records that exist among `keys`."""
        ...


async def find_spells(scope: Scope, question: Question, provider: Provider = Provider.AUTO) -> Answer:
    """The spells that `question` asks for.

    Raises `BadInput` for an unknown open value or a foreign cursor; of an explicit live provider also
    `UpstreamError`, `QueryTooExpensive` and `SourceNotConfigured`.
    """
    shelf = scope.shelf("dnd", DndShelf)
    return await find_provided(shelf, shelf.spells, question, provider)


async def find_creatures(scope: Scope, question: Question, provider: Provider = Provider.AUTO) -> Answer:
    """The creatures that `question` asks for. Raises as `find_spells` does."""
    shelf = scope.shelf("dnd", DndShelf)
    return await find_provided(shelf, shelf.creatures, question, provider)


async def get_spell(
    scope: Scope,
    key: str,
    editions: Sequence[str],
    columns: Sequence[str],
    provider: Provider = Provider.AUTO,
) -> Record:
    """One spell by key or unique slug.

    Raises `NotFound` with the nearest keys, `BadInput` for an ambiguous slug, `UpstreamError` where only the live
    provider could have it.
    """
    shelf = scope.shelf("dnd", DndShelf)
    return await _get_provided(shelf, shelf.spells, key, editions, columns, provider)


async def get_creature(
    scope: Scope,
    key: str,
    editions: Sequence[str],
    columns: Sequence[str],
    provider: Provider = Provider.AUTO,
) -> Record:
    """One creature by key or unique slug. Raises as `get_spell` does."""
    shelf = scope.shelf("dnd", DndShelf)
    return await _get_provided(shelf, shelf.creatures, key, editions, columns, provider)


async def spells_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    """The spells that exist among `keys`; those of documents that are not held here are asked of a live provider."""
    shelf = scope.shelf("dnd", DndShelf)
    return await records_by_key(shelf, shelf.spells, keys, columns)


async def creatures_by_key(scope: Scope, keys: Sequence[str], columns: Sequence[str]) -> dict[str, Record]:
    """The creatures that exist among `keys`; those of documents that are not held here are asked of a live provider."""
    shelf = scope.shelf("dnd", DndShelf)
    return await records_by_key(shelf, shelf.creatures, keys, columns)


async def find_provided(
    shelf: DndShelf, store: RecordStore, question: Question, provider: Provider
) -> Answer:
    """The page that `question` asks of the provider that is to answer.

    AUTO asks a live one where what is held here cannot answer whole, and falls back to what is held. Raises as
    `find_spells`, and `BadInput` for an explicit provider that does not have the kind of records asked for.
    """
    kind = store.kind
    if provider is Provider.LOCAL:
        return await find_records(shelf, store, question)
    if provider is not Provider.AUTO:
        return await chosen_live(shelf, provider, kind, question.criteria).find(kind, question)
    live = first_live(shelf, kind, question.criteria)
    if live is None:
        return await find_records(shelf, store, question)
    held = await shelf.data() is not NOTHING
    lacking = await not_held(question.criteria, shelf, kind) if held else ["anything"]
    if not lacking:
        return await find_records(shelf, store, question)
    try:
        with bounded_by(anyio.current_time() + AUTO_SECONDS):
            return await live.find(kind, question)
    except UpstreamError as error:
        if not held or question.page.after is not None:
            raise  # A page that goes on another provider's list would be no page of it.
        reason = error.message
    except BadInput as error:
        if error.argument != "after":
            raise
        reason = f"This page goes on a list that was begun while {live.name} could not be asked."
    criteria = await within_held(question.criteria, shelf, kind)
    loss = f"{reason} What is held here answers, without {', '.join(lacking)}."
    return await find_records(shelf, store, replace(question, criteria=criteria), losses=(loss,))


async def find_records(
    shelf: DndShelf, store: RecordStore, question: Question, *, losses: Sequence[str] = ()
) -> Answer:
    """The page of a store's records that `question` asks for, its open values settled.

    `losses` say what is missing from it for a reason known already. Raises as `find_spells`.
    """
    data = await shelf.data()
    if data is NOTHING:
        raise _nothing_held()
    missing: list[str] = []
    criteria = await settle(question.criteria, shelf, store.kind, missing)
    provenance = Provenance("dnd", providers=("local",), fetched_at=data.changed_at)
    if missing:
        provenance.complete = False
        provenance.warnings.append(f"No document of edition {', '.join(missing)} is held here.")
    if losses:
        provenance.complete = False
        provenance.warnings.extend(losses)
    if all(document.source == SRD_2014.source for document in (await shelf.documents()).values()):
        provenance.warnings.append(f"Only the embedded {SRD_2014.name} (`{SRD_2014.key}`) is held here.")
    return await list_records(store, replace(question, criteria=criteria), provenance)


async def _get_provided(
    shelf: DndShelf,
    store: SqlStore,
    text: str,
    editions: Sequence[str],
    columns: Sequence[str],
    provider: Provider,
) -> Record:
    kind = store.kind
    if provider not in (Provider.AUTO, Provider.LOCAL):
        return await chosen_live(shelf, provider, kind).get(kind, text, editions, columns)
    live = first_live(shelf, kind) if provider is Provider.AUTO else None
    if live is not None:
        nothing = await shelf.data() is NOTHING
        held = {document.edition for document in (await shelf.documents()).values()}
        elsewhere = await key_is_elsewhere(text, shelf, kind)
        if nothing or elsewhere or not held.issuperset(editions):
            # What is held here cannot tell whether it exists, so a failure is no "not found".
            with bounded_by(anyio.current_time() + AUTO_SECONDS):
                return await live.get(kind, text, editions, columns)
    return await _get(shelf, store, text, editions, columns)


async def records_by_key(
    shelf: DndShelf, store: KeyedStore, keys: Sequence[str], columns: Sequence[str]
) -> dict[str, Record]:
    """The records of a store that exist among `keys`; a live provider is asked for those of documents that are
    not held here. Raises `UpstreamError`."""
    found = await store.by_keys(keys, columns)
    missing = [key for key in keys if key not in found]
    live = first_live(shelf, store.kind) if missing else None
    if live is not None:
        elsewhere = [key for key in missing if await key_is_elsewhere(key, shelf, store.kind)]
        if elsewhere:
            found |= await live.by_keys(store.kind, elsewhere, columns)
    return found


async def _get(
    shelf: DndShelf, store: SqlStore, text: str, editions: Sequence[str], columns: Sequence[str]
) -> Record:
    if await shelf.data() is NOTHING:
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
