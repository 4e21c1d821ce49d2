"""Creatures in the upstream's shape, made from our records."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sources.dnd.records import Bonus, Creature, DamageRoll, Feature
from sources.dnd.vocabulary import ability_modifier
from tests.support.fake_open5e.corpus import NO_LINKS, Corpus, Row, reference
from tests.support.fake_open5e.endpoints import ABILITIES, SKILLS

_ABILITY_OF_SKILL = {
    "athletics": "strength",
    **dict.fromkeys(("acrobatics", "sleight_of_hand", "stealth"), "dexterity"),
    **dict.fromkeys(("arcana", "history", "investigation", "nature", "religion"), "intelligence"),
    **dict.fromkeys(("animal_handling", "insight", "medicine", "perception", "survival"), "wisdom"),
    **dict.fromkeys(("deception", "intimidation", "performance", "persuasion"), "charisma"),
}
_DICE = re.compile(r"(\d+)d(\d+)(?:([+-])(\d+))?")
_SIGHT = 10_560
"""Feet that every creature of the upstream sees by daylight."""


def add_creatures(corpus: Corpus, creatures: tuple[Creature, ...]) -> None:
    """Adds the stat blocks of the SRD 5.1."""
    languages = {record.row["name"]: record.row for record in corpus.records("languages")}
    for creature in creatures:
        document = corpus.document_object(creature.document_key)
        corpus.add("creatures", creature_row(creature, document, languages), document="srd-2014")


def creature_row(creature: Creature, document: Row, languages: dict[str, Row]) -> Row:
    """The creature as `/v2/creatures/` answers it; `languages` are rows by name."""
    scores = {ability: int(getattr(creature, ability)) for ability in ABILITIES}
    modifiers = {ability: ability_modifier(score) for ability, score in scores.items()}
    saves, skills = _bonuses(creature.saving_throws), _bonuses(creature.skills)
    spoken = creature.languages or ""
    return {
        "key": creature.key,
        "name": creature.name,
        "document": document,
        "type": reference(creature.type),
        "size": reference(creature.size),
        "challenge_rating": float(creature.challenge_rating),
        "proficiency_bonus": None,
        "speed": _speed(creature),
        "speed_all": _speed_all(creature),
        "category": "Monsters",
        "subcategory": None,
        "alignment": creature.alignment,
        "languages": {
            "as_string": spoken,
            "data": [
                {"name": name, "key": row["key"], "desc": row["desc"]}
                for name, row in languages.items()
                if re.search(rf"\b{re.escape(name)}\b", spoken)
            ],
        },
        "armor_class": creature.armor_class,
        "armor_detail": creature.armor_detail or "",
        "hit_points": creature.hit_points,
        "hit_dice": creature.hit_points_roll.replace(" ", ""),
        "experience_points": creature.experience_points,
        "ability_scores": scores,
        "modifiers": modifiers,
        "initiative_bonus": modifiers["dexterity"],
        "saving_throws": saves,
        "saving_throws_all": {**modifiers, **saves},
        "skill_bonuses": skills,
        "skill_bonuses_all": {
            skill: skills.get(skill, modifiers[_ABILITY_OF_SKILL[skill]]) for skill in SKILLS
        },
        "passive_perception": creature.passive_perception,
        "resistances_and_immunities": {
            "damage_immunities_display": "; ".join(creature.damage_immunities),
            "damage_immunities": _references(creature.damage_immunity_types),
            "damage_resistances_display": "; ".join(creature.damage_resistances),
            "damage_resistances": _references(creature.damage_resistance_types),
            "damage_vulnerabilities_display": "; ".join(creature.damage_vulnerabilities),
            "damage_vulnerabilities": _references(creature.damage_vulnerability_types),
            "condition_immunities_display": ", ".join(item.key for item in creature.condition_immunities),
            "condition_immunities": _references(item.key for item in creature.condition_immunities),
        },
        "normal_sight_range": _SIGHT,
        "darkvision_range": creature.darkvision,
        "blindsight_range": creature.blindsight,
        "tremorsense_range": creature.tremorsense,
        "truesight_range": creature.truesight,
        "actions": _actions(creature),
        "traits": [{"name": _printed(trait), "desc": trait.description} for trait in creature.traits],
        "creaturesets": [],
        "environments": _references(creature.environments),
        "illustration": None,
        "crossreferences": dict(NO_LINKS),
    }


def _bonuses(bonuses: Iterable[Bonus]) -> dict[str, int]:
    return {bonus.key.replace("-", "_"): bonus.bonus for bonus in bonuses}


def _references(keys: Iterable[str]) -> list[Row]:
    return [reference(key) for key in sorted(keys)]


def _speed(creature: Creature) -> Row:
    speed: Row = {"walk": creature.speed_walk or 0, "unit": "feet"}
    for way in ("fly", "burrow", "climb", "swim"):
        feet = getattr(creature, f"speed_{way}")
        if feet is not None:
            speed[way] = feet
    return {**speed, "hover": True} if creature.hover else speed


def _speed_all(creature: Creature) -> Row:
    """With what every creature can do at half its pace."""
    walk = creature.speed_walk or 0
    half = walk // 2
    return {
        "unit": "feet",
        "walk": walk,
        "crawl": half,
        "hover": creature.hover,
        "fly": creature.speed_fly or 0,
        "burrow": creature.speed_burrow or 0,
        "climb": half if creature.speed_climb is None else creature.speed_climb,
        "swim": half if creature.speed_swim is None else creature.speed_swim,
    }


def _printed(feature: Feature) -> str:
    return f"{feature.name} ({feature.usage})" if feature.usage else feature.name


def _actions(creature: Creature) -> list[Row]:
    """All kinds in one list, in the order of their names."""
    kinds = {
        "ACTION": creature.actions,
        "BONUS_ACTION": creature.bonus_actions,
        "REACTION": creature.reactions,
        "LEGENDARY_ACTION": creature.legendary_actions,
    }
    actions = [
        {
            "name": feature.name,
            "desc": feature.description,
            "attacks": _attacks(feature),
            "action_type": kind,
            "order_in_statblock": position,
            "legendary_action_cost": None if feature.usage else feature.legendary_action_cost or 1,
            "limited_to_form": None,
            "usage_limits": _usage(feature.usage),
        }
        for kind, features in kinds.items()
        for position, feature in enumerate(features)
    ]
    return sorted(actions, key=lambda action: (action["name"], action["action_type"]))


def _usage(usage: str | None) -> Row | None:
    if usage is None:
        return None
    number = re.search(r"\d+", usage)
    kind = "PER_DAY"
    if usage.startswith("Recharge"):
        kind = "RECHARGE_ON_ROLL" if number else "RECHARGE_AFTER_REST"
    return {"type": kind, "param": int(number[0]) if number else None}


def _attacks(feature: Feature) -> list[Row]:
    if feature.attack_bonus is None:
        return []
    main, extra = (*feature.damage, None, None)[:2]
    reach = re.search(r"reach (\d+)", feature.description)
    distance = re.search(r"range (\d+)(?:/(\d+))?", feature.description)
    return [
        {
            "name": f"{feature.name} attack",
            "attack_type": "SPELL" if "Spell Attack" in feature.description else "WEAPON",
            "to_hit_mod": feature.attack_bonus,
            "reach": int(reach[1]) if reach else None,
            "range": int(distance[1]) if distance else None,
            "long_range": int(distance[2]) if distance and distance[2] else None,
            "target_creature_only": "one creature" in feature.description,
            **_damage("", main),
            **_damage("extra_", extra),
            "distance_unit": "feet",
        }
    ]


def _damage(prefix: str, roll: DamageRoll | None) -> Row:
    dice = _DICE.match(roll.dice) if roll else None
    bonus = int(f"{dice[3]}{dice[4]}") if dice and dice[3] else None
    return {
        f"{prefix}damage_die_count": int(dice[1]) if dice else None,
        f"{prefix}damage_die_type": f"D{dice[2]}" if dice else None,
        f"{prefix}damage_bonus": bonus,
        f"{prefix}damage_type": reference(roll.damage_type) if roll and roll.damage_type else None,
    }
