"""Searching one portal: datasets page by page, with facets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from resolvers import cursor
from resolvers.datasets.account import Account, resolve_query, shelf_of
from resolvers.datasets.questions import DatasetsAnswer, DatasetSearch
from resolvers.question import PageInfo
from resolvers.scope import Scope
from sources.criteria import EVERYTHING, Criteria, matches, predicates
from sources.datasets import filter_query
from sources.datasets.query_resolver import QueryParser, Reached, ResolvedQuery, refuse_local_parameters
from sources.datasets.records import Dataset, Facet, SearchPage
from sources.datasets.source import DatasetsShelf
from sources.errors import BadInput

BY_SCORE = "score desc, metadata_modified desc"
BY_RECENCY = "issued desc, metadata_created desc"
_SORT = re.compile(r"\w[\w.-]*\s+(?:asc|desc)", re.IGNORECASE)
_SCAN_ROWS = 100
ARGUMENTS: Mapping[str, str] = {
    "q": "q",
    "fq": "fq",
    "sort": "sort",
    "rows": "first",
    "start": "after",
    "facet.field": "facetField",
    "facet.limit": "facetLimit",
}
"""Which arguments CKAN's parameters are made from."""


async def find_datasets(scope: Scope, asked: DatasetSearch) -> DatasetsAnswer:
    """The page of datasets that `asked` is about.

    Raises `BadInput`, `NotCkan`, `PortalBlocked` and the other `UpstreamError`s.
    """
    shelf = shelf_of(scope)
    account = Account(shelf.portals.find(asked.server_url))
    now = shelf.clock.today()
    sort = _sort(asked)
    pushed, residual = filter_query.split(asked.criteria)
    residual = filter_query.checkable(residual)
    own_filter, changes = filter_query.of_caller(asked.fq, now)
    account.warnings.extend(changes)
    account.pushed.extend(_arguments(pushed))
    account.residual.extend(_arguments(residual))
    resolved = await resolve_query(shelf, account, asked.q, asked.parser)
    effective = resolved.effective_query
    if asked.parser is not QueryParser.DEFAULT:
        effective = filter_query.dates_written_out(effective, now)
    recent = filter_query.recent(asked.content_recent_days, now) if asked.content_recent else None
    given: dict[str, Any] = {
        "q": effective,
        "fq": filter_query.joined([filter_query.compiled(pushed), recent, own_filter]),
        "sort": sort,
    }
    if asked.facet_field:
        given |= {"facet.field": list(asked.facet_field), "facet.limit": asked.facet_limit}
    print_ = cursor.fingerprint(
        f"dataset {account.portal.api_base} {asked.q} {asked.fq} {sort} {asked.parser} {asked.content_recent}"
        f" {asked.content_recent_days}",
        asked.criteria,
        (),
    )
    start = read_offset(asked.page.after, print_)
    if residual == EVERYTHING:
        found = await _page(shelf, account, asked, given, start)
    else:
        found = await _scanned(shelf, account, asked, given, start, residual)
    _explain_nothing(account, asked, resolved, found.total)
    cursors = [cursor.mint((place + 1,), print_) for place in found.places] if asked.wanted.cursors else []
    return DatasetsAnswer(
        nodes=found.datasets,
        cursors=cursors,
        page_info=PageInfo(
            found.has_next, start > 0, cursors[0] if cursors else None, cursors[-1] if cursors else None
        ),
        total_count=found.total,
        provenance=account.provenance(_with_query(resolved, effective)),
        facets=found.facets,
        sort=found.sort,
        resolved=resolved,
    )


def read_offset(after: str | None, print_: str) -> int:
    """Where the page after a cursor begins. Raises `BadInput`."""
    if after is None:
        return 0
    (start,) = cursor.read(after, print_, 1, argument="after")
    if isinstance(start, bool) or not isinstance(start, int) or start < 0:
        raise BadInput("is a cursor of another query.", argument="after")
    return start


def answered_page(start: int, held: int, total: int, print_: str) -> tuple[list[str], PageInfo]:
    """The cursors and the ends of a page of `held` records from place `start` of a list of `total`."""
    cursors = [cursor.mint((start + place + 1,), print_) for place in range(held)]
    ends = (cursors[0], cursors[-1]) if cursors else (None, None)
    return cursors, PageInfo(start + held < total, start > 0, *ends)


class _Found:
    """A page: datasets and their places in the portal's list, and what is told of the whole."""

    def __init__(self, page: SearchPage | None) -> None:
        self.datasets: list[Dataset] = []
        self.places: list[int] = []
        self.has_next = False
        self.total: int | None = None
        self.facets: Sequence[Facet] = page.facets if page else ()
        self.sort = page.sort if page else None


