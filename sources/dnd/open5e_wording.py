"""What the sentences of Open5e's character options say: proficiencies, choices, languages, abilities.

Open5e has the options of every document as prose. What is read here is only what a sentence says for certain;
the sentence itself is kept beside it in the record.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sources.dnd.records import Reference
from sources.dnd.records_options import AbilityBonus, AbilityMinimum, Choice, Proficiency
from sources.dnd.vocabulary import ABILITIES
from sources.text_index import fold

_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_NUMBER = "|".join((*_NUMBERS, r"\d+"))
_ABILITY = "|".join(ABILITIES.values())
_CHOICE = re.compile(r"\bchoose\b|\bchoice\b|\bany\b|\bor\b", re.IGNORECASE)
_CHOOSE = re.compile(
    rf"\bchoose\s+(?:any\s+)?({_NUMBER})\b"
    r"(?:[^.:,]*?(?:\bfrom(?: the following[^:]*:)?|\bof the following[^:]*:|:)\s*(?P<options>.+))?",
    re.IGNORECASE,
)
_OF_CHOICE = re.compile(rf"\b({_NUMBER})\b[^.]*?\bof your choice\b", re.IGNORECASE)
_INCREASE = re.compile(rf"\b({_ABILITY}) score increases by (\d)|\b({_ABILITY}) \+(\d)", re.IGNORECASE)
_EACH = re.compile(r"\bability scores each increase by (\d)", re.IGNORECASE)
_CHOSEN_INCREASE = re.compile(
    rf"\b({_NUMBER})\s+(?:other |different )*ability scores? of your choice increases? by (\d)", re.IGNORECASE
)
_LANGUAGES = re.compile(r"\bspeak, read,? and write ([^.]+)\.", re.IGNORECASE)
_MINIMUM = re.compile(rf"({_ABILITY}) (\d+)(?: or higher|\+)?", re.IGNORECASE)


def slug(text: str) -> str:
    """A text as a key: lower case, folded, words joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", fold(text).replace("'", "")).strip("-")


def number_of(word: str) -> int:
    """A number that is written as a word or in digits. Raises KeyError for any other word."""
    return int(word) if word.isdecimal() else _NUMBERS[word.lower()]


def listed(text: str) -> list[str]:
    """The parts of `a, b, and c` or `a or b`."""
    parts = re.split(r",\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+", text.strip().rstrip("."))
    return [part.strip() for part in parts if part.strip()]


def is_choice(text: str) -> bool:
    """Whether a list of proficiencies leaves something to the player."""
    return _CHOICE.search(text) is not None


def proficiency(name: str, sort: str) -> Proficiency:
    """What a word of a list of proficiencies trains in; skills are named as the embedded records name them."""
    if sort == "Skills":
        return Proficiency(f"skill-{slug(name)}", f"Skill: {name}", sort)
    return Proficiency(slug(name), name[:1].upper() + name[1:], sort)


def proficiencies_of(text: str, sort: str) -> tuple[tuple[Proficiency, ...], Choice | None]:
    """What a list of proficiencies of one sort trains in for certain, and what it leaves to be chosen.

    `Daggers, darts, slings` is three, `None` is nothing, `Choose two from Arcana and History` is a choice.
    """
    if fold(text).strip(" .") in ("", "none"):
        return (), None
    if not is_choice(text):
        return tuple(proficiency(name, sort) for name in listed(text)), None
    return (), choice_of(text, sort)


def choice_of(text: str, sort: str) -> Choice:
    """A choice in words, its options as far as the words list them; one thing where they tell no number."""
    chosen = _CHOOSE.search(text)
    if chosen is None:
        counted = _OF_CHOICE.search(text)
        return Choice(number_of(counted[1]) if counted else 1, text, ())
    named = chosen["options"]
    options = [proficiency(name, sort) for name in listed(named)] if named else []
    return Choice(number_of(chosen[1]), text, tuple(Reference(one.key, one.name) for one in options))


def abilities_in(text: str) -> tuple[str, ...]:
    """The keys of all abilities that a text names, each once, in its order."""
    found = re.findall(rf"\b({_ABILITY})\b", text, re.IGNORECASE)
    return tuple(dict.fromkeys(ability.lower() for ability in found))


def ability_bonuses(text: str) -> tuple[tuple[AbilityBonus, ...], Choice | None]:
    """The fixed increases of ability scores that a text tells, and the one that it leaves to the player."""
    each = _EACH.search(text)
    fixed = tuple(
        AbilityBonus((match[1] or match[3]).lower(), int(match[2] or match[4]))
        for match in _INCREASE.finditer(text)
    )
    if each is not None:
        fixed = tuple(AbilityBonus(ability, int(each[1])) for ability in ABILITIES.values())
    chosen = _CHOSEN_INCREASE.search(text)
    if chosen is None:
        return fixed, None
    taken = {bonus.ability for bonus in fixed}
    options = tuple(
        Reference(ability, ability.title()) for ability in ABILITIES.values() if ability not in taken
    )
    words = f"Choose {chosen[1].lower()} abilities to increase by {chosen[2]}"
    return fixed, Choice(number_of(chosen[1]), words, options)


def languages(text: str) -> tuple[tuple[Reference, ...], Choice | None]:
    """The languages that a text names, and those that it leaves to the player: `Common and one extra language
    of your choice`. Nothing where the text is of another form."""
    match = _LANGUAGES.search(text)
    if match is None:
        return (), None
    fixed, choice = [], None
    for part in listed(match[1]):
        if _OF_CHOICE.search(part) or part.lower().startswith(tuple(f"{word} " for word in _NUMBERS)):
            counted = re.match(rf"({_NUMBER})\b", part, re.IGNORECASE)
            choice = Choice(number_of(counted[1]) if counted else 1, f"Choose {part}", ())
        else:
            fixed.append(Reference(slug(part), part))
    return tuple(fixed), choice


def ability_minimums(text: str) -> tuple[AbilityMinimum, ...] | None:
    """The ability scores that a prerequisite asks for: all of `Strength 13 or higher, Wisdom 13`.

    None when it asks for anything else, or lets one choose.
    """
    found: list[AbilityMinimum] = []
    for part in (part.strip() for part in text.split(",") if part.strip()):
        match = _MINIMUM.fullmatch(part)
        if match is None:
            return None
        found.append(AbilityMinimum(match[1].lower(), int(match[2])))
    return tuple(found)


def sections(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The text before the first heading, and each heading with its text.

    Headings are `### Cantrips` on a line of their own, or `**Cantrips.**` at the beginning of a paragraph.
    """
    pieces: Sequence[str] = re.split(
        r"^(?:#{2,6}[ \t]*(.+?)[ \t#]*$|\*\*([^*\n]+?)\.?\*\*\.?[ \t]+(?=\S))", text, flags=re.MULTILINE
    )
    found = [
        ((pieces[at] or pieces[at + 1]).strip(), pieces[at + 2].strip()) for at in range(1, len(pieces), 3)
    ]
    return pieces[0].strip(), found
