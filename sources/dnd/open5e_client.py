"""The live Open5e API v2: its lists, and the small vocabularies that questions are checked against.

`Open5e` lives as long as the process and remembers the vocabularies; an `Open5eList` serves one question, and
counts what that question cost beyond the pages of its list.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

from sources.ability import Doubts, UpstreamPage
from sources.criteria import Op, Predicate, matches
from sources.dnd.live_index import Cost, NameIndex
from sources.dnd.open5e_documents import document_of
from sources.dnd.open5e_endpoint import MOST_KEYS, Endpoint, write_keys
from sources.dnd.open5e_endpoints import ENDPOINTS, KINDS
from sources.dnd.open5e_items import DERIVED_CATEGORIES
from sources.dnd.open5e_recipes import compile_fields, make_values
from sources.dnd.open5e_rules import document_named
from sources.dnd.parsing import MalformedRecord, Raw, compact_dice, required_text
from sources.dnd.records import Document
from sources.errors import BadInput, UpstreamBadResponse, UpstreamError, shorten
from sources.http import Fetched, HttpClient
from sources.page import Record, record_class
from sources.united_lists import Part, UnitedLists

log = logging.getLogger("loregraph.dnd.open5e")

NAME = "Open5e"
LONGEST_QUERY = 3_400
"""Bytes of a query string; over it the selection of fields is left out, and whole records are read."""

_VOCABULARY_AGE = timedelta(hours=24)
_INDEX_AGE = timedelta(hours=6)
_VOCABULARY_STALE = timedelta(days=30)
_WHOLE_LIST = 20_000
"""A limit that holds every list whole: the upstream has no maximum."""


Reader = Callable[[Sequence[Raw], list[str]], Any]
"""Makes something of the rows of a whole list; the list of texts grows by what is lost."""

UNREADABLE = (AttributeError, LookupError, TypeError, ValueError, ArithmeticError)
"""What reading a record of any shape whatever can raise; `MalformedRecord` is among them."""


@dataclass(slots=True)
class _Held:
    value: Any
    fetched_at: datetime
    losses: Sequence[str] = ()


class Open5e:
    """The client of one Open5e server."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http
        self._held: dict[str, _Held] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._doubts = {name: Doubts() for name in ENDPOINTS}

    def list(self, kind: str, cost: Cost) -> Open5eList | UnitedLists[Open5eList]:
        """The list of `kind`, or the lists that hold its records between them, for one question."""
        parts = tuple(self._part(endpoint, cost) for endpoint in KINDS[kind])
        return parts[0].upstream if len(parts) == 1 else UnitedLists(kind, parts)

    def one(self, name: str, cost: Cost) -> Open5eList:
        """The list of one endpoint, for one question."""
        return Open5eList(self, ENDPOINTS[name], self._doubts[name], cost)

    def _part(self, endpoint: Endpoint, cost: Cost) -> Part[Open5eList]:
        upstream = self.one(endpoint.name, cost)
        index = self._index_at_hand(endpoint)
        keys = {} if index is None else {"key": frozenset(index.keys)}
        return Part(
            upstream,
            endpoint.path.strip("/"),
            {**endpoint.possible, **keys},
            endpoint.implied,
            endpoint.costly,
            upstream.whole if endpoint.costly else None,
        )

    async def documents(self, cost: Cost) -> Mapping[str, Document]:
        """Every document, by key, its licence joined. Read once a day. Raises `UpstreamError`."""
        return await self._remembered("documents", "/documents/", {}, _VOCABULARY_AGE, _documents, cost)  # type: ignore[no-any-return]

    async def words(self, vocabulary: str, cost: Cost) -> Sequence[str]:
        """The sorted keys of an open vocabulary. Read once a day, `section` with the index. Raises `UpstreamError`.

        `classes` or `character_classes` (no subclasses), `species` (no subspecies), `environments`, `categories`
        and `properties` of equipment, `damage_dice` of weapons, `section`: rules and their sections.
        """
        if vocabulary == "properties":
            return sorted((await self._index(ENDPOINTS["weapon-property"], cost)).keys)
        if vocabulary == "section":
            indexes = [await self._index(ENDPOINTS[name], cost) for name in ("rule-set", "rule-section")]
            return sorted(key for index in indexes for key in index.keys)
        vocabulary = "classes" if vocabulary == "character_classes" else vocabulary
        path, parameters, read = _WORDS[vocabulary]
        return await self._remembered(vocabulary, path, parameters, _VOCABULARY_AGE, read, cost)  # type: ignore[no-any-return]

    async def index(self, kind: str, cost: Cost) -> NameIndex:
        """The index of all records of `kind`. Read every six hours. Raises `UpstreamError`."""
        indexes = [await self._index(endpoint, cost) for endpoint in KINDS[kind]]
        return indexes[0] if len(indexes) == 1 else NameIndex.of_all(indexes)

    async def names(self, path: str, cost: Cost) -> NameIndex:
        """The index of the list at `path`, one of the endpoints'. Read every six hours. Raises `UpstreamError`."""
        (endpoint,) = (one for one in ENDPOINTS.values() if one.path == path)
        return await self._index(endpoint, cost)

    def remembered_index(self, kind: str) -> NameIndex | None:
        """The index of `kind` if it is at hand and not too old."""
        held = [self._index_at_hand(endpoint) for endpoint in KINDS[kind]]
        indexes = [one for one in held if one is not None]
        if len(indexes) != len(held):
            return None
        return indexes[0] if len(indexes) == 1 else NameIndex.of_all(indexes)

    def _index_at_hand(self, endpoint: Endpoint) -> NameIndex | None:
        held = self._held.get(f"{endpoint.name}.index")
        return held.value if held is not None and _age(held) < _INDEX_AGE else None

    async def _index(self, endpoint: Endpoint, cost: Cost) -> NameIndex:
        return await self._remembered(  # type: ignore[no-any-return]
            f"{endpoint.name}.index",
            endpoint.path,
            endpoint.index_fields,
            _INDEX_AGE,
            partial(_read_index, endpoint),
            cost,
        )

    async def by_keys(
        self, kind: str, keys: Sequence[str], columns: Sequence[str], cost: Cost
    ) -> dict[str, Record]:
        """The records that exist among `keys`, by key; one request for each batch, and for each endpoint that must
        be asked until all are found. Raises `UpstreamError`."""
        return await self._by_keys(KINDS[kind], keys, columns, cost)

    async def by_keys_of(
        self, name: str, keys: Sequence[str], columns: Sequence[str], cost: Cost
    ) -> dict[str, Record]:
        """The records that exist among `keys` in the list of one endpoint. Raises `UpstreamError`."""
        return await self._by_keys((ENDPOINTS[name],), keys, columns, cost)

    async def _by_keys(
        self, endpoints: Sequence[Endpoint], keys: Sequence[str], columns: Sequence[str], cost: Cost
    ) -> dict[str, Record]:
        wanted = tuple(sorted({*columns, "key"}))
        found: dict[str, Record] = {}
        for endpoint in endpoints:
            missing = [key for key in keys if key not in found]
            requests: list[dict[str, str]] = [{"key__in": batch} for batch in batches(missing)]
            size = MOST_KEYS
            if endpoint.spread is not None and requests:
                requests, size = [{}], endpoint.abilities.page_size
            upstream = self.one(endpoint.name, cost)
            for parameters in requests:
                page = await upstream.fetch(parameters, 0, size, wanted)
                cost.requests += not page.from_cache
                found |= {record.key: record for record in page.records if record.key in missing}
        return found

    async def page(
        self,
        path: str,
        parameters: Mapping[str, str],
        *,
        fresh: timedelta | None = None,
        accept: frozenset[int] = frozenset({200, 400}),
    ) -> tuple[Mapping[str, Any], Fetched]:
        """One page of a list. A 400 is our bug, or a value that the upstream does not take: an error, never
        an empty page. `accept` are the statuses that another try would not change. Raises `UpstreamError`."""
        fetched = await self._http.get_json(
            path,
            parameters,
            accept=accept,
            fresh_seconds=None if fresh is None else fresh.total_seconds(),
            stale_seconds=None if fresh is None else _VOCABULARY_STALE.total_seconds(),
            name=NAME,
        )
        body = fetched.value
        if fetched.status == 400:
            raise Refused(body if isinstance(body, Mapping) else {})
        if not isinstance(body, Mapping) or not isinstance(body.get("results"), list):
            raise UpstreamBadResponse(f"{NAME} answered with something that is no list.", upstream=NAME)
        return body, fetched

    async def _remembered(
        self,
        name: str,
        path: str,
        parameters: Mapping[str, str],
        most_age: timedelta,
        read: Reader,
        cost: Cost,
    ) -> Any:
        """What `read` makes of a list that is short enough to be kept whole. What is lost of it is lost to every
        question that needs it, and each one's `cost` says so."""
        held = await self._kept(name, path, parameters, most_age, read, cost)
        cost.losses.extend(held.losses)
        return held.value

    async def _kept(
        self,
        name: str,
        path: str,
        parameters: Mapping[str, str],
        most_age: timedelta,
        read: Reader,
        cost: Cost,
    ) -> _Held:
        held = self._held.get(name)
        if held is not None and _age(held) < most_age:
            return held
        async with self._locks.setdefault(name, asyncio.Lock()):
            held = self._held.get(name)
            if held is not None and _age(held) < most_age:
                return held
            try:
                body, fetched = await self.page(
                    path, {**parameters, "limit": str(_WHOLE_LIST)}, fresh=most_age
                )
            except UpstreamError as error:
                if held is None or _age(held) > most_age + _VOCABULARY_STALE:
                    raise
                log.warning("%s What was read of %s before stands in.", error, name)
                return held
            cost.count(fetched)
            losses: list[str] = []
            value = read(body["results"], losses)
            if body.get("next") is not None:
                losses.append("only the beginning was given")
            told = dict.fromkeys(f"Of {NAME}'s list `{path.strip('/')}` {loss}." for loss in losses)
            held = self._held[name] = _Held(value, fetched.fetched_at, tuple(told))
            return held


