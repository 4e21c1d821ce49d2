"""Filters over spells and creatures. Where LoreKeeper has a parameter for a condition, the name is its."""

from typing import Annotated

import strawberry

from schema.dnd import wording
from schema.dnd.vocabularies import (
    Ability,
    Alignment,
    ConditionName,
    CreatureSize,
    CreatureType,
    DamageType,
    DndEdition,
    SpellAttack,
    SpellSchool,
)
from schema.filtering import alternatives, condition, negation
from sources.criteria import Op


@strawberry.input(
    description="Which spells to return. All given fields must hold; a list means any of its values."
)
class SpellFilter:
    name: str | None = condition("name", Op.CONTAINS, wording.NAME, max_length=200)
    name_exact: str | None = condition("name", Op.FOLDED_EQUALS, wording.NAME_EXACT, max_length=200)
    search: str | None = condition("text", Op.MATCHES, wording.SEARCH, max_length=1000)
    key: list[str] | None = condition(
        "key",
        Op.IN,
        "Keys, such as `srd_fireball`, or unique slugs, such as `fireball`. An empty list matches nothing.",
        keys=True,
        max_items=100,
        max_length=200,
    )
    level: list[int] | None = condition(
        "level", Op.IN, "Of one of these levels; 0 is a cantrip.", min=0, max=9, max_items=10
    )
    level_min: int | None = condition("level", Op.AT_LEAST, "Of this level or above.", min=0, max=9)
    level_max: int | None = condition("level", Op.AT_MOST, "Of this level or below.", min=0, max=9)
    school: list[SpellSchool] | None = condition("school", Op.IN, "Of one of these schools of magic.")
    class_key: list[str] | None = condition(
        "classes",
        Op.HAS_ANY,
        "On the spell list of one of these classes, such as `wizard` or `srd_wizard`. An empty list matches "
        "nothing.",
        keys=True,
        max_items=50,
        max_length=100,
    )
    casting_time: list[str] | None = condition(
        "casting_time",
        Op.IN,
        "Such as `action`, `bonus-action`, `reaction`, `1 minute`, `8hours`.",
        max_items=20,
        max_length=50,
    )
    concentration: bool | None = condition("concentration", Op.EQUALS, "Whether it needs concentration.")
    ritual: bool | None = condition("ritual", Op.EQUALS, "Whether it can be cast as a ritual.")
    damage_type: list[DamageType] | None = condition(
        "damage_types", Op.HAS_ANY, "Deals one of these types of damage."
    )
    saving_throw: list[Ability] | None = condition(
        "saving_throw_abilities", Op.HAS_ANY, "Asks for a saving throw with one of these abilities."
    )
    attack: list[SpellAttack] | None = condition(
        "attack_type", Op.IN, "Is cast with one of these kinds of spell attack."
    )
    verbal: bool | None = condition("verbal", Op.EQUALS, "Whether it has a verbal component.")
    somatic: bool | None = condition("somatic", Op.EQUALS, "Whether it has a somatic component.")
    material: bool | None = condition("material", Op.EQUALS, "Whether it has a material component.")
    material_consumed: bool | None = condition(
        "material_consumed", Op.EQUALS, "Whether casting it uses up a material."
    )
    range_min: float | None = condition(
        "range",
        Op.AT_LEAST,
        "Reaches at least this many feet; self and touch are 0.",
        min=0,
    )
    range_max: float | None = condition("range", Op.AT_MOST, "Reaches at most this many feet.", min=0)
    documents: list[str] | None = condition(
        "document_key", Op.IN, wording.DOCUMENTS, keys=True, max_items=50, max_length=100
    )
    edition: list[DndEdition] | None = condition("edition", Op.IN, wording.EDITION)
    any_of: list["SpellFilter"] | None = alternatives()
    not_: Annotated["SpellFilter", strawberry.lazy("schema.dnd.filters")] | None = negation()


