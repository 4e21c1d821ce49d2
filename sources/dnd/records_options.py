"""The records that characters are made of: classes, subclasses, species, backgrounds and feats.

Beside them stand what they give: class features, class levels and species traits. Keys are Open5e's, as in
`records.py`; ability keys are full words (`intelligence`), distances are feet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sources.dnd.records import Reference


@dataclass(frozen=True, slots=True)
class Proficiency:
    """Something that a character is trained in: `type` as printed (`Skills`, `Armor`, `Artisan's Tools`)."""

    key: str
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice among `options`, of which `choose` are taken.

    `description` says it in words. `options` is empty where anything of a kind will do, such as any language.
    """

    choose: int
    description: str
    options: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class AbilityMinimum:
    """An ability score that must be reached."""

    ability: str
    minimum: int


@dataclass(frozen=True, slots=True)
class AbilityBonus:
    """What is added to an ability score."""

    ability: str
    bonus: int


@dataclass(frozen=True, slots=True)
class StartingEquipment:
    """So many of one piece of equipment; `key` is that of the equipment (`srd_spellbook`)."""

    key: str
    name: str
    quantity: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with a heading."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Multiclassing:
    """What a character of another class needs to take a level of this one, and gets by it.

    `any_prerequisite`: one of the `prerequisites` is enough; else all of them must be met.
    """

    prerequisites: tuple[AbilityMinimum, ...]
    any_prerequisite: bool
    proficiencies: tuple[Proficiency, ...]
    proficiency_choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class GrantedSpell:
    """A spell that a subclass adds at a class level; `condition`: the choice that it depends on, if any."""

    key: str
    name: str
    level: int
    condition: str | None


@dataclass(frozen=True, slots=True)
class Ideal:
    """An ideal of a background, with the keys of the alignments that it suits."""

    description: str
    alignments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SuggestedCharacteristics:
    """What a background suggests for a character's personality."""

    personality_traits: tuple[str, ...]
    ideals: tuple[Ideal, ...]
    bonds: tuple[str, ...]
    flaws: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CharacterClass:
    """One class of one document.

    - `key`, `slug`, `document_key`, `name`: as for a spell; `description`: where the document has one
    - `hit_die`: its sides, null where the source has none
    - `saving_throws`: keys of the abilities whose saves it is proficient in
    - `primary_abilities`: keys; empty where the document does not name them, as SRD 5.1 does not
    - `proficiencies`: from the first level, without the saving throws; `proficiency_choices`: those to choose
    - `starting_equipment`: what every member starts with; `starting_equipment_choices`: the rest, in words;
      Open5e has all of it in words
    - `multiclassing`: null where the source does not tell it, as Open5e
    - `caster_type`: `full`, `half`, `pact` or `none`, by the spell slots of its 20th level; null where the
      source has neither a word nor a table
    - `spellcasting_ability`: key; `spellcasting_level`: the class level at which spellcasting begins;
      `spellcasting`: its rules; null and empty for a class without spells
    """

    kind: ClassVar[str] = "class"

    key: str
    slug: str
    document_key: str
    name: str
    description: str | None
    hit_die: int | None
    saving_throws: tuple[str, ...]
    primary_abilities: tuple[str, ...]
    proficiencies: tuple[Proficiency, ...]
    proficiency_choices: tuple[Choice, ...]
    starting_equipment: tuple[StartingEquipment, ...]
    starting_equipment_choices: tuple[str, ...]
    multiclassing: Multiclassing | None
    caster_type: str | None
    spellcasting_ability: str | None
    spellcasting_level: int | None
    spellcasting: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Subclass:
    """One subclass of one document.

    - `subclass_of`: key of its class; `flavor`: what its class calls such a choice (`Arcane Tradition`)
    - `granted_spells`: the spells that it adds, by class level and name; a spell stands there once for each
      condition that grants it
    - both are null where the source does not tell them, as Open5e
    """

    kind: ClassVar[str] = "subclass"

    key: str
    slug: str
    document_key: str
    name: str
    description: str | None
    subclass_of: str
    flavor: str | None
    granted_spells: tuple[GrantedSpell, ...] | None


