"""Character options as rows of the tables in `tables_options.py`, and rows as records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any, TypeVar

import orjson

from sources.dnd.records import Reference
from sources.dnd.records_options import (
    AbilityBonus,
    AbilityMinimum,
    Background,
    CharacterClass,
    CharacterOption,
    Choice,
    ClassFeature,
    ClassLevel,
    ClassValue,
    Feat,
    GrantedSpell,
    Ideal,
    Multiclassing,
    OptionRecords,
    Passage,
    Proficiency,
    Species,
    SpeciesTrait,
    SpellSlots,
    StartingEquipment,
    Subclass,
    SuggestedCharacteristics,
)
from sources.dnd.rows import Decoder, Row
from sources.dnd.tables_options import CharacterOptionRow
from sources.text_index import fold
from sources.text_index_tables import TextRow

_Part = TypeVar("_Part")


def _strings(text: str) -> tuple[str, ...]:
    return tuple(orjson.loads(text))


def _list_of(kind: Callable[..., _Part]) -> Callable[[str], tuple[_Part, ...]]:
    return lambda text: tuple(kind(**item) for item in orjson.loads(text))


def _choice(item: Row) -> Choice:
    return Choice(**(item | {"options": tuple(Reference(**option) for option in item["options"])}))


def _one_choice(text: str) -> Choice:
    return _choice(orjson.loads(text))


def _choices(text: str) -> tuple[Choice, ...]:
    return tuple(_choice(item) for item in orjson.loads(text))


def _passage(text: str) -> Passage:
    return Passage(**orjson.loads(text))


def _multiclassing(text: str) -> Multiclassing:
    item = orjson.loads(text)
    return Multiclassing(
        prerequisites=tuple(AbilityMinimum(**one) for one in item["prerequisites"]),
        any_prerequisite=item["any_prerequisite"],
        proficiencies=tuple(Proficiency(**one) for one in item["proficiencies"]),
        proficiency_choices=tuple(_choice(one) for one in item["proficiency_choices"]),
    )


def _suggested(text: str) -> SuggestedCharacteristics:
    item = orjson.loads(text)
    return SuggestedCharacteristics(
        personality_traits=tuple(item["personality_traits"]),
        ideals=tuple(Ideal(one["description"], tuple(one["alignments"])) for one in item["ideals"]),
        bonds=tuple(item["bonds"]),
        flaws=tuple(item["flaws"]),
    )


_proficiencies = _list_of(Proficiency)

OPTION_DECODERS: Mapping[str, Decoder] = {
    "saving_throws": _strings,
    "primary_abilities": _strings,
    "multiclassing": _multiclassing,
    "spellcasting": _list_of(Passage),
    "granted_spells": _list_of(GrantedSpell),
    "ability_bonuses": _list_of(AbilityBonus),
    "ability_bonus_choice": _one_choice,
    "languages": _list_of(Reference),
    "feature": _passage,
    "suggested_characteristics": _suggested,
    "prerequisites": _list_of(AbilityMinimum),
    "benefits": _strings,
    "language_choice": _one_choice,
    "proficiencies": _proficiencies,
    "proficiency_choices": _choices,
    "starting_equipment": _list_of(StartingEquipment),
    "starting_equipment_choices": _strings,
}
"""For each column of `dnd_character_option` that holds JSON: how to read it."""

FEATURE_DECODERS: Mapping[str, Decoder] = {"prerequisites": _strings}
LEVEL_DECODERS: Mapping[str, Decoder] = {
    "spell_slots": _list_of(SpellSlots),
    "class_values": _list_of(ClassValue),
}
TRAIT_DECODERS: Mapping[str, Decoder] = {
    "species": _list_of(Reference),
    "proficiencies": _proficiencies,
    "choice": _one_choice,
}

_OPTION_COLUMNS = tuple(CharacterOptionRow.model_fields)
_RECORDS: Mapping[str, type[CharacterOption]] = {
    record.kind: record for record in (CharacterClass, Subclass, Species, Background, Feat)
}
_ENCODED = (tuple, Choice, Multiclassing, Passage, SuggestedCharacteristics)


def _values(record: CharacterOption | ClassFeature | ClassLevel | SpeciesTrait) -> Row:
    """Every attribute under its own name, lists and objects as compact JSON."""
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return {
        name: orjson.dumps(value).decode() if isinstance(value, _ENCODED) else value
        for name, value in values.items()
    }


def option_values(record: CharacterOption) -> Row:
    """The columns of `dnd_character_option`; those of other kinds are null."""
    values = dict.fromkeys(_OPTION_COLUMNS) | _values(record)
    values |= {"kind": record.kind, "name_folded": fold(record.name)}
    if isinstance(record, CharacterClass | Subclass):
        values["is_subclass"] = isinstance(record, Subclass)
    elif isinstance(record, Species):
        values["is_subspecies"] = record.subspecies_of is not None
    return values


def option_record(row: Mapping[str, Any]) -> CharacterOption:
    """The record in a row of `dnd_character_option` that has all of its columns."""
    kind = _RECORDS[row["kind"]]
    values = {field.name: row[field.name] for field in fields(kind)}
    return kind(
        **{
            name: OPTION_DECODERS[name](value) if name in OPTION_DECODERS and value is not None else value
            for name, value in values.items()
        }
    )


def option_rows(records: OptionRecords) -> dict[str, list[Mapping[str, Any]]]:
    """Every row that the records need, by table name."""
    options = records.options
    return {
        "dnd_character_option": [option_values(option) for option in options],
        "dnd_option_saving_throw": [
            {"option_key": option.key, "ability": ability}
            for option in options
            if isinstance(option, CharacterClass)
            for ability in option.saving_throws
        ],
        "dnd_subclass_spell": [
            {"subclass_key": option.key, "spell_key": spell_key}
            for option in options
            if isinstance(option, Subclass)
            for spell_key in dict.fromkeys(spell.key for spell in option.granted_spells or ())
        ],
        "dnd_class_feature": [
            _values(feature) | {"is_choice": feature.parent_key is not None} for feature in records.features
        ],
        "dnd_class_level": [_values(level) for level in records.levels],
        "dnd_trait": [_values(trait) for trait in records.traits],
        "dnd_species_trait": [
            {"species_key": link.species_key, "trait_key": trait_key, "place": place}
            for link in records.species_traits
            for place, trait_key in enumerate(link.trait_keys)
        ],
    }


def option_texts(records: OptionRecords) -> Iterator[TextRow]:
    """What full text finds an option by: its name, its own texts, and those of its features and traits."""
    given: dict[str, list[str]] = {}
    for feature in records.features:
        given.setdefault(feature.option_key, []).extend((feature.name, feature.description))
    for trait in records.traits:
        for species in trait.species:
            given.setdefault(species.key, []).extend((trait.name, trait.description, trait.detail or ""))
    for option in records.options:
        body = [option.description or "", *_own_texts(option), *given.get(option.key, ())]
        yield option.key, option.name, "\n".join(part for part in body if part)


def _own_texts(option: CharacterOption) -> Iterator[str]:
    match option:
        case CharacterClass():
            yield from (text for part in option.spellcasting for text in (part.name, part.description))
            yield from (proficiency.name for proficiency in option.proficiencies)
        case Subclass():
            yield option.flavor or ""
            yield from (spell.name for spell in option.granted_spells or ())
        case Species():
            yield from (option.age or "", option.alignment or "", option.size_description or "")
            yield option.language_description or ""
        case Background():
            if option.feature is not None:
                yield from (option.feature.name, option.feature.description)
            yield from (proficiency.name for proficiency in option.proficiencies)
        case Feat():
            return
