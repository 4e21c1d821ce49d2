"""A species or subspecies of Open5e v2 as our record, attribute by attribute, and its traits.

Open5e has everything as named traits. Those that another attribute holds word by word (size, age, alignment,
languages) are no traits of ours; the increase of ability scores and the speed are read, and stay traits, since
their sentences say more. A subspecies has the size and the speed of its species, whose row must stand in it as
`PARENT`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sources.dnd.open5e_recipes import (
    SHARED,
    Recipe,
    Recipes,
    clean,
    decimal,
    key_of,
    name_of,
    objects,
    text_or_none,
)
from sources.dnd.open5e_wording import ability_bonuses, languages, slug
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records import Reference
from sources.dnd.records_options import AbilityBonus, Choice, SpeciesTrait, SpeciesTraits

SPECIES_FIELDS = 8
"""How many top-level fields a species of Open5e has."""

PARENT = "parent_row"
"""Where the row of a subspecies holds that of its species: put there by who reads it, never by the upstream."""

INHERITED = ("size", "speed")
"""The attributes of a subspecies that its species has."""

_SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
_HELD_ELSEWHERE = frozenset({"size", "age", "alignment", "languages"})
_SIZE = re.compile(rf"\b({'|'.join(_SIZES)})\b", re.IGNORECASE)
_YOUR_SIZE = re.compile(rf"\bsize is ({'|'.join(_SIZES)})\b", re.IGNORECASE)
_SPEED = re.compile(r"\b(\d+)[ -](?:feet|foot|ft)\b", re.IGNORECASE)


def subspecies_of(raw: Raw) -> str | None:
    """The key of the species of a subspecies; null for a species of its own."""
    parent = raw.get("subspecies_of")
    if isinstance(parent, Mapping):
        parent = parent.get("key")
    if parent is not None and (not isinstance(parent, str) or not parent):
        raise MalformedRecord(key_of(raw), "subspecies_of", "is no reference to a species")
    return parent


def species_traits(raw: Raw) -> tuple[SpeciesTrait, ...]:
    """The traits of a species, in its order. Open5e gives them no keys: they are made of the trait's name.

    Raises MalformedRecord for a trait without a name.
    """
    species_key = key_of(raw)
    species = (Reference(species_key, name_of(raw)),)
    found: dict[str, SpeciesTrait] = {}
    for trait in _ordered(raw):
        name = clean(trait.get("name"))
        if not name:
            raise MalformedRecord(species_key, "traits", "holds a trait without a name")
        if name.lower() in _HELD_ELSEWHERE:
            continue
        key = f"{species_key}_{slug(name)}"
        key = key if key not in found else f"{key}-{len(found) + 1}"
        found[key] = SpeciesTrait(
            key=key,
            name=name,
            description=clean(trait.get("desc")),
            position=len(found),
            species=species,
            parent_key=None,
            proficiencies=(),
            choice=None,
            detail=None,
        )
    return tuple(found.values())


def species_trait_links(raw: Raw) -> SpeciesTraits:
    """Which traits a species has, in its order. Raises as `species_traits` does."""
    return SpeciesTraits(key_of(raw), tuple(trait.key for trait in species_traits(raw)))


def _ordered(raw: Raw) -> list[Raw]:
    return sorted(objects(raw, "traits"), key=lambda trait: decimal(trait.get("order")) or 0)


def _said(raw: Raw, name: str) -> str:
    """The text of the trait of this name; empty without one."""
    for trait in objects(raw, "traits"):
        if clean(trait.get("name")).lower() == name:
            return clean(trait.get("desc"))
    return ""


def _parent(raw: Raw) -> Raw:
    parent = raw.get(PARENT)
    return parent if isinstance(parent, Mapping) else {}


def _size(raw: Raw) -> str | None:
    """The size that the text ends with; of several to choose from the first that it names."""
    text = _said(raw, "size") or _said(_parent(raw), "size")
    match = _YOUR_SIZE.search(text) or _SIZE.search(text)
    return match[1].lower() if match else None


def _speed(raw: Raw) -> int | None:
    match = _SPEED.search(_said(raw, "speed") or _said(_parent(raw), "speed"))
    return int(match[1]) if match else None


def _bonuses(raw: Raw) -> tuple[tuple[AbilityBonus, ...], Choice | None]:
    return ability_bonuses(_said(raw, "ability score increase"))


def _words(name: str) -> Recipe:
    return Recipe(("traits",), lambda raw: _said(raw, name) or None)


_OWN = ("traits", "subspecies_of", "key")

SPECIES_RECIPES: Recipes = {
    **SHARED,
    "kind": Recipe((), lambda raw: "species"),
    "description": text_or_none("desc"),
    "is_subspecies": Recipe(("subspecies_of", "key"), lambda raw: subspecies_of(raw) is not None),
    "subspecies_of": Recipe(("subspecies_of", "key"), subspecies_of),
    "size": Recipe(_OWN, _size),
    "size_description": _words("size"),
    "speed": Recipe(_OWN, _speed),
    "ability_bonuses": Recipe(("traits",), lambda raw: _bonuses(raw)[0]),
    "ability_bonus_choice": Recipe(("traits",), lambda raw: _bonuses(raw)[1]),
    "age": _words("age"),
    "alignment": _words("alignment"),
    "languages": Recipe(("traits",), lambda raw: languages(_said(raw, "languages"))[0]),
    "language_description": _words("languages"),
    "language_choice": Recipe(("traits",), lambda raw: languages(_said(raw, "languages"))[1]),
    "proficiencies": Recipe((), lambda raw: ()),
    "proficiency_choices": Recipe((), lambda raw: ()),
    "species_traits": Recipe(("traits", "name", "key"), species_traits),
}
"""How each attribute of a species is made; `species_traits` are its traits."""
