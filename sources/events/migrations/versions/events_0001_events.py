"""Events with their sources, entities, tags and full text."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from sources.text_index_tables import create_numbered_text_index, drop_numbered_text_index

revision = "events_0001"
down_revision = None
branch_labels = ("events",)
depends_on = None

# A revision has its own words for types: what tables.py comes to say must not change what was done here.
_TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
_FTS = "events_event_fts"


def _columns(type_: Any, *names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, type_, nullable=nullable) for name in names]


def _create_part(table: str, *columns: sa.Column[Any], key: str) -> None:
    """A table of what belongs to an event and is gone with it, keyed by the event and `key`."""
    op.create_table(
        table,
        sa.Column("event", sa.BigInteger, nullable=False),
        *columns,
        sa.PrimaryKeyConstraint("event", key),
        sa.ForeignKeyConstraint(["event"], ["events_event.number"], ondelete="CASCADE"),
        sqlite_with_rowid=False,
    )


def _create_events() -> None:
    op.create_table(
        "events_event",
        # In SQLite only an INTEGER PRIMARY KEY is the row's own number.
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            primary_key=True,
            autoincrement=False,
        ),
        *_columns(_TEXT, "key"),
        *_columns(sa.BigInteger, "timestamp"),
        *_columns(_TEXT, "title", "summary"),
        *_columns(_TEXT, "raw_content", nullable=True),
        *_columns(sa.Float, "magnitude"),
        *_columns(_TEXT, "category", "status"),
        *_columns(sa.Float, "confidence"),
        *_columns(_TEXT, "confidence_reasoning", nullable=True),
        *_columns(sa.Integer, "confidence_source_count"),
        *_columns(sa.Float, "latitude", "longitude", "place_x", "place_y", "place_z", nullable=True),
        *_columns(_TEXT, "country", "city", "region", nullable=True),
        *_columns(sa.Integer, "source_types", "entity_types"),
        *_columns(sa.BigInteger, "created_at", "updated_at"),
        *_columns(sa.Boolean, "sample"),
        *_columns(_TEXT, "content_hash"),
    )
    event = "events_event"
    filters = ["magnitude", "confidence", "source_types", "entity_types"]
    op.create_index(f"ix_{event}_key", event, ["key"], unique=True)
    op.create_index(f"ix_{event}_newest", event, ["status", "timestamp", "key", "category", *filters])
    op.create_index(
        f"ix_{event}_category_newest", event, ["status", "category", "timestamp", "key", *filters]
    )
    op.create_index(
        f"ix_{event}_strongest",
        event,
        ["status", "magnitude", "timestamp", "key", "category", "confidence"],
    )
    op.create_index(
        f"ix_{event}_category_strongest",
        event,
        ["status", "category", "magnitude", "timestamp", "key", "confidence"],
    )
    op.create_index(
        f"ix_{event}_surest", event, ["status", "confidence", "timestamp", "key", "category", "magnitude"]
    )
    op.create_index(f"ix_{event}_created", event, ["status", "created_at", "timestamp", "key"])
    op.create_index(f"ix_{event}_updated", event, ["status", "updated_at", "timestamp", "key"])
    op.create_index(f"ix_{event}_place", event, ["latitude", "longitude"])
    op.create_index(
        f"ix_{event}_sample",
        event,
        ["number"],
        sqlite_where=sa.text("sample = 1"),
        postgresql_where=sa.text("sample = true"),
    )


def _create_parts() -> None:
    position = sa.Column("position", sa.Integer, nullable=False)
    _create_part(
        "events_source",
        position,
        *_columns(_TEXT, "id", "type"),
        *_columns(_TEXT, "url", "title", "author", "author_id", nullable=True),
        *_columns(sa.BigInteger, "published_at", "retrieved_at", nullable=True),
        *_columns(_TEXT, "raw_content", "content_hash", "details", nullable=True),
        *_columns(sa.Float, "credibility", nullable=True),
        *_columns(_TEXT, "verification_url", "scrape_status", "scrape_error", nullable=True),
        *_columns(sa.BigInteger, "scraped_at", nullable=True),
        *_columns(_TEXT, "enrichment_status", "enrichment_error", nullable=True),
        *_columns(sa.BigInteger, "enriched_at", "enrichment_claimed_at", "created_at", nullable=True),
        key="position",
    )
    _create_part(
        "events_entity",
        sa.Column("position", sa.Integer, nullable=False),
        *_columns(_TEXT, "id", "type", "name", "normalized_name"),
        *_columns(_TEXT, "aliases", nullable=True),
        *_columns(sa.Float, "confidence", nullable=True),
        *_columns(_TEXT, "context", "attributes", nullable=True),
        key="position",
    )
    op.create_index("ix_events_entity_id", "events_entity", ["id", "event", "type", "name"])
    _create_part("events_entity_name", *_columns(_TEXT, "name"), key="name")
    op.create_index("ix_events_entity_name_name", "events_entity_name", ["name", "event"])
    _create_part(
        "events_tag",
        sa.Column("position", sa.Integer, nullable=False),
        *_columns(_TEXT, "tag", "folded"),
        key="position",
    )
    op.create_index("ix_events_tag_folded", "events_tag", ["folded", "event", "tag"])


def upgrade() -> None:
    _create_events()
    _create_parts()
    create_numbered_text_index(_FTS)


def downgrade() -> None:
    drop_numbered_text_index(_FTS)
    for table in ("events_tag", "events_entity_name", "events_entity", "events_source", "events_event"):
        op.drop_table(table)
