"""Pure functions that make the derived parts of equipment and rules from their columns."""

from __future__ import annotations

from dataclasses import dataclass

from sources.dnd.records import Reference


@dataclass(frozen=True, slots=True)
class WeaponRange:
    """How far a weapon is shot or thrown, in feet."""

    normal: int
    long: int | None


@dataclass(frozen=True, slots=True)
class ArmorClass:
    """The class that armor gives."""

    text: str
    base: int
    dexterity: bool
    max_bonus: int | None


@dataclass(frozen=True, slots=True)
class TravelSpeed:
    """The speed of a mount or vessel."""

    amount: float
    unit: str


@dataclass(frozen=True, slots=True)
class ConditionImmunity:
    """A condition that cannot befall a creature of this document."""

    key: str
    name: str
    document_key: str


def weapon_range(normal: int | None, long: int | None) -> WeaponRange | None:
    """The range, or null for a weapon that is neither shot nor thrown."""
    return None if normal is None else WeaponRange(normal, long)


def armor_class(category: str | None, base: int, dexterity: bool | None, max_bonus: int | None) -> ArmorClass:
    """The class, with the text that a rulebook prints: `14 + Dex modifier (max 2)`; a shield adds `+2`."""
    text = f"+{base}" if category == "shield" else str(base)
    if dexterity:
        text += " + Dex modifier"
        if max_bonus is not None:
            text += f" (max {max_bonus})"
    return ArmorClass(text, base, bool(dexterity), max_bonus)


def travel_speed(amount: float | None, unit: str | None) -> TravelSpeed | None:
    """The speed, or null for what does not move by itself."""
    return None if amount is None or unit is None else TravelSpeed(amount, unit)


def subject(key: str | None, name: str | None) -> Reference | None:
    """What a proficiency is about."""
    return None if key is None or name is None else Reference(key, name)


def condition_immunities(conditions: tuple[Reference, ...], document_key: str) -> list[ConditionImmunity]:
    """The conditions, each with the document that its text is looked for in first."""
    return [ConditionImmunity(item.key, item.name, document_key) for item in conditions]
