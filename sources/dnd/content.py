"""All records of the shelf together, whichever data set they come from."""

from __future__ import annotations

from dataclasses import dataclass

from sources.dnd.embedded import EmbeddedData
from sources.dnd.records import Creature, Document, Spell
from sources.dnd.records_equipment import Equipment
from sources.dnd.records_options import OptionRecords
from sources.dnd.records_rules import RuleEntry

NO_OPTIONS = OptionRecords((), (), (), (), ())


@dataclass(frozen=True, slots=True)
class Content:
    """Documents, and the records of theirs. Keys are unique within each list."""

    documents: tuple[Document, ...] = ()
    spells: tuple[Spell, ...] = ()
    creatures: tuple[Creature, ...] = ()
    equipment: tuple[Equipment, ...] = ()
    rules: tuple[RuleEntry, ...] = ()
    options: OptionRecords = NO_OPTIONS


def embedded_content(data: EmbeddedData) -> Content:
    """The embedded records."""
    return Content(
        documents=(data.document,),
        spells=data.spells,
        creatures=data.creatures,
        equipment=data.equipment,
        rules=data.rules,
        options=data.options,
    )
