"""The fixed words and tables of fifth edition rules, and how the two public data sets name the same thing."""

from __future__ import annotations

from collections.abc import Mapping

ABILITIES: Mapping[str, str] = {
    "str": "strength",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence",
    "wis": "wisdom",
    "cha": "charisma",
}
"""Ability keys by the abbreviation that the D&D 5e API uses, in the order of a stat block."""

DAMAGE_TYPES: tuple[str, ...] = (
    "acid",
    "bludgeoning",
    "cold",
    "fire",
    "force",
    "lightning",
    "necrotic",
    "piercing",
    "poison",
    "psychic",
    "radiant",
    "slashing",
    "thunder",
)

ALIGNMENTS: tuple[str, ...] = (
    "lawful-good",
    "neutral-good",
    "chaotic-good",
    "lawful-neutral",
    "neutral",
    "chaotic-neutral",
    "lawful-evil",
    "neutral-evil",
    "chaotic-evil",
)
"""The nine alignments; a creature without one is `unaligned`."""

EXPERIENCE_POINTS: Mapping[float, int] = {
    0.125: 25,
    0.25: 50,
    0.5: 100,
    1: 200,
    2: 450,
    3: 700,
    4: 1_100,
    5: 1_800,
    6: 2_300,
    7: 2_900,
    8: 3_900,
    9: 5_000,
    10: 5_900,
    11: 7_200,
    12: 8_400,
    13: 10_000,
    14: 11_500,
    15: 13_000,
    16: 15_000,
    17: 18_000,
    18: 20_000,
    19: 22_000,
    20: 25_000,
    21: 33_000,
    22: 41_000,
    23: 50_000,
    24: 62_000,
    25: 75_000,
    26: 90_000,
    27: 105_000,
    28: 120_000,
    29: 135_000,
    30: 155_000,
}
"""Experience points by challenge rating (SRD 5.1, "Monsters", Experience Points). At rating 0 the table gives
10 to a creature that can attack and 0 to one that cannot, so the record decides there."""

FEET_PER_MILE = 5280


def proficiency_bonus(challenge_rating: float) -> int:
    """The proficiency bonus of a creature (SRD 5.1, "Monsters", Proficiency Bonus by Challenge Rating)."""
    return 2 if challenge_rating < 5 else 2 + (int(challenge_rating) - 1) // 4


def ability_modifier(score: int) -> int:
    """What an ability score adds to a roll."""
    return (score - 10) // 2


_SPELL_SLUGS: Mapping[str, str] = {
    "antipathy-sympathy": "antipathysympathy",
    "blindness-deafness": "blindnessdeafness",
    "enlarge-reduce": "enlargereduce",
}

_CREATURE_SLUGS: Mapping[str, str] = {
    "succubus-incubus": "succubusincubus",
    # One stat block with several forms there is one record a form here: the main form is the same thing.
    "vampire-vampire": "vampire",
    "werebear-human": "werebear",
    "wereboar-human": "wereboar",
    "wererat-human": "wererat",
    "weretiger-human": "weretiger",
    "werewolf-human": "werewolf",
}

_SPECIES_SLUGS: Mapping[str, str] = {"lightfoot-halfling": "lightfoot"}

_SUBCLASSES: Mapping[str, tuple[str, str]] = {
    "berserker": ("path-of-the-berserker", "Path of the Berserker"),
    "devotion": ("oath-of-devotion", "Oath of Devotion"),
    "draconic": ("draconic-bloodline", "Draconic Bloodline"),
    "evocation": ("school-of-evocation", "School of Evocation"),
    "fiend": ("the-fiend", "The Fiend"),
    "land": ("circle-of-the-land", "Circle of the Land"),
    "life": ("life-domain", "Life Domain"),
    "lore": ("college-of-lore", "College of Lore"),
    "open-hand": ("way-of-the-open-hand", "Way of the Open Hand"),
}


def spell_slug(index: str) -> str:
    """Open5e's slug of the spell that the D&D 5e API calls `index`; a slug of Open5e stays itself."""
    return _SPELL_SLUGS.get(index, index)


def creature_slug(index: str) -> str:
    """Open5e's slug of the creature that the D&D 5e API calls `index`, and `index` where Open5e has none."""
    return _CREATURE_SLUGS.get(index, index)


def subclass_slug_and_name(index: str, name: str) -> tuple[str, str]:
    """Open5e's slug and full name of a subclass; the D&D 5e API shortens both (`lore`, "Lore")."""
    return _SUBCLASSES.get(index, (index, name))


def species_slug(index: str) -> str:
    """Open5e's slug of the race or subrace that the D&D 5e API calls `index`."""
    return _SPECIES_SLUGS.get(index, index)


def _back(slugs: Mapping[str, str]) -> Mapping[str, str]:
    return {slug: index for index, slug in slugs.items()}


_SPELL_INDEXES, _CREATURE_INDEXES = _back(_SPELL_SLUGS), _back(_CREATURE_SLUGS)
_SPECIES_INDEXES = _back(_SPECIES_SLUGS)
_SUBCLASS_INDEXES = {slug: index for index, (slug, _) in _SUBCLASSES.items()}


def spell_index(slug: str) -> str:
    """What the D&D 5e API calls the spell of Open5e's `slug`: the way back from `spell_slug`."""
    return _SPELL_INDEXES.get(slug, slug)


def creature_index(slug: str) -> str:
    """The way back from `creature_slug`."""
    return _CREATURE_INDEXES.get(slug, slug)


def subclass_index(slug: str) -> str:
    """The way back from the slug of `subclass_slug_and_name`."""
    return _SUBCLASS_INDEXES.get(slug, slug)


def species_index(slug: str) -> str:
    """The way back from `species_slug`."""
    return _SPECIES_INDEXES.get(slug, slug)