async def _page(
    shelf: DatasetsShelf, account: Account, asked: DatasetSearch, given: Mapping[str, Any], start: int
) -> _Found:
    """One request: the portal applies everything."""
    wanted = asked.wanted
    rows = asked.page.first or 0 if wanted.records or wanted.cursors else 0
    page = await _ask(shelf, account, asked, {**given, "rows": rows, "start": start or None})
    found = _Found(page)
    found.datasets = list(page.datasets)
    found.places = list(range(start, start + len(page.datasets)))
    received = len(page.datasets) + page.unreadable
    found.has_next = start + (received if rows else asked.page.first or 0) < page.count and (
        received > 0 or not rows
    )
    found.total = page.count
    if rows and received < min(rows, max(0, page.count - start)):
        account.lose(f"{account.portal.title} counts more datasets than it gives.")
    return found


async def _scanned(
    shelf: DatasetsShelf,
    account: Account,
    asked: DatasetSearch,
    given: Mapping[str, Any],
    start: int,
    residual: Criteria,
) -> _Found:
    """Page after page, each dataset checked here, until enough are found or enough were read."""
    first = asked.page.first or 0
    place, found = start, _Found(None)
    while True:
        page = await _ask(shelf, account, asked, {**given, "rows": _SCAN_ROWS, "start": place or None})
        if place == start:
            found = _Found(page)
            if page.facets:
                account.warnings.append("Facets count datasets before the filters that are applied here.")
        for offset, dataset in enumerate(page.datasets):
            if not matches(residual, dataset, filter_query.read_attribute):
                continue
            if len(found.datasets) == first:
                found.has_next = True
                return found
            found.datasets.append(dataset)
            found.places.append(place + offset)
        received = len(page.datasets) + page.unreadable
        place += received
        if not received or place >= page.count:
            if start == 0:
                found.total = len(found.datasets)
            return found
        if place - start >= shelf.settings.scan_datasets:
            found.has_next = True
            account.lose(
                f"The portal cannot apply {', '.join(account.residual)} itself; {place} of {page.count} datasets"
                " were read. Ask for fewer by other filters."
            )
            return found


async def _ask(
    shelf: DatasetsShelf, account: Account, asked: DatasetSearch, given: Mapping[str, Any]
) -> SearchPage:
    arguments = ARGUMENTS if asked.q or not asked.fq else {**ARGUMENTS, "q": "fq"}
    page = await shelf.ckan.search(account.portal, given, language=asked.language, arguments=arguments)
    account.add(page.told)
    account.scanned += len(page.datasets)
    if page.unreadable:
        account.lose(f"{page.unreadable} datasets could not be read.")
    return page


def _sort(asked: DatasetSearch) -> str:
    """The order, made total by the id, so that pages neither repeat nor lose a dataset."""
    text = (asked.sort or "").strip() or (BY_RECENCY if asked.content_recent else BY_SCORE)
    refuse_local_parameters(text, "sort")
    parts = [part.strip() for part in text.split(",")]
    if not all(map(_SORT.fullmatch, parts)):
        raise BadInput(
            "must be fields with `asc` or `desc`, such as `metadata_modified desc, title_string asc`.",
            argument="sort",
        )
    if not any(part.split()[0] == "id" for part in parts):
        parts.append("id asc")
    return ", ".join(parts)


def _explain_nothing(
    account: Account, asked: DatasetSearch, resolved: ResolvedQuery, total: int | None
) -> None:
    """What may help where nothing was found: said, not tried, so that the answer is that of the question."""
    if total != 0:
        return
    text = asked.q or ""
    if resolved.parser is Reached.DEFAULT and len(text.split()) > 1 and " OR " not in f" {text} ":
        account.warnings.append(
            "Nothing was found: most of the words must occur. Ask for fewer, or join them by OR."
        )
    elif resolved.parser is not Reached.LUCENE and any(character.isalpha() for character in text):
        account.warnings.append(
            "Nothing was found: words are compared by their English stems, and an accent at the end makes another"
            " stem. Try it with or without accents, or `word*` with `queryParser: TEXT`."
        )


def _with_query(resolved: ResolvedQuery, effective: str) -> ResolvedQuery:
    if effective == resolved.effective_query:
        return resolved
    return ResolvedQuery(
        resolved.query,
        effective,
        resolved.parser,
        resolved.reason,
        resolved.probe_verdict,
        resolved.warnings,
    )


def _arguments(criteria: Criteria) -> list[str]:
    names = (predicate.argument.removeprefix("filter.") for predicate in predicates(criteria))
    return [name for name in names if name]
