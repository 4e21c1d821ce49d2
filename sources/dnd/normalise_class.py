"""Classes and subclasses of the D&D 5e API record shape as our records, with their features and levels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sources.dnd.normalise_choice import (
    ProficiencyTypes,
    ability_key,
    ability_minimums,
    choices,
    equipment_choices,
    minimums_of_choice,
    proficiencies,
    starting_equipment,
)
from sources.dnd.parsing import (
    MalformedRecord,
    Raw,
    index_of,
    items,
    paragraphs,
    record_name,
    required_integer,
    required_reference,
    required_text,
)
from sources.dnd.records_options import (
    CharacterClass,
    ClassFeature,
    ClassLevel,
    ClassValue,
    GrantedSpell,
    Multiclassing,
    Passage,
    SpellSlots,
    Subclass,
)
from sources.dnd.vocabulary import spell_slug, subclass_slug_and_name

_UNLIMITED = 9999
"""What records write for a number without an end, such as the rages of a 20th-level barbarian."""


def normalise_class(
    raw: Raw,
    types: ProficiencyTypes,
    slots: Sequence[SpellSlots],
    *,
    document_key: str = "srd-2014",
    key_prefix: str = "srd",
) -> CharacterClass:
    """The class of a D&D 5e API detail record; `slots` are the spell slots of its 20th level.

    Raises MalformedRecord when a field is missing that a class cannot do without.
    """
    slug = required_text(raw, "index")
    spellcasting = raw.get("spellcasting") or {}
    return CharacterClass(
        key=f"{key_prefix}_{slug}",
        slug=slug,
        document_key=document_key,
        name=required_text(raw, "name"),
        description=paragraphs(raw.get("desc")),
        hit_die=required_integer(raw, "hit_die"),
        saving_throws=tuple(ability_key(raw, item) for item in items(raw, "saving_throws")),
        primary_abilities=(),
        proficiencies=proficiencies(raw, "proficiencies", types),
        proficiency_choices=choices(raw, "proficiency_choices"),
        starting_equipment=starting_equipment(raw, key_prefix),
        starting_equipment_choices=equipment_choices(raw),
        multiclassing=_multiclassing(raw, types),
        caster_type=caster_type(slots),
        spellcasting_ability=ability_key(raw, spellcasting["spellcasting_ability"]) if spellcasting else None,
        spellcasting_level=required_integer(spellcasting, "level") if spellcasting else None,
        spellcasting=tuple(
            Passage(required_text(item, "name"), paragraphs(item.get("desc")) or "")
            for item in items(spellcasting, "info")
        ),
    )


def caster_type(slots: Sequence[SpellSlots]) -> str:
    """How a class casts, by the spell slots of its 20th level.

    Slots of all nine levels are a full caster's, of five a half caster's (SRD 5.1, "Multiclassing", Spell
    Slots), and slots that are all of one level those of pact magic.
    """
    if not slots:
        return "none"
    if len(slots) == 1:
        return "pact"
    return "full" if slots[-1].level == 9 else "half"


def _multiclassing(raw: Raw, types: ProficiencyTypes) -> Multiclassing:
    multiclassing = raw.get("multi_classing") or {}
    alternatives = multiclassing.get("prerequisite_options")
    return Multiclassing(
        prerequisites=(
            minimums_of_choice(raw, alternatives)
            if alternatives
            else ability_minimums(multiclassing, "prerequisites")
        ),
        any_prerequisite=bool(alternatives),
        proficiencies=proficiencies(multiclassing, "proficiencies", types),
        proficiency_choices=choices(multiclassing, "proficiency_choices"),
    )


def normalise_subclass(
    raw: Raw, *, document_key: str = "srd-2014", key_prefix: str = "srd", class_field: str = "class_"
) -> Subclass:
    """The subclass of a D&D 5e API detail record, under Open5e's slug and full name.

    `class_field` is where the record names its class: the live API writes `class`. Raises MalformedRecord
    when a field is missing that a subclass cannot do without.
    """
    slug, name = subclass_slug_and_name(required_text(raw, "index"), required_text(raw, "name"))
    spells = [_granted(raw, item, key_prefix) for item in items(raw, "spells")]
    return Subclass(
        key=f"{key_prefix}_{slug}",
        slug=slug,
        document_key=document_key,
        name=name,
        description=paragraphs(raw.get("desc")),
        subclass_of=f"{key_prefix}_{required_reference(raw, class_field)['index']}",
        flavor=required_text(raw, "subclass_flavor"),
        granted_spells=tuple(
            sorted(spells, key=lambda spell: (spell.level, spell.name, spell.condition or ""))
        ),
    )


def _granted(raw: Raw, item: Raw, key_prefix: str) -> GrantedSpell:
    level, condition = None, None
    for prerequisite in items(item, "prerequisites"):
        if prerequisite.get("type") == "level":
            level = int(str(prerequisite["index"]).rpartition("-")[2])
        else:
            condition = str(prerequisite["name"])
    if level is None:
        raise MalformedRecord(record_name(raw), "spells", "holds a spell without a level")
    spell = required_reference(item, "spell")
    return GrantedSpell(f"{key_prefix}_{spell_slug(spell['index'])}", spell["name"], level, condition)


def _owner(raw: Raw, key_prefix: str, class_field: str) -> tuple[str, str, str | None]:
    """The keys of the option that a feature or level belongs to, of its class, and of its subclass."""
    class_key = f"{key_prefix}_{required_reference(raw, class_field)['index']}"
    subclass = index_of(raw.get("subclass"))
    if subclass is None:
        return class_key, class_key, None
    subclass_key = f"{key_prefix}_{subclass_slug_and_name(subclass, '')[0]}"
    return subclass_key, class_key, subclass_key


def normalise_class_feature(
    raw: Raw, position: int, names: Mapping[str, str], *, key_prefix: str = "srd", class_field: str = "class_"
) -> ClassFeature:
    """The feature of a D&D 5e API detail record.

    `position` is its place in the document; `names` are those of features and spells by index, which
    prerequisites refer to. Raises MalformedRecord when a field is missing that a feature cannot do without.
    """
    option_key, class_key, subclass_key = _owner(raw, key_prefix, class_field)
    parent = index_of(raw.get("parent"))
    return ClassFeature(
        key=f"{key_prefix}_{required_text(raw, 'index')}",
        option_key=option_key,
        class_key=class_key,
        subclass_key=subclass_key,
        parent_key=f"{key_prefix}_{parent}" if parent else None,
        level=required_integer(raw, "level"),
        position=position,
        name=required_text(raw, "name"),
        description=paragraphs(raw.get("desc")) or "",
        prerequisites=tuple(_prerequisite(item, names) for item in items(raw, "prerequisites")),
    )


def _prerequisite(item: Raw, names: Mapping[str, str]) -> str:
    kind = str(item.get("type"))
    if kind == "level":
        return f"Level {item['level']}"
    index = str(item.get(kind, "")).rpartition("/")[2]
    return f"{names.get(index, index)} {kind}"


def normalise_class_level(raw: Raw, *, key_prefix: str = "srd", class_field: str = "class_") -> ClassLevel:
    """One row of a class's table, of a D&D 5e API level record.

    Raises MalformedRecord when it has no class or level.
    """
    option_key, class_key, _ = _owner(raw, key_prefix, class_field)
    level = required_integer(raw, "level")
    spellcasting = raw.get("spellcasting") or {}
    own = {**(raw.get("class_specific") or {}), **(raw.get("subclass_specific") or {})}
    return ClassLevel(
        key=f"{option_key}_{level}",
        option_key=option_key,
        class_key=class_key,
        level=level,
        proficiency_bonus=raw.get("prof_bonus"),
        ability_score_improvements=raw.get("ability_score_bonuses"),
        spell_slots=spell_slots(spellcasting),
        cantrips_known=spellcasting.get("cantrips_known"),
        spells_known=spellcasting.get("spells_known"),
        class_values=tuple(
            ClassValue(key, _value_name(key), _value(key, value)) for key, value in own.items()
        ),
    )


def spell_slots(spellcasting: Raw) -> tuple[SpellSlots, ...]:
    """The spell slots of a level record, without the levels that have none."""
    found = ((level, spellcasting.get(f"spell_slots_level_{level}")) for level in range(1, 10))
    return tuple(SpellSlots(level, slots) for level, slots in found if slots)


def _value_name(key: str) -> str:
    return re.sub(r"\bCr\b", "CR", re.sub(r"\bMax Lvl\b", "Max Level", key.replace("_", " ").title()))


def _value(key: str, value: Any) -> str:
    """An own value of a class in words: `1d6`, `d8`, `unlimited`, `yes`, `level 1: 2, level 2: 3`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return f"{value['dice_count']}d{value['dice_value']}"
    if isinstance(value, list | tuple):
        costs: Iterable[Raw] = value
        return (
            ", ".join(f"level {cost['spell_slot_level']}: {cost['sorcery_point_cost']}" for cost in costs)
            or "none"
        )
    if value == _UNLIMITED:
        return "unlimited"
    if key.endswith("_die"):
        return f"d{value}" if value else "none"
    return str(value)
