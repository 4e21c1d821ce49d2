"""A portal's vocabulary: its organizations, groups and tags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from resolvers import cursor
from resolvers.datasets.account import Account, resolve_query, shelf_of
from resolvers.datasets.questions import FIRST_PAGE
from resolvers.datasets.search import read_offset
from resolvers.question import Answer, PageInfo, PageRequest, Wanted
from resolvers.scope import Scope
from sources.criteria import EVERYTHING as EVERY_CRITERION
from sources.datasets import filter_query
from sources.datasets.query_resolver import EVERYTHING, QueryParser, ResolvedQuery
from sources.datasets.readers import read_organization
from sources.datasets.records import Facet, Organization, Tag
from sources.datasets.source import DatasetsShelf
from sources.errors import UpstreamBadResponse, UpstreamUnavailable
from sources.text_index import fold

_PAGE = 100
_MOST_NAMES = 1_000

Kind = Literal["organization", "group"]


@dataclass(frozen=True, slots=True)
class VocabularySearch:
    """A question for organizations, groups or tags.

    - `query`: a part of the name or title, ignoring case and accents
    - `q`, `fq`: only what datasets have that this finds (tags alone)
    """

    server_url: str
    wanted: Wanted
    query: str | None = None
    page: PageRequest = FIRST_PAGE
    language: str | None = None
    q: str | None = None
    fq: str | None = None
    parser: QueryParser = QueryParser.AUTO


async def find_organizations(scope: Scope, asked: VocabularySearch) -> Answer:
    """The organizations of a portal by name; with `query`, those that have datasets. Raises as `find_datasets`."""
    return await _find_bodies(scope, asked, "organization")


async def find_groups(scope: Scope, asked: VocabularySearch) -> Answer:
    """The groups of a portal by name; with `query`, those that have datasets. Raises as `find_datasets`."""
    return await _find_bodies(scope, asked, "group")


async def find_tags(scope: Scope, asked: VocabularySearch) -> Answer:
    """The tags of a portal's datasets, most frequent first, each with its count. Raises as `find_datasets`.

    All tags are read and searched here, whatever page is wanted: a filter behind the first hundred would miss most.
    """
    shelf = shelf_of(scope)
    account = Account(shelf.portals.find(asked.server_url))
    resolved = await resolve_query(shelf, account, asked.q, asked.parser)
    facet = await _facet(shelf, account, "tags", resolved, asked)
    every = [Tag(value.name, value.display_name, value.count) for value in facet.values]
    if not every and not asked.q and not asked.fq:
        every, told = await shelf.ckan.tags(account.portal)
        account.add(told)
        if every:
            account.warnings.append(f"{account.portal.title} does not count its tags.")
    tags = [tag for tag in every if _fits(asked.query, tag.name, tag.display_name)]
    account.scanned = len(every)
    return _paged(tags, asked, account, "tag", resolved if asked.q else None)


async def _find_bodies(scope: Scope, asked: VocabularySearch, kind: Kind) -> Answer:
    shelf = shelf_of(scope)
    account = Account(shelf.portals.find(asked.server_url))
    if asked.query is None or not asked.query.strip():
        try:
            return await _listed(shelf, account, kind, asked)
        except (UpstreamBadResponse, UpstreamUnavailable) as error:
            # Some portals fail at this list and count all the same.
            account.lose(f"{error.message} Only those with datasets are shown.")
    found = await _by_facet(shelf, account, kind, asked)
    account.scanned = len(found)
    return _paged(found, asked, account, kind)


async def _by_facet(
    shelf: DatasetsShelf, account: Account, kind: Kind, asked: VocabularySearch
) -> list[Organization]:
    resolved = await resolve_query(shelf, account, None, QueryParser.AUTO)
    field = "organization" if kind == "organization" else "groups"
    facet = await _facet(shelf, account, field, resolved, None)
    found = []
    for value in facet.values:
        if _fits(asked.query, value.name, value.display_name):
            raw = {"name": value.name, "title": value.display_name, "package_count": value.count}
            record = read_organization(raw, account.portal, asked.language, kind)
            if record is not None:
                found.append(record)
    return sorted(found, key=lambda record: record.name)


async def _listed(shelf: DatasetsShelf, account: Account, kind: Kind, asked: VocabularySearch) -> Answer:
    """The wanted piece of the list, read as the portal gives it: how many came tells where the rest begins."""
    print_ = _fingerprint(kind, account, asked)
    start, first = read_offset(asked.page.after, print_), asked.page.first or 0
    found: dict[str, Organization] = {}
    at_end = False
    while len(found) <= first and not at_end:
        limit = min(_PAGE, first + 1 - len(found))
        records, told = await shelf.ckan.organizations(
            account.portal,
            limit=limit,
            offset=start + len(found),
            language=asked.language,
            action=f"{kind}_list",
        )
        account.add(told)
        fresh = {record.key: record for record in records if record.key not in found}
        found |= fresh
        # Portals cut a page where they like, so only one with nothing new is the end; one that knows no offset
        # begins again with what was seen already.
        at_end = not fresh
    nodes = list(found.values())[:first]
    account.scanned = len(found)
    total: int | None = None
    if start == 0 and at_end and len(found) <= first:
        total = len(found)
    elif asked.wanted.total_count:
        total = await _counted(shelf, account, kind)
    return _answered(nodes, start, len(found) > first, total, print_, account)


async def _counted(shelf: DatasetsShelf, account: Account, kind: Kind) -> int | None:
    """How many there are, by their names; None for as many as a portal lists at most."""
    reply = await shelf.ckan.call(account.portal, f"{kind}_list", {"limit": _MOST_NAMES})
    account.add(reply.told)
    count = len(reply.result) if isinstance(reply.result, list) else _MOST_NAMES
    return count if count < _MOST_NAMES else None


async def _facet(
    shelf: DatasetsShelf,
    account: Account,
    field: str,
    resolved: ResolvedQuery,
    asked: VocabularySearch | None,
) -> Facet:
    own_filter, changes = filter_query.of_caller(asked.fq if asked else None, shelf.clock.today())
    account.warnings.extend(changes)
    given: dict[str, Any] = {
        "q": resolved.effective_query if asked else EVERYTHING,
        "fq": own_filter,
        "rows": 0,
        "facet.field": [field],
        "facet.limit": -1,
    }
    page = await shelf.ckan.search(account.portal, given, arguments={"q": "q", "fq": "fq"})
    account.add(page.told)
    return next((facet for facet in page.facets if facet.field == field), Facet(field, ()))


def _fits(query: str | None, *texts: str) -> bool:
    return query is None or any(fold(query) in fold(text) for text in texts)


def _paged(
    records: list[Any],
    asked: VocabularySearch,
    account: Account,
    kind: str,
    resolved: ResolvedQuery | None = None,
) -> Answer:
    print_ = _fingerprint(kind, account, asked)
    start = read_offset(asked.page.after, print_)
    end = start + (asked.page.first or 0)
    total = len(records) if account.complete else None
    return _answered(records[start:end], start, end < len(records), total, print_, account, resolved)


def _fingerprint(kind: str, account: Account, asked: VocabularySearch) -> str:
    text = f"{kind} {account.portal.api_base} {asked.query} {asked.q} {asked.fq} {asked.parser}"
    return cursor.fingerprint(text, EVERY_CRITERION, ())


def _answered(
    nodes: list[Any],
    start: int,
    has_next: bool,
    total: int | None,
    print_: str,
    account: Account,
    resolved: ResolvedQuery | None = None,
) -> Answer:
    cursors = [cursor.mint((start + place + 1,), print_) for place in range(len(nodes))]
    ends = (cursors[0], cursors[-1]) if cursors else (None, None)
    return Answer(
        nodes=nodes,
        cursors=cursors,
        page_info=PageInfo(has_next, start > 0, *ends),
        total_count=total,
        provenance=account.provenance(resolved),
    )
