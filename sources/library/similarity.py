"""Which category a text fits: by the words of its name, other names and description, rare ones weighing more."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from sources.library.keywords import stop_words
from sources.text_index import index_tokens

LEAST_FIT = 0.35
"""Below this a text fits no category: a category is better missing than wrong."""

_NAME, _DESCRIPTION = 1.0, 0.25
_SATURATION = 3.0
_LOOKED_AT = 200_000


class Category(NamedTuple):
    """A category as texts are compared with it."""

    key: str
    names: tuple[str, ...]
    description: str


class _Way(NamedTuple):
    """One name of a category, with what is said about the category; words with the weight of their place."""

    name: dict[str, float]
    about: dict[str, float]


class CategoryList:
    """The categories that documents can be put into."""

    def __init__(self, categories: Iterable[Category]) -> None:
        self._ways: dict[str, list[_Way]] = {}
        held: Counter[str] = Counter()
        ignored = stop_words("english")
        for category in categories:
            about = _weights(category.description, _DESCRIPTION, ignored)
            names = [_weights(name, _NAME, ignored) for name in category.names]
            held.update({word for words in (*names, about) for word in words})
            self._ways[category.key] = [_Way(name, about) for name in names if name]
        count = len(self._ways)
        self._rarity = {word: math.log(1 + count / number) for word, number in held.items()}

    def nearest(self, title: str, text: str) -> str | None:
        """The key of the category that a text fits best; None where it fits none well enough."""
        titled, counts = set(index_tokens(title)), Counter(index_tokens(text[:_LOOKED_AT]))
        fits = {
            key: max((self._fit(way, titled, counts) for way in ways), default=0.0)
            for key, ways in self._ways.items()
        }
        best = min(fits, key=lambda key: (-fits[key], key), default=None)
        return best if best is not None and fits[best] >= LEAST_FIT else None

    def _fit(self, way: _Way, title: set[str], text: Counter[str]) -> float:
        """From 0 to 1; 0 where a word of the name does not occur."""
        found = wanted = 0.0
        for words in way:
            for word, weight in words.items():
                rarity = weight * self._rarity[word]
                wanted += rarity
                # A word in the title says as much as one that comes again and again.
                presence = 1.0 if word in title else text[word] / (text[word] + _SATURATION)
                if words is way.name and not presence:
                    return 0.0
                found += rarity * presence
        return found / wanted if wanted else 0.0


def _weights(text: str, weight: float, ignored: frozenset[str]) -> dict[str, float]:
    return {word: weight for word in index_tokens(text) if word not in ignored and len(word) > 1}
