"""The objects inside character options."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from resolvers.dnd import options
from schema.dnd import parts
from schema.dnd.shared import Term
from schema.fields import batch, derived, plain

if TYPE_CHECKING:
    from schema.dnd.types import Spell


@strawberry.type(description="Something that a character is trained in.")
class Proficiency:
    key: str = plain("Its key, such as `skill-arcana` or `light-armor`.")
    name: str = plain("What it is, as printed.")
    type: str = plain("The sort of thing, as printed, such as `Skills`, `Weapons` or `Artisan's Tools`.")


@strawberry.type(description="A choice that a player makes.")
class CharacterChoice:
    choose: int = plain("How many of the options are taken.")
    description: str = plain("The choice in words.")
    options: list[Term] = plain("What can be taken; empty where anything of a kind will do.")


@strawberry.type(description="An ability score that must be reached.")
class AbilityMinimum:
    ability: Term = derived(parts.term, "ability", description="The ability whose score counts.")
    minimum: int = plain("The lowest score that is enough.")


@strawberry.type(description="What is added to an ability score.")
class AbilityBonus:
    ability: Term = derived(parts.term, "ability", description="The ability whose score rises.")
    bonus: int = plain("By how much it rises.")


@strawberry.type(description="Equipment that a character starts with.")
class StartingEquipment:
    key: str = plain("The key of the equipment, such as `srd_spellbook`.")
    name: str = plain("The name of the equipment.")
    quantity: int = plain("How many of it.")


@strawberry.type(description="A text with a heading.")
class Passage:
    name: str = plain("The heading.")
    description: str = plain("The text, paragraphs parted by a blank line.")


@strawberry.type(description="What it takes to add a class to another one, and what that brings.")
class Multiclassing:
    prerequisites: list[AbilityMinimum] = plain("The ability scores that must be reached.")
    any_prerequisite: bool = plain("Whether one of the prerequisites is enough; else all must be met.")
    proficiencies: list[Proficiency] = plain("What the new class trains in.")
    proficiency_choices: list[CharacterChoice] = plain("What it lets one choose to be trained in.")


@strawberry.type(description="The spell slots of one level.")
class SpellSlots:
    level: int = plain("The level of the slots, 1 to 9.")
    slots: int = plain("How many there are.")


@strawberry.type(description="An entry of a column that only one class's table has.")
class ClassValue:
    key: str = plain("The column, such as `rage_count`.")
    name: str = plain("The column, for people.")
    value: str = plain("The entry in words, such as `4`, `1d6`, `unlimited` or `yes`.")


@strawberry.type(description="A spell that a subclass adds.")
class GrantedSpell:
    key: str = plain("The key of the spell.")
    name: str = plain("The name of the spell.")
    level: int = plain("The class level from which it is there.")
    condition: str | None = plain("The choice that it depends on, such as `Circle of the Land: Arctic`.")
    spell: Annotated["Spell", strawberry.lazy("schema.dnd.types")] | None = batch(
        options.spell_of_key, "key", description="The spell itself; null where it is not held."
    )


@strawberry.type(description="An ideal that a background suggests.")
class Ideal:
    description: str = plain("The ideal, as printed.")
    alignments: list[Term] = derived(parts.terms, "alignments", description="The alignments that it suits.")


@strawberry.type(description="What a background suggests for a character's personality.")
class SuggestedCharacteristics:
    personality_traits: list[str] = plain("Traits of personality.")
    ideals: list[Ideal] = plain("What the character believes in.")
    bonds: list[str] = plain("What ties the character to the world.")
    flaws: list[str] = plain("What can be used against the character.")
