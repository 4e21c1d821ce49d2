"""The embedded default: SRD 5.1 from the package `tinys-srd`, read as data, without a network."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version as package_version
from typing import Any, TypeVar

import orjson

from sources.dnd.corrections import corrected
from sources.dnd.embedded_equipment import read_equipment, read_rules
from sources.dnd.embedded_options import read_options
from sources.dnd.normalise import normalise_creature, normalise_spell
from sources.dnd.parsing import Raw
from sources.dnd.records import Creature, Document, Spell
from sources.dnd.records_equipment import Equipment
from sources.dnd.records_options import OptionRecords
from sources.dnd.records_rules import RuleEntry

_Record = TypeVar("_Record", Spell, Creature)

SRD_2014 = Document(
    key="srd-2014",
    name="System Reference Document 5.1",
    publisher="Wizards of the Coast",
    edition="5e-2014",
    licence="CC-BY-4.0",
    licence_url="https://creativecommons.org/licenses/by/4.0/legalcode",
    url="https://dnd.wizards.com/resources/systems-reference-document",
    attribution=(
        "This work includes material taken from the System Reference Document 5.1 (“SRD 5.1”) by Wizards of "
        "the Coast LLC and available at https://dnd.wizards.com/resources/systems-reference-document. The "
        "SRD 5.1 is licensed under the Creative Commons Attribution 4.0 International License available at "
        "https://creativecommons.org/licenses/by/4.0/legalcode."
    ),
    source="embedded",
)
"""The document of every embedded record, with the attribution that the SRD itself asks for."""


@dataclass(frozen=True, slots=True)
class EmbeddedData:
    """All embedded records.

    - `document`: the one that they come from
    - `spells` (319), `creatures` (334): corrected and normalised, in the order of their keys
    - `equipment` (599): weapons, armor, gear and magic items; `rules` (252): rules, conditions and terms
    - `options`: classes, subclasses, species, backgrounds and feats, with what they give
    - `version`: package, its version and a hash over the records (`tinys-srd 1.0.0 sha256:0123456789abcdef`);
      it changes whenever a record does, so that a store knows that it holds other data
    """

    document: Document
    spells: tuple[Spell, ...]
    creatures: tuple[Creature, ...]
    equipment: tuple[Equipment, ...]
    rules: tuple[RuleEntry, ...]
    options: OptionRecords
    version: str


def read_embedded() -> EmbeddedData:
    """Reads, corrects and normalises the embedded records; a fraction of a second.

    Raises MalformedRecord when the installed package holds other records than the pinned one.
    """
    # Imported here, since the package builds all of its records while it is imported.
    import tinys_srd

    spells = _by_key(
        normalise_spell(corrected("spell", raw), document_key=SRD_2014.key)
        for raw in _records(tinys_srd.Spells)
    )
    creatures = _by_key(
        normalise_creature(corrected("creature", raw), document_key=SRD_2014.key)
        for raw in _records(tinys_srd.Monsters)
    )
    equipment = read_equipment(tinys_srd, _records, SRD_2014.key)
    rules = read_rules(tinys_srd, _records, SRD_2014.key)
    options = read_options(tinys_srd, _records, SRD_2014.key)
    records = (SRD_2014, spells, creatures, equipment, rules, options)
    digest = hashlib.sha256(orjson.dumps(records)).hexdigest()[:16]
    return EmbeddedData(
        document=SRD_2014,
        spells=spells,
        creatures=creatures,
        equipment=equipment,
        rules=rules,
        options=options,
        version=f"tinys-srd {package_version('tinys-srd')} sha256:{digest}",
    )


def _records(module: Any) -> Iterator[Raw]:
    """The raw records of one of the package's modules: it lists their names, and holds each as an object."""
    for entry in module.entries:
        yield vars(getattr(module, entry))


def _by_key(records: Iterable[_Record]) -> tuple[_Record, ...]:
    return tuple(sorted(records, key=lambda record: record.key))
