"""The records of the D&D shelf. An attribute is named as its GraphQL field, in snake case.

Vocabulary keys (schools, damage types, sizes, abilities, conditions, classes, casting times) are Open5e's:
lower case, words joined by a hyphen, class and subclass keys with the document's prefix (`srd_wizard`).
Distances are feet, costs gold pieces, unless an attribute says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Document:
    """A published book or reference that records come from.

    - `key`: Open5e's document key, as document filters take it (`srd-2014`)
    - `name`: its title
    - `publisher`: the publisher's name
    - `edition`: the rules that it is written for: `5e-2014`, `5e-2024` or `a5e`
    - `licence`: SPDX identifier of the licence that its text is used under
    - `licence_url`: where that licence stands
    - `url`: where the publisher offers the document
    - `attribution`: the sentence that the licence asks to be shown beside the text
    - `source`: where its records come from: `embedded`, `open5e`, or `merged` where both have a part in them
    - `mirrored_at`: when the mirror that its records are held from was read (UTC); null where there is none
    """

    key: str
    name: str
    publisher: str
    edition: str
    licence: str
    licence_url: str
    url: str
    attribution: str
    source: str
    mirrored_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A pointer to an entry of a vocabulary that may grow: its `key` and the `name` that people read."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class LevelDice:
    """What is rolled at one level.

    - `level`: a spell slot's level (1 to 9) or a character's level (1 to 20)
    - `dice`: without blanks, `8d6`, `1d8+MOD` (MOD: the caster's spellcasting modifier), or a number
    """

    level: int
    dice: str


@dataclass(frozen=True, slots=True)
class Spell:
    """One spell of one document.

    - `key`: unique, prefix of the document and slug (`srd_fireball`); `slug`: the part behind the prefix
    - `document_key`: the document that it stands in; `name`: as printed
    - `level`: 0 for a cantrip, else 1 to 9; `school`: key of the school of magic (`evocation`)
    - `casting_time`: key (`action`, `bonus-action`, `reaction`, `1minute`, `8hours`);
      `casting_time_text`: as written; `reaction_condition`: what a reaction waits for, when the text says so
    - `ritual`: can be cast as a ritual; `concentration`: ends when concentration does
    - `verbal`, `somatic`, `material`: the components; `material_specified`: the materials, as written
    - `material_cost`: the highest single price that the materials name, in gold pieces; null without a price
    - `material_consumed`: the casting uses up at least one of the materials
    - `range_text`: as written; `range`: in feet. Self and Touch are 0 (the effect starts at the caster),
      miles are converted, and Sight, Special and Unlimited are null: there is no distance to compare
    - `range_unit`: unit of `range`, `feet` wherever `range` has a value
    - `duration`: as written (`Up to 1 minute`)
    - `description`: paragraphs joined by a blank line; `higher_level`: what a higher slot adds
    - `attack_type`: `melee` or `ranged` when it asks for a spell attack
    - `saving_throw_ability`: full word of the (first) save (`dexterity`); `saving_throw_success`: what a
      success saves from: `half` of the damage, all (`none`), or as the text says (`other`)
    - `saving_throw_abilities`: of all the saves that it can ask for, the first one's first
    - `damage_types`: keys of the damage that it can deal, its main type first
    - `damage_at_slot_level`, `damage_at_character_level`, `heal_at_slot_level`: dice by level, ascending,
      the whole of what one casting deals to one target that all of its darts, rays or beams hit
    - `area_shape`: `cone cube cylinder line sphere`; `area_size`: its leading length in feet (radius of a
      sphere or cylinder, edge of a cube, length of a line or cone)
    - `classes`, `subclasses`: whose spell lists it is on
    """

    key: str
    slug: str
    document_key: str
    name: str
    level: int
    school: str
    casting_time: str
    casting_time_text: str
    reaction_condition: str | None
    ritual: bool
    concentration: bool
    verbal: bool
    somatic: bool
    material: bool
    material_specified: str | None
    material_cost: float | None
    material_consumed: bool
    range_text: str
    range: float | None
    range_unit: str | None
    duration: str
    description: str
    higher_level: str | None
    attack_type: str | None
    saving_throw_ability: str | None
    saving_throw_success: str | None
    saving_throw_abilities: tuple[str, ...]
    damage_types: tuple[str, ...]
    damage_at_slot_level: tuple[LevelDice, ...]
    damage_at_character_level: tuple[LevelDice, ...]
    heal_at_slot_level: tuple[LevelDice, ...]
    area_shape: str | None
    area_size: int | None
    classes: tuple[Reference, ...]
    subclasses: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class Bonus:
    """What is added to a d20: `key` and `name` of the ability or skill, and the whole `bonus`."""

    key: str
    name: str
    bonus: int


@dataclass(frozen=True, slots=True)
class DamageRoll:
    """Damage of one kind.

    - `dice`: without blanks (`2d10+8`), or a number
    - `damage_type`: key (`fire`); null when the source names none
    - `choice`: the case that it is dealt in, when only one of several rolls is (`Two handed`, `Fire Breath`);
      null when it is always dealt
    """

    dice: str
    damage_type: str | None
    choice: str | None = None


@dataclass(frozen=True, slots=True)
class SavingThrow:
    """A save that a feature asks for.

    - `ability`: full word (`dexterity`); `dc`: the difficulty class to reach
    - `success`: `half` (of the damage), `none` (no effect) or `other`
    """

    ability: str
    dc: int
    success: str


@dataclass(frozen=True, slots=True)
class Feature:
    """One trait, action or reaction of a creature.

    - `name`: as printed, without the cost of a legendary action; `description`: as printed
    - `attack_bonus`: added to the attack roll, when it is an attack
    - `damage`: its rolls; `save`: the first saving throw that it asks for
    - `usage`: how often, `3/Day`, `Recharge 5-6`; null when at will
    - `legendary_action_cost`: of legendary actions alone, 1 to 3
    """

    name: str
    description: str
    attack_bonus: int | None
    damage: tuple[DamageRoll, ...]
    save: SavingThrow | None
    usage: str | None
    legendary_action_cost: int | None


@dataclass(frozen=True, slots=True)
class Creature:
    """One stat block of one document.

    - `key`, `slug`, `document_key`, `name`: as for a spell; `description`: what it is, if the source says
    - `size`: key (`huge`); `type`: key of the base type (`dragon`), a swarm's is that of its members;
      `subtype`: as printed (`goblinoid`)
    - `swarm`: is a swarm; `swarm_size`: key of its members' size
    - `alignment`: as written; `alignments`: keys of all alignments that the text allows a single creature
      (`neutral-evil`, `unaligned`)
    - `armor_class`: with what it always wears, without spells; `armor_detail`: what the armor is made of and
      when the class differs (`15 with mage armor`)
    - `hit_points`: the average; `hit_dice`: dice alone (`19d12`); `hit_points_roll`: with the bonus
    - `challenge_rating`: 0, 0.125, 0.25, 0.5, 1 to 30; `experience_points`: by the challenge rating table
    - `proficiency_bonus`: by challenge rating
    - `speed_walk`, `speed_fly`, `speed_swim`, `speed_climb`, `speed_burrow`: feet a turn, null when it has no
      such speed; `hover`: stays in the air when it cannot move
    - `strength` to `charisma`: ability scores, 1 to 30
    - `saving_throws`: keys are abilities (`dexterity`), `skills`: keys are skills (`sleight-of-hand`); both
      list only what the stat block prints
    - `damage_vulnerabilities`, `damage_resistances`, `damage_immunities`: as written, with their conditions
    - `damage_vulnerability_types`, `damage_resistance_types`, `damage_immunity_types`: damage type keys named
      in those texts, whatever their conditions
    - `condition_immunities`: the conditions that it cannot have
    - `darkvision`, `blindsight`, `tremorsense`, `truesight`: reach in feet, null without that sense;
      `passive_perception`: as printed
    - `languages`: as written; null when it has none
    - `traits`, `actions`, `bonus_actions`, `reactions`, `legendary_actions`: in the order of the stat block
    - `environments`: where it lives; empty where the source does not say
    - `legendary`: has legendary actions
    """

    key: str
    slug: str
    document_key: str
    name: str
    description: str | None
    size: str
    type: str
    subtype: str | None
    swarm: bool
    swarm_size: str | None
    alignment: str
    alignments: tuple[str, ...]
    armor_class: int
    armor_detail: str | None
    hit_points: int
    hit_dice: str
    hit_points_roll: str
    challenge_rating: float
    experience_points: int
    proficiency_bonus: int
    speed_walk: int | None
    speed_fly: int | None
    speed_swim: int | None
    speed_climb: int | None
    speed_burrow: int | None
    hover: bool
    strength: int
    dexterity: int
    constitution: int
    intelligence: int
    wisdom: int
    charisma: int
    saving_throws: tuple[Bonus, ...]
    skills: tuple[Bonus, ...]
    damage_vulnerabilities: tuple[str, ...]
    damage_resistances: tuple[str, ...]
    damage_immunities: tuple[str, ...]
    damage_vulnerability_types: tuple[str, ...]
    damage_resistance_types: tuple[str, ...]
    damage_immunity_types: tuple[str, ...]
    condition_immunities: tuple[Reference, ...]
    darkvision: int | None
    blindsight: int | None
    tremorsense: int | None
    truesight: int | None
    passive_perception: int
    languages: str | None
    traits: tuple[Feature, ...]
    actions: tuple[Feature, ...]
    bonus_actions: tuple[Feature, ...]
    reactions: tuple[Feature, ...]
    legendary_actions: tuple[Feature, ...]
    environments: tuple[str, ...]
    legendary: bool
