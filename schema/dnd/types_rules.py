"""Rules: chapters and sections, conditions, and the entries of vocabularies behind one interface."""

from typing import Annotated, Any

import strawberry

from resolvers.dnd import loaders_equipment
from schema.directives import Summary
from schema.dnd import parts, parts_equipment
from schema.dnd.shared import DndDocument, Term
from schema.dnd.types import document_field, source_field
from schema.fields import batch, derived, plain
from schema.node import Node, id_field
from schema.provenance import RecordSource
from sources.dnd.records_rules import RULE_KINDS

_SHARED_SUMMARY = ["key", "name", "kind.key", "description", "document.key"]


@strawberry.interface(
    description="What can be looked up in the rules: a rule, a condition or a term.",
    directives=[Summary(fields=_SHARED_SUMMARY)],
)
class RuleEntry(Node):
    key: str = plain("The unique key, such as `srd_blinded`.")
    name: str = plain("The name, as printed.")
    kind: Term = derived(
        parts.term, "kind", description="What it is, such as `rule-section`, `condition` or `skill`."
    )
    description: str | None = plain("The text, in Markdown; null where the document only names it.")
    document: DndDocument = document_field()
    source: RecordSource = source_field()


@strawberry.type(
    description="A rule of several sections, or one section.",
    directives=[Summary(fields=[*_SHARED_SUMMARY, "parent.key", "sections.key"])],
)
class Rule(RuleEntry):
    id: strawberry.ID = id_field("Rule")
    parent: Annotated["Rule", strawberry.lazy("schema.dnd.types_rules")] | None = batch(
        loaders_equipment.rules, "parent_key", description="The rule that it is a section of."
    )
    sections: list[Annotated["Rule", strawberry.lazy("schema.dnd.types_rules")]] = batch(
        loaders_equipment.rule_lists, "sections", description="Its sections, in their order."
    )


@strawberry.type(
    description="A condition that can befall a creature.", directives=[Summary(fields=_SHARED_SUMMARY)]
)
class Condition(RuleEntry):
    id: strawberry.ID = id_field("Condition")


@strawberry.type(
    description="A term of the rules: a damage type, weapon property, skill, ability, school of magic, language, "
    "proficiency or alignment. What its kind does not have is null or empty.",
    directives=[
        Summary(
            fields=[
                *_SHARED_SUMMARY,
                "abbreviation",
                "category",
                "ability.name",
                "skills.name",
                "script",
                "typicalSpeakers",
                "classes.name",
                "subject.name",
            ]
        )
    ],
)
class ReferenceEntry(RuleEntry):
    id: strawberry.ID = id_field("ReferenceEntry")
    abbreviation: str | None = plain("Of an ability or alignment, such as `DEX` or `LG`.")
    category: str | None = plain(
        "Of a language, `Standard`, `Exotic` or `Secret`; of a proficiency, such as `Armor` or `Skills`."
    )
    typical_speakers: list[str] = plain("Of a language: who speaks it.")
    script: str | None = plain("Of a language: the script that it is written in.")
    ability: Annotated["ReferenceEntry", strawberry.lazy("schema.dnd.types_rules")] | None = batch(
        loaders_equipment.rules, "ability_key", description="Of a skill: its ability."
    )
    skills: list[Annotated["ReferenceEntry", strawberry.lazy("schema.dnd.types_rules")]] = batch(
        loaders_equipment.rule_lists, "skills", description="Of an ability: its skills."
    )
    classes: list[Term] = plain("Of a proficiency: the classes that start with it.")
    species: list[Term] = plain("Of a proficiency: the species that have it.")
    subject: Term | None = derived(
        parts_equipment.subject,
        "subject_key",
        "subject_name",
        description="Of a proficiency: the item, category, skill or ability that it is about.",
    )


KINDS: dict[str, tuple[str, ...]] = {
    "Rule": ("rule", "rule-section"),
    "Condition": ("condition",),
    "ReferenceEntry": RULE_KINDS[3:],
}
"""The kinds of records that each object type shows."""

TYPES: tuple[type[Any], ...] = (Rule, Condition, ReferenceEntry)
