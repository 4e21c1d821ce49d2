"""The live D&D 5e API: its lists of references, and the entries behind them.

`Dnd5e` lives as long as the process and remembers the whole lists and all entries; a `Dnd5eList` serves one
question. A list costs one request and tells names alone; where more is asked for, each record costs one more.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Collection as Many
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from sources.ability import Doubts, UpstreamPage
from sources.criteria import EVERYTHING, All, Criteria, Op, Predicate, matches, predicates
from sources.dnd.dnd5e_catalogue import EQUIPMENT, VOCABULARIES
from sources.dnd.dnd5e_collections import INDEX, Around, Collection, Surrounding
from sources.dnd.dnd5e_details import NAME, STALE_AGE, DetailLoader, Details
from sources.dnd.dnd5e_endpoints import ENDPOINTS, Endpoint, Query, compile_query
from sources.dnd.embedded import SRD_2014
from sources.dnd.live_index import Cost, NameIndex
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records import Document, Reference
from sources.errors import UpstreamBadResponse, UpstreamError
from sources.http import Fetched, HostLimits, HttpClient
from sources.page import OrderKey, Record, record_class
from sources.text_index import fold
from sources.web_address import read_url

__all__ = ["NAME", "Dnd5e", "Dnd5eList"]

log = logging.getLogger("loregraph.dnd.dnd5e")

HEADERS: Mapping[str, str] = {"accept-language": "en"}
"""Else it may answer in another language, by the caller's."""

LIST_AGE = timedelta(hours=24)

Order = Sequence[OrderKey]

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


@dataclass(slots=True)
class Loaded:
    """Whole records of one collection, by index, with what was read around them; the rest as in `Details`."""

    records: dict[str, Any]
    around: Around
    fetched_at: datetime | None = None
    asked: bool = False
    stale: bool = False

    def note(self, details: Details) -> None:
        """Counts what was loaded."""
        self.asked = self.asked or details.asked
        self.stale = self.stale or details.stale
        self.fetched_at = _older(self.fetched_at, details.fetched_at)


