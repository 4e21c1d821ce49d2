"""The keys of one kind of record, as whoever holds the records knows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence


class KeyIndex(dict[str, str]):
    """The document of each key.

    `by_slug` holds the keys that share a slug, the part behind the prefix with `-` for every `_`; `prefixes` are
    all that occur.
    """

    def __init__(self, rows: Iterable[tuple[str, str]]) -> None:
        super().__init__(rows)
        by_slug: dict[str, list[str]] = defaultdict(list)
        for key in self:
            by_slug[key.partition("_")[2].replace("_", "-")].append(key)
        self.by_slug: Mapping[str, Sequence[str]] = dict(by_slug)
        self.prefixes = frozenset(key.partition("_")[0] for key in self)
