"""Recall: the entries of a database whose meaning is nearest to a text.

The score is always the cosine of the angle between two vectors, 1 for one meaning. As long as the index is not whole,
what it cannot find is looked for by the words of the text, and scored in the same way, entry by entry; so an answer
is never empty because something was not indexed, and it says what it may lack.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from resolvers.memory.databases import active_database, shelf_of
from resolvers.memory.queries import ROOM, within
from resolvers.question import PageInfo
from resolvers.ranking import MatchedBy
from resolvers.scope import Scope
from sources.criteria import EVERYTHING, Criteria, matches, predicates
from sources.embedder import Vectors
from sources.errors import BadInput, DataFolderError, EmbedderMismatch, LoregraphError, UpstreamError
from sources.memory.records import entry_key, split_key
from sources.memory.store import EntryTexts, MemoryShelf
from sources.memory.text_search import entries_with_words
from sources.provenance import Provenance
from sources.registry import KeptDatabase
from sources.semantic import Reach
from sources.text_index import fold, index_tokens, tokens

DEFAULT_FIRST = 5
BY_WORDS = range(16, 48)
"""How many entries are found by their words and embedded for one question: some 30 ms each."""
FEW = 300
"""A filter that leaves no more entries than these is answered from their vectors, one by one: some 0.1 ms each."""
MOST_EXACT = 5_000
"""So is one that leaves up to these, where they are too rare to be found among the nearest."""
MOST_NEAR = 4_000
"""Neighbours that are looked at to find those which fulfil a filter."""
_WORDS = 64
_COLUMNS = ("key", "entry_id", "content", "metadata", "timestamp")


@dataclass(frozen=True, slots=True)
class RecallQuestion:
    """What is recalled. `vector`: that of the text, from a caller who made it with the database's own model."""

    database: str
    text: str
    first: int = DEFAULT_FIRST
    vector: Sequence[float] | None = None
    min_score: float | None = None
    criteria: Criteria = EVERYTHING


@dataclass(frozen=True, slots=True)
class MemoryHit:
    """One entry that was found."""

    key: str
    entry_id: str
    content: str
    metadata: Any
    timestamp: int | None
    score: float
    matched_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recalled:
    """The hits, nearest first, and the account of how they were found."""

    query: str
    database: str
    nodes: Sequence[MemoryHit]
    page_info: PageInfo
    provenance: Provenance


@dataclass(slots=True)
class _Found:
    """Scores by key, and the ways in which each was found."""

    scores: dict[str, float] = field(default_factory=dict)
    ways: dict[str, set[MatchedBy]] = field(default_factory=dict)

    def add(self, key: str, score: float, way: MatchedBy) -> None:
        self.scores[key] = score
        self.ways.setdefault(key, set()).add(way)


async def recall(scope: Scope, asked: RecallQuestion) -> Recalled:
    """Answers the question.

    Raises `BadInput` for a text that says nothing and a name that is not active, `EmbedderMismatch` for vectors
    that cannot be compared, and, for external databases, what stands between them and us.
    """
    shelf = shelf_of(scope)
    if not fold(asked.text):
        raise BadInput("holds nothing to recall by.", argument="query")
    kept = await active_database(scope, asked.database)
    given = None if asked.vector is None else _checked_vector(asked.vector, kept)
    provenance = Provenance(ROOM, providers=(kept.name,))
    provenance.pushed_down.extend(_arguments(asked.criteria))
    if kept.managed:
        hits, more = await _Managed(shelf, kept, asked, provenance).answer(given)
    else:
        hits, more = await _external(shelf, kept, asked, given, provenance)
    return Recalled(asked.text, kept.name, hits, PageInfo(more, False, None, None), provenance)


def _checked_vector(values: Sequence[float], kept: KeptDatabase) -> Vectors:
    if len(values) != kept.embedder.dimension:
        raise EmbedderMismatch(
            f"`queryVector` has {len(values)} dimensions, and `{kept.name}` holds vectors of {kept.embedder.dimension},"
            f" made by {kept.embedder.model}. Embed the query with that model, or leave `queryVector` out."
        )
    vector = np.asarray(values, dtype=np.float64)
    if not np.isfinite(vector).all() or not vector.any():
        raise BadInput("must be a vector of finite numbers that are not all 0.", argument="queryVector")
    # The largest first to 1, so that no square of a number passes what can be written.
    vector = vector / np.abs(vector).max()
    unit: Vectors = (vector / np.linalg.norm(vector)).astype(np.float32)
    return unit


