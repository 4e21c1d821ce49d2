"""Memory databases, their entries, and the full text of these."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from sources.text_index_tables import create_text_index, drop_text_index

revision = "memory_0001"
down_revision = None
branch_labels = ("memory",)
depends_on = None

TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "memory_database",
        sa.Column("name", TEXT, primary_key=True),
        sa.Column("description", TEXT, nullable=False),
        sa.Column("embedder_kind", TEXT, nullable=False),
        sa.Column("embedder_model", TEXT, nullable=False),
        sa.Column("dimension", sa.Integer, nullable=False),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("embedded", sa.Boolean, nullable=False),
        sa.Column("entries", sa.BigInteger, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("created_at", TEXT, nullable=False),
        sa.Column("location", TEXT, nullable=True),
    )
    op.create_table(
        "memory_entry",
        sa.Column("key", TEXT, primary_key=True),
        sa.Column(
            "database", TEXT, sa.ForeignKey("memory_database.name", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("entry_id", TEXT, nullable=False),
        sa.Column("content", TEXT, nullable=False),
        sa.Column("metadata_json", TEXT, nullable=False),
        sa.Column("timestamp", sa.BigInteger, nullable=True),
        sa.Column("content_hash", TEXT, nullable=False),
        sa.Column("text_hash", TEXT, nullable=False),
    )
    op.create_index("ix_memory_entry_newest", "memory_entry", ["database", "timestamp", "key"])
    op.create_index("ix_memory_entry_hash", "memory_entry", ["database", "key", "text_hash"])
    op.create_table(
        "memory_entry_pair",
        sa.Column("entry", TEXT, sa.ForeignKey("memory_entry.key", ondelete="CASCADE"), primary_key=True),
        sa.Column("pair", TEXT, primary_key=True),
    )
    op.create_index("ix_memory_entry_pair_entries", "memory_entry_pair", ["pair", "entry"])
    create_text_index("memory_entry_text")


def downgrade() -> None:
    drop_text_index("memory_entry_text")
    op.drop_table("memory_entry_pair")
    op.drop_table("memory_entry")
    op.drop_table("memory_database")
