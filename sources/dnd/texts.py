"""What full text finds records by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sources.dnd.content import Content
from sources.dnd.maps import CREATURE_TEXT, SPELL_TEXT
from sources.dnd.maps_equipment import EQUIPMENT_TEXT, RULE_TEXT
from sources.dnd.maps_options import OPTION_TEXT
from sources.dnd.records import Creature, Spell
from sources.dnd.records_equipment import Equipment
from sources.dnd.records_rules import RuleEntry
from sources.dnd.rows_options import option_texts
from sources.text_index_tables import TextRow


def content_texts(content: Content) -> Mapping[str, Iterator[TextRow]]:
    """The rows of every text index, by its name."""
    return {
        SPELL_TEXT: spell_texts(content.spells),
        CREATURE_TEXT: creature_texts(content.creatures),
        EQUIPMENT_TEXT: equipment_texts(content.equipment),
        RULE_TEXT: rule_texts(content.rules),
        OPTION_TEXT: option_texts(content.options),
    }


def spell_texts(spells: Sequence[Spell]) -> Iterator[TextRow]:
    """What full text finds a spell by: its name, and everything that its text says."""
    for spell in spells:
        body = (spell.description, spell.higher_level, spell.material_specified)
        yield spell.key, spell.name, "\n".join(part for part in body if part)


def creature_texts(creatures: Sequence[Creature]) -> Iterator[TextRow]:
    """What full text finds a creature by: its name, its kind, and the texts of its features."""
    for creature in creatures:
        features = (
            *creature.traits,
            *creature.actions,
            *creature.bonus_actions,
            *creature.reactions,
            *creature.legendary_actions,
        )
        body = [creature.type, creature.subtype, creature.alignment, creature.languages, creature.description]
        body += [text for feature in features for text in (feature.name, feature.description)]
        yield creature.key, creature.name, "\n".join(part for part in body if part)


def equipment_texts(equipment: Sequence[Equipment]) -> Iterator[TextRow]:
    """What full text finds equipment by: its name, its categories and properties, and its text."""
    for item in equipment:
        body = [item.type_text, item.description]
        body += [reference.name for reference in (*item.categories, *item.properties)]
        body += [packed.name for packed in item.contents]
        yield item.key, item.name, "\n".join(part for part in body if part)


def rule_texts(rules: Sequence[RuleEntry]) -> Iterator[TextRow]:
    """What full text finds a rule by: its name, its text, and the few words of a term without one."""
    for rule in rules:
        body = [rule.description, rule.abbreviation, rule.category, rule.script, rule.subject_name]
        body += [*rule.typical_speakers, *(reference.name for reference in rule.skills)]
        yield rule.key, rule.name, "\n".join(part for part in body if part)
