"""The SQL tables of the memory shelf. They are the truth: vectors are made from them, and can be made again."""

# No `from __future__ import annotations`: SQLModel reads the annotations as types.

from typing import Any

import sqlalchemy as sa
from sqlalchemy import BigInteger, Index, Text
from sqlalchemy.dialects import postgresql
from sqlmodel import Field, SQLModel

TEXT = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
"""Text that is compared and sorted by code points on both databases."""

ENTRY_TEXT = "memory_entry_text"
"""The full text of the entries."""


def _text(**options: Any) -> Any:
    return Field(sa_type=TEXT, **options)


def _number(**options: Any) -> Any:
    return Field(sa_type=BigInteger, **options)


class DatabaseRow(SQLModel, table=True):
    """One database. `location` is JSON, of an external one alone; `revision` counts the changes of its entries."""

    __tablename__ = "memory_database"

    name: str = _text(primary_key=True)
    description: str = _text()
    embedder_kind: str = _text()
    embedder_model: str = _text()
    dimension: int
    active: bool
    public: bool
    embedded: bool
    entries: int = _number()
    revision: int = _number()
    created_at: str = _text()
    location: str | None = _text()


class EntryRow(SQLModel, table=True):
    """One entry. `key` is `database/entry_id`; `timestamp` is microseconds since 1970.

    `content_hash` tells whether anything of it changed, `text_hash` whether its content did.
    """

    __tablename__ = "memory_entry"
    __table_args__ = (
        Index("ix_memory_entry_newest", "database", "timestamp", "key"),
        Index("ix_memory_entry_hash", "database", "key", "text_hash"),
    )

    key: str = _text(primary_key=True)
    database: str = _text(foreign_key="memory_database.name", ondelete="CASCADE")
    entry_id: str = _text()
    content: str = _text()
    metadata_json: str = _text()
    timestamp: int | None = _number()
    content_hash: str = _text()
    text_hash: str = _text()


class PairRow(SQLModel, table=True):
    """One value of an entry's metadata, as `key=value`."""

    __tablename__ = "memory_entry_pair"
    __table_args__ = (Index("ix_memory_entry_pair_entries", "pair", "entry"),)

    entry: str = _text(primary_key=True, foreign_key="memory_entry.key", ondelete="CASCADE")
    pair: str = _text(primary_key=True)


def _table(row: type[SQLModel]) -> sa.Table:
    table = row.__table__  # type: ignore[attr-defined]
    assert isinstance(table, sa.Table)
    return table


DATABASE = _table(DatabaseRow)
ENTRY = _table(EntryRow)
PAIR = _table(PairRow)
