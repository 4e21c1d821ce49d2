"""Traits, actions and reactions of the D&D 5e API record shape as our records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from sources.dnd.parsing import (
    MalformedRecord,
    Raw,
    compact_dice,
    index_of,
    items,
    paragraphs,
    parse_dc_save,
    record_name,
    required_text,
)
from sources.dnd.records import DamageRoll, Feature, SavingThrow
from sources.dnd.vocabulary import ABILITIES

_COST = re.compile(r"\s*\(costs (\d+) actions?\)", re.IGNORECASE)


def normalise_features(raw: Raw, field: str, *, legendary: bool = False) -> tuple[Feature, ...]:
    """The features at `field` of a creature's record; `legendary` ones have a cost, 1 where none is printed.

    Raises MalformedRecord when a feature has no name.
    """
    features = items(raw, field)
    if not all(isinstance(feature, Mapping) and feature.get("name") for feature in features):
        raise MalformedRecord(record_name(raw), field, "holds a feature without a name")
    return tuple(_feature(feature, legendary) for feature in features)


def _feature(raw: Raw, legendary: bool) -> Feature:
    name = required_text(raw, "name")
    description = paragraphs(raw.get("desc")) or ""
    cost = _COST.search(name)
    return Feature(
        name=_COST.sub("", name) if legendary else name,
        description=description,
        attack_bonus=_attack_bonus(raw, description),
        damage=tuple(_damage(raw)),
        save=_saving_throw(raw, description),
        usage=_usage(raw),
        legendary_action_cost=(int(cost[1]) if cost else 1) if legendary else None,
    )


def _attack_bonus(raw: Raw, description: str) -> int | None:
    """The bonus to hit. Records pad features that are no attack with 0: a 0 counts only beside `to hit`."""
    bonus = raw.get("attack_bonus")
    return bonus if isinstance(bonus, int) and (bonus or "to hit" in description) else None


def _damage(raw: Raw) -> Iterator[DamageRoll]:
    """Every roll: the ones always dealt, then those of a choice, named by what is chosen.

    A choice stands in `damage` (one or two hands) or beside it (`options` and `attacks`: a dragon's breaths).
    """
    for roll in items(raw, "damage"):
        if "damage_dice" in roll:
            yield _roll(roll)
        else:
            for option in _options(roll.get("from")):
                yield _roll(option, str(option.get("notes") or _damage_name(option)))
    for part in [*_options((raw.get("options") or {}).get("from")), *items(raw, "attacks")]:
        for roll in items(part, "damage"):
            if "damage_dice" in roll:
                yield _roll(roll, part.get("name"))


def _options(choices: object) -> list[Raw]:
    options = choices.get("options") if isinstance(choices, Mapping) else None
    return [option for option in options or () if isinstance(option, Mapping)]


def _roll(raw: Raw, choice: str | None = None) -> DamageRoll:
    return DamageRoll(compact_dice(str(raw["damage_dice"])), index_of(raw.get("damage_type")), choice)


def _damage_name(raw: Raw) -> str:
    return str((raw.get("damage_type") or {}).get("name", "one of several"))


def _saving_throw(raw: Raw, description: str) -> SavingThrow | None:
    """The save of the record, or the first one in its text where the record names none."""
    dc = raw.get("dc")
    ability = ABILITIES.get(index_of(dc.get("dc_type")) or "") if isinstance(dc, Mapping) else None
    if isinstance(dc, Mapping) and ability is not None and isinstance(dc.get("dc_value"), int):
        return SavingThrow(ability, dc["dc_value"], str(dc.get("success_type") or "none"))
    parsed = parse_dc_save(description)
    return SavingThrow(*parsed) if parsed else None


def _usage(raw: Raw) -> str | None:
    """How often a feature can be used, in the words of a stat block."""
    usage = raw.get("usage")
    if not isinstance(usage, Mapping):
        return None
    kind = usage.get("type")
    if kind == "per day":
        return f"{usage.get('times', 1)}/Day"
    if kind == "recharge on roll":
        lowest, highest = usage.get("min_value", 6), str(usage.get("dice", "1d6")).partition("d")[2]
        return f"Recharge {lowest}" if str(lowest) == highest else f"Recharge {lowest}-{highest}"
    if kind == "recharge after rest":
        rests = " or ".join(str(rest).capitalize() for rest in usage.get("rest_types") or ())
        return f"Recharge after a {rests} Rest" if rests else "Recharge after a Rest"
    if kind == "per rest":
        return f"{usage.get('times', 1)}/Rest"
    return str(kind) if kind else None
