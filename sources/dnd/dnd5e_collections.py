"""A collection of the D&D 5e API (2014), and how its entries become our records.

A list gives references alone, `{"index", "name", "url"}` (of spells the level too); what else is to be known of a
record takes a request of its own. So each collection says which attributes its references tell. A few attributes
stand in entries of another collection, its surroundings: which categories list an item, say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sources.dnd.embedded import SRD_2014
from sources.dnd.parsing import MalformedRecord, Raw

PREFIX = "srd"
"""All that the D&D 5e API holds of 2014 is the SRD 5.1, whose keys begin so in Open5e and here."""

INDEX = re.compile(r"[a-z0-9]+(?:-+[a-z0-9]+)*")
"""The only texts that go into a path as an index."""

OF_DOCUMENT: Mapping[str, str] = {
    "document_key": SRD_2014.key,
    "edition": SRD_2014.edition,
    "document_name": SRD_2014.name,
    "document_url": SRD_2014.url,
    "document_licence": SRD_2014.licence,
    "document_attribution": SRD_2014.attribution,
}
"""Attributes that are the same for all records: there is one document."""

Around = Mapping[str, Any]
"""What was read of surroundings, by their names."""


@dataclass(frozen=True, slots=True)
class Surrounding:
    """Entries of another collection that attributes of a record are made from.

    - `path`: the collection, of which all entries are read; `make`: what is made of them
    - `entry`: of an index of that collection, the path of the entry that is read
    """

    name: str
    path: str
    make: Callable[[Sequence[Raw]], Any]
    entry: Callable[[str], str] = str


def _same_name(index: str, name: str) -> str:
    return name


@dataclass(frozen=True, slots=True)
class Collection:
    """One collection.

    - `path`: below the edition; `kind`: of its records here, as an error calls them
    - `read`: the record of a whole entry, with its surroundings
    - `text`: what full text finds a record by, beside its name
    - `slug`, `index`: from the upstream's index to Open5e's slug, and back
    - `label`: a record's name, of a reference's index and name
    - `parameters`: the filters of its list that are sent, a closed list: any other is ignored upstream
    - `numbers`: attributes that references tell as numbers; `constants`: those that all of its records share
    - `needs`: the surroundings that an attribute takes; under `""` those that any does
    """

    path: str
    kind: str
    read: Callable[[Raw, Around], Any]
    text: Callable[[Any, Around], str]
    slug: Callable[[str], str] = str
    index: Callable[[str], str] = str
    label: Callable[[str, str], str] = _same_name
    parameters: frozenset[str] = frozenset()
    numbers: tuple[str, ...] = ()
    constants: Mapping[str, Any] = field(default_factory=dict)
    needs: Mapping[str, tuple[Surrounding, ...]] = field(default_factory=dict)

    @property
    def listed(self) -> frozenset[str]:
        """The attributes that a reference tells."""
        return frozenset({"key", "slug", "name", *OF_DOCUMENT, *self.numbers, *self.constants})

    def index_of(self, key: str) -> str | None:
        """The upstream's index of a key; None for a key that no record of it can have."""
        prefix, _, slug = key.partition("_")
        index = self.index(slug)
        return index if prefix == PREFIX and INDEX.fullmatch(index) else None

    def told(self, reference: Raw) -> dict[str, Any]:
        """What a reference tells. Raises MalformedRecord for one without index or name."""
        index, name = reference.get("index"), reference.get("name")
        if not isinstance(index, str) or not INDEX.fullmatch(index):
            raise MalformedRecord(str(name or "without a name"), "index", "is missing or malformed")
        if not isinstance(name, str) or not name.strip():
            raise MalformedRecord(index, "name", "is missing")
        slug = self.slug(index)
        told: dict[str, Any] = {
            "key": f"{PREFIX}_{slug}",
            "slug": slug,
            "name": self.label(index, name.strip()),
            **OF_DOCUMENT,
            **self.constants,
        }
        for number in self.numbers:
            value = reference.get(number)
            if not isinstance(value, int) or isinstance(value, bool):
                raise MalformedRecord(index, number, "is not a number")
            told[number] = value
        return told

    def surroundings(self, columns: Sequence[str]) -> tuple[Surrounding, ...]:
        """The surroundings that `columns` take."""
        needed = [one for name in ("", *columns) for one in self.needs.get(name, ())]
        return tuple(dict.fromkeys(needed))

    def value(self, record: Any, attribute: str, around: Around) -> Any:
        """An attribute of a whole record."""
        if attribute in OF_DOCUMENT:
            return OF_DOCUMENT[attribute]
        if attribute in self.constants:
            return self.constants[attribute]
        if attribute == "text":
            return f"{record.name}\n{self.text(record, around)}"
        return getattr(record, attribute)
