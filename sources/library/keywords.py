"""The keywords of a text, by RAKE: phrases between stop words, ranked by how their words keep company."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import NamedTuple

from rake_nltk import Metric, Rake
from stop_words import get_stop_words

MOST_KEYWORDS = 12
_LONGEST_PHRASE = 3
_SHORTEST_WORD = 3
_LOOKED_AT = 400_000
"""Characters that keywords are taken from: a book says early what it is about."""

_LANGUAGES = ("english", "german", "french", "spanish", "italian", "portuguese", "dutch")
_WORDS = re.compile(r"[^\W\d_][\w'’-]*[^\W_]|[^\W\d_]|[^\w\s]")
_BREAKS = re.compile(r"[.!?;:\n\t()\[\]{}\"“”«»|/\\]+|,\s|\s[-–—]\s")
_PUNCTUATION = frozenset("!#$%&*+<=>?@^_`~…•·,.;:'’\"()[]{}|/\\-–—")


class Keyword(NamedTuple):
    """A phrase in lower case, and its weight from 0 to 1 among those of its text."""

    phrase: str
    weight: float


@cache
def stop_words(language: str) -> frozenset[str]:
    """The words of a language that say nothing about a text."""
    return frozenset(word.lower() for word in get_stop_words(language))


def language_of(text: str) -> str:
    """The language whose stop words are most frequent at the start of a text; English where none is."""
    held = Counter(word.lower() for word in _WORDS.findall(text[:20_000]))
    hits = {one: sum(held[word] for word in stop_words(one)) for one in _LANGUAGES}
    return max(_LANGUAGES, key=lambda one: hits[one])


def keywords(text: str, title: str = "", most: int = MOST_KEYWORDS) -> list[Keyword]:
    """The up to `most` phrases that a text is most likely about, the weightiest first.

    Those that occur once count only where the text is short, or its title has them.
    """
    text = text[:_LOOKED_AT]
    rake = Rake(
        stopwords=set(stop_words(language_of(text))),
        punctuations=set(_PUNCTUATION),
        ranking_metric=Metric.WORD_DEGREE,
        max_length=_LONGEST_PHRASE,
        include_repeated_phrases=True,
        sentence_tokenizer=_BREAKS.split,
        word_tokenizer=_WORDS.findall,
    )
    rake.extract_keywords_from_text(f"{title}\n{text}")
    counts: Counter[str] = Counter()
    scores: dict[str, float] = {}
    for score, phrase in rake.get_ranked_phrases_with_scores():
        counts[phrase] += 1
        scores[phrase] = score
    long_text = len(text) > 2_000
    titled = title.lower()
    ranked = {
        phrase: counts[phrase] * scores[phrase] ** 0.5
        for phrase in counts
        if _is_telling(phrase) and (counts[phrase] > 1 or not long_text or phrase in titled)
    }
    best = sorted(ranked, key=lambda phrase: (-ranked[phrase], phrase))[:most]
    top = ranked[best[0]] if best else 1.0
    return [Keyword(phrase, round(ranked[phrase] / top, 4)) for phrase in best]


def _is_telling(phrase: str) -> bool:
    parts = phrase.split()
    return len(phrase) <= 80 and all(len(part) >= _SHORTEST_WORD for part in parts)
