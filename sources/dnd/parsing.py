"""Reading the text fields of rules records: distances, dice, casting times, prices, saves, alignments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sources.dnd.vocabulary import ABILITIES, ALIGNMENTS, DAMAGE_TYPES, FEET_PER_MILE

Raw = Mapping[str, Any]
"""A record as its source sends it, decoded from JSON."""


class MalformedRecord(ValueError):
    """A record lacks what it cannot do without: `record` names it as far as possible, `field` the lack."""

    def __init__(self, record: str, field: str, problem: str) -> None:
        self.record = record
        self.field = field
        super().__init__(f"record `{record}`: field `{field}` {problem}")


def record_name(raw: Raw) -> str:
    """What to call a record in an error."""
    return str(raw.get("index") or raw.get("name") or "without a name")


def required_text(raw: Raw, field: str) -> str:
    """The text at `field`. Raises MalformedRecord when it is absent, blank or no text."""
    value = raw.get(field)
    if not isinstance(value, str):
        raise MalformedRecord(record_name(raw), field, "is missing" if value is None else "is not a text")
    if not value.strip():
        raise MalformedRecord(record_name(raw), field, "is empty")
    return value.strip()


def required_integer(raw: Raw, field: str) -> int:
    """The whole number at `field`. Raises MalformedRecord when it is absent or anything else."""
    value = raw.get(field)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        problem = "is missing" if value is None else "is not a whole number"
        raise MalformedRecord(record_name(raw), field, problem)
    return value


def required_reference(raw: Raw, field: str) -> Raw:
    """The `{index, name}` at `field`. Raises MalformedRecord when it is absent or has no index."""
    value = raw.get(field)
    if not isinstance(value, Mapping) or not isinstance(value.get("index"), str):
        raise MalformedRecord(record_name(raw), field, "is not a reference with an index")
    return value


def index_of(reference: object) -> str | None:
    """The index of a `{index, name, url}` reference; null when there is none."""
    index = reference.get("index") if isinstance(reference, Mapping) else None
    return index if isinstance(index, str) else None


def items(raw: Raw, field: str) -> Sequence[Any]:
    """The list at `field`; empty when it is absent or null."""
    value = raw.get(field)
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise MalformedRecord(record_name(raw), field, "is not a list")
    return value


def paragraphs(value: object) -> str | None:
    """One text of a text or a list of them; null when nothing is said.

    Paragraphs are joined by a blank line, the rows of a Markdown table, which would no longer be one, by none.
    """
    parts = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []
    kept = [part.strip() for part in parts if isinstance(part, str) and part.strip()]
    text = ""
    for before, part in zip(["", *kept], kept, strict=False):
        within_table = before.startswith("|") and part.startswith("|")
        text += ("\n" if within_table else "\n\n" if before else "") + part
    return text or None


def compact_dice(dice: str) -> str:
    """`2d10 + 8` as `2d10+8`: no blanks, a plain minus, and no `+0`."""
    return re.sub(r"\+0$", "", re.sub(r"\s+", "", dice).replace("−", "-"))


_CASTING_TIME = re.compile(
    r"(?:1\s*)?(?:(?P<bonus>bonus[ -]?action)|(?P<plain>action|reaction|turn|round))\b"
    r"|(?P<count>\d+)\s*(?P<unit>minute|hour|day|week)s?\b",
    re.IGNORECASE,
)


def parse_casting_time(text: str) -> tuple[str, str | None]:
    """Key of a casting time, and the condition of a reaction.

    `1 bonus action` gives (`bonus-action`, null), `10 minutes` gives (`10minutes`, null),
    `1 reaction, which you take when …` gives (`reaction`, `which you take when …`). Keys are read as well, so
    every spelling that people use leads to the same key. A text of another form is its own key, lower case
    and hyphenated.
    """
    stripped = text.strip()
    match = _CASTING_TIME.match(stripped)
    if match is None:
        return re.sub(r"[^a-z0-9]+", "-", stripped.lower()).strip("-"), None
    if match["bonus"]:
        key = "bonus-action"
    elif match["plain"]:
        key = match["plain"].lower()
    else:
        plural = "s" if int(match["count"]) != 1 else ""
        key = f"{int(match['count'])}{match['unit'].lower()}{plural}"
    rest = stripped[match.end() :].strip(" ,.;")
    return key, rest if key == "reaction" and rest else None


def parse_range(text: str) -> float | None:
    """A spell's range in feet: 0 for Self and Touch, null for Sight, Special, Unlimited and unknown forms.

    `Self (15-foot cone)` is 0: the distance from the caster to where the effect begins.
    """
    lowered = text.strip().lower()
    if lowered.startswith(("self", "touch")):
        return 0.0
    match = re.match(r"([\d,]+)\s*(feet|foot|ft\.?|miles?)", lowered)
    if match is None:
        return None
    distance = float(match[1].replace(",", ""))
    return distance * FEET_PER_MILE if match[2].startswith("mile") else distance


def feet(value: object) -> int | None:
    """The first distance of `30 ft.`, `30 ft. or 10 ft. while deafened`, or a number; null without one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value)
    match = re.search(r"\d+", value) if isinstance(value, str) else None
    return int(match[0]) if match else None


