"""The live D&D 5e API: its lists of references, and the entries behind them.

`Dnd5e` lives as long as the process and remembers the whole lists and all entries; a `Dnd5eList` serves one
question. A list costs one request and tells names alone; where more is asked for, each record costs one more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sources.ability import Doubts
from sources.criteria import EVERYTHING, Criteria
from sources.dnd.dnd5e_catalogue import EQUIPMENT, VOCABULARIES
from sources.dnd.dnd5e_collections import INDEX, Collection, Surrounding
from sources.dnd.dnd5e_details import NAME, STALE_AGE, DetailLoader
from sources.dnd.dnd5e_endpoints import ENDPOINTS, Query
from sources.dnd.dnd5e_list import Dnd5eList, Order
from sources.dnd.dnd5e_made import Loaded, Made, older, read_references
from sources.dnd.embedded import SRD_2014
from sources.dnd.live_index import Cost, NameIndex
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records import Document
from sources.errors import UpstreamBadResponse, UpstreamError
from sources.http import Fetched, HostLimits, HttpClient
from sources.page import Record, record_class
from sources.web_address import read_url

__all__ = ["NAME", "Dnd5e", "Dnd5eList"]

log = logging.getLogger("loregraph.dnd.dnd5e")

HEADERS: Mapping[str, str] = {"accept-language": "en"}
"""Else it may answer in another language, by the caller's."""

LIST_AGE = timedelta(hours=24)


DOCUMENT = replace(SRD_2014, source="dnd5e")
"""The only document that it holds of the rules of 2014."""


def host_limits(rate: float) -> HostLimits:
    """Eight requests at once and `rate` a second. The public API refuses the 51st of a second."""
    return HostLimits(at_once=8, rate=rate, burst=8)


@dataclass(frozen=True, slots=True)
class _HeldList:
    rows: Sequence[Raw]
    fetched_at: datetime


@dataclass(frozen=True, slots=True)
class _Rows:
    """References of one list; `requests` were sent for it."""

    rows: Sequence[Raw]
    fetched_at: datetime
    requests: int = 0
    from_cache: bool = True
    stale: bool = False


