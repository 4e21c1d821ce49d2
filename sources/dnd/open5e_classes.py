"""A class or subclass of Open5e v2 as our record, attribute by attribute.

One list holds both. Open5e says nothing of multiclassing, of what a class calls its subclasses, nor of the
spells that a subclass adds: those are null. Equipment stands in words, and proficiencies are read from them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sources.dnd.normalise_class import caster_type as caster_type_by_slots
from sources.dnd.open5e_class_table import class_features, class_levels, passage, slots_at_last_level
from sources.dnd.open5e_recipes import (
    SHARED,
    Recipe,
    Recipes,
    clean,
    key_of,
    objects,
    text_or_none,
)
from sources.dnd.open5e_wording import abilities_in, proficiencies_of, sections
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records_options import Choice, Passage, Proficiency
from sources.dnd.vocabulary import ABILITIES

CLASS_FIELDS = 12
"""How many top-level fields a class of Open5e has; its features are most of a record's bytes."""

_SORTS = {"armor": "Armor", "weapon": "Weapons", "tool": "Tools", "skill": "Skills"}
_LABELLED = re.compile(r"^\*\*([^*]+?):?\*\*:?[ \t]*(.+)$|^\|([^|\n]+)\|([^|\n]+)\|[ \t]*$", re.MULTILINE)
_SPELL_FEATURES = ("spellcasting", "pact magic")
_SPELL_ABILITY = re.compile(
    rf"\b({'|'.join(ABILITIES.values())}) is (?:your|the) spellcasting ability", re.IGNORECASE
)


def kind_of(raw: Raw) -> str:
    """`class` or `subclass`."""
    return "subclass" if subclass_of(raw) else "class"


def subclass_of(raw: Raw) -> str | None:
    """The key of the class of a subclass; null for a class."""
    parent = raw.get("subclass_of")
    if parent is None:
        return None
    key = parent.get("key") if isinstance(parent, Mapping) else parent
    if not isinstance(key, str) or not key:
        raise MalformedRecord(key_of(raw), "subclass_of", "is no reference to a class")
    return key


def _of_class(recipe: Recipe) -> Recipe:
    """An attribute of classes alone; null for a subclass."""

    def make(raw: Raw) -> object:
        return None if subclass_of(raw) else recipe.make(raw)

    return Recipe((*recipe.fields, "key", "subclass_of"), make, recipe.document)


def _hit_die(raw: Raw) -> int | None:
    text = clean(raw.get("hit_dice"))
    if not text:
        return None
    match = re.fullmatch(r"(?:1)?d(\d+)", text, re.IGNORECASE)
    if match is None:
        raise MalformedRecord(key_of(raw), "hit_dice", "is not a die")
    return int(match[1])


def _ability_names(raw: Raw, field: str) -> tuple[str, ...]:
    names = (clean(item.get("name")).lower() for item in objects(raw, field))
    return tuple(dict.fromkeys(name for name in names if name in ABILITIES.values()))


def _primary_abilities(raw: Raw) -> tuple[str, ...]:
    """As listed; else as the table of core traits names them."""
    listed = _ability_names(raw, "primary_abilities")
    return listed or abilities_in(_traits(raw).get("primary ability", ""))


def _traits(raw: Raw) -> dict[str, str]:
    """The lines `**Armor:** Light armor`, or the rows `|Armor Training|None|`, by label in lower case."""
    text = passage(raw, "PROFICIENCIES", "CORE_TRAITS_TABLE")
    found = {}
    for match in _LABELLED.finditer(text):
        label, value = (match[1], match[2]) if match[1] else (match[3], match[4])
        found[label.strip().lower()] = value.strip()
    return found


def _trained(raw: Raw) -> list[tuple[tuple[Proficiency, ...], Choice | None]]:
    traits = _traits(raw)
    return [
        proficiencies_of(text, sort)
        for word, sort in _SORTS.items()
        for label, text in traits.items()
        if label.startswith(word)
    ]


