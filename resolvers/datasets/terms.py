"""The terms of a query, and whether a text holds them: for ranking here, where no search engine helps."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from sources.datasets.characters import MARKS
from sources.datasets.query_fields import FIELDS, PREFIXES
from sources.datasets.query_rendering import without_article
from sources.datasets.query_text import Group, Phrase, Word, read_query
from sources.datasets.stopwords import WITHOUT_BLANKS, stopwords
from sources.text_index import fold

_RUN = re.compile(rf"[^\W_](?:[^\W_]|[{MARKS}])*")
_PLURALS = re.compile(r"(?:i|e|o|a)$")
_ENGLISH = (
    (re.compile(r"ies$"), "y"),
    (re.compile(r"(?:(?<=[sxz])|(?<=[cs]h))es$"), ""),
    (re.compile(r"(?<![su])s$"), ""),
)
_FEWEST_FOR_STEM = 5
_OF_TEXT = frozenset(
    {"title", "notes", "text", "tags", "name", "holder_name", "publisher_name", "organization"}
)
_VOWEL_PLURALS = frozenset({"it"})


def query_terms(text: str, language: str | None) -> tuple[str, ...]:
    """What is looked for, in the order of the query: words in lower case without repetition.

    Left out are operators, what the query excludes, elided articles, single letters, and stopwords of the portal's
    language. A word in capitals in a query that is not all capitals is an acronym, and never a stopword.
    """
    text = unicodedata.normalize("NFC", text)
    shouted = text.upper() == text
    ignored = stopwords(language)
    found: dict[str, None] = {}
    runs = [run for chunk in _chunks(read_query(text).tree) for run in _RUN.findall(without_article(chunk))]
    for run in runs:
        term = run.lower()
        acronym = run.isupper() and len(run) > 1 and not shouted
        if (len(term) > 1 or WITHOUT_BLANKS.match(term)) and (acronym or term not in ignored):
            found[term] = None
    # A query of nothing but stopwords asks for these.
    return tuple(found) or tuple(dict.fromkeys(run.lower() for run in runs))


def _chunks(group: Group) -> Iterator[str]:
    for clause in group.clauses:
        if clause.negative:
            continue
        match clause.node:
            case Word(text):
                yield from _of_field(re.sub(r"\\(.)", r"\1", text))
            case Phrase(text, _):
                yield from text.split()
            case Group():
                yield from _chunks(clause.node)


def _of_field(word: str) -> Iterator[str]:
    """The part of a word that texts may hold: of `title:aria` the aria, of `license_id:cc-by` nothing."""
    name, colon, value = word.partition(":")
    bare = name.lstrip("+-!")
    if colon and (bare in FIELDS or bare.startswith(PREFIXES)):
        if bare in _OF_TEXT and value:
            yield value
    else:
        yield word


class TermMatcher:
    """Tells which terms a text holds: as whole words between any letters and digits of Unicode, whatever their
    case, accents and light plural; terms of scripts without blanks anywhere."""

    def __init__(self, terms: Sequence[str], language: str | None) -> None:
        self.terms = tuple(terms)
        self._vowels = (language or "").replace("_", "-").partition("-")[0].lower() in _VOWEL_PLURALS
        self._stems = {term: self._stem(fold(term)) for term in terms}

    def held(self, texts: Iterable[str | None]) -> frozenset[str]:
        """The terms that occur in at least one of `texts`."""
        folded = [fold(text) for text in texts if text]
        stems = {self._stem(run) for text in folded for run in _RUN.findall(text)}
        return frozenset(
            term
            for term, stem in self._stems.items()
            if stem in stems or (WITHOUT_BLANKS.search(term) and any(fold(term) in text for text in folded))
        )

    def _stem(self, word: str) -> str:
        return _stem(word, self._vowels)


@lru_cache(maxsize=20_000)
def _stem(word: str, vowels: bool) -> str:
    if len(word) < _FEWEST_FOR_STEM or not word.isalpha():
        return word
    if vowels:
        return _PLURALS.sub("", word)
    for ending, kept in _ENGLISH:
        shorter, changed = ending.subn(kept, word)
        if changed:
            return shorter
    return word
