"""Features and levels of a class or subclass of Open5e v2 as our records.

Open5e keeps both in one list: what is gained at levels (`gained_at`), the columns of the class table
(`data_for_class_table`), and passages of the class's text that have neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from sources.dnd.open5e_recipes import clean, key_of, mapping, objects
from sources.dnd.open5e_wording import slug
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records_options import ClassFeature, ClassLevel, ClassValue, SpellSlots

LAST_LEVEL = 20

_PASSAGES = frozenset({"PROFICIENCIES", "STARTING_EQUIPMENT", "CORE_TRAITS_TABLE"})
"""Features that other attributes of a class are made of."""
_SLOT_COLUMN = re.compile(r"\b([1-9])(?:st|nd|rd|th)\b", re.IGNORECASE)
_LEVEL_IN_TEXT = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)[- ]level\b|\blevel (\d{1,2})\b", re.IGNORECASE)
_IMPROVEMENT = "ability score improvement"


def owner_of(raw: Raw) -> tuple[str, str | None]:
    """The keys of the class that a row belongs to, and of the subclass that it is; null for a class."""
    parent = mapping(raw, "subclass_of").get("key")
    key = key_of(raw)
    return (parent, key) if isinstance(parent, str) and parent else (key, None)


def class_features(raw: Raw) -> tuple[ClassFeature, ...]:
    """What a class or subclass gives, once for each level at which it does.

    The first of several levels has the feature's own key, the others the level behind it. A passage that names
    no level stands at the level that its text speaks of, else where the class or subclass begins. Raises
    MalformedRecord for a feature without key or name, or a level beyond 20.
    """
    class_key, subclass_key = owner_of(raw)
    begins = min((level for one in _gained(raw) for level, _ in _levels(raw, one)), default=1)
    found: dict[str, ClassFeature] = {}
    for position, one in enumerate(_gained(raw)):
        key, name, description = _text(raw, one, "key"), _text(raw, one, "name"), clean(one.get("desc"))
        at = _levels(raw, one) or [(_level_told(description) or (begins if subclass_key else 1), "")]
        for number, (level, detail) in enumerate(at):
            own = f"{key}_{level}" if number else key
            found[own] = ClassFeature(
                key=own,
                option_key=subclass_key or class_key,
                class_key=class_key,
                subclass_key=subclass_key,
                parent_key=None,
                level=level,
                position=position,
                name=f"{name} ({detail})" if detail else name,
                description=description,
                prerequisites=(),
            )
    return tuple(found.values())


def class_levels(raw: Raw) -> tuple[ClassLevel, ...]:
    """The table of a class, or of what a subclass adds to it; of a subclass the levels that give something.

    Raises MalformedRecord as `class_features` does.
    """
    _, subclass_key = owner_of(raw)
    read = ((one, _column(raw, one)) for one in objects(raw, "features"))
    columns = [(one, column) for one, column in read if column]
    gained = [(_text(raw, one, "name"), [level for level, _ in _levels(raw, one)]) for one in _gained(raw)]
    levels = {level for _, column in columns for level in column}
    levels |= {level for _, at in gained for level in at}
    if subclass_key is None and columns:
        levels = set(range(1, LAST_LEVEL + 1))
    improvements = next((at for name, at in gained if name.lower() == _IMPROVEMENT), None)
    return tuple(
        _class_level(raw, level, columns, improvements if subclass_key is None else None)
        for level in sorted(levels)
    )


def slots_at_last_level(raw: Raw) -> tuple[SpellSlots, ...] | None:
    """The spell slots of the last row of a class's table; null where there is no table."""
    levels = class_levels(raw)
    return levels[-1].spell_slots if levels and levels[-1].level == LAST_LEVEL else None


def passage(raw: Raw, *kinds: str) -> str:
    """The text of the feature of one of `kinds` (`PROFICIENCIES`); empty without one."""
    found = (clean(one.get("desc")) for one in objects(raw, "features") if one.get("feature_type") in kinds)
    return next((text for text in found if text), "")


