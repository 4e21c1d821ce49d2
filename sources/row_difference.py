"""Tables brought to what they shall hold by the rows that differ, so that a transaction is as short as the change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import sqlalchemy as sa

from sources.source import Report

Row = Mapping[str, Any]
Key = tuple[Any, ...]

BATCH = 200
"""Rows that are written between two reports."""


@dataclass(slots=True)
class Difference:
    """What separates a table from what it shall hold, by primary key.

    `removed` and `replaced` are rows as they are; `added` and `changed` rows as they shall be.
    """

    table: sa.Table
    added: dict[Key, Row] = field(default_factory=dict)
    changed: dict[Key, Row] = field(default_factory=dict)
    replaced: dict[Key, Row] = field(default_factory=dict)
    removed: dict[Key, Row] = field(default_factory=dict)
    unchanged: dict[Key, Row] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)

    @property
    def touched(self) -> Iterator[Row]:
        """All rows that are written or were there in another form."""
        for rows in (self.added, self.changed, self.replaced, self.removed):
            yield from rows.values()


def difference(
    connection: sa.Connection, table: sa.Table, wanted: Iterable[Row], *, ignoring: Collection[str] = ()
) -> Difference:
    """How `table` differs from the `wanted` rows; a column that a row lacks is null.

    Columns `ignoring` make no difference by themselves. Raises ValueError for two wanted rows of one key.
    """
    names = tuple(column.name for column in table.columns)
    compared = tuple(name for name in names if name not in ignoring)
    keys = tuple(column.name for column in table.primary_key.columns)
    rows = (dict(zip(names, row, strict=True)) for row in connection.execute(sa.select(table)))
    held: dict[Key, Row] = {tuple(row[name] for name in keys): row for row in rows}
    found = Difference(table)
    for given in wanted:
        row = {name: given.get(name) for name in names}
        key = tuple(row[name] for name in keys)
        if key in found.added or key in found.changed or key in found.unchanged:
            raise ValueError(f"{table.name} is given two rows of the key {key}")
        old = held.pop(key, None)
        if old is None:
            found.added[key] = row
        elif all(old[name] == row[name] for name in compared):
            found.unchanged[key] = row
        else:
            found.changed[key], found.replaced[key] = row, old
    found.removed.update(held)
    return found


def apply_differences(connection: sa.Connection, differences: Sequence[Difference], report: Report) -> None:
    """Writes them, reporting on all of them together as "rows".

    Tables come parents first. What is new is there before what is old goes: a row that gets another parent is not
    taken along with its old one.
    """
    total = sum(len(one.added) + len(one.changed) + len(one.removed) for one in differences)
    done = 0
    report("rows", 0, total)
    for one in differences:
        for batch in _batches(one.added.values()):
            connection.execute(sa.insert(one.table), batch)
            done += len(batch)
            report("rows", done, total)
        for batch in _batches(_as_update(one)):
            connection.execute(_update(one.table), batch)
            done += len(batch)
            report("rows", done, total)
    for one in reversed(differences):
        for batch in _batches(_as_delete(one)):
            connection.execute(_delete(one.table), batch)
            done += len(batch)
            report("rows", done, total)


def _batches(rows: Iterable[Row]) -> Iterator[list[dict[str, Any]]]:
    remaining = iter(rows)
    while batch := [dict(row) for row in islice(remaining, BATCH)]:
        yield batch


def _names(table: sa.Table) -> list[str]:
    return [column.name for column in table.primary_key.columns]


def _of_key(table: sa.Table) -> sa.ColumnElement[bool]:
    return sa.and_(*(table.c[name] == sa.bindparam(f"key_{name}") for name in _names(table)))


def _as_update(one: Difference) -> Iterator[Row]:
    names = _names(one.table)
    for key, row in one.changed.items():
        others = {f"new_{name}": value for name, value in row.items() if name not in names}
        yield others | {f"key_{name}": value for name, value in zip(names, key, strict=True)}


def _update(table: sa.Table) -> sa.Update:
    names = _names(table)
    values = {
        column.name: sa.bindparam(f"new_{column.name}", type_=column.type)
        for column in table.columns
        if column.name not in names
    }
    return sa.update(table).where(_of_key(table)).values(values)


def _as_delete(one: Difference) -> Iterator[Row]:
    names = _names(one.table)
    for key in one.removed:
        yield {f"key_{name}": value for name, value in zip(names, key, strict=True)}


def _delete(table: sa.Table) -> sa.Delete:
    return sa.delete(table).where(_of_key(table))
