"""The Action API of any CKAN portal: actions asked over the guarded HTTP client, answers as records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import orjson

from sources.datasets.failures import Arguments, of_page, of_refusal
from sources.datasets.portals import Portal
from sources.datasets.readers import (
    read_dataset,
    read_datastore,
    read_facets,
    read_organization,
    read_status,
    read_tag,
)
from sources.datasets.records import Dataset, DatastorePage, Organization, PortalStatus, SearchPage, Tag
from sources.errors import LoregraphError, NotCkan, PortalBlocked, UpstreamBadResponse, shorten
from sources.http import Fetched, HttpClient

MOST_ROWS = 1_000
"""Datasets of one search: portals cut silently beyond it."""
MOST_DATASTORE_ROWS = 32_000
LONGEST_GET = 1_500
"""Bytes of a query string; a longer question is put by POST, which some firewalls take more of."""

_JSON_STATUSES = frozenset({200, 400, 401, 403, 404, 409})
_FRESH = {"status_show": 3_600.0, "datastore_search": 60.0}
_FRESH_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Told:
    """What an answer cost and how old it is."""

    fetched_at: datetime
    from_cache: bool
    stale: bool
    requests: int


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of an action, as it came; shared with others that asked the same, so it is never changed.

    `url`: where it came from, after redirects.
    """

    result: Any
    told: Told
    url: str