def _class_level(
    raw: Raw, level: int, columns: Sequence[tuple[Raw, Mapping[int, str]]], improvements: list[int] | None
) -> ClassLevel:
    class_key, subclass_key = owner_of(raw)
    option_key = subclass_key or class_key
    bonus: int | None = None
    cantrips: int | None = None
    known: int | None = None
    slots: dict[int, int] = {}
    values: list[ClassValue] = []
    for one, column in columns:
        name, value = _text(raw, one, "name"), column.get(level, "")
        if not value:
            continue
        slot = _SLOT_COLUMN.search(name)
        match name.lower():
            case label if one.get("feature_type") == "PROFICIENCY_BONUS" or label == "proficiency bonus":
                bonus = _number(value)
            case _ if slot is not None and one.get("feature_type") == "SPELL_SLOTS":
                slots[int(slot[1])] = _number(value) or 0
            case "cantrips known" | "cantrips" if _number(value) is not None:
                cantrips = _number(value)
            case "spells known" if _number(value) is not None:
                known = _number(value)
            case _:
                values.append(ClassValue(slug(name).replace("-", "_"), name, value))
    slots |= _pact_slots(values)
    return ClassLevel(
        key=f"{option_key}_{level}",
        option_key=option_key,
        class_key=class_key,
        level=level,
        proficiency_bonus=bonus,
        ability_score_improvements=(
            None if improvements is None else sum(at <= level for at in improvements)
        ),
        spell_slots=tuple(SpellSlots(at, count) for at, count in sorted(slots.items()) if count),
        cantrips_known=cantrips,
        spells_known=known,
        class_values=tuple(values),
    )


def _pact_slots(values: list[ClassValue]) -> dict[int, int]:
    """Slots that are all of one level: a column for their number, and one for their level."""
    by_key = {value.key: value.value for value in values}
    level, count = by_key.get("slot_level"), by_key.get("spell_slots")
    if level is None or count is None:
        return {}
    at, number = re.match(r"\d", level), _number(count)
    return {int(at[0]): number} if at is not None and number else {}


def _gained(raw: Raw) -> Iterator[Raw]:
    """The features that are gained, and passages of the text; no columns and no lists of proficiencies."""
    for one in objects(raw, "features"):
        if one.get("feature_type") not in _PASSAGES and not objects(one, "data_for_class_table"):
            yield one


def _levels(owner: Raw, one: Raw) -> list[tuple[int, str]]:
    """The levels at which a feature is gained, ascending, each with what the level makes of it (`2 dice`)."""
    found: dict[int, str] = {}
    for at in objects(one, "gained_at"):
        found[_level(owner, at)] = clean(at.get("detail"))
    return sorted(found.items())


def _column(owner: Raw, one: Raw) -> dict[int, str]:
    """The entries of a column of the class table, by level; of two for one level the greater number.

    Open5e has the second level's slots of its wizard's fourth level twice, as 2 and as 3.
    """
    found: dict[int, str] = {}
    for entry in objects(one, "data_for_class_table"):
        level, value = _level(owner, entry), clean(entry.get("column_value"))
        known, number = _number(found.get(level, "")), _number(value)
        if known is None or number is None or number > known:
            found[level] = value
    return {level: value for level, value in found.items() if value.strip("-–— ")}


def _level(owner: Raw, entry: Raw) -> int:
    level = entry.get("level")
    if isinstance(level, bool) or not isinstance(level, int) or not 1 <= level <= LAST_LEVEL:
        raise MalformedRecord(key_of(owner), "features", f"names the level {level!r}, not 1 to {LAST_LEVEL}")
    return level


def _level_told(description: str) -> int | None:
    match = _LEVEL_IN_TEXT.search(description[:200])
    level = int(match[1] or match[2]) if match else 0
    return level if 1 <= level <= LAST_LEVEL else None


def _text(owner: Raw, one: Raw, field: str) -> str:
    text = clean(one.get(field))
    if not text:
        raise MalformedRecord(key_of(owner), "features", f"holds a feature without a {field}")
    return text


@lru_cache(maxsize=512)
def _number(text: str) -> int | None:
    match = re.fullmatch(r"\+?(\d+)", text.strip())
    return int(match[1]) if match else None
