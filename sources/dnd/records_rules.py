"""The records of rules: chapters and sections, conditions, and the entries of the rules' vocabularies."""

from __future__ import annotations

from dataclasses import dataclass

from sources.dnd.records import Reference

RULE_KINDS: tuple[str, ...] = (
    "rule",
    "rule-section",
    "condition",
    "damage-type",
    "weapon-property",
    "skill",
    "ability-score",
    "magic-school",
    "language",
    "proficiency",
    "alignment",
)
"""The kinds of rule entries; the first two are whole rules, from the condition on each entry is one term."""


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """One rule, condition or term of one document. What a kind does not have is null, its lists empty.

    - `key`: unique, prefix of the document and slug (`srd_blinded`); `slug`: the part behind the prefix. The
      slug of an ability is its full word (`strength`), as other records name it
    - `document_key`: the document that it stands in; `name`: as printed; `kind`: one of `RULE_KINDS`
    - `description`: Markdown, without the heading that repeats the name; null where the document has no text
    - `parent_key`: of a section, the rule that it belongs to
    - `sections`: of a rule, its sections in their order
    - `abbreviation`: of an ability (`STR`) or alignment (`LG`)
    - `category`: of a language `Standard`, `Exotic` or `Secret`; of a proficiency what it is one in (`Armor`, `Skills`)
    - `typical_speakers`, `script`: of a language
    - `ability_key`: of a skill, its ability; `skills`: of an ability, its skills
    - `classes`, `species`: of a proficiency, who starts with it
    - `subject_key`, `subject_name`: of a proficiency, what one is proficient in: the key of an item, a skill or
      an ability, or of a category of equipment
    """

    key: str
    slug: str
    document_key: str
    name: str
    kind: str
    description: str | None
    parent_key: str | None = None
    sections: tuple[Reference, ...] = ()
    abbreviation: str | None = None
    category: str | None = None
    typical_speakers: tuple[str, ...] = ()
    script: str | None = None
    ability_key: str | None = None
    skills: tuple[Reference, ...] = ()
    classes: tuple[Reference, ...] = ()
    species: tuple[Reference, ...] = ()
    subject_key: str | None = None
    subject_name: str | None = None
