"""The index: which terms stand where in which document, and how much a hit is worth (BM25, as Lucene 8 has it)."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.support.fake_ckan.analysis import DATE, STRING, TEXT, indexed, kind_of, normalised, queried
from tests.support.fake_ckan.corpus import Raw, text_values
from tests.support.fake_ckan.dates import instant
from tests.support.fake_ckan.query_tree import Phrase, Range, Term

_K1, _B, _GAP = 1.2, 0.75, 100
Scores = dict[int, float]


class FieldIndex:
    """One field of all documents: term to document to positions."""

    def __init__(self, kind: str, values: Mapping[int, Sequence[str]]) -> None:
        self.kind = kind
        self.values = values
        self.places: dict[str, dict[int, list[int]]] = defaultdict(dict)
        self.lengths: dict[int, int] = {}
        for document, texts in values.items():
            base, length = 0, 0
            for text in texts:
                tokens = [(text, 0)] if kind in (STRING, DATE) else indexed(text, stem=kind == TEXT)
                for term, position in tokens:
                    self.places[term].setdefault(document, []).append(base + position)
                used = max((position for _, position in tokens), default=-1) + 1
                base, length = base + used + _GAP, length + used
            self.lengths[document] = length
        held = [length for length in self.lengths.values() if length]
        self.average = sum(held) / len(held) if held else 1.0

    def terms(self, text: str) -> tuple[str, ...]:
        """What a chunk of a query is looked up as."""
        return (text,) if self.kind in (STRING, DATE) else queried(text, stem=self.kind == TEXT)

    def of_term(self, term: str) -> Scores:
        """The documents that hold a term."""
        held = self.places.get(term, {})
        return {document: self._score(len(held), document, len(where)) for document, where in held.items()}

    def of_phrase(self, terms: Sequence[str], slop: int) -> Scores:
        """The documents that hold the terms one after another, `slop` places apart at most."""
        if len(terms) < 2:
            return self.of_term(terms[0]) if terms else {}
        lists = [self.places.get(term, {}) for term in terms]
        found: Scores = {}
        for document in set(lists[0]).intersection(*lists[1:]):
            hits = sum(
                all(
                    any(start + step <= place <= start + step + slop for place in held[document])
                    for step, held in enumerate(lists)
                )
                for start in lists[0][document]
            )
            if hits:
                found[document] = sum(self._score(len(held), document, hits) for held in lists)
        return found

    def of_pattern(self, pattern: str, as_typed: str) -> Scores:
        """The documents with a term of a shape: analysed fields are folded, string fields compare as they are."""
        if self.kind == STRING:
            pattern = "".join({"*": ".*", "?": "."}.get(part, re.escape(part)) for part in as_typed)
        else:
            pattern = normalised(pattern)
        shape = re.compile(pattern, re.DOTALL)
        return {
            document: 1.0 for term, held in self.places.items() if shape.fullmatch(term) for document in held
        }

    def of_range(self, wanted: Range) -> Scores:
        """The documents with a value between bounds: dates as instants, everything else as text."""
        read: Any = instant if self.kind == DATE else str
        low = None if wanted.low is None else read(wanted.low)
        high = None if wanted.high is None else read(wanted.high)
        found: Scores = {}
        for document, values in self.values.items():
            for value in map(read, values):
                above = low is None or value > low or (wanted.includes_low and value == low)
                below = high is None or value < high or (wanted.includes_high and value == high)
                if above and below:
                    found[document] = 1.0
        return found

    def _score(self, holding: int, document: int, frequency: int) -> float:
        count = len(self.lengths)
        weight = math.log(1 + (count - holding + 0.5) / (holding + 0.5))
        length = 1.0 if self.kind == STRING else 1 - _B + _B * self.lengths[document] / self.average
        return weight * frequency / (frequency + _K1 * length)


class Index:
    """All fields of all documents. A field that no document has is empty, and asking it is no error."""

    def __init__(self, documents: Sequence[Raw], *, text_field: bool = True) -> None:
        self.documents = list(documents)
        self._fields: dict[str, FieldIndex] = {}
        self._text_field = text_field

    def field(self, name: str) -> FieldIndex:
        """One field."""
        if name not in self._fields:
            values: dict[int, Sequence[str]] = {}
            for number, document in enumerate(self.documents):
                texts = list(self._values(name, document))
                if texts:
                    values[number] = texts
            self._fields[name] = FieldIndex(kind_of(name), values)
        return self._fields[name]

    def _values(self, name: str, document: Raw) -> Iterable[str]:
        if name == "text":
            return text_values(document) if self._text_field else ()
        value = document.get(name, [])
        return [str(item) for item in value if item is not None] if isinstance(value, list) else [str(value)]

    def look_up(self, field: str, node: Term | Phrase | Range, *, every_part: bool) -> Scores | None:
        """The documents of one leaf and their scores; None where the analyzer left nothing of it."""
        held = self.field(field)
        if isinstance(node, Range):
            return held.of_range(node)
        if isinstance(node, Term) and node.pattern is not None:
            return held.of_pattern(node.pattern, node.text)
        terms = held.terms(node.text)
        if not terms:
            return None
        if isinstance(node, Phrase):
            return scaled(held.of_phrase(terms, node.slop), node.boost)
        return scaled(joined([held.of_term(term) for term in terms], every=every_part), node.boost)


def joined(parts: Sequence[Scores], *, every: bool) -> Scores:
    """The documents of all parts, or of any; scores add up."""
    total: Scores = defaultdict(float)
    for part in parts:
        for document, score in part.items():
            total[document] += score
    if every:
        return {
            document: score for document, score in total.items() if all(document in part for part in parts)
        }
    return dict(total)


def scaled(scores: Scores, boost: float) -> Scores:
    """All scores times `boost`."""
    return scores if boost == 1.0 else {document: score * boost for document, score in scores.items()}
