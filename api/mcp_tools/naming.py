"""The names of the MCP door: snake case, compared without regard to how they were written."""

from __future__ import annotations

import re
from collections.abc import Callable

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BLANKS = re.compile(r"[_\-\s]+")
_QUOTED = re.compile(r"`([^`\n]+)`")
_CAMEL_PATH = re.compile(r"[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)*")


def snake_case(name: str) -> str:
    """`levelMin` as `level_min`; names in snake case stay as they are."""
    return _WORD_START.sub("_", name).lower()


def fold(word: str) -> str:
    """`word` without case, `_`, `-` and blanks: what two spellings of one name have in common."""
    return _BLANKS.sub("", word).casefold()


def title(name: str) -> str:
    """A tool's name as people read it: `lookup_spell` is `Lookup spell`."""
    return name.replace("_", " ").capitalize()


def reworded(text: str, rename: Callable[[str], str | None]) -> str:
    """A description of the schema in the words of this door.

    Names between backticks are mapped by `rename`; those that it does not know (None) become snake case when
    they are written as GraphQL names or paths, and stay as they are otherwise.
    """

    def replace(match: re.Match[str]) -> str:
        word = match.group(1)
        known = rename(word)
        if known is not None:
            return f"`{known}`"
        return f"`{snake_case(word)}`" if _CAMEL_PATH.fullmatch(word) else match.group(0)

    return _QUOTED.sub(replace, text)