def parse_material_cost(text: str | None) -> float | None:
    """The highest single price named in a material component, in gold pieces; null without a price."""
    prices = re.findall(r"(\d[\d,]*(?:\.\d+)?)\s*gp\b", text or "")
    return max((float(price.replace(",", "")) for price in prices), default=None)


def is_consumed(text: str | None) -> bool:
    """Whether a material component says that the casting uses it up."""
    return "consume" in (text or "").lower()


_TYPE = "|".join(DAMAGE_TYPES)
_DEALT = re.compile(
    rf"\d+d\d+(?:\s*\+\s*\d+)?\s+((?:{_TYPE})(?:(?:,|,? or|,? and)\s+(?:{_TYPE}))*)\s+damage"
    rf"|\b({_TYPE}) damage equal to \d+d\d+",
    re.IGNORECASE,
)


def parse_damage_dealt(description: str) -> tuple[str, ...]:
    """Keys of the damage types that a text rolls dice for, in the order of the text.

    `2d8 bludgeoning damage and 4d6 cold damage`, `5d10 radiant or necrotic damage`. Damage that is only
    spoken of ("resistance to fire damage") does not count.
    """
    found: dict[str, None] = {}
    for match in _DEALT.finditer(description):
        for word in re.findall(r"\w+", (match[1] or match[2]).lower()):
            if word in DAMAGE_TYPES:
                found[word] = None
    return tuple(found)


def parse_damage_types(texts: Sequence[str]) -> tuple[str, ...]:
    """Keys of the damage types named in resistances and the like, each once, in the order of the texts."""
    words = [word for text in texts for word in re.findall(r"[a-z]+", text.lower())]
    return tuple(dict.fromkeys(word for word in words if word in DAMAGE_TYPES))


_ABILITY = "|".join(ABILITIES.values())
# "disadvantage on Dexterity saving throws" asks for none, "must make a successful Constitution saving throw" does.
_ASKED_SAVE = re.compile(
    rf"\b(?:makes?|succeeds? on) an? (?:successful )?({_ABILITY}) saving throw", re.IGNORECASE
)
_DC_SAVE = re.compile(rf"\bDC (\d+) ({_ABILITY}) saving throw", re.IGNORECASE)


def parse_asked_save(description: str) -> tuple[str, str] | None:
    """Ability and success (`half`, `none`) of the first save that a spell's text asks for; null if none."""
    match = _ASKED_SAVE.search(description)
    return (match[1].lower(), save_success(description)) if match else None


def parse_asked_saves(description: str) -> tuple[str, ...]:
    """The abilities of all saves that a spell's text asks for, each once, in the order of the text."""
    return tuple(dict.fromkeys(match[1].lower() for match in _ASKED_SAVE.finditer(description)))


def parse_dc_save(description: str) -> tuple[str, int, str] | None:
    """Ability, difficulty class and success of the first save in a creature's text; null without one."""
    match = _DC_SAVE.search(description)
    return (match[2].lower(), int(match[1]), save_success(description)) if match else None


def save_success(description: str) -> str:
    """What a success does by the text: `half` where it speaks of half the damage, else `none`."""
    return "half" if re.search(r"half as much|half the (?:\w+ )?damage", description) else "none"


def parse_spell_attack(description: str) -> str | None:
    """`melee` or `ranged` when a spell's text asks for a spell attack."""
    match = re.search(r"\b(melee|ranged) spell attack", description, re.IGNORECASE)
    return match[1].lower() if match else None


def parse_alignments(text: str) -> tuple[str, ...]:
    """Keys of the alignments that a stat block's text allows; empty when the text is of no known form.

    `any non-good alignment` gives the six that are not good, `neutral good (50%) or neutral evil (50%)` two,
    `unaligned` itself.
    """
    lowered = re.sub(r"\([^)]*\)|\btypically\b", " ", text.lower())
    match = re.fullmatch(r"any (?:(non-)?(\w+) )?alignment", lowered.strip())
    if match is not None:
        excluded, word = match[1] is not None, match[2]
        return tuple(key for key in ALIGNMENTS if word is None or (word in key.split("-")) is not excluded)
    keys = ["-".join(part.split()) for part in re.split(r"\bor\b|,", lowered)]
    return tuple(key for key in keys if key in ALIGNMENTS or key == "unaligned")
