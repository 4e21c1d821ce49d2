"""The SQL tables of the events shelf.

An event has a number beside its key: what belongs to it refers to the number, and so does its full text, which makes
a million events a third smaller and a look-up one step shorter. Times are microseconds since 1970 (`moments.py`).
Which types of sources and entities an event has stands in its own row as well, as bits, so that lists and statistics
over them read no second table.
"""

# No `from __future__ import annotations`: SQLModel reads the annotations as types.

from typing import Any

from sqlalchemy import BigInteger, Index, Integer, Text, text
from sqlalchemy.dialects import postgresql
from sqlmodel import Field, SQLModel

TEXT = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
"""Text that is compared and sorted by code points on both databases."""

# In SQLite only an INTEGER PRIMARY KEY is the row's own number.
NUMBER: Any = BigInteger().with_variant(Integer, "sqlite")

EVENT_TEXT = "events_event_fts"
"""The full text of title and summary, by the event's number."""


def _text(**options: Any) -> Any:
    return Field(sa_type=TEXT, **options)


def _moment(**options: Any) -> Any:
    return Field(sa_type=BigInteger, **options)


def _owner() -> Any:
    return Field(sa_type=BigInteger, primary_key=True, foreign_key="events_event.number", ondelete="CASCADE")


class EventRow(SQLModel, table=True):
    """One event."""

    __tablename__ = "events_event"
    # Named for the lists they serve: each begins with the equal columns, then what the list is sorted by down to the
    # key, then what it is filtered by on the way, so that a row that does not fit is passed over within the index.
    __table_args__ = (
        Index("ix_events_event_key", "key", unique=True),
        Index(
            "ix_events_event_newest",
            "status",
            "timestamp",
            "key",
            "category",
            "magnitude",
            "confidence",
            "source_types",
            "entity_types",
        ),
        Index(
            "ix_events_event_category_newest",
            "status",
            "category",
            "timestamp",
            "key",
            "magnitude",
            "confidence",
            "source_types",
            "entity_types",
        ),
        Index(
            "ix_events_event_strongest", "status", "magnitude", "timestamp", "key", "category", "confidence"
        ),
        Index(
            "ix_events_event_category_strongest",
            "status",
            "category",
            "magnitude",
            "timestamp",
            "key",
            "confidence",
        ),
        Index("ix_events_event_surest", "status", "confidence", "timestamp", "key", "category", "magnitude"),
        Index("ix_events_event_created", "status", "created_at", "timestamp", "key"),
        Index("ix_events_event_updated", "status", "updated_at", "timestamp", "key"),
        Index("ix_events_event_place", "latitude", "longitude"),
        # Of the sample alone: how much of it is held is asked with every answer.
        Index(
            "ix_events_event_sample",
            "number",
            sqlite_where=text("sample = 1"),
            postgresql_where=text("sample = true"),
        ),
    )

    number: int = Field(sa_type=NUMBER, primary_key=True, sa_column_kwargs={"autoincrement": False})
    key: str = _text()
    timestamp: int = _moment()
    title: str = _text()
    summary: str = _text()
    raw_content: str | None = _text()
    magnitude: float
    category: str = _text()
    status: str = _text()
    confidence: float
    confidence_reasoning: str | None = _text()
    confidence_source_count: int
    latitude: float | None
    longitude: float | None
    place_x: float | None
    place_y: float | None
    place_z: float | None
    country: str | None = _text()
    city: str | None = _text()
    region: str | None = _text()
    source_types: int
    entity_types: int
    created_at: int = _moment()
    updated_at: int = _moment()
    sample: bool
    content_hash: str = _text()


class EventSourceRow(SQLModel, table=True):
    """One source of an event: a post, a page, a report."""

    __tablename__ = "events_source"
    __table_args__ = {"sqlite_with_rowid": False}

    event: int = _owner()
    position: int = Field(primary_key=True)
    id: str = _text()
    type: str = _text()
    url: str | None = _text()
    title: str | None = _text()
    author: str | None = _text()
    author_id: str | None = _text()
    published_at: int | None = _moment()
    retrieved_at: int | None = _moment()
    raw_content: str | None = _text()
    content_hash: str | None = _text()
    details: str | None = _text()
    credibility: float | None
    verification_url: str | None = _text()
    scrape_status: str | None = _text()
    scrape_error: str | None = _text()
    scraped_at: int | None = _moment()
    enrichment_status: str | None = _text()
    enrichment_error: str | None = _text()
    enriched_at: int | None = _moment()
    enrichment_claimed_at: int | None = _moment()
    created_at: int | None = _moment()


class EventEntityRow(SQLModel, table=True):
    """One entity that an event is about. The same entity has the same id in every event."""

    __tablename__ = "events_entity"
    __table_args__ = (
        Index("ix_events_entity_id", "id", "event", "type", "name"),
        {"sqlite_with_rowid": False},
    )

    event: int = _owner()
    position: int = Field(primary_key=True)
    id: str = _text()
    type: str = _text()
    name: str = _text()
    normalized_name: str = _text()
    aliases: str | None = _text()
    confidence: float | None
    context: str | None = _text()
    attributes: str | None = _text()


class EventEntityNameRow(SQLModel, table=True):
    """A name by which an entity of an event is found: its name, an alias or its id, folded."""

    __tablename__ = "events_entity_name"
    __table_args__ = (
        Index("ix_events_entity_name_name", "name", "event"),
        {"sqlite_with_rowid": False},
    )

    event: int = _owner()
    name: str = _text(primary_key=True)


class EventTagRow(SQLModel, table=True):
    """One tag of an event: as it was written, and folded as it is compared."""

    __tablename__ = "events_tag"
    __table_args__ = (
        Index("ix_events_tag_folded", "folded", "event", "tag"),
        {"sqlite_with_rowid": False},
    )

    event: int = _owner()
    position: int = Field(primary_key=True)
    tag: str = _text()
    folded: str = _text()


class EventTallyRow(SQLModel, table=True):
    """A running total over the events of one status, see `sources.events.tally`."""

    __tablename__ = "events_tally"
    __table_args__ = {"sqlite_with_rowid": False}

    status: str = _text(primary_key=True)
    kind: str = _text(primary_key=True)
    word: str = _text(primary_key=True)
    label: str = _text(primary_key=True)
    type: str = _text(primary_key=True)
    number: int = Field(sa_type=BigInteger)
    magnitude: int = Field(sa_type=BigInteger)
    confidence: int = Field(sa_type=BigInteger)


TABLES = (EventRow, EventSourceRow, EventEntityRow, EventEntityNameRow, EventTagRow, EventTallyRow)
"""Parents before their children."""
