"""Filter inputs: each field of one says which condition it is, and the tree of criteria is read off an instance.

The grammar is the same for every room: all given fields hold together; a list means any of its values; `anyOf`
and `not` compose. An explicit null and an empty list count as absent, but for lists of keys, where an empty
list matches nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

import strawberry
from strawberry import UNSET

from schema.directives import Constraint
from schema.fields import graphql_name
from sources.criteria import EVERYTHING, AnyOf, Criteria, Not, Op, Predicate, all_of, predicates
from sources.errors import BadInput
from sources.moments import Moment, moment_of
from sources.page import OrderKey
from sources.text_index import fold, has_words

MAX_PREDICATES = 50
MAX_DEPTH = 3
METADATA_KEY = "loregraph.condition"


@dataclass(frozen=True, slots=True)
class Condition:
    """What one field of a filter input asks. `keys`: an empty list matches nothing instead of being absent."""

    attribute: str
    op: Op
    keys: bool = False


def condition(
    attribute: str,
    op: Op,
    description: str,
    *,
    keys: bool = False,
    name: str | None = None,
    **limits: Any,
) -> Any:
    """A field of a filter input; `limits` are those of the `@constraint` directive."""
    return strawberry.field(
        default=UNSET,
        name=name,
        description=description,
        directives=[Constraint(**limits)] if limits else [],
        metadata={METADATA_KEY: Condition(attribute, op, keys)},
    )


def alternatives(
    description: str = "At least one of these filters holds, beside the fields given here.",
) -> Any:
    """The `anyOf` field of a filter input."""
    return strawberry.field(default=UNSET, name="anyOf", description=description)


def negation(
    description: str = "This filter does not hold. What is absent does not hold, so it passes.",
) -> Any:
    """The `not` field of a filter input."""
    return strawberry.field(default=UNSET, name="not", description=description)


def criteria_of(filter_: Any, argument: str = "filter") -> Criteria:
    """The tree of criteria that an instance of a filter input asks for.

    Raises `BadInput` for crossed bounds, a search text without words, and trees over the limits.
    """
    if filter_ is None or filter_ is UNSET:
        return EVERYTHING
    criteria = _criteria(filter_, argument, 0)
    count = sum(1 for _ in predicates(criteria))
    if count > MAX_PREDICATES:
        raise BadInput(f"holds {count} conditions; at most {MAX_PREDICATES} are allowed.", argument=argument)
    return criteria


def order_of(order_by: Sequence[Any] | None, default: Sequence[OrderKey]) -> tuple[OrderKey, ...]:
    """The order asked for: items of `{field, direction}`; `default` when none is given."""
    if not order_by:
        return tuple(default)
    order: list[OrderKey] = []
    for index, item in enumerate(order_by):
        key = OrderKey(item.field.value, item.direction.value == "desc")
        earlier = next((i for i, known in enumerate(order) if known.attribute == key.attribute), None)
        if earlier is not None:
            # Without the field's name: each door writes it in its own way.
            raise BadInput(
                "repeats {related}; a field is named once.",
                argument=f"orderBy[{index}].field",
                related=f"orderBy[{earlier}].field",
            )
        order.append(key)
    return tuple(order)


def _criteria(filter_: Any, argument: str, depth: int) -> Criteria:
    if depth > MAX_DEPTH:
        raise BadInput(
            f"is nested too deep: at most {MAX_DEPTH} levels of `anyOf` and `not` are allowed.",
            argument=argument,
        )
    parts: list[Criteria] = []
    bounds: dict[tuple[str, Op], tuple[str, Any]] = {}
    for python_name, name, field_condition in _fields_of(type(filter_)):
        value = getattr(filter_, python_name)
        if value is UNSET or value is None:
            continue
        path = f"{argument}.{name}"
        if field_condition is None:
            if name == "not":
                parts.append(Not(_criteria(value, path, depth + 1)))
            elif value:
                branches = [_criteria(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)]
                parts.append(AnyOf(tuple(branches)))
            continue
        predicate = _predicate(field_condition, value, path)
        if predicate is not None:
            parts.append(predicate)
            bounds[field_condition.attribute, field_condition.op] = (path, predicate.value)
    _check_bounds(bounds)
    return all_of(parts)


def _predicate(field_condition: Condition, value: Any, path: str) -> Predicate | None:
    if isinstance(value, list):
        if not value and not field_condition.keys:
            return None
        value = tuple(word_of(item) for item in value)
    else:
        value = word_of(value)
    if isinstance(value, Moment):
        # A bare date is its first instant as a lower bound and its last as an upper one.
        value = moment_of(value.last if field_condition.op is Op.AT_MOST else value.first)
    if field_condition.op is Op.MATCHES and not has_words(value):
        raise BadInput("holds no word or number to search for.", argument=path)
    if field_condition.op in (Op.CONTAINS, Op.FOLDED_EQUALS) and not fold(value):
        raise BadInput("holds nothing to look for. Leave it out to ask for every name.", argument=path)
    return Predicate(field_condition.attribute, field_condition.op, value, path)


def word_of(value: Any) -> Any:
    """The word behind an enum member; any other value is itself."""
    return value.value if isinstance(value, Enum) else value


def _check_bounds(bounds: dict[tuple[str, Op], tuple[str, Any]]) -> None:
    for (attribute, op), (low, low_value) in bounds.items():
        high = bounds.get((attribute, Op.AT_MOST)) if op is Op.AT_LEAST else None
        if high is not None and low_value > high[1]:
            raise BadInput.crossed(low, low_value, *high)


_FieldsOfInput = tuple[tuple[str, str, Condition | None], ...]
_fields_by_input: dict[type[Any], _FieldsOfInput] = {}


def _fields_of(type_: type[Any]) -> _FieldsOfInput:
    """Python name, GraphQL name and condition of each field of a filter input; read off once."""
    known = _fields_by_input.get(type_)
    if known is not None:
        return known
    found = []
    for field in fields(type_):
        field_condition = field.metadata.get(METADATA_KEY)
        name = getattr(field, "graphql_name", None) or graphql_name(field.name)
        found.append((field.name, name, field_condition))
    _fields_by_input[type_] = tuple(found)
    return _fields_by_input[type_]
