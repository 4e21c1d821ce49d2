"""One way of reading text, for every store.

`fold` is what "the same, ignoring case, accents and typography" means in loregraph: name filters, sort
columns and full text all compare folded text. `tokens` and `index_tokens` cut folded text into words.
SQLite (FTS5) and PostgreSQL (tsvector) are given these words ready-made, so neither database's own
tokenizer, stemmer or stop list has a say and both answer alike.

Rules of the cut, which the tests repeat:

- Letters and digits are separate words: `PM10` is `pm` `10`, so `PM 10` finds it.
- An apostrophe between two letters joins: a query for `don't`, `don’t` or `dont` is the word `dont`. In a
  document the parts count as well, so `Althea's` is found by `Althea's`, `Altheas` and `Althea`, and
  `l'eau` by `eau`.
- Scripts written without blanks between words (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) are
  cut into overlapping pairs of characters; a document also holds each single character, so a query of one
  character works.
- Nothing is stemmed and no word is left out. A word is cut off after 64 characters on both sides.
- A query without any word (blank, punctuation only) matches nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal

Dialect = Literal["sqlite", "postgresql"]

LONGEST_TOKEN = 64
"""Characters kept of one word: PostgreSQL refuses lexemes over 2 kB, and nobody types more."""

_APOSTROPHES = "‘’‚‛′‵ʹʻʼʽˈ`´＇ꞌ՚᾽᾿"
_QUOTES = "“”„‟″‶«»‹›〝〞〟＂"
_DASHES = "‐‑‒–—―−⁃﹘﹣－⸺⸻"

# Letters that Unicode does not take apart, written as people type them on a keyboard without them.
_LETTERS = {
    "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i",
    "ŋ": "n", "ŧ": "t", "ĸ": "k", "ƒ": "f",
}  # fmt: skip

# Signs that stand beside a name and are not part of it; NFKD would glue "tm" to the word before.
_DROPPED_SIGNS = "™℠®©"
# Invisible although Unicode calls them letters, marks or symbols; tatweel only stretches Arabic words.
_INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0\u0640"
_BLANKS = "\u2800"


def _before_decomposition() -> dict[int, str]:
    table = dict.fromkeys(map(ord, _APOSTROPHES), "'")
    table |= dict.fromkeys(map(ord, _QUOTES), '"')
    table |= dict.fromkeys(map(ord, _DASHES), "-")
    table |= dict.fromkeys(map(ord, _DROPPED_SIGNS + _INVISIBLE), "")
    table |= dict.fromkeys(map(ord, _BLANKS), " ")
    # "10½" is ten and a half: without the blank it would decompose to "101/2".
    for code in (0xBC, 0xBD, 0xBE, *range(0x2150, 0x2160), 0x2189):
        parts = unicodedata.normalize("NFKD", chr(code)).replace("\u2044", "/")
        table[code] = " " + parts
    table[0x2044] = "/"
    return table


_BEFORE = _before_decomposition()
_ASCII = {code: None for code in (*range(0x20), 0x7F) if not chr(code).isspace()} | {ord("`"): "'"}


def _is_accent(character: str) -> bool:
    """Whether a combining mark may be left out without changing the word.

    Accents above, below and through a letter, Hebrew and Arabic points (optional in writing) are; vowel
    signs, viramas and tone marks of Indic and South-East Asian scripts, and the Japanese voicing mark,
    make other words and stay.
    """
    place = unicodedata.combining(character)
    if place:
        return place == 1 or 10 <= place <= 36 or place >= 200
    if unicodedata.category(character) == "Me":
        return True
    code = ord(character)
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF  # variation selectors


class _Kept(dict[int, str | None]):
    """What is kept of each character, worked out when it is first met; `str.translate` then runs in C."""

    most = 20_000
    """Characters remembered: far more than one language has, and no caller can make it more."""

    def __missing__(self, code: int) -> str | None:
        kept = _kept(chr(code))
        if len(self) < self.most:
            self[code] = kept
        return kept


def _kept(character: str) -> str | None:
    category = unicodedata.category(character)
    if category[0] == "M":
        return None if _is_accent(character) else character
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if character.isspace():
        return " "
    return None if category in ("Cc", "Cf", "Cs") else _LETTERS.get(character, character)


_KEPT = _Kept()


def _fold_once(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.translate(_BEFORE)).casefold().translate(_KEPT)
    return " ".join(unicodedata.normalize("NFC", text).split())


_REMEMBERED_LENGTH = 1000


def fold(text: str) -> str:
    """The text without the differences that people do not mean when they compare names.

    Lower case, no accents, ligatures and width variants resolved, `ß æ ø đ ł` and their like spelled out,
    typographic apostrophes, quotes and dashes as `' " -`, digits of any script as 0-9, invisible and
    control characters gone, runs of white space one blank, none at the ends. Folding twice changes nothing.
    """
    if text.isascii():
        if text.isprintable() and "`" not in text:
            return " ".join(text.lower().split())
        return " ".join(text.translate(_ASCII).lower().split())
    # A question is folded by every predicate and every statement that it becomes.
    return _fold_remembered(text) if len(text) <= _REMEMBERED_LENGTH else _fold_whole(text)


def _fold_whole(text: str) -> str:
    folded = _fold_once(text)
    # One character may fold into another that folds again (a sign into letters, a letter into a mark).
    while (again := _fold_once(folded)) != folded:
        folded = again
    return folded


_fold_remembered = lru_cache(maxsize=1024)(_fold_whole)


# Scripts without blanks between words: Thai to Lao, Burmese, Hangul jamo, Khmer, kana to Hangul, Han.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3031-\u3035\u3040-\u30ff"
    "\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uaa60-\uaa7f"
    "\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_RUNS = re.compile(
    # Two or more apostrophes, or one at an end, are quotation marks; underscores are never part of words.
    rf"(?P<unspaced>[{_UNSPACED}]+)|(?P<digits>\d+)|(?P<word>[^\W\d_{_UNSPACED}](?:'?[^\W\d_{_UNSPACED}])*)"
)


def _spaced_out(text: str) -> tuple[str, str]:
    """Folded text, and the same with marks replaced by a letter, so that `re`'s \\w keeps words whole.

    `re` does not count combining marks as word characters; Indic words are full of them.
    """
    folded = fold(text)
    if folded.isascii():
        return folded, folded
    shape: list[str] = []
    for character in folded:
        category = unicodedata.category(character)
        if category[0] == "M":
            previous = shape[-1] if shape else " "
            shape.append(previous if previous.isalpha() else "x")
        elif category == "No" or category == "Nl":
            shape.append("0")
        else:
            shape.append(character)
    return folded, "".join(shape)


def _clusters(run: str) -> list[str]:
    """A run of an unspaced script as characters, each with the marks that follow it."""
    clusters: list[str] = []
    for character in run:
        if clusters and unicodedata.category(character)[0] == "M":
            clusters[-1] += character
        else:
            clusters.append(character)
    return [cluster[: LONGEST_TOKEN // 2] for cluster in clusters]


def _words(text: str, *, for_document: bool) -> Iterator[str]:
    folded, shape = _spaced_out(text)
    for run in _RUNS.finditer(shape):
        word = folded[run.start() : run.end()]
        if run.lastgroup == "unspaced":
            clusters = _clusters(word)
            if len(clusters) == 1 or for_document:
                yield from clusters
            for left, right in pairwise(clusters):
                yield left + right
        elif "'" in word:
            yield word.replace("'", "")[:LONGEST_TOKEN]
            if for_document:
                for part in word.split("'"):
                    yield part[:LONGEST_TOKEN]
        else:
            yield word[:LONGEST_TOKEN]


def tokens(text: str) -> list[str]:
    """The words that a query asks for, in their order, repeats included."""
    return list(_words(text, for_document=False))


def index_tokens(text: str) -> list[str]:
    """The words under which a document is found: those of `tokens`, and the parts described above."""
    return list(_words(text, for_document=True))


def index_text(text: str) -> str:
    """A document's words joined by blanks: what is stored in an FTS5 column (`tokenize = 'ascii'`)."""
    return " ".join(_words(text, for_document=True))


