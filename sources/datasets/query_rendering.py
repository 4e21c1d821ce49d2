"""A query's tree written out for one of Solr's two parsers.

`for_lucene` is the standard parser, which the wrapper `text:( … )` and any other colon lead to. `for_default` is
what a portal applies to a query without a colon: as CKAN comes, that is dismax.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sources.datasets.characters import MARKS
from sources.datasets.query_text import OPERATORS, Group, Phrase, Word

_SPECIAL = frozenset('+-!(){}[]^"~*?:\\/|&')
_PREFIX = re.compile(r"[^\W\d_]{3}\w*\*")
_ELIDED = re.compile(
    r"(?:l|d|dell|all|dall|nell|sull|coll|un|quest|quell|gl|c|j|m|n|s|t|qu|jusqu|lorsqu|puisqu|quoiqu)"
    r"['’]([^\W\d_]{2}.*)",
    re.IGNORECASE | re.DOTALL,
)
_INNER = re.compile(rf"(?:[^\W_]|[{MARKS}])(?:(?!\w)[^*?{MARKS}]|_)+[^\W_]")
_MIXED = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")


def without_article(word: str) -> str:
    """The word without an elided article: `dell'aria` is `aria`.

    No document is found by `l` or `dell`; the wrapper would ask for it all the same.
    """
    if "\\" in word or ":" in word:
        return word
    found = _ELIDED.fullmatch(word)
    return found.group(1) if found and found.group(1) not in OPERATORS else word


def has_inner_punctuation(word: str) -> bool:
    """Whether punctuation stands between letters or digits (`e-bike`): the default parser takes any of the
    pieces for the whole word."""
    return _INNER.search(_bare(word)) is not None


def mixes_letters_and_digits(word: str) -> bool:
    """Whether letters and digits stand side by side (`PM10`), which Solr cuts apart as well."""
    return _MIXED.search(_bare(word)) is not None


def is_prefix(word: str) -> bool:
    """Whether it is a word of at least three letters with a wildcard behind (`mobil*`)."""
    return _PREFIX.fullmatch(word) is not None


def for_lucene(tree: Group) -> str:
    """The tree for the standard parser: characters of words that are syntax there are escaped."""
    return _written(tree, _lucene_word, {})


def for_default(tree: Group) -> str:
    """The tree for a portal's own parser: words that it would take apart are quoted, `!` becomes `-`."""
    return _written(tree, _default_word, {"!": "-"})


def _written(group: Group, word: Callable[[str], str], signs: dict[str, str]) -> str:
    parts: list[str] = []
    for clause in group.clauses:
        match clause.node:
            case Word(text):
                written = word(without_article(text))
            case Phrase(text, suffix):
                written = f'"{text}"{suffix}'
            case Group():
                inner = _written(clause.node, word, signs)
                written = f"({inner})" if inner else ""
        if not written:
            continue
        modifier = signs.get(clause.modifier, clause.modifier)
        if clause.conjunction and parts:
            parts.append(clause.conjunction)
        parts.append(f"NOT {written}" if modifier == "NOT" else modifier + written)
    return " ".join(parts)


def _lucene_word(word: str) -> str:
    if is_prefix(word):
        return word
    written = ""
    place = 0
    while place < len(word):
        character = word[place]
        following = word[place + 1 : place + 2]
        if character == "\\" and following in _SPECIAL and following:
            written += character + following
            place += 2
            continue
        written += f"\\{character}" if character in _SPECIAL else character
        place += 1
    return written


def _default_word(word: str) -> str:
    # Where quotes do not pair, this parser drops them all; they would take those that are put here with them.
    word = word.replace('"', "") if '"' in word and '\\"' not in word else word
    if has_inner_punctuation(word) or mixes_letters_and_digits(word):
        return f'"{_bare(word)}"'
    return word


def _bare(word: str) -> str:
    """The word without escapes and quotes."""
    return re.sub(r"\\(.?)", r"\1", word, flags=re.DOTALL).replace('"', "").replace("\\", "")