@strawberry.input(
    description="Which creatures to return. All given fields must hold; a list means any of its values."
)
class CreatureFilter:
    name: str | None = condition("name", Op.CONTAINS, wording.NAME, max_length=200)
    name_exact: str | None = condition("name", Op.FOLDED_EQUALS, wording.NAME_EXACT, max_length=200)
    search: str | None = condition("text", Op.MATCHES, wording.SEARCH, max_length=1000)
    key: list[str] | None = condition(
        "key",
        Op.IN,
        "Keys, such as `srd_goblin`, or unique slugs, such as `goblin`. An empty list matches nothing.",
        keys=True,
        max_items=100,
        max_length=200,
    )
    cr: list[float] | None = condition(
        "challenge_rating",
        Op.IN,
        "Of one of these challenge ratings: 0, 0.125, 0.25, 0.5, 1 to 30.",
        min=0,
        max=30,
        max_items=40,
    )
    cr_min: float | None = condition(
        "challenge_rating", Op.AT_LEAST, "Of this challenge rating or above.", min=0, max=30
    )
    cr_max: float | None = condition(
        "challenge_rating", Op.AT_MOST, "Of this challenge rating or below.", min=0, max=30
    )
    type: list[CreatureType] | None = condition("type", Op.IN, "Of one of these types.")
    swarm: bool | None = condition("swarm", Op.EQUALS, "Whether it is a swarm.")
    size: list[CreatureSize] | None = condition("size", Op.IN, "Of one of these sizes.")
    alignment: list[Alignment] | None = condition(
        "alignments",
        Op.HAS_ANY,
        "Can have one of these alignments; one of any evil alignment is found under each evil one.",
    )
    armor_class_min: int | None = condition(
        "armor_class", Op.AT_LEAST, "With this armor class or above.", min=0, max=100
    )
    armor_class_max: int | None = condition(
        "armor_class", Op.AT_MOST, "With this armor class or below.", min=0, max=100
    )
    hit_points_min: int | None = condition(
        "hit_points", Op.AT_LEAST, "With this many hit points or more.", min=0
    )
    hit_points_max: int | None = condition(
        "hit_points", Op.AT_MOST, "With this many hit points or fewer.", min=0
    )
    speed_walk_min: int | None = condition("speed_walk", Op.AT_LEAST, "Walks at least this many feet.", min=0)
    speed_fly_min: int | None = condition("speed_fly", Op.AT_LEAST, "Flies at least this many feet.", min=0)
    speed_swim_min: int | None = condition("speed_swim", Op.AT_LEAST, "Swims at least this many feet.", min=0)
    speed_climb_min: int | None = condition(
        "speed_climb", Op.AT_LEAST, "Climbs at least this many feet.", min=0
    )
    speed_burrow_min: int | None = condition(
        "speed_burrow", Op.AT_LEAST, "Burrows at least this many feet.", min=0
    )
    hover: bool | None = condition("hover", Op.EQUALS, "Whether it can hover.")
    darkvision_min: int | None = condition(
        "darkvision", Op.AT_LEAST, "Has darkvision of at least this many feet.", min=0
    )
    blindsight_min: int | None = condition(
        "blindsight", Op.AT_LEAST, "Has blindsight of at least this many feet.", min=0
    )
    tremorsense_min: int | None = condition(
        "tremorsense", Op.AT_LEAST, "Has tremorsense of at least this many feet.", min=0
    )
    truesight_min: int | None = condition(
        "truesight", Op.AT_LEAST, "Has truesight of at least this many feet.", min=0
    )
    passive_perception_min: int | None = condition(
        "passive_perception", Op.AT_LEAST, "With this passive perception or above.", min=0
    )
    damage_immunity: list[DamageType] | None = condition(
        "damage_immunity_types", Op.HAS_ANY, "Immune to one of these, if only in some cases."
    )
    damage_resistance: list[DamageType] | None = condition(
        "damage_resistance_types",
        Op.HAS_ANY,
        "Resistant to one of these, if only in some cases.",
    )
    damage_vulnerability: list[DamageType] | None = condition(
        "damage_vulnerability_types",
        Op.HAS_ANY,
        "Vulnerable to one of these, if only in some cases.",
    )
    condition_immunity: list[ConditionName] | None = condition(
        "condition_immunities", Op.HAS_ANY, "Immune to one of these conditions."
    )
    environment: list[str] | None = condition(
        "environments",
        Op.HAS_ANY,
        "Lives in one of these environments; SRD 5.1 records none.",
        max_items=50,
        max_length=100,
    )
    legendary: bool | None = condition("legendary", Op.EQUALS, "Whether it has legendary actions.")
    documents: list[str] | None = condition(
        "document_key", Op.IN, wording.DOCUMENTS, keys=True, max_items=50, max_length=100
    )
    edition: list[DndEdition] | None = condition("edition", Op.IN, wording.EDITION)
    any_of: list["CreatureFilter"] | None = alternatives()
    not_: Annotated["CreatureFilter", strawberry.lazy("schema.dnd.filters")] | None = negation()