BARRIER = "\ue000"
"""Stands between the words of a document and the further ones it is found by. No query holds it."""

_PLAIN = re.compile(r"[a-z]+|\d+")


def document_words(text: str) -> list[str]:
    """The words of `index_tokens` in an order that phrases can be sought in.

    First the words of `tokens`, one after the other as they are read; then the further ones, each after `BARRIER`.
    """
    folded = fold(text)
    if folded.isascii() and "'" not in folded:
        return [word[:LONGEST_TOKEN] for word in _PLAIN.findall(folded)]
    read = tokens(text)
    known = set(read)
    further = [word for word in dict.fromkeys(index_tokens(text)) if word not in known]
    return [*read, *(part for word in further for part in (BARRIER, word))]


_LAST_POSITION = 16383
_POSITIONS_PER_WORD = 255
_LONGEST_TSVECTOR = 900_000


def tsvector_text(name: str, body: str = "") -> str:
    """A document's words as a literal for PostgreSQL's `tsvector`: the name's with weight A, the body's D.

    Positions are kept for ranking, as many as PostgreSQL holds. It refuses values over 1 MB: the words
    after the first 900 kB of distinct ones are left out.
    """
    places: dict[str, list[str]] = {}
    position = size = 0
    for text, weight in ((name, "A"), (body, "")):
        for word in _words(text, for_document=True):
            position = min(position + 1, _LAST_POSITION)
            known = places.get(word)
            if known is None:
                size += len(word.encode()) + 8
                if size > _LONGEST_TSVECTOR:
                    continue
                known = places[word] = []
            if len(known) < _POSITIONS_PER_WORD:
                known.append(f"{position}{weight}")
                size += 2
    return " ".join(f"'{word}':{','.join(where)}" for word, where in places.items())


@lru_cache(maxsize=1024)
def _query_words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_words(text, for_document=False)))


def has_words(text: str) -> bool:
    """Whether a query asks for anything at all."""
    return bool(_query_words(text))


def match_query(text: str, dialect: Dialect) -> str:
    """The query in the words of FTS5 (`MATCH ?`) or PostgreSQL (`@@ CAST(? AS tsquery)`): all must occur.

    Without any word the result is an empty phrase or query, which both databases match with nothing.
    """
    words = _query_words(text)
    if dialect == "sqlite":
        return " ".join(f'"{word}"' for word in words) or '""'
    return " & ".join(f"'{word}'" for word in words)


def matches(document_tokens: Collection[str], query: str) -> bool:
    """Whether every word of the query is among a document's `index_tokens`: what both databases answer."""
    words = _query_words(query)
    return bool(words) and all(word in document_tokens for word in words)
