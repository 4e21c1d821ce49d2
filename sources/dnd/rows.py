"""Records as rows of the tables in `tables.py`, and rows as records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

import orjson

from sources.dnd.records import (
    Bonus,
    Creature,
    DamageRoll,
    Document,
    Feature,
    LevelDice,
    Reference,
    SavingThrow,
    Spell,
)
from sources.text_index import fold

Row = dict[str, Any]
Decoder = Callable[[Any], Any]


def _strings(text: str) -> tuple[str, ...]:
    return tuple(orjson.loads(text))


def _references(text: str) -> tuple[Reference, ...]:
    return tuple(Reference(**item) for item in orjson.loads(text))


def _level_dice(text: str) -> tuple[LevelDice, ...]:
    return tuple(LevelDice(**item) for item in orjson.loads(text))


def _bonuses(text: str) -> tuple[Bonus, ...]:
    return tuple(Bonus(**item) for item in orjson.loads(text))


def _features(text: str) -> tuple[Feature, ...]:
    return tuple(_feature(item) for item in orjson.loads(text))


def _feature(item: Row) -> Feature:
    damage = tuple(DamageRoll(**roll) for roll in item["damage"])
    save = SavingThrow(**item["save"]) if item["save"] is not None else None
    return Feature(**(item | {"damage": damage, "save": save}))


SPELL_DECODERS: Mapping[str, Decoder] = {
    **dict.fromkeys(("ritual", "concentration", "verbal", "somatic", "material", "material_consumed"), bool),
    "saving_throw_abilities": _strings,
    "damage_types": _strings,
    "damage_at_slot_level": _level_dice,
    "damage_at_character_level": _level_dice,
    "heal_at_slot_level": _level_dice,
    "classes": _references,
    "subclasses": _references,
}
"""For each column of `dnd_spell` that a driver gives in another form than the record's: how to read it."""

_CREATURE_STRINGS = (
    "alignments",
    "damage_vulnerabilities",
    "damage_resistances",
    "damage_immunities",
    "damage_vulnerability_types",
    "damage_resistance_types",
    "damage_immunity_types",
    "environments",
)
_CREATURE_FEATURES = ("traits", "actions", "bonus_actions", "reactions", "legendary_actions")

CREATURE_DECODERS: Mapping[str, Decoder] = {
    **dict.fromkeys(("swarm", "hover", "legendary"), bool),
    **dict.fromkeys(_CREATURE_STRINGS, _strings),
    **dict.fromkeys(_CREATURE_FEATURES, _features),
    "saving_throws": _bonuses,
    "skills": _bonuses,
    "condition_immunities": _references,
}
"""For each column of `dnd_creature` that a driver gives in another form than the record's: how to read it."""


def document_values(document: Document) -> Row:
    """The columns of `dnd_document`."""
    mirrored_at = document.mirrored_at
    return asdict(document) | {"mirrored_at": mirrored_at.isoformat() if mirrored_at else None}


def document_record(row: Sequence[Any]) -> Document:
    """The document in a row that has the record's columns, in the record's order."""
    values = dict(zip((field.name for field in fields(Document)), row, strict=True))
    mirrored_at = values["mirrored_at"]
    return Document(**values | {"mirrored_at": datetime.fromisoformat(mirrored_at) if mirrored_at else None})


def spell_values(spell: Spell) -> Row:
    """The columns of `dnd_spell`."""
    return _values(spell) | {"name_folded": fold(spell.name)}


def creature_values(creature: Creature) -> Row:
    """The columns of `dnd_creature`."""
    return _values(creature) | {"name_folded": fold(creature.name)}


def _values(record: Spell | Creature) -> Row:
    """Every attribute under its own name, lists as compact JSON."""
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return {
        name: orjson.dumps(value).decode() if isinstance(value, tuple) else value
        for name, value in values.items()
    }


def spell_record(row: Mapping[str, Any]) -> Spell:
    """The spell in a row of `dnd_spell` that has all of the record's columns."""
    return Spell(**_attributes(Spell, SPELL_DECODERS, row))


def creature_record(row: Mapping[str, Any]) -> Creature:
    """The creature in a row of `dnd_creature` that has all of the record's columns."""
    return Creature(**_attributes(Creature, CREATURE_DECODERS, row))


def _attributes(
    kind: type[Spell] | type[Creature], decoders: Mapping[str, Decoder], row: Mapping[str, Any]
) -> Row:
    return {
        field.name: decoders[field.name](row[field.name]) if field.name in decoders else row[field.name]
        for field in fields(kind)
    }


def table_rows(record: Document | Spell | Creature) -> dict[str, list[Row]]:
    """Every row that a record needs, by table name; the record's own table first, as foreign keys want it."""
    match record:
        case Document():
            return {"dnd_document": [document_values(record)]}
        case Spell():
            return {
                "dnd_spell": [spell_values(record)],
                "dnd_spell_class": [
                    {"spell_key": record.key, "class_key": item.key, "class_name": item.name}
                    for item in dict.fromkeys(record.classes)
                ],
                "dnd_spell_save": _facets(record, "ability", record.saving_throw_abilities),
                "dnd_spell_damage_type": _facets(record, "damage_type", record.damage_types),
            }
        case Creature():
            return {
                "dnd_creature": [creature_values(record)],
                "dnd_creature_alignment": _facets(record, "alignment", record.alignments),
                "dnd_creature_environment": _facets(record, "environment", record.environments),
                "dnd_creature_damage": [
                    {"creature_key": record.key, "relation": relation, "damage_type": damage_type}
                    for relation, damage_types in (
                        ("vulnerability", record.damage_vulnerability_types),
                        ("resistance", record.damage_resistance_types),
                        ("immunity", record.damage_immunity_types),
                    )
                    for damage_type in dict.fromkeys(damage_types)
                ],
                "dnd_creature_condition": _facets(
                    record, "condition", (item.key for item in record.condition_immunities)
                ),
            }


def _facets(record: Spell | Creature, column: str, values: Iterable[str]) -> list[Row]:
    owner = "spell_key" if isinstance(record, Spell) else "creature_key"
    return [{owner: record.key, column: value} for value in dict.fromkeys(values)]
