"""The interface of character options; classes, subclasses, their features and their levels."""

from typing import Annotated

import strawberry
from strawberry import UNSET

from resolvers.dnd import options
from schema.directives import Constraint, Summary
from schema.dnd import parts
from schema.dnd.shared import DndDocument, Term
from schema.dnd.shared_options import (
    CharacterChoice,
    ClassValue,
    GrantedSpell,
    Multiclassing,
    Passage,
    Proficiency,
    SpellSlots,
    StartingEquipment,
)
from schema.dnd.types import Spell, document_field, source_field
from schema.fields import batch, derived, plain
from schema.node import Node, id_field
from schema.provenance import RecordSource

SpellLevels = Annotated[
    list[int] | None,
    strawberry.argument(
        description="Only spells of these levels; 0 is a cantrip.",
        directives=[Constraint(min=0, max=9, max_items=10)],
    ),
]
SpellsOfEach = Annotated[
    int | None,
    strawberry.argument(
        description="At most this many, the lowest levels first; all when left out.",
        directives=[Constraint(min=1, max=500)],
    ),
]
LevelMax = Annotated[
    int | None,
    strawberry.argument(
        description="Only what has been gained at this class level.", directives=[Constraint(min=1, max=20)]
    ),
]
ClassLevels = Annotated[
    list[int] | None,
    strawberry.argument(
        description="Only these class levels.", directives=[Constraint(min=1, max=20, max_items=20)]
    ),
]


def _spell_arguments(level: SpellLevels = UNSET, first: SpellsOfEach = UNSET) -> None:
    """The arguments of a list of spells."""


def _feature_arguments(level_max: LevelMax = UNSET) -> None:
    """The arguments of a list of features."""


def _level_arguments(level: ClassLevels = UNSET) -> None:
    """The arguments of a class's table."""


@strawberry.interface(
    description="Something that a character is made of: a class, subclass, species, background or feat of one "
    "document.",
    directives=[Summary(fields=["key", "name", "description", "document.key"])],
)
class CharacterOption(Node):
    key: str = plain("The unique key, such as `srd_wizard` or `srd_high-elf`.")
    name: str = plain("The name, as printed.")
    description: str | None = plain("What it is; null where the document does not say.")
    document: DndDocument = document_field()
    source: RecordSource = source_field()


@strawberry.type(
    description="What a class or subclass gives at one of its levels.",
    directives=[Summary(fields=["key", "name", "level", "description", "prerequisites"])],
)
class ClassFeature(Node):
    id: strawberry.ID = id_field("ClassFeature")
    key: str = plain("The unique key, such as `srd_arcane-recovery`.")
    name: str = plain("Its name.")
    level: int = plain(
        "The class level that gives it; a passage that names none stands where its class or subclass begins."
    )
    description: str = plain("What it does.")
    prerequisites: list[str] = plain("What else it takes, such as `Level 5` or `Pact of the Blade feature`.")
    choices: list["ClassFeature"] = batch(
        options.feature_choices,
        "key",
        "provider",
        description="The features of which it lets one choose, such as the fighting styles; mostly none. Open5e has "
        "them in the text alone.",
        metadata={"size": 5},
    )
    character_class: Annotated["CharacterClass", strawberry.lazy("schema.dnd.types_class")] | None = batch(
        options.class_of_key, "class_key", "provider", description="The class that it belongs to."
    )
    subclass: Annotated["Subclass", strawberry.lazy("schema.dnd.types_class")] | None = batch(
        options.class_of_key,
        "subclass_key",
        "provider",
        description="The subclass that gives it; null when the class itself does.",
    )


@strawberry.type(
    description="One level of a class, as a row of its table, or what a subclass adds at that level."
)
class ClassLevel:
    level: int = plain("The level, 1 to 20.")
    proficiency_bonus: int | None = plain(
        "The proficiency bonus; null for a subclass or without such a column."
    )
    ability_score_improvements: int | None = plain(
        "How many Ability Score Improvements there have been so far; null for a subclass, or where the class has "
        "none."
    )
    cantrips_known: int | None = plain("How many cantrips are known; null without such a column.")
    spells_known: int | None = plain("How many spells are known; null without such a column.")
    spell_slots: list[SpellSlots] = plain("The spell slots, by their level; none where there are none.")
    values: list[ClassValue] = plain("The columns of this class alone.", column="class_values")
    features: list[ClassFeature] = batch(
        options.features_at_level,
        "option_key",
        "level",
        "provider",
        description="The features that this level gives.",
        metadata={"size": 3},
    )


