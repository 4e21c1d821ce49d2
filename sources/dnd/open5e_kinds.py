"""The kinds of records that Open5e has, by the kind of the list that holds them."""

from __future__ import annotations

from collections.abc import Mapping

OPEN5E_KINDS: Mapping[str, tuple[str, ...]] = {
    "spell": ("spell",),
    "creature": ("creature",),
}
