"""What an upstream's list endpoint can do by itself: a closed list, declared by the client of that endpoint.

Upstreams drop parameters that they do not know without a word, so nothing is ever sent that is not declared
here, and each entry says how far the upstream's filter agrees with our meaning (`sources/criteria.py`). The
planner (`resolvers/planner.py`) decides from these declarations what an upstream is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from sources.criteria import Op
from sources.page import OrderKey


class Fidelity(StrEnum):
    """How the rows that an upstream's filter gives relate to those that we mean."""

    EXACT = "exact"
    """The same rows."""
    SUPERSET = "superset"
    """All that we mean, and perhaps others: checking here cures it."""
    SUBSET = "subset"
    """None but what we mean, yet some may be missing: checking here cannot cure it."""


class Takes(StrEnum):
    """What one parameter of an upstream can hold of a list of values."""

    ONE = "one"
    """One value; a list becomes one call a value."""
    LIST = "list"
    """A tuple of values, of which a row needs one."""
    RANGE = "range"
    """A pair `(low, high)` of integers, both included: serves lists of integers without gaps."""


Written = str | Mapping[str, str] | None
Write = Callable[[Any], Written]
"""Writes a value as parameters: the text of the only parameter, or texts by name; None when it cannot be said."""


def as_text(value: Any) -> str | None:
    """`value` as most upstreams read it; tuples are joined by commas.

    None for what would change its meaning on the way: an absent or blank value, which upstreams ignore, and a
    text in a list that holds a comma itself.
    """
    if isinstance(value, tuple):
        texts = [as_text(item) for item in value]
        if any(text is None or "," in text for text in texts):
            return None
        return ",".join(text for text in texts if text is not None) or None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (int, float)):
        return str(value)
    return value if isinstance(value, str) and value.strip() else None


@dataclass(frozen=True, slots=True)
class Ability:
    """One filter of an upstream.

    - `attribute`, `op`: the predicate that it serves. EQUALS also serves IN (a call a value), and IN serves
      EQUALS (a list of one)
    - `parameter`: the name, or all names, that it may write
    - `fidelity`: how its rows relate to our meaning; `takes`: how much of a list it can hold
    - `write`: turns a value (a tuple or pair, as `takes` says) into what is sent
    - `negated`: the same for the filter's negation, absent values passing; EXACT filters only
    - `argument`: the filter field that leads here (`documents`), named when a question is refused
    - `rows`: at most this many records exist for one value (1 for a unique key), when that is known
    - `most_values`: a longer list is cut into several calls
    - `repeats`: a list of several values gives a row once for each that it fulfils (an SQL join)
    """

    attribute: str
    op: Op
    parameter: str | tuple[str, ...]
    fidelity: Fidelity = Fidelity.EXACT
    takes: Takes = Takes.ONE
    write: Write = as_text
    negated: Write | None = None
    argument: str = ""
    rows: int | None = None
    most_values: int = 100
    repeats: bool = False

    def __post_init__(self) -> None:
        if self.negated is not None and self.fidelity is not Fidelity.EXACT:
            raise ValueError(f"{self.attribute}: only an exact filter can be negated")
        if self.takes is Takes.RANGE and self.op is not Op.IN:
            raise ValueError(f"{self.attribute}: a range serves `in` alone")
        if self.takes is Takes.LIST and self.op not in (Op.IN, Op.HAS_ANY):
            raise ValueError(f"{self.attribute}: a list serves `in` and `has_any` alone")
        if self.most_values < 1:
            raise ValueError(f"{self.attribute}: a list holds at least one value")

    @property
    def names(self) -> tuple[str, ...]:
        """Every parameter that it may write."""
        return (self.parameter,) if isinstance(self.parameter, str) else self.parameter

    def parameters(self, value: Any, *, negated: bool = False) -> dict[str, str] | None:
        """The parameters that ask for `value`, or for its negation; None when they cannot be written.

        Raises `ValueError` for a `write` that names a parameter outside of `parameter`.
        """
        write = self.negated if negated else self.write
        written = write(value) if write is not None else None
        if written is None:
            return None
        if isinstance(written, str):
            written = {self.names[0]: written}
        if not all(text.strip() for text in written.values()):
            return None  # A known parameter with a blank value is ignored as unknown ones are.
        if unknown := set(written) - set(self.names):
            raise ValueError(f"{self.attribute}: {sorted(unknown)} is not among its parameters")
        return dict(written)


