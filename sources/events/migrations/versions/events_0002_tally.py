"""Running totals of events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "events_0002"
down_revision = "events_0001"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
_DAY = 86_400_000_000
_BILLION = 1_000_000_000
_SOURCE_TYPES = (
    "twitter", "telegram", "reddit", "4chan", "glp", "government", "news_media", "blog", "other",
)  # fmt: skip
_ENTITY_TYPES = (
    "country", "city", "region", "person", "organization", "military_unit", "vessel", "weapon_system",
    "facility", "event", "other",
)  # fmt: skip


def upgrade() -> None:
    op.create_table(
        "events_tally",
        *(sa.Column(name, _TEXT, nullable=False) for name in ("status", "kind", "word", "label", "type")),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("number", "magnitude", "confidence")),
        sa.PrimaryKeyConstraint("status", "kind", "word", "label", "type"),
        sqlite_with_rowid=False,
    )
    # Division cuts towards zero, and times before 1970 lie below it.
    day = f"e.timestamp - (e.timestamp % {_DAY} + {_DAY}) % {_DAY}"
    _fill("category", "e.category", summed=True)
    _fill("day", f"CAST({day} AS TEXT)", summed=True)
    for kind, words in (("source_type", _SOURCE_TYPES), ("entity_type", _ENTITY_TYPES)):
        for bit, word in enumerate(words):
            _fill(kind, f"'{word}'", rest=f"WHERE e.{kind}s & {1 << bit} <> 0")
    _fill("tag", "p.folded", "p.tag", rest="JOIN events_tag AS p ON p.event = e.number")
    _fill("entity", "p.id", "p.name", "p.type", rest="JOIN events_entity AS p ON p.event = e.number")


def _fill(
    kind: str, word: str, label: str = "''", type_: str = "''", rest: str = "", *, summed: bool = False
) -> None:
    sums = [
        f"CAST(round(e.{name} * {_BILLION}) AS BIGINT)" if summed else "0"
        for name in ("magnitude", "confidence")
    ]
    op.execute(
        "INSERT INTO events_tally (status, kind, word, label, type, number, magnitude, confidence)"
        " SELECT status, kind, word, label, type, count(*), sum(magnitude), sum(confidence)"
        f" FROM (SELECT e.status AS status, '{kind}' AS kind, {word} AS word, {label} AS label, {type_} AS type,"
        f" {sums[0]} AS magnitude, {sums[1]} AS confidence FROM events_event AS e {rest}) AS one"
        " GROUP BY status, kind, word, label, type"
    )


def downgrade() -> None:
    op.drop_table("events_tally")
