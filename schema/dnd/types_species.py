"""Species, their traits, backgrounds and feats."""

from typing import Annotated

import strawberry

from resolvers.dnd import options
from schema.directives import Summary
from schema.dnd import parts
from schema.dnd.shared import Term
from schema.dnd.shared_options import (
    AbilityBonus,
    AbilityMinimum,
    CharacterChoice,
    Passage,
    Proficiency,
    StartingEquipment,
    SuggestedCharacteristics,
)
from schema.dnd.types_class import CharacterOption
from schema.fields import batch, derived, plain
from schema.node import Node, id_field


@strawberry.type(
    description="A trait that members of a species have.",
    directives=[Summary(fields=["key", "name", "description", "detail"])],
)
class SpeciesTrait(Node):
    id: strawberry.ID = id_field("SpeciesTrait")
    key: str = plain("The unique key, such as `srd_fey-ancestry`.")
    name: str = plain("Its name.")
    description: str = plain("What it does.")
    detail: str | None = plain(
        "What sets it apart from the other choices of the same trait, such as the damage of a draconic ancestry."
    )
    proficiencies: list[Proficiency] = plain(
        "What it trains in; empty where that stands in the description alone."
    )
    choice: CharacterChoice | None = plain(
        "What it lets a player choose; null where that stands in the description alone."
    )
    choices: list["SpeciesTrait"] = batch(
        options.trait_choices,
        "key",
        "provider",
        description="The traits of which it lets one choose, such as the draconic ancestries; mostly none. Open5e "
        "has them in the text alone.",
        metadata={"size": 5},
    )
    species: list[Annotated["Species", strawberry.lazy("schema.dnd.types_species")]] = batch(
        options.species_of_trait,
        "species",
        "provider",
        description="The species and subspecies that have it.",
        metadata={"size": 2},
    )


@strawberry.type(
    description="A species of one document, called race in the 2014 rules, or a subspecies (subrace).",
    directives=[
        Summary(
            fields=[
                "key",
                "name",
                "description",
                "parentSpecies.key",
                "size.name",
                "speed",
                "abilityBonuses.ability.key",
                "abilityBonuses.bonus",
                "abilityBonusChoice.description",
                "languages.name",
                "traits.name",
                "traits.description",
                "subspecies.key",
                "subspecies.name",
                "document.key",
            ]
        )
    ],
)
class Species(CharacterOption):
    id: strawberry.ID = id_field("Species")
    size: Term | None = derived(
        parts.optional_term,
        "size",
        description="The size; a subspecies has that of its species. Null where its source does not tell.",
    )
    size_description: str | None = plain(
        "The size, as printed: of several, all; null for a subspecies without a size of its own."
    )
    speed: int | None = plain(
        "How many feet it walks in a turn; a subspecies has the speed of its species. Null where its source does "
        "not tell."
    )
    ability_bonuses: list[AbilityBonus] = plain(
        "What it adds to ability scores; for a subspecies beside what its species adds."
    )
    ability_bonus_choice: CharacterChoice | None = plain("Which ability scores a player chooses to raise.")
    age: str | None = plain("How old it grows, as printed; null for a subspecies.")
    alignment: str | None = plain("What it tends to, as printed; null for a subspecies.")
    languages: list[Term] = plain("The languages that it speaks; for a subspecies those that it adds.")
    language_description: str | None = plain("The languages, as printed; null for a subspecies.")
    language_choice: CharacterChoice | None = plain("Which further languages a player chooses.")
    proficiencies: list[Proficiency] = plain(
        "What its traits train it in; empty where they say so in words alone, as Open5e's."
    )
    proficiency_choices: list[CharacterChoice] = plain("What a player chooses it to be trained in.")
    traits: list[SpeciesTrait] = batch(
        options.traits,
        "key",
        "provider",
        description="Its own traits. A subspecies has those of its `parentSpecies` as well.",
        metadata={"size": 6},
    )
    subspecies: list["Species"] = batch(
        options.subspecies, "key", "provider", description="Its subspecies, by name.", metadata={"size": 3}
    )
    parent_species: Annotated["Species", strawberry.lazy("schema.dnd.types_species")] | None = batch(
        options.species_of_key,
        "subspecies_of",
        "provider",
        description="The species that it is a subspecies of; null for a species of its own, and where it is not held.",
    )


@strawberry.type(
    description="A background of one document: what a character was before.",
    directives=[
        Summary(
            fields=[
                "key",
                "name",
                "description",
                "proficiencies.name",
                "languageChoice.description",
                "startingEquipment.name",
                "startingEquipmentChoices",
                "feature.name",
                "feature.description",
                "document.key",
            ]
        )
    ],
)
class Background(CharacterOption):
    id: strawberry.ID = id_field("Background")
    feature: Passage | None = plain("What it lets a character do; null for one without, as those of 2024.")
    proficiencies: list[Proficiency] = plain("What it trains in.")
    language_choice: CharacterChoice | None = plain("Which languages a player chooses.")
    starting_equipment: list[StartingEquipment] = plain(
        "What a character of this background owns; empty where all of it stands in `startingEquipmentChoices`."
    )
    starting_equipment_choices: list[str] = plain("What else it owns or chooses to own, in words.")
    suggested_characteristics: SuggestedCharacteristics = plain("Suggestions for the personality.")


@strawberry.type(
    description="A feat of one document.",
    directives=[
        Summary(
            fields=[
                "key",
                "name",
                "description",
                "prerequisites.ability.key",
                "prerequisites.minimum",
                "document.key",
            ]
        )
    ],
)
class Feat(CharacterOption):
    id: strawberry.ID = id_field("Feat")
    prerequisites: list[AbilityMinimum] = plain(
        "The ability scores that it takes, all of them; other prerequisites stand in the description."
    )
    benefits: list[str] = plain("The points of its text, one by one.")
