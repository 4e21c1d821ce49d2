"""Columns of the D&D tables, as every module that declares tables writes them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Text
from sqlalchemy.dialects import postgresql
from sqlmodel import Field

BINARY_TEXT = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
"""Text that is compared and sorted by code points, as SQLite does and PostgreSQL does with COLLATE "C"."""


def text_column(**options: Any) -> Any:
    """A text."""
    return Field(sa_type=BINARY_TEXT, **options)


def key_column() -> Any:
    """A text that is the primary key, or a part of it."""
    return text_column(primary_key=True)


def owner_column(table: str, *, primary: bool = True) -> Any:
    """The key of the record that a row belongs to, and disappears with."""
    return text_column(primary_key=primary, foreign_key=f"{table}.key", ondelete="CASCADE")