class Ckan:
    """Asks portals. Knows what it learnt of each: that it runs CKAN, and that its firewall wants POST."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http
        self._runs_ckan: set[str] = set()
        self._wants_post: set[str] = set()

    async def call(
        self,
        portal: Portal,
        action: str,
        given: Mapping[str, Any],
        *,
        arguments: Arguments | None = None,
        missing: str | None = None,
        fresh_seconds: float | None = None,
        argument: str | None = "serverUrl",
    ) -> Reply:
        """Asks one action.

        - `given`: its parameters; lists and dicts go as JSON, None is left out
        - `arguments`: which of ours each parameter was made from, for errors; `missing`: the sentence of NotFound
        - `argument`: that which named the portal

        Raises `BadInput`, `NotFound`, `PortalBlocked`, `NotCkan` and the other `UpstreamError`s.
        """
        parameters = {name: value for name, value in given.items() if value is not None}
        fresh = _FRESH.get(action, _FRESH_SECONDS) if fresh_seconds is None else fresh_seconds
        post = portal.prefers_post or portal.api_base in self._wants_post
        tried = 0
        while True:
            try:
                fetched = await self._send(portal, action, parameters, fresh, argument, post=post)
                break
            except UpstreamBadResponse as error:
                is_ckan = portal.known or portal.api_base in self._runs_ckan
                meant = of_page(portal, action, error, is_ckan=is_ckan)
                if isinstance(meant, PortalBlocked) and not post:
                    post, tried = True, 1
                    continue
                raise meant from error
        body, status = fetched.value, fetched.status
        if isinstance(body, Mapping) and body.get("success") is True and status == 200:
            self._runs_ckan.add(portal.api_base)
            if tried:
                self._wants_post.add(portal.api_base)
            told = Told(fetched.fetched_at, fetched.from_cache, fetched.stale, fetched.requests + tried)
            return Reply(body.get("result"), told, fetched.url)
        if not isinstance(body, str) and not (isinstance(body, Mapping) and "success" in body):
            raise NotCkan(f"{portal.title} answers, but not as a CKAN portal.", upstream=portal.title)
        raise of_refusal(portal, action, status, body, arguments or {}, missing)

    async def search(
        self,
        portal: Portal,
        given: Mapping[str, Any],
        *,
        language: str | None = None,
        arguments: Arguments | None = None,
    ) -> SearchPage:
        """`package_search` as records. Raises as `call`."""
        reply = await self.call(portal, "package_search", given, arguments=arguments)
        result = _mapping(portal, "package_search", reply.result)
        count, rows = result.get("count"), result.get("results")
        if isinstance(count, bool) or not isinstance(count, int) or not isinstance(rows, list):
            raise _odd(portal, "package_search")
        datasets = [read_dataset(raw, portal, language) for raw in rows if isinstance(raw, Mapping)]
        return SearchPage(
            count=count,
            datasets=tuple(dataset for dataset in datasets if dataset is not None),
            unreadable=len(rows) - sum(dataset is not None for dataset in datasets),
            facets=read_facets(result),
            sort=result["sort"] if isinstance(result.get("sort"), str) else None,
            told=reply.told,
        )

    async def count(self, portal: Portal, q: str) -> tuple[int, Told]:
        """How many datasets a query finds. Raises as `call`."""
        reply = await self.call(portal, "package_search", {"q": q, "rows": 0})
        result = _mapping(portal, "package_search", reply.result)
        if isinstance(result.get("count"), bool) or not isinstance(result.get("count"), int):
            raise _odd(portal, "package_search")
        return result["count"], reply.told

    async def dataset(
        self, portal: Portal, identifier: str, *, language: str | None = None, argument: str = "id"
    ) -> tuple[Dataset, Told]:
        """`package_show`. Raises `NotFound`, and as `call`."""
        reply = await self.call(
            portal,
            "package_show",
            {"id": identifier},
            arguments={"id": argument},
            missing=f"{portal.title} has no dataset `{shorten(identifier)}`. Names are written in lower case;"
            " search for it to get its name or id.",
        )
        found = read_dataset(_mapping(portal, "package_show", reply.result), portal, language)
        if found is None:
            raise _odd(portal, "package_show")
        return found, reply.told

    async def organizations(
        self, portal: Portal, *, limit: int, offset: int, language: str | None = None, action: str
    ) -> tuple[list[Organization], Told]:
        """One page of `organization_list` or `group_list` with all fields; portals may give fewer than asked."""
        given = {"all_fields": True, "sort": "name asc", "limit": limit, "offset": offset or None}
        reply = await self.call(portal, action, given)
        if not isinstance(reply.result, list):
            raise _odd(portal, action)
        kind = action.removesuffix("_list")
        read = [read_organization(raw, portal, language, kind) for raw in reply.result]
        return [record for record in read if record is not None], reply.told

    async def tags(self, portal: Portal) -> tuple[list[Tag], Told]:
        """`tag_list`: every tag, without counts."""
        reply = await self.call(portal, "tag_list", {})
        if not isinstance(reply.result, list):
            raise _odd(portal, "tag_list")
        read = [read_tag(raw) for raw in reply.result]
        return [record for record in read if record is not None], reply.told

    async def status(self, portal: Portal) -> tuple[PortalStatus, Told]:
        """`status_show`."""
        reply = await self.call(portal, "status_show", {})
        return read_status(_mapping(portal, "status_show", reply.result), portal), reply.told

    async def datastore(
        self,
        portal: Portal,
        given: Mapping[str, Any],
        *,
        arguments: Arguments | None = None,
        fresh_seconds: float | None = None,
        argument: str | None = "serverUrl",
    ) -> tuple[DatastorePage, Told]:
        """`datastore_search`. Raises `NotFound` for a resource without a DataStore, and as `call`."""
        identifier = str(given.get("resource_id", ""))
        reply = await self.call(
            portal,
            "datastore_search",
            given,
            arguments={"resource_id": "resourceId", **(arguments or {})},
            missing=f"{portal.title} has no DataStore rows for the resource `{shorten(identifier)}`. The resources of"
            " a dataset say which have (`datastoreActive`).",
            fresh_seconds=fresh_seconds,
            argument=argument,
        )
        result = _mapping(portal, "datastore_search", reply.result)
        page = read_datastore(result)
        if page is None:
            raise _odd(portal, "datastore_search")
        return page, reply.told

    async def _send(
        self,
        portal: Portal,
        action: str,
        parameters: Mapping[str, Any],
        fresh: float,
        argument: str | None,
        *,
        post: bool,
    ) -> Fetched:
        url = f"{portal.api_base}/{action}"
        texts = {name: _as_text(value) for name, value in parameters.items()}
        if post or len(urlencode(texts)) > LONGEST_GET:
            return await self._http.post_json(
                url,
                parameters,
                accept=_JSON_STATUSES,
                fresh_seconds=fresh,
                keep=_succeeded,
                name=portal.title,
                argument=argument,
            )
        return await self._http.get_json(
            url,
            texts,
            accept=_JSON_STATUSES,
            fresh_seconds=fresh,
            keep=_succeeded,
            name=portal.title,
            argument=argument,
        )


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _succeeded(body: Any) -> bool:
    """Only answers are kept for use again."""
    return isinstance(body, Mapping) and body.get("success") is True


def _mapping(portal: Portal, action: str, result: Any) -> Mapping[str, Any]:
    if not isinstance(result, Mapping):
        raise _odd(portal, action)
    return result


def _odd(portal: Portal, action: str) -> LoregraphError:
    return UpstreamBadResponse(
        f"{portal.title} answered `{action}` with something that is no such answer.", upstream=portal.title
    )


def told_of(parts: Sequence[Told]) -> Told:
    """The account of several answers together: as old as the oldest."""
    return Told(
        fetched_at=min(part.fetched_at for part in parts),
        from_cache=all(part.from_cache for part in parts),
        stale=any(part.stale for part in parts),
        requests=sum(part.requests for part in parts),
    )
