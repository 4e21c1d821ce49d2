"""The kinds of records that the D&D 5e API has, by the kind of the list that holds them."""

from __future__ import annotations

from collections.abc import Mapping

DND5E_KINDS: Mapping[str, tuple[str, ...]] = {
    "spell": ("spell",),
    "creature": ("creature",),
}
