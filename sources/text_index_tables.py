"""Where a room's full text lies in the database, how it is written, and how it is asked.

A text index belongs to one kind of record and holds, by the record's key, its name and its body, each as the
words of `sources.text_index`. In SQLite it is a small table of keys and an FTS5 table whose rowid is the
key's number: keys are found by integer, so a question costs what its hits cost, at a million rows as well.
In PostgreSQL it is one table with a stored tsvector under a GIN index.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TSQUERY, TSVECTOR

from sources.text_index import BARRIER, Dialect, document_words, index_text, tsvector_text

TextRow = tuple[str, str, str]
"""Key, name and body of a record, as they are; the index makes its own words of them."""

_BATCH = 500


def fts_table(table: str) -> str:
    """The FTS5 table of a text index; it exists in SQLite only."""
    return f"{table}_fts"


def create_text_index(table: str) -> None:
    """Creates an empty text index, in a migration."""
    if op.get_bind().dialect.name == "sqlite":
        op.create_table(
            table,
            sa.Column("row_id", sa.Integer, primary_key=True),
            sa.Column("key", sa.Text, nullable=False, unique=True),
        )
        # Our words are ASCII letters and digits, or beyond ASCII: all of which this tokenizer leaves whole.
        op.execute(f"CREATE VIRTUAL TABLE {fts_table(table)} USING fts5(name, body, tokenize = 'ascii')")
    else:
        op.create_table(
            table,
            sa.Column("key", sa.Text(collation="C"), primary_key=True),
            sa.Column("words", TSVECTOR, nullable=False),
        )
        op.create_index(f"{table}_by_word", table, ["words"], postgresql_using="gin")


def drop_text_index(table: str) -> None:
    """Drops a text index, in a migration."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"DROP TABLE {fts_table(table)}")
    op.drop_table(table)


def text_index_tables(tables: Iterable[str]) -> frozenset[str]:
    """Every table name that these text indexes may show up as in a database.

    FTS5 keeps its data in shadow tables beside its own.
    """
    shadows = ("", "_data", "_idx", "_content", "_docsize", "_config")
    return frozenset(
        name for table in tables for name in (table, *(fts_table(table) + shadow for shadow in shadows))
    )


def _batches(rows: Iterable[TextRow]) -> Iterator[dict[str, TextRow]]:
    remaining = iter(rows)
    while batch := list(islice(remaining, _BATCH)):
        # Of a key that comes twice the later row counts, as it does across batches.
        yield {row[0]: row for row in batch}


def write_texts(connection: sa.Connection, table: str, rows: Iterable[TextRow]) -> int:
    """Adds records to a text index, or replaces what it holds under their keys; returns how many."""
    write = _write_fts if connection.dialect.name == "sqlite" else _write_tsvector
    written = 0
    for batch in _batches(rows):
        write(connection, table, batch)
        written += len(batch)
    return written


def _write_fts(connection: sa.Connection, table: str, batch: dict[str, TextRow]) -> None:
    fts = fts_table(table)
    connection.exec_driver_sql(
        f"INSERT INTO {table} (key) VALUES (?) ON CONFLICT (key) DO NOTHING", [(key,) for key in batch]
    )
    marks = ", ".join("?" * len(batch))
    numbers = connection.exec_driver_sql(
        f"SELECT row_id, key FROM {table} WHERE key IN ({marks}) ORDER BY row_id", tuple(batch)
    ).all()
    connection.exec_driver_sql(f"DELETE FROM {fts} WHERE rowid = ?", [(number,) for number, _ in numbers])
    connection.exec_driver_sql(
        f"INSERT INTO {fts} (rowid, name, body) VALUES (?, ?, ?)",
        [(number, index_text(batch[key][1]), index_text(batch[key][2])) for number, key in numbers],
    )


def _write_tsvector(connection: sa.Connection, table: str, batch: dict[str, TextRow]) -> None:
    connection.exec_driver_sql(
        f"INSERT INTO {table} (key, words) VALUES (%s, CAST(%s AS tsvector))"
        " ON CONFLICT (key) DO UPDATE SET words = excluded.words",
        [(key, tsvector_text(name, body)) for key, name, body in batch.values()],
    )


def remove_texts(connection: sa.Connection, table: str, keys: Sequence[str]) -> None:
    """Takes records out of a text index; keys that it does not hold are no error."""
    if not keys:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(
            f"DELETE FROM {fts_table(table)} WHERE rowid = (SELECT row_id FROM {table} WHERE key = ?)",
            [(key,) for key in keys],
        )
        connection.exec_driver_sql(f"DELETE FROM {table} WHERE key = ?", [(key,) for key in keys])
    else:
        connection.exec_driver_sql(f"DELETE FROM {table} WHERE key = ANY(%s)", (list(keys),))


