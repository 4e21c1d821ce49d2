"""The SQL tables of the mirror, written as those in `tables.py` are.

What the upstream sent lies here as it came, beside the records that were made of it: a sync that was stopped goes
on from it, and when loregraph comes with newer embedded records, both are merged again without a network.
"""

# No `from __future__ import annotations`: SQLModel reads the annotations as types.

from sqlalchemy import LargeBinary
from sqlmodel import Field, SQLModel

from sources.dnd.columns import key_column as _key
from sources.dnd.columns import text_column as _text


def _mirror_column() -> str:
    column: str = _text(primary_key=True, foreign_key="dnd_mirror.id", ondelete="CASCADE")
    return column


class MirrorRow(SQLModel, table=True):
    """One mirror. `state`: `staging` while it is being read, `held` when the records are made of it; one of each.

    - `binding`: digest of all that its pages depend on; pages of another binding do not fit beside them
    - `upstream`: base URL; `documents`: JSON list of those chosen, null for all
    - `counts`: JSON object, how many records the upstream said each list has
    - `begun_at`, `mirrored_at` (its records replaced others), `checked_at` (last found unchanged): ISO 8601
    - `problem`: why it could not be finished
    """

    __tablename__ = "dnd_mirror"

    id: str = _key()
    state: str = _text(unique=True)
    binding: str = _text()
    upstream: str = _text()
    documents: str | None = _text()
    counts: str = _text()
    begun_at: str = _text()
    mirrored_at: str | None = _text()
    checked_at: str | None = _text()
    problem: str | None = _text()


class MirrorPageRow(SQLModel, table=True):
    """One page of a list: `body` is the JSON list of its records, compressed by zlib."""

    __tablename__ = "dnd_mirror_page"

    mirror_id: str = _mirror_column()
    list: str = _key()
    page: int = Field(primary_key=True)
    records: int
    body: bytes = Field(sa_type=LargeBinary)


class MirrorRejectRow(SQLModel, table=True):
    """A record that was turned away, or (`key` null) something about a whole list."""

    __tablename__ = "dnd_mirror_reject"

    mirror_id: str = _mirror_column()
    position: int = Field(primary_key=True)
    list: str = _text()
    key: str | None = _text()
    reason: str = _text()
