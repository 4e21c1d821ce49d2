"""Character options, with features, levels, traits and full text."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from sources.text_index_tables import create_text_index, drop_text_index

revision = "dnd_0003"
down_revision = "dnd_0002"
branch_labels = None
depends_on = None

# A revision has its own words for types: what tables_options.py comes to say must not change what was done here.
_TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
_OPTION = "dnd_character_option"


def _columns(type_: Any, *names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, type_, nullable=nullable) for name in names]


def _text(*names: str) -> list[sa.Column[Any]]:
    return _columns(_TEXT, *names)


def _optional(*names: str) -> list[sa.Column[Any]]:
    return _columns(_TEXT, *names, nullable=True)


def _belongs_to(table: str, column: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{table}.key"], ondelete="CASCADE")


def _create_options() -> None:
    op.create_table(
        _OPTION,
        *_text("key", "slug", "kind", "document_key", "name", "name_folded"),
        *_optional("description"),
        *_columns(sa.Integer, "hit_die", nullable=True),
        *_optional("saving_throws", "primary_abilities", "multiclassing", "caster_type"),
        *_optional("spellcasting_ability"),
        *_columns(sa.Integer, "spellcasting_level", nullable=True),
        *_optional("spellcasting"),
        *_columns(sa.Boolean, "is_subclass", nullable=True),
        *_optional("subclass_of", "flavor", "granted_spells"),
        *_columns(sa.Boolean, "is_subspecies", nullable=True),
        *_optional("subspecies_of", "size", "size_description"),
        *_columns(sa.Integer, "speed", nullable=True),
        *_optional("ability_bonuses", "ability_bonus_choice", "age", "alignment", "languages"),
        *_optional("language_description", "feature", "suggested_characteristics", "prerequisites"),
        *_optional("benefits", "language_choice", "proficiencies", "proficiency_choices"),
        *_optional("starting_equipment", "starting_equipment_choices"),
        sa.PrimaryKeyConstraint("key"),
        sa.ForeignKeyConstraint(["document_key"], ["dnd_document.key"]),
    )
    op.create_index("ix_dnd_character_option_name", _OPTION, ["name_folded", "key"])
    op.create_index("ix_dnd_character_option_kind_name", _OPTION, ["kind", "name_folded", "key"])
    op.create_index("ix_dnd_character_option_subclass_of", _OPTION, ["subclass_of", "key"])
    op.create_index("ix_dnd_character_option_subspecies_of", _OPTION, ["subspecies_of", "key"])
    op.create_index("ix_dnd_character_option_slug", _OPTION, ["slug"])
    op.create_table(
        "dnd_option_saving_throw",
        *_text("option_key", "ability"),
        sa.PrimaryKeyConstraint("option_key", "ability"),
        _belongs_to(_OPTION, "option_key"),
    )
    op.create_index(
        "ix_dnd_option_saving_throw_ability", "dnd_option_saving_throw", ["ability", "option_key"]
    )


def _create_class_parts() -> None:
    op.create_table(
        "dnd_subclass_spell",
        *_text("subclass_key", "spell_key"),
        sa.PrimaryKeyConstraint("subclass_key", "spell_key"),
        _belongs_to(_OPTION, "subclass_key"),
        _belongs_to("dnd_spell", "spell_key"),
    )
    op.create_index("ix_dnd_subclass_spell_spell", "dnd_subclass_spell", ["spell_key", "subclass_key"])
    op.create_table(
        "dnd_class_feature",
        *_text("key", "option_key", "class_key"),
        *_optional("subclass_key", "parent_key"),
        *_columns(sa.Boolean, "is_choice"),
        *_columns(sa.Integer, "level", "position"),
        *_text("name", "description", "prerequisites"),
        sa.PrimaryKeyConstraint("key"),
        _belongs_to(_OPTION, "option_key"),
    )
    op.create_index("ix_dnd_class_feature_option", "dnd_class_feature", ["option_key", "level", "position"])
    op.create_index("ix_dnd_class_feature_parent", "dnd_class_feature", ["parent_key", "position"])
    op.create_table(
        "dnd_class_level",
        *_text("key", "option_key", "class_key"),
        *_columns(sa.Integer, "level"),
        *_columns(sa.Integer, "proficiency_bonus", "ability_score_improvements", nullable=True),
        *_text("spell_slots"),
        *_columns(sa.Integer, "cantrips_known", "spells_known", nullable=True),
        *_text("class_values"),
        sa.PrimaryKeyConstraint("key"),
        _belongs_to(_OPTION, "option_key"),
    )
    op.create_index("ix_dnd_class_level_option", "dnd_class_level", ["option_key", "level"])


def _create_traits() -> None:
    op.create_table(
        "dnd_trait",
        *_text("key", "name", "description"),
        *_columns(sa.Integer, "position"),
        *_text("species"),
        *_optional("parent_key"),
        *_text("proficiencies"),
        *_optional("choice", "detail"),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index("ix_dnd_trait_parent", "dnd_trait", ["parent_key", "position"])
    op.create_table(
        "dnd_species_trait",
        *_text("species_key", "trait_key"),
        *_columns(sa.Integer, "place"),
        sa.PrimaryKeyConstraint("species_key", "trait_key"),
        _belongs_to(_OPTION, "species_key"),
        _belongs_to("dnd_trait", "trait_key"),
    )
    op.create_index("ix_dnd_species_trait_place", "dnd_species_trait", ["species_key", "place"])


def upgrade() -> None:
    _create_options()
    _create_class_parts()
    _create_traits()
    create_text_index("dnd_character_option_text")


def downgrade() -> None:
    drop_text_index("dnd_character_option_text")
    for table in ("species_trait", "trait", "class_level", "class_feature", "subclass_spell"):
        op.drop_table(f"dnd_{table}")
    op.drop_table("dnd_option_saving_throw")
    op.drop_table(_OPTION)
