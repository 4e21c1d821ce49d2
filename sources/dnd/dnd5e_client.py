"""The live D&D 5e API: its lists of references, and the entries behind them.

`Dnd5e` lives as long as the process and remembers the whole lists and all entries; a `Dnd5eList` serves one
question. A list costs one request and tells names alone; where more is asked for, each record costs one more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection as Many
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from sources.ability import Doubts, UpstreamPage
from sources.criteria import Op, Predicate, matches
from sources.dnd.dnd5e_collections import Collection
from sources.dnd.dnd5e_details import NAME, STALE_AGE, DetailLoader
from sources.dnd.dnd5e_endpoints import ENDPOINTS, Endpoint, Query, compile_query
from sources.dnd.embedded import SRD_2014
from sources.dnd.live_index import Cost, NameIndex
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records import Document, Reference
from sources.errors import UpstreamBadResponse, UpstreamError
from sources.http import Fetched, HostLimits, HttpClient
from sources.page import Record, record_class
from sources.text_index import fold
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

    def __init__(self, http: HttpClient, base_url: str, *, most_details: int | None = None) -> None:
        self._http = http
        # The public address has the API below `/api`; one that names a path is taken at its word.
        self._base = "" if read_url(base_url).target.strip("/") else "/api/2014"
        self.details = DetailLoader(http, self._base)
        if most_details is not None:
            self.details.most = most_details
        self._held: dict[str, _HeldList] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._doubts = {kind: Doubts() for kind in ENDPOINTS}

    def list(self, kind: str, cost: Cost, alone: Mapping[str, int] | None = None) -> Dnd5eList:
        """The list of `kind` for one question; `alone` as `Dnd5eList` explains it."""
        return Dnd5eList(self, ENDPOINTS[kind], self._doubts[kind], cost, alone or {})

    async def documents(self, cost: Cost) -> Mapping[str, Document]:
        """Its only document. Asks nothing."""
        return {DOCUMENT.key: DOCUMENT}

    async def words(self, vocabulary: str, cost: Cost) -> Sequence[str]:
        """The keys of `classes`, sorted; it records no environments. Read once a day. Raises `UpstreamError`."""
        if vocabulary == "environments":
            return ()
        rows = (await self.whole_list(vocabulary, cost)).rows
        return tuple(sorted(f"srd_{raw['index']}" for raw in rows if isinstance(raw.get("index"), str)))

    async def index(self, kind: str, cost: Cost) -> NameIndex:
        """The index of all records of `kind`. Read once a day. Raises `UpstreamError`."""
        rows: list[tuple[str, str, str]] = []
        for collection in ENDPOINTS[kind].collections:
            listed = await self.whole_list(collection.path, cost)
            told = _told(collection, listed.rows, cost)
            rows.extend((one["key"], one["name"], one["document_key"]) for one in told)
        return NameIndex(rows)

    def remembered_index(self, kind: str) -> NameIndex | None:
        """None: a list is asked for by those who need it, and remembered there."""
        return None

    async def by_keys(
        self, kind: str, keys: Sequence[str], columns: Sequence[str], cost: Cost
    ) -> dict[str, Record]:
        """The records that exist among `keys`, by key; a request for each that is not remembered.

        Raises `UpstreamError` and `QueryTooExpensive`.
        """
        return (await self.aged_by_keys(kind, keys, columns, cost))[0]

    async def aged_by_keys(
        self, kind: str, keys: Sequence[str], columns: Sequence[str], cost: Cost
    ) -> tuple[dict[str, Record], datetime | None]:
        """The same, and when the oldest of them left the API."""
        make = record_class(kind, tuple(columns))
        found: dict[str, Record] = {}
        times: list[datetime] = []
        for collection in ENDPOINTS[kind].collections:
            indexes = {key: index for key in keys if (index := collection.index_of(key)) is not None}
            loaded = await self.details.load(collection, tuple(indexes.values()), cost)
            if loaded.fetched_at is not None:
                times.append(loaded.fetched_at)
            for key, index in indexes.items():
                record = loaded.records.get(index)
                if record is not None and record.key == key:
                    found[key] = make([collection.value(record, column) for column in columns])
        return found, min(times, default=None)

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


class Dnd5eList:
    """The list of one kind, for one question; `resolvers/planned_listing.py` reads it.

    `alone` names attributes that the question uses in nothing but conditions that all must hold, with the number of
    these. Where a list applied all of them itself, its rows need not be read whole only to compare them again.
    `queries` are the lists that were asked for, in the upstream's own words.
    """

    key = "key"
    name = NAME

    def __init__(
        self, client: Dnd5e, endpoint: Endpoint, doubts: Doubts, cost: Cost, alone: Mapping[str, int]
    ) -> None:
        self.client = client
        self.endpoint = endpoint
        self.kind = endpoint.kind
        self.abilities = endpoint.abilities
        self.doubts = doubts
        self.cost = cost
        self.queries: list[str] = []
        self._alone = alone

    def listed(self, columns: Sequence[str]) -> bool:
        """Whether references alone tell `columns`."""
        return all(collection.listed.issuperset(columns) for collection in self.endpoint.collections)

    async def fetch(
        self, parameters: Mapping[str, str], offset: int, limit: int, columns: Sequence[str]
    ) -> UpstreamPage:
        """Rows `offset` to `offset + limit`, each with `columns`.

        A record that cannot be read is left out, and the question's cost says so. Raises `UpstreamError`, and
        `QueryTooExpensive` where more entries are needed than one question may ask for.
        """
        query = compile_query(self.endpoint, parameters)
        if query.nothing:
            self.cost.requests -= 1  # The planner counts one.
            return UpstreamPage((), has_more=False)
        given = self._given(parameters, query)
        make = record_class(self.kind, tuple(columns))
        records: list[Record] = []
        times: list[datetime] = []
        asked = stale = False
        for collection in self.endpoint.collections:
            listed = await self.client.filtered_list(collection, query, self.cost)
            self._note(collection, query, listed)
            told = [
                one
                for one in _told(collection, listed.rows, self.cost)
                if _is_meant(query, one["key"], one["name"])
            ]
            times.append(listed.fetched_at)
            asked, stale = asked or not listed.from_cache, stale or listed.stale
            if collection.listed.union(given).issuperset(columns):
                records += [make([{**given, **one}[column] for column in columns]) for one in told]
                continue
            details = await self.client.details.load(
                collection, [collection.index(one["slug"]) for one in told], self.cost, self.endpoint.cheap
            )
            asked, stale = asked or details.asked, stale or details.stale
            if details.fetched_at is not None:
                times.append(details.fetched_at)
            for one in told:
                record = details.records.get(collection.index(one["slug"]))
                if record is not None:
                    records.append(make([collection.value(record, column) for column in columns]))
        self.cost.requests -= asked  # The planner counts one for each page that is not from the cache.
        return UpstreamPage(
            records[offset : offset + limit],
            has_more=len(records) > offset + limit,
            fetched_at=min(times, default=None),
            from_cache=not asked,
            stale=stale,
        )

    async def complete_subset(self, predicate: Predicate) -> Many[Any] | None:
        """The keys whose names fulfil `predicate` in a way that the upstream does not see: it folds no accents."""
        if predicate.attribute != "name":
            return None
        try:
            index = await self.client.index(self.kind, self.cost)
        except UpstreamError as error:
            log.warning("the index of names could not be read: %s", error)
            return None
        return [
            entry.key
            for entry in index.entries
            if matches(predicate, entry) and not _seen_upstream(predicate, entry.name)
        ]

    def read(self, record: Any, attribute: str) -> Any:
        """An attribute as filters compare it: references by their keys."""
        value = getattr(record, attribute)
        if isinstance(value, tuple) and value and isinstance(value[0], Reference):
            return tuple(reference.key for reference in value)
        return value

    def _given(self, conditions: Mapping[str, str], query: Query) -> dict[str, Any]:
        """Values that the list's own filters vouch for, of attributes that nothing else depends on."""
        given: dict[str, Any] = {}
        for attribute, count in self._alone.items():
            pushed = [
                name for name in (attribute, f"{attribute}_min", f"{attribute}_max") if name in conditions
            ]
            sent = next((text for name, text in query.parameters if name == attribute), None)
            if len(pushed) == count and sent is not None:
                first = sent.split(",")[0]
                given[attribute] = float(first) if attribute in self.endpoint.numbers else first
        return given

    def _note(self, collection: Collection, query: Query, listed: _Rows) -> None:
        asked = f"{collection.path}?{urlencode(query.parameters, safe=',')}".rstrip("?")
        if asked not in self.queries:
            self.queries.append(asked)


def _told(collection: Collection, rows: Sequence[Raw], cost: Cost) -> list[dict[str, Any]]:
    told = []
    for raw in rows:
        try:
            told.append(collection.told(raw))
        except MalformedRecord as error:
            log.warning("a reference of %s was left out: %s", collection.path, error)
            cost.losses.append(f"A {collection.kind} that the {NAME} lists cannot be read: {error}.")
    return told


def _is_meant(query: Query, key: str, name: str) -> bool:
    if query.keys is not None and key not in query.keys:
        return False
    return query.name_exact is None or fold(name) == fold(query.name_exact)


def _seen_upstream(predicate: Predicate, name: str) -> bool:
    """Whether the upstream finds `name` for certain: a partial match that ignores the case of ASCII letters."""
    low, wanted = _ascii_lower(name), _ascii_lower(str(predicate.value))
    return wanted in low if predicate.op is Op.CONTAINS else wanted == low


def _ascii_lower(text: str) -> str:
    return "".join(character.lower() if character.isascii() else character for character in text)


def _age(held: _HeldList) -> timedelta:
    return datetime.now(UTC) - held.fetched_at
