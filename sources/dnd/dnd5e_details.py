"""The whole entries of the D&D 5e API, one request each: asked together, few at a time, and kept for long."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sources.dnd.dnd5e_collections import Collection
from sources.dnd.live_index import Cost
from sources.dnd.parsing import MalformedRecord
from sources.errors import QueryTooExpensive, UpstreamBadResponse, UpstreamError
from sources.http import Fetched, HttpClient

log = logging.getLogger("loregraph.dnd.dnd5e")

NAME = "D&D 5e API"
AT_ONCE = 8
"""Requests under way together."""
MOST_DETAILS = 400
"""Entries that one question may ask for: ten seconds at forty a second. The largest collection has 362."""

DETAIL_AGE = timedelta(days=7)
"""Entries change with a release of the data, not by the hour."""
STALE_AGE = timedelta(days=30)
"""How much longer an entry stands in while the API fails."""


@dataclass(frozen=True, slots=True)
class _Held:
    """The record of an entry, and when it left the API."""

    record: Any
    fetched_at: datetime


@dataclass(slots=True)
class Details:
    """The records that were asked for, by the upstream's index, and how old the oldest of them is.

    `asked`: something was asked upstream, and not only remembered; `stale`: something stands in for what could
    not be had.
    """

    records: dict[str, Any] = field(default_factory=dict)
    fetched_at: datetime | None = None
    asked: bool = False
    stale: bool = False

    def note(self, fetched_at: datetime) -> None:
        """Counts the age of an entry."""
        self.fetched_at = fetched_at if self.fetched_at is None else min(self.fetched_at, fetched_at)


class DetailLoader:
    """Loads entries and keeps their records for the life of the process; some megabytes when it holds all.

    `most`: entries that one question may ask for.
    """

    def __init__(self, http: HttpClient, base: str, *, most: int = MOST_DETAILS) -> None:
        self._http = http
        self._base = base
        self._held: dict[tuple[str, str], _Held] = {}
        self.most = most

    async def load(
        self, collection: Collection, indexes: Sequence[str], cost: Cost, cheap: Sequence[str] = ()
    ) -> Details:
        """The records that exist among `indexes`.

        An entry that cannot be read is left out, and `cost` says so. Raises `QueryTooExpensive` before the first
        request when more are missing than one question may ask for (`cheap`: the filters that make them fewer), and
        `UpstreamError` when any could not be had.
        """
        found = Details()
        missing = []
        for index in dict.fromkeys(indexes):
            held = self._held.get((collection.path, index))
            if held is None or _age(held) >= DETAIL_AGE:
                missing.append(index)
            else:
                _put(found, index, held)
        if len(missing) > self.most:
            raise _too_expensive(len(missing), self.most, cheap)
        await self._load(collection, missing, found, cost)
        return found

    async def _load(self, collection: Collection, missing: Sequence[str], found: Details, cost: Cost) -> None:
        waiting = iter(missing)
        workers = [
            asyncio.ensure_future(self._work(collection, waiting, found, cost))
            for _ in range(min(AT_ONCE, len(missing)))
        ]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, collection: Collection, waiting: Iterator[str], found: Details, cost: Cost) -> None:
        for index in waiting:
            place = (collection.path, index)
            held = self._held.get(place)
            try:
                fetched = await self._fetch(collection, index)
            except UpstreamError as error:
                if held is None or _age(held) >= DETAIL_AGE + STALE_AGE:
                    raise
                log.warning("%s What was read of %s before stands in.", error, index)
                found.stale = True
            else:
                cost.requests += 1 if fetched is None else fetched.requests
                found.asked = found.asked or fetched is None or not fetched.from_cache
                found.stale = found.stale or (fetched is not None and fetched.stale)
                held = None if fetched is None else _read(collection, index, fetched, cost)
                if held is None:
                    continue
                self._held[place] = held
            _put(found, index, held)

    async def _fetch(self, collection: Collection, index: str) -> Fetched | None:
        """The entry; None where there is none, which the API says in plain text."""
        try:
            return await self._http.get_json(
                f"{self._base}/{collection.path}/{index}",
                fresh_seconds=DETAIL_AGE.total_seconds(),
                stale_seconds=STALE_AGE.total_seconds(),
                name=NAME,
            )
        except UpstreamBadResponse as error:
            if error.arrived is not None and error.arrived.status == 404:
                return None
            raise


def _read(collection: Collection, index: str, fetched: Fetched, cost: Cost) -> _Held | None:
    try:
        if not isinstance(fetched.value, dict) or fetched.value.get("index") != index:
            raise MalformedRecord(index, "index", "is not the one asked for")
        return _Held(collection.read(fetched.value), fetched.fetched_at)
    except (MalformedRecord, AttributeError, KeyError, TypeError) as error:
        problem = str(error) if isinstance(error, MalformedRecord) else f"record `{index}` is malformed"
        log.warning("an entry of %s was left out: %s", collection.path, problem)
        cost.losses.append(f"The {NAME} holds a {collection.kind} that cannot be read: {problem}.")
        return None


def _put(found: Details, index: str, held: _Held) -> None:
    found.records[index] = held.record
    found.note(held.fetched_at)


def _age(held: _Held) -> timedelta:
    return datetime.now(UTC) - held.fetched_at


def _too_expensive(needed: int, most: int, cheap: Sequence[str]) -> QueryTooExpensive:
    filters = " or ".join(f"`{name}`" for name in cheap)
    advice = f"filter by {filters}, or " if filters else ""
    return QueryTooExpensive(
        f"This takes {needed} requests to the {NAME}, which gives one record at a time, and one question "
        f"may make {most}; none of them was made. To make it cheap, {advice}select, filter and sort by nothing but `key` and `name`."
    )
