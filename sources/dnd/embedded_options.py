"""The character options of the embedded SRD 5.1, gathered from the modules of `tinys-srd`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from sources.dnd.corrections import corrected
from sources.dnd.normalise_choice import proficiency_types
from sources.dnd.normalise_class import (
    normalise_class,
    normalise_class_feature,
    normalise_class_level,
    normalise_subclass,
)
from sources.dnd.normalise_species import (
    normalise_background,
    normalise_feat,
    normalise_species,
    normalise_subspecies,
    normalise_trait,
    species_traits,
)
from sources.dnd.parsing import Raw
from sources.dnd.records_options import (
    CharacterOption,
    ClassFeature,
    ClassLevel,
    OptionRecords,
    SpeciesTrait,
)

_Record = TypeVar("_Record", CharacterOption, ClassFeature, ClassLevel, SpeciesTrait)

ReadModule = Callable[[Any], Iterator[Raw]]
"""The raw records of one of the package's modules."""


def read_options(package: Any, records: ReadModule, document_key: str) -> OptionRecords:
    """All character options, features, levels and traits of the package, corrected and normalised.

    Raises MalformedRecord when the installed package holds other records than the pinned one.
    """
    types = proficiency_types(records(package.Proficiencies))
    raw_features = [corrected("feature", raw) for raw in records(package.Features)]
    names = {raw["index"]: raw["name"] for raw in (*records(package.Spells), *raw_features)}
    levels = _by_key(normalise_class_level(raw) for raw in records(package.Levels))
    last_slots = {level.option_key: level.spell_slots for level in levels if level.level == 20}
    classes = [
        normalise_class(
            corrected("class", raw), types, last_slots[f"srd_{raw['index']}"], document_key=document_key
        )
        for raw in records(package.Classes)
    ]
    subclasses = [
        normalise_subclass(corrected("subclass", raw), document_key=document_key)
        for raw in records(package.Subclasses)
    ]
    species = {
        one.key: one
        for one in (
            normalise_species(raw, types, document_key=document_key) for raw in records(package.Races)
        )
    }
    subspecies = [
        normalise_subspecies(raw, species, types, document_key=document_key)
        for raw in records(package.Subraces)
    ]
    backgrounds = [
        normalise_background(raw, types, document_key=document_key) for raw in records(package.Backgrounds)
    ]
    feats = [
        normalise_feat(corrected("feat", raw), document_key=document_key) for raw in records(package.Feats)
    ]
    return OptionRecords(
        options=_by_key([*classes, *subclasses, *species.values(), *subspecies, *backgrounds, *feats]),
        features=_by_key(
            normalise_class_feature(raw, position, names) for position, raw in enumerate(raw_features)
        ),
        levels=levels,
        traits=_by_key(
            normalise_trait(corrected("trait", raw), position, types)
            for position, raw in enumerate(records(package.Traits))
        ),
        species_traits=tuple(
            species_traits(raw) for module in (package.Races, package.Subraces) for raw in records(module)
        ),
    )


def _by_key(records: Iterable[_Record]) -> tuple[_Record, ...]:
    return tuple(sorted(records, key=lambda record: record.key))
