"""Spells and creatures."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.dnd import loaders, loaders_equipment, options
from schema.directives import Summary
from schema.dnd import parts, parts_equipment
from schema.dnd.shared import (
    CreatureAbilities,
    CreatureFeature,
    CreatureSenses,
    CreatureSpeed,
    DndDocument,
    LevelDice,
    RollBonus,
    SpellArea,
    SpellComponents,
    SpellSavingThrow,
    Term,
)
from schema.fields import batch, derived, plain
from schema.node import Node, id_field
from schema.provenance import RecordSource

if TYPE_CHECKING:
    from schema.dnd.types_class import CharacterClass
    from schema.dnd.types_rules import Condition


def source_field() -> Any:
    """The `source` field of a D&D record."""
    return derived(
        parts.record_source,
        "document_name",
        "document_url",
        "document_licence",
        "document_attribution",
        description="The document that it is taken from, and the licence of its text.",
    )


def document_field() -> Any:
    """The `document` field of a D&D record."""
    return batch(loaders.documents, "document_key", description="The document that it stands in.")


@strawberry.type(
    description="A spell of one document. The same name can stand in several documents; `key` tells them apart.",
    directives=[
        Summary(
            fields=[
                "key",
                "name",
                "level",
                "school.name",
                "castingTime.name",
                "rangeText",
                "components.text",
                "duration",
                "concentration",
                "ritual",
                "classes.name",
                "description",
                "higherLevel",
                "document.key",
            ]
        )
    ],
)
class Spell(Node):
    id: strawberry.ID = id_field("Spell")
    key: str = plain("The unique key, such as `srd_fireball`.")
    name: str = plain("The name, as printed.")
    level: int = plain("0 for a cantrip, else 1 to 9.")
    school: Term = derived(parts.term, "school", description="The school of magic.")
    casting_time: Term = derived(
        parts.casting_time,
        "casting_time",
        "casting_time_text",
        description="How long casting takes; the name is the document's wording.",
    )
    reaction_condition: str | None = plain("What a casting as a reaction waits for.")
    ritual: bool = plain("Whether it can be cast as a ritual.")
    concentration: bool = plain("Whether it lasts only as long as its caster concentrates.")
    components: SpellComponents = derived(
        parts.spell_components,
        "verbal",
        "somatic",
        "material",
        "material_specified",
        "material_cost",
        "material_consumed",
        description="What casting takes.",
    )
    range: float | None = plain(
        "The range in feet; self and touch are 0, sight, special and unlimited are null."
    )
    range_text: str = plain("The range, as printed.")
    duration: str = plain("The duration, as printed.")
    description: str = plain("The text, paragraphs parted by a blank line.")
    higher_level: str | None = plain("What a spell slot of a higher level adds.")
    attack_type: str | None = plain("`melee` or `ranged` when it is cast with a spell attack.")
    saving_throw: SpellSavingThrow | None = derived(
        parts.saving_throw,
        "saving_throw_ability",
        "saving_throw_success",
        description="The saving throw that it asks for; where it asks for several, the first.",
    )
    saving_throw_abilities: list[Term] = derived(
        parts.terms,
        "saving_throw_abilities",
        description="The abilities of all saving throws that it can ask for.",
    )
    damage_types: list[Term] = derived(
        parts.terms, "damage_types", description="The types of damage that it can deal."
    )
    damage_at_slot_level: list[LevelDice] = plain("The damage by level of the spell slot.")
    damage_at_character_level: list[LevelDice] = plain("A cantrip's damage by level of its caster.")
    heal_at_slot_level: list[LevelDice] = plain("The healing by level of the spell slot.")
    area: SpellArea | None = derived(
        parts.spell_area, "area_shape", "area_size", description="The area that it fills."
    )
    classes: list[Term] = plain("The classes on whose spell lists it stands.")
    character_classes: list[Annotated["CharacterClass", strawberry.lazy("schema.dnd.types_class")]] = batch(
        options.classes_of_references,
        "classes",
        description="The classes on whose spell lists it stands, themselves, as far as they can be had; `classes` "
        "names all.",
        metadata={"size": 3},
    )
    subclasses: list[Term] = plain("The subclasses that add it to their spells.")
    document: DndDocument = document_field()
    source: RecordSource = source_field()


@strawberry.type(description="A condition that cannot befall a creature.")
class ConditionImmunity:
    key: str = plain("The word that filters take, such as `charmed`.")
    name: str = plain("The name of the condition.")
    condition: Annotated["Condition", strawberry.lazy("schema.dnd.types_rules")] | None = batch(
        loaders_equipment.conditions,
        "key",
        "document_key",
        description="The condition itself, with its text; null where it is not held here.",
    )


@strawberry.type(
    description="A creature of one document: its stat block.",
    directives=[
        Summary(
            fields=[
                "key",
                "name",
                "size.name",
                "type.name",
                "subtype",
                "alignment",
                "armorClass",
                "hitPoints",
                "hitPointsRoll",
                "speed",
                "abilities",
                "challengeRating",
                "experiencePoints",
                "senses",
                "languages",
                "traits.name",
                "actions.name",
                "legendaryActions.name",
                "document.key",
            ]
        )
    ],
)
class Creature(Node):
    id: strawberry.ID = id_field("Creature")
    key: str = plain("The unique key, such as `srd_goblin`.")
    name: str = plain("The name, as printed.")
    description: str | None = plain("What it is, where the document says so.")
    size: Term = derived(parts.term, "size", description="The size; a swarm's own, not that of its members.")
    type: Term = derived(parts.term, "type", description="The type; a swarm's is that of its members.")
    subtype: str | None = plain("The subtype, such as `goblinoid`.")
    swarm: bool = plain("Whether it is a swarm.")
    swarm_size: Term | None = derived(
        parts.optional_term, "swarm_size", description="The size of a swarm's members."
    )
    alignment: str = plain("The alignment, as printed.")
    armor_class: int = plain("The armor class.")
    armor_detail: str | None = plain("Where the armor class comes from, and when it differs.")
    hit_points: int = plain("The hit points, on average.")
    hit_dice: str = plain("The hit dice, such as `19d12`.")
    hit_points_roll: str = plain("The roll for its hit points, such as `19d12+133`.")
    challenge_rating: float = plain("The challenge rating: 0, 0.125, 0.25, 0.5, 1 to 30.")
    experience_points: int = plain("What defeating it is worth.")
    proficiency_bonus: int = plain("The proficiency bonus.")
    speed: CreatureSpeed = derived(
        parts.CreatureSpeed,
        "speed_walk",
        "speed_fly",
        "speed_swim",
        "speed_climb",
        "speed_burrow",
        "hover",
        description="How far it moves in a turn.",
    )
    abilities: CreatureAbilities = derived(
        parts.CreatureAbilities,
        "strength",
        "dexterity",
        "constitution",
        "intelligence",
        "wisdom",
        "charisma",
        description="The six ability scores.",
    )
    saving_throws: list[RollBonus] = plain("The saving throws that it is proficient in.")
    skills: list[RollBonus] = plain("The skills that it is proficient in.")
    damage_vulnerabilities: list[str] = plain("Damage that hurts it twice as much, as printed.")
    damage_resistances: list[str] = plain("Damage that hurts it half as much, as printed.")
    damage_immunities: list[str] = plain("Damage that does not hurt it, as printed.")
    condition_immunities: list[ConditionImmunity] = derived(
        parts_equipment.condition_immunities,
        "condition_immunities",
        "document_key",
        description="Conditions that cannot befall it.",
    )
    senses: CreatureSenses = derived(
        parts.CreatureSenses,
        "darkvision",
        "blindsight",
        "tremorsense",
        "truesight",
        "passive_perception",
        description="What it perceives.",
    )
    languages: str | None = plain("The languages that it speaks or understands, as printed.")
    traits: list[CreatureFeature] = plain("What is always true of it.")
    actions: list[CreatureFeature] = plain("What it can do with its action.")
    bonus_actions: list[CreatureFeature] = plain("What it can do with a bonus action.")
    reactions: list[CreatureFeature] = plain("What it can do as a reaction.")
    legendary_actions: list[CreatureFeature] = plain("What it can do at the end of other creatures' turns.")
    legendary: bool = plain("Whether it has legendary actions.")
    environments: list[Term] = derived(
        parts.terms, "environments", description="Where it lives; empty where the document does not say."
    )
    document: DndDocument = document_field()
    source: RecordSource = source_field()
