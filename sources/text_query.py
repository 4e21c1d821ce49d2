"""What people write to search a text: words, "phrases", beginnings* and -exclusions.

    earthquake "power grid" tsunam* -drill -"false alarm"

All positive terms must hold and no excluded one may. The words are those of `sources.text_index`, so that case,
accents and typography make no difference. Any other sign only parts words: nothing a person can type is an error.

- A phrase is a run of words that follow each other in one part of the document (its name, or its body).
- `*` at the end of a word asks for any word that begins so; inside a phrase it counts at the end alone.
- `-` excludes where it stands before a term and after a blank; between letters it only parts words.
- A query of exclusions alone is answered with everything else. One without any word is no query (`has_terms`).

Whether words occur is asked of an index; whether they follow each other is asked of the stored words, as
containment of one text in another: positions in the indexes of both databases end somewhere, each elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sources.text_index import Dialect, document_words, fold, tokens

MOST_TERMS = 64
"""Terms that count; a query is bounded in length before it comes here, this bounds what becomes of it."""

_TERMS = re.compile(r'(?P<minus>(?<![^ ])-)?(?:"(?P<phrase>[^"]*)"?(?P<any>\*)?|(?P<word>[^ "]+))')


@dataclass(frozen=True, slots=True)
class Term:
    """Words that all must occur: one after the other when it is a `phrase`; the last is a beginning if `prefix`."""

    words: tuple[str, ...]
    phrase: bool = False
    prefix: bool = False

    @property
    def ordered(self) -> str | None:
        """What the stored words must contain beside holding each word; None where order does not matter."""
        if not self.phrase or len(self.words) < 2:
            return None
        return f" {' '.join(self.words)}{'' if self.prefix else ' '}"


@dataclass(frozen=True, slots=True)
class Group:
    """One question to a text index: `match` in the index's own words, and phrases that the text must contain."""

    match: str
    contains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextQuery:
    """A query, read."""

    wanted: tuple[Term, ...]
    excluded: tuple[Term, ...]

    def wanted_group(self, dialect: Dialect) -> Group | None:
        """The rows to keep; None where only exclusions are given."""
        if not self.wanted:
            return None
        ordered = tuple(one.ordered for one in self.wanted)
        return Group(
            _all([_match(one, dialect) for one in self.wanted], dialect),
            tuple(text for text in ordered if text is not None),
        )

    def excluded_groups(self, dialect: Dialect) -> list[Group]:
        """The rows to leave out, in any number of questions: one for each ordered term, one for all others."""
        groups: list[Group] = []
        free: list[str] = []
        for one in self.excluded:
            if one.ordered is None:
                free.append(_match(one, dialect))
            else:
                groups.append(Group(_match(one, dialect), (one.ordered,)))
        if free:
            either = " OR " if dialect == "sqlite" else " | "
            groups.append(Group(either.join(f"({match})" for match in free)))
        return groups


def _match(term: Term, dialect: Dialect) -> str:
    whole = term.words[:-1] if term.prefix else term.words
    quote = '"' if dialect == "sqlite" else "'"
    words = [f"{quote}{word}{quote}" for word in dict.fromkeys(whole)]
    if term.prefix:
        last = term.words[-1]
        words.append(f'"{last}" *' if dialect == "sqlite" else f"'{last}':*")
    return _all(words, dialect)


def _all(parts: Sequence[str], dialect: Dialect) -> str:
    return (" AND " if dialect == "sqlite" else " & ").join(parts)


@lru_cache(maxsize=1024)
def read_query(text: str) -> TextQuery:
    """The terms of a query as it was written."""
    wanted: list[Term] = []
    excluded: list[Term] = []
    for found in _TERMS.finditer(fold(text)):
        phrase = found["phrase"]
        written = found["word"] if phrase is None else phrase
        words = tokens(written)
        if not words:
            continue
        prefix = written.endswith("*") or found["any"] is not None
        term = Term(tuple(words), phrase is not None, prefix)
        (excluded if found["minus"] else wanted).append(term)
    return TextQuery(tuple(wanted[:MOST_TERMS]), tuple(excluded[:MOST_TERMS]))


def has_terms(text: str) -> bool:
    """Whether a query asks for anything at all."""
    query = read_query(text)
    return bool(query.wanted or query.excluded)


def matches_query(parts: Sequence[str], text: str) -> bool:
    """Whether a document of these parts is what the query asks for: what both databases answer."""
    query = read_query(text)
    if not query.wanted and not query.excluded:
        return False
    stored = [f" {' '.join(document_words(part))} " for part in parts]
    return all(_holds(one, stored) for one in query.wanted) and not any(
        _holds(one, stored) for one in query.excluded
    )


def _holds(term: Term, stored: Sequence[str]) -> bool:
    for index, word in enumerate(term.words):
        begins = term.prefix and index == len(term.words) - 1
        if not any(f" {word}{'' if begins else ' '}" in words for words in stored):
            return False
    return term.ordered is None or any(term.ordered in words for words in stored)
