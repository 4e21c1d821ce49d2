"""Several lists of an upstream that hold one kind of record between them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from sources.criteria import Predicate

ListT_co = TypeVar("ListT_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Part(Generic[ListT_co]):
    """One of the lists.

    - `upstream`: the list; `label`: what it is called in accounts
    - `possible`: for attributes of which its records have few values, all of them: what such a condition means
      for this list is known without asking
    - `implied`: what must hold of a record for it to have an attribute
    - `costly`: attributes that make the list slow. `whole` reads them, by the keys of the page's records alone,
      unless they are needed to find those
    """

    upstream: ListT_co
    label: str
    possible: Mapping[str, Collection[Any]] = field(default_factory=dict)
    implied: Mapping[str, Predicate] = field(default_factory=dict)
    costly: Collection[str] = ()
    whole: Callable[[Sequence[str], Sequence[str]], Awaitable[Mapping[str, Any]]] | None = None


@dataclass(frozen=True, slots=True)
class UnitedLists(Generic[ListT_co]):
    """The lists of one kind of record. No record stands in two of them."""

    kind: str
    parts: tuple[Part[ListT_co], ...]
