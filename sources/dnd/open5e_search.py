"""Open5e's unified search, as one source of recall: it says which records may be meant, and ranks them badly.

Measured on Open5e 2.1.0: whole words come from a full text index that knows no typo; near words are compared
with the whole query and keep one record of each name, whatever its document; word statistics add rows in the
order of their names. Magic items and conditions are in none of it. So what is found here is a set of
candidates with the upstream's own scores, completed where the upstream is known to leave out; whoever ranks,
ranks again.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sources.dnd.live_index import Cost
from sources.dnd.open5e_client import NAME, Open5e, Refused
from sources.errors import UpstreamBadResponse, UpstreamError
from sources.text_index import fold

log = logging.getLogger("loregraph.dnd.open5e")

MODELS: Mapping[str, str] = {
    "spell": "Spell",
    "creature": "Creature",
    "item": "Item",
    "class": "CharacterClass",
    "species": "Species",
    "background": "Background",
    "feat": "Feat",
    "rule": "Rule",
}
"""The kinds that the search knows, and what it calls them. Classes hold subclasses too, as the upstream does."""

MAGIC_ITEMS = ("/magicitems/", ("name__icontains", "desc__icontains"))
"""The list of magic items, which the search leaves out, and the parameters that find words in it."""

CONDITIONS = "/conditions/"
"""The list of conditions, which the search leaves out, too: so short that its index of names is read whole."""

_FALLBACK: Mapping[str, tuple[str, str]] = {
    "spell": ("/spells/", "name__icontains"),
    "creature": ("/creatures/", "name__icontains"),
    "item": ("/items/", "name__icontains"),
    "class": ("/classes/", "name__contains"),
    "species": ("/species/", "name__icontains"),
    "background": ("/backgrounds/", "name__icontains"),
    "feat": ("/feats/", "name__icontains"),
    "rule": ("/rules/", "name__icontains"),
}
"""The lists that stand in where the search does not work, and the parameter that finds a part of a name."""

KINDS = (*MODELS, "magic_item", "condition")

_KIND_OF = {model: kind for kind, model in MODELS.items()}
_ANSWERS = frozenset({200, 400, 500})
"""A page of HTML with 500 says that the upstream has no index for the question: another try changes nothing."""
_OPERATORS = frozenset({"AND", "OR", "NOT", "NEAR"})
_WORD = re.compile(r"[^\s\"]+")
_MOST_WORDS = 12
_MOST_BYTES = 400
_MOST_DOCUMENTS = 3


class FoundBy(StrEnum):
    """How the upstream came upon a record."""

    EXACT = "exact"
    """All words occur in its name or text."""
    FUZZY = "fuzzy"
    """A word of its name is near to the query, or it shares its name with such a record."""
    VECTOR = "vector"
    """Its words are statistically near to those of the query."""
    NAME = "name"
    """A list, not the search, found a part of its name or text."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that may be meant. `score` is the upstream's, from 0 to 1; only alike `found_by` compare."""

    kind: str
    key: str
    name: str
    document_key: str
    found_by: FoundBy
    score: float


@dataclass(slots=True)
class Recall:
    """Candidates, each once, in no order that means anything beyond their `found_by` and `score`.

    `complete` is false where a cut, or a part that failed, may have lost some; `warnings` say which.
    """

    candidates: list[Candidate] = field(default_factory=list)
    complete: bool = True
    warnings: list[str] = field(default_factory=list)

    def lose(self, warning: str) -> None:
        """Notes that something may be missing."""
        self.complete = False
        if warning not in self.warnings:
            self.warnings.append(warning)


def quoted(query: str) -> str:
    """The query as the upstream's full text takes it: words that mean something in its language are quoted.

    A bare apostrophe, hyphen, slash or quote is a syntax error, which it swallows and answers with nothing. Plain
    words stay bare, since near words are compared with the query as it stands, quotes included.
    """
    return " ".join(
        word if word.isalnum() and word not in _OPERATORS else f'"{word}"' for word in _words(query)
    )


def _words(query: str) -> list[str]:
    words: list[str] = []
    left = _MOST_BYTES
    for word in _WORD.findall(query.replace("\0", " "))[:_MOST_WORDS]:
        left -= len(word.encode("utf-8", "ignore"))
        if left < 0:
            break
        words.append(word)
    return words


