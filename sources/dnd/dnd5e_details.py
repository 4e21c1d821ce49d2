"""The whole entries of the D&D 5e API, one request each: asked together, few at a time, and kept for long."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from sources.dnd.live_index import Cost
from sources.dnd.parsing import Raw
from sources.errors import QueryTooExpensive, UpstreamBadResponse, UpstreamError
from sources.http import Fetched, HttpClient

log = logging.getLogger("loregraph.dnd.dnd5e")

NAME = "D&D 5e API"
AT_ONCE = 8
"""Requests under way together."""
MOST_REQUESTS = 400
"""Requests that one question may make: ten seconds at forty a second. The largest collection has 362 entries."""

DETAIL_AGE = timedelta(days=7)
"""Entries change with a release of the data, not by the hour."""
STALE_AGE = timedelta(days=30)
"""How much longer an entry stands in while the API fails."""

Wanted = tuple[str, Sequence[str]]
"""Entries of one collection: its path, and their indexes."""


@dataclass(frozen=True, slots=True)
class _Held:
    """An entry, and when it left the API."""

    raw: Raw
    fetched_at: datetime


@dataclass(slots=True)
class Details:
    """The entries that were asked for, by the upstream's index, and how old the oldest of them is.

    `asked`: something was asked upstream, and not only remembered; `stale`: something stands in for what could
    not be had.
    """

    raws: dict[str, Raw] = field(default_factory=dict)
    fetched_at: datetime | None = None
    asked: bool = False
    stale: bool = False


class DetailLoader:
    """Loads entries and keeps them for the life of the process: some twenty megabytes when it holds all.

    `most`: requests that one question may make.
    """

    def __init__(self, http: HttpClient, base: str, *, most: int = MOST_REQUESTS) -> None:
        self._http = http
        self._base = base
        self._held: dict[tuple[str, str], _Held] = {}
        self.most = most

    def check(self, wanted: Iterable[Wanted], cost: Cost, cheap: Sequence[str] = ()) -> None:
        """Raises `QueryTooExpensive` when the entries that are not remembered are more than the question may still
        ask for. `cheap`: the filters that make them fewer."""
        missing = {
            (path, index) for path, indexes in wanted for index in indexes if not self._remembers(path, index)
        }
        needed = cost.requests + len(missing)
        if missing and needed > self.most:
            raise _too_expensive(needed, self.most, cheap)

    async def load(self, path: str, indexes: Sequence[str], cost: Cost) -> Details:
        """The entries that exist among `indexes`. Raises `UpstreamError` when any could not be had."""
        found = Details()
        missing = []
        for index in dict.fromkeys(indexes):
            if self._remembers(path, index):
                _put(found, index, self._held[path, index])
            else:
                missing.append(index)
        waiting = iter(missing)
        workers = [
            asyncio.ensure_future(self._work(path, waiting, found, cost))
            for _ in range(min(AT_ONCE, len(missing)))
        ]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
        return found

    def _remembers(self, path: str, index: str) -> bool:
        held = self._held.get((path, index))
        return held is not None and _age(held) < DETAIL_AGE

    async def _work(self, path: str, waiting: Iterator[str], found: Details, cost: Cost) -> None:
        for index in waiting:
            held = self._held.get((path, index))
            try:
                fetched = await self._fetch(path, index)
            except UpstreamError as error:
                if held is None or _age(held) >= DETAIL_AGE + STALE_AGE:
                    raise
                log.warning("%s What was read of %s before stands in.", error, index)
                found.stale = True
            else:
                cost.requests += 1 if fetched is None else fetched.requests
                found.asked = found.asked or fetched is None or not fetched.from_cache
                if fetched is None:
                    continue
                found.stale = found.stale or fetched.stale
                if not isinstance(fetched.value, dict) or not _is_entry(fetched.value, index):
                    raise UpstreamBadResponse(
                        f"The {NAME} answered with another entry than `{index}`.", upstream=NAME
                    )
                held = self._held[path, index] = _Held(fetched.value, fetched.fetched_at)
            _put(found, index, held)

    async def _fetch(self, path: str, index: str) -> Fetched | None:
        """The entry; None where there is none, which the API says in plain text."""
        try:
            return await self._http.get_json(
                f"{self._base}/{path}/{index}",
                fresh_seconds=DETAIL_AGE.total_seconds(),
                stale_seconds=STALE_AGE.total_seconds(),
                name=NAME,
            )
        except UpstreamBadResponse as error:
            if error.arrived is not None and error.arrived.status == 404:
                return None
            raise


def _is_entry(raw: Raw, index: str) -> bool:
    """Whether an answer is the entry asked for; that of `wizard/levels/20` is called `wizard-20`."""
    return raw.get("index") == index.replace("/levels/", "-")


def _put(found: Details, index: str, held: _Held) -> None:
    found.raws[index] = held.raw
    known = found.fetched_at
    found.fetched_at = held.fetched_at if known is None else min(known, held.fetched_at)


def _age(held: _Held) -> timedelta:
    return datetime.now(UTC) - held.fetched_at


def _too_expensive(needed: int, most: int, cheap: Sequence[str]) -> QueryTooExpensive:
    filters = " or ".join(f"`{name}`" for name in cheap)
    advice = f"filter by {filters}, or " if filters else ""
    return QueryTooExpensive(
        f"This takes {needed} requests to the {NAME}, which gives one record at a time, and one question "
        f"may make {most}; no record was asked for. To make it cheap, {advice}select, filter and sort by nothing but "
        "`key` and `name`."
    )
