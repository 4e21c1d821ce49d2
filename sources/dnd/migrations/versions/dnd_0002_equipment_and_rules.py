"""Equipment with its facets, rules, and the full text of both."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from sources.text_index_tables import create_text_index, drop_text_index

revision = "dnd_0002"
down_revision = "dnd_0001"
branch_labels = None
depends_on = None

# A revision has its own words for types: what the modules of tables come to say must not change it.
_TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")


def _columns(type_: Any, *names: str, nullable: bool = True) -> list[sa.Column[Any]]:
    return [sa.Column(name, type_, nullable=nullable) for name in names]


def _text(*names: str) -> list[sa.Column[Any]]:
    return _columns(_TEXT, *names, nullable=False)


def _create_facet(name: str, *more: str) -> None:
    """A table of what belongs to a piece of equipment and is gone with it."""
    table, key = f"dnd_equipment_{name}", f"{name}_key"
    op.create_table(
        table,
        *_text("equipment_key", key, *more),
        sa.PrimaryKeyConstraint("equipment_key", key),
        sa.ForeignKeyConstraint(["equipment_key"], ["dnd_equipment.key"], ondelete="CASCADE"),
    )
    op.create_index(f"ix_{table}_{name}", table, [key, "equipment_key"])


def _create_equipment() -> None:
    op.create_table(
        "dnd_equipment",
        *_text("key", "slug", "document_key", "name", "name_folded", "kind"),
        *_columns(_TEXT, "description"),
        *_text("categories"),
        *_columns(sa.Float, "cost"),
        *_columns(_TEXT, "cost_text"),
        *_columns(sa.Float, "weight"),
        *_columns(sa.Integer, "quantity"),
        *_columns(sa.Boolean, "magic", nullable=False),
        *_columns(sa.Boolean, "simple"),
        *_columns(_TEXT, "weapon_range", "damage_dice", "damage_type", "two_handed_damage_dice"),
        *_columns(sa.Integer, "reach", "range_normal", "range_long"),
        *_columns(sa.Boolean, "finesse", "light"),
        *_text("properties"),
        *_columns(_TEXT, "armor_category"),
        *_columns(sa.Integer, "armor_class_base"),
        *_columns(sa.Boolean, "armor_class_dexterity"),
        *_columns(sa.Integer, "armor_class_max_bonus", "strength_minimum"),
        *_columns(sa.Boolean, "stealth_disadvantage"),
        *_columns(_TEXT, "type_text", "base_item", "rarity"),
        *_columns(sa.Integer, "rarity_rank"),
        *_columns(sa.Boolean, "requires_attunement"),
        *_columns(_TEXT, "attunement_detail", "variant_of"),
        *_text("variants", "contents"),
        *_columns(sa.Float, "speed"),
        *_columns(_TEXT, "speed_unit"),
        *_columns(sa.Integer, "capacity"),
        sa.PrimaryKeyConstraint("key"),
        sa.ForeignKeyConstraint(["document_key"], ["dnd_document.key"]),
    )
    op.create_index("ix_dnd_equipment_name", "dnd_equipment", ["name_folded", "key"])
    op.create_index("ix_dnd_equipment_kind_name", "dnd_equipment", ["kind", "name_folded", "key"])
    op.create_index("ix_dnd_equipment_rarity_name", "dnd_equipment", ["rarity", "name_folded", "key"])
    op.create_index("ix_dnd_equipment_slug", "dnd_equipment", ["slug"])
    _create_facet("category", "category_name")
    _create_facet("property")


def _create_rules() -> None:
    op.create_table(
        "dnd_rule",
        *_text("key", "slug", "document_key", "name", "name_folded", "kind"),
        *_columns(_TEXT, "description", "parent_key"),
        *_text("sections"),
        *_columns(_TEXT, "abbreviation", "category"),
        *_text("typical_speakers"),
        *_columns(_TEXT, "script", "ability_key"),
        *_text("skills", "classes", "species"),
        *_columns(_TEXT, "subject_key", "subject_name"),
        sa.PrimaryKeyConstraint("key"),
        sa.ForeignKeyConstraint(["document_key"], ["dnd_document.key"]),
    )
    op.create_index("ix_dnd_rule_name", "dnd_rule", ["name_folded", "key"])
    op.create_index("ix_dnd_rule_kind_name", "dnd_rule", ["kind", "name_folded", "key"])
    op.create_index("ix_dnd_rule_parent", "dnd_rule", ["parent_key"])
    op.create_index("ix_dnd_rule_slug", "dnd_rule", ["slug"])


def upgrade() -> None:
    _create_equipment()
    _create_rules()
    create_text_index("dnd_equipment_text")
    create_text_index("dnd_rule_text")


def downgrade() -> None:
    drop_text_index("dnd_rule_text")
    drop_text_index("dnd_equipment_text")
    op.drop_table("dnd_rule")
    for facet in ("property", "category"):
        op.drop_table(f"dnd_equipment_{facet}")
    op.drop_table("dnd_equipment")
