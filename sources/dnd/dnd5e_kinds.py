"""The kinds of records that the D&D 5e API has, by the kind of the list that holds them."""

from __future__ import annotations

from collections.abc import Mapping

from sources.dnd.records_rules import RULE_KINDS

DND5E_KINDS: Mapping[str, tuple[str, ...]] = {
    "spell": ("spell",),
    "creature": ("creature",),
    "equipment": ("weapon", "armor", "magic-item", "gear"),
    "rule": RULE_KINDS,
    "character_option": ("class", "subclass", "species", "background", "feat"),
}
