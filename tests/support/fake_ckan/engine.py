"""A small Solr: CKAN's two parsers over the index, filters, order, facets.

`select` takes Solr's own parameters, so that a real CKAN can be pointed at it as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.fake_ckan.corpus import Raw
from tests.support.fake_ckan.index import Index, Scores, joined, scaled
from tests.support.fake_ckan.query_tree import Boolean, Everything, Node, Phrase, SyntaxProblem, Term, parse

DEFAULT_SORT = "score desc, metadata_modified desc"
CKAN_MM = "2<-1 5<80%"
_SORT_FIELDS = {"score", "name", "title_string", "metadata_created", "metadata_modified", "id", "issued"}
_ESCAPED = set("\\!():^[]{}~*?/&|;")


class BadSort(Exception):
    """The order is of no known field."""


@dataclass(frozen=True, slots=True)
class Select:
    """One request to Solr. Empty `def_type`: the standard parser."""

    q: str
    fq: tuple[str, ...] = ()
    def_type: str = ""
    mm: str = CKAN_MM
    qf: str = "name^4 title^4 tags^2 groups^2 text"
    q_op: str = "AND"
    df: str = "text"
    tie: float = 0.1
    start: int = 0
    rows: int = 10
    sort: str = DEFAULT_SORT
    facet_fields: tuple[str, ...] = ()
    facet_limit: int = 50
    facet_mincount: int = 1


@dataclass(frozen=True, slots=True)
class Selected:
    """The answer: how many there are, the wanted documents, counts by field and value."""

    count: int
    documents: list[Raw]
    facets: dict[str, dict[str, int]] = field(default_factory=dict)


class Engine:
    """Documents that can be searched. `text_field`: whether the schema has the field `text`."""

    def __init__(self, documents: Sequence[Raw], *, text_field: bool = True) -> None:
        self.index = Index(documents, text_field=text_field)

    def select(self, asked: Select) -> Selected:
        """Raises SyntaxProblem and BadSort."""
        scores = self._query(asked)
        for text in asked.fq:
            kept = self._lucene(text, asked)
            scores = {document: score for document, score in scores.items() if document in kept}
        ordered = self._ordered(scores, asked.sort)
        documents = [self.index.documents[number] for number in ordered]
        facets = {name: _facet(documents, name, asked) for name in asked.facet_fields}
        return Selected(len(documents), documents[asked.start : asked.start + asked.rows], facets)

    def _query(self, asked: Select) -> Scores:
        if asked.def_type == "dismax":
            return self._dismax(asked)
        if asked.def_type == "edismax":
            return self._edismax(asked)
        return self._lucene(asked.q, asked)

    def _lucene(self, text: str, asked: Select) -> Scores:
        tree = parse(text, conjunction_is_and=asked.q_op == "AND")
        return self._top(tree, lambda node: self._leaf(node, asked))

    def _leaf(self, node: Node, asked: Select) -> Scores | None:
        if isinstance(node, Everything):
            return self._everything()
        assert not isinstance(node, Boolean)
        return self.index.look_up(node.field or asked.df, node, every_part=asked.q_op == "AND")

    def _dismax(self, asked: Select) -> Scores:
        text = asked.q.strip()
        if text == "*:*":
            return self._everything()
        if text.count('"') % 2:
            text = text.replace('"', " ")
        escaped = "".join(f"\\{character}" if character in _ESCAPED else character for character in text)
        escaped = re.sub(r"\s+[+-](?:\s*[+-]+)+", " ", escaped)
        escaped = re.sub(r"\s+[-+\s]+$", "", escaped)
        tree = parse(escaped, conjunction_is_and=False)
        return self._top(tree, lambda node: self._over_fields(node, asked), mm=asked.mm)

    def _edismax(self, asked: Select) -> Scores:
        """Boolean syntax over the weighted fields; with it, `mm` no longer counts."""
        try:
            tree = parse(asked.q, conjunction_is_and=False)
        except SyntaxProblem:
            return self._dismax(asked)
        boolean = re.search(r"\b(?:OR|NOT)\b|\|\|", asked.q) is not None
        return self._top(tree, lambda node: self._over_fields(node, asked), mm="1" if boolean else asked.mm)

    def _over_fields(self, node: Node, asked: Select) -> Scores | None:
        """A leaf in every weighted field: the best counts, and a tenth of the others."""
        if isinstance(node, Everything):
            return self._everything()
        assert isinstance(node, Term | Phrase)
        found: list[Scores] = []
        for part in asked.qf.split():
            name, _, boost = part.partition("^")
            leaf = Term(name, node.text) if isinstance(node, Term) else Phrase(name, node.text)
            hits = self.index.look_up(name, leaf, every_part=False)
            if hits is not None:
                found.append(scaled(hits, float(boost or 1)))
        if not found:
            return None
        total: Scores = {}
        for document in set().union(*found):
            values = sorted((hits[document] for hits in found if document in hits), reverse=True)
            total[document] = values[0] + asked.tie * sum(values[1:])
        return total

    def _top(self, tree: Boolean, leaf: Any, mm: str = "") -> Scores:
        if tree.clauses and all(occur == "-" for occur, _ in tree.clauses):
            # Only at the top does a query that forbids and asks for nothing mean everything else.
            tree = Boolean((("+", Everything()), *tree.clauses))
        return self._boolean(tree, leaf, mm) or {}

    def _boolean(self, tree: Boolean, leaf: Any, mm: str = "") -> Scores | None:
        must: list[Scores] = []
        should: list[Scores] = []
        forbidden: set[int] = set()
        for occur, node in tree.clauses:
            hits = self._boolean(node, leaf) if isinstance(node, Boolean) else leaf(node)
            if hits is None:
                continue
            if occur == "-":
                forbidden |= hits.keys()
            else:
                (must if occur == "+" else should).append(hits)
        if not must and not should:
            return {} if forbidden else None
        least = _least(mm, len(should)) if mm else int(not must)
        counted = Counter(document for hits in should for document in hits)
        scores = joined([*must, *should], every=False)
        return scaled(
            {
                document: score
                for document, score in scores.items()
                if all(document in hits for hits in must)
                and counted[document] >= least
                and document not in forbidden
            },
            tree.boost,
        )

    def _everything(self) -> Scores:
        return dict.fromkeys(range(len(self.index.documents)), 1.0)

    def _ordered(self, scores: Scores, sort: str) -> list[int]:
        ordered = sorted(scores)
        for part in reversed([part.split() for part in sort.split(",") if part.strip()]):
            if len(part) != 2 or part[0] not in _SORT_FIELDS or part[1].lower() not in ("asc", "desc"):
                raise BadSort(sort)
            name, descending = part[0], part[1].lower() == "desc"

            def value(number: int, name: str = name) -> Any:
                if name == "score":
                    return round(scores[number], 6)
                return str(self.index.documents[number].get(name.removesuffix("_string"), ""))

            ordered.sort(key=value, reverse=descending)
        return ordered


def _least(mm: str, optional: int) -> int:
    """How many of the optional clauses must hold (`2<-1 5<80%`, `100%`, `1`)."""
    if "<" not in mm:
        return min(optional, _share(mm, optional))
    needed = optional
    for part in mm.split():
        above, _, share = part.partition("<")
        if optional > int(above):
            needed = _share(share, optional)
    return needed


def _share(text: str, optional: int) -> int:
    if text.endswith("%"):
        return int(optional * float(text[:-1]) / 100)
    return int(text) if int(text) >= 0 else optional + int(text)


def _facet(documents: Sequence[Raw], name: str, asked: Select) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for document in documents:
        value = document.get(name, [])
        counts.update(str(item) for item in (value if isinstance(value, list) else [value]) if item)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    kept = [(value, count) for value, count in ranked if count >= asked.facet_mincount]
    return dict(kept if asked.facet_limit < 0 else kept[: asked.facet_limit])
