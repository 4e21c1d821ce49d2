"""A creature of Open5e v2 as our record, attribute by attribute.

Open5e has neither subtypes nor descriptions, gives no proficiency bonus, rates most creatures of challenge 0 as
worth nothing, and holds a save for each ability where the stat block of 2024 prints them all: all of that is
mended here from the rest of the record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from sources.dnd.open5e_features import can_attack, feature_texts, make_actions, make_traits
from sources.dnd.open5e_recipes import (
    SHARED,
    Recipe,
    Recipes,
    clean,
    decimal,
    key_of,
    keys_in,
    mapping,
    name_of,
    number,
    objects,
    optional_number,
    whole_number,
    word,
)
from sources.dnd.parsing import MalformedRecord, Raw, compact_dice, parse_alignments, parse_damage_types
from sources.dnd.records import Bonus, Reference
from sources.dnd.vocabulary import (
    ABILITIES,
    DAMAGE_TYPES,
    EXPERIENCE_POINTS,
    FEET_PER_MILE,
    ability_modifier,
    proficiency_bonus,
)

CREATURE_FIELDS = 38
"""How many top-level fields a creature of Open5e has."""

_PHYSICAL = frozenset(("bludgeoning", "piercing", "slashing"))
_FITS_THROUGH = re.compile(r"opening large enough for an? (tiny|small|medium)\b", re.IGNORECASE)


def _rating(raw: Raw) -> float:
    rating = decimal(raw.get("challenge_rating"))
    if rating is None:
        raise MalformedRecord(key_of(raw), "challenge_rating", "is missing or no number")
    return rating


def _experience(raw: Raw) -> int:
    """By the table. At rating 0 a creature that can attack is worth 10: Open5e says 0 of most."""
    rating = _rating(raw)
    if rating in EXPERIENCE_POINTS:
        return EXPERIENCE_POINTS[rating]
    said = int(decimal(raw.get("experience_points")) or 0)
    return said or (10 if rating == 0 and can_attack(raw) else 0)


def _proficiency(raw: Raw) -> int:
    said = raw.get("proficiency_bonus")
    return said if isinstance(said, int) and said else proficiency_bonus(_rating(raw))


def _alignment(raw: Raw) -> str:
    return clean(raw.get("alignment"))


def _armor_detail(raw: Raw) -> str | None:
    """Without the marks of Markdown: `15 with _mage armor_`."""
    return re.sub(r"[_*]+", "", clean(raw.get("armor_detail"))).strip() or None


def _roll(raw: Raw) -> str:
    return compact_dice(clean(raw.get("hit_dice")))


def _dice(raw: Raw) -> str:
    return re.split(r"[+-]", _roll(raw), maxsplit=1)[0]


def _speed(way: str) -> Callable[[Raw], int | None]:
    def make(raw: Raw) -> int | None:
        speed = mapping(raw, "speed")
        value = decimal(speed.get(way))
        if value is None:
            return None
        return int(value * FEET_PER_MILE if speed.get("unit") == "miles" else value)

    return make


def _ability(ability: str) -> Callable[[Raw], int]:
    return lambda raw: number(raw, f"ability_scores.{ability}", mapping(raw, "ability_scores").get(ability))


def _saves(raw: Raw) -> tuple[Bonus, ...]:
    """Those that a proficiency adds to: where all six are printed, most are bare modifiers."""
    saves, scores = mapping(raw, "saving_throws"), mapping(raw, "ability_scores")
    found: list[Bonus] = []
    if len(saves) == len(ABILITIES) and not any(saves.values()):
        return ()
    for ability in ABILITIES.values():
        bonus, score = saves.get(ability), scores.get(ability)
        if isinstance(bonus, int) and isinstance(score, int) and bonus > ability_modifier(score):
            found.append(Bonus(ability, ability.capitalize(), bonus))
    return tuple(found)


def _skills(raw: Raw) -> tuple[Bonus, ...]:
    """Those that the stat block prints. Where all are said to be 0, none is."""
    bonuses = mapping(raw, "skill_bonuses")
    if len(bonuses) > 1 and not any(bonuses.values()):
        return ()
    return tuple(
        Bonus(key.replace("_", "-"), key.replace("_", " ").title().replace(" Of ", " of "), int(bonus))
        for key, bonus in bonuses.items()
        if isinstance(bonus, int | float)
    )


def _defences(kind: str) -> Callable[[Raw], tuple[str, ...]]:
    """As printed: one entry for each type, and one for each clause with its condition."""

    def make(raw: Raw) -> tuple[str, ...]:
        defences = mapping(raw, "resistances_and_immunities")
        printed: list[str] = []
        for clause in clean(defences.get(f"damage_{kind}_display")).split(";"):
            pieces = [piece.strip() for piece in clause.split(",")]
            plain = all(piece.lower() in DAMAGE_TYPES for piece in pieces)
            printed.extend(pieces if plain else [clause.strip()])
        shown = [text for text in printed if text]
        return tuple(dict.fromkeys(shown or keys_in(defences, f"damage_{kind}")))

    return make


def _defence_types(kind: str) -> Callable[[Raw], tuple[str, ...]]:
    """The types that the text names.

    The list beside it holds all three physical types wherever the text speaks of weapons that are not magical,
    and in places without any such words: it counts where the text leaves the types unnamed.
    """
    printed = _defences(kind)

    def make(raw: Raw) -> tuple[str, ...]:
        defences = mapping(raw, "resistances_and_immunities")
        named = parse_damage_types(printed(raw))
        text = clean(defences.get(f"damage_{kind}_display"))
        if named and ("nonmagical" not in text or not _PHYSICAL.isdisjoint(named)):
            return named
        listed = (key for key in keys_in(defences, f"damage_{kind}") if key in DAMAGE_TYPES)
        return tuple(dict.fromkeys((*named, *listed)))

    return make


def _condition_immunities(raw: Raw) -> tuple[Reference, ...]:
    return tuple(
        Reference(str(item["key"]), str(item.get("name") or item["key"]))
        for item in objects(mapping(raw, "resistances_and_immunities"), "condition_immunities")
        if isinstance(item.get("key"), str)
    )


def _passive_perception(raw: Raw) -> int:
    """As printed; else 10 and its Perception bonus (SRD 5.1, "Using Ability Scores")."""
    printed = decimal(raw.get("passive_perception"))
    if printed is not None:
        return int(printed)
    bonus = decimal(mapping(raw, "skill_bonuses").get("perception"))
    return 10 + int(ability_modifier(_ability("wisdom")(raw)) if bonus is None else bonus)


def _languages(raw: Raw) -> str | None:
    return clean(mapping(raw, "languages").get("as_string")) or None


def _is_swarm(raw: Raw) -> bool:
    return re.search(r"\bswarm of\b|\bswarm$|^swarm\b", name_of(raw), re.IGNORECASE) is not None


def _swarm_size(raw: Raw) -> str | None:
    """The size of its members, which only the trait of swarms tells: what opening they fit through."""
    if not _is_swarm(raw):
        return None
    texts = (clean(trait.get("desc")) for trait in objects(raw, "traits"))
    found = next((match for text in texts if (match := _FITS_THROUGH.search(text))), None)
    return found[1].lower() if found else None


def _is_legendary(raw: Raw) -> bool:
    return any(action.get("action_type") == "LEGENDARY_ACTION" for action in objects(raw, "actions"))


_ACTION_KINDS = {
    "actions": "ACTION",
    "bonus_actions": "BONUS_ACTION",
    "reactions": "REACTION",
    "legendary_actions": "LEGENDARY_ACTION",
}


def _actions(kind: str) -> Recipe:
    return Recipe(("actions", "key"), lambda raw: make_actions(raw, kind))


def _text(raw: Raw) -> str:
    """What full text finds a creature by, as in the tables of the local records."""
    parts: Iterable[str] = (
        name_of(raw),
        str(word("type").make(raw)),
        _alignment(raw),
        _languages(raw) or "",
        *feature_texts(make_traits(raw)),
        *(text for kind in _ACTION_KINDS.values() for text in feature_texts(make_actions(raw, kind))),
    )
    return "\n".join(part for part in parts if part)


def _defence(kind: str) -> dict[str, Recipe]:
    singular = {"vulnerabilities": "vulnerability", "resistances": "resistance", "immunities": "immunity"}[
        kind
    ]
    fields = ("resistances_and_immunities",)
    return {
        f"damage_{kind}": Recipe(fields, _defences(kind)),
        f"damage_{singular}_types": Recipe(fields, _defence_types(kind)),
    }


def _nothing(value: Any) -> Recipe:
    return Recipe(("key",), lambda raw: value)


CREATURE_RECIPES: Recipes = {
    **SHARED,
    "description": _nothing(None),
    "size": word("size"),
    "type": word("type"),
    "subtype": _nothing(None),
    "swarm": Recipe(("name", "key"), _is_swarm),
    "swarm_size": Recipe(("name", "key", "traits"), _swarm_size),
    "alignment": Recipe(("alignment",), _alignment),
    "alignments": Recipe(("alignment",), lambda raw: parse_alignments(_alignment(raw))),
    "armor_class": whole_number("armor_class"),
    "armor_detail": Recipe(("armor_detail",), _armor_detail),
    "hit_points": whole_number("hit_points"),
    "hit_dice": Recipe(("hit_dice",), _dice),
    "hit_points_roll": Recipe(("hit_dice",), _roll),
    "challenge_rating": Recipe(("challenge_rating", "key"), _rating),
    "experience_points": Recipe(("challenge_rating", "experience_points", "actions", "key"), _experience),
    "proficiency_bonus": Recipe(("proficiency_bonus", "challenge_rating", "key"), _proficiency),
    **{f"speed_{way}": Recipe(("speed",), _speed(way)) for way in ("walk", "fly", "swim", "climb", "burrow")},
    "hover": Recipe(("speed",), lambda raw: mapping(raw, "speed").get("hover") is True),
    **{ability: Recipe(("ability_scores", "key"), _ability(ability)) for ability in ABILITIES.values()},
    "saving_throws": Recipe(("saving_throws", "ability_scores"), _saves),
    "skills": Recipe(("skill_bonuses",), _skills),
    **_defence("vulnerabilities"),
    **_defence("resistances"),
    **_defence("immunities"),
    "condition_immunities": Recipe(("resistances_and_immunities",), _condition_immunities),
    **{
        sense: optional_number(f"{sense}_range")
        for sense in ("darkvision", "blindsight", "tremorsense", "truesight")
    },
    "passive_perception": Recipe(
        ("passive_perception", "skill_bonuses", "ability_scores", "key"), _passive_perception
    ),
    "languages": Recipe(("languages",), _languages),
    "traits": Recipe(("traits", "key"), make_traits),
    **{name: _actions(kind) for name, kind in _ACTION_KINDS.items()},
    "environments": Recipe(("environments",), lambda raw: keys_in(raw, "environments")),
    "legendary": Recipe(("actions",), _is_legendary),
    "text": Recipe(("name", "key", "type", "alignment", "languages", "traits", "actions"), _text),
}
"""How each attribute of a creature is made."""
