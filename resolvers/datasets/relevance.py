"""Ranking a portal's datasets by how well they answer a text: candidates from the portal, the score from here.

A field counts by the share of the terms that it holds; one that holds every term has its whole weight, and a
dataset that holds every term somewhere has as much again as all fields together. The portal's own order decides
between equal scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio

from resolvers import cursor
from resolvers.datasets.account import Account, resolve_query, shelf_of
from resolvers.datasets.questions import (
    RelevanceAnswer,
    RelevanceSearch,
    RelevantDataset,
    ScoreParts,
    Weights,
)
from resolvers.datasets.search import answered_page, read_offset
from resolvers.datasets.terms import TermMatcher, query_terms
from resolvers.scope import Scope
from sources.criteria import EVERYTHING
from sources.datasets.query_resolver import Reached
from sources.datasets.records import Dataset
from sources.datasets.source import DatasetsShelf
from sources.errors import BadInput, LoregraphError

FEWEST_CANDIDATES = 50
MOST_CANDIDATES = 100
FIELDS = ("title", "notes", "tags", "organization", "holder", "publisher")
_ARGUMENTS: Mapping[str, str] = {"q": "query", "rows": "first"}
_SNIPPET = 200
_STATUS_SECONDS = 5.0


async def find_relevant(scope: Scope, asked: RelevanceSearch) -> RelevanceAnswer:
    """The datasets that best answer `asked.query`, a page of them. Raises as `find_datasets`.

    How many are scored follows from the size of the page, so a cursor holds for pages of one size.
    """
    shelf = shelf_of(scope)
    account = Account(shelf.portals.find(asked.server_url))
    _check(asked)
    print_ = cursor.fingerprint(
        f"relevant {account.portal.api_base} {asked.query} {asked.first} {asked.weights} {asked.parser}",
        EVERYTHING,
        (),
    )
    start = read_offset(asked.after, print_)
    resolved = await resolve_query(shelf, account, asked.query, asked.parser, argument="query")
    language = await portal_language(shelf, account)
    terms = query_terms(asked.query, language)
    wanted = max(FEWEST_CANDIDATES, min(5 * asked.first, MOST_CANDIDATES))
    candidates: dict[str, Dataset] = {}
    total = 0
    with_every_term: set[str] = set()
    if resolved.parser is Reached.DEFAULT and len(terms) > 1 and not _has_signs(resolved.effective_query):
        # `mm` makes the portal want every word; words that say nothing are left out, since few texts hold them.
        strict = {"q": " ".join(map(_quoted, terms)), "mm": "100%", "rows": wanted}
        try:
            page = await shelf.ckan.search(
                account.portal, strict, language=asked.language, arguments=_ARGUMENTS
            )
        except BadInput:
            account.warnings.append(f"{account.portal.title} cannot be asked for every word at once.")
        else:
            account.add(page.told)
            candidates |= {dataset.key: dataset for dataset in page.datasets}
            with_every_term = set(candidates)
            total = page.count
    if len(candidates) < wanted:
        given: dict[str, Any] = {"q": resolved.effective_query, "rows": wanted}
        page = await shelf.ckan.search(account.portal, given, language=asked.language, arguments=_ARGUMENTS)
        account.add(page.told)
        for dataset in page.datasets:
            candidates.setdefault(dataset.key, dataset)
        total = max(page.count, len(candidates))
    account.scanned = len(candidates)
    matcher = TermMatcher(terms, language)
    hits = [
        _scored(dataset, matcher, asked.weights, dataset.key in with_every_term)
        for dataset in candidates.values()
    ]
    hits.sort(key=lambda hit: -hit.score)
    if total > len(candidates):
        account.warnings.append(
            f"The {len(candidates)} datasets that the portal puts first were scored, of {total} that it finds."
        )
    nodes = hits[start : start + asked.first]
    cursors, page_info = answered_page(start, len(nodes), len(hits), print_)
    return RelevanceAnswer(
        nodes=nodes,
        cursors=cursors,
        page_info=page_info,
        total_count=total,
        provenance=account.provenance(resolved),
        terms=terms,
        weights=asked.weights,
        candidates=len(candidates),
        resolved=resolved,
    )


async def portal_language(shelf: DatasetsShelf, account: Account) -> str | None:
    """The language of a portal's own texts: as the registry has it, else as the portal says; None where neither."""
    if account.portal.languages:
        return account.portal.languages[0]
    try:
        with anyio.fail_after(_STATUS_SECONDS):
            status, told = await shelf.ckan.status(account.portal)
    except (LoregraphError, TimeoutError):
        return None
    account.add(told)
    return status.locale


def _check(asked: RelevanceSearch) -> None:
    if len(asked.query.strip()) < 2:
        raise BadInput("must have at least 2 characters.", argument="query")
    for field in FIELDS:
        if getattr(asked.weights, field) < 0:
            raise BadInput("must not be negative.", argument=f"weights.{field}")


def _has_signs(query: str) -> bool:
    """Whether the query says of single words whether they must or must not occur, which terms would lose."""
    return any(part[:1] in ("+", "-") or part in ("AND", "OR", "NOT") for part in query.split())


def _quoted(term: str) -> str:
    return f'"{term}"' if not term.isalpha() else term


def _scored(dataset: Dataset, matcher: TermMatcher, weights: Weights, every_term: bool) -> RelevantDataset:
    organization = dataset.organization
    texts: dict[str, tuple[str | None, ...]] = {
        "title": (dataset.title,),
        "notes": (dataset.notes,),
        "tags": dataset.tags,
        "organization": (organization.title, organization.name) if organization else (dataset.owner_org,),
        "holder": (dataset.holder_name,),
        "publisher": (dataset.publisher_name,),
    }
    held = {field: matcher.held(of_field) for field, of_field in texts.items()}
    found = frozenset().union(*held.values())
    count = len(matcher.terms) or 1
    scores = {field: getattr(weights, field) * len(terms) / count for field, terms in held.items()}
    complete = every_term or len(found) == len(matcher.terms)
    bonus = sum(getattr(weights, field) for field in FIELDS) if complete else 0.0
    parts = ScoreParts(**scores, every_term=bonus)
    return RelevantDataset(
        node=dataset,
        name=dataset.title,
        score=round(parts.total, 4),
        parts=parts,
        matched_by=tuple(field for field in FIELDS if held[field]),
        terms=tuple(term for term in matcher.terms if term in found),
        snippet=_snippet(dataset.notes),
    )


def _snippet(notes: str | None) -> str | None:
    if notes is None:
        return None
    line = " ".join(notes.split())
    return line if len(line) <= _SNIPPET else line[: _SNIPPET - 1].rstrip() + "…"
