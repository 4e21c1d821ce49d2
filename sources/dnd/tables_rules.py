"""The SQL table of rules, written as those in `tables.py` are."""

# No `from __future__ import annotations`: SQLModel reads the annotations as types.

from sqlalchemy import Index
from sqlmodel import SQLModel

from sources.dnd.columns import key_column as _key
from sources.dnd.columns import text_column as _text


class RuleRow(SQLModel, table=True):
    """One rule, condition or term. `name_folded` is the folded name, for name filters and sorting."""

    __tablename__ = "dnd_rule"
    __table_args__ = (
        Index("ix_dnd_rule_name", "name_folded", "key"),
        Index("ix_dnd_rule_kind_name", "kind", "name_folded", "key"),
        Index("ix_dnd_rule_parent", "parent_key"),
        Index("ix_dnd_rule_slug", "slug"),
    )

    key: str = _key()
    slug: str = _text()
    document_key: str = _text(foreign_key="dnd_document.key")
    name: str = _text()
    name_folded: str = _text()
    kind: str = _text()
    description: str | None = _text()
    parent_key: str | None = _text()
    sections: str = _text()
    abbreviation: str | None = _text()
    category: str | None = _text()
    typical_speakers: str = _text()
    script: str | None = _text()
    ability_key: str | None = _text()
    skills: str = _text()
    classes: str = _text()
    species: str = _text()
    subject_key: str | None = _text()
    subject_name: str | None = _text()