@dataclass(frozen=True, slots=True)
class Species:
    """One species (race) or subspecies (subrace) of one document.

    - `subspecies_of`: key of the species that it belongs to; null for a species of its own. A subspecies has
      the traits of that species too; its other attributes say only what it adds, but for `size` and `speed`,
      which are those of its species
    - `size`: key (`medium`), `size_description`: in words; `speed`: feet a turn on foot; null where the source
      does not tell them
    - `ability_bonuses`: the fixed ones; `ability_bonus_choice`: those to choose
    - `age`, `alignment`: as printed
    - `languages`: the fixed ones; `language_description`: as printed; `language_choice`: those to choose
    - `proficiencies`, `proficiency_choices`: what its traits train it in, gathered; empty for Open5e's species,
      whose traits say it in words alone
    """

    kind: ClassVar[str] = "species"

    key: str
    slug: str
    document_key: str
    name: str
    description: str | None
    subspecies_of: str | None
    size: str | None
    size_description: str | None
    speed: int | None
    ability_bonuses: tuple[AbilityBonus, ...]
    ability_bonus_choice: Choice | None
    age: str | None
    alignment: str | None
    languages: tuple[Reference, ...]
    language_description: str | None
    language_choice: Choice | None
    proficiencies: tuple[Proficiency, ...]
    proficiency_choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Background:
    """One background of one document.

    - `feature`: what it lets a character do; null for one without, as those of 2024
    - `description`: also what no attribute holds, such as the feat that it gives
    """

    kind: ClassVar[str] = "background"

    key: str
    slug: str
    document_key: str
    name: str
    description: str | None
    feature: Passage | None
    proficiencies: tuple[Proficiency, ...]
    language_choice: Choice | None
    starting_equipment: tuple[StartingEquipment, ...]
    starting_equipment_choices: tuple[str, ...]
    suggested_characteristics: SuggestedCharacteristics


@dataclass(frozen=True, slots=True)
class Feat:
    """One feat of one document.

    - `description`: the whole text; `benefits`: the points that it lists
    - `prerequisites`: where they are ability scores that must all be reached; others stand in the description
    """

    kind: ClassVar[str] = "feat"

    key: str
    slug: str
    document_key: str
    name: str
    description: str | None
    prerequisites: tuple[AbilityMinimum, ...]
    benefits: tuple[str, ...]


CharacterOption = CharacterClass | Subclass | Species | Background | Feat


@dataclass(frozen=True, slots=True)
class ClassFeature:
    """What a class or subclass gives at one of its levels.

    - `option_key`: the class or subclass that gives it; `class_key`: the class; `subclass_key`: the subclass,
      null for a feature of the class itself
    - `parent_key`: the feature that it is one choice of (`Fighting Style`), null for all others
    - `level`: the class level; `position`: its place among the features of the document, or of its option
    - `prerequisites`: what else it takes, in words
    """

    key: str
    option_key: str
    class_key: str
    subclass_key: str | None
    parent_key: str | None
    level: int
    position: int
    name: str
    description: str
    prerequisites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpellSlots:
    """How many spell slots of one level there are."""

    level: int
    slots: int


@dataclass(frozen=True, slots=True)
class ClassValue:
    """An entry of a class table's own columns: `key` (`rage_count`), `name`, and the `value` in words."""

    key: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ClassLevel:
    """One row of the table of a class, or of what a subclass adds to it.

    - `key`: key of the class or subclass, and the level (`srd_wizard_20`); `option_key`, `class_key`: as for
      a feature
    - `proficiency_bonus`, `ability_score_improvements` (how many up to this level): null for a subclass, and
      where the source does not tell them
    - `spell_slots`: the levels of which there are any, ascending; `cantrips_known`, `spells_known`: null
      where the table has no such column
    - `class_values`: the class's own columns
    """

    key: str
    option_key: str
    class_key: str
    level: int
    proficiency_bonus: int | None
    ability_score_improvements: int | None
    spell_slots: tuple[SpellSlots, ...]
    cantrips_known: int | None
    spells_known: int | None
    class_values: tuple[ClassValue, ...]


@dataclass(frozen=True, slots=True)
class SpeciesTrait:
    """A trait that members of one or more species have.

    - `species`: the species and subspecies that have it
    - `parent_key`: the trait that it is one choice of (`Draconic Ancestry`), null for all others
    - `position`: its place among the traits of the document
    - `proficiencies`: what it trains in; `choice`: what it lets a player choose
    - `detail`: what sets a choice of a trait apart from its siblings, whose descriptions are equal
    """

    key: str
    name: str
    description: str
    position: int
    species: tuple[Reference, ...]
    parent_key: str | None
    proficiencies: tuple[Proficiency, ...]
    choice: Choice | None
    detail: str | None


@dataclass(frozen=True, slots=True)
class SpeciesTraits:
    """The traits of one species in the order of its document: `trait_keys` without those that are choices."""

    species_key: str
    trait_keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionRecords:
    """All that a document says of character options, each list in the order of its keys."""

    options: tuple[CharacterOption, ...]
    features: tuple[ClassFeature, ...]
    levels: tuple[ClassLevel, ...]
    traits: tuple[SpeciesTrait, ...]
    species_traits: tuple[SpeciesTraits, ...]
