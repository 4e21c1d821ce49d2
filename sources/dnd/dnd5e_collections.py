"""The collections of the D&D 5e API (2014) that are asked, and how their entries become our records.

A list gives references alone, `{"index", "name", "url"}` (of spells the level too); what else is to be known of a
record takes a request of its own. So each collection says which attributes its references tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sources.dnd.corrections import corrected
from sources.dnd.embedded import SRD_2014
from sources.dnd.normalise import normalise_creature, normalise_spell
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records import Creature, Spell
from sources.dnd.texts import creature_texts, spell_texts
from sources.dnd.vocabulary import creature_index, creature_slug, spell_index, spell_slug
from sources.text_index_tables import TextRow

PREFIX = "srd"
"""All that the D&D 5e API holds of 2014 is the SRD 5.1, whose keys begin so in Open5e and here."""

_INDEX = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

OF_DOCUMENT: Mapping[str, str] = {
    "document_key": SRD_2014.key,
    "edition": SRD_2014.edition,
    "document_name": SRD_2014.name,
    "document_url": SRD_2014.url,
    "document_licence": SRD_2014.licence,
    "document_attribution": SRD_2014.attribution,
}
"""Attributes that are the same for all records: there is one document."""

ALWAYS_LISTED = frozenset({"key", "slug", "name", *OF_DOCUMENT})


@dataclass(frozen=True, slots=True)
class Collection:
    """One collection.

    - `path`: below the edition; `kind`: of its records here
    - `parameters`: the filters of its list, a closed list: any other is ignored upstream
    - `slug`, `index`: from the upstream's index to Open5e's slug, and back
    - `listed`: attributes that a reference tells; `numbers`: those of them that stand in it as numbers
    - `read`: the record of a whole entry
    - `texts`: what full text finds records by
    """

    path: str
    kind: str
    parameters: frozenset[str]
    slug: Callable[[str], str]
    index: Callable[[str], str]
    listed: frozenset[str]
    read: Callable[[Raw], Any]
    texts: Callable[[Sequence[Any]], Any]
    numbers: tuple[str, ...] = ()

    def key_of(self, reference: Raw) -> str:
        """Our key of a reference."""
        return f"{PREFIX}_{self.slug(reference['index'])}"

    def index_of(self, key: str) -> str | None:
        """The upstream's index of a key; None for a key that no record of it can have."""
        prefix, _, slug = key.partition("_")
        index = self.index(slug)
        return index if prefix == PREFIX and _INDEX.fullmatch(index) else None

    def told(self, reference: Raw) -> dict[str, Any]:
        """What a reference tells. Raises MalformedRecord for one without index or name."""
        index, name = reference.get("index"), reference.get("name")
        if not isinstance(index, str) or not _INDEX.fullmatch(index):
            raise MalformedRecord(str(name or "without a name"), "index", "is missing or malformed")
        if not isinstance(name, str) or not name.strip():
            raise MalformedRecord(index, "name", "is missing")
        slug = self.slug(index)
        told: dict[str, Any] = {"key": f"{PREFIX}_{slug}", "slug": slug, "name": name.strip(), **OF_DOCUMENT}
        for field in self.numbers:
            value = reference.get(field)
            if not isinstance(value, int) or isinstance(value, bool):
                raise MalformedRecord(index, field, "is not a number")
            told[field] = value
        return told

    def value(self, record: Any, attribute: str) -> Any:
        """An attribute of a whole record."""
        if attribute in OF_DOCUMENT:
            return OF_DOCUMENT[attribute]
        if attribute == "text":
            row: TextRow = next(iter(self.texts([record])))
            return f"{row[1]}\n{row[2]}"
        return getattr(record, attribute)


def _spell(raw: Raw) -> Spell:
    return normalise_spell(corrected("spell", raw), document_key=SRD_2014.key)


def _creature(raw: Raw) -> Creature:
    return normalise_creature(corrected("creature", raw), document_key=SRD_2014.key)


SPELLS = Collection(
    path="spells",
    kind="spell",
    parameters=frozenset({"name", "level", "school"}),
    slug=spell_slug,
    index=spell_index,
    listed=ALWAYS_LISTED | {"level"},
    read=_spell,
    texts=spell_texts,
    numbers=("level",),
)

MONSTERS = Collection(
    path="monsters",
    kind="creature",
    parameters=frozenset({"name", "challenge_rating"}),
    slug=creature_slug,
    index=creature_index,
    listed=ALWAYS_LISTED,
    read=_creature,
    texts=creature_texts,
)