@strawberry.type(
    description="A class of one document: what a character does for a living.",
    directives=[
        Summary(
            fields=[
                "key",
                "name",
                "hitDie",
                "savingThrows.name",
                "casterType.key",
                "spellcastingAbility.name",
                "proficiencies.name",
                "proficiencyChoices.description",
                "startingEquipment.name",
                "startingEquipmentChoices",
                "subclasses.key",
                "subclasses.name",
                "document.key",
            ]
        )
    ],
)
class CharacterClass(CharacterOption):
    id: strawberry.ID = id_field("CharacterClass")
    hit_die: int | None = plain("The sides of its hit die: a d6 is 6; null where its source has none.")
    saving_throws: list[Term] = derived(
        parts.terms,
        "saving_throws",
        description="The abilities whose saving throws it is proficient in.",
        metadata={"size": 2},
    )
    primary_abilities: list[Term] = derived(
        parts.terms,
        "primary_abilities",
        description="The abilities that matter most; empty where the document does not name them, as SRD 5.1.",
    )
    proficiencies: list[Proficiency] = plain(
        "What a member is trained in from the first level, beside saving throws."
    )
    proficiency_choices: list[CharacterChoice] = plain(
        "What a member chooses to be trained in.", metadata={"size": 2}
    )
    starting_equipment: list[StartingEquipment] = plain(
        "What every member starts with; empty where all of it stands in `startingEquipmentChoices`.",
        metadata={"size": 3},
    )
    starting_equipment_choices: list[str] = plain(
        "What else a member starts with or chooses to start with, in words."
    )
    multiclassing: Multiclassing | None = plain(
        "How a member of another class can join it; null where its source does not tell, as Open5e."
    )
    caster_type: Term | None = derived(
        parts.optional_term,
        "caster_type",
        description="How its spell slots grow: `full`, `half`, `pact`, or `none`; null where its source does not "
        "tell.",
    )
    spellcasting_ability: Term | None = derived(
        parts.optional_term,
        "spellcasting_ability",
        description="The ability that its spells are cast with; null without spells.",
    )
    spellcasting_level: int | None = plain("The class level at which its spells begin; null without spells.")
    spellcasting: list[Passage] = plain("The rules of its spells; empty without spells.")
    spells: list[Spell] = batch(
        options.class_spells,
        "key",
        "provider",
        description="Its spell list, by level and name.",
        arguments=_spell_arguments,
        graphql_type=list[Spell],
        metadata={"size": 60},
    )
    features: list[ClassFeature] = batch(
        options.features,
        "key",
        "provider",
        description="Its own features, by level. Those that are choices of another one stand in its `choices`.",
        arguments=_feature_arguments,
        graphql_type=list[ClassFeature],
        metadata={"size": 20},
    )
    levels: list[ClassLevel] = batch(
        options.levels,
        "key",
        "provider",
        description="Its table, from level 1 to 20.",
        arguments=_level_arguments,
        graphql_type=list[ClassLevel],
        metadata={"size": 20},
    )
    subclasses: list["Subclass"] = batch(
        options.subclasses, "key", "provider", description="Its subclasses, by name.", metadata={"size": 3}
    )


@strawberry.type(
    description="A subclass of one document: the path that a member of a class takes.",
    directives=[
        Summary(
            fields=[
                "key",
                "name",
                "flavor",
                "description",
                "parentClass.key",
                "parentClass.name",
                "features.name",
                "features.level",
                "grantedSpells.name",
                "document.key",
            ]
        )
    ],
)
class Subclass(CharacterOption):
    id: strawberry.ID = id_field("Subclass")
    flavor: str | None = plain(
        "What its class calls such a path, such as `Arcane Tradition`; null where its source does not tell, as "
        "Open5e."
    )
    parent_class: CharacterClass | None = batch(
        options.class_of_key,
        "subclass_of",
        "provider",
        description="The class that it belongs to; null where that is not held.",
    )
    granted_spells: list[GrantedSpell] | None = plain(
        "The spells that it adds, by class level, each once for every condition; null where they stand in the "
        "text of its features alone, as Open5e has them."
    )
    spells: list[Spell] | None = batch(
        options.subclass_spells,
        "key",
        "provider",
        "granted_spells",
        description="The spells that it adds, by spell level and name, each once; null where `grantedSpells` is.",
        arguments=_spell_arguments,
        graphql_type=list[Spell] | None,
        metadata={"size": 10},
    )
    features: list[ClassFeature] = batch(
        options.features,
        "key",
        "provider",
        description="Its features, by level. Those that are choices of another one stand in its `choices`.",
        arguments=_feature_arguments,
        graphql_type=list[ClassFeature],
        metadata={"size": 6},
    )
    levels: list[ClassLevel] = batch(
        options.levels,
        "key",
        "provider",
        description="The levels of its class at which it gives something.",
        arguments=_level_arguments,
        graphql_type=list[ClassLevel],
        metadata={"size": 5},
    )
