"""How well documents fit a text: which of its words stand where, rare words weighing more than common ones.

Each way of finding (`EXACT`, `FULL_TEXT`) leaves its evidence with a document, and `ranked` makes one list of it;
a way that knows meanings adds its own evidence before that.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sources.text_index import index_tokens, tokens

EXACT = "exact"
FULL_TEXT = "full_text"

MOST_WORDS = 24
"""Words of a query that are looked for."""

_TITLE, _BODY, _CHUNK = 1.0, 0.5, 0.4
"""What a word counts for where it stands."""

_SATURATION = 0.6
_SNIPPET_WORDS = 32


@dataclass(slots=True)
class Evidence:
    """Why a document was found: by which ways, how good each is from 0 to 1, and the passage that shows it."""

    scores: dict[str, float] = field(default_factory=dict)
    passage: str = ""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A document in its place."""

    key: str
    title: str
    score: float
    matched_by: tuple[str, ...]
    passage: str


def words_of(query: str) -> list[str]:
    """The different words of a query, the first `MOST_WORDS`."""
    return list(dict.fromkeys(tokens(query)))[:MOST_WORDS]


def rarities(frequencies: Sequence[int], documents: int) -> list[float]:
    """How telling each word is, from the number of documents that it occurs in."""
    return [math.log(1 + (documents - n + 0.5) / (n + 0.5)) + 0.1 for n in frequencies]


def lexical_score(
    words: Mapping[str, float], title: str, body: str, chunks: Sequence[str]
) -> tuple[float, str]:
    """How well a text fits words of given rarity, from 0 to 1; and which of its passages shows it best."""
    total = sum(words.values())
    title_counts, body_counts = Counter(index_tokens(title)), Counter(index_tokens(body))
    best, passage = _fit(words, title_counts, body_counts, Counter()), body
    if not any(word in body_counts for word in words):
        passage = body or title
    for chunk in chunks:
        fit = _fit(words, title_counts, body_counts, Counter(index_tokens(chunk)))
        if fit > best:
            best, passage = fit, chunk
    return (best / total if total else 0.0), passage


def _fit(words: Mapping[str, float], title: Counter[str], body: Counter[str], chunk: Counter[str]) -> float:
    found = 0.0
    for word, rarity in words.items():
        places = ((_TITLE, title[word]), (_BODY, body[word]), (_CHUNK, chunk[word]))
        found += rarity * max(weight * _saturated(count) for weight, count in places)
    return found


def _saturated(count: int) -> float:
    """The first occurrence says most: 0.625, 0.77, 0.83, towards 1."""
    return count / (count + _SATURATION)


def ranked(found: Mapping[str, Evidence], titles: Mapping[str, str]) -> list[Ranked]:
    """The documents in their order: the best score of any way first, then by title and key."""
    hits = [
        Ranked(
            key,
            titles[key],
            round(max(evidence.scores.values()), 6),
            tuple(evidence.scores),
            evidence.passage,
        )
        for key, evidence in found.items()
        if key in titles and evidence.scores
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.title, hit.key))


_WORD = re.compile(r"\S+")


def snippet(text: str, words: Sequence[str]) -> str:
    """The part of a text that holds most of the words, whole words, with … where it is cut."""
    wanted = set(words)
    places = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    held = [wanted.intersection(index_tokens(text[start:end])) for start, end in places]
    if len(places) <= _SNIPPET_WORDS:
        return " ".join(text.split())
    best, start = -1, 0
    counts: Counter[str] = Counter()
    for index, here in enumerate(held):
        counts.update(here)
        if index >= _SNIPPET_WORDS:
            counts.subtract(held[index - _SNIPPET_WORDS])
        # A few words before the first match are easier to read than none.
        if (number := sum(1 for count in counts.values() if count > 0)) > best:
            best, start = number, max(0, index - _SNIPPET_WORDS + 1 + (0 if best < 0 else 6))
    end = min(len(places), start + _SNIPPET_WORDS)
    cut = " ".join(text[places[start][0] : places[end - 1][1]].split())
    return f"{'… ' if start else ''}{cut}{' …' if end < len(places) else ''}"


def order_of(hit: Ranked) -> tuple[Any, ...]:
    """Where a hit stands in its list, as cursors hold it."""
    return (hit.score, hit.title, hit.key)