class Dnd5e:
    """The client of one D&D 5e API server. `details` loads whole entries."""

    name = NAME

    def __init__(self, http: HttpClient, base_url: str) -> None:
        self._http = http
        # The public address has the API below `/api`; one that names a path is taken at its word.
        self._base = "" if read_url(base_url).target.strip("/") else "/api/2014"
        self.details = DetailLoader(http, self._base)
        self._held: dict[str, _HeldList] = {}
        self._made = Made()
        self._locks: dict[str, asyncio.Lock] = {}
        self._doubts = {kind: Doubts() for kind in ENDPOINTS}

    def list(self, kind: str, cost: Cost, criteria: Criteria = EVERYTHING, order: Order = ()) -> Dnd5eList:
        """The list of `kind` for one question, of which `criteria` and `order` are what it filters and sorts by."""
        return Dnd5eList(self, ENDPOINTS[kind], self._doubts[kind], cost, criteria, order)

    async def documents(self, cost: Cost) -> Mapping[str, Document]:
        """Its only document. Asks nothing."""
        return {DOCUMENT.key: DOCUMENT}

    async def words(self, vocabulary: str, cost: Cost) -> Sequence[str]:
        """The keys of an open vocabulary, sorted; it records no environments.

        Most are lists, which are read once a day; `damage_dice` takes all equipment. Raises `UpstreamError`.
        """
        if vocabulary == "environments":
            return ()
        if vocabulary == "damage_dice":
            rows = (await self.whole_list(EQUIPMENT.path, cost)).rows
            loaded = await self.load(EQUIPMENT, [str(raw["index"]) for raw in rows], (), cost)
            dice = {record.damage_dice for record in loaded.records.values()}
            return tuple(sorted(one for one in dice if one is not None))
        paths, key = VOCABULARIES[vocabulary]
        listed = [raw for path in paths for raw in (await self.whole_list(path, cost)).rows]
        return tuple(sorted({key(raw) for raw in listed if isinstance(raw.get("index"), str)}))

    async def index(self, kind: str, cost: Cost) -> NameIndex:
        """The index of all records of `kind`. Read once a day. Raises `UpstreamError`."""
        rows: list[tuple[str, str, str]] = []
        for collection in ENDPOINTS[kind].collections:
            listed = await self.whole_list(collection.path, cost)
            told = read_references(collection, listed.rows, cost)
            rows.extend((one["key"], one["name"], one["document_key"]) for one in told)
        return NameIndex(rows)

    async def by_keys(
        self, kind: str, keys: Sequence[str], columns: Sequence[str], cost: Cost
    ) -> dict[str, Record]:
        """The records that exist among `keys`, by key; a request for each that is not remembered.

        Raises `UpstreamError` and `QueryTooExpensive`.
        """
        return (await self.aged_by_keys(kind, keys, columns, cost))[0]

    async def aged_by_keys(
        self,
        kind: str,
        keys: Sequence[str],
        columns: Sequence[str],
        cost: Cost,
        places: Mapping[str, Collection] | None = None,
    ) -> tuple[dict[str, Record], datetime | None]:
        """The same, and when the oldest of them left the API. `places` are the collections of keys, where known."""
        endpoint = ENDPOINTS[kind]
        make = record_class(kind, tuple(columns))
        found: dict[str, Record] = {}
        oldest: datetime | None = None
        wanted = []
        for one in endpoint.collections:
            its = keys if places is None else [key for key in keys if places.get(key) is one]
            sure = places is not None or len(endpoint.collections) == 1
            wanted.append((one, await self._indexes(one, its, cost, sure=sure)))
        wanted = [(collection, indexes) for collection, indexes in wanted if indexes]
        await self.check([(one, tuple(indexes.values())) for one, indexes in wanted], columns, cost)
        for collection, indexes in wanted:
            loaded = await self.load(collection, tuple(indexes.values()), columns, cost)
            oldest = older(oldest, loaded.fetched_at)
            for key, index in indexes.items():
                record = loaded.records.get(index)
                if record is not None and record.key == key:
                    found[key] = make([collection.value(record, name, loaded.around) for name in columns])
        return found, oldest

    async def check(
        self,
        wanted: Sequence[tuple[Collection, Sequence[str]]],
        columns: Sequence[str],
        cost: Cost,
        cheap: Sequence[str] = (),
    ) -> None:
        """Raises `QueryTooExpensive` when the entries of these indexes, and what `columns` take around them, are more
        than the question may ask for."""
        entries = {(collection.path, tuple(indexes)) for collection, indexes in wanted if indexes}
        around = {
            one for collection, indexes in wanted if indexes for one in collection.surroundings(columns)
        }
        for one in around:
            entries.add((one.path, await self._entries(one, cost)))
        self.details.check(entries, cost, cheap)

    async def load(
        self, collection: Collection, indexes: Sequence[str], columns: Sequence[str], cost: Cost
    ) -> Loaded:
        """The records that exist among `indexes`, made so that they have `columns`.

        One that cannot be read is left out, and `cost` says so. Raises `UpstreamError`.
        """
        around: dict[str, Any] = {}
        loaded = Loaded({}, around)
        for one in collection.surroundings(columns) if indexes else ():
            details = await self.details.load(one.path, await self._entries(one, cost), cost)
            loaded.note(details)
            around[one.name] = self._made.around(one, list(details.raws.values()))
        details = await self.details.load(collection.path, indexes, cost)
        loaded.note(details)
        for index, raw in details.raws.items():
            try:
                loaded.records[index] = self._made.record(collection, index, raw, around)
            except MalformedRecord as error:
                log.warning("an entry of %s was left out: %s", collection.path, error)
                cost.losses.append(f"The {NAME} holds a {collection.kind} that cannot be read: {error}.")
        return loaded

    async def _entries(self, one: Surrounding, cost: Cost) -> tuple[str, ...]:
        rows = (await self.whole_list(one.path, cost)).rows
        indexes = (raw.get("index") for raw in rows)
        return tuple(
            one.entry(index) for index in indexes if isinstance(index, str) and INDEX.fullmatch(index)
        )

    async def _indexes(
        self, collection: Collection, keys: Sequence[str], cost: Cost, *, sure: bool
    ) -> dict[str, str]:
        """The indexes of those keys that a collection may have; its list tells, unless it is `sure` to have them."""
        possible = {key: index for key in keys if (index := collection.index_of(key)) is not None}
        if not possible or sure:
            return possible
        held = {raw.get("index") for raw in (await self.whole_list(collection.path, cost)).rows}
        return {key: index for key, index in possible.items() if index in held}

    async def whole_list(self, path: str, cost: Cost) -> _Rows:
        """All references of a collection. Read once a day; counts to `cost`. Raises `UpstreamError`."""
        held = self._held.get(path)
        if held is not None and _age(held) < LIST_AGE:
            return _Rows(held.rows, held.fetched_at)
        async with self._locks.setdefault(path, asyncio.Lock()):
            held = self._held.get(path)
            if held is not None and _age(held) < LIST_AGE:
                return _Rows(held.rows, held.fetched_at)
            try:
                listed = await self._ask(path, ())
            except UpstreamError as error:
                if held is None or _age(held) >= LIST_AGE + STALE_AGE:
                    raise
                log.warning("%s The list of %s that was read before stands in.", error, path)
                return _Rows(held.rows, held.fetched_at, stale=True)
            cost.requests += listed.requests
            self._held[path] = _HeldList(listed.rows, listed.fetched_at)
            return listed

    def remembered_length(self, path: str) -> int | None:
        """How many references the whole list of a collection has, if it is at hand."""
        held = self._held.get(path)
        return None if held is None else len(held.rows)

    async def filtered_list(self, collection: Collection, query: Query, cost: Cost) -> _Rows:
        """The references that the upstream's own filters leave. Raises `UpstreamError`."""
        if not query.parameters:
            return await self.whole_list(collection.path, cost)
        unknown = {name for name, _ in query.parameters} - collection.parameters
        if unknown:
            raise ValueError(f"{collection.path}: {sorted(unknown)} would be ignored")
        listed = await self._ask(collection.path, query.parameters)
        cost.requests += listed.requests
        return listed

    async def _ask(self, path: str, parameters: Sequence[tuple[str, str]]) -> _Rows:
        """A list. A 400 is our bug: an error, never an empty list."""
        fetched: Fetched = await self._http.get_json(
            f"{self._base}/{path}",
            tuple(parameters),
            fresh_seconds=LIST_AGE.total_seconds(),
            stale_seconds=STALE_AGE.total_seconds(),
            name=NAME,
        )
        body = fetched.value
        rows = body.get("results") if isinstance(body, Mapping) else None
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            raise UpstreamBadResponse(f"The {NAME} answered with something that is no list.", upstream=NAME)
        if body.get("count") != len(rows):
            raise UpstreamBadResponse(f"The {NAME} answered with a part of a list.", upstream=NAME)
        return _Rows(rows, fetched.fetched_at, fetched.requests, fetched.from_cache, fetched.stale)


def _age(held: _HeldList) -> timedelta:
    return datetime.now(UTC) - held.fetched_at
