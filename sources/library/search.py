"""What full text knows about a query: the documents and chunks that hold its words, the likeliest first.

Each database ranks in its own way, so its order only decides which matches are looked at when there are more than
`limit`; `resolvers/library/ranking.py` gives the scores that are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sources.criteria import All, Criteria
from sources.database import Database, Row, Statement
from sources.library.maps import DOCUMENTS
from sources.library.tables import CHUNK_TEXT, DOCUMENT_TEXT
from sources.selection_sql import select_records
from sources.text_index import Dialect
from sources.text_index_tables import fts_table

_SHOWN = 20_000
"""Characters of a chunk that are looked at."""


class ChunkHit(NamedTuple):
    """A chunk that holds words of a query."""

    document_key: str
    text: str
    page: int | None


class TextHits:
    """The full text of the library, asked for any of the words of a query."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def documents(self, words: Sequence[str], criteria: Criteria, limit: int) -> list[str]:
        """Keys of the documents that fulfil `criteria` and hold any of these words outside their chunks."""
        rows = await self._hits(DOCUMENT_TEXT, "found.key", "", "found.key", words, criteria, limit)
        return [row[0] for row in rows]

    async def chunks(self, words: Sequence[str], criteria: Criteria, limit: int) -> list[ChunkHit]:
        """Chunks that hold any of these words, of documents that fulfil `criteria`."""
        columns = f"piece.document_key, substr(piece.text, 1, {_SHOWN}), piece.page"
        join = " JOIN library_chunk piece ON piece.key = found.key"
        rows = await self._hits(CHUNK_TEXT, columns, join, "piece.document_key", words, criteria, limit)
        return [ChunkHit(*row) for row in rows]

    async def frequencies(self, words: Sequence[str]) -> list[int]:
        """In how many documents each word occurs outside their chunks."""
        dialect = self._database.dialect
        if dialect == "sqlite":
            fts = fts_table(DOCUMENT_TEXT)
            counts = [f"(SELECT count(*) FROM {fts} WHERE {fts} MATCH ?)" for _ in words]
        else:
            counts = [
                f"(SELECT count(*) FROM {DOCUMENT_TEXT} WHERE words @@ CAST(${place} AS tsquery))"
                for place in range(1, len(words) + 1)
            ]
        statement = Statement("SELECT " + ", ".join(counts))
        row = await self._database.fetch_one(statement, [any_of([word], dialect) for word in words])
        return [int(count) for count in row or ()]

    async def _hits(
        self,
        index: str,
        columns: str,
        join: str,
        owner: str,
        words: Sequence[str],
        criteria: Criteria,
        limit: int,
    ) -> list[Row]:
        dialect = self._database.dialect
        params: list[Any] = []
        allowed, only = "", ""
        if criteria != All():
            selection = select_records(DOCUMENTS, dialect, ("key",), criteria)
            allowed, only = (
                f"WITH allowed AS ({selection.statement.sql}) ",
                f" AND {owner} IN (SELECT c0 FROM allowed)",
            )
            params += selection.params
        query = any_of(words, dialect)
        if dialect == "sqlite":
            fts = fts_table(index)
            params += [query, limit]
            sql = (
                f"{allowed}SELECT {columns} FROM {fts} JOIN {index} found ON found.row_id = {fts}.rowid{join}"
                f" WHERE {fts} MATCH ?{only} ORDER BY bm25({fts}, 3.0, 1.0), found.key LIMIT ?"
            )
        else:
            asked = f"CAST(${len(params) + 1} AS tsquery)"
            sql = (
                f"{allowed}SELECT {columns} FROM {index} found{join} WHERE found.words @@ {asked}{only}"
                f" ORDER BY ts_rank(found.words, {asked}) DESC, found.key LIMIT ${len(params) + 2}"
            )
            params += [query, limit]
        return await self._database.fetch(Statement(sql), params)


def any_of(words: Sequence[str], dialect: Dialect) -> str:
    """A query for any of these words, as `sources.text_index.tokens` cuts them, in the database's language."""
    if dialect == "sqlite":
        return " OR ".join(f'"{word}"' for word in words)
    return " | ".join(f"'{word}'" for word in words)
