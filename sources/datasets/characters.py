"""Character classes that `re` lacks: what belongs to a word in any script."""

from __future__ import annotations

import unicodedata
from itertools import groupby

_LAST = 0x1FFFF
"""Beyond it there are no marks but variation selectors."""


def _marks() -> str:
    """Every combining mark, as ranges for a character class. `\\w` leaves out the vowel signs of Indic scripts and of
    Thai, which Solr counts as letters."""
    codes = [code for code in range(0x300, _LAST) if unicodedata.category(chr(code))[0] == "M"]
    ranges = []
    for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0]):
        held = [code for _, code in run]
        ranges.append(f"{chr(held[0])}-{chr(held[-1])}" if len(held) > 1 else chr(held[0]))
    return "".join(ranges)


MARKS = _marks()
"""Combining marks, to be put into a character class."""
