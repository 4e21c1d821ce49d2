"""What a list endpoint of Open5e v2 is, and the filters that most of them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from sources.ability import Ability, Fidelity, ListAbilities, SortAbility, Takes, as_text
from sources.criteria import Op, Predicate
from sources.dnd.open5e_recipes import Recipes
from sources.dnd.parsing import Raw

PAGE_SIZE = 500
"""Rows asked for at once. The upstream has no maximum; a larger page only makes it slower to begin."""

MOST_KEYS = 60
MOST_KEY_BYTES = 2_800
"""A request line over 4,094 bytes is refused with a page of HTML. The longest key has 51 characters, most have
20: 60 of them, the names of all fields and the path stay below 3,500 bytes."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One list endpoint.

    - `kind`: of its records here; `path`: below the base URL
    - `abilities`: the closed list; `recipes`: how its records become ours, of `fields` fields
    - `part`: what it is called among several endpoints of one kind
    - `possible`: for attributes of which its records have few values, all of them
    - `spread`: makes the rows that recipes read from one of the upstream's; None: each is one already
    - `names_document`: rows name their document by its key. Asking such an endpoint for fields inside
      `document` is an error of the server
    - `implied`, `costly`: as those of `sources/united_lists.py`
    - `inherited`: attributes that a record may have of its parent, whose row is put into it: `parent` names the
      field with the parent's key, the field that is needed of the parent, and where its row is put
    """

    kind: str
    path: str
    abilities: ListAbilities
    recipes: Recipes
    fields: int
    part: str = ""
    possible: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    spread: Callable[[Raw], Sequence[Raw]] | None = None
    names_document: bool = False
    implied: Mapping[str, Predicate] = field(default_factory=dict)
    costly: frozenset[str] = frozenset()
    inherited: frozenset[str] = frozenset()
    parent: tuple[str, str, str] | None = None

    @property
    def name(self) -> str:
        """Unique among the endpoints."""
        return self.part or self.kind

    @property
    def index_fields(self) -> dict[str, str]:
        """The parameters that ask for no more than the index of names needs."""
        if self.spread is not None:
            return {}
        fields = {"fields": "key,name,document"}
        return fields if self.names_document else {**fields, "document__fields": "key"}


def write_keys(keys: object) -> str | None:
    """Keys with commas between; None when they would make the request too long."""
    text = as_text(keys)
    return text if text is not None and len(quote(text, safe=",")) <= MOST_KEY_BYTES else None


# `key__in`: unknown keys are left out, doubled ones folded.
BY_KEY = Ability(
    "key",
    Op.IN,
    "key__in",
    takes=Takes.LIST,
    write=write_keys,
    argument="key",
    rows=1,
    most_values=MOST_KEYS,
)
# `document__key__in`: the one document filter that every endpoint has.
BY_DOCUMENT = (
    Ability("document_key", Op.IN, "document__key__in", takes=Takes.LIST, argument="documents"),
    Ability("edition", Op.IN, "document__gamesystem__key__in", takes=Takes.LIST, argument="edition"),
)
# `name__icontains=fire`: 33 spells. An SQL LIKE, which folds the case of ASCII letters and no accents.
BY_NAME = (
    Ability("name", Op.CONTAINS, "name__icontains", Fidelity.SUBSET, argument="name"),
    Ability("name", Op.FOLDED_EQUALS, "name__iexact", Fidelity.SUBSET, argument="nameExact"),
)


def sort_by(*attributes: str) -> SortAbility:
    """Sorting by attributes of the upstream's own name, the key being the last."""
    return SortAbility(
        "ordering",
        tie_break="key",
        ascending={name: name for name in attributes},
        descending={name: f"-{name}" for name in attributes},
    )
