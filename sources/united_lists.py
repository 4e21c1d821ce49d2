"""Several lists of an upstream that hold one kind of record between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

ListT_co = TypeVar("ListT_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Part(Generic[ListT_co]):
    """One of the lists.

    - `upstream`: the list; `label`: what it is called in accounts
    - `possible`: for attributes of which its records have few values, all of them: what such a condition means
      for this list is known without asking
    """

    upstream: ListT_co
    label: str
    possible: Mapping[str, Sequence[Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnitedLists(Generic[ListT_co]):
    """The lists of one kind of record. No record stands in two of them."""

    kind: str
    parts: tuple[Part[ListT_co], ...]