def _arguments(criteria: Criteria) -> list[str]:
    names = (predicate.argument.removeprefix("filter.") for predicate in predicates(criteria))
    return list(dict.fromkeys(name for name in names if name))


class _Managed:
    """Recall from a database whose entries lie in SQL."""

    def __init__(
        self, shelf: MemoryShelf, kept: KeptDatabase, asked: RecallQuestion, provenance: Provenance
    ) -> None:
        self._shelf = shelf
        self._kept = kept
        self._asked = asked
        self._provenance = provenance
        self._criteria = within(kept, asked.criteria)
        self._thing: EntryTexts = shelf.indexed(kept)
        self._found = _Found()

    async def answer(self, given: Vectors | None) -> tuple[list[MemoryHit], bool]:
        """The hits, and whether there are more."""
        reach = await self._shelf.semantic.reach(self._thing)
        reason = reach.reason
        try:
            vector = given
            if vector is None:
                vector = await self._shelf.semantic.vector(self._thing, self._asked.text)
        except LoregraphError as error:
            return await self._by_words_alone(error)
        try:
            await self._by_meaning(reach, vector)
        except (UpstreamError, DataFolderError) as error:
            reason = error.public
        if reason is not None:
            await self._by_words(reach, vector, reason)
        return await self._hits()

    async def _by_meaning(self, reach: Reach, vector: Vectors) -> None:
        if reach.collection is None:
            return
        most = self._asked.first + 1
        if self._asked.criteria == EVERYTHING:
            for near in await self._shelf.semantic.nearest(self._thing, reach, vector, most):
                self._found.add(entry_key(self._kept.name, near.id), near.score, MatchedBy.SEMANTIC)
            return
        matching = await self._shelf.entries.count(self._criteria)
        self._provenance.scanned += matching
        # How many neighbours hold enough that fulfil the filter, if these lie as all others do; with a margin.
        look = 2 * most * (self._kept.entries or 1) // max(matching, 1)
        if matching <= FEW or (look > MOST_NEAR // 2 and matching <= MOST_EXACT):
            await self._among(reach, vector, matching)
            return
        await self._nearest_that_fulfil(reach, vector, most, min(look, MOST_NEAR))

    async def _among(self, reach: Reach, vector: Vectors, matching: int) -> None:
        """The entries that fulfil the filter, scored one by one."""
        keys = await self._shelf.keys(self._criteria, matching)
        vectors = await self._shelf.semantic.vectors(self._thing, reach, [split_key(key)[1] for key in keys])
        for entry_id, row in vectors.items():
            self._found.add(entry_key(self._kept.name, entry_id), float(row @ vector), MatchedBy.SEMANTIC)

    async def _nearest_that_fulfil(self, reach: Reach, vector: Vectors, most: int, look: int) -> None:
        """The `look` nearest entries, and more and more of them, until enough fulfil the filter."""
        while True:
            near = await self._shelf.semantic.nearest(self._thing, reach, vector, look)
            keys = [entry_key(self._kept.name, one.id) for one in near]
            fulfilling = await self._shelf.entries.by_keys(keys, ("key",), within=self._criteria)
            if len(fulfilling) >= most or len(near) < look or look >= MOST_NEAR:
                break
            look = min(look * 4, MOST_NEAR)
        for key, one in zip(keys, near, strict=True):
            if key in fulfilling:
                self._found.add(key, one.score, MatchedBy.SEMANTIC)
        if len(fulfilling) < most and len(near) >= look:
            self._provenance.complete = False
            self._provenance.warnings.append(
                f"The filter was held against the {look:,} nearest entries; farther ones may fulfil it as well."
            )

    async def _by_words(self, reach: Reach, vector: Vectors, reason: str) -> None:
        """What the words of the text find, scored by meaning all the same."""
        self._provenance.complete = False
        self._provenance.warnings.append(
            f"{reason} What is not indexed was looked for by the words of the query."
        )
        words = _words(self._asked.text)
        most = min(max(self._asked.first + 1, BY_WORDS.start), BY_WORDS.stop)
        keys = await entries_with_words(
            self._shelf.database, self._shelf.entries.map, words, self._criteria, most
        )
        # A vector may be that of an earlier text, so each is made of the text as it is now.
        texts = await self._shelf.texts(self._kept.name, [split_key(key)[1] for key in keys])
        self._provenance.scanned += len(texts)
        try:
            vectors = await self._shelf.semantic.embedders.of(self._kept.embedder).embed(list(texts.values()))
        except LoregraphError as error:
            if self._asked.min_score is not None:
                raise
            self._share_of_words(texts, words, error)
            return
        for entry_id, row in zip(texts, vectors, strict=True):
            self._found.add(entry_key(self._kept.name, entry_id), float(row @ vector), MatchedBy.FULL_TEXT)

    async def _by_words_alone(self, error: LoregraphError) -> tuple[list[MemoryHit], bool]:
        """What can be found while the text itself has no vector. Raises `error` where scores are asked for."""
        if self._asked.min_score is not None:
            raise error
        words = _words(self._asked.text)
        self._provenance.complete = False
        keys = await entries_with_words(
            self._shelf.database, self._shelf.entries.map, words, self._criteria, self._asked.first + 1
        )
        texts = await self._shelf.texts(self._kept.name, [split_key(key)[1] for key in keys])
        self._share_of_words(texts, words, error)
        return await self._hits()

    def _share_of_words(self, texts: dict[str, str], words: Sequence[str], error: LoregraphError) -> None:
        self._provenance.warnings.append(
            f"{error.public} Found by the words of the query alone; the score is the share of them that an entry holds."
        )
        for entry_id, text in texts.items():
            held = set(index_tokens(text))
            share = sum(1 for word in words if word in held) / len(words)
            self._found.add(entry_key(self._kept.name, entry_id), share, MatchedBy.FULL_TEXT)

    async def _hits(self) -> tuple[list[MemoryHit], bool]:
        least = -math.inf if self._asked.min_score is None else self._asked.min_score
        scores = {key: score for key, score in self._found.scores.items() if score >= least}
        ranked = sorted(scores, key=lambda key: (-scores[key], key))
        # One more than wanted are looked up: an entry that was removed meanwhile makes room.
        wanted = ranked[: self._asked.first + 1]
        records = await self._shelf.entries.by_keys(wanted, _COLUMNS, within=self._criteria) if wanted else {}
        hits = [
            MemoryHit(
                key,
                records[key].entry_id,
                records[key].content,
                records[key].metadata,
                records[key].timestamp,
                _rounded(scores[key]),
                tuple(way.value for way in MatchedBy if way in self._found.ways[key]),
            )
            for key in wanted
            if key in records
        ]
        return hits[: self._asked.first], len(ranked) > self._asked.first


async def _external(
    shelf: MemoryShelf,
    kept: KeptDatabase,
    asked: RecallQuestion,
    given: Vectors | None,
    provenance: Provenance,
) -> tuple[list[MemoryHit], bool]:
    """Recall from a collection that others filled: by meaning, or not at all."""
    location = kept.location
    assert location is not None
    vector = given
    if vector is None:
        vector = await shelf.semantic.embedders.of(kept.embedder).embed_one(asked.text)
    most = asked.first + 1 if asked.criteria == EVERYTHING else MOST_NEAR
    found = await shelf.external.nearest(kept.name, location, kept.embedder, vector, most)
    provenance.upstream_requests += 1
    provenance.scanned += len(found)
    if asked.criteria != EVERYTHING:
        provenance.pushed_down, provenance.residual = [], provenance.pushed_down
        fulfilling = [(entry, score) for entry, score in found if matches(asked.criteria, entry)]
        if len(found) == most and len(fulfilling) <= asked.first:
            provenance.complete = False
            provenance.warnings.append(
                f"The filter was held against the {most:,} nearest entries; farther ones may fulfil it as well."
            )
        found = fulfilling
    least = -math.inf if asked.min_score is None else asked.min_score
    hits = [
        MemoryHit(
            entry.key,
            entry.entry_id,
            entry.content,
            entry.metadata,
            entry.timestamp,
            _rounded(score),
            (MatchedBy.SEMANTIC.value,),
        )
        for entry, score in found
        if score >= least
    ]
    return hits[: asked.first], len(hits) > asked.first


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(tokens(text)))[:_WORDS]


def _rounded(score: float) -> float:
    """Without the noise of 32-bit reckoning, which may pass 1."""
    return round(min(max(score, -1.0), 1.0), 6)
