"""Equipment and rules as rows of their tables, and what reads the columns back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any

import orjson

from sources.dnd.records import Reference
from sources.dnd.records_equipment import Equipment, PackedItem
from sources.dnd.records_rules import RuleEntry
from sources.text_index import fold

Row = dict[str, Any]
Decoder = Callable[[Any], Any]


def _strings(text: str) -> tuple[str, ...]:
    return tuple(orjson.loads(text))


def _references(text: str) -> tuple[Reference, ...]:
    return tuple(Reference(**item) for item in orjson.loads(text))


def _packed_items(text: str) -> tuple[PackedItem, ...]:
    return tuple(PackedItem(**item) for item in orjson.loads(text))


EQUIPMENT_DECODERS: Mapping[str, Decoder] = {
    **dict.fromkeys(
        (
            "magic",
            "simple",
            "finesse",
            "light",
            "armor_class_dexterity",
            "stealth_disadvantage",
            "requires_attunement",
        ),
        bool,
    ),
    **dict.fromkeys(("categories", "properties", "variants"), _references),
    "contents": _packed_items,
}
"""For each column of `dnd_equipment` that a driver gives in another form than the record's: how to read it."""

RULE_DECODERS: Mapping[str, Decoder] = {
    **dict.fromkeys(("sections", "skills", "classes", "species"), _references),
    "typical_speakers": _strings,
}
"""For each column of `dnd_rule` that a driver gives in another form than the record's: how to read it."""


def equipment_rows(records: Iterable[Equipment]) -> dict[str, list[Row]]:
    """Every row that these records need, by table name."""
    rows: dict[str, list[Row]] = {
        "dnd_equipment": [],
        "dnd_equipment_category": [],
        "dnd_equipment_property": [],
    }
    for record in records:
        rows["dnd_equipment"].append(_values(record))
        rows["dnd_equipment_category"] += [
            {"equipment_key": record.key, "category_key": item.key, "category_name": item.name}
            for item in record.categories
        ]
        rows["dnd_equipment_property"] += [
            {"equipment_key": record.key, "property_key": item.key} for item in record.properties
        ]
    return rows


def rule_rows(records: Iterable[RuleEntry]) -> dict[str, list[Row]]:
    """Every row that these records need, by table name."""
    return {"dnd_rule": [_values(record) for record in records]}


def _values(record: Equipment | RuleEntry) -> Row:
    """Every attribute under its own name, lists as compact JSON, and the folded name."""
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return {
        name: orjson.dumps(value).decode() if isinstance(value, tuple) else value
        for name, value in values.items()
    } | {"name_folded": fold(record.name)}


def equipment_record(row: Mapping[str, Any]) -> Equipment:
    """The equipment in a row of `dnd_equipment` that has all of the record's columns."""
    return Equipment(**_attributes(Equipment, EQUIPMENT_DECODERS, row))


def rule_record(row: Mapping[str, Any]) -> RuleEntry:
    """The rule in a row of `dnd_rule` that has all of the record's columns."""
    return RuleEntry(**_attributes(RuleEntry, RULE_DECODERS, row))


def _attributes(
    record: type[Equipment] | type[RuleEntry], decoders: Mapping[str, Decoder], row: Mapping[str, Any]
) -> Row:
    values = {field.name: row[field.name] for field in fields(record)}
    return {
        name: decoders[name](value) if name in decoders and value is not None else value
        for name, value in values.items()
    }
