"""The SQL tables of character options, made and named as those of `tables.py`.

All kinds of options lie in one table, so that a list of them is one statement: `kind` says which columns have a
meaning. `rows_options.py` turns records into rows and back.
"""

# No `from __future__ import annotations`: SQLModel reads the annotations as types.

from sqlalchemy import Index
from sqlmodel import SQLModel

from sources.dnd.columns import key_column as _key
from sources.dnd.columns import owner_column as _owner
from sources.dnd.columns import text_column as _text


class CharacterOptionRow(SQLModel, table=True):
    """One class, subclass, species, background or feat, as `kind` says.

    `name_folded` is the folded name. `is_subclass` and `is_subspecies` are null where the question makes no
    sense.
    """

    __tablename__ = "dnd_character_option"
    __table_args__ = (
        Index("ix_dnd_character_option_name", "name_folded", "key"),
        Index("ix_dnd_character_option_kind_name", "kind", "name_folded", "key"),
        Index("ix_dnd_character_option_subclass_of", "subclass_of", "key"),
        Index("ix_dnd_character_option_subspecies_of", "subspecies_of", "key"),
        Index("ix_dnd_character_option_slug", "slug"),
    )

    key: str = _key()
    slug: str = _text()
    kind: str = _text()
    document_key: str = _text(foreign_key="dnd_document.key")
    name: str = _text()
    name_folded: str = _text()
    description: str | None = _text()
    # Classes.
    hit_die: int | None
    saving_throws: str | None = _text()
    primary_abilities: str | None = _text()
    multiclassing: str | None = _text()
    caster_type: str | None = _text()
    spellcasting_ability: str | None = _text()
    spellcasting_level: int | None
    spellcasting: str | None = _text()
    # Subclasses.
    is_subclass: bool | None
    subclass_of: str | None = _text()
    flavor: str | None = _text()
    granted_spells: str | None = _text()
    # Species.
    is_subspecies: bool | None
    subspecies_of: str | None = _text()
    size: str | None = _text()
    size_description: str | None = _text()
    speed: int | None
    ability_bonuses: str | None = _text()
    ability_bonus_choice: str | None = _text()
    age: str | None = _text()
    alignment: str | None = _text()
    languages: str | None = _text()
    language_description: str | None = _text()
    # Backgrounds.
    feature: str | None = _text()
    suggested_characteristics: str | None = _text()
    # Feats.
    prerequisites: str | None = _text()
    benefits: str | None = _text()
    # Several kinds.
    language_choice: str | None = _text()
    proficiencies: str | None = _text()
    proficiency_choices: str | None = _text()
    starting_equipment: str | None = _text()
    starting_equipment_choices: str | None = _text()


class OptionSavingThrowRow(SQLModel, table=True):
    """An ability whose saving throws a class is proficient in."""

    __tablename__ = "dnd_option_saving_throw"
    __table_args__ = (Index("ix_dnd_option_saving_throw_ability", "ability", "option_key"),)

    option_key: str = _owner("dnd_character_option")
    ability: str = _key()


class SubclassSpellRow(SQLModel, table=True):
    """A spell that a subclass adds."""

    __tablename__ = "dnd_subclass_spell"
    __table_args__ = (Index("ix_dnd_subclass_spell_spell", "spell_key", "subclass_key"),)

    subclass_key: str = _owner("dnd_character_option")
    spell_key: str = _owner("dnd_spell")


class ClassFeatureRow(SQLModel, table=True):
    """One feature of a class or subclass. `is_choice`: it is one choice of the feature `parent_key`."""

    __tablename__ = "dnd_class_feature"
    __table_args__ = (
        Index("ix_dnd_class_feature_option", "option_key", "level", "position"),
        Index("ix_dnd_class_feature_parent", "parent_key", "position"),
    )

    key: str = _key()
    option_key: str = _owner("dnd_character_option", primary=False)
    class_key: str = _text()
    subclass_key: str | None = _text()
    parent_key: str | None = _text()
    is_choice: bool
    level: int
    position: int
    name: str = _text()
    description: str = _text()
    prerequisites: str = _text()


class ClassLevelRow(SQLModel, table=True):
    """One row of the table of a class, or of what a subclass adds to it."""

    __tablename__ = "dnd_class_level"
    __table_args__ = (Index("ix_dnd_class_level_option", "option_key", "level"),)

    key: str = _key()
    option_key: str = _owner("dnd_character_option", primary=False)
    class_key: str = _text()
    level: int
    proficiency_bonus: int | None
    ability_score_improvements: int | None
    spell_slots: str = _text()
    cantrips_known: int | None
    spells_known: int | None
    class_values: str = _text()


class SpeciesTraitRow(SQLModel, table=True):
    """One trait of species."""

    __tablename__ = "dnd_trait"
    __table_args__ = (Index("ix_dnd_trait_parent", "parent_key", "position"),)

    key: str = _key()
    name: str = _text()
    description: str = _text()
    position: int
    species: str = _text()
    parent_key: str | None = _text()
    proficiencies: str = _text()
    choice: str | None = _text()
    detail: str | None = _text()


class SpeciesTraitLinkRow(SQLModel, table=True):
    """A trait that a species has; `place`: where it stands among the traits of that species."""

    __tablename__ = "dnd_species_trait"
    __table_args__ = (Index("ix_dnd_species_trait_place", "species_key", "place"),)

    species_key: str = _owner("dnd_character_option")
    trait_key: str = _owner("dnd_trait")
    place: int


OPTION_TABLES: tuple[type[SQLModel], ...] = (
    CharacterOptionRow,
    OptionSavingThrowRow,
    SubclassSpellRow,
    ClassFeatureRow,
    ClassLevelRow,
    SpeciesTraitRow,
    SpeciesTraitLinkRow,
)
"""All of them, in an order in which they can be filled."""
