"""What CKAN's Solr schema makes of text: the analyzer of `text`, and which field is of which kind."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

STRING, TEXT, UNSTEMMED, DATE = "string", "text", "unstemmed", "date"

_TEXT_FIELDS = {"title", "notes", "text", "res_extras_text"}
_UNSTEMMED_FIELDS = {"author", "maintainer", "res_name", "res_description", "res_url", "urls"}
_DATE_FIELDS = {"metadata_created", "metadata_modified", "indexed_ts"}
_VOWELS = frozenset("aeiouy")


def kind_of(field: str) -> str:
    """How a field is indexed. What the schema does not name is a string field."""
    if field in _TEXT_FIELDS or field.startswith(("extras_", "res_extras_")):
        return TEXT
    if field in _UNSTEMMED_FIELDS:
        return UNSTEMMED
    return DATE if field in _DATE_FIELDS else STRING


Token = tuple[str, int]
"""A term and its position; a term that joins the parts of a word stands at the place of the last of them."""


@lru_cache(maxsize=4096)
def indexed(text: str, *, stem: bool = True) -> tuple[Token, ...]:
    """The terms of a text that is indexed: parts of words, and the parts joined."""
    found: list[Token] = []
    position = -1
    for word in text.split():
        parts = _parts(word)
        if not parts:
            continue
        for run in _runs(parts):
            for part in run:
                position += 1
                found.append((_term(part, stem), position))
            if len(run) > 1:
                found.append((_term("".join(run), stem), position))
    return tuple(found)


@lru_cache(maxsize=4096)
def queried(text: str, *, stem: bool = True) -> tuple[str, ...]:
    """The terms of a text that is asked for, in their order."""
    return tuple(_term(part, stem) for word in text.split() for part in _parts(word))


def normalised(text: str) -> str:
    """A wildcard's text: not cut and not stemmed."""
    return _fold(text.lower())


def _parts(word: str) -> list[str]:
    """Cut at punctuation, between letters and digits, and where upper case follows lower case."""
    word = re.sub(r"['’]s(?=\W|$)", "", word)
    parts: list[str] = []
    last = ""
    for character in word:
        kind = _character(character)
        if kind and last and not _cut(last, kind):
            parts[-1] += character
        elif kind:
            parts.append(character)
        last = kind
    return parts


def _character(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Lu":
        return "upper"
    if category == "Ll":
        return "lower"
    if category[0] in "LM":
        return "alpha"
    return "digit" if category[0] == "N" else ""


def _cut(last: str, kind: str) -> bool:
    return (last == "digit") != (kind == "digit") or (last == "lower" and kind == "upper")


def _runs(parts: list[str]) -> list[list[str]]:
    """Neighbouring parts of letters, and of digits."""
    runs: list[list[str]] = []
    for part in parts:
        if runs and runs[-1][-1].isnumeric() == part.isnumeric():
            runs[-1].append(part)
        else:
            runs.append([part])
    return runs


def _term(part: str, stem: bool) -> str:
    lowered = part.lower()
    return _fold(_stem(lowered) if stem else lowered)


def _stem(word: str) -> str:
    """The steps of the English stemmer that words of catalogs meet: plurals, and a final e."""
    if len(word) <= 2:
        return word
    if word.endswith("sses"):
        word = word[:-2]
    elif word.endswith(("ied", "ies")):
        word = word[:-2] if len(word) > 4 else word[:-1]
    elif word.endswith("s") and not word.endswith(("us", "ss")) and _VOWELS & set(word[:-2]):
        word = word[:-1]
    if word.endswith("e") and len(word) > 3 and _after_first_syllable(word):
        word = word[:-1]
    return word


def _after_first_syllable(word: str) -> bool:
    """Whether the last letter lies behind a vowel and a consonant."""
    found = re.search(r"[aeiouy][^aeiouy]", word[:-1])
    return found is not None and found.end() < len(word) - 1


_ODD_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d"})


def _fold(text: str) -> str:
    """Latin letters without their accents; other scripts as they are."""
    if text.isascii():
        return text
    folded = []
    for character in text.translate(_ODD_LETTERS):
        plain = unicodedata.normalize("NFD", character)
        folded.append(plain[0] if plain[0].isascii() and len(plain) > 1 else character)
    return "".join(folded)
