"""The live Open5e API v2: its lists, and the small vocabularies that questions are checked against.

`Open5e` lives as long as the process and remembers the vocabularies; an `Open5eList` serves one question, and
counts what that question cost beyond the pages of its list.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from sources.ability import Doubts, UpstreamPage
from sources.criteria import Op, Predicate, matches
from sources.dnd.live_index import Cost, NameIndex
from sources.dnd.open5e_documents import document_of
from sources.dnd.open5e_endpoints import ENDPOINTS, MOST_KEYS, Endpoint, write_keys
from sources.dnd.open5e_recipes import JOINED, compile_fields, make_values
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records import Document
from sources.errors import BadInput, UpstreamBadResponse, UpstreamError, shorten
from sources.http import Fetched, HttpClient
from sources.page import Record, record_class

log = logging.getLogger("loregraph.dnd.open5e")

NAME = "Open5e"
LONGEST_QUERY = 3_400
"""Bytes of a query string; over it the selection of fields is left out, and whole records are read."""

_VOCABULARY_AGE = timedelta(hours=24)
_INDEX_AGE = timedelta(hours=6)
_VOCABULARY_STALE = timedelta(days=30)
_WHOLE_LIST = 20_000
"""A limit that holds every list whole: the upstream has no maximum."""


@dataclass(slots=True)
class _Held:
    value: Any
    fetched_at: datetime


class Open5e:
    """The client of one Open5e server."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http
        self._held: dict[str, _Held] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._doubts = {kind: Doubts() for kind in ENDPOINTS}

    def list(self, kind: str, cost: Cost) -> Open5eList:
        """The list of `kind` for one question."""
        return Open5eList(self, ENDPOINTS[kind], self._doubts[kind], cost)

    async def documents(self, cost: Cost) -> Mapping[str, Document]:
        """Every document, by key, its licence joined. Read once a day. Raises `UpstreamError`."""
        return await self._remembered("documents", "/documents/", {}, _VOCABULARY_AGE, _documents, cost)  # type: ignore[no-any-return]

    async def words(self, vocabulary: str, cost: Cost) -> Sequence[str]:
        """The sorted keys of `classes` (no subclasses) or `environments`. Read once a day. Raises `UpstreamError`."""
        parameters = {"fields": "key"}
        if vocabulary == "classes":
            parameters["is_subclass"] = "false"
        found: Sequence[str] = await self._remembered(
            vocabulary, f"/{vocabulary}/", parameters, _VOCABULARY_AGE, _keys, cost
        )
        return found

    async def index(self, kind: str, cost: Cost) -> NameIndex:
        """The index of all records of `kind`. Read every six hours. Raises `UpstreamError`."""
        return await self.names(ENDPOINTS[kind].path, cost)

    async def names(self, path: str, cost: Cost) -> NameIndex:
        """The index of all records of the list at `path`. Read every six hours. Raises `UpstreamError`."""
        found: NameIndex = await self._remembered(
            f"{path}.index",
            path,
            {"fields": "key,name,document", "document__fields": "key"},
            _INDEX_AGE,
            _index,
            cost,
        )
        return found

    def remembered_index(self, kind: str) -> NameIndex | None:
        """The index of `kind` if it is at hand and not too old."""
        held = self._held.get(f"{ENDPOINTS[kind].path}.index")
        return held.value if held is not None and _age(held) < _INDEX_AGE else None

    async def by_keys(
        self, kind: str, keys: Sequence[str], columns: Sequence[str], cost: Cost
    ) -> dict[str, Record]:
        """The records that exist among `keys`, by key; one request for each batch. Raises `UpstreamError`."""
        upstream = self.list(kind, cost)
        wanted = tuple(sorted({*columns, "key"}))
        found: dict[str, Record] = {}
        for batch in batches(keys):
            parameters = {"key__in": batch}
            page = await upstream.fetch(parameters, 0, MOST_KEYS, wanted)
            cost.requests += not page.from_cache
            found |= {record.key: record for record in page.records}
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
        read: Any,
        cost: Cost,
    ) -> Any:
        held = self._held.get(name)
        if held is not None and _age(held) < most_age:
            return held.value
        async with self._locks.setdefault(name, asyncio.Lock()):
            held = self._held.get(name)
            if held is not None and _age(held) < most_age:
                return held.value
            try:
                body, fetched = await self.page(
                    path, {**parameters, "limit": str(_WHOLE_LIST)}, fresh=most_age
                )
            except UpstreamError as error:
                if held is None or _age(held) > most_age + _VOCABULARY_STALE:
                    raise
                log.warning("%s What was read of %s before stands in.", error, name)
                return held.value
            cost.count(fetched)
            value = read(body["results"])
            self._held[name] = _Held(value, fetched.fetched_at)
            return value


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
        if not JOINED.keys().isdisjoint(columns):
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
        return UpstreamPage(
            records=self._records(body["results"], columns, documents),
            has_more=body.get("next") is not None,
            total=total if isinstance(total, int) else None,
            fetched_at=fetched.fetched_at,
            from_cache=fetched.from_cache,
            stale=fetched.stale,
        )

    async def complete_subset(self, predicate: Predicate) -> Collection[Any] | None:
        """The keys whose names fulfil `predicate` in a way that the upstream's LIKE does not see."""
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
            if matches(predicate, entry) and not _seen_by_like(predicate, entry.name)
        ]

    def read(self, record: Any, attribute: str) -> Any:
        """An attribute as filters compare it: references by their keys."""
        value = getattr(record, attribute)
        if attribute in ("classes", "condition_immunities"):
            return tuple(reference.key for reference in value)
        return value

    def _records(
        self, rows: Sequence[Raw], columns: tuple[str, ...], documents: Mapping[str, Document]
    ) -> list[Record]:
        make, recipes = record_class(self.kind, columns), self.endpoint.recipes
        records = []
        for raw in rows:
            try:
                records.append(make(make_values(recipes, columns, raw, documents)))
            except (MalformedRecord, AttributeError) as error:
                log.warning("a record of Open5e was left out: %s", error)
                self.cost.losses.append(f"{NAME} holds a {self.kind} that cannot be read: {error}.")
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


def _documents(rows: Sequence[Raw]) -> Mapping[str, Document]:
    found = (document_of(raw) for raw in rows)
    return {document.key: document for document in found}


def _keys(rows: Sequence[Raw]) -> Sequence[str]:
    return tuple(sorted(str(raw["key"]) for raw in rows if raw.get("key")))


def _index(rows: Sequence[Raw]) -> NameIndex:
    return NameIndex(
        [
            (str(raw["key"]), str(raw["name"]), str((raw.get("document") or {}).get("key", "")))
            for raw in rows
            if raw.get("key") and raw.get("name")
        ]
    )
