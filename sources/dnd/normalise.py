"""The one normaliser of the D&D 5e API record shape, which the embedded data shares with the live API.

Corrections are not its business: `corrections.py` changes raw records before they come here.
"""

from __future__ import annotations

from sources.dnd.normalise_creature import normalise_creature
from sources.dnd.normalise_spell import normalise_spell
from sources.dnd.parsing import MalformedRecord

__all__ = ["MalformedRecord", "normalise_creature", "normalise_spell"]