def clear_texts(connection: sa.Connection, table: str) -> None:
    """Empties a text index."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"DELETE FROM {fts_table(table)}")
    connection.exec_driver_sql(f"DELETE FROM {table}")


def matching_keys(table: str, dialect: Dialect, query: sa.BindParameter[str]) -> sa.Select[tuple[str]]:
    """The keys of the records that a query matches.

    `query` carries `match_query(text, dialect)`.
    """
    if dialect == "sqlite":
        keys = sa.table(table, sa.column("row_id", sa.Integer), sa.column("key", sa.Text))
        fts = sa.table(fts_table(table), sa.column("rowid", sa.Integer))
        hits = sa.literal_column(fts_table(table)).op("MATCH", is_comparison=True)(query)
        return sa.select(keys.c.key).select_from(fts).join(keys, keys.c.row_id == fts.c.rowid).where(hits)
    words = sa.table(table, sa.column("key", sa.Text), sa.column("words", TSVECTOR))
    hits = words.c.words.op("@@", is_comparison=True)(sa.cast(query, TSQUERY))
    return sa.select(words.c.key).where(hits)


# Text indexes by number: of records whose table has a whole number for each row. The index then needs no keys of
# its own, which makes it smaller and a question over a million rows two look-ups a hit cheaper; and it keeps the
# words of name and body in their order, in which phrases are sought.

NumberedText = tuple[int, str, str]
"""Number, name and body of a record, as they are."""


def create_numbered_text_index(table: str) -> None:
    """Creates an empty text index by number, in a migration. `table` should end in `_fts`: see `fts_table`."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"CREATE VIRTUAL TABLE {table} USING fts5(name, body, tokenize = 'ascii')")
    else:
        op.create_table(
            table,
            sa.Column("rowid", sa.BigInteger, primary_key=True, autoincrement=False),
            sa.Column("name", sa.Text(collation="C"), nullable=False),
            sa.Column("body", sa.Text(collation="C"), nullable=False),
            sa.Column("words", TSVECTOR, nullable=False),
        )
        op.create_index(f"{table}_by_word", table, ["words"], postgresql_using="gin")


def drop_numbered_text_index(table: str) -> None:
    """Drops a text index by number, in a migration."""
    op.drop_table(table)


def add_numbered_texts(connection: sa.Connection, table: str, rows: Sequence[NumberedText]) -> None:
    """Adds records that the index does not hold yet."""
    if not rows:
        return
    cut = [(number, _stored_words(name), _stored_words(body)) for number, name, body in rows]
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"INSERT INTO {table} (rowid, name, body) VALUES (?, ?, ?)", cut)
    else:
        connection.exec_driver_sql(
            f"INSERT INTO {table} (rowid, name, body, words) VALUES (%s, %s, %s, CAST(%s AS tsvector))",
            [(number, name, body, _lexemes(name, body)) for number, name, body in cut],
        )


def remove_numbered_texts(connection: sa.Connection, table: str, numbers: Sequence[int]) -> None:
    """Takes records out of a text index by number; numbers that it does not hold are no error."""
    if not numbers:
        return
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    connection.exec_driver_sql(f"DELETE FROM {table} WHERE rowid = {mark}", [(number,) for number in numbers])


def _stored_words(text: str) -> str:
    return f" {' '.join(document_words(text))} "


def _lexemes(*texts: str) -> str:
    words = dict.fromkeys(word for text in texts for word in text.split(" ") if word and word != BARRIER)
    return " ".join(f"'{word}'" for word in words)


def matching_numbers(
    table: str,
    dialect: Dialect,
    query: sa.BindParameter[str],
    phrases: Sequence[sa.BindParameter[str]] = (),
) -> sa.Select[tuple[int]]:
    """The numbers of the records that a `Group` of `sources.text_query` asks for."""
    index = sa.table(
        table,
        sa.column("rowid", sa.BigInteger),
        sa.column("name", sa.Text),
        sa.column("body", sa.Text),
        sa.column("words", TSVECTOR),
    )
    if dialect == "sqlite":
        hits = sa.literal_column(table).op("MATCH", is_comparison=True)(query)
        find = sa.func.instr
    else:
        hits = index.c.words.op("@@", is_comparison=True)(sa.cast(query, TSQUERY))
        find = sa.func.strpos
    zero = sa.literal_column("0", sa.Integer())
    ordered = [sa.or_(find(index.c.name, text) > zero, find(index.c.body, text) > zero) for text in phrases]
    return sa.select(index.c.rowid).where(hits, *ordered)
