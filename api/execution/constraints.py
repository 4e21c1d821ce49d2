"""The `@constraint` directive, enforced: the same declaration that the SDL prints and the MCP tools show.

`check_value` holds the words; both doors use it. `enforce` puts the check in front of the resolvers of a schema,
so a broken constraint is an error of that field alone, at its path, and its siblings are answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graphql import (
    GraphQLArgument,
    GraphQLField,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLResolveInfo,
    GraphQLSchema,
    default_field_resolver,
    get_named_type,
)

from schema.directives import Constraint, constraint_of
from sources.errors import BadInput, shorten

ENFORCED = "loregraph-constraints-enforced"

Definitions = Mapping[str, GraphQLArgument] | Mapping[str, GraphQLInputField]


def check_value(constraint: Constraint, value: object, argument: str) -> None:
    """Raises `BadInput` when a coerced value breaks its constraint.

    Null is never checked here: whether it is allowed is a matter of the type. On a list the bounds of a single
    value hold for each item, whose path then ends in its index: `filter.level[2]`.
    """
    if value is None:
        return
    if isinstance(value, (list, tuple)):
        low, high = constraint.min_items, constraint.max_items
        if (low is not None and len(value) < low) or (high is not None and len(value) > high):
            raise wrong_count(argument, len(value), low, high)
        for index, item in enumerate(value):
            check_value(constraint, item, f"{argument}[{index}]")
    elif isinstance(value, str):
        _check_text(constraint, value, argument)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        low_number, high_number = constraint.min, constraint.max
        if (low_number is not None and value < low_number) or (
            high_number is not None and value > high_number
        ):
            raise BadInput.out_of_range(argument, value, low_number, high_number)


def _check_text(constraint: Constraint, value: str, argument: str) -> None:
    low, high = constraint.min_length, constraint.max_length
    if (low is not None and len(value) < low) or (high is not None and len(value) > high):
        raise wrong_length(argument, len(value), low, high)
    if constraint.pattern is not None and not _compiled(constraint.pattern).fullmatch(value):
        raise wrong_pattern(argument, value, constraint.pattern)


def wrong_length(argument: str, length: int, minimum: int | None, maximum: int | None) -> BadInput:
    """A text that is too short or too long."""
    return BadInput(f"must have {_range(minimum, maximum, 'character')}, got {length}.", argument=argument)


def wrong_count(argument: str, count: int, minimum: int | None, maximum: int | None) -> BadInput:
    """A list with too few or too many items."""
    return BadInput(f"must have {_range(minimum, maximum, 'item')}, got {count}.", argument=argument)


def wrong_pattern(argument: str, value: str, pattern: str) -> BadInput:
    """A text of another form than asked for."""
    return BadInput(f"must match `{pattern}`, got `{shorten(value)}`.", argument=argument)


def _range(minimum: int | None, maximum: int | None, unit: str) -> str:
    if minimum is not None and maximum is not None:
        return f"between {minimum} and {maximum} {unit}s"
    if minimum is not None:
        return f"at least {minimum} {unit}{'' if minimum == 1 else 's'}"
    return f"at most {maximum} {unit}{'' if maximum == 1 else 's'}"


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def enforce(schema: GraphQLSchema) -> None:
    """Puts the check in front of every resolver whose arguments have constraints. A second call does nothing."""
    checks = Checks()
    for type_ in schema.type_map.values():
        if isinstance(type_, (GraphQLObjectType, GraphQLInterfaceType)) and not type_.name.startswith("__"):
            for field in type_.fields.values():
                if _constrained(field.args) and ENFORCED not in field.extensions:
                    field.resolve = _checked(field, checks)
                    field.extensions = {**field.extensions, ENFORCED: True}


def _checked(field: GraphQLField, checks: Checks) -> Callable[..., Any]:
    resolve = field.resolve or default_field_resolver
    entries = checks.of(field.args)

    def checked(parent: Any, info: GraphQLResolveInfo[Any], **values: Any) -> Any:
        checks.run(entries, values, "")
        return resolve(parent, info, **values)

    return checked


@dataclass(frozen=True, slots=True)
class _Entry:
    """One argument or input field: the key of its coerced value, and what is to be checked of it."""

    key: str
    name: str
    constraint: Constraint | None
    object_type: GraphQLInputObjectType | None


class Checks:
    """The checks of a schema's arguments and input objects, each read off its directives once."""

    def __init__(self) -> None:
        self._of_types: dict[str, tuple[_Entry, ...]] = {}

    def of(self, definitions: Definitions) -> tuple[_Entry, ...]:
        """What is to be checked of some arguments."""
        entries = []
        for name, definition in definitions.items():
            type_ = get_named_type(definition.type)
            object_type = type_ if isinstance(type_, GraphQLInputObjectType) else None
            constraint = constraint_of(definition)
            if constraint is not None or object_type is not None:
                entries.append(_Entry(definition.out_name or name, name, constraint, object_type))
        return tuple(entries)

    def run(self, entries: tuple[_Entry, ...], values: Mapping[str, Any], path: str) -> None:
        """Checks coerced values with everything nested in them. Raises `BadInput`."""
        for entry in entries:
            value = values.get(entry.key)
            if value is None:
                continue
            argument = f"{path}{entry.name}"
            if entry.constraint is not None:
                check_value(entry.constraint, value, argument)
            if entry.object_type is not None:
                self._run_objects(entry.object_type, value, argument)

    def _run_objects(self, type_: GraphQLInputObjectType, value: Any, argument: str) -> None:
        if isinstance(value, Mapping):
            entries = self._of_types.get(type_.name)
            if entries is None:
                entries = self._of_types[type_.name] = self.of(type_.fields)
            self.run(entries, value, f"{argument}.")
        elif isinstance(value, (list, tuple)):
            for index, item in enumerate(value):
                self._run_objects(type_, item, f"{argument}[{index}]")


def _constrained(definitions: Definitions) -> bool:
    """Whether a constraint stands somewhere in some arguments; input types may contain themselves."""
    seen: set[str] = set()
    waiting: list[Definitions] = [definitions]
    while waiting:
        for definition in waiting.pop().values():
            if constraint_of(definition) is not None:
                return True
            type_ = get_named_type(definition.type)
            if isinstance(type_, GraphQLInputObjectType) and type_.name not in seen:
                seen.add(type_.name)
                waiting.append(type_.fields)
    return False
