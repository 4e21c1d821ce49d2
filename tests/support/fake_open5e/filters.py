"""The kinds of filters that django-filter makes, with their manners over SQLite.

A filter reads the text of its parameter once and gives a test, or None where it ignores the value. A test says
how often a record stands in the filtered list: a join over many values gives it once for each that fits.
Raises BadValue for what the upstream answers with 400.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from tests.support.fake_open5e.corpus import Corpus, Record

Test = Callable[[Record], int]
Filter = Callable[[str, Corpus], Test | None]

NOT_A_NUMBER = "Enter a number."
NO_SUCH_OBJECT = "Select a valid choice. That choice is not one of the available choices."
NOT_A_PAIR = "Range query expects two values."

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "": operator.eq,
    "__gt": operator.gt,
    "__gte": operator.ge,
    "__lt": operator.lt,
    "__lte": operator.le,
}


class BadValue(Exception):
    """A value that a known parameter cannot have."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def ascii_lower(text: str) -> str:
    """What SQLite's LIKE does to both sides: it folds the case of ASCII letters and nothing else."""
    return "".join(character.lower() if character.isascii() else character for character in text)


def exact(path: str) -> Filter:
    """Case matters."""
    return _text(path, lambda wanted: lambda held: held == wanted)


def iexact(path: str) -> Filter:
    """The case of ASCII letters does not matter."""
    return _text(path, lambda wanted: lambda held: ascii_lower(held) == ascii_lower(wanted))


def contains(path: str) -> Filter:
    """`contains` and `icontains` alike: SQLite's LIKE knows no case of ASCII letters."""
    return _text(path, lambda wanted: lambda held: ascii_lower(wanted) in ascii_lower(held))


def any_of(path: str) -> Filter:
    """A list, separated by commas; unknown values match nothing."""

    def prepare(text: str, corpus: Corpus) -> Test | None:
        wanted = {item.strip() for item in text.split(",")}
        return lambda record: sum(value in wanted for value in record.values(path))

    return _unless_empty(prepare)


def choice(path: str, choices: Callable[[Corpus], frozenset[str]]) -> Filter:
    """One of a fixed list of words."""

    def prepare(text: str, corpus: Corpus) -> Test | None:
        if text not in choices(corpus):
            raise BadValue(f"Select a valid choice. {text} is not one of the available choices.")
        return lambda record: sum(value == text for value in record.values(path))

    return _unless_empty(prepare)


def object_of(endpoint: str, path: str) -> Filter:
    """The key of a record of `endpoint`."""

    def prepare(text: str, corpus: Corpus) -> Test | None:
        if text not in corpus.keys(endpoint):
            raise BadValue(NO_SUCH_OBJECT)
        return lambda record: sum(value == text for value in record.values(path))

    return _unless_empty(prepare)


def any_object_of(endpoint: str, path: str) -> Filter:
    """A list of keys of records of `endpoint`, each of which must exist."""

    def prepare(text: str, corpus: Corpus) -> Test | None:
        wanted = {item.strip() for item in text.split(",")}
        if not wanted <= corpus.keys(endpoint):
            raise BadValue(NO_SUCH_OBJECT)
        return lambda record: sum(value in wanted for value in record.values(path))

    return _unless_empty(prepare)


def number(path: str, suffix: str = "") -> Filter:
    """A decimal, compared as the suffix says; a missing value never fits."""
    compare = COMPARISONS[suffix]

    def prepare(text: str, corpus: Corpus) -> Test | None:
        wanted = _decimal(text)
        return lambda record: sum(compare(value, wanted) for value in _numbers(record, path))

    return _unless_empty(prepare)


def between(path: str) -> Filter:
    """Two decimals with a comma between them, both included."""

    def prepare(text: str, corpus: Corpus) -> Test | None:
        parts = text.split(",")
        if len(parts) != 2:
            raise BadValue(NOT_A_PAIR)
        low, high = (_decimal(part) for part in parts)
        return lambda record: sum(low <= value <= high for value in _numbers(record, path))

    return _unless_empty(prepare)


def boolean(test: Callable[[Record, bool], bool]) -> Filter:
    """`true`, `True`, `false` or `False`; anything else is ignored."""

    def prepare(text: str, corpus: Corpus) -> Test | None:
        wanted = {"true": True, "True": True, "false": False, "False": False}.get(text.strip())
        return None if wanted is None else lambda record: int(test(record, wanted))

    return prepare


def is_true(path: str) -> Filter:
    """The boolean at `path` is the value."""
    return boolean(lambda record, wanted: record.value(path) is wanted)


def is_null(path: str) -> Filter:
    """Whether there is nothing at `path`."""
    return boolean(lambda record, wanted: (record.value(path) is None) is wanted)


def flag(path: str) -> Filter:
    """A flag that the upstream does not read: `false` asks for the same as `true`."""
    return boolean(lambda record, wanted: record.value(path) is True)


def numbers(name: str, path: str | None = None) -> dict[str, Filter]:
    """A number and its four comparisons, by parameter."""
    return {f"{name}{suffix}": number(path or name, suffix) for suffix in COMPARISONS}


def _text(path: str, matcher: Callable[[str], Callable[[str], bool]]) -> Filter:
    def prepare(text: str, corpus: Corpus) -> Test | None:
        fits = matcher(text)
        return lambda record: sum(fits(str(value)) for value in record.values(path) if value is not None)

    return _unless_empty(prepare)


def _unless_empty(prepare: Filter) -> Filter:
    """Forms strip what they are given, and a filter whose value is empty then does nothing."""

    def prepared(text: str, corpus: Corpus) -> Test | None:
        text = text.strip()
        return prepare(text, corpus) if text else None

    return prepared


def _decimal(text: str) -> Decimal:
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        raise BadValue(NOT_A_NUMBER) from None
    if not value.is_finite():
        raise BadValue(NOT_A_NUMBER)
    return value


def _numbers(record: Record, path: str) -> list[Decimal]:
    return [Decimal(str(value)) for value in record.values(path) if value is not None]
