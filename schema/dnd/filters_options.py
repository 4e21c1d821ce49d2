"""The filter and the order of character options. Where LoreKeeper has a parameter, the name or an alias is its."""

from enum import Enum
from typing import Annotated

import strawberry
from strawberry import enum_value

from schema.dnd.vocabularies import Ability, CreatureSize, DndEdition
from schema.filtering import alternatives, condition, negation
from schema.ordering import Direction
from sources.criteria import Op


@strawberry.enum(description="A kind of character option.")
class CharacterOptionKind(Enum):
    CLASS = enum_value("class", description="Classes, without subclasses.")
    SUBCLASS = enum_value("subclass", description="The subclasses.")
    SPECIES = enum_value("species", description="Species, subspecies among them.")
    RACE = enum_value("race", description="What the 2014 rules call a species.")
    BACKGROUND = enum_value("background", description="The backgrounds.")
    FEAT = enum_value("feat", description="The feats.")


@strawberry.enum(description="How the spell slots of a class grow.")
class CasterType(Enum):
    FULL = enum_value("full", description="Slots of all nine levels.")
    HALF = enum_value("half", description="Slots of five levels.")
    PACT = enum_value("pact", description="Slots that are all of one level.")
    NONE = enum_value("none", description="No spell slots.")


@strawberry.input(
    description="Which character options to return. All given fields must hold; a list means any of its values. "
    "A condition that makes no sense for a kind of option does not hold for it."
)
class CharacterOptionFilter:
    name: str | None = condition(
        "name",
        Op.CONTAINS,
        "The name contains this, ignoring case, accents and typographic apostrophes, quotes and dashes.",
        max_length=200,
    )
    name_exact: str | None = condition(
        "name",
        Op.FOLDED_EQUALS,
        "The name is this, ignoring case, accents and typographic apostrophes, quotes and dashes.",
        max_length=200,
    )
    search: str | None = condition(
        "text",
        Op.MATCHES,
        "Every word of this occurs in the name, the text, or those of its features or traits. Whole words, "
        "ignoring case and accents.",
        max_length=1000,
    )
    key: list[str] | None = condition(
        "key",
        Op.IN,
        "One of these keys, such as `srd_wizard`, or slugs, such as `wizard`, where they are unique. "
        "An empty list matches nothing.",
        keys=True,
        max_items=100,
        max_length=200,
    )
    kind: list[CharacterOptionKind] | None = condition("kind", Op.IN, "Of one of these kinds.")
    is_subclass: bool | None = condition(
        "is_subclass", Op.EQUALS, "Whether it is a subclass; false finds the classes alone."
    )
    subclass_of: list[str] | None = condition(
        "subclass_of",
        Op.IN,
        "A subclass of one of these classes, such as `wizard` or `srd_wizard`. An empty list matches nothing.",
        keys=True,
        max_items=50,
        max_length=100,
    )
    is_subspecies: bool | None = condition(
        "is_subspecies", Op.EQUALS, "Whether it is a subspecies; false finds the species of their own."
    )
    subspecies_of: list[str] | None = condition(
        "subspecies_of",
        Op.IN,
        "A subspecies of one of these species, such as `elf` or `srd_elf`. An empty list matches nothing.",
        keys=True,
        max_items=50,
        max_length=100,
    )
    hit_die: list[int] | None = condition(
        "hit_die", Op.IN, "A class with one of these hit dice, by sides.", min=4, max=20, max_items=10
    )
    caster_type: list[CasterType] | None = condition(
        "caster_type", Op.IN, "A class whose spell slots grow in one of these ways."
    )
    spellcasting_ability: list[Ability] | None = condition(
        "spellcasting_ability", Op.IN, "A class that casts with one of these abilities."
    )
    saving_throw: list[Ability] | None = condition(
        "saving_throws",
        Op.HAS_ANY,
        "A class that is proficient in the saving throws of one of these abilities.",
    )
    size: list[CreatureSize] | None = condition("size", Op.IN, "A species of one of these sizes.")
    speed_min: int | None = condition(
        "speed", Op.AT_LEAST, "A species that walks at least this many feet in a turn.", min=0
    )
    documents: list[str] | None = condition(
        "document_key",
        Op.IN,
        "From one of these documents, by key, such as `srd-2014`. An empty list matches nothing.",
        keys=True,
        max_items=50,
        max_length=100,
    )
    edition: list[DndEdition] | None = condition(
        "edition", Op.IN, "From a document of one of these rules editions."
    )
    any_of: list["CharacterOptionFilter"] | None = alternatives()
    not_: Annotated["CharacterOptionFilter", strawberry.lazy("schema.dnd.filters_options")] | None = (
        negation()
    )


@strawberry.enum(description="What a list of character options can be sorted by.")
class CharacterOptionOrderField(Enum):
    NAME = enum_value("name", description="By name, ignoring case and accents.")
    KIND = enum_value("kind", description="By kind, alphabetically.")
    HIT_DIE = enum_value("hit_die", description="By the sides of a class's hit die.")
    SPEED = enum_value("speed", description="By a species's walking speed.")


@strawberry.input(description="One key to sort character options by.")
class CharacterOptionOrder:
    field: CharacterOptionOrderField = strawberry.field(description="What to sort by.")
    direction: Direction = strawberry.field(
        default=Direction.ASC, description="Which end comes first. Absent values are last either way."
    )
