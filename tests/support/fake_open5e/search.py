"""The unified search: words in SQLite's own full text index, near words of names, and word statistics.

Its manners are the measured ones: a syntax error finds nothing, near words compare the whole query with single
words of names and keep one record a name, and what the statistics find stands behind, in the order of names.
"""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz

from tests.support.fake_open5e.corpus import Corpus, Record, Row
from tests.support.fake_open5e.endpoints import ENDPOINTS, Endpoint

NEAR_ENOUGH = 75.0
MOST_NEAR_WORDS = 5
COSINE_ABOVE = 0.05
LONGEST_EXCERPT = 20

_WORD = re.compile(r"\w+")


_Match = tuple[int, str, str | None, float]
"""Number of the entry, kind of the match, matched word, score."""


class SearchUnavailable(Exception):
    """The server lacks the index that the query needs."""


@dataclass(frozen=True, slots=True)
class _Entry:
    endpoint: Endpoint
    record: Record
    text: str

    @property
    def name(self) -> str:
        return str(self.record.row["name"])


class TextSearch:
    """The index over a corpus: everything but magic items and conditions."""

    def __init__(self, corpus: Corpus) -> None:
        self._entries = [
            _Entry(endpoint, record, _text(endpoint, record))
            for endpoint in ENDPOINTS.values()
            if endpoint.indexed
            for record in corpus.records(endpoint.path)
        ]
        # A test may search from the server's thread, which is not the one that built the index.
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.execute(
            "CREATE VIRTUAL TABLE entry USING fts5(name, text, model UNINDEXED, document UNINDEXED)"
        )
        self._database.executemany(
            "INSERT INTO entry(rowid, name, text, model, document) VALUES (?, ?, ?, ?, ?)",
            (
                (
                    number,
                    entry.name,
                    entry.text,
                    entry.endpoint.model,
                    entry.record.value("document.key") or "",
                )
                for number, entry in enumerate(self._entries)
            ),
        )
        self._vectors: list[dict[str, float]] | None = None
        self._rarity: dict[str, float] = {}

    def results(
        self, parameters: Mapping[str, str], *, exact_index: bool, vectors: bool
    ) -> tuple[list[Row], bool]:
        """All results, best first, and whether there is an exact one.

        Raises SearchUnavailable when the query needs an index that is not there.
        """
        query = parameters.get("query", "").strip()
        strict = _switch(parameters, "strict")
        fuzzy, statistics = _switch(parameters, "fuzzy"), _switch(parameters, "vector")
        if not query or parameters.get("schema", "v2") != "v2":
            return [], False
        if not exact_index:
            if strict:
                return [], False
            raise SearchUnavailable
        eligible = self._eligible(parameters)
        exact = [number for number in self._exact(query) if number in eligible]
        found: list[_Match] = [(number, "exact", query.lower(), 1.0) for number in exact]
        near_wanted = not strict and (fuzzy or not exact)
        if (near_wanted or statistics) and not vectors:
            raise SearchUnavailable
        if near_wanted and not exact:
            found += self._near(query, eligible)
        if statistics:
            known = {number for number, *_ in found}
            found += [match for match in self._similar(query, eligible) if match[0] not in known]
        return [self._result(*match) for match in found], bool(exact)

    def _eligible(self, parameters: Mapping[str, str]) -> set[int]:
        """Both parameters are patterns of LIKE, never lists."""
        sql = "SELECT rowid FROM entry WHERE model LIKE ? AND document LIKE ?"
        patterns = (parameters.get("object_model") or "%", parameters.get("document_pk") or "%")
        return {number for (number,) in self._database.execute(sql, patterns)}

    def _exact(self, query: str) -> list[int]:
        sql = "SELECT rowid FROM entry WHERE entry MATCH ? ORDER BY bm25(entry, 10.0, 1.0), rowid"
        try:
            return [number for (number,) in self._database.execute(sql, (query,))]
        except sqlite3.OperationalError:
            return []

    def _near(self, query: str, eligible: set[int]) -> list[_Match]:
        by_word: dict[str, list[int]] = defaultdict(list)
        for number, entry in enumerate(self._entries):
            if number in eligible:
                for word in _words(entry.name):
                    by_word[word].append(number)
        scored = ((fuzz.ratio(query.lower(), word), word) for word in by_word)
        best = sorted((-score, word) for score, word in scored if score >= NEAR_ENOUGH)[:MOST_NEAR_WORDS]
        found: dict[str, _Match] = {}
        for score, word in best:
            # Of the records of one name the last by key stays.
            of_word = {self._entries[number].name: number for number in by_word[word]}
            for name, number in of_word.items():
                found.setdefault(name, (number, "fuzzy", word, -score / 100))
        return sorted(found.values(), key=lambda match: self._entries[match[0]].name)

    def _similar(self, query: str, eligible: set[int]) -> list[_Match]:
        if self._vectors is None:
            self._build_vectors()
        assert self._vectors is not None
        wanted = _normal(
            {word: n * self._rarity.get(word, 0.0) for word, n in Counter(_words(query)).items()}
        )
        found: list[_Match] = []
        for number in eligible:
            vector = self._vectors[number]
            cosine = sum(weight * vector.get(word, 0.0) for word, weight in wanted.items())
            if cosine > COSINE_ABOVE:
                found.append((number, "vector", None, cosine))
        return sorted(found, key=lambda match: (self._entries[match[0]].name, match[0]))

    def _build_vectors(self) -> None:
        counts = [Counter(_words(entry.text)) for entry in self._entries]
        held = Counter(word for count in counts for word in count)
        self._rarity = {word: math.log((1 + len(counts)) / (1 + n)) + 1 for word, n in held.items()}
        self._vectors = [_normal({word: n * self._rarity[word] for word, n in c.items()}) for c in counts]

    def _result(self, number: int, kind: str, term: str | None, score: float) -> Row:
        entry = self._entries[number]
        return {
            "document": {
                "key": entry.record.value("document.key"),
                "name": entry.record.value("document.name"),
            },
            "object_pk": entry.record.key,
            "object_name": entry.name,
            "object": _summary(entry.endpoint, entry.record),
            "object_model": entry.endpoint.model,
            "schema_version": "v2",
            "route": f"v2/{entry.endpoint.path}/",
            "text": entry.text,
            "highlighted": _highlighted(entry.text, term),
            "match_type": kind,
            "matched_term": term,
            "match_score": score,
        }


