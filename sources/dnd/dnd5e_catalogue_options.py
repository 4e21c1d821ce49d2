"""The collections of the D&D 5e API that characters are made of: classes, races, backgrounds and feats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from sources.dnd.corrections import corrected
from sources.dnd.dnd5e_collections import Around, Collection, Surrounding
from sources.dnd.embedded import SRD_2014
from sources.dnd.normalise_choice import proficiency_types
from sources.dnd.normalise_class import (
    normalise_class,
    normalise_class_feature,
    normalise_subclass,
    spell_slots,
)
from sources.dnd.normalise_species import (
    normalise_background,
    normalise_feat,
    normalise_species,
    normalise_subspecies,
    normalise_trait,
)
from sources.dnd.parsing import Raw
from sources.dnd.records_options import (
    Background,
    CharacterClass,
    CharacterOption,
    ClassFeature,
    Feat,
    OptionRecords,
    Species,
    SpeciesTrait,
    Subclass,
)
from sources.dnd.rows_options import option_texts
from sources.dnd.vocabulary import species_index, species_slug, subclass_index, subclass_slug_and_name

_DOCUMENT = SRD_2014.key
_RECORDS = (CharacterClass, Subclass, Species, Background, Feat)
_ATTRIBUTES = frozenset(field.name for record in _RECORDS for field in fields(record))


def _types(raws: Sequence[Raw]) -> Any:
    return proficiency_types(iter(raws))


def _slots(raws: Sequence[Raw]) -> Any:
    return {raw["class"]["index"]: spell_slots(raw.get("spellcasting") or {}) for raw in raws}


def _species_by_key(raws: Sequence[Raw]) -> Any:
    found = (normalise_species(raw, {}, document_key=_DOCUMENT) for raw in raws)
    return {one.key: one for one in found}


def _features(raws: Sequence[Raw]) -> tuple[ClassFeature, ...]:
    return tuple(
        normalise_class_feature(corrected("feature", raw), position, {}, class_field="class")
        for position, raw in enumerate(raws)
    )


def _traits(raws: Sequence[Raw]) -> tuple[SpeciesTrait, ...]:
    return tuple(normalise_trait(corrected("trait", raw), position, {}) for position, raw in enumerate(raws))


_TYPES = Surrounding("types", "proficiencies", _types)
# How a class casts is told by the last row of its table.
_SLOTS = Surrounding("slots", "classes", _slots, entry=lambda index: f"{index}/levels/20")
_RACES = Surrounding("species", "races", _species_by_key)
_FEATURES = Surrounding("features", "features", _features)
_TRAITS = Surrounding("traits", "traits", _traits)


def _text(record: CharacterOption, around: Around) -> str:
    records = OptionRecords((record,), around.get("features", ()), (), around.get("traits", ()), ())
    _, _, body = next(option_texts(records))
    return body


def _class(raw: Raw, around: Around) -> CharacterClass:
    slots = around.get("slots", {}).get(raw.get("index"), ())
    types = around.get("types", {})
    return normalise_class(corrected("class", raw), types, slots, document_key=_DOCUMENT)


def _subclass(raw: Raw, around: Around) -> Subclass:
    return normalise_subclass(corrected("subclass", raw), document_key=_DOCUMENT, class_field="class")


def _race(raw: Raw, around: Around) -> Species:
    return normalise_species(raw, around.get("types", {}), document_key=_DOCUMENT)


def _subrace(raw: Raw, around: Around) -> Species:
    return normalise_subspecies(raw, around["species"], around.get("types", {}), document_key=_DOCUMENT)


def _background(raw: Raw, around: Around) -> Background:
    return normalise_background(raw, around.get("types", {}), document_key=_DOCUMENT)


def _feat(raw: Raw, around: Around) -> Feat:
    return normalise_feat(corrected("feat", raw), document_key=_DOCUMENT)


def _options(
    path: str, record: type[CharacterOption], read: Callable[[Raw, Around], CharacterOption], **more: Any
) -> Collection:
    own = {field.name for field in fields(record)}
    constants = {
        # What another kind of option has, this one lacks.
        **dict.fromkeys(sorted(_ATTRIBUTES - own)),
        "kind": record.kind,
        "is_subclass": None,
        "is_subspecies": None,
        # What belongs to an option (features, traits, spells) is held here: the same SRD 5.1.
        "provider": "local",
        **more.pop("constants", {}),
    }
    return Collection(path=path, kind=record.kind, read=read, text=_text, constants=constants, **more)


OPTIONS: tuple[Collection, ...] = (
    _options(
        "classes",
        CharacterClass,
        _class,
        constants={"is_subclass": False},
        needs={
            "proficiencies": (_TYPES,),
            "multiclassing": (_TYPES,),
            "caster_type": (_SLOTS,),
            "text": (_FEATURES,),
        },
    ),
    _options(
        "subclasses",
        Subclass,
        _subclass,
        slug=lambda index: subclass_slug_and_name(index, "")[0],
        index=subclass_index,
        label=lambda index, name: subclass_slug_and_name(index, name)[1],
        constants={"is_subclass": True},
        needs={"text": (_FEATURES,)},
    ),
    _options(
        "races",
        Species,
        _race,
        slug=species_slug,
        index=species_index,
        constants={"is_subspecies": False, "subspecies_of": None},
        needs={"proficiencies": (_TYPES,), "text": (_TRAITS,)},
    ),
    _options(
        "subraces",
        Species,
        _subrace,
        slug=species_slug,
        index=species_index,
        constants={"is_subspecies": True},
        needs={"": (_RACES,), "proficiencies": (_TYPES,), "text": (_TRAITS,)},
    ),
    _options("backgrounds", Background, _background, needs={"proficiencies": (_TYPES,)}),
    _options("feats", Feat, _feat),
)
