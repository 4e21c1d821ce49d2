"""Documents, spells and creatures, with their facets and full text."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from sources.text_index_tables import create_text_index, drop_text_index

revision = "dnd_0001"
down_revision = None
branch_labels = ("dnd",)
depends_on = None

# A revision has its own words for types: what tables.py comes to say must not change what was done here.
_TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")


def _columns(type_: Any, *names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, type_, nullable=nullable) for name in names]


def _text(*names: str) -> list[sa.Column[Any]]:
    return _columns(_TEXT, *names)


def _create_facet(table: str, owner: str, *columns: str, more: tuple[str, ...] = ()) -> None:
    """A table of what belongs to a record and is gone with it, keyed by all of `columns`."""
    key = f"{owner}_key"
    op.create_table(
        table,
        *_text(key, *columns, *more),
        sa.PrimaryKeyConstraint(key, *columns),
        sa.ForeignKeyConstraint([key], [f"dnd_{owner}.key"], ondelete="CASCADE"),
    )


def _create_spells() -> None:
    op.create_table(
        "dnd_spell",
        *_text("key", "slug", "document_key", "name", "name_folded"),
        *_columns(sa.Integer, "level"),
        *_text("school", "casting_time", "casting_time_text"),
        *_columns(_TEXT, "reaction_condition", nullable=True),
        *_columns(sa.Boolean, "ritual", "concentration", "verbal", "somatic", "material"),
        *_columns(_TEXT, "material_specified", nullable=True),
        *_columns(sa.Float, "material_cost", nullable=True),
        *_columns(sa.Boolean, "material_consumed"),
        *_text("range_text"),
        *_columns(sa.Float, "range", nullable=True),
        *_columns(_TEXT, "range_unit", nullable=True),
        *_text("duration", "description"),
        *_columns(
            _TEXT,
            "higher_level",
            "attack_type",
            "saving_throw_ability",
            "saving_throw_success",
            nullable=True,
        ),
        *_text("saving_throw_abilities"),
        *_text("damage_types", "damage_at_slot_level", "damage_at_character_level", "heal_at_slot_level"),
        *_columns(_TEXT, "area_shape", nullable=True),
        *_columns(sa.Integer, "area_size", nullable=True),
        *_text("classes", "subclasses"),
        sa.PrimaryKeyConstraint("key"),
        sa.ForeignKeyConstraint(["document_key"], ["dnd_document.key"]),
    )
    op.create_index("ix_dnd_spell_name", "dnd_spell", ["name_folded", "key"])
    op.create_index("ix_dnd_spell_level_name", "dnd_spell", ["level", "name_folded", "key"])
    op.create_index("ix_dnd_spell_school_name", "dnd_spell", ["school", "name_folded", "key"])
    op.create_index("ix_dnd_spell_slug", "dnd_spell", ["slug"])

    _create_facet("dnd_spell_class", "spell", "class_key", more=("class_name",))
    op.create_index("ix_dnd_spell_class_class", "dnd_spell_class", ["class_key", "spell_key"])
    _create_facet("dnd_spell_save", "spell", "ability")
    op.create_index("ix_dnd_spell_save_ability", "dnd_spell_save", ["ability", "spell_key"])
    _create_facet("dnd_spell_damage_type", "spell", "damage_type")
    op.create_index("ix_dnd_spell_damage_type_type", "dnd_spell_damage_type", ["damage_type", "spell_key"])


def _create_creatures() -> None:
    op.create_table(
        "dnd_creature",
        *_text("key", "slug", "document_key", "name", "name_folded"),
        *_columns(_TEXT, "description", nullable=True),
        *_text("size", "type"),
        *_columns(_TEXT, "subtype", nullable=True),
        *_columns(sa.Boolean, "swarm"),
        *_columns(_TEXT, "swarm_size", nullable=True),
        *_text("alignment", "alignments"),
        *_columns(sa.Integer, "armor_class"),
        *_columns(_TEXT, "armor_detail", nullable=True),
        *_columns(sa.Integer, "hit_points"),
        *_text("hit_dice", "hit_points_roll"),
        *_columns(sa.Float, "challenge_rating"),
        *_columns(sa.Integer, "experience_points", "proficiency_bonus"),
        *_columns(
            sa.Integer,
            "speed_walk",
            "speed_fly",
            "speed_swim",
            "speed_climb",
            "speed_burrow",
            nullable=True,
        ),
        *_columns(sa.Boolean, "hover"),
        *_columns(sa.Integer, "strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"),
        *_text("saving_throws", "skills"),
        *_text("damage_vulnerabilities", "damage_resistances", "damage_immunities"),
        *_text("damage_vulnerability_types", "damage_resistance_types", "damage_immunity_types"),
        *_text("condition_immunities"),
        *_columns(sa.Integer, "darkvision", "blindsight", "tremorsense", "truesight", nullable=True),
        *_columns(sa.Integer, "passive_perception"),
        *_columns(_TEXT, "languages", nullable=True),
        *_text("traits", "actions", "bonus_actions", "reactions", "legendary_actions", "environments"),
        *_columns(sa.Boolean, "legendary"),
        sa.PrimaryKeyConstraint("key"),
        sa.ForeignKeyConstraint(["document_key"], ["dnd_document.key"]),
    )
    op.create_index("ix_dnd_creature_name", "dnd_creature", ["name_folded", "key"])
    op.create_index("ix_dnd_creature_rating_name", "dnd_creature", ["challenge_rating", "name_folded", "key"])
    op.create_index("ix_dnd_creature_type_name", "dnd_creature", ["type", "name_folded", "key"])
    op.create_index("ix_dnd_creature_slug", "dnd_creature", ["slug"])

    for value in ("alignment", "environment", "condition"):
        table = f"dnd_creature_{value}"
        _create_facet(table, "creature", value)
        op.create_index(f"ix_{table}_{value}", table, [value, "creature_key"])
    _create_facet("dnd_creature_damage", "creature", "relation", "damage_type")
    op.create_index(
        "ix_dnd_creature_damage_type", "dnd_creature_damage", ["relation", "damage_type", "creature_key"]
    )


def upgrade() -> None:
    op.create_table(
        "dnd_document",
        *_text(
            "key", "name", "publisher", "edition", "licence", "licence_url", "url", "attribution", "source"
        ),
        sa.PrimaryKeyConstraint("key"),
    )
    _create_spells()
    _create_creatures()
    create_text_index("dnd_spell_text")
    create_text_index("dnd_creature_text")


def downgrade() -> None:
    drop_text_index("dnd_creature_text")
    drop_text_index("dnd_spell_text")
    for facet in ("damage", "condition", "environment", "alignment"):
        op.drop_table(f"dnd_creature_{facet}")
    op.drop_table("dnd_creature")
    op.drop_table("dnd_spell_damage_type")
    op.drop_table("dnd_spell_save")
    op.drop_table("dnd_spell_class")
    op.drop_table("dnd_spell")
    op.drop_table("dnd_document")