@dataclass(frozen=True, slots=True)
class SortAbility:
    """The orders that an upstream can deliver exactly as we mean them.

    Texts folded, absent values last in either direction: an upstream that compares bytes cannot sort by name.

    - `parameter`: takes the words joined by `separator`
    - `ascending`, `descending`: the word for each attribute
    - `tie_break`: the word for the unique key, ascending, appended to every order
    """

    parameter: str
    tie_break: str
    ascending: Mapping[str, str] = field(default_factory=dict)
    descending: Mapping[str, str] = field(default_factory=dict)
    separator: str = ","

    def parameters(self, order: Sequence[OrderKey], key: str) -> dict[str, str] | None:
        """The parameters for `order` made total by the unique attribute `key`; None when it cannot be said."""
        words = []
        for part in order:
            word = (self.descending if part.descending else self.ascending).get(part.attribute)
            if word is None:
                return None
            words.append(word)
            if part.attribute == key:
                break
        else:
            words.append(self.tie_break)
        return {self.parameter: self.separator.join(words)}


@dataclass(frozen=True, slots=True)
class ListAbilities:
    """All that one list endpoint can do.

    - `filters`: the closed list; `sort`: what it can sort by
    - `page_size`: the most rows that are asked for at once
    - `counts`: its count of an exactly filtered list is right
    - `max_calls`: the most requests that one question may make
    - `size`: at most this many records exist in the whole list, when that is known. Without it a long list is
      found out on the way and cut at `max_calls`
    - `joined`: parameters that hold several conditions, with the text between two of them (` AND `)
    """

    filters: tuple[Ability, ...] = ()
    sort: SortAbility | None = None
    page_size: int = 100
    counts: bool = False
    max_calls: int = 20
    size: int | None = None
    joined: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.page_size < 1 or self.max_calls < 1:
            raise ValueError("a list is read with at least one call of at least one row")

    @property
    def parameters(self) -> frozenset[str]:
        """Every parameter that may be sent, but for those that turn pages."""
        names = {name for ability in self.filters for name in ability.names}
        return frozenset(names | ({self.sort.parameter} if self.sort else set()))


@dataclass(slots=True)
class Doubts:
    """What an upstream was caught not to do as declared. One for each endpoint, for the life of the process.

    `filters` are no longer pushed, `orders` no longer left to the upstream, nor is the count when `count`.
    """

    filters: set[Ability] = field(default_factory=set)
    orders: set[tuple[OrderKey, ...]] = field(default_factory=set)
    count: bool = False

    def trusted(self, filters: Iterable[Ability]) -> list[Ability]:
        """The abilities that were not caught."""
        return [ability for ability in filters if ability not in self.filters]


@dataclass(frozen=True, slots=True)
class UpstreamPage:
    """One answer of a list endpoint.

    `records` in the upstream's order, `has_more` when rows follow, `total` the upstream's count when it gives
    one. `rows` is how many rows it gave, where those are not the records one by one: some could not be read, or
    hold several. `fetched_at`, `from_cache` and `stale` tell of a cached answer.
    """

    records: Sequence[Any]
    has_more: bool
    total: int | None = None
    fetched_at: datetime | None = None
    from_cache: bool = False
    stale: bool = False
    rows: int | None = None

    @property
    def given(self) -> int:
        """How many rows the upstream gave."""
        return len(self.records) if self.rows is None else self.rows
