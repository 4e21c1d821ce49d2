"""What a caller typed into a search field, read into clauses: words, phrases, groups, operators.

The grammar is what people and models write for Solr, read leniently. A query always becomes a tree that means
something: operators that join nothing are dropped, signs that stand before nothing as well, and quotes or
parentheses that do not pair are characters of their words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

DEEPEST = 20
"""Groups inside groups; parentheses nested deeper are characters."""

_SIGNS = "+-!"
_SUFFIX = re.compile(r"(?:~\d{1,2})?(?:\^\d{1,3}(?:\.\d{1,3})?)?(?=[\s()]|$)")
_ASCII_SYMBOLS = frozenset("$+<=>^`|~")
_CONJUNCTIONS = {"AND": "AND", "&&": "AND", "OR": "OR", "||": "OR"}
OPERATORS = frozenset({"AND", "OR", "NOT"})


@dataclass(frozen=True, slots=True)
class Word:
    """A chunk between blanks as it was typed, its escapes with it."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """What stands between two quotes as it was typed; `suffix` is a slop or boost behind (`~2`, `^4`)."""

    text: str
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Clauses, at the top or in parentheses."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of a group.

    - `conjunction`: AND or OR where it is joined to the part before it by that word, else empty
    - `modifier`: `+`, `-`, `!`, NOT or empty
    """

    node: Word | Phrase | Group
    conjunction: str = ""
    modifier: str = ""

    @property
    def negative(self) -> bool:
        """Whether it forbids."""
        return self.modifier in ("-", "!", "NOT")


@dataclass(frozen=True, slots=True)
class ReadQuery:
    """A query's tree. `pairs_quotes`: its quotes mark phrases; otherwise each is a character of its word."""

    tree: Group
    pairs_quotes: bool


def read_query(text: str) -> ReadQuery:
    """Reads any text at all. A text without a single word has a tree without clauses."""
    text = unicodedata.normalize("NFC", text).strip()
    bare = re.sub(r"\\.", "", text, flags=re.DOTALL)
    pairs_quotes = bare.count('"') % 2 == 0
    if pairs_quotes:
        bare = re.sub(r'"[^"]*"', "", bare)
    items = list(_items(text, pairs_quotes, _parentheses_pair(bare)))
    items.reverse()
    tree = _group(items)
    return ReadQuery(_without_marks(tree), pairs_quotes)


def words(group: Group) -> Iterator[Word]:
    """Every word that stands outside quotes."""
    for clause in group.clauses:
        if isinstance(clause.node, Group):
            yield from words(clause.node)
        elif isinstance(clause.node, Word):
            yield clause.node


def clauses(group: Group) -> Iterator[Clause]:
    """Every clause, groups before what they hold."""
    for clause in group.clauses:
        yield clause
        if isinstance(clause.node, Group):
            yield from clauses(clause.node)


@dataclass(frozen=True, slots=True)
class _Mark:
    """An operator, a sign, or a parenthesis."""

    text: str


_Item = Word | Phrase | _Mark


def _parentheses_pair(bare: str) -> bool:
    depth = deepest = 0
    for character in bare:
        if character == "(":
            depth += 1
            deepest = max(deepest, depth)
        elif character == ")":
            depth -= 1
            if depth < 0:
                return False
    return depth == 0 and deepest <= DEEPEST


def _items(text: str, pairs_quotes: bool, groups: bool) -> Iterator[_Item]:
    place, at_start = 0, True
    while place < len(text):
        character = text[place]
        if character.isspace():
            place, at_start = place + 1, True
        elif pairs_quotes and character == '"':
            end = _closing_quote(text, place)
            suffix = _SUFFIX.match(text, end + 1)
            behind = suffix.group() if suffix else ""
            if text[place + 1 : end].strip():
                yield Phrase(text[place + 1 : end], behind)
            place, at_start = end + 1 + len(behind), False
        elif groups and character in "()":
            yield _Mark(character)
            place, at_start = place + 1, character == "("
        elif text.startswith(("&&", "||"), place):
            yield _Mark(_CONJUNCTIONS[text[place : place + 2]])
            place, at_start = place + 2, True
        elif at_start and character in _SIGNS:
            following = text[place + 1 : place + 2]
            if following and not following.isspace():
                yield _Mark(character)
            place += 1
        else:
            end = _end_of_word(text, place, pairs_quotes, groups)
            word = text[place:end]
            yield _Mark(word) if word in OPERATORS else Word(word)
            place, at_start = end, False


def _closing_quote(text: str, start: int) -> int:
    place = start + 1
    while text[place] != '"':
        place += 2 if text[place] == "\\" else 1
    return place


def _end_of_word(text: str, start: int, pairs_quotes: bool, groups: bool) -> int:
    place = start
    while place < len(text):
        character = text[place]
        if character.isspace() or text.startswith(("&&", "||"), place):
            break
        if (pairs_quotes and character == '"') or (groups and character in "()"):
            break
        escapes = character == "\\" and place + 1 < len(text) and not text[place + 1].isspace()
        place += 2 if escapes else 1
    return place


def _group(items: list[_Item]) -> Group:
    """Takes items from the end of a reversed list until the group closes."""
    found: list[Clause] = []
    conjunction = modifier = ""
    while items:
        item = items.pop()
        if isinstance(item, _Mark):
            match item.text:
                case ")":
                    break
                case "(":
                    inner = _group(items)
                    if not inner.clauses:
                        continue
                    node: Word | Phrase | Group = inner
                case "AND" | "OR":
                    if found and not conjunction and not modifier:
                        conjunction = item.text
                    continue
                case sign:
                    modifier = modifier or sign
                    continue
        else:
            node = item
        found.append(Clause(node, conjunction, modifier))
        conjunction = modifier = ""
    return Group(tuple(found))


def _without_marks(group: Group) -> Group:
    """The group without words of punctuation alone: no document is found by a dash or an ampersand, yet the
    default parser counts each as a word of which most must occur."""
    kept: list[Clause] = []
    for clause in group.clauses:
        node = clause.node
        if isinstance(node, Group):
            node = _without_marks(node)
            if not node.clauses:
                continue
        elif not any(map(_says_something, node.text)):
            continue
        kept.append(Clause(node, clause.conjunction if kept else "", clause.modifier))
    return Group(tuple(kept))


def _says_something(character: str) -> bool:
    return character not in _ASCII_SYMBOLS and unicodedata.category(character)[0] not in "PZC"
