"""The mirror of Open5e: what was read page by page, what was turned away, and when documents were mirrored."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "dnd_0004"
down_revision = "dnd_0003"
branch_labels = None
depends_on = None

# A revision has its own words for types: what the modules of tables come to say must not change it.
_TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("dnd_document", sa.Column("mirrored_at", _TEXT, nullable=True))
    op.create_table(
        "dnd_mirror",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("state", _TEXT, nullable=False, unique=True),
        sa.Column("binding", _TEXT, nullable=False),
        sa.Column("upstream", _TEXT, nullable=False),
        sa.Column("documents", _TEXT, nullable=True),
        sa.Column("counts", _TEXT, nullable=False),
        sa.Column("begun_at", _TEXT, nullable=False),
        sa.Column("mirrored_at", _TEXT, nullable=True),
        sa.Column("checked_at", _TEXT, nullable=True),
        sa.Column("problem", _TEXT, nullable=True),
    )
    op.create_table(
        "dnd_mirror_page",
        sa.Column("mirror_id", _TEXT, nullable=False),
        sa.Column("list", _TEXT, nullable=False),
        sa.Column("page", sa.Integer, nullable=False),
        sa.Column("records", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("mirror_id", "list", "page"),
        sa.ForeignKeyConstraint(["mirror_id"], ["dnd_mirror.id"], ondelete="CASCADE"),
    )
    op.create_table(
        "dnd_mirror_reject",
        sa.Column("mirror_id", _TEXT, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("list", _TEXT, nullable=False),
        sa.Column("key", _TEXT, nullable=True),
        sa.Column("reason", _TEXT, nullable=False),
        sa.PrimaryKeyConstraint("mirror_id", "position"),
        sa.ForeignKeyConstraint(["mirror_id"], ["dnd_mirror.id"], ondelete="CASCADE"),
    )


def downgrade() -> None:
    op.drop_table("dnd_mirror_reject")
    op.drop_table("dnd_mirror_page")
    op.drop_table("dnd_mirror")
    # Not Alembic's way for SQLite, which makes the table anew and so loses what refers to it.
    op.execute("ALTER TABLE dnd_document DROP COLUMN mirrored_at")
