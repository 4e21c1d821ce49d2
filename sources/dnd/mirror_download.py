"""Reading all lists of Open5e into the staging: a few pages at once, each kept as it arrives."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.to_thread

from sources.dnd.mirror_lists import DOCUMENTS, MirrorList
from sources.dnd.mirror_staging import Staging
from sources.dnd.open5e_client import NAME, Open5e
from sources.errors import UpstreamBadResponse
from sources.source import Report

log = logging.getLogger("loregraph.dnd.mirror")

AT_ONCE = 4
"""Requests under way at once."""

TRIES = 2
"""How often a list is read that does not fit together: it may have been changed while it was read."""

_Result = TypeVar("_Result")


class ListChanged(UpstreamBadResponse):
    """The pages of a list do not fit together. `list` is its name."""

    def __init__(self, name: str, problem: str) -> None:
        self.list = name
        super().__init__(f"The list `{name}` of {NAME} {problem}.", upstream=NAME)


class Download:
    """One run. `requests` counts what it sent, `resumed` the pages that were there already."""

    def __init__(
        self, open5e: Open5e, staging: Staging, chosen: Sequence[str] | None, report: Report
    ) -> None:
        self._open5e = open5e
        self._staging = staging
        self._chosen = chosen
        self._report = report
        self._turns = anyio.CapacityLimiter(AT_ONCE)
        self.requests = 0
        self.resumed = 0

    async def documents(self, one: MirrorList) -> tuple[list[Any], int]:
        """The rows of the list of documents and their number, read anew. Raises `UpstreamError`."""
        rows, count = await self._page(one, 1)
        if len(rows) != count:
            raise ListChanged(one.name, f"holds {len(rows)} records where it says {count}")
        return rows, count

    async def still_as(self, counts: Mapping[str, int], lists: Sequence[MirrorList]) -> bool:
        """Whether each of the lists has as many records as `counts` say. Raises `UpstreamError`."""
        known = [one for one in lists if one.name in counts and one.name != DOCUMENTS]
        same: list[bool] = []

        async def compare(one: MirrorList) -> None:
            _, count = await self._asked(one, {"limit": "1", "fields": "key"})
            same.append(count == counts[one.name])

        async with _together() as start:
            for one in known:
                start(partial(compare, one))
        return all(same)

    async def read(self, lists: Sequence[MirrorList], counts: Mapping[str, int]) -> None:
        """Reads what is not staged yet of all lists; `counts` are those of lists that are begun, found to hold still.

        Raises `UpstreamError`, `ListChanged` too.
        """
        staged = await _in_thread(self._staging.pages)
        async with _together() as start:
            for one in lists:
                start(partial(self._read_list, one, staged.get(one.name, {}), counts.get(one.name)))

    async def _read_list(self, one: MirrorList, staged: Mapping[int, int], count: int | None) -> None:
        pages = dict(staged)
        self.resumed += len(pages)
        for attempt in range(1, TRIES + 1):
            try:
                await self._read_pages(one, pages, count)
                return
            except ListChanged as error:
                await _in_thread(self._staging.forget, one.name)
                if attempt == TRIES:
                    raise
                log.warning("%s It is read again.", error)
                pages, count = {}, None

    async def _read_pages(self, one: MirrorList, pages: dict[int, int], count: int | None) -> None:
        """Fetches the pages that are missing; `pages` are those at hand with the number of their records."""
        if count is None or 1 not in pages:
            count = await self._fetch(one, 1, count, pages)
        last = max(1, -(-count // one.page_size))
        if max(pages) > last:
            raise ListChanged(one.name, "became shorter while it was read")
        self._report(f"reading {one.name}", sum(pages.values()), count)
        async with _together() as start:
            for page in range(2, last + 1):
                if page not in pages:
                    start(partial(self._fetch, one, page, count, pages))
        total = sum(pages.values())
        if total != count:
            raise ListChanged(one.name, f"holds {total} records where it says {count}")

    async def _fetch(self, one: MirrorList, page: int, count: int | None, pages: dict[int, int]) -> int:
        """Fetches and keeps one page; returns how many records the list has by its word."""
        rows, said = await self._page(one, page)
        if count is not None and said != count:
            raise ListChanged(one.name, f"says that it has {said} records, and {count} before")
        expected = min(one.page_size, said - (page - 1) * one.page_size)
        if len(rows) != expected:
            raise ListChanged(one.name, f"holds {len(rows)} records on page {page} where {expected} belong")
        await _in_thread(self._staging.keep, one.name, page, rows, said)
        pages[page] = len(rows)
        self._report(f"reading {one.name}", sum(pages.values()), said)
        return said

    async def _page(self, one: MirrorList, page: int) -> tuple[list[Any], int]:
        # In the order of the unique key, so that no record stands on two pages or on none.
        parameters = {"limit": str(one.page_size), "ordering": "key"}
        if page > 1:
            parameters["page"] = str(page)
        return await self._asked(one, parameters)

    async def _asked(self, one: MirrorList, parameters: dict[str, str]) -> tuple[list[Any], int]:
        if self._chosen is not None and one.by_document:
            parameters["document__key__in"] = ",".join(sorted(self._chosen))
        async with self._turns:
            body, fetched = await self._open5e.page(one.path, parameters, fresh=timedelta())
        self.requests += fetched.requests
        count = body.get("count")
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise UpstreamBadResponse(
                f"{NAME} does not say how long its list `{one.name}` is.", upstream=NAME
            )
        return body["results"], count


async def _in_thread(call: Callable[..., _Result], *arguments: Any) -> _Result:
    # Never abandoned: a transaction that was begun is ended before anything else happens.
    return await anyio.to_thread.run_sync(call, *arguments)


@asynccontextmanager
async def _together() -> AsyncIterator[Callable[[Callable[[], Any]], None]]:
    """Runs what is started side by side; the first error ends the others and is raised as it is."""
    errors: list[Exception] = []

    async def run(call: Callable[[], Any]) -> None:
        try:
            await call()
        except Exception as error:  # noqa: BLE001 - kept, and raised below
            errors.append(error)
            tasks.cancel_scope.cancel()

    def start(call: Callable[[], Any]) -> None:
        tasks.start_soon(run, call)

    async with anyio.create_task_group() as tasks:
        yield start
    if errors:
        raise errors[0]
