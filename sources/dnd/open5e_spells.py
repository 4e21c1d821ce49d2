"""A spell of Open5e v2 as our record, attribute by attribute.

Where Open5e's structured fields and its own text differ, the text of the book decides; its quirks (durations in
lower case without "up to", ranges as numbers in two units, prices as texts) are mended here. Open5e has no
subclasses, and its class tags differ from the embedded lists: it puts subclass spells on the class's list and
knows no paladin spells of the SRD 5.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sources.dnd.open5e_recipes import (
    SHARED,
    Recipe,
    Recipes,
    clean,
    decimal,
    flag,
    key_of,
    keys_in,
    name_of,
    number,
    objects,
    text_or_none,
    word,
)
from sources.dnd.parsing import (
    MalformedRecord,
    Raw,
    compact_dice,
    is_consumed,
    parse_asked_save,
    parse_asked_saves,
    parse_damage_dealt,
    parse_material_cost,
    parse_range,
    parse_spell_attack,
    save_success,
)
from sources.dnd.records import LevelDice, Reference
from sources.dnd.vocabulary import ABILITIES, DAMAGE_TYPES, FEET_PER_MILE

SPELL_FIELDS = 33
"""How many top-level fields a spell of Open5e has."""

_NO_DISTANCE = ("sight", "special", "unlimited")
_COUNTED = re.compile(r"(\d+)(minute|hour|day|week)s?")
_DICE_IN_TEXT = re.compile(r"\b\d+d\d+\b")
_HEALS = re.compile(r"\bregains?\b[^.]*\bhit points?\b|\bhit points?\b[^.]*\bregain", re.IGNORECASE)


def _level(raw: Raw) -> int:
    level = number(raw, "level", raw.get("level"))
    if not 0 <= level <= 9:
        raise MalformedRecord(key_of(raw), "level", f"is {level}, not 0 to 9")
    return level


def _casting_time_text(raw: Raw) -> str:
    """The words of a rulebook for a key: `1 bonus action`, `10 minutes`, `1 reaction, which you take when …`."""
    key = clean(raw.get("casting_time"))
    counted = _COUNTED.fullmatch(key)
    if counted:
        plural = "" if int(counted[1]) == 1 else "s"
        return f"{counted[1]} {counted[2]}{plural}"
    text = f"1 {key.replace('-', ' ')}"
    condition = clean(raw.get("reaction_condition"))
    return f"{text}, {condition}" if key == "reaction" and condition else text


def _range(raw: Raw) -> float | None:
    """In feet. The text decides, since the number says 2020 or 0 for what has no distance, and 0.1 for touch."""
    text = clean(raw.get("range_text"))
    distance = parse_range(text)
    if distance is not None or text.lower().startswith(_NO_DISTANCE):
        return distance
    value = decimal(raw.get("range"))
    if value is None or value < 1:
        return None
    return value * FEET_PER_MILE if raw.get("range_unit") == "miles" else value


def _range_unit(raw: Raw) -> str | None:
    return None if _range(raw) is None else "feet"


def _duration(raw: Raw) -> str:
    """As rulebooks print it: `Up to 1 minute` for what needs concentration, `Instantaneous`."""
    text = clean(raw.get("duration"))
    if raw.get("concentration") is True and re.match(r"\d+ (?:round|minute|hour|day)s?\b", text):
        text = f"up to {text}"
    return text[:1].upper() + text[1:]


def _cost(raw: Raw) -> float | None:
    """The price that the materials name; the number beside them only where the text names none."""
    named = parse_material_cost(clean(raw.get("material_specified")))
    return named if named is not None else decimal(raw.get("material_cost")) or None


def _consumed(raw: Raw) -> bool:
    return is_consumed(clean(raw.get("material_specified"))) or raw.get("material_consumed") is True


def _save_ability(raw: Raw) -> str | None:
    ability = clean(raw.get("saving_throw_ability")).lower()
    if ability in ABILITIES.values():
        return ability
    asked = parse_asked_save(clean(raw.get("desc")))
    return asked[0] if asked else None


def _save_success(raw: Raw) -> str | None:
    return None if _save_ability(raw) is None else save_success(clean(raw.get("desc")))


def _all_saves(raw: Raw) -> tuple[str, ...]:
    main = _save_ability(raw)
    return tuple(dict.fromkeys([*([main] if main else []), *parse_asked_saves(clean(raw.get("desc")))]))


def _damage_types(raw: Raw) -> tuple[str, ...]:
    """Those that the text rolls dice for, in its order, then those that only the list names."""
    dealt = parse_damage_dealt(clean(raw.get("desc")))
    listed = (key for key in keys_in(raw, "damage_types") if key in DAMAGE_TYPES)
    return tuple(dict.fromkeys((*dealt, *listed)))


def _heals(raw: Raw) -> bool:
    """Whether its dice count hit points given back: Open5e has one field for both."""
    return not _damage_types(raw) and _HEALS.search(clean(raw.get("desc"))) is not None


def _rolls(raw: Raw, prefix: str, first: int) -> Iterator[LevelDice]:
    """The dice of the spell itself from level `first`, then those of each casting option that names some."""
    base = compact_dice(clean(raw.get("damage_roll")))
    above = []
    for option in objects(raw, "casting_options"):
        kind, dice = clean(option.get("type")), compact_dice(clean(option.get("damage_roll")))
        level = kind.removeprefix(prefix)
        if kind.startswith(prefix) and level.isdecimal() and dice:
            above.append(LevelDice(int(level), dice))
    if above and not base:
        # Some records name the dice of higher levels alone; the text then has the first.
        named = _DICE_IN_TEXT.search(clean(raw.get("desc")))
        base = named[0] if named else ""
    if base:
        yield LevelDice(first, base)
    yield from above


def _ascending(rolls: Iterable[LevelDice]) -> tuple[LevelDice, ...]:
    return tuple(sorted({roll.level: roll for roll in rolls}.values(), key=lambda roll: roll.level))


def _at_slot_level(raw: Raw) -> tuple[LevelDice, ...]:
    level = _level(raw)
    return () if level == 0 else _ascending(_rolls(raw, "slot_level_", level))


def _damage_at_slot_level(raw: Raw) -> tuple[LevelDice, ...]:
    return () if _heals(raw) else _at_slot_level(raw)


def _heal_at_slot_level(raw: Raw) -> tuple[LevelDice, ...]:
    return _at_slot_level(raw) if _heals(raw) else ()


def _damage_at_character_level(raw: Raw) -> tuple[LevelDice, ...]:
    """A cantrip's dice at the levels where they change: Open5e repeats them for each level in between."""
    if _level(raw) > 0 or not _damage_types(raw):
        return ()
    found: list[LevelDice] = []
    for roll in _ascending(_rolls(raw, "player_level_", 1)):
        if not found or found[-1].dice != roll.dice:
            found.append(roll)
    return tuple(found)


