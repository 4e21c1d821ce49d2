"""Text that comes from outside is data: what a reader cannot see is taken out of it.

Control characters can drive a terminal, direction marks can reorder a line, and invisible characters can carry
instructions that only a model reads. All of them go, in every text of every result.
"""

from __future__ import annotations

import re
from typing import Any

_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029]")
_UNSEEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1 but for line feed and tab
    "\u00ad\u034f\u061c\u180b-\u180f"  # soft hyphen, joiners and marks without a shape
    "\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # fillers
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"  # zero width, direction, byte order mark
    "\ufe00-\ufe0f\ufff0-\ufffb"  # variation selectors, annotation marks
    "\ud800-\udfff"  # halves of a pair, which JSON cannot carry
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # shorthand and music marks, tags
    "]"
)


def clean(text: str) -> str:
    """`text` without control and invisible characters; every line end is a line feed."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub("", _LINE_ENDS.sub("\n", text))


def clean_json(value: Any) -> Any:
    """Any JSON value with all its texts and keys cleaned."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(key): clean_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [clean_json(item) for item in value]
    return value
