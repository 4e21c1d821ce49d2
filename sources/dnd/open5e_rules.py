"""Rules of Open5e v2 as our records: its rule sets are our rules, its rules their sections.

A rule names its document and its rule set by their keys alone, so its edition stands in the document's own record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from sources.dnd.open5e_recipes import (
    JOINED,
    Recipe,
    Recipes,
    clean,
    decimal,
    key_of,
    name_of,
    objects,
    slug_of,
)
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records import Reference
from sources.dnd.records_rules import RuleEntry

RULE_FIELDS = 8
RULE_SET_FIELDS = 6
"""How many top-level fields a rule and a rule set of Open5e have."""


def document_named(raw: Raw) -> str:
    """The key of the document that a row stands in, which it names by its key or as an object."""
    document = raw.get("document")
    key = document.get("key") if isinstance(document, Mapping) else document
    if not isinstance(key, str) or not key:
        raise MalformedRecord(key_of(raw), "document", "is missing")
    return key


def always(value: Any) -> Recipe:
    """The same for every row."""
    return Recipe(("key",), lambda raw: value)


NAMED_DOCUMENT: Recipes = {
    "document_key": Recipe(("document", "key"), document_named),
    "edition": Recipe(("document", "key"), document_named, joined="edition"),
    **{name: Recipe(("document", "key"), document_named, joined=joined) for name, joined in JOINED.items()},
}
"""What belongs to the document of a row that names it by its key."""

NOTHING: Recipes = {
    **{
        name: always(None)
        for name in (
            *("parent_key", "abbreviation", "category", "script"),
            *("ability_key", "subject_key", "subject_name"),
        )
    },
    **{name: always(()) for name in ("sections", "typical_speakers", "skills", "classes", "species")},
}
"""What only some kinds of rule entries have."""


def _ruleset(raw: Raw) -> str:
    ruleset = raw.get("ruleset")
    if not isinstance(ruleset, str) or not ruleset:
        raise MalformedRecord(key_of(raw), "ruleset", "is missing")
    return ruleset


def _sections(raw: Raw) -> tuple[Reference, ...]:
    """The rules of a set, by their index, which several can share."""
    rules = sorted(objects(raw, "rules"), key=lambda rule: (decimal(rule.get("index")) or 0, key_of(rule)))
    return tuple(Reference(key_of(rule), name_of(rule)) for rule in rules)


def _text(raw: Raw) -> str:
    """What full text finds a rule by, as in the tables of the local records."""
    return "\n".join(part for part in (name_of(raw), clean(raw.get("desc"))) if part)


_COMMON: Recipes = {
    "key": Recipe(("key",), key_of),
    "slug": Recipe(("key",), slug_of),
    "name": Recipe(("name", "key"), name_of),
    **NAMED_DOCUMENT,
    **NOTHING,
    "description": Recipe(("desc",), lambda raw: clean(raw.get("desc")) or None),
    "text": Recipe(("name", "desc", "key"), _text),
}

RULE_RECIPES: Recipes = {
    **_COMMON,
    "kind": always("rule-section"),
    "parent_key": Recipe(("ruleset", "key"), _ruleset),
}
"""How each attribute of a section is made from a row of `/v2/rules/`."""

RULE_SET_RECIPES: Recipes = {
    **_COMMON,
    "kind": always("rule"),
    "sections": Recipe(("rules", "key"), _sections),
}
"""How each attribute of a rule is made from a row of `/v2/rulesets/`."""


def rule_of(raw: Raw) -> RuleEntry:
    """The whole record of a row of `/v2/rules/`, a section. Raises MalformedRecord."""
    return rule_entry(RULE_RECIPES, raw)


def rule_set_of(raw: Raw) -> RuleEntry:
    """The whole record of a row of `/v2/rulesets/`, a rule of several sections. Raises MalformedRecord."""
    return rule_entry(RULE_SET_RECIPES, raw)


def rule_entry(recipes: Recipes, raw: Raw) -> RuleEntry:
    """The whole record that `recipes` make of a row. Raises MalformedRecord."""
    return RuleEntry(**{field.name: recipes[field.name].make(raw) for field in fields(RuleEntry)})
