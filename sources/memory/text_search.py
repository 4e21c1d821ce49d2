"""What full text knows about a question to a database: the entries that hold its words, the likeliest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sources.criteria import Criteria
from sources.database import Database, Statement
from sources.memory.tables import ENTRY_TEXT
from sources.selection_sql import select_records
from sources.table_map import TableMap
from sources.text_index import Dialect
from sources.text_index_tables import fts_table


async def entries_with_words(
    database: Database, table_map: TableMap, words: Sequence[str], criteria: Criteria, most: int
) -> list[str]:
    """The keys of the entries that fulfil `criteria` and hold any of `words`, as each database ranks them.

    `words` are those of `sources.text_index.tokens`.
    """
    if not words:
        return []
    dialect = database.dialect
    selection = select_records(table_map, dialect, ("key",), criteria)
    params: list[Any] = [*selection.params, _any_of(words, dialect)]
    if dialect == "sqlite":
        fts = fts_table(ENTRY_TEXT)
        sql = (
            f"WITH allowed AS ({selection.statement.sql}) SELECT found.key FROM {fts}"
            f" JOIN {ENTRY_TEXT} found ON found.row_id = {fts}.rowid"
            f" WHERE {fts} MATCH ? AND found.key IN (SELECT c0 FROM allowed)"
            f" ORDER BY bm25({fts}), found.key LIMIT ?"
        )
    else:
        asked = f"CAST(${len(params)} AS tsquery)"
        sql = (
            f"WITH allowed AS ({selection.statement.sql}) SELECT found.key FROM {ENTRY_TEXT} found"
            f" WHERE found.words @@ {asked} AND found.key IN (SELECT c0 FROM allowed)"
            f" ORDER BY ts_rank(found.words, {asked}) DESC, found.key LIMIT ${len(params) + 1}"
        )
    rows = await database.fetch(Statement(sql), [*params, most])
    return [row[0] for row in rows]


def _any_of(words: Sequence[str], dialect: Dialect) -> str:
    if dialect == "sqlite":
        return " OR ".join(f'"{word}"' for word in words)
    return " | ".join(f"'{word}'" for word in words)
