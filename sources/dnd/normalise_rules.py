"""Rules, conditions and vocabulary entries of the D&D 5e API record shapes as our records."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from sources.dnd.parsing import Raw, index_of, items, paragraphs, required_reference, required_text
from sources.dnd.records import Reference
from sources.dnd.records_rules import RULE_KINDS, RuleEntry
from sources.dnd.vocabulary import ABILITIES
from sources.dnd.vocabulary_equipment import category_reference


def normalise_rule_entry(
    kind: str,
    raw: Raw,
    *,
    document_key: str = "srd-2014",
    key_prefix: str = "srd",
    parent: str | None = None,
) -> RuleEntry:
    """The entry of `kind`, one of `RULE_KINDS`, of a D&D 5e API detail record.

    `parent` is the index of the rule that lists a section, which the record does not name. Raises
    MalformedRecord when a field is missing that every entry has.
    """
    if kind not in RULE_KINDS:
        raise ValueError(f"{kind!r} is no kind of rule entry")
    slug = rule_slug(kind, required_text(raw, "index"))
    name = required_text(raw, "full_name" if kind == "ability-score" else "name")
    more = _MORE.get(kind)
    return RuleEntry(
        key=f"{key_prefix}_{slug}",
        slug=slug,
        document_key=document_key,
        name=name,
        kind=kind,
        description=_without_heading(paragraphs(raw.get("desc")), name),
        parent_key=None if parent is None else f"{key_prefix}_{parent}",
        **(more(raw, f"{key_prefix}_") if more is not None else {}),
    )


def rule_slug(kind: str, index: str) -> str:
    """The slug of an entry: its index, but for abilities, which all other records name by their full word."""
    return ABILITIES.get(index, index) if kind == "ability-score" else index


def _without_heading(text: str | None, name: str) -> str | None:
    """A rule's text begins with its own name as a heading, and of some rules that is all."""
    if text is None:
        return None
    return re.sub(rf"\A#+[ ]*{re.escape(name)}[ ]*(?:\n+|\Z)", "", text).strip() or None


def _references(raw: Raw, field: str, prefix: str) -> tuple[Reference, ...]:
    return tuple(
        Reference(f"{prefix}{item['index']}", str(item["name"]))
        for item in items(raw, field)
        if index_of(item) is not None
    )


def _rule(raw: Raw, prefix: str) -> dict[str, Any]:
    return {"sections": _references(raw, "subsections", prefix)}


def _skill(raw: Raw, prefix: str) -> dict[str, Any]:
    index = str(required_reference(raw, "ability_score")["index"])
    return {"ability_key": f"{prefix}{rule_slug('ability-score', index)}"}


def _ability(raw: Raw, prefix: str) -> dict[str, Any]:
    return {"abbreviation": required_text(raw, "name"), "skills": _references(raw, "skills", prefix)}


def _language(raw: Raw, prefix: str) -> dict[str, Any]:
    return {
        "category": required_text(raw, "type"),
        "typical_speakers": tuple(str(item) for item in items(raw, "typical_speakers")),
        "script": raw.get("script"),
    }


def _alignment(raw: Raw, prefix: str) -> dict[str, Any]:
    return {"abbreviation": required_text(raw, "abbreviation")}


def _proficiency(raw: Raw, prefix: str) -> dict[str, Any]:
    subject = _subject(required_reference(raw, "reference"), prefix)
    return {
        "category": required_text(raw, "type"),
        "classes": _references(raw, "classes", prefix),
        "species": _references(raw, "races", prefix),
        "subject_key": subject.key,
        "subject_name": subject.name,
    }


def _subject(reference: Raw, prefix: str) -> Reference:
    """What a proficiency is about. The reference's address says of what kind it is."""
    index, name = str(reference["index"]), str(reference.get("name") or reference["index"])
    url = str(reference.get("url", ""))
    if "/equipment-categories/" in url:
        return category_reference(index, name)
    if "/ability-scores/" in url and index in ABILITIES:
        return Reference(f"{prefix}{ABILITIES[index]}", ABILITIES[index].capitalize())
    return Reference(f"{prefix}{index}", name)


_MORE: Mapping[str, Callable[[Raw, str], dict[str, Any]]] = {
    "rule": _rule,
    "skill": _skill,
    "ability-score": _ability,
    "language": _language,
    "alignment": _alignment,
    "proficiency": _proficiency,
}
"""What a kind has beside its name and text."""
