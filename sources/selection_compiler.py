"""The parts of a question as SQLAlchemy expressions: conditions, orders, and what lies beyond a position.

The meaning is that of `sources.criteria.matches` and `sources.page.sorted_records`, on both databases: absent
values satisfy no predicate and every negated one, and sort last; texts compare by code point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import orjson
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from sources.access_path import Unindexed
from sources.criteria import All, AnyOf, Criteria, Not, Op, Predicate
from sources.database import COMPILERS
from sources.page import OrderKey
from sources.sphere import Box
from sources.table_map import ColumnSpec, Convert, Expression, JoinSpec, PlaceSpec, TableMap
from sources.text_index import Dialect, fold, match_query
from sources.text_index_tables import matching_keys, matching_numbers
from sources.text_query import Group, TextQuery, read_query

Shape = tuple[Any, ...]


def shape_of(criteria: Criteria, values: list[Any]) -> Shape:
    """The criteria without their values, which are appended to `values` in the order of the walk.

    A list of one value is a shape of its own: most are, and equality lets an index deliver rows in order.
    """
    match criteria:
        case Predicate(attribute, Op.SEARCH, value):
            query = read_query(value)
            values.append(query)
            return (attribute, Op.SEARCH, _outline(query))
        case Predicate(attribute, op, value):
            one = (op is Op.IN or op is Op.HAS_ANY) and len(value) == 1
            values.append(next(iter(value)) if one else value)
            return (attribute, op, one)
        case All(parts):
            return ("all", *[shape_of(part, values) for part in parts])
        case AnyOf(parts):
            return ("any", *[shape_of(part, values) for part in parts])
        case Not(part):
            return ("not", shape_of(part, values))


def _outline(query: TextQuery) -> tuple[int | None, tuple[int, ...]]:
    """What of a search is written into its statement: how many phrases each of its groups has."""
    wanted = query.wanted_group("sqlite")
    excluded = query.excluded_groups("sqlite")
    return None if wanted is None else len(wanted.contains), tuple(len(group.contains) for group in excluded)


def _storable(value: Any) -> Any:
    """A value that both drivers can send: neither NUL nor half a surrogate pair is stored anywhere."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    return value


_INTEGERS = range(-(2**63), 2**63)


def _sqlite_value(value: Any) -> Any:
    value = _storable(value)
    # SQLite's integers end here; as a number beyond them the value still compares rightly.
    return float(value) if isinstance(value, int) and value not in _INTEGERS else value


def _phrase(group: Callable[[TextQuery], Group], index: int) -> Convert:
    return lambda query: group(query).contains[index]


def _wanted(dialect: Dialect) -> Callable[[TextQuery], Group]:
    return lambda query: cast(Group, query.wanted_group(dialect))


def _excluded(index: int, dialect: Dialect) -> Callable[[TextQuery], Group]:
    return lambda query: query.excluded_groups(dialect)[index]


def _of_box(read: Callable[[Box], float], op: Op) -> Convert:
    return (lambda circle: read(circle.box)) if op is Op.NEAR else read


def _longitude(range_: int, end: int) -> Callable[[Box], float]:
    return lambda box: box.longitudes[range_][end]


def _centre(axis: int) -> Convert:
    return lambda circle: circle.centre[axis]


