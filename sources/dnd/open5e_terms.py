"""Conditions and the short lists of words of Open5e v2 as our records.

Open5e has a condition, a damage type, a skill or an ability once, with a text for each document that describes it:
each text is a record of its own here, of that document and its edition, keyed as the document's records are
(`srd_blinded`, `srd-2024_blinded`). What has no such texts is one record of the document that it stands in; of
`core` that is what the SRD 5.1 calls the same, and bears its key. The lists are short, so they are read whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from sources.dnd.open5e_keys import prefix_of, slugged
from sources.dnd.open5e_recipes import Recipe, Recipes, clean, key_of, objects, slug_of
from sources.dnd.open5e_rules import NAMED_DOCUMENT, NOTHING, always, document_named, rule_entry
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records import Reference
from sources.dnd.records_rules import RuleEntry
from sources.dnd.vocabulary import ABILITIES

_SPEAKERS = re.compile(r"\ATypical speakers (?:are|include) (.+?)\.?(?:\s|\Z)(?=[A-Z]|\Z)", re.DOTALL)

Make = Callable[[Raw], Any]


def spread(kind: str, raw: Raw) -> list[Raw]:
    """One row for each document that describes a term, with that document's text and a key of ours.

    Raises MalformedRecord for a row without a key or a document.
    """
    slug, name = _slug(kind, raw), _name(raw)
    described = objects(raw, "descriptions")
    if not described:
        described = [{"document": document_named(raw), "desc": raw.get("desc")}]
    rows: list[Raw] = []
    for item in described:
        document = document_named({"key": raw.get("key"), "document": item.get("document")})
        rows.append(
            {
                **raw,
                "key": f"{prefix_of(document)}_{slug}",
                "name": name,
                "document": document,
                "desc": item.get("desc"),
            }
        )
    return rows


def terms_of(kind: str, raw: Raw) -> list[RuleEntry]:
    """The whole records of a row of the list of `kind`, one for each document. Raises MalformedRecord."""
    return [rule_entry(TERM_RECIPES[kind], row) for row in spread(kind, raw)]


def _slug(kind: str, raw: Raw) -> str:
    if kind == "weapon-property":
        # Its key has two endings (`-wp`, `-mastery`), and the items that have it name it by its name alone.
        return slugged(_name(raw))
    slug = slug_of(raw)
    return ABILITIES.get(slug, slug) if kind == "ability-score" else slug


def _name(raw: Raw) -> str:
    """The name; of an alignment Open5e gives the key alone."""
    return clean(raw.get("name")) or slug_of(raw).replace("-", " ").title()


def _own_slug(raw: Raw) -> str:
    return key_of(raw).partition("_")[2]


def _description(raw: Raw) -> str | None:
    return clean(raw.get("desc")) or None


def _ability(raw: Raw) -> str:
    ability = clean(raw.get("ability"))
    if not ability:
        raise MalformedRecord(key_of(raw), "ability", "is missing")
    return f"{prefix_of(document_named(raw))}_{ABILITIES.get(ability, ability)}"


def _skills(raw: Raw) -> tuple[Reference, ...]:
    """The skills of an ability that the same document describes, by their names."""
    document = document_named(raw)
    found = {}
    for skill in objects(raw, "skills"):
        texts = [clean(item.get("document")) for item in objects(skill, "descriptions")]
        if document in (texts or [clean(skill.get("document"))]):
            found[_name(skill)] = f"{prefix_of(document)}_{slug_of(skill)}"
    return tuple(Reference(key, name) for name, key in sorted(found.items()))


def _language_category(raw: Raw) -> str:
    if raw.get("is_secret") is True:
        return "Secret"
    return "Exotic" if raw.get("is_exotic") is True else "Standard"


def _speakers(raw: Raw) -> tuple[str, ...]:
    """Who speaks a language, where its text says so: `Typical speakers include ogres, and giants.`"""
    match = _SPEAKERS.match(clean(raw.get("desc")))
    if match is None:
        return ()
    names = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", match[1])
    return tuple(name[:1].upper() + name[1:] for name in names if name)


def _script(raw: Raw) -> str | None:
    return clean(raw.get("script_language")).replace("-", " ").title() or None


def _text(raw: Raw) -> str:
    """What full text finds a term by: its name and text, and its few words."""
    parts = (_name(raw), _description(raw), *_speakers(raw), _script(raw))
    return "\n".join(part for part in parts if part)


def _recipe(make: Make) -> Recipe:
    """The lists are read whole, so that one answer serves all questions: a recipe names no fields."""
    return Recipe((), make)


_MORE: Mapping[str, Mapping[str, Make]] = {
    "condition": {},
    "damage-type": {},
    "weapon-property": {},
    "magic-school": {},
    "skill": {"ability_key": _ability},
    "ability-score": {
        "abbreviation": lambda raw: _own_slug(raw)[:3].upper(),
        "skills": _skills,
    },
    "language": {"category": _language_category, "typical_speakers": _speakers, "script": _script},
    "alignment": {"abbreviation": lambda raw: clean(raw.get("short_name")) or None},
}
"""What a kind has beside its name and text."""

TERM_RECIPES: Mapping[str, Recipes] = {
    kind: {
        "key": _recipe(key_of),
        "slug": _recipe(_own_slug),
        "name": _recipe(_name),
        **NAMED_DOCUMENT,
        **NOTHING,
        "kind": always(kind),
        "description": _recipe(_description),
        "text": _recipe(_text),
        **{name: _recipe(make) for name, make in more.items()},
    }
    for kind, more in _MORE.items()
}
"""How each attribute of a term is made from a row that was `spread`, by kind."""

TERM_PATHS: Mapping[str, str] = {
    "condition": "/conditions/",
    "damage-type": "/damagetypes/",
    "weapon-property": "/weaponproperties/",
    "skill": "/skills/",
    "ability-score": "/abilities/",
    "magic-school": "/spellschools/",
    "language": "/languages/",
    "alignment": "/alignments/",
}
"""The list of each kind of term."""
