"""The fixed words and tables of equipment, and how the two public data sets name the same item."""

from __future__ import annotations

from collections.abc import Mapping

from sources.dnd.records import Reference

GOLD_PIECES: Mapping[str, float] = {"cp": 0.01, "sp": 0.1, "ep": 0.5, "gp": 1.0, "pp": 10.0}
"""What one coin is worth in gold pieces (SRD 5.1, "Equipment", Standard Exchange Rates)."""

RARITY_RANKS: Mapping[str, int] = {
    "common": 1,
    "uncommon": 2,
    "rare": 3,
    "very-rare": 4,
    "legendary": 5,
    "artifact": 6,
}
"""Open5e's rarity keys in ascending order, with its ranks."""

VARIES = "varies"
"""The rarity of an item whose variants each have their own."""

MELEE_REACH = 5
LONG_REACH = 5
"""Feet that a melee weapon reaches, and that the reach property adds (SRD 5.1, "Equipment", Weapon Properties)."""

_CATEGORIES: Mapping[str, Reference] = {
    "wondrous-items": Reference("wondrous-item", "Wondrous Item"),
    "shields": Reference("shield", "Shield"),
    "equipment-packs": Reference("equipment-pack", "Equipment Pack"),
    "land-vehicles": Reference("land-vehicle", "Land Vehicle"),
    "waterborne-vehicles": Reference("waterborne-vehicle", "Waterborne Vehicle"),
    "mounts-and-other-animals": Reference("mount", "Mount"),
    # The D&D 5e API calls this one otherwise where a record names its own.
    "musical-instrument": Reference("musical-instruments", "Musical Instruments"),
}
"""Open5e's category where it holds the same things, by the index of the D&D 5e API."""

_GIANTS = ("hill", "stone", "frost", "fire", "cloud", "storm")
_IOUN_STONES = (
    "absorption", "agility", "awareness", "greater-absorption", "insight", "intellect", "leadership", "mastery",
    "protection", "regeneration", "reserve", "strength", "sustenance",
)  # fmt: skip
_SCROLL_LEVELS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th")

_MAGIC_ITEM_SLUGS: Mapping[str, str] = {
    **{f"belt-of-giant-strength-{giant}": f"belt-of-{giant}-giant-strength" for giant in _GIANTS},
    **{f"potion-of-giant-strength-{giant}": f"potion-of-{giant}-giant-strength" for giant in _GIANTS},
    **{f"ioun-stone-of-{power}": f"ioun-stone-{power}" for power in _IOUN_STONES},
    **{f"spell-scroll-{level}": f"spell-scroll-{level}-level" for level in _SCROLL_LEVELS},
    **{
        f"potion-of-healing-{strength}": f"potion-of-{strength}-healing"
        for strength in ("greater", "superior", "supreme")
    },
    "glamoured-studded-leather-armor": "glamoured-studded-leather",
}


def magic_item_slug(index: str) -> str:
    """Open5e's slug of the magic item that the D&D 5e API calls `index`, and `index` where it has none."""
    return _MAGIC_ITEM_SLUGS.get(index, index)


_MAGIC_ITEM_INDEXES = {slug: index for index, slug in _MAGIC_ITEM_SLUGS.items()}


def magic_item_index(slug: str) -> str:
    """The way back from `magic_item_slug`."""
    return _MAGIC_ITEM_INDEXES.get(slug, slug)


def category_reference(index: str, name: str) -> Reference:
    """The category that the D&D 5e API calls `index`: Open5e's where it holds the same things."""
    return _CATEGORIES.get(index) or Reference(index, name)
