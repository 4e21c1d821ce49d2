"""A creature of the D&D 5e API record shape as our record."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sources.dnd.normalise_feature import normalise_features
from sources.dnd.parsing import (
    MalformedRecord,
    Raw,
    feet,
    index_of,
    items,
    paragraphs,
    parse_alignments,
    parse_damage_types,
    record_name,
    required_integer,
    required_text,
)
from sources.dnd.records import Bonus, Creature, Reference
from sources.dnd.vocabulary import (
    ABILITIES,
    EXPERIENCE_POINTS,
    ability_modifier,
    creature_slug,
    proficiency_bonus,
)

_SWARM = re.compile(r"swarm of (\w+) (\w+?)s?", re.IGNORECASE)


def normalise_creature(raw: Raw, *, document_key: str = "srd-2014", key_prefix: str = "srd") -> Creature:
    """The creature of a D&D 5e API detail record, as the API answers it or as an embedded copy holds it.

    Experience points come from the challenge rating table, since records carry slips there. Raises
    MalformedRecord when a field is missing that a stat block cannot do without.
    """
    slug = creature_slug(required_text(raw, "index"))
    type_text = required_text(raw, "type")
    swarm = _SWARM.fullmatch(type_text)
    alignment = required_text(raw, "alignment")
    armor_class, armor_detail = _armor(raw)
    hit_dice = required_text(raw, "hit_dice")
    rating = _challenge_rating(raw)
    speed = _mapping(raw, "speed")
    senses = _mapping(raw, "senses") if raw.get("senses") is not None else {}
    scores = {ability: required_integer(raw, ability) for ability in ABILITIES.values()}
    saving_throws, skills = _proficiencies(raw)
    vulnerabilities = _texts(raw, "damage_vulnerabilities")
    resistances = _texts(raw, "damage_resistances")
    immunities = _texts(raw, "damage_immunities")
    legendary_actions = normalise_features(raw, "legendary_actions", legendary=True)
    return Creature(
        key=f"{key_prefix}_{slug}",
        slug=slug,
        document_key=document_key,
        name=required_text(raw, "name"),
        description=paragraphs(raw.get("desc")),
        size=required_text(raw, "size").lower(),
        type=(swarm[2] if swarm else type_text).lower(),
        subtype=raw.get("subtype") or None,
        swarm=swarm is not None,
        swarm_size=swarm[1].lower() if swarm else None,
        alignment=alignment,
        alignments=parse_alignments(alignment),
        armor_class=armor_class,
        armor_detail=armor_detail,
        hit_points=required_integer(raw, "hit_points"),
        hit_dice=hit_dice,
        hit_points_roll=raw.get("hit_points_roll") or hit_dice,
        challenge_rating=rating,
        experience_points=_experience_points(raw, rating),
        proficiency_bonus=raw.get("proficiency_bonus") or proficiency_bonus(rating),
        speed_walk=feet(speed.get("walk")),
        speed_fly=feet(speed.get("fly")),
        speed_swim=feet(speed.get("swim")),
        speed_climb=feet(speed.get("climb")),
        speed_burrow=feet(speed.get("burrow")),
        hover=bool(speed.get("hover", False)),
        strength=scores["strength"],
        dexterity=scores["dexterity"],
        constitution=scores["constitution"],
        intelligence=scores["intelligence"],
        wisdom=scores["wisdom"],
        charisma=scores["charisma"],
        saving_throws=saving_throws,
        skills=skills,
        damage_vulnerabilities=vulnerabilities,
        damage_resistances=resistances,
        damage_immunities=immunities,
        damage_vulnerability_types=parse_damage_types(vulnerabilities),
        damage_resistance_types=parse_damage_types(resistances),
        damage_immunity_types=parse_damage_types(immunities),
        condition_immunities=tuple(
            Reference(item["index"], item["name"])
            for item in items(raw, "condition_immunities")
            if index_of(item) is not None
        ),
        darkvision=feet(senses.get("darkvision")),
        blindsight=feet(senses.get("blindsight")),
        tremorsense=feet(senses.get("tremorsense")),
        truesight=feet(senses.get("truesight")),
        passive_perception=_passive_perception(senses, skills, scores["wisdom"]),
        languages=str(raw.get("languages") or "").strip() or None,
        traits=normalise_features(raw, "special_abilities"),
        actions=normalise_features(raw, "actions"),
        bonus_actions=normalise_features(raw, "bonus_actions"),
        reactions=normalise_features(raw, "reactions"),
        legendary_actions=legendary_actions,
        environments=tuple(str(item) for item in items(raw, "environments")),
        legendary=bool(legendary_actions),
    )


def _mapping(raw: Raw, field: str) -> Raw:
    value = raw.get(field)
    if not isinstance(value, Mapping):
        raise MalformedRecord(record_name(raw), field, "is missing" if value is None else "is not an object")
    return value


def _texts(raw: Raw, field: str) -> tuple[str, ...]:
    return tuple(text.strip() for text in items(raw, field) if isinstance(text, str) and text.strip())


def _armor(raw: Raw) -> tuple[int, str | None]:
    """Armor class and its detail.

    The first entry is the class. A later one counts instead when it is worn armor (the shield of an azer),
    and is only told of when it needs a spell or a condition: the SRD prints `12 (15 with mage armor)`.
    """
    value = raw.get("armor_class")
    if isinstance(value, int) and not isinstance(value, bool):
        return value, None
    entries = items(raw, "armor_class")
    if not entries or not all(isinstance(entry, Mapping) for entry in entries):
        raise MalformedRecord(record_name(raw), "armor_class", "is missing or empty")
    armor_class, details = required_integer(entries[0], "value"), []
    for position, entry in enumerate(entries):
        number, kind = required_integer(entry, "value"), entry.get("type")
        worn = [str(piece["name"]).lower() for piece in entry.get("armor") or ()]
        if entry.get("desc"):
            details.append(str(entry["desc"]))
        elif kind == "spell":
            details.append(f"{number} with {str(entry['spell']['name']).lower()}")
        elif kind == "condition":
            details.append(f"{number} while {str(entry['condition']['name']).lower()}")
        elif kind == "natural":
            details.append("natural armor")
        elif worn:
            details.extend(worn)
        if position and kind not in ("spell", "condition"):
            armor_class = number
    return armor_class, ", ".join(details) or None


def _challenge_rating(raw: Raw) -> float:
    value = raw.get("challenge_rating")
    if isinstance(value, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)(?:/([1-9]\d*))?\s*", value)
        if match is not None:
            return float(match[1]) / float(match[2] or 1)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    problem = "is missing" if value is None else "is not a number"
    raise MalformedRecord(record_name(raw), "challenge_rating", problem)


def _experience_points(raw: Raw, rating: float) -> int:
    """By the table; at rating 0, 0 or 10 as the record says, and the record's where the table has no row."""
    if rating in EXPERIENCE_POINTS:
        return EXPERIENCE_POINTS[rating]
    return required_integer(raw, "xp")


