"""Hybrid ranking: several lists of what may be meant become one, exact names first.

Lists are joined by reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): what stands at place r of a list
adds 1 / (k + r). Only places count, so lists whose scores do not compare can be joined, and lists of different
sources too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

CONSTANT = 30
"""The k of the fusion: the larger, the less the first places count before the others. Tuned on half of the
questions in `tests/search/query_set.py`."""


class MatchedBy(StrEnum):
    """How a hit was found; the strongest way, where there are several."""

    EXACT = "exact"
    """Its name is the query."""
    FULL_TEXT = "full_text"
    """It holds words of the query."""
    FUZZY = "fuzzy"
    """Its name, or a word of it, is near to the query: a typing error."""
    SEMANTIC = "semantic"
    """Its meaning is near to the query's."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One hit: its id, its score from 0 to 1 (1 for an exact name), and all ways in which it was found."""

    id: str
    score: float
    matched_by: tuple[MatchedBy, ...]


def fuse(
    lists: Mapping[MatchedBy, Sequence[str]] | Iterable[tuple[MatchedBy, Sequence[str]]],
    *,
    exact: Sequence[str] = (),
) -> list[Ranked]:
    """All ids of `lists`, each given best first, in one order; those of `exact` stand before all others.

    A way may have several lists (words as typed, and corrected). The score of a fused hit is the share of the
    greatest sum that these lists allow, and always below that of an exact one; equal sums go by id.
    """
    pairs = list(lists.items()) if isinstance(lists, Mapping) else list(lists)
    sums: dict[str, float] = {}
    ways: dict[str, list[MatchedBy]] = {}
    for key in exact:
        ways.setdefault(key, []).append(MatchedBy.EXACT)
    for way, ids in pairs:
        for place, key in enumerate(dict.fromkeys(ids), start=1):
            sums[key] = sums.get(key, 0.0) + 1 / (CONSTANT + place)
            held = ways.setdefault(key, [])
            if way not in held:
                held.append(way)
    greatest = len(pairs) / (CONSTANT + 1) if pairs else 1.0
    first = list(dict.fromkeys(exact))
    rest = sorted((key for key in sums if key not in set(first)), key=lambda key: (-sums[key], key))
    strength = list(MatchedBy)
    return [
        Ranked(
            key,
            1.0 if key in first else min(sums[key] / greatest, 1.0) * 0.99,
            tuple(sorted(ways[key], key=strength.index)),
        )
        for key in (*first, *rest)
    ]
