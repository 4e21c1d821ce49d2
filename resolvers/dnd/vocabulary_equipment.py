"""What a caller's words for kinds, categories, dice and sections mean in the records of equipment and rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sources.criteria import EVERYTHING, AnyOf, Criteria, Predicate
from sources.text_index import fold

ALL_KINDS = "all"
"""The word that older clients send where they want every kind of equipment."""


def kinds_named(kinds: Sequence[str], store: str) -> Sequence[str]:
    """The kinds of records that a list of words names: `all` names none, a race is a species."""
    if store == "equipment" and ALL_KINDS in kinds:
        return ()
    return ["species" if store == "character_option" and kind == "race" else kind for kind in kinds]


def kinds_meant(predicate: Predicate, store: str) -> Criteria:
    """The condition that a list of kinds stands for.

    `all` asks for nothing, a rule's sections are rules, and the 2014 rules say race for what is called species
    since.
    """
    kinds = kinds_named(predicate.value, store)
    if not kinds and predicate.value:
        return EVERYTHING
    if store == "rule" and "rule" in kinds:
        kinds = tuple(dict.fromkeys([*kinds, "rule-section"]))
    return replace(predicate, value=tuple(kinds))


def sections_meant(predicate: Predicate) -> Criteria:
    """A rule by its key, with all of its sections; or one section alone."""
    return AnyOf(tuple(replace(predicate, attribute=name) for name in ("key", "parent_key")))


def category_keys(text: str, known: Sequence[str]) -> Sequence[str]:
    """`wondrous-item` in any spelling: `Wondrous Items`, `wondrous_item`."""
    wanted = _singular(re.sub(r"[^a-z0-9]+", "-", fold(text).replace("'", "")))
    return [key for key in known if _singular(key) == wanted]


def _singular(key: str) -> str:
    return key.strip("-").removesuffix("s")


def dice_keys(text: str, known: Sequence[str]) -> Sequence[str]:
    """`1d8` with blanks or in capitals; `d8` is one die."""
    wanted = re.sub(r"\s+", "", text.lower())
    wanted = f"1{wanted}" if wanted.startswith("d") else wanted
    return [dice for dice in known if dice == wanted]


def folded_equals(text: str, known: Sequence[str]) -> Sequence[str]:
    """The known text that is this one, but for case, accents and typography."""
    wanted = fold(text)
    return [key for key in known if fold(key) == wanted]
