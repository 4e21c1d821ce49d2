"""A question's filter as a small tree, in words that no store and no door owns.

    Criteria = Predicate | All | AnyOf | Not

Each store or client compiles the tree to its own language; `matches` is the meaning that all of them must
agree with. Logic is two-valued: a predicate on an absent value is false, and its `Not` is true, so that SQL's
NULL never drops a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sources.sphere import Box, Circle
from sources.text_index import fold, index_tokens, tokens
from sources.text_query import matches_query


class Op(StrEnum):
    """What a predicate asks of an attribute."""

    EQUALS = "equals"
    """The attribute is the value."""
    IN = "in"
    """The attribute is one of a tuple of values; an empty tuple matches nothing."""
    AT_LEAST = "at_least"
    """The attribute is the value or above."""
    AT_MOST = "at_most"
    """The attribute is the value or below."""
    CONTAINS = "contains"
    """The folded text holds the folded value; an empty value matches every present text."""
    FOLDED_EQUALS = "folded_equals"
    """The folded text is the folded value."""
    HAS_ANY = "has_any"
    """A multi-valued attribute holds at least one of a tuple of values; an empty tuple matches nothing."""
    MATCHES = "matches"
    """Every word of the value occurs among the words of the text; a value without words matches nothing."""
    SEARCH = "search"
    """The parts of the text (a tuple) are what the value, read by `sources.text_query`, asks for."""
    NEAR = "near"
    """The place, a pair of latitude and longitude, lies in the value, a `Circle`."""
    WITHIN = "within"
    """The place, a pair of latitude and longitude, lies in the value, a `Box`."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """One condition on one attribute.

    `argument` is the GraphQL path that it came from (`filter.levelMin`): used in errors and provenance, never
    in comparisons.
    """

    attribute: str
    op: Op
    value: Any
    argument: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds; no parts: always true."""

    parts: tuple[Criteria, ...] = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds; no parts: never true."""

    parts: tuple[Criteria, ...] = ()


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Criteria


Criteria = Predicate | All | AnyOf | Not

EVERYTHING = All()

Read = Callable[[Any, str], Any]
"""Reads an attribute of a record: `getattr`, or a room's own for attributes that are made from others."""


def all_of(parts: Iterable[Criteria]) -> Criteria:
    """The conjunction of `parts`, flattened."""
    flat: list[Criteria] = []
    for part in parts:
        if isinstance(part, All):
            flat.extend(part.parts)
        else:
            flat.append(part)
    return flat[0] if len(flat) == 1 else All(tuple(flat))


def predicates(criteria: Criteria) -> Iterator[Predicate]:
    """Every predicate of the tree, left to right."""
    match criteria:
        case Predicate():
            yield criteria
        case All(parts) | AnyOf(parts):
            for part in parts:
                yield from predicates(part)
        case Not(part):
            yield from predicates(part)


def matches(criteria: Criteria, record: object, read: Read = getattr) -> bool:
    """Whether `record` is what `criteria` asks for."""
    match criteria:
        case Predicate():
            return _holds(criteria, read(record, criteria.attribute))
        case All(parts):
            return all(matches(part, record, read) for part in parts)
        case AnyOf(parts):
            return any(matches(part, record, read) for part in parts)
        case Not(part):
            return not matches(part, record, read)


def _holds(predicate: Predicate, actual: Any) -> bool:
    if actual is None:
        return False
    value = predicate.value
    match predicate.op:
        case Op.EQUALS:
            return bool(actual == value)
        case Op.IN:
            return actual in value
        case Op.AT_LEAST:
            return bool(actual >= value)
        case Op.AT_MOST:
            return bool(actual <= value)
        case Op.CONTAINS:
            return fold(value) in fold(actual)
        case Op.FOLDED_EQUALS:
            return fold(value) == fold(actual)
        case Op.HAS_ANY:
            return any(item in value for item in actual)
        case Op.MATCHES:
            words = set(tokens(value))
            return bool(words) and words <= set(index_tokens(actual))
        case Op.SEARCH:
            return matches_query(actual, value)
        case Op.NEAR | Op.WITHIN:
            place: Circle | Box = value
            return place.holds(*actual)
