"""Pure functions that make the derived parts of D&D records from their columns."""

from __future__ import annotations

from dataclasses import dataclass

from sources.dnd.records import Reference


@dataclass(frozen=True, slots=True)
class RecordSource:
    """The work that a record is taken from."""

    name: str
    url: str | None
    licence: str | None
    attribution: str | None


@dataclass(frozen=True, slots=True)
class SpellComponents:
    """What casting a spell takes."""

    text: str
    verbal: bool
    somatic: bool
    material: bool
    materials: str | None
    material_cost: float | None
    material_consumed: bool


@dataclass(frozen=True, slots=True)
class SpellSavingThrow:
    """The save that a spell asks for."""

    ability: Reference
    on_success: str | None


@dataclass(frozen=True, slots=True)
class SpellArea:
    """The area that a spell fills; `size` in feet."""

    shape: str
    size: float | None


@dataclass(frozen=True, slots=True)
class CreatureSpeed:
    """Feet a turn by each way of moving; null where it cannot."""

    walk: int | None
    fly: int | None
    swim: int | None
    climb: int | None
    burrow: int | None
    hover: bool


@dataclass(frozen=True, slots=True)
class CreatureAbilities:
    """The six ability scores."""

    strength: int
    dexterity: int
    constitution: int
    intelligence: int
    wisdom: int
    charisma: int


@dataclass(frozen=True, slots=True)
class CreatureSenses:
    """Reach in feet of each special sense; null without it."""

    darkvision: int | None
    blindsight: int | None
    tremorsense: int | None
    truesight: int | None
    passive_perception: int


def term(key: str) -> Reference:
    """A vocabulary entry from its key: `bonus-action` is named "Bonus Action"."""
    return Reference(key, key.replace("-", " ").title())


def optional_term(key: str | None) -> Reference | None:
    """`term`, or null for an absent key."""
    return None if key is None else term(key)


def terms(keys: tuple[str, ...]) -> list[Reference]:
    """A vocabulary entry for each key."""
    return [term(key) for key in keys]


def casting_time(key: str, text: str) -> Reference:
    """A casting time: its key, and its wording in the document as the name."""
    return Reference(key, text)


def spell_components(
    verbal: bool,
    somatic: bool,
    material: bool,
    materials: str | None,
    cost: float | None,
    consumed: bool,
) -> SpellComponents:
    """The components, with the text that a rulebook prints: `V, S, M (a tiny ball of bat guano and sulfur)`."""
    letters = [letter for letter, has in (("V", verbal), ("S", somatic), ("M", material)) if has]
    text = ", ".join(letters)
    if material and materials:
        text += f" ({materials})"
    return SpellComponents(text, verbal, somatic, material, materials, cost, consumed)


def saving_throw(ability: str | None, on_success: str | None) -> SpellSavingThrow | None:
    """The save, or null when the spell asks for none."""
    return None if ability is None else SpellSavingThrow(term(ability), on_success)


def spell_area(shape: str | None, size: float | None) -> SpellArea | None:
    """The area, or null when the spell fills none."""
    return None if shape is None else SpellArea(shape, size)


_EDITION_NAMES = {"5e-2014": "5e (2014)", "5e-2024": "5e (2024)", "a5e": "Level Up: Advanced 5th Edition"}


def edition(key: str) -> Reference:
    """A rules edition."""
    return Reference(key, _EDITION_NAMES.get(key, key))


def record_source(name: str, url: str | None, licence: str | None, attribution: str | None) -> RecordSource:
    """The work that a record is taken from."""
    return RecordSource(name, url, licence, attribution)
