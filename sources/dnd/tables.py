"""The SQL tables of the D&D shelf: migrations are made from them, and writes go through them.

A column is named as the attribute of the record that it holds, so that one row of one table is the whole
record. Lists are compact JSON in text columns; the facet tables beside them hold what filters ask inside
those lists. `rows.py` turns records into rows and back.
"""

# No `from __future__ import annotations`: SQLModel reads the annotations as types.

from sqlalchemy import Index
from sqlmodel import SQLModel

from sources.dnd.columns import key_column as _key
from sources.dnd.columns import owner_column as _owner
from sources.dnd.columns import text_column as _text


class DocumentRow(SQLModel, table=True):
    """One document."""

    __tablename__ = "dnd_document"

    key: str = _key()
    name: str = _text()
    publisher: str = _text()
    edition: str = _text()
    licence: str = _text()
    licence_url: str = _text()
    url: str = _text()
    attribution: str = _text()
    source: str = _text()
    # ISO 8601 with the offset, as everywhere: drivers differ in what a time comes back as.
    mirrored_at: str | None = _text()


class SpellRow(SQLModel, table=True):
    """One spell. `name_folded` is the folded name, for name filters and sorting."""

    __tablename__ = "dnd_spell"
    __table_args__ = (
        Index("ix_dnd_spell_name", "name_folded", "key"),
        Index("ix_dnd_spell_level_name", "level", "name_folded", "key"),
        Index("ix_dnd_spell_school_name", "school", "name_folded", "key"),
        Index("ix_dnd_spell_slug", "slug"),
    )

    key: str = _key()
    slug: str = _text()
    document_key: str = _text(foreign_key="dnd_document.key")
    name: str = _text()
    name_folded: str = _text()
    level: int
    school: str = _text()
    casting_time: str = _text()
    casting_time_text: str = _text()
    reaction_condition: str | None = _text()
    ritual: bool
    concentration: bool
    verbal: bool
    somatic: bool
    material: bool
    material_specified: str | None = _text()
    material_cost: float | None
    material_consumed: bool
    range_text: str = _text()
    range: float | None
    range_unit: str | None = _text()
    duration: str = _text()
    description: str = _text()
    higher_level: str | None = _text()
    attack_type: str | None = _text()
    saving_throw_ability: str | None = _text()
    saving_throw_success: str | None = _text()
    saving_throw_abilities: str = _text()
    damage_types: str = _text()
    damage_at_slot_level: str = _text()
    damage_at_character_level: str = _text()
    heal_at_slot_level: str = _text()
    area_shape: str | None = _text()
    area_size: int | None
    classes: str = _text()
    subclasses: str = _text()


class SpellClassRow(SQLModel, table=True):
    """A class whose spell list a spell is on."""

    __tablename__ = "dnd_spell_class"
    __table_args__ = (Index("ix_dnd_spell_class_class", "class_key", "spell_key"),)

    spell_key: str = _owner("dnd_spell")
    class_key: str = _key()
    class_name: str = _text()


class SpellSaveRow(SQLModel, table=True):
    """An ability that a spell asks a saving throw with."""

    __tablename__ = "dnd_spell_save"
    __table_args__ = (Index("ix_dnd_spell_save_ability", "ability", "spell_key"),)

    spell_key: str = _owner("dnd_spell")
    ability: str = _key()


class SpellDamageTypeRow(SQLModel, table=True):
    """A type of damage that a spell can deal."""

    __tablename__ = "dnd_spell_damage_type"
    __table_args__ = (Index("ix_dnd_spell_damage_type_type", "damage_type", "spell_key"),)

    spell_key: str = _owner("dnd_spell")
    damage_type: str = _key()


class CreatureRow(SQLModel, table=True):
    """One creature. `name_folded` is the folded name, for name filters and sorting."""

    __tablename__ = "dnd_creature"
    __table_args__ = (
        Index("ix_dnd_creature_name", "name_folded", "key"),
        Index("ix_dnd_creature_rating_name", "challenge_rating", "name_folded", "key"),
        Index("ix_dnd_creature_type_name", "type", "name_folded", "key"),
        Index("ix_dnd_creature_slug", "slug"),
    )

    key: str = _key()
    slug: str = _text()
    document_key: str = _text(foreign_key="dnd_document.key")
    name: str = _text()
    name_folded: str = _text()
    description: str | None = _text()
    size: str = _text()
    type: str = _text()
    subtype: str | None = _text()
    swarm: bool
    swarm_size: str | None = _text()
    alignment: str = _text()
    alignments: str = _text()
    armor_class: int
    armor_detail: str | None = _text()
    hit_points: int
    hit_dice: str = _text()
    hit_points_roll: str = _text()
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
    saving_throws: str = _text()
    skills: str = _text()
    damage_vulnerabilities: str = _text()
    damage_resistances: str = _text()
    damage_immunities: str = _text()
    damage_vulnerability_types: str = _text()
    damage_resistance_types: str = _text()
    damage_immunity_types: str = _text()
    condition_immunities: str = _text()
    darkvision: int | None
    blindsight: int | None
    tremorsense: int | None
    truesight: int | None
    passive_perception: int
    languages: str | None = _text()
    traits: str = _text()
    actions: str = _text()
    bonus_actions: str = _text()
    reactions: str = _text()
    legendary_actions: str = _text()
    environments: str = _text()
    legendary: bool


class CreatureAlignmentRow(SQLModel, table=True):
    """An alignment that a creature can have."""

    __tablename__ = "dnd_creature_alignment"
    __table_args__ = (Index("ix_dnd_creature_alignment_alignment", "alignment", "creature_key"),)

    creature_key: str = _owner("dnd_creature")
    alignment: str = _key()


class CreatureEnvironmentRow(SQLModel, table=True):
    """An environment that a creature lives in."""

    __tablename__ = "dnd_creature_environment"
    __table_args__ = (Index("ix_dnd_creature_environment_environment", "environment", "creature_key"),)

    creature_key: str = _owner("dnd_creature")
    environment: str = _key()


class CreatureDamageRow(SQLModel, table=True):
    """How a creature takes a type of damage; `relation`: `vulnerability`, `resistance` or `immunity`."""

    __tablename__ = "dnd_creature_damage"
    __table_args__ = (Index("ix_dnd_creature_damage_type", "relation", "damage_type", "creature_key"),)

    creature_key: str = _owner("dnd_creature")
    relation: str = _key()
    damage_type: str = _key()


class CreatureConditionRow(SQLModel, table=True):
    """A condition that a creature cannot have."""

    __tablename__ = "dnd_creature_condition"
    __table_args__ = (Index("ix_dnd_creature_condition_condition", "condition", "creature_key"),)

    creature_key: str = _owner("dnd_creature")
    condition: str = _key()
