"""The equipment and the rules of the embedded SRD 5.1, gathered from the modules of `tinys-srd`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sources.dnd.corrections import corrected
from sources.dnd.normalise_equipment import normalise_equipment, normalise_magic_item
from sources.dnd.normalise_rules import normalise_rule_entry
from sources.dnd.parsing import Raw
from sources.dnd.records import Reference
from sources.dnd.records_equipment import Equipment
from sources.dnd.records_rules import RuleEntry
from sources.dnd.vocabulary_equipment import category_reference

ReadModule = Callable[[Any], Iterator[Raw]]
"""The raw records of one of the package's modules."""


def read_equipment(package: Any, records: ReadModule, document_key: str) -> tuple[Equipment, ...]:
    """All equipment and magic items of the package, corrected and normalised, in the order of their keys.

    Raises MalformedRecord when the installed package holds other records than the pinned one.
    """
    categories = categories_by_item(records(package.EquipmentCategories))
    magic_items = [corrected("magic-item", raw) for raw in records(package.MagicItems)]
    parents = parents_by_part(magic_items, "variants")
    found = [
        normalise_equipment(
            corrected("equipment", raw),
            document_key=document_key,
            categories=categories.get(raw["index"], ()),
        )
        for raw in records(package.Equipment)
    ]
    found += [
        normalise_magic_item(
            raw,
            document_key=document_key,
            categories=categories.get(raw["index"], ()),
            variant_of=parents.get(raw["index"]),
        )
        for raw in magic_items
    ]
    return tuple(sorted(found, key=lambda record: record.key))


def read_rules(package: Any, records: ReadModule, document_key: str) -> tuple[RuleEntry, ...]:
    """All rules, conditions and vocabulary entries of the package, normalised, in the order of their keys.

    Raises MalformedRecord when the installed package holds other records than the pinned one.
    """
    modules = {
        "rule": package.Rules,
        "rule-section": package.RuleSections,
        "condition": package.Conditions,
        "damage-type": package.DamageTypes,
        "weapon-property": package.WeaponProperties,
        "skill": package.Skills,
        "ability-score": package.AbilityScores,
        "magic-school": package.MagicSchools,
        "language": package.Languages,
        "proficiency": package.Proficiencies,
        "alignment": package.Alignments,
    }
    parents = parents_by_part(records(package.Rules), "subsections")
    found = [
        normalise_rule_entry(
            kind,
            corrected(kind, raw),
            document_key=document_key,
            parent=parents.get(raw["index"]) if kind == "rule-section" else None,
        )
        for kind, module in modules.items()
        for raw in records(module)
    ]
    return tuple(sorted(found, key=lambda record: record.key))


def categories_by_item(lists: Iterable[Raw]) -> dict[str, list[Reference]]:
    """The categories that list each item, by the item's index."""
    found: dict[str, list[Reference]] = {}
    for raw in lists:
        category = category_reference(raw["index"], raw["name"])
        for item in raw["equipment"]:
            found.setdefault(item["index"], []).append(category)
    return found


def parents_by_part(wholes: Iterable[Raw], field: str) -> dict[str, str]:
    """The index of the record that lists each part in `field`, by the part's index."""
    return {part["index"]: whole["index"] for whole in wholes for part in whole.get(field) or ()}
