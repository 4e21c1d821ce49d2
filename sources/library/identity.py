"""What identifies things of the library: keys made of names, and the identifiers that publishers give."""

from __future__ import annotations

import re
from hashlib import blake2b

from sources.text_index import fold

LONGEST_KEY = 200
LONGEST_NAME = 200
LONGEST_TITLE = 800
"""Characters."""
LONGEST_IN_BYTES = 800
"""Bytes of a key, a name or a title in UTF-8, as written and folded: three of them fit into one entry of an index of
PostgreSQL, which takes 2,704."""

_DOI = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_ARXIV = re.compile(r"^(?:https?://arxiv\.org/(?:abs|pdf)/|arxiv:\s*)", re.IGNORECASE)
_ISBN = re.compile(r"^(?:isbn(?:-1[03])?:?\s*)", re.IGNORECASE)


def key_of(name: str) -> str:
    """The key of what is known by its name alone: `Machine Learning` is `machine-learning`."""
    slug = re.sub(r"[^\w]+", "-", fold(name)).strip("-_")
    if not slug or len(slug) > LONGEST_KEY:
        return f"{slug[:100]}-{mark_of(name)}".lstrip("-")
    return slug


def mark_of(name: str) -> str:
    """Six characters that tell names apart whose keys would be the same, such as `C` and `C++`."""
    return blake2b(fold(name).encode("utf-8", "replace"), digest_size=3).hexdigest()


def is_wide(text: str, most: int = LONGEST_IN_BYTES) -> bool:
    """Whether a text has more bytes than indexes take."""
    if text.isascii():
        return len(text) > most
    return max(len(text.encode()), len(fold(text).encode())) > most


def cut(text: str, characters: int, most: int = LONGEST_IN_BYTES) -> str:
    """A text, or as much of its beginning as fits into so many characters and bytes."""
    text = text[:characters]
    while is_wide(text, most):
        text = text[: len(text) * 9 // 10]
    return text.rstrip()


def normal_identifier(text: str) -> str:
    """A DOI, ISBN or arXiv id without the prefixes, blanks and case that writers differ in."""
    text = text.strip()
    for prefix in (_DOI, _ARXIV):
        if prefix.match(text):
            return prefix.sub("", text).lower()
    bare = re.sub(r"[\s-]", "", _ISBN.sub("", text)).upper()
    if re.fullmatch(r"\d{9}[\dX]|\d{13}", bare):
        return bare
    return text.lower()