def _switch(parameters: Mapping[str, str], name: str) -> bool:
    return parameters.get(name, "").lower() in ("true", "1", "yes")


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _normal(vector: Mapping[str, float]) -> dict[str, float]:
    length = math.sqrt(sum(weight * weight for weight in vector.values()))
    return {word: weight / length for word, weight in vector.items()} if length else {}


def _text(endpoint: Endpoint, record: Record) -> str:
    """Name and text; of a creature, its name and what it does."""
    row = record.row
    parts: Sequence[Any] = [row.get("desc") or ""]
    if endpoint.path == "creatures":
        parts = [f"{action['name']}\n{action['desc']}" for action in row["actions"]]
    return f"{row['name']}\n\n" + "\n".join(parts)


def _summary(endpoint: Endpoint, record: Record) -> Row | None:
    row = record.row
    match endpoint.path:
        case "spells":
            return {"school": row["school"]["name"], "level": row["level"]}
        case "creatures":
            kind, size = row["type"]["name"], row["size"]["name"]
            return {"cr": row["challenge_rating"], "type": kind, "size": size}
        case "classes" if row["subclass_of"]:
            return {"subclass_of": row["subclass_of"]}
        case "species" if row["subspecies_of"]:
            return {"subspecies_of": row["subspecies_of"]}
        case _:
            return None


def _highlighted(text: str, term: str | None) -> str:
    """The beginning of the text with the term in spans; the whole text where nothing is to be marked."""
    if term is None:
        return text
    head = text.split(" ")
    excerpt = " ".join(head[:LONGEST_EXCERPT]) + ("..." if len(head) > LONGEST_EXCERPT else "")
    words = "|".join(re.escape(word) for word in _words(term))
    return re.sub(rf"\b({words})\b", r'<span class="highlighted">\1</span>', excerpt, flags=re.IGNORECASE)
