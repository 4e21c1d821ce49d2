"""Writing entries: whole batches, each one transaction that moves what readers and the index go by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from sources.data_version import move_data_version
from sources.indexing import text_hash
from sources.memory.records import Draft, entry_key
from sources.memory.tables import DATABASE, ENTRY, ENTRY_TEXT, PAIR
from sources.text_index_tables import remove_texts, write_texts

ROOM = "memory"
_MARKS = 500
"""Values in one statement."""


@dataclass(slots=True)
class Written:
    """What became of entries."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0

    def __iadd__(self, other: Written) -> Written:
        self.added += other.added
        self.changed += other.changed
        self.unchanged += other.unchanged
        self.removed += other.removed
        return self


def write_entries(
    connection: sa.Connection,
    database: str,
    drafts: Sequence[Draft],
    removed_ids: Sequence[str] = (),
    *,
    dry_run: bool = False,
) -> Written:
    """Adds and replaces entries of a database, and takes others out; what is there already is left alone.

    Of an id that comes twice the last one counts. With `dry_run` it only tells what it would do.
    """
    by_key = {entry_key(database, draft.id): draft for draft in drafts}
    gone = [key for key in (entry_key(database, id_) for id_ in removed_ids) if key not in by_key]
    held = _hashes(connection, [*by_key, *gone])
    hashes = {key: draft.content_hash for key, draft in by_key.items()}
    added = [key for key in by_key if key not in held]
    changed = [key for key in by_key if key in held and held[key] != hashes[key]]
    gone = [key for key in dict.fromkeys(gone) if key in held]
    written = Written(len(added), len(changed), len(by_key) - len(added) - len(changed), len(gone))
    if dry_run or not (added or changed or gone):
        return written
    remove_entries(connection, [*changed, *gone], keep_text=changed)
    rows = [_row(key, database, by_key[key], hashes[key]) for key in (*added, *changed)]
    if rows:
        connection.execute(sa.insert(ENTRY), rows)
    pairs = [
        {"entry": key, "pair": pair} for key in (*added, *changed) for pair in sorted(by_key[key].pairs())
    ]
    if pairs:
        connection.execute(sa.insert(PAIR), pairs)
    write_texts(connection, ENTRY_TEXT, ((key, "", by_key[key].content) for key in (*added, *changed)))
    connection.execute(
        sa.update(DATABASE)
        .where(DATABASE.c.name == database)
        .values(entries=DATABASE.c.entries + len(added) - len(gone), revision=DATABASE.c.revision + 1)
    )
    move_data_version(connection, ROOM)
    return written


def remove_entries(connection: sa.Connection, keys: Sequence[str], *, keep_text: Sequence[str] = ()) -> None:
    """Deletes entries by their keys, with all that belongs to them; not the text of those in `keep_text`."""
    for start in range(0, len(keys), _MARKS):
        part = keys[start : start + _MARKS]
        connection.execute(sa.delete(PAIR).where(PAIR.c.entry.in_(part)))
        connection.execute(sa.delete(ENTRY).where(ENTRY.c.key.in_(part)))
    kept = set(keep_text)
    remove_texts(connection, ENTRY_TEXT, [key for key in keys if key not in kept])


def clear_entries(connection: sa.Connection, database: str) -> int:
    """Deletes all entries of a database; returns how many they were."""
    keys = connection.execute(sa.select(ENTRY.c.key).where(ENTRY.c.database == database)).scalars().all()
    remove_entries(connection, keys)
    return len(keys)


def _hashes(connection: sa.Connection, keys: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for start in range(0, len(keys), _MARKS):
        part = keys[start : start + _MARKS]
        rows = connection.execute(sa.select(ENTRY.c.key, ENTRY.c.content_hash).where(ENTRY.c.key.in_(part)))
        found |= {row[0]: row[1] for row in rows}
    return found


def _row(key: str, database: str, draft: Draft, hash_: str) -> dict[str, Any]:
    return {
        "key": key,
        "database": database,
        "entry_id": draft.id,
        "content": draft.content,
        "metadata_json": draft.metadata_json,
        "timestamp": draft.timestamp,
        "content_hash": hash_,
        "text_hash": text_hash(draft.content),
    }