def _proficiencies(raw: Raw) -> tuple[tuple[Bonus, ...], tuple[Bonus, ...]]:
    """Saving throws and skills, each in the order of the record."""
    saving_throws, skills = [], []
    for item in items(raw, "proficiencies"):
        proficiency = item.get("proficiency") or {}
        index, name = index_of(proficiency) or "", str(proficiency.get("name", ""))
        if index.startswith("saving-throw-"):
            ability = ABILITIES.get(index.removeprefix("saving-throw-"))
            if ability is None:
                raise MalformedRecord(record_name(raw), "proficiencies", f"names no ability in `{index}`")
            saving_throws.append(Bonus(ability, ability.capitalize(), required_integer(item, "value")))
        elif index.startswith("skill-"):
            label = name.removeprefix("Skill:").strip()
            skills.append(Bonus(index.removeprefix("skill-"), label, required_integer(item, "value")))
    return tuple(saving_throws), tuple(skills)


def _passive_perception(senses: Raw, skills: tuple[Bonus, ...], wisdom: int) -> int:
    """As printed; else 10 and the creature's Perception bonus (SRD 5.1, "Using Ability Scores")."""
    printed = senses.get("passive_perception")
    if isinstance(printed, int):
        return printed
    bonus = next((skill.bonus for skill in skills if skill.key == "perception"), ability_modifier(wisdom))
    return 10 + bonus
