"""Traits, actions and reactions of a creature of Open5e v2 as our records.

Rolls are read from the text, as people read a stat block: the structured attacks beside it name wrong types
(everything deals thunder in whole books) and leave the bonus of the damage out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sources.dnd.open5e_recipes import clean, decimal, key_of, mapping, objects
from sources.dnd.parsing import MalformedRecord, Raw, compact_dice, parse_dc_save
from sources.dnd.records import DamageRoll, Feature, SavingThrow
from sources.dnd.vocabulary import ABILITIES, DAMAGE_TYPES

_ABILITY = "|".join(ABILITIES.values())
_TYPE = "|".join(DAMAGE_TYPES)
_USES = re.compile(
    r"\s*\(((?:\d+\s*/\s*(?:day|rest|short rest|long rest|turn)|recharges?\b)[^)]*)\)\s*$", re.IGNORECASE
)
_COST = re.compile(r"\s*\((?:costs )?(\d+) actions?\)", re.IGNORECASE)
_TO_HIT = re.compile(r"Attack(?: Roll)?s?: ?([+−-]\s?\d+)|([+−-]\s?\d+) to hit(?! with)", re.IGNORECASE)
_DAMAGE = re.compile(
    rf"(?<![\w.])(?:\d+\s*)?\(?((?:\d+d\d+(?:\s*[+−-]\s*\d+)?)|\d+)\)?\s+({_TYPE})\s+damage", re.IGNORECASE
)
_TWO_HANDS = re.compile(r"\s*(?:if|when)\b[^.]*\btwo hands", re.IGNORECASE)
_SAVE_2024 = re.compile(rf"\b({_ABILITY}) Saving Throw: DC (\d+)", re.IGNORECASE)


def make_actions(raw: Raw, kind: str) -> tuple[Feature, ...]:
    """The actions of one `action_type`, in the order of the stat block."""
    chosen = [action for action in objects(raw, "actions") if action.get("action_type") == kind]
    chosen.sort(key=lambda action: decimal(action.get("order_in_statblock")) or 0)
    return tuple(_feature(raw, action, legendary=kind == "LEGENDARY_ACTION") for action in chosen)


def make_traits(raw: Raw) -> tuple[Feature, ...]:
    """The traits, in the order of the record."""
    return tuple(_feature(raw, trait) for trait in objects(raw, "traits"))


def can_attack(raw: Raw) -> bool:
    """Whether any of its actions is an attack."""
    return any(
        objects(action, "attacks") or _TO_HIT.search(clean(action.get("desc")))
        for action in objects(raw, "actions")
    )


def _feature(owner: Raw, raw: Raw, *, legendary: bool = False) -> Feature:
    printed = clean(raw.get("name"))
    if not printed:
        raise MalformedRecord(key_of(owner), "actions", "holds a feature without a name")
    description = clean(raw.get("desc"))
    name, in_name = _without_uses(printed)
    cost = None
    if legendary:
        named = _COST.search(name)
        name = _COST.sub("", name)
        cost = int(named[1]) if named else int(decimal(raw.get("legendary_action_cost")) or 1)
    return Feature(
        name=name,
        description=description,
        attack_bonus=_attack_bonus(description),
        damage=_damage(description),
        save=_save(description),
        usage=in_name or _usage(mapping(raw, "usage_limits")),
        legendary_action_cost=cost,
    )


def _without_uses(printed: str) -> tuple[str, str | None]:
    """A name, and how often the thing can be used where the name says so: `Legendary Resistance (3/Day)`."""
    match = _USES.search(printed)
    if match is None or re.match(r"\d+\s*/\s*turn", match[1], re.IGNORECASE):
        return printed, None
    uses = re.sub(r"\brecharges after\b", "Recharge after", match[1].strip(), flags=re.IGNORECASE)
    return printed[: match.start()], uses.replace("–", "-")


def _usage(limits: Raw) -> str | None:
    kind, count = limits.get("type"), limits.get("param")
    match kind:
        case "PER_DAY":
            return f"{count or 1}/Day"
        case "RECHARGE_ON_ROLL" | "RECHARGE" if isinstance(count, int):
            return "Recharge 6" if count == 6 else f"Recharge {count}-6"
        case "RECHARGE_AFTER_REST" | "RECHARGE":
            return "Recharge after a Short or Long Rest"
        case str():
            return kind.replace("_", " ").capitalize()
    return None


def _attack_bonus(description: str) -> int | None:
    match = _TO_HIT.search(description)
    if match is None:
        return None
    return int((match[1] or match[2]).replace("−", "-").replace(" ", ""))


def _damage(description: str) -> tuple[DamageRoll, ...]:
    """Every roll of damage that the text names; one or two hands are a choice."""
    rolls: list[DamageRoll] = []
    end = 0
    for match in _DAMAGE.finditer(description):
        roll = DamageRoll(compact_dice(match[1]), match[2].lower())
        between = description[end : match.start()]
        if rolls and re.fullmatch(r",?\s*or\s+", between) and _TWO_HANDS.match(description, match.end()):
            rolls[-1] = DamageRoll(rolls[-1].dice, rolls[-1].damage_type, "One handed")
            roll = DamageRoll(roll.dice, roll.damage_type, "Two handed")
        if roll not in rolls:
            rolls.append(roll)
        end = match.end()
    return tuple(rolls)


def _save(description: str) -> SavingThrow | None:
    """The first save: `DC 21 Dexterity saving throw`, or `Dexterity Saving Throw: DC 21` as of 2024."""
    match = _SAVE_2024.search(description)
    if match is not None:
        half = re.search(r"\bSuccess: Half\b", description, re.IGNORECASE)
        return SavingThrow(match[1].lower(), int(match[2]), "half" if half else "none")
    parsed = parse_dc_save(description)
    return SavingThrow(*parsed) if parsed else None


def feature_texts(features: tuple[Feature, ...]) -> Iterator[str]:
    """Names and descriptions, for full text."""
    for feature in features:
        yield feature.name
        yield feature.description