class Refused(UpstreamBadResponse):
    """The upstream refused a parameter (400). `problems` are its own words, by parameter."""

    def __init__(self, problems: Mapping[str, Any]) -> None:
        self.problems = problems
        names = ", ".join(f"`{shorten(name, 40)}`" for name in problems) or "something"
        super().__init__(f"{NAME} refused {names} of a request.", upstream=NAME)


class Open5eList:
    """One list endpoint, for one question; `resolvers/planned_listing.py` reads it."""

    key = "key"
    name = NAME

    def __init__(self, client: Open5e, endpoint: Endpoint, doubts: Doubts, cost: Cost) -> None:
        self.client = client
        self.endpoint = endpoint
        self.kind = endpoint.kind
        self.abilities = endpoint.abilities
        self.doubts = doubts
        self.cost = cost

    async def fetch(
        self, parameters: Mapping[str, str], offset: int, limit: int, columns: Sequence[str]
    ) -> UpstreamPage:
        """Rows `offset` to `offset + limit`, each with `columns`.

        A record that cannot be read is left out, and the question's cost says so. Raises `UpstreamError`, and
        `BadInput` when the upstream refuses a value that a filter was given.
        """
        columns = tuple(columns)
        documents: Mapping[str, Document] = {}
        if any(self.endpoint.recipes[column].joined for column in columns):
            documents = await self.client.documents(self.cost)
        asked = {**parameters, "limit": str(limit)}
        if offset:
            asked["page"] = str(offset // limit + 1)
        chosen = compile_fields(self.endpoint.recipes, columns, self.endpoint.fields)
        if len(urlencode({**asked, **chosen}, safe=",")) <= LONGEST_QUERY:
            asked |= chosen
        try:
            body, fetched = await self.client.page(self.endpoint.path, asked)
        except Refused as refused:
            raise self._bad_input(refused) or refused from None
        self.cost.count(fetched, page=True)
        total = body.get("count")
        rows = await self._with_parents(body["results"], columns)
        return UpstreamPage(
            records=self._records(rows, columns, documents),
            has_more=body.get("next") is not None,
            total=total if isinstance(total, int) and self.endpoint.spread is None else None,
            fetched_at=fetched.fetched_at,
            from_cache=fetched.from_cache,
            stale=fetched.stale,
            rows=len(body["results"]),
        )

    async def whole(self, keys: Sequence[str], columns: Sequence[str]) -> Mapping[str, Record]:
        """The records that exist among `keys`, by key. Raises `UpstreamError`."""
        return await self.client.by_keys_of(self.endpoint.name, keys, columns, self.cost)

    async def complete_subset(self, predicate: Predicate) -> Collection[Any] | None:
        """The keys whose names fulfil `predicate` in a way that the upstream's LIKE does not see."""
        if predicate.attribute != "name":
            return None
        try:
            index = await self.client._index(self.endpoint, self.cost)
        except UpstreamError as error:
            log.warning("the index of names could not be read: %s", error)
            return None
        return [
            entry.key
            for entry in index.entries
            if matches(predicate, entry) and not _seen_by_like(predicate, entry.name)
        ]

    def read(self, record: Any, attribute: str) -> Any:
        """An attribute as filters compare it: references by their keys."""
        value = getattr(record, attribute)
        if attribute in ("classes", "condition_immunities", "categories", "properties"):
            return tuple(reference.key for reference in value)
        return value

    async def _with_parents(self, rows: Sequence[Any], columns: tuple[str, ...]) -> Sequence[Any]:
        """`rows`, those of records that may have one of `columns` of their parent with its row in them."""
        if self.endpoint.parent is None or self.endpoint.inherited.isdisjoint(columns):
            return rows
        reference, needed, place = self.endpoint.parent
        found = _keyed(rows)
        wanted = [row[reference] for row in found.values() if isinstance(row.get(reference), str)]
        for batch in batches([key for key in wanted if key not in found]):
            asked = {"key__in": batch, "fields": f"key,{needed}", "limit": str(MOST_KEYS)}
            body, fetched = await self.client.page(self.endpoint.path, asked)
            self.cost.count(fetched)
            found |= _keyed(body["results"])
        return [
            {**row, place: found[row[reference]]}
            if isinstance(row, Mapping) and isinstance(row.get(reference), str) and row[reference] in found
            else row
            for row in rows
        ]

    def _records(
        self, rows: Sequence[Raw], columns: tuple[str, ...], documents: Mapping[str, Document]
    ) -> list[Record]:
        make, recipes = record_class(self.kind, columns), self.endpoint.recipes
        records = []
        spread = self.endpoint.spread or _as_it_is
        for row in rows:
            try:
                for raw in spread(row):
                    records.append(make(make_values(recipes, columns, raw, documents)))
            except UNREADABLE as error:
                self.cost.losses.append(f"{NAME} holds a {self.kind} that cannot be read: {_why(error)}.")
        return records

    def _bad_input(self, refused: Refused) -> BadInput | None:
        """The refusal as a sentence about the filter that wrote the parameter; None when it was none."""
        for ability in self.abilities.filters:
            if ability.argument and any(name in refused.problems for name in ability.names):
                return BadInput(
                    f"holds a value that {NAME} does not take.", argument=f"filter.{ability.argument}"
                )
        return None


def batches(keys: Sequence[str]) -> list[str]:
    """`keys` as texts for `key__in`, each short enough for one request; keys that hold a comma exist nowhere."""
    found: list[str] = []
    batch: list[str] = []
    for key in dict.fromkeys(keys):
        if not key.strip() or "," in key or write_keys((key,)) is None:
            continue
        if len(batch) == MOST_KEYS or write_keys((*batch, key)) is None:
            found.append(",".join(batch))
            batch = []
        batch.append(key)
    return [*found, ",".join(batch)] if batch else found


def _seen_by_like(predicate: Predicate, name: str) -> bool:
    """Whether an SQL LIKE finds `name`: it folds the case of ASCII letters, and nothing else."""
    low, wanted = _ascii_lower(name), _ascii_lower(str(predicate.value))
    return wanted in low if predicate.op is Op.CONTAINS else wanted == low


def _ascii_lower(text: str) -> str:
    return "".join(character.lower() if character.isascii() else character for character in text)


def _age(held: _Held) -> timedelta:
    return datetime.now(UTC) - held.fetched_at


def _keyed(rows: Sequence[Any]) -> dict[str, Raw]:
    """The rows that have a key, by it."""
    return {row["key"]: row for row in rows if isinstance(row, Mapping) and isinstance(row.get("key"), str)}


def _why(error: Exception) -> str:
    """What is wrong with a record; of a shape that no reader foresaw, not in Python's words."""
    return str(error) if isinstance(error, MalformedRecord) else "it is shaped otherwise than its like"


def _each(rows: Sequence[Raw], read: Callable[[Raw], Any], losses: list[str]) -> list[Any]:
    """What `read` makes of each row; `losses` grows by those of which it makes nothing."""
    found = []
    for row in rows:
        try:
            found.append(read(row))
        except UNREADABLE as error:
            losses.append(f"a record cannot be read: {_why(error)}")
    return found


def _documents(rows: Sequence[Raw], losses: list[str]) -> Mapping[str, Document]:
    return {document.key: document for document in _each(rows, document_of, losses)}


def _key(raw: Raw) -> str:
    return required_text(raw, "key")


def _keys(rows: Sequence[Raw], losses: list[str]) -> Sequence[str]:
    return tuple(sorted(_each(rows, _key, losses)))


def _categories(rows: Sequence[Raw], losses: list[str]) -> Sequence[str]:
    return sorted({*_keys(rows, losses), *DERIVED_CATEGORIES})


def _dice(rows: Sequence[Raw], losses: list[str]) -> Sequence[str]:
    found = _each(rows, lambda raw: compact_dice(str(raw.get("damage_dice") or "0")), losses)
    return sorted({*found} - {"0"})


_WORDS: Mapping[str, tuple[str, Mapping[str, str], Reader]] = {
    "classes": ("/classes/", {"fields": "key", "is_subclass": "false"}, _keys),
    "species": ("/species/", {"fields": "key", "subspecies_of__isnull": "true"}, _keys),
    "environments": ("/environments/", {"fields": "key"}, _keys),
    "categories": ("/itemcategories/", {"fields": "key"}, _categories),
    "damage_dice": ("/weapons/", {"fields": "damage_dice"}, _dice),
}
"""For each open vocabulary: the list that it is read from, with which parameters, and how."""


def _as_it_is(raw: Raw) -> Sequence[Raw]:
    return (raw,)


def _read_index(endpoint: Endpoint, rows: Sequence[Raw], losses: list[str]) -> NameIndex:
    spread = endpoint.spread or _as_it_is

    def entries(row: Raw) -> list[tuple[str, str, str]]:
        return [
            (required_text(raw, "key"), required_text(raw, "name"), document_named(raw))
            for raw in spread(row)
            if raw.get("name")
        ]

    return NameIndex([entry for found in _each(rows, entries, losses) for entry in found])
