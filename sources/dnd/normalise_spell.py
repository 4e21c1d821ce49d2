"""A spell of the D&D 5e API record shape as our record."""

from __future__ import annotations

from collections.abc import Mapping

from sources.dnd.parsing import (
    MalformedRecord,
    Raw,
    compact_dice,
    index_of,
    is_consumed,
    items,
    paragraphs,
    parse_asked_save,
    parse_asked_saves,
    parse_casting_time,
    parse_damage_dealt,
    parse_material_cost,
    parse_range,
    parse_spell_attack,
    record_name,
    required_integer,
    required_reference,
    required_text,
)
from sources.dnd.records import LevelDice, Reference, Spell
from sources.dnd.vocabulary import ABILITIES, spell_slug, subclass_slug_and_name


def normalise_spell(raw: Raw, *, document_key: str = "srd-2014", key_prefix: str = "srd") -> Spell:
    """The spell of a D&D 5e API detail record, as the API answers it or as an embedded copy holds it.

    What the record leaves out is read from its own text: the saving throw that it asks for, the kind of spell
    attack, further damage types. Raises MalformedRecord when a field is missing that a spell cannot do
    without.
    """
    slug = spell_slug(required_text(raw, "index"))
    level = required_integer(raw, "level")
    if not 0 <= level <= 9:
        raise MalformedRecord(record_name(raw), "level", f"is {level}, not 0 to 9")
    description = paragraphs(raw.get("desc"))
    if description is None:
        raise MalformedRecord(record_name(raw), "desc", "is missing or empty")
    casting_time_text = required_text(raw, "casting_time")
    casting_time, reaction_condition = parse_casting_time(casting_time_text)
    range_text = required_text(raw, "range")
    distance = parse_range(range_text)
    components = {str(component).upper() for component in items(raw, "components")}
    material_specified = paragraphs(raw.get("material"))
    damage = _mapping(raw, "damage")
    ability, success = _saving_throw(raw, description)
    area = _mapping(raw, "area_of_effect")
    return Spell(
        key=f"{key_prefix}_{slug}",
        slug=slug,
        document_key=document_key,
        name=required_text(raw, "name"),
        level=level,
        school=str(required_reference(raw, "school")["index"]).lower(),
        casting_time=casting_time,
        casting_time_text=casting_time_text,
        reaction_condition=reaction_condition,
        ritual=bool(raw.get("ritual", False)),
        concentration=bool(raw.get("concentration", False)),
        verbal="V" in components,
        somatic="S" in components,
        material="M" in components,
        material_specified=material_specified,
        material_cost=parse_material_cost(material_specified),
        material_consumed=is_consumed(material_specified),
        range_text=range_text,
        range=distance,
        range_unit=None if distance is None else "feet",
        duration=required_text(raw, "duration"),
        description=description,
        higher_level=paragraphs(raw.get("higher_level")),
        attack_type=raw.get("attack_type") or parse_spell_attack(description),
        saving_throw_ability=ability,
        saving_throw_success=success,
        saving_throw_abilities=_all_saves(ability, description),
        damage_types=_damage_types(damage, description),
        damage_at_slot_level=_by_level(raw, damage.get("damage_at_slot_level"), "damage_at_slot_level"),
        damage_at_character_level=_by_level(
            raw, damage.get("damage_at_character_level"), "damage_at_character_level"
        ),
        heal_at_slot_level=_by_level(raw, raw.get("heal_at_slot_level"), "heal_at_slot_level"),
        area_shape=area.get("type"),
        area_size=required_integer(area, "size") if area else None,
        classes=tuple(
            Reference(f"{key_prefix}_{item['index']}", item["name"]) for item in _references(raw, "classes")
        ),
        subclasses=tuple(_subclass(item, key_prefix) for item in _references(raw, "subclasses")),
    )


def _mapping(raw: Raw, field: str) -> Raw:
    value = raw.get(field)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise MalformedRecord(record_name(raw), field, "is not an object")
    return value


def _references(raw: Raw, field: str) -> list[Raw]:
    """The references at `field` that can be pointed to, in the order of the record."""
    return [item for item in items(raw, field) if index_of(item) is not None and "name" in item]


def _subclass(item: Raw, key_prefix: str) -> Reference:
    slug, name = subclass_slug_and_name(item["index"], item["name"])
    return Reference(f"{key_prefix}_{slug}", name)


def _damage_types(damage: Raw, description: str) -> tuple[str, ...]:
    main = index_of(damage.get("damage_type"))
    return tuple(dict.fromkeys([*([main] if main else []), *parse_damage_dealt(description)]))


def _saving_throw(raw: Raw, description: str) -> tuple[str | None, str | None]:
    dc = _mapping(raw, "dc")
    ability = ABILITIES.get(index_of(dc.get("dc_type")) or "")
    if ability is not None:
        return ability, str(dc.get("dc_success") or "none")
    return parse_asked_save(description) or (None, None)


def _all_saves(main: str | None, description: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*([main] if main else []), *parse_asked_saves(description)]))


def _by_level(raw: Raw, table: object, field: str) -> tuple[LevelDice, ...]:
    if table is None:
        return ()
    if not isinstance(table, Mapping) or not all(str(level).isdecimal() for level in table):
        raise MalformedRecord(record_name(raw), field, "is not a table of dice by level")
    return tuple(LevelDice(level, dice) for level, dice in sorted(_rows(table)))


def _rows(table: Mapping[object, object]) -> list[tuple[int, str]]:
    return [(int(str(level)), compact_dice(str(dice))) for level, dice in table.items()]
