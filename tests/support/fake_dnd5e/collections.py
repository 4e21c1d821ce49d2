"""The collections of an edition: the embedded SRD as the API serves it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import orjson

from tests.support.srd_raw import Raw, srd_raw

_MODULES: Mapping[str, str] = {
    "ability-scores": "AbilityScores",
    "alignments": "Alignments",
    "backgrounds": "Backgrounds",
    "classes": "Classes",
    "conditions": "Conditions",
    "damage-types": "DamageTypes",
    "equipment": "Equipment",
    "equipment-categories": "EquipmentCategories",
    "feats": "Feats",
    "features": "Features",
    "languages": "Languages",
    "magic-items": "MagicItems",
    "magic-schools": "MagicSchools",
    "monsters": "Monsters",
    "proficiencies": "Proficiencies",
    "races": "Races",
    "rule-sections": "RuleSections",
    "rules": "Rules",
    "skills": "Skills",
    "spells": "Spells",
    "subclasses": "Subclasses",
    "subraces": "Subraces",
    "traits": "Traits",
    "weapon-properties": "WeaponProperties",
}
_OF_2014_ALONE = {"races", "subraces", "rule-sections", "rules", "spells"}
_OF_2024_ALONE = {"species", "subspecies", "poisons", "weapon-mastery-properties"}

Collections = dict[str, dict[str, Raw]]
"""Records by collection and index, in the order of the indexes."""


def collections(edition: str) -> Collections:
    """The collections of `2014` or `2024`; of the latter the fake holds the names alone."""
    if edition == "2014":
        return {name: dict(records(name)) for name in _MODULES}
    names = sorted((set(_MODULES) - _OF_2014_ALONE) | _OF_2024_ALONE)
    return {name: {} for name in names}


@cache
def records(collection: str) -> dict[str, Raw]:
    """The records of a collection of 2014."""
    held = [with_edition(raw) for raw in srd_raw(_MODULES[collection])]
    return {raw["index"]: raw for raw in sorted(held, key=lambda raw: str(raw["index"]))}


@cache
def levels() -> tuple[Raw, ...]:
    """The levels of all classes and subclasses."""
    return tuple(with_edition(raw) for raw in srd_raw("Levels"))


def with_edition(raw: Raw) -> Raw:
    """A copy whose links lead to the edition of 2014; the package wrote them before there was another."""
    copy: Raw = orjson.loads(orjson.dumps(raw))
    _lead(copy)
    return copy


def reference(raw: Raw, *, level: bool = False) -> dict[str, Any]:
    """A record as a list shows it; lists of spells add the level."""
    shown = {"index": raw["index"], "name": raw["name"]}
    if level:
        shown["level"] = raw["level"]
    return {**shown, "url": raw["url"]}


def _lead(value: Any) -> None:
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for place, item in list(entries):
        if isinstance(item, dict | list):
            _lead(item)
        elif isinstance(item, str) and item.startswith("/api/"):
            value[place] = f"/api/2014/{item.removeprefix('/api/')}"
