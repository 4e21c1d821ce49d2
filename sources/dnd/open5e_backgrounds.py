"""Backgrounds and feats of Open5e v2 as our records, attribute by attribute.

A background is a list of benefits, each of a type. Those of a type that no attribute of ours holds (ability
scores, a feat, connections) stand in the description, as do the prerequisites of a feat that ask for more than
ability scores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sources.dnd.open5e_recipes import SHARED, Recipe, Recipes, clean, key_of, objects
from sources.dnd.open5e_wording import (
    ability_minimums,
    choice_of,
    is_choice,
    listed,
    proficiency,
    slug,
)
from sources.dnd.parsing import MalformedRecord, Raw
from sources.dnd.records import Reference
from sources.dnd.records_options import (
    AbilityMinimum,
    Choice,
    Ideal,
    Passage,
    Proficiency,
    SuggestedCharacteristics,
)
from sources.dnd.vocabulary import ALIGNMENTS

BACKGROUND_FIELDS = 6
FEAT_FIELDS = 9
"""How many top-level fields a background and a feat of Open5e have."""

_SORTS = {"skill_proficiency": "Skills", "tool_proficiency": "Tools"}
_HELD = frozenset({*_SORTS, "language", "equipment", "feature", "suggested_characteristics"})
_ROW = re.compile(r"^\|[^|\n]*\|(.+?)\|[ \t]*$", re.MULTILINE)
_TABLES = re.compile(r"^\|.*$\n?", re.MULTILINE)
_LEANS = re.compile(r"\s*\(([^()]+)\)\s*$")


def _benefits(raw: Raw, kind: str) -> Iterator[Raw]:
    return (benefit for benefit in objects(raw, "benefits") if benefit.get("type") == kind)


def _said(raw: Raw, kind: str) -> list[str]:
    """The texts of all benefits of one type."""
    return [text for text in (clean(benefit.get("desc")) for benefit in _benefits(raw, kind)) if text]


def _background_description(raw: Raw) -> str | None:
    parts = [clean(raw.get("desc"))]
    for benefit in objects(raw, "benefits"):
        if benefit.get("type") not in _HELD:
            parts.append(f"**{_name(raw, benefit)}.** {clean(benefit.get('desc'))}".strip())
    parts += [_TABLES.sub("", text).strip() for text in _said(raw, "suggested_characteristics")]
    parts += [_passage_text(raw, benefit) for benefit in list(_benefits(raw, "feature"))[1:]]
    return "\n\n".join(part for part in parts if part) or None


def _name(owner: Raw, benefit: Raw) -> str:
    name = clean(benefit.get("name"))
    if not name:
        raise MalformedRecord(key_of(owner), "benefits", "holds a benefit without a name")
    return name


def _passage_text(owner: Raw, benefit: Raw) -> str:
    return f"**{_name(owner, benefit)}.** {clean(benefit.get('desc'))}"


def _feature(raw: Raw) -> Passage | None:
    """The first of its features; null for a background without, as those of 2024."""
    first = next(_benefits(raw, "feature"), None)
    return None if first is None else Passage(_name(raw, first), clean(first.get("desc")))


def _background_proficiencies(raw: Raw) -> tuple[Proficiency, ...]:
    """What it trains in, one by one; what leaves a choice as one entry, in its words."""
    found: list[Proficiency] = []
    for kind, sort in _SORTS.items():
        for text in _said(raw, kind):
            if is_choice(text):
                found.append(Proficiency(slug(text), text, sort))
            else:
                found.extend(proficiency(name, sort) for name in listed(text))
    return tuple(dict.fromkeys(found))


def _language_choice(raw: Raw) -> Choice | None:
    """The languages that it brings, in words; those that are named are all taken."""
    text = "; ".join(_said(raw, "language"))
    if not text:
        return None
    if is_choice(text):
        return choice_of(text, "Languages")
    named = tuple(Reference(slug(name), name) for name in listed(text))
    return Choice(len(named), text, named)


def _suggested(raw: Raw) -> SuggestedCharacteristics:
    """The tables of suggestions, by the words of their headings."""
    columns: dict[str, list[str]] = {"personality": [], "ideal": [], "bond": [], "flaw": []}
    current: list[str] | None = None
    for text in _said(raw, "suggested_characteristics"):
        for cell in (match.strip() for match in _ROW.findall(text)):
            if re.fullmatch(r"[-: |]+", cell):
                continue
            heading = next(
                (word for word in columns if cell.lower().startswith(word) and len(cell) < 24), None
            )
            if heading is not None:
                current = columns[heading]
            elif current is not None:
                current.append(cell)
    return SuggestedCharacteristics(
        personality_traits=tuple(columns["personality"]),
        ideals=tuple(Ideal(text, _alignments(text)) for text in columns["ideal"]),
        bonds=tuple(columns["bond"]),
        flaws=tuple(columns["flaw"]),
    )


def _alignments(ideal: str) -> tuple[str, ...]:
    """The alignments that the last words of an ideal name: `(Lawful)`, `(Any)`; empty where they name none."""
    match = _LEANS.search(ideal)
    word = match[1].lower() if match else ""
    if word == "any":
        return ALIGNMENTS
    return tuple(key for key in ALIGNMENTS if word in key.split("-"))


def _prerequisites(raw: Raw) -> tuple[AbilityMinimum, ...]:
    return ability_minimums(clean(raw.get("prerequisite"))) or ()


def _feat_description(raw: Raw) -> str | None:
    """The whole text: the sort of feat and what it takes, where no attribute says that, then its points."""
    sort, needs = clean(raw.get("type")), clean(raw.get("prerequisite"))
    heads = [f"{sort} feat."] if sort and sort.lower() != "general" else []
    if needs and ability_minimums(needs) is None:
        heads.append(f"Prerequisite: {needs}.")
    parts = [" ".join(heads), clean(raw.get("desc")), *(f"- {benefit}" for benefit in _points(raw))]
    return "\n\n".join(part for part in parts if part) or None


def _points(raw: Raw) -> tuple[str, ...]:
    texts = (clean(benefit.get("desc")) for benefit in objects(raw, "benefits"))
    return tuple(text for text in texts if text)


_BENEFITS = ("benefits", "key")

BACKGROUND_RECIPES: Recipes = {
    **SHARED,
    "kind": Recipe((), lambda raw: "background"),
    "description": Recipe(("desc", *_BENEFITS), _background_description),
    "feature": Recipe(_BENEFITS, _feature),
    "proficiencies": Recipe(_BENEFITS, _background_proficiencies),
    "language_choice": Recipe(_BENEFITS, _language_choice),
    "starting_equipment": Recipe((), lambda raw: ()),
    "starting_equipment_choices": Recipe(_BENEFITS, lambda raw: tuple(_said(raw, "equipment"))),
    "suggested_characteristics": Recipe(_BENEFITS, _suggested),
}
"""How each attribute of a background is made."""

FEAT_RECIPES: Recipes = {
    **SHARED,
    "kind": Recipe((), lambda raw: "feat"),
    "description": Recipe(("desc", "prerequisite", "type", "benefits"), _feat_description),
    "prerequisites": Recipe(("prerequisite",), _prerequisites),
    "benefits": Recipe(("benefits",), _points),
}
"""How each attribute of a feat is made."""
