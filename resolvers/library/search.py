"""`searchDocuments`: documents ranked by how well they fit a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from resolvers import cursor
from resolvers.library.queries import begin, shelf_of
from resolvers.library.ranking import (
    EXACT,
    FULL_TEXT,
    Evidence,
    Ranked,
    lexical_score,
    order_of,
    ranked,
    rarities,
    snippet,
    words_of,
)
from resolvers.library.vocabulary import settle
from resolvers.question import Answer, PageInfo, Question
from resolvers.scope import Scope
from sources.criteria import EVERYTHING, AnyOf, Criteria, Op, Predicate, all_of, predicates
from sources.errors import BadInput
from sources.library.identity import normal_identifier
from sources.library.store import LibraryShelf
from sources.page import Record
from sources.text_index import fold

MOST_LOOKED_AT = 200
"""Documents, and chunks, whose fit is reckoned; the database's own ranking chooses them where there are more."""

_READ_OF_BODY = 20_000
"""Characters of summary, abstract and the like."""
_LEAST_SCORE = 0.01

COMMON = 25
"""A word is common when more documents than this, and more than a fifth of all, hold it."""

_READ = ("title", "summary", "abstract", "keywords", "authors", "venue", "publisher")


@dataclass(frozen=True, slots=True)
class DocumentHit:
    """A document that was found: its `score` from 0 to 1, by which ways, and a passage that shows why."""

    kind: str
    name: str
    score: float
    matched_by: tuple[str, ...]
    snippet: str
    node: Record


async def search_documents(scope: Scope, query: str, question: Question, columns: Sequence[str]) -> Answer:
    """The page of hits that `question` asks for; `columns` are those wanted of their documents.

    Raises `BadInput` for a query without words, an unknown name in the filter, or a foreign cursor.
    """
    words = words_of(query)
    if not words:
        raise BadInput("holds no word or number to search for.", argument="query")
    shelf = shelf_of(scope)
    provenance = await begin(shelf)
    criteria = await settle(question.criteria, shelf, shelf.documents)
    provenance.pushed_down.extend(_arguments(criteria))
    hits, looked_at, cut = await _find(shelf, query, words, criteria)
    provenance.scanned = looked_at
    if cut:
        provenance.complete = False
        provenance.warnings.append(
            f"More than {MOST_LOOKED_AT} documents or passages hold words of the query; the likeliest were "
            "ranked. Add words, or a filter, to see others."
        )
    print_ = cursor.fingerprint("document_hit", all_of([Predicate("query", Op.MATCHES, query), criteria]), ())
    page, more, before = _page(hits, question, print_)
    records = await shelf.documents.by_keys([hit.key for hit in page], columns) if page else {}
    nodes = [
        DocumentHit(
            "document", hit.title, hit.score, hit.matched_by, snippet(hit.passage, words), records[hit.key]
        )
        for hit in page
        if hit.key in records
    ]
    cursors = [cursor.mint(order_of(hit), print_) for hit in page if hit.key in records]
    return Answer(
        nodes=nodes,
        cursors=cursors,
        page_info=PageInfo(more, before, cursors[0] if cursors else None, cursors[-1] if cursors else None),
        total_count=None if cut else len(hits),
        provenance=provenance,
    )


async def _find(
    shelf: LibraryShelf, query: str, words: Sequence[str], criteria: Criteria
) -> tuple[list[Ranked], int, bool]:
    """Everything that was found, in order; how many documents were looked at; and whether there may be more."""
    limit = MOST_LOOKED_AT + 1
    held = await shelf.documents.count(EVERYTHING)
    frequencies = await shelf.texts.frequencies(words)
    telling = _telling(words, frequencies, held)
    exact = await _exact(shelf, query, criteria)
    heads = await shelf.texts.documents(telling, criteria, limit)
    chunks = await shelf.texts.chunks(telling, criteria, limit)
    cut = len(heads) == limit or len(chunks) == limit
    passages: dict[str, list[str]] = {}
    for chunk in chunks[:MOST_LOOKED_AT]:
        passages.setdefault(chunk.document_key, []).append(chunk.text)
    keys = list(dict.fromkeys([*exact, *heads[:MOST_LOOKED_AT], *passages]))
    records = await shelf.documents.by_keys(keys, _READ) if keys else {}
    rarity = dict(zip(words, rarities(frequencies, held), strict=True))
    found: dict[str, Evidence] = {}
    for key, record in records.items():
        parts = [record.summary, record.abstract, *record.keywords, *record.authors]
        body = "\n".join(part for part in (*parts, record.venue, record.publisher) if part)
        score, passage = lexical_score(rarity, record.title, body[:_READ_OF_BODY], passages.get(key, ()))
        found[key] = Evidence(passage=passage)
        if key in exact:
            found[key].scores[EXACT] = 1.0
        if score > 0 or key not in exact:
            # Full text looks at all of a long text, and only its beginning is reckoned with here.
            found[key].scores[FULL_TEXT] = max(score, _LEAST_SCORE)
    return ranked(found, {key: record.title for key, record in records.items()}), len(keys), cut


def _telling(words: Sequence[str], frequencies: Sequence[int], held: int) -> Sequence[str]:
    """The words that documents are looked for by: not those that a good part of them holds, unless all are such."""
    common = max(COMMON, held / 5)
    rare = [word for word, number in zip(words, frequencies, strict=True) if number <= common]
    return rare or words


async def _exact(shelf: LibraryShelf, query: str, criteria: Criteria) -> list[str]:
    """The documents whose title, key or identifier the query is."""
    means: list[Criteria] = [
        Predicate("key", Op.EQUALS, query.strip()),
        Predicate("identifier", Op.HAS_ANY, (normal_identifier(query),)),
    ]
    if fold(query):
        means.append(Predicate("title", Op.FOLDED_EQUALS, query))
    return await shelf.document_keys(all_of([AnyOf(tuple(means)), criteria]), MOST_LOOKED_AT)


def _page(hits: list[Ranked], question: Question, print_: str) -> tuple[list[Ranked], bool, bool]:
    """The hits of the page, and whether hits follow and precede it."""
    start = 0
    if question.page.after is not None:
        score, title, key = cursor.read(question.page.after, print_, 3, argument="after")
        if not (isinstance(score, (int, float)) and isinstance(title, str) and isinstance(key, str)):
            raise BadInput("is not a cursor of this service.", argument="after")
        passed = (-score, title, key)
        start = sum(1 for hit in hits if (-hit.score, hit.title, hit.key) <= passed)
    end = start + (question.page.first or 0)
    return hits[start:end], end < len(hits), start > 0


def _arguments(criteria: Criteria) -> list[str]:
    names = (predicate.argument.removeprefix("filter.") for predicate in predicates(criteria))
    return list(dict.fromkeys(name for name in names if name))