async def recall(
    open5e: Open5e,
    query: str,
    cost: Cost,
    *,
    kinds: Collection[str] = KINDS,
    documents: Collection[str] = (),
    fuzzy: bool = True,
    vector: bool = True,
    limit: int = 50,
) -> Recall:
    """The records of `kinds` (all: those of `KINDS`) and of `documents` (none given: all) that `query` may mean.

    At most `limit` rows are read of each request: one for each kind unless all are asked for, one for each list
    of magic items and conditions, and one for an index of names where near words were found. Raises
    `UpstreamError` only when nothing at all could be asked; `ValueError` for an unknown kind.
    """
    if unknown := set(kinds) - set(KINDS):
        raise ValueError(f"{sorted(unknown)} are not kinds of the search")
    found = Recall()
    if not _words(query):
        return found
    searched = [kind for kind in MODELS if kind in kinds]
    asks = [
        *_search_asks(open5e, query, cost, searched, documents, fuzzy, vector, limit, found),
    ]
    if "magic_item" in kinds:
        asks.append(_listed(open5e, query, cost, "magic_item", MAGIC_ITEMS, documents, limit, found))
    if "condition" in kinds:
        asks.append(_conditions(open5e, query, cost))
    results = await asyncio.gather(*asks, return_exceptions=True)
    failures = [result for result in results if isinstance(result, BaseException)]
    for failure in failures:
        if not isinstance(failure, UpstreamError):
            raise failure
        found.lose(failure.message)
    if failures and len(failures) == len(results):
        raise failures[0]
    rows = [candidate for result in results if isinstance(result, list) for candidate in result]
    if any(candidate.found_by is FoundBy.FUZZY for candidate in rows):
        rows += await _namesakes(open5e, rows, cost, found)
    by_key: dict[tuple[str, str], Candidate] = {}
    for candidate in rows:
        if documents and candidate.document_key not in documents:
            continue
        by_key.setdefault((candidate.kind, candidate.key), candidate)
    found.candidates = list(by_key.values())
    return found


def _search_asks(
    open5e: Open5e,
    query: str,
    cost: Cost,
    kinds: Sequence[str],
    documents: Collection[str],
    fuzzy: bool,
    vector: bool,
    limit: int,
    found: Recall,
) -> list[Any]:
    """One request for everything, or one for each kind and each of a few documents: neither takes a list."""
    if not kinds:
        return []
    models: list[str | None] = [None] if len(kinds) == len(MODELS) else [MODELS[kind] for kind in kinds]
    of_documents: list[str | None] = [None]
    # A document with a sign of LIKE would be a pattern.
    if 0 < len(documents) <= _MOST_DOCUMENTS and not any(set("%_") & set(key) for key in documents):
        of_documents = list(documents)
    asks = []
    for model in models:
        for document in of_documents:
            parameters = {"query": quoted(query), "limit": str(limit)}
            if fuzzy:
                parameters["fuzzy"] = "true"
            else:
                # Without it, near words come unasked where no whole word is found.
                parameters["strict"] = "true"
            if vector:
                parameters["vector"] = "true"
            if model is not None:
                parameters["object_model"] = model
            if document is not None:
                parameters["document_pk"] = document
            asks.append(_searched(open5e, query, parameters, cost, kinds, found))
    return asks


async def _searched(
    open5e: Open5e,
    query: str,
    parameters: Mapping[str, str],
    cost: Cost,
    kinds: Sequence[str],
    found: Recall,
) -> list[Candidate]:
    try:
        return await _search(open5e, query, parameters, cost, found)
    except UpstreamBadResponse as error:
        log.warning("the unified search failed: %s", error)
    exact = {name: value for name, value in parameters.items() if name not in ("fuzzy", "vector")}
    try:
        rows = await _search(open5e, query, {**exact, "strict": "true"}, cost, found)
    except UpstreamBadResponse as error:
        log.warning("the unified search failed: %s", error)
        rows = []
    if rows:
        found.lose(f"{NAME} can at present search for whole words alone.")
        return rows
    # A strict search finds nothing, with 200, where the upstream has no index at all.
    found.lose(f"{NAME} cannot search at present; parts of names were looked for instead.")
    model = parameters.get("object_model")
    wanted = [kind for kind in kinds if model is None or MODELS[kind] == model]
    limit = int(parameters["limit"])
    lists = [
        _listed(open5e, query, cost, kind, (_FALLBACK[kind][0], (_FALLBACK[kind][1],)), (), limit, found)
        for kind in wanted
    ]
    return [candidate for part in await asyncio.gather(*lists) for candidate in part]


