"""A store of one kind of record in the house's database."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from sqlalchemy.sql import ClauseElement

from sources.criteria import EVERYTHING, Criteria, Op, Predicate, all_of
from sources.database import Database, Row, cached_statement
from sources.errors import BadInput
from sources.page import OrderKey, Page, Position, Record, Slice
from sources.selection_sql import count_records, select_records
from sources.table_map import TableMap


class SqlStore:
    """Reads the records of one `TableMap`. Every criterion and every order is applied by the database."""

    def __init__(self, database: Database, table_map: TableMap) -> None:
        self.database = database
        self.map = table_map
        self.kind = table_map.kind

    async def select(
        self, columns: Sequence[str], criteria: Criteria, order: Sequence[OrderKey], piece: Slice
    ) -> Page:
        """A slice of the records that fulfil `criteria`, in `order` with the unique key appended."""
        selection = select_records(self.map, self.database.dialect, columns, criteria, order, piece)
        rows = await self.database.fetch(selection.statement, selection.params)
        return selection.page(rows, piece.limit, backward=piece.backward)

    async def count(self, criteria: Criteria) -> int:
        """How many records fulfil `criteria`."""
        statement, params = count_records(self.map, self.database.dialect, criteria)
        row = await self.database.fetch_one(statement, params)
        return int(row[0]) if row else 0

    async def by_keys(
        self, keys: Iterable[str], columns: Sequence[str], within: Criteria = EVERYTHING
    ) -> dict[str, Record]:
        """The records that exist among `keys` and fulfil `within`, by key; one statement however many there are."""
        wanted = tuple(sorted({*columns, self.map.key}))
        criteria = all_of((Predicate(self.map.key, Op.IN, tuple(keys)), within))
        selection = select_records(self.map, self.database.dialect, wanted, criteria)
        rows = await self.database.fetch(selection.statement, selection.params)
        return {getattr(record, self.map.key): record for record in selection.page(rows).records}

    def checked(self, position: Position, order: Sequence[OrderKey], argument: str) -> Position:
        """`position`, whose values are of the kinds that `order` compares.

        Raises `BadInput` otherwise: only a forged cursor holds such values, and a database should not see them.
        """
        attributes = [*(part.attribute for part in order), self.map.key]
        for attribute, value in zip(attributes, position, strict=True):
            spec = self.map.column(attribute)
            python_type = spec.expression.type.python_type
            fits = (
                spec.nullable
                if value is None
                else isinstance(value, (int, float) if python_type in (int, float, bool) else python_type)
            )
            if not fits:
                raise BadInput("is not a cursor of this service.", argument=argument)
        return position

    async def rows(self, shape: Hashable, build: Callable[[], ClauseElement], *params: Any) -> list[Row]:
        """The rows of a query of the room's own, compiled once for `shape`; `params` in the order of its binds."""
        return await self.database.fetch(cached_statement(self.database.dialect, shape, build), params)
