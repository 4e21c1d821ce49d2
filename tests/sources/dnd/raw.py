"""Raw records of the installed `tinys-srd`, by index, for tests that look at one of them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import tinys_srd

_MODULES = {
    "spell": tinys_srd.Spells,
    "creature": tinys_srd.Monsters,
    "equipment": tinys_srd.Equipment,
    "magic-item": tinys_srd.MagicItems,
    "skill": tinys_srd.Skills,
    "rule-section": tinys_srd.RuleSections,
    "class": tinys_srd.Classes,
    "subclass": tinys_srd.Subclasses,
    "feature": tinys_srd.Features,
    "trait": tinys_srd.Traits,
    "feat": tinys_srd.Feats,
}


def raw_records(kind: str) -> dict[str, dict[str, Any]]:
    """Deep copies of all raw records of a kind, by index."""
    module = _MODULES[kind]
    records = (deepcopy(vars(getattr(module, entry))) for entry in module.entries)
    return {record["index"]: record for record in records}
