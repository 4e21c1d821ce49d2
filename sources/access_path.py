"""Which index a question is answered from, where the database cannot know it and we do.

SQLite chooses between indexes without looking at the values, and without statistics it takes any condition on an
indexed column for one that leaves little. A list that is read newest first must then be sorted whole, though an
index would have delivered it in order. `Unindexed` is how a condition is written that filters what another index
delivers: SQLite's own means for that is a plus sign in front of the column. PostgreSQL keeps statistics, and is left
to choose.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler


class Unindexed(sa.ColumnElement[Any]):
    """A column that no index is sought by."""

    inherit_cache = False

    def __init__(self, column: sa.ColumnElement[Any]) -> None:
        self.column = column
        self.type = column.type


@compiles(Unindexed)
def _plain(element: Unindexed, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(element.column, **options)


@compiles(Unindexed, "sqlite")
def _with_plus(element: Unindexed, compiler: SQLCompiler, **options: Any) -> str:
    return f"+{compiler.process(element.column, **options)}"
