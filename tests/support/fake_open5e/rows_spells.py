"""Spells in the upstream's shape, made from our records."""

from __future__ import annotations

from sources.dnd.records import LevelDice, Spell
from tests.support.fake_open5e.corpus import NO_LINKS, Corpus, Row, links, reference

_UNIT_OF_RANGE = {"Sight": (2020, "feet"), "Special": (0, "feet"), "Unlimited": (999_999, "miles")}
"""What the upstream writes where there is no distance."""


def add_spells(corpus: Corpus, spells: tuple[Spell, ...]) -> None:
    """Adds the spells of the SRD 5.1."""
    for spell in spells:
        corpus.add(
            "spells", spell_row(spell, corpus.document_object(spell.document_key)), document="srd-2014"
        )


def spell_row(spell: Spell, document: Row) -> Row:
    """The spell as `/v2/spells/` answers it."""
    distance, unit = _range(spell)
    save = spell.saving_throw_ability
    base = next((dice.dice for dice in _damage(spell) if dice.level <= max(spell.level, 1)), "")
    return {
        "key": spell.key,
        "document": document,
        "casting_options": _casting_options(spell),
        "school": reference(spell.school),
        "classes": [
            {"name": item.name, "key": item.key} for item in sorted(spell.classes, key=lambda item: item.key)
        ],
        "range_unit": unit,
        "shape_size_unit": "feet",
        "name": spell.name,
        "desc": spell.description,
        "level": spell.level,
        "higher_level": spell.higher_level or "",
        "target_type": _target(spell),
        "range_text": spell.range_text,
        "range": distance,
        "ritual": spell.ritual,
        "casting_time": spell.casting_time,
        "reaction_condition": spell.reaction_condition,
        "verbal": spell.verbal,
        "somatic": spell.somatic,
        "material": spell.material,
        "material_specified": spell.material_specified or "",
        "material_cost": None if spell.material_cost is None else f"{spell.material_cost:.2f}",
        "material_consumed": spell.material_consumed,
        "target_count": 1,
        "saving_throw_ability": save or "",
        "attack_roll": spell.attack_type is not None,
        "damage_roll": base,
        "damage_types": list(spell.damage_types),
        "duration": spell.duration.removeprefix("Up to ").lower(),
        "shape_type": spell.area_shape,
        "shape_size": spell.area_size,
        "concentration": spell.concentration,
        "crossreferences": links((save.title(), f"/v2/abilities/{save}/")) if save else dict(NO_LINKS),
    }


def _range(spell: Spell) -> tuple[int, str]:
    if spell.range is None:
        return _UNIT_OF_RANGE.get(spell.range_text, (0, "feet"))
    if "mile" in spell.range_text:
        return int(spell.range // 5280), "miles"
    return int(spell.range), "feet"


def _target(spell: Spell) -> str:
    if spell.area_shape is None:
        return "creature"
    return "point" if spell.range else "area"


def _damage(spell: Spell) -> tuple[LevelDice, ...]:
    return spell.damage_at_slot_level or spell.damage_at_character_level


def _casting_options(spell: Spell) -> list[Row]:
    options = [_option("default")]
    if spell.ritual:
        options.append(_option("ritual"))
    options += [
        _option(f"slot_level_{dice.level}", dice.dice)
        for dice in spell.damage_at_slot_level
        if dice.level > spell.level
    ]
    options += [
        _option(f"player_level_{dice.level}", dice.dice)
        for dice in spell.damage_at_character_level
        if dice.level > 1
    ]
    return options


def _option(kind: str, damage_roll: str | None = None) -> Row:
    nothing = ("target_count", "duration", "range", "concentration", "shape_size", "desc")
    return {"type": kind, "damage_roll": damage_roll, **dict.fromkeys(nothing)}