def _area_size(raw: Raw) -> int | None:
    size = decimal(raw.get("shape_size"))
    return None if size is None or not clean(raw.get("shape_type")) else int(size)


def _classes(raw: Raw) -> tuple[Reference, ...]:
    return tuple(
        Reference(str(item["key"]), str(item.get("name") or item["key"]))
        for item in objects(raw, "classes")
        if isinstance(item.get("key"), str)
    )


def _text(raw: Raw) -> str:
    """What full text finds a spell by, as in the tables of the local records."""
    parts = [
        name_of(raw),
        *(clean(raw.get(field)) for field in ("desc", "higher_level", "material_specified")),
    ]
    return "\n".join(part for part in parts if part)


_DAMAGE = ("desc", "damage_types", "key")
_DICE = ("desc", "damage_types", "damage_roll", "casting_options", "level", "key")

SPELL_RECIPES: Recipes = {
    **SHARED,
    "level": Recipe(("level", "key"), _level),
    "school": word("school"),
    "casting_time": Recipe(("casting_time",), lambda raw: clean(raw.get("casting_time"))),
    "casting_time_text": Recipe(("casting_time", "reaction_condition"), _casting_time_text),
    "reaction_condition": text_or_none("reaction_condition"),
    "ritual": flag("ritual"),
    "concentration": flag("concentration"),
    "verbal": flag("verbal"),
    "somatic": flag("somatic"),
    "material": flag("material"),
    "material_specified": text_or_none("material_specified"),
    "material_cost": Recipe(("material_specified", "material_cost"), _cost),
    "material_consumed": Recipe(("material_specified", "material_consumed"), _consumed),
    "range_text": Recipe(("range_text",), lambda raw: clean(raw.get("range_text"))),
    "range": Recipe(("range_text", "range", "range_unit"), _range),
    "range_unit": Recipe(("range_text", "range", "range_unit"), _range_unit),
    "duration": Recipe(("duration", "concentration"), _duration),
    "description": Recipe(("desc",), lambda raw: clean(raw.get("desc"))),
    "higher_level": text_or_none("higher_level"),
    "attack_type": Recipe(("desc",), lambda raw: parse_spell_attack(clean(raw.get("desc")))),
    "saving_throw_ability": Recipe(("saving_throw_ability", "desc"), _save_ability),
    "saving_throw_success": Recipe(("saving_throw_ability", "desc"), _save_success),
    "saving_throw_abilities": Recipe(("saving_throw_ability", "desc"), _all_saves),
    "damage_types": Recipe(_DAMAGE, _damage_types),
    "damage_at_slot_level": Recipe(_DICE, _damage_at_slot_level),
    "damage_at_character_level": Recipe(_DICE, _damage_at_character_level),
    "heal_at_slot_level": Recipe(_DICE, _heal_at_slot_level),
    "area_shape": text_or_none("shape_type"),
    "area_size": Recipe(("shape_type", "shape_size"), _area_size),
    "classes": Recipe(("classes",), _classes),
    "subclasses": Recipe(("key",), lambda raw: ()),
    "text": Recipe(("name", "key", "desc", "higher_level", "material_specified"), _text),
}
"""How each attribute of a spell is made."""