class SelectionCompiler:
    """Builds one statement: collects parameters, and the joins that its columns need.

    Conditions on the attributes in `residual` are written so that no index is sought by them
    (`sources.access_path`).
    """

    def __init__(self, table_map: TableMap, dialect: Dialect, residual: frozenset[str] = frozenset()) -> None:
        self.map = table_map
        self.dialect = dialect
        self.residual = residual
        self.converts: list[Convert] = []
        self.values: list[int] = []
        """For each parameter, the place of its value in the walk."""
        self._walked = 0
        self.joins: dict[str, JoinSpec] = {}

    # Parameters -------------------------------------------------------------------------------------------

    def parameter(self, type_: sa.types.TypeEngine[Any], convert: Convert) -> sa.BindParameter[Any]:
        """The parameter of the next value of the walk."""
        return self._parameter_of(self._next_value(), type_, convert)

    def _next_value(self) -> int:
        """The place of the next value of the walk, of which any number of parameters can be made."""
        self._walked += 1
        return self._walked - 1

    def _parameter_of(
        self, value: int, type_: sa.types.TypeEngine[Any], convert: Convert
    ) -> sa.BindParameter[Any]:
        name = f"p{len(self.converts)}"
        self.converts.append(convert)
        self.values.append(value)
        return sa.bindparam(name, type_=type_)

    def _stored(self, type_: sa.types.TypeEngine[Any]) -> Convert:
        """How a value of this type is handed to the driver."""
        if self.dialect == "postgresql":
            return _storable
        process = type_.dialect_impl(COMPILERS["sqlite"]).bind_processor(COMPILERS["sqlite"])
        if process is None or isinstance(type_, sa.Boolean):
            return _sqlite_value
        return lambda value: None if value is None else process(value)

    def _one_of(self, expression: Expression, one: bool) -> Expression:
        """Membership in a list that travels as one parameter, so that its length is not part of the shape."""
        stored = self._stored(expression.type)
        if one:
            return expression == self.parameter(expression.type, stored)
        if self.dialect == "postgresql":
            # A cast to an array of a text type with a collation is no valid SQL; the column's own one counts.
            text_ = isinstance(expression.type, sa.String)
            array = ARRAY(sa.Text() if text_ else expression.type)
            values = self.parameter(array, lambda items: [stored(item) for item in items])
            return expression == sa.any_(sa.cast(values, array))
        text = self.parameter(
            sa.Text(), lambda items: orjson.dumps([stored(item) for item in items]).decode()
        )
        items = sa.func.json_each(text).table_valued("value")
        return expression.in_(sa.select(items.c.value))

    # Columns ----------------------------------------------------------------------------------------------

    def spec(self, attribute: str) -> ColumnSpec:
        spec = self.map.column(attribute)
        if spec.join is not None:
            self.joins[spec.join] = self.map.joins[spec.join]
        return spec

    def folded(self, attribute: str) -> Expression:
        folded = self.spec(attribute).folded
        if folded is None:
            raise LookupError(f"{self.map.kind}.{attribute} has no folded text")
        return folded

    def comparable(self, expression: Expression) -> Expression:
        """The expression as `<`, `>` and ORDER BY compare it: texts by code point on every server."""
        if self.dialect == "postgresql" and isinstance(expression.type, sa.String):
            return sa.collate(expression, "C")
        return expression

    def sorted_by(self, attribute: str) -> Expression:
        """What an order compares of the attribute."""
        spec = self.spec(attribute)
        if isinstance(spec.expression.type, sa.String):
            return self.comparable(self.folded(attribute))
        return spec.expression

    # Criteria ---------------------------------------------------------------------------------------------

    def where(self, shape: Shape, negated: bool = False) -> Expression:
        """The condition, with negation carried down to the predicates.

        Above them are only AND and OR, under which a NULL acts as false, so that a predicate needs no test
        for absence; a negated one is `IS NOT TRUE`, which an absent value satisfies.
        """
        head = shape[0]
        if head == "not":
            return self.where(shape[1], not negated)
        if head in ("all", "any"):
            parts = [self.where(part, negated) for part in shape[1:]]
            if (head == "all") is not negated:
                return sa.and_(sa.true(), *parts)
            return sa.or_(sa.false(), *parts)
        condition = self._predicate(*shape)
        return condition.is_not(sa.true()) if negated else condition

    def _predicate(self, attribute: str, op: Op, form: Any) -> Expression:
        one = bool(form)
        if op is Op.HAS_ANY:
            return (
                self._has_mask(attribute, one)
                if attribute in self.map.masks
                else self._has_any(attribute, one)
            )
        if op is Op.MATCHES:
            return self._matches(attribute)
        if op is Op.SEARCH:
            return self._search(attribute, *form)
        if op is Op.NEAR or op is Op.WITHIN:
            return self._place(attribute, op)
        if op is Op.CONTAINS or op is Op.FOLDED_EQUALS:
            return self._folded(attribute, op)
        expression = self._sought(attribute, self.spec(attribute).expression)
        if op is Op.IN:
            return self._one_of(expression, one)
        parameter = self.parameter(expression.type, self._stored(expression.type))
        if op is Op.EQUALS:
            return expression == parameter
        if op is Op.AT_LEAST:
            return self.comparable(expression) >= parameter
        return self.comparable(expression) <= parameter

    def _folded(self, attribute: str, op: Op) -> Expression:
        folded = self.folded(attribute)
        parameter = self.parameter(sa.Text(), fold)
        if op is Op.FOLDED_EQUALS:
            return folded == parameter
        find = sa.func.instr if self.dialect == "sqlite" else sa.func.strpos
        return find(folded, parameter) > sa.literal_column("0")

    def _has_any(self, attribute: str, one: bool) -> Expression:
        # IN rather than EXISTS: SQLite can then start from the facet's index, and the worst case is bounded
        # by the rows that have the value instead of by the whole table.
        facet = self.map.facets[attribute]
        record = self._sought(attribute, self._key() if facet.record is None else facet.record)
        return record.in_(self._owners(attribute, one))

    def _owners(self, attribute: str, one: bool) -> sa.Select[Any]:
        facet = self.map.facets[attribute]
        owners = sa.select(facet.owner).select_from(facet.table)
        return owners.where(self._one_of(facet.value, one), *facet.where)

    def candidates(self, shape: Shape) -> sa.Select[Any] | None:
        """What the index of one condition alone delivers: the fulfilling rows, or more; None without such an index."""
        attribute, op, form = shape
        if op is Op.HAS_ANY and attribute in self.map.facets:
            return self._owners(attribute, bool(form))
        if op is Op.SEARCH and form[0] is not None:
            return self._matching(attribute, self._next_value(), form[0], _wanted(self.dialect))
        if op is Op.NEAR or op is Op.WITHIN:
            place = self.map.places[attribute]
            inside = self._inside(place, self._next_value(), op, place.latitude)
            return sa.select(place.latitude).where(inside)
        return None

    def _has_mask(self, attribute: str, one: bool) -> Expression:
        spec = self.map.masks[attribute]
        mask = self.parameter(sa.Integer(), lambda value: spec.mask((value,) if one else value))
        return spec.expression.bitwise_and(mask) != sa.literal_column("0")

    def _search(self, attribute: str, wanted: int | None, excluded: tuple[int, ...]) -> Expression:
        record, value = self.map.searches[attribute].record, self._next_value()
        conditions: list[Expression] = []
        if wanted is not None:
            found = self._matching(attribute, value, wanted, _wanted(self.dialect))
            conditions.append(self._sought(attribute, record).in_(found))
        for index, phrases in enumerate(excluded):
            found = self._matching(attribute, value, phrases, _excluded(index, self.dialect))
            conditions.append(record.not_in(found))
        # A query without terms finds nothing, here as in `sources.criteria`.
        return sa.and_(*conditions) if conditions else sa.false()

    def _matching(
        self, attribute: str, value: int, phrases: int, group: Callable[[TextQuery], Group]
    ) -> sa.Select[tuple[int]]:
        match = self._parameter_of(value, sa.Text(), lambda query: group(query).match)
        contained = [self._parameter_of(value, sa.Text(), _phrase(group, i)) for i in range(phrases)]
        return matching_numbers(self.map.searches[attribute].table, self.dialect, match, contained)

    def _place(self, attribute: str, op: Op) -> Expression:
        spec, value = self.map.places[attribute], self._next_value()
        inside = self._inside(spec, value, op, self._sought(attribute, spec.latitude))
        if op is Op.WITHIN:
            return inside
        squares: list[Expression] = []
        for axis, expression in enumerate(spec.vector):
            # Twice the same value: SQL has no name for a difference that is to be squared.
            first, second = (self._parameter_of(value, sa.Float(), _centre(axis)) for _ in range(2))
            squares.append((expression - first) * (expression - second))
        chord = self._parameter_of(value, sa.Float(), lambda circle: circle.chord_squared)
        return sa.and_(inside, squares[0] + squares[1] + squares[2] <= chord)

    def _inside(self, spec: PlaceSpec, value: int, op: Op, latitude: Expression) -> Expression:
        def bound(read: Callable[[Box], float]) -> sa.BindParameter[Any]:
            return self._parameter_of(value, sa.Float(), _of_box(read, op))

        south, north = bound(lambda box: box.south), bound(lambda box: box.north)
        ranges = [
            sa.and_(spec.longitude >= bound(_longitude(i, 0)), spec.longitude <= bound(_longitude(i, 1)))
            for i in range(2)
        ]
        return sa.and_(latitude >= south, latitude <= north, sa.or_(*ranges))

    def _sought(self, attribute: str, expression: Expression) -> Expression:
        return Unindexed(expression) if attribute in self.residual else expression

    def _matches(self, attribute: str) -> Expression:
        dialect = self.dialect
        query = self.parameter(sa.Text(), lambda text: match_query(text, dialect))
        return self._key().in_(matching_keys(self.map.texts[attribute], dialect, query))

    def _key(self) -> Expression:
        return self.spec(self.map.key).expression

    # Order ------------------------------------------------------------------------------------------------

    def order_by(self, order: Sequence[OrderKey], backward: bool) -> list[Any]:
        terms: list[Any] = []
        for part in order:
            descending = part.descending is not backward
            term = self.sorted_by(part.attribute)
            clause = term.desc() if descending else term.asc()
            if self.spec(part.attribute).nullable:
                clause = self._with_nulls(clause, descending, last=not backward)
            terms.append(clause)
        if self._ends_in_key(order):
            return terms
        key = self.comparable(self._key())
        return [*terms, key.desc() if backward else key.asc()]

    def _ends_in_key(self, order: Sequence[OrderKey]) -> bool:
        return bool(order) and order[-1].attribute == self.map.key

    def _with_nulls(self, clause: Any, descending: bool, *, last: bool) -> Any:
        """Says where NULLs go only when the database would put them elsewhere: an index then still serves."""
        by_default = descending if self.dialect == "sqlite" else not descending
        if by_default is last:
            return clause
        return clause.nulls_last() if last else clause.nulls_first()

    def beyond(self, order: Sequence[OrderKey], present: Sequence[bool], *, after: bool) -> Expression:
        """Strictly after (or before) a position whose i-th value is `present` or absent.

        One parameter for each present value, then the key's.
        """
        columns: list[tuple[Expression, bool, bool, sa.BindParameter[Any] | None]] = []
        for part, has_value in zip(order, present, strict=True):
            term = self.sorted_by(part.attribute)
            type_ = sa.Text() if isinstance(term.type, sa.String) else term.type
            parameter = self.parameter(type_, self._stored(type_)) if has_value else None
            nullable = self.spec(part.attribute).nullable
            columns.append((term, part.descending, nullable, parameter))
        key = self.comparable(self._key())
        parameter = self.parameter(key.type, self._stored(key.type))
        if not self._ends_in_key(order):
            columns.append((key, False, False, parameter))

        if len({descending for _, descending, _, _ in columns}) == 1 and not any(
            nullable for _, _, nullable, _ in columns
        ):
            # One direction, nothing absent: a row value, which both databases seek in an index.
            left = sa.tuple_(*[term for term, _, _, _ in columns])
            right = sa.tuple_(*[parameter for _, _, _, parameter in columns])
            descending = columns[0][1]
            return left > right if after is not descending else left < right

        ways: list[Expression] = []
        equal: list[Expression] = []
        for term, descending, nullable, parameter in columns:
            upward = after is not descending
            step = self._step(term, parameter, upward=upward, nullable=nullable, after=after)
            if step is not None:
                ways.append(sa.and_(*equal, step))
            equal.append(term.is_(sa.null()) if parameter is None else term == parameter)
        term, descending, nullable, parameter = columns[0]
        if parameter is None or nullable:
            return sa.or_(*ways)
        # Follows from the rest, but only said by itself is it a place in an index to start from.
        bound = term >= parameter if after is not descending else term <= parameter
        return sa.and_(bound, sa.or_(*ways))

    @staticmethod
    def _step(
        term: Expression,
        parameter: sa.BindParameter[Any] | None,
        *,
        upward: bool,
        nullable: bool,
        after: bool,
    ) -> Expression | None:
        """What lies beyond one value in its column; None when nothing does. Absent values come last."""
        if parameter is None:
            return None if after else term.is_not(sa.null())
        step = term > parameter if upward else term < parameter
        return sa.or_(step, term.is_(sa.null())) if after and nullable else step

    # The whole --------------------------------------------------------------------------------------------

    def source(self) -> sa.FromClause:
        source = self.map.table
        for join in self.joins.values():
            source = source.outerjoin(join.table, join.on)
        return source

    def decode(self, expression: Expression, decode: Convert | None) -> Convert | None:
        """How a stored value becomes the attribute; psycopg decodes PostgreSQL's types by itself."""
        process: Convert | None = None
        if self.dialect == "sqlite":
            dialect = COMPILERS["sqlite"]
            implementation = expression.type.dialect_impl(dialect)
            if isinstance(expression.type, sa.JSON):
                process = orjson.loads
            else:
                process = implementation.result_processor(dialect, None)
        if process is None or decode is None:
            return process or decode
        first, second = process, decode
        return lambda value: second(first(value))
