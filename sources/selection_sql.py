"""From a question (criteria, order, slice) to a statement, and from its rows to a page.

A question's *shape* is all of it but its values. Each shape is compiled once, and its statement runs from then
on with other values, lists of values included, which travel as one parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from sources.criteria import Criteria, Predicate
from sources.database import Row, Statement, compile_statement
from sources.page import OrderKey, Page, Position, Record, Slice, record_class
from sources.selection_compiler import SelectionCompiler, Shape, shape_of
from sources.table_map import ColumnSpec, Convert, Expression, FacetSpec, JoinSpec, TableMap
from sources.text_index import Dialect

__all__ = [
    "ColumnSpec",
    "FacetSpec",
    "JoinSpec",
    "Selection",
    "TableMap",
    "aggregate_records",
    "count_candidates",
    "count_records",
    "select_records",
]


@dataclass(frozen=True, slots=True)
class _Plan:
    """A compiled shape: its statement, and how values go in and rows come out."""

    statement: Statement
    sources: tuple[int, ...]
    converts: tuple[Convert, ...]
    decodes: tuple[tuple[int, Convert], ...] = ()
    record: type[Record] = Record
    width: int = 0
    position: tuple[int, ...] = ()

    def bind(self, values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple([convert(values[i]) for i, convert in zip(self.sources, self.converts, strict=True)])


def _planned(compiler: SelectionCompiler, query: sa.Select[Any], **rest: Any) -> _Plan:
    statement = compile_statement(query, compiler.dialect)
    numbers = [int(name[1:]) for name in statement.names]
    sources = tuple([compiler.values[i] for i in numbers])
    return _Plan(statement, sources, tuple([compiler.converts[i] for i in numbers]), **rest)


@lru_cache(maxsize=2048)
def _records_plan(
    table_map: TableMap,
    dialect: Dialect,
    wanted: tuple[str, ...],
    shape: Shape,
    order: tuple[OrderKey, ...],
    after: tuple[bool, ...] | None,
    before: tuple[bool, ...] | None,
    backward: bool,
    limited: bool,
    shifted: bool,
    residual: frozenset[str],
) -> _Plan:
    compiler = SelectionCompiler(table_map, dialect, residual)
    conditions = [compiler.where(shape)]
    if after is not None:
        conditions.append(compiler.beyond(order, after, after=True))
    if before is not None:
        conditions.append(compiler.beyond(order, before, after=False))

    columns: list[Expression] = []
    decodes: list[tuple[int, Convert]] = []

    def read(expression: Expression, decode: Convert | None) -> int:
        convert = compiler.decode(expression, decode)
        if convert is not None:
            decodes.append((len(columns), convert))
        columns.append(expression.label(f"c{len(columns)}"))
        return len(columns) - 1

    for attribute in wanted:
        spec = compiler.spec(attribute)
        read(spec.expression, spec.decode)
    position: list[int] = []
    for attribute in [*(part.attribute for part in order), table_map.key]:
        spec = compiler.spec(attribute)
        text = isinstance(spec.expression.type, sa.String) and attribute != table_map.key
        if attribute in wanted and (not text or spec.folded is spec.expression) and spec.decode is None:
            position.append(wanted.index(attribute))
        else:
            position.append(read(compiler.folded(attribute) if text else spec.expression, None))

    query = sa.select(*columns).select_from(compiler.source()).where(*conditions)
    query = query.order_by(*compiler.order_by(order, backward))
    if limited:
        # SQLAlchemy writes an OFFSET of its own for SQLite, as a value that would not be ours to bind.
        limit = compiler.parameter(sa.Integer(), int)
        offset = compiler.parameter(sa.Integer(), int) if shifted else sa.literal_column("0")
        query = query.limit(limit).offset(offset)
    return _planned(
        compiler,
        query,
        decodes=tuple(decodes),
        record=record_class(table_map.kind, wanted),
        width=len(wanted),
        position=tuple(position),
    )


def _present(position: Position | None) -> tuple[bool, ...] | None:
    return None if position is None else tuple([value is not None for value in position[:-1]])


@dataclass(frozen=True, slots=True)
class Selection:
    """A question as it is sent: the statement, its parameters, and how its rows are read."""

    statement: Statement
    params: tuple[Any, ...]
    _plan: _Plan

    def page(self, rows: Sequence[Row], limit: int | None = None, *, backward: bool = False) -> Page:
        """The rows as a page of at most `limit` records; one row beyond it says that there are more."""
        plan = self._plan
        has_more = limit is not None and len(rows) > limit
        if has_more:
            rows = rows[:limit]
        if backward:
            rows = rows[::-1]
        if not rows:
            return Page([], [], has_more)
        columns: list[Sequence[Any]] = list(zip(*rows, strict=True))
        for index, decode in plan.decodes:
            columns[index] = [None if value is None else decode(value) for value in columns[index]]
        wanted = columns[: plan.width]
        records = list(map(plan.record, zip(*wanted, strict=True))) if wanted else [plan.record()] * len(rows)
        positions = list(zip(*[columns[index] for index in plan.position], strict=True))
        return Page(records, positions, has_more)


def select_records(
    table_map: TableMap,
    dialect: Dialect,
    wanted: Sequence[str],
    criteria: Criteria,
    order: Sequence[OrderKey] = (),
    part: Slice | None = None,
    residual: frozenset[str] = frozenset(),
) -> Selection:
    """The question for the records that `criteria` ask for, with the attributes `wanted`, in `order`.

    With a slice it asks for one record more than the limit, and in reverse order when the slice is backward;
    `Selection.page` undoes both. Without one it asks for everything. `residual` are the attributes whose conditions
    no index is sought by, see `sources.access_path`. Raises LookupError, a fault of ours, for
    an attribute that is not stored, or a text that is searched or sorted by without a folded column.
    """
    values: list[Any] = []
    shape = shape_of(criteria, values)
    after = before = None
    backward = False
    if part is not None:
        after, before, backward = _present(part.after), _present(part.before), part.backward
        for position in (part.after, part.before):
            if position is not None:
                values.extend([value for value in position if value is not None])
        values.append(part.limit + 1)
        if part.offset:
            values.append(part.offset)
    plan = _records_plan(
        table_map,
        dialect,
        tuple(wanted),
        shape,
        tuple(order),
        after,
        before,
        backward,
        part is not None,
        part is not None and part.offset > 0,
        residual,
    )
    return Selection(plan.statement, plan.bind(values), plan)


@lru_cache(maxsize=1024)
def _count_plan(table_map: TableMap, dialect: Dialect, shape: Shape, residual: frozenset[str]) -> _Plan:
    compiler = SelectionCompiler(table_map, dialect, residual)
    condition = compiler.where(shape)
    return _planned(compiler, sa.select(sa.func.count()).select_from(compiler.source()).where(condition))


def count_records(
    table_map: TableMap, dialect: Dialect, criteria: Criteria, residual: frozenset[str] = frozenset()
) -> tuple[Statement, tuple[Any, ...]]:
    """The question how many records `criteria` ask for: one row of one number."""
    values: list[Any] = []
    plan = _count_plan(table_map, dialect, shape_of(criteria, values), residual)
    return plan.statement, plan.bind(values)


@lru_cache(maxsize=512)
def _candidates_plan(table_map: TableMap, dialect: Dialect, shape: Shape) -> _Plan | None:
    compiler = SelectionCompiler(table_map, dialect)
    candidates = compiler.candidates(shape)
    if candidates is None:
        return None
    most = compiler.parameter(sa.Integer(), int)
    one = sa.literal_column("1", sa.Integer()).label("one")
    few = candidates.with_only_columns(one, maintain_column_froms=True)
    few = few.limit(most).offset(sa.literal_column("0"))
    return _planned(compiler, sa.select(sa.func.count()).select_from(few.subquery()))


def count_candidates(
    table_map: TableMap, dialect: Dialect, predicate: Predicate, most: int
) -> tuple[Statement, tuple[Any, ...]] | None:
    """The question how many rows the index of one condition delivers, counted up to `most`.

    None for a condition that no index of its own answers.
    """
    values: list[Any] = []
    plan = _candidates_plan(table_map, dialect, shape_of(predicate, values))
    return None if plan is None else (plan.statement, plan.bind([*values, most]))


Build = Callable[[sa.FromClause, Expression], sa.Select[Any]]
"""Makes the statement of an aggregate from what is selected from, and the condition."""


@lru_cache(maxsize=1024)
def _aggregate_plan(
    table_map: TableMap, dialect: Dialect, shape: Shape, residual: frozenset[str], build: Build
) -> _Plan:
    compiler = SelectionCompiler(table_map, dialect, residual)
    condition = compiler.where(shape)
    return _planned(compiler, build(compiler.source(), condition))


def aggregate_records(
    table_map: TableMap,
    dialect: Dialect,
    criteria: Criteria,
    build: Build,
    residual: frozenset[str] = frozenset(),
) -> tuple[Statement, tuple[Any, ...]]:
    """A question of the room's own about the records that `criteria` ask for, compiled once for each shape.

    `build` must stay the same object between calls, and may bind no values of its own.
    """
    values: list[Any] = []
    plan = _aggregate_plan(table_map, dialect, shape_of(criteria, values), residual, build)
    return plan.statement, plan.bind(values)