class Dnd5e:
    """The client of one D&D 5e API server. `details` loads whole entries."""

    def __init__(self, http: HttpClient, base_url: str) -> None:
        self._http = http
        # The public address has the API below `/api`; one that names a path is taken at its word.
        self._base = "" if read_url(base_url).target.strip("/") else "/api/2014"
        self.details = DetailLoader(http, self._base)
        self._held: dict[str, _HeldList] = {}
        self._made: dict[tuple[str, str, tuple[str, ...]], tuple[Raw, Any]] = {}
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
        endpoint = ENDPOINTS[kind]
        make = record_class(kind, tuple(columns))
        found: dict[str, Record] = {}
        oldest: datetime | None = None
        wanted = [(one, await self._indexes(endpoint, one, keys, cost)) for one in endpoint.collections]
        wanted = [(collection, indexes) for collection, indexes in wanted if indexes]
        await self.check([(one, tuple(indexes.values())) for one, indexes in wanted], columns, cost)
        for collection, indexes in wanted:
            loaded = await self.load(collection, tuple(indexes.values()), columns, cost)
            oldest = _older(oldest, loaded.fetched_at)
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
            try:
                around[one.name] = one.make(list(details.raws.values()))
            except (MalformedRecord, AttributeError, KeyError, TypeError) as error:
                raise UpstreamBadResponse(
                    f"The {NAME} holds entries of {one.path} that cannot be read.", upstream=NAME
                ) from error
        details = await self.details.load(collection.path, indexes, cost)
        loaded.note(details)
        names = tuple(around)
        for index, raw in details.raws.items():
            place = (collection.path, index, names)
            held = self._made.get(place)
            if held is None or held[0] is not raw or names:
                record = _read(collection, index, raw, around, cost)
                if record is None:
                    continue
                held = self._made[place] = (raw, record)
            loaded.records[index] = held[1]
        return loaded

    async def _entries(self, one: Surrounding, cost: Cost) -> tuple[str, ...]:
        rows = (await self.whole_list(one.path, cost)).rows
        indexes = (raw.get("index") for raw in rows)
        return tuple(
            one.entry(index) for index in indexes if isinstance(index, str) and INDEX.fullmatch(index)
        )

    async def _indexes(
        self, endpoint: Endpoint, collection: Collection, keys: Sequence[str], cost: Cost
    ) -> dict[str, str]:
        """The indexes of those keys that a collection may have: where there are several, its list tells."""
        possible = {key: index for key in keys if (index := collection.index_of(key)) is not None}
        if not possible or len(endpoint.collections) == 1:
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

    Records are read whole only where the question compares something that references do not tell, and only those
    that its other conditions leave. `queries` are the lists that were asked for, in the upstream's own words.
    """

    key = "key"
    name = NAME

    def __init__(
        self,
        client: Dnd5e,
        endpoint: Endpoint,
        doubts: Doubts,
        cost: Cost,
        criteria: Criteria,
        order: Order,
    ) -> None:
        self.client = client
        self.endpoint = endpoint
        self.kind = endpoint.kind
        self.abilities = endpoint.abilities
        self.doubts = doubts
        self.cost = cost
        self.queries: list[str] = []
        self._parts = criteria.parts if isinstance(criteria, All) else (criteria,)
        self._alone = _alone(self._parts, order)

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
        collections = () if query.nothing else tuple(self.endpoint.holding(query))
        if not collections:
            self.cost.requests -= 1  # The planner counts one.
            return UpstreamPage((), has_more=False)
        given = self._given(parameters, query)
        state = Loaded({}, {})
        rows: list[tuple[Collection, list[dict[str, Any]]]] = []
        for collection in collections:
            listed = await self.client.filtered_list(collection, query, self.cost)
            self._note(collection, query)
            state.note(Details({}, listed.fetched_at, not listed.from_cache, listed.stale))
            told = _told(collection, listed.rows, self.cost)
            rows.append((collection, [one for one in told if self._is_meant(collection, query, one)]))
        whole = [
            (collection, [collection.index(one["slug"]) for one in told])
            for collection, told in rows
            if not collection.listed.union(given).issuperset(columns)
        ]
        await self.client.check(whole, columns, self.cost, self.endpoint.cheap)
        make = record_class(self.kind, tuple(columns))
        records: list[Record] = []
        for collection, told in rows:
            indexes = next((indexes for one, indexes in whole if one is collection), None)
            if indexes is None:
                records += [make([{**given, **one}[name] for name in columns]) for one in told]
                continue
            loaded = await self.client.load(collection, indexes, columns, self.cost)
            state.note(Details({}, loaded.fetched_at, loaded.asked, loaded.stale))
            if len(loaded.records) < len(indexes):
                self._note_lost(collection)
            records += [
                make([collection.value(record, name, loaded.around) for name in columns])
                for record in loaded.records.values()
            ]
        self.cost.requests -= state.asked  # The planner counts one for each page that is not from the cache.
        return UpstreamPage(
            records[offset : offset + limit],
            has_more=len(records) > offset + limit,
            fetched_at=state.fetched_at,
            from_cache=not state.asked,
            stale=state.stale,
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

    def _is_meant(self, collection: Collection, query: Query, told: Mapping[str, Any]) -> bool:
        """Whether a reference fulfils all conditions on what it tells."""
        if query.keys is not None and told["key"] not in query.keys:
            return False
        if query.name_exact is not None and fold(told["name"]) != fold(query.name_exact):
            return False
        return all(
            matches(part, told, _told_value)
            for part in self._parts
            if all(predicate.attribute in collection.listed for predicate in predicates(part))
        )

    def _note(self, collection: Collection, query: Query) -> None:
        asked = f"{collection.path}?{urlencode(query.parameters, safe=',')}".rstrip("?")
        if asked not in self.queries:
            self.queries.append(asked)

    def _note_lost(self, collection: Collection) -> None:
        """An entry is missing: why was said where it could not be read."""
        if not self.cost.losses:
            self.cost.losses.append(f"The {NAME} lists a {collection.kind} that it does not have.")


def _alone(parts: Sequence[Criteria], order: Order) -> Mapping[str, int]:
    """Attributes that stand in nothing but conditions that all must hold, and not in the order; how often each.

    Where a list applied all of these conditions itself, its rows need not be read whole to compare them again.
    """
    simple = Counter(part.attribute for part in parts if isinstance(part, Predicate))
    everywhere = Counter(predicate.attribute for part in parts for predicate in predicates(part))
    ordered = {part.attribute for part in order}
    return {
        name: count for name, count in simple.items() if everywhere[name] == count and name not in ordered
    }


def _told_value(told: Any, attribute: str) -> Any:
    return told[attribute]


def _read(collection: Collection, index: str, raw: Raw, around: Around, cost: Cost) -> Any | None:
    try:
        return collection.read(raw, around)
    except (MalformedRecord, AttributeError, KeyError, TypeError) as error:
        problem = str(error) if isinstance(error, MalformedRecord) else f"record `{index}` is malformed"
        log.warning("an entry of %s was left out: %s", collection.path, problem)
        cost.losses.append(f"The {NAME} holds a {collection.kind} that cannot be read: {problem}.")
        return None


def _told(collection: Collection, rows: Sequence[Raw], cost: Cost) -> list[dict[str, Any]]:
    told = []
    for raw in rows:
        try:
            told.append(collection.told(raw))
        except MalformedRecord as error:
            log.warning("a reference of %s was left out: %s", collection.path, error)
            cost.losses.append(f"A {collection.kind} that the {NAME} lists cannot be read: {error}.")
    return told


def _seen_upstream(predicate: Predicate, name: str) -> bool:
    """Whether the upstream finds `name` for certain: a partial match that ignores the case of ASCII letters."""
    low, wanted = _ascii_lower(name), _ascii_lower(str(predicate.value))
    return wanted in low if predicate.op is Op.CONTAINS else wanted == low


def _ascii_lower(text: str) -> str:
    return "".join(character.lower() if character.isascii() else character for character in text)


def _age(held: _HeldList) -> timedelta:
    return datetime.now(UTC) - held.fetched_at


def _older(one: datetime | None, other: datetime | None) -> datetime | None:
    return one if other is None else other if one is None else min(one, other)
