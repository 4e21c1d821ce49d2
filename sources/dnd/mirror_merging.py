"""The mirror's records and the embedded ones, together: what both hold is one record, by the rules of `merging.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Protocol, TypeVar

from sources.dnd.content import Content
from sources.dnd.merging import MERGES, match_records
from sources.dnd.records import Document
from sources.dnd.records_options import OptionRecords
from sources.dnd.records_rules import RuleEntry

MERGED = "merged"
"""The source of a document whose records are mirrored as well as embedded."""


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...
    @property
    def document_key(self) -> str: ...
    @property
    def name(self) -> str: ...


_Record = TypeVar("_Record", bound=_Keyed)


def merge_content(mirror: Content, embedded: Content) -> Content:
    """All records of both. Of records that share a key and are never merged, the embedded one stands."""
    documents = _documents(mirror, embedded)
    editions = {key: document.edition for key, document in documents.items()}
    return Content(
        documents=tuple(documents.values()),
        spells=_merged(mirror.spells, embedded.spells, editions, lambda _: "spell"),
        creatures=_merged(mirror.creatures, embedded.creatures, editions, lambda _: "creature"),
        equipment=_merged(mirror.equipment, embedded.equipment, editions, lambda one: one.kind),
        rules=_with_sections(
            mirror.rules, _merged(mirror.rules, embedded.rules, editions, lambda one: one.kind)
        ),
        options=_options(mirror.options, embedded.options, editions),
    )


def _documents(mirror: Content, embedded: Content) -> dict[str, Document]:
    found = {document.key: document for document in mirror.documents}
    for document in embedded.documents:
        twin = found.get(document.key)
        found[document.key] = (
            document if twin is None else replace(document, source=MERGED, mirrored_at=twin.mirrored_at)
        )
    return dict(sorted(found.items()))


def _merged(
    open5e: Iterable[_Record],
    srd: Iterable[_Record],
    editions: Mapping[str, str],
    kind_of: Callable[[_Record], str],
) -> tuple[_Record, ...]:
    """Both lists as one, by key. A thing that one list has twice keeps both of its keys."""
    there, here = _by_kind(open5e, kind_of), _by_kind(srd, kind_of)
    found: dict[str, _Record] = {}
    # After all others, whatever kind they are of: the key of an embedded record is that record's.
    embedded: dict[str, _Record] = {}
    for kind in sorted({*there, *here}):
        matched = match_records(kind, there.get(kind, ()), here.get(kind, ()), editions)
        found |= {one.key: one for one in matched.open5e_alone}
        found |= {one.key: one for same in matched.doubled.values() for one in same}
        embedded |= {one.key: one for one in matched.srd_alone}
        embedded |= {second.key: MERGES[kind](first, second) for first, second in matched.pairs}
    found |= embedded
    return tuple(found[key] for key in sorted(found))


def _with_sections(mirror: Iterable[RuleEntry], merged: Iterable[RuleEntry]) -> tuple[RuleEntry, ...]:
    """The rules, those that bear the key of a rule of Open5e with its sections as well: the two cut the text in other
    places, and each section is a record of its own."""
    theirs = {rule.key: rule.sections for rule in mirror if rule.sections}
    return tuple(
        replace(rule, sections=tuple(dict.fromkeys((*rule.sections, *theirs.get(rule.key, ())))))
        if rule.key in theirs
        else rule
        for rule in merged
    )


def _by_kind(records: Iterable[_Record], kind_of: Callable[[_Record], str]) -> dict[str, list[_Record]]:
    found: dict[str, list[_Record]] = {}
    for record in records:
        found.setdefault(kind_of(record), []).append(record)
    return found


def _options(open5e: OptionRecords, srd: OptionRecords, editions: Mapping[str, str]) -> OptionRecords:
    """Options merged; of one that both have, what it gives is told by the embedded records alone."""
    options = _merged(open5e.options, srd.options, editions, lambda one: one.kind)
    embedded = {option.key for option in srd.options}
    kept = {option.key for option in options} - embedded
    species_traits = [one for one in open5e.species_traits if one.species_key in kept]
    traits = {key for one in species_traits for key in one.trait_keys}
    return OptionRecords(
        options=options,
        features=_by_key((one for one in open5e.features if one.option_key in kept), srd.features),
        levels=_by_key((one for one in open5e.levels if one.option_key in kept), srd.levels),
        traits=_by_key(
            (one for one in open5e.traits if one.key in traits or one.parent_key in traits), srd.traits
        ),
        species_traits=(*species_traits, *srd.species_traits),
    )


class _WithKey(Protocol):
    @property
    def key(self) -> str: ...


_Part = TypeVar("_Part", bound=_WithKey)


def _by_key(first: Iterable[_Part], second: Iterable[_Part]) -> tuple[_Part, ...]:
    found = {one.key: one for one in first} | {one.key: one for one in second}
    return tuple(found[key] for key in sorted(found))
