"""Lucene's classic query grammar: a text becomes clauses that must, should or must not hold."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace


class SyntaxProblem(Exception):
    """The text is no query."""


@dataclass(frozen=True, slots=True)
class Term:
    """One chunk between blanks, unescaped. `wild`: it holds a wildcard; `pattern` is then its regex."""

    field: str | None
    text: str
    pattern: str | None = None
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in quotes."""

    field: str | None
    text: str
    slop: int = 0
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds; None is open."""

    field: str | None
    low: str | None
    high: str | None
    includes_low: bool = True
    includes_high: bool = True


@dataclass(frozen=True, slots=True)
class Everything:
    """`*:*`."""


@dataclass(frozen=True, slots=True)
class Boolean:
    """Clauses, each with `+` (must), `-` (must not) or a blank (should)."""

    clauses: tuple[tuple[str, Node], ...] = ()
    boost: float = 1.0


Node = Term | Phrase | Range | Everything | Boolean

_SPECIAL = '+-!():^[]"{}~*?\\/ \t\n\r\u3000'
_TERM = r"(?:\\.|[^{start}])(?:\\.|[^{start}]|[-+])*"
_START = re.escape(_SPECIAL.replace("*", "").replace("?", ""))
_TOKENS = re.compile(
    "|".join(
        (
            r"(?P<blank>[ \t\n\r\u3000]+)",
            r"(?P<and>AND(?![^\s()])|&&)",
            r"(?P<or>OR(?![^\s()])|\|\|)",
            r"(?P<not>NOT(?![^\s()])|!)",
            r"(?P<plus>\+)",
            r"(?P<minus>-)",
            r"(?P<open>\()",
            r"(?P<close>\))",
            r"(?P<colon>:)",
            r"(?P<boost>\^\d+(?:\.\d+)?)",
            r'(?P<quoted>"(?:\\.|[^"\\])*")',
            r"(?P<fuzzy>~\d*(?:\.\d+)?)",
            r"(?P<range>[\[{](?:[^\]}\"]|\"[^\"]*\")*[\]}])",
            r"(?P<regex>/(?:\\/|[^/])*/)",
            r"(?P<term>" + _TERM.replace("{start}", _START) + ")",
        )
    ),
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


@dataclass(slots=True)
class _Reader:
    tokens: list[_Token]
    conjunction_is_and: bool
    place: int = 0
    fields: list[str | None] = field(default_factory=lambda: [None])

    def peek(self) -> str:
        return self.tokens[self.place].kind if self.place < len(self.tokens) else "end"

    def take(self, kind: str) -> _Token:
        if self.peek() != kind:
            raise SyntaxProblem(f"{kind} expected, {self.peek()} found")
        self.place += 1
        return self.tokens[self.place - 1]

    def query(self) -> Boolean:
        clauses: list[tuple[str, Node]] = []
        conjunction = ""
        first = True
        while True:
            if not first:
                conjunction = self.take(self.peek()).kind if self.peek() in ("and", "or") else ""
            modifier = self.take(self.peek()).kind if self.peek() in ("plus", "minus", "not") else ""
            self._add(clauses, conjunction, modifier, self.clause())
            first = False
            if self.peek() in ("end", "close"):
                return Boolean(tuple(clauses))

    def _add(
        self, clauses: list[tuple[str, Node]], conjunction: str, modifier: str, node: Node | None
    ) -> None:
        if clauses and clauses[-1][0] != "-":
            if conjunction == "and":
                clauses[-1] = ("+", clauses[-1][1])
            elif conjunction == "or" and self.conjunction_is_and:
                clauses[-1] = (" ", clauses[-1][1])
        if node is None:
            return
        if modifier in ("minus", "not"):
            occur = "-"
        elif self.conjunction_is_and:
            occur = " " if conjunction == "or" else "+"
        else:
            occur = "+" if modifier == "plus" or conjunction == "and" else " "
        clauses.append((occur, node))

    def clause(self) -> Node | None:
        name = self.fields[-1]
        kinds = [token.kind for token in self.tokens[self.place : self.place + 2]]
        if kinds == ["term", "colon"]:
            name = _unescaped(self.take("term").text)
            self.take("colon")
            if name == "*" and self.peek() == "term" and self.tokens[self.place].text == "*":
                self.take("term")
                return Everything()
        if self.peek() == "open":
            self.take("open")
            self.fields.append(name)
            inner = self.query()
            self.fields.pop()
            self.take("close")
            return replace(inner, boost=self._boost())
        return self.term(name)

    def _boost(self) -> float:
        return float(self.take("boost").text[1:]) if self.peek() == "boost" else 1.0

    def term(self, name: str | None) -> Node:
        kind = self.peek()
        if kind == "quoted":
            text = _unescaped(self.take("quoted").text[1:-1])
            slop = self.take("fuzzy").text[1:] if self.peek() == "fuzzy" else ""
            return Phrase(name, text, int(float(slop or 0)), self._boost())
        if kind == "range":
            return _range(name, self.take("range").text)
        if kind == "term":
            text = self.take("term").text
            if self.peek() == "fuzzy":
                self.take("fuzzy")
            return Term(name, _unescaped(text), _wildcard(text), self._boost())
        raise SyntaxProblem(f"{kind} where a term was expected")


def parse(text: str, *, conjunction_is_and: bool) -> Boolean:
    """The clauses of a query. Raises SyntaxProblem."""
    tokens = []
    place = 0
    while place < len(text):
        found = _TOKENS.match(text, place)
        if found is None:
            raise SyntaxProblem(f"lexical error at {place}")
        place = found.end()
        if found.lastgroup not in (None, "blank"):
            tokens.append(_Token(str(found.lastgroup), found.group()))
    reader = _Reader(tokens, conjunction_is_and)
    tree = reader.query()
    if reader.peek() != "end":
        raise SyntaxProblem(f"{reader.peek()} left over")
    while len(tree.clauses) == 1 and tree.clauses[0][0] != "-" and isinstance(tree.clauses[0][1], Boolean):
        tree = tree.clauses[0][1]  # A single group is the query itself.
    return tree


def _range(name: str | None, text: str) -> Range:
    found = re.fullmatch(r"\s*(\"[^\"]*\"|\S+)\s+TO\s+(\"[^\"]*\"|\S+)\s*", text[1:-1])
    if found is None:
        raise SyntaxProblem("a range without its two bounds")
    low, high = (_unescaped(part.strip('"')) for part in found.groups())
    return Range(
        name, None if low == "*" else low, None if high == "*" else high, text[0] == "[", text[-1] == "]"
    )


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def _wildcard(text: str) -> str | None:
    """The regex of a term with unescaped `*` or `?`, its letters folded by who uses it; None without any."""
    parts = re.findall(r"\\.|.", text, flags=re.DOTALL)
    if not any(part in "*?" for part in parts):
        return None
    return "".join({"*": ".*", "?": "."}.get(part, re.escape(part[-1].lower())) for part in parts)
