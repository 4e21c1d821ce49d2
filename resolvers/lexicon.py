"""The names and texts of a few thousand records, held in memory, to find what words and misspelt names mean.

Both are plain functions of the records: an answer does not depend on the database that they lie in. Words are
those of `sources/text_index.py`, weighed by BM25 (Robertson and Zaragoza 2009, with the usual constants); names
are compared as RapidFuzz's sorted tokens and sets of tokens, which measured best against typing errors.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from sources.text_index import index_tokens, tokens

NAME_WEIGHT = 10.0
"""How much more a word counts in a name than in a text."""
NEAR = 80.0
"""The least likeness, of 100, of a name that may have been meant."""
NEAR_JOINED = 90.0
"""The same for names without their blanks."""
NEAR_WORD = 0.7
"""The least likeness, of 1, of a word that was meant by one that occurs nowhere: one slip in four letters."""
_SHORTEST_CORRECTED = 4
_K1 = 1.2
_B = 0.75
_LONGEST_QUERY = 64
"""Words of a query that are looked up; typing errors are looked for in no longer a query."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One record: its id, its kind, its name, and what its text says."""

    id: str
    kind: str
    name: str
    body: str


@dataclass(frozen=True, slots=True)
class Scored:
    """An entry's id, with a score that compares within one list alone."""

    id: str
    score: float


Allowed = Callable[[str], bool]
"""Whether an entry, by its id, may be found."""


class Lexicon:
    """An index over entries. Building it takes some 0.2 ms an entry; it never changes."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries: Mapping[str, Entry] = {entry.id: entry for entry in entries}
        self._names: list[tuple[str, str]] = []
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._postings: dict[str, dict[str, float]] = defaultdict(dict)
        lengths: dict[str, int] = {}
        for entry in self.entries.values():
            name = list(tokens(entry.name))
            plain = " ".join(name)
            self._names.append((entry.id, plain))
            self._by_name[plain].append(entry.id)
            words = Counter(index_tokens(entry.body))
            lengths[entry.id] = sum(words.values())
            for word, count in words.items():
                self._postings[word][entry.id] = float(count)
            for word in index_tokens(entry.name):
                held = self._postings[word]
                held[entry.id] = held.get(entry.id, 0.0) + NAME_WEIGHT
        mean = sum(lengths.values()) / len(lengths) if lengths else 1.0
        self._norm = {key: _K1 * (1 - _B + _B * length / (mean or 1.0)) for key, length in lengths.items()}
        self._plain = [plain for _, plain in self._names]
        self._joined = [plain.replace(" ", "") for plain in self._plain]
        self._name_words = sorted({word for plain in self._plain for word in plain.split()})
        self._words = sorted(self._postings)

    def corrected(self, query: str) -> str | None:
        """The query with each word that occurs nowhere replaced by the nearest that does, words of names first.

        Words of fewer than four letters stay. None where nothing is to be replaced.
        """
        words = list(tokens(query))[:_LONGEST_QUERY]
        found = [word if word in self._postings else self._nearest_word(word) for word in words]
        return None if found == words else " ".join(found)

    def _nearest_word(self, word: str) -> str:
        if len(word) < _SHORTEST_CORRECTED:
            return word
        for vocabulary in (self._name_words, self._words):
            best = process.extractOne(
                word, vocabulary, scorer=OSA.normalized_similarity, score_cutoff=NEAR_WORD
            )
            if best is not None:
                return str(best[0])
        return word

    def exact(self, query: str, allowed: Allowed) -> list[str]:
        """The entries whose name is the query, case, accents and punctuation aside; sorted."""
        plain = " ".join(tokens(query))
        return sorted(key for key in self._by_name.get(plain, ()) if plain and allowed(key))

    def by_words(self, query: str, allowed: Allowed, most: int) -> list[Scored]:
        """The entries that hold any of the query's words, best first."""
        scores: dict[str, float] = defaultdict(float)
        total = len(self.entries)
        for word in list(dict.fromkeys(tokens(query)))[:_LONGEST_QUERY]:
            held = self._postings.get(word)
            if not held:
                continue
            rarity = math.log(1 + (total - len(held) + 0.5) / (len(held) + 0.5))
            for key, count in held.items():
                scores[key] += rarity * count * (_K1 + 1) / (count + self._norm[key])
        found = ((score, key) for key, score in scores.items() if allowed(key))
        return [Scored(key, -score) for score, key in heapq.nsmallest(most, ((-s, k) for s, k in found))]

    def by_name(self, query: str, allowed: Allowed, most: int) -> list[Scored]:
        """The entries whose name is near to the query, nearest first."""
        words = list(tokens(query))
        if not words or len(words) > _LONGEST_QUERY:
            return []
        plain = " ".join(words)
        found: dict[str, float] = {}
        for asked, names, scorer, cutoff in (
            (plain, self._plain, fuzz.token_sort_ratio, NEAR),
            (plain, self._plain, fuzz.token_set_ratio, NEAR),
            # A blank too many or too few: `fire ball`, `firebolt`.
            (plain.replace(" ", ""), self._joined, fuzz.ratio, NEAR_JOINED),
        ):
            for _, score, place in process.extract(
                asked, names, scorer=scorer, score_cutoff=cutoff, limit=None
            ):
                key = self._names[place][0]
                found[key] = max(found.get(key, 0.0), score)
        ranked = sorted(((-score, key) for key, score in found.items() if allowed(key)))
        return [Scored(key, -score) for score, key in ranked[:most]]