def _proficiencies(raw: Raw) -> tuple[Proficiency, ...]:
    return tuple(dict.fromkeys(one for fixed, _ in _trained(raw) for one in fixed))


def _proficiency_choices(raw: Raw) -> tuple[Choice, ...]:
    return tuple(choice for _, choice in _trained(raw) if choice is not None)


def _equipment(raw: Raw) -> tuple[str, ...]:
    """The points of the list of starting equipment, in its words; its whole text where it has no points."""
    text = re.sub(r"\(\*(\w)\*\)", r"(\1)", passage(raw, "STARTING_EQUIPMENT"))
    points = [match.strip() for match in re.findall(r"^[*-][ \t]+(.+)$", text, re.MULTILINE)]
    if points:
        return tuple(points)
    whole = text or _traits(raw).get("starting equipment", "")
    return (whole,) if whole else ()


def _caster_type(raw: Raw) -> str | None:
    """As Open5e says; where it does not, by the slots of the table; null without a table."""
    said = clean(raw.get("caster_type")).lower()
    if said:
        return said
    slots = slots_at_last_level(raw)
    return None if slots is None else caster_type_by_slots(slots)


def _spell_feature(raw: Raw) -> Raw:
    """The feature that gives a class its spells; empty for a class without."""
    found = (one for one in objects(raw, "features") if clean(one.get("name")).lower() in _SPELL_FEATURES)
    return next(found, {})


def _spellcasting_ability(raw: Raw) -> str | None:
    match = _SPELL_ABILITY.search(clean(_spell_feature(raw).get("desc")))
    return match[1].lower() if match else None


def _spellcasting_level(raw: Raw) -> int | None:
    one = _spell_feature(raw)
    if not one:
        return None
    key = clean(one.get("key"))
    return min((feature.level for feature in class_features(raw) if feature.key == key), default=None)


def _spellcasting(raw: Raw) -> tuple[Passage, ...]:
    one = _spell_feature(raw)
    if not one:
        return ()
    before, parts = sections(clean(one.get("desc")))
    first = [Passage(clean(one.get("name")), before)] if before else []
    return (*first, *(Passage(name, text) for name, text in parts))


_FEATURES = ("features", "key", "subclass_of")

CLASS_RECIPES: Recipes = {
    **SHARED,
    "kind": Recipe(("key", "subclass_of"), kind_of),
    "description": text_or_none("desc"),
    "is_subclass": Recipe(("key", "subclass_of"), lambda raw: subclass_of(raw) is not None),
    "hit_die": _of_class(Recipe(("hit_dice",), _hit_die)),
    "saving_throws": _of_class(Recipe(("saving_throws",), lambda raw: _ability_names(raw, "saving_throws"))),
    "primary_abilities": _of_class(Recipe(("primary_abilities", "features"), _primary_abilities)),
    "proficiencies": _of_class(Recipe(("features",), _proficiencies)),
    "proficiency_choices": _of_class(Recipe(("features",), _proficiency_choices)),
    "starting_equipment": _of_class(Recipe((), lambda raw: ())),
    "starting_equipment_choices": _of_class(Recipe(("features",), _equipment)),
    "multiclassing": Recipe((), lambda raw: None),
    "caster_type": _of_class(Recipe(("caster_type", "features"), _caster_type)),
    "spellcasting_ability": _of_class(Recipe(("features",), _spellcasting_ability)),
    "spellcasting_level": _of_class(Recipe(("features",), _spellcasting_level)),
    "spellcasting": _of_class(Recipe(("features",), _spellcasting)),
    "subclass_of": Recipe(("key", "subclass_of"), subclass_of),
    "flavor": Recipe((), lambda raw: None),
    "granted_spells": Recipe((), lambda raw: None),
    "class_features": Recipe(_FEATURES, class_features),
    "class_levels": Recipe(_FEATURES, class_levels),
}
"""How each attribute of a class or subclass is made; `class_features` and `class_levels` are what belongs to it."""