async def _search(
    open5e: Open5e, query: str, parameters: Mapping[str, str], cost: Cost, found: Recall
) -> list[Candidate]:
    rows = await _search_once(open5e, parameters, cost, found)
    bare = " ".join(_words(query))
    if rows or "fuzzy" not in parameters or bare == parameters["query"]:
        return rows
    # The quotes kept near words away. As it stands the query is a syntax error, and near words are looked for.
    return await _search_once(open5e, {**parameters, "query": bare}, cost, found)


async def _search_once(
    open5e: Open5e, parameters: Mapping[str, str], cost: Cost, found: Recall
) -> list[Candidate]:
    body, fetched = await open5e.page("/search/", parameters, accept=_ANSWERS)
    cost.count(fetched)
    if body.get("next") is not None:
        found.lose(f"{NAME} found more than the {parameters['limit']} records that were read.")
    return [candidate for row in body["results"] if (candidate := _candidate(row)) is not None]


def _candidate(row: Any) -> Candidate | None:
    """A row of the search; None for what is no record of ours (environments, other versions)."""
    if not isinstance(row, Mapping):
        return None
    kind = _KIND_OF.get(str(row.get("object_model")))
    key, name, document = row.get("object_pk"), row.get("object_name"), row.get("document")
    if kind is None or not isinstance(key, str) or not isinstance(name, str):
        return None
    try:
        found_by = FoundBy(str(row.get("match_type")))
    except ValueError:
        return None
    score = row.get("match_score")
    return Candidate(
        kind=kind,
        key=key,
        name=name,
        document_key=str(document.get("key") or "") if isinstance(document, Mapping) else "",
        found_by=found_by,
        score=min(1.0, max(0.0, float(score))) if isinstance(score, int | float) else 0.0,
    )


async def _listed(
    open5e: Open5e,
    query: str,
    cost: Cost,
    kind: str,
    where: tuple[str, tuple[str, ...]],
    documents: Collection[str],
    limit: int,
    found: Recall,
) -> list[Candidate]:
    """Records whose name or text holds the query as it stands, by one request for each parameter."""
    path, parameters = where
    shared = {"fields": "key,name,document", "document__fields": "key", "limit": str(limit)}
    if documents:
        shared["document__key__in"] = ",".join(sorted(documents))
    text = " ".join(_words(query))
    candidates = []
    for parameter in parameters:
        try:
            body, fetched = await open5e.page(path, {parameter: text, **shared})
        except Refused as refused:
            raise UpstreamBadResponse(refused.message, upstream=NAME) from None
        cost.count(fetched)
        if body.get("next") is not None:
            found.lose(f"{NAME} found more than the {limit} records that were read.")
        candidates += list(_listed_candidates(kind, body["results"]))
    return candidates


def _listed_candidates(kind: str, rows: Sequence[Any]) -> Iterable[Candidate]:
    for row in rows:
        if isinstance(row, Mapping) and isinstance(row.get("key"), str) and isinstance(row.get("name"), str):
            document = row.get("document")
            document_key = str(document.get("key") or "") if isinstance(document, Mapping) else ""
            yield Candidate(kind, row["key"], row["name"], document_key, FoundBy.NAME, 1.0)


async def _conditions(open5e: Open5e, query: str, cost: Cost) -> list[Candidate]:
    """Conditions whose name holds the query. The upstream has one row for all documents that describe one; the
    index has a record for each, under the key that it is fetched by."""
    index = await open5e.names(CONDITIONS, cost)
    text = fold(" ".join(_words(query)))
    return [
        Candidate("condition", entry.key, entry.name, index.keys[entry.key], FoundBy.NAME, 1.0)
        for entry in index.entries
        if text in fold(entry.name)
    ]


async def _namesakes(open5e: Open5e, rows: Sequence[Candidate], cost: Cost, found: Recall) -> list[Candidate]:
    """The records that share their name with one found by a near word: the search keeps one for each name."""
    more = []
    for kind in dict.fromkeys(row.kind for row in rows if row.found_by is FoundBy.FUZZY):
        near = {
            fold(row.name): row.score for row in rows if row.kind == kind and row.found_by is FoundBy.FUZZY
        }
        try:
            index = await open5e.names(_FALLBACK[kind][0], cost)
        except UpstreamError as error:
            log.warning("the index of names could not be read: %s", error)
            found.lose(
                f"{NAME} finds a mistyped name in one document alone, and the others could not be read."
            )
            continue
        more += [
            Candidate(
                kind, entry.key, entry.name, index.keys[entry.key], FoundBy.FUZZY, near[fold(entry.name)]
            )
            for entry in index.entries
            if fold(entry.name) in near
        ]
    return more
