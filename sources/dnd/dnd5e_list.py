"""One list of the D&D 5e API, for one question: what is asked of it, and which records are read whole."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection as Many
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from sources.ability import Doubts, UpstreamPage
from sources.criteria import All, Criteria, Op, Predicate, matches, predicates
from sources.dnd.dnd5e_collections import Collection
from sources.dnd.dnd5e_details import NAME, Details
from sources.dnd.dnd5e_endpoints import Endpoint, Query, compile_query
from sources.dnd.dnd5e_made import Loaded, read_references
from sources.dnd.live_index import Cost
from sources.dnd.records import Reference
from sources.errors import UpstreamError
from sources.page import OrderKey, Record, record_class
from sources.text_index import fold

if TYPE_CHECKING:
    from sources.dnd.dnd5e_client import Dnd5e

log = logging.getLogger("loregraph.dnd.dnd5e")

Order = Sequence[OrderKey]


class Dnd5eList:
    """The list of one kind, for one question; `resolvers/planned_listing.py` reads it.

    Records are read whole only where the question compares something that references do not tell, and only those
    that its other conditions leave. `queries` are the lists that were asked for, in the upstream's own words;
    `places` are the collections in which keys were met.
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
        self.places: dict[str, Collection] = {}
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
            told = read_references(collection, listed.rows, self.cost)
            rows.append((collection, [one for one in told if self._is_meant(collection, query, one)]))
            self.places |= {one["key"]: collection for one in told}
            if not self._heeded(collection, query, len(listed.rows)):
                given = {}
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
            names = (attribute, f"{attribute}_min", f"{attribute}_max")
            if sum(name in conditions for name in names) == count and attribute in query.vouched:
                given[attribute] = query.vouched[attribute]
        return given

    def _heeded(self, collection: Collection, query: Query, rows: int) -> bool:
        """False when a filtered list is as long as the whole one, so far as that is known: then nothing vouches."""
        whole = self.client.remembered_length(collection.path)
        return not query.parameters or whole is None or rows < whole

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


def _seen_upstream(predicate: Predicate, name: str) -> bool:
    """Whether the upstream finds `name` for certain: a partial match that ignores the case of ASCII letters."""
    low, wanted = _ascii_lower(name), _ascii_lower(str(predicate.value))
    return wanted in low if predicate.op is Op.CONTAINS else wanted == low


def _ascii_lower(text: str) -> str:
    return "".join(character.lower() if character.isascii() else character for character in text)
