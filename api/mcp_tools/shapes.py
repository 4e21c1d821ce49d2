"""What a tool's argument may hold, read once from the GraphQL input types.

The JSON Schema that a client sees and the reader that turns its arguments into variables are both made from
these shapes, so that they cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

from graphql import (
    GraphQLArgument,
    GraphQLEnumType,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLScalarType,
    Undefined,
    is_required_argument,
    is_required_input_field,
)

from api.mcp_tools.naming import fold, snake_case
from schema.directives import Constraint, constraint_of

JsonType = Literal["string", "integer", "number", "boolean"]

_JSON_TYPES: Mapping[str, JsonType] = {
    "Int": "integer",
    "Float": "number",
    "Boolean": "boolean",
    "String": "string",
    "ID": "string",
}
_ANY_JSON = frozenset({"JSON", "JSONObject"})


@dataclass(frozen=True, slots=True)
class ScalarShape:
    """One value; `json_type` is None where any JSON will do. Other scalars than GraphQL's own are texts."""

    scalar: GraphQLScalarType
    json_type: JsonType | None


@dataclass(frozen=True, slots=True)
class EnumShape:
    """One word of a closed vocabulary.

    - `words`: the underlying word of each value, by its GraphQL name
    - `spellings`: the GraphQL name by every folded spelling that means one value only
    - `meanings`: the descriptions of the values, by word
    """

    type_name: str
    words: Mapping[str, str]
    spellings: Mapping[str, str]
    meanings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ListShape:
    """Any number of values of one shape."""

    item: Shape


@dataclass(frozen=True, slots=True)
class ObjectShape:
    """An input object; its fields are parameters of their own."""

    parameters: tuple[Parameter, ...]


Shape = ScalarShape | EnumShape | ListShape | ObjectShape


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool, or one field of an argument that is an object.

    - `name`: as the tool calls it; `graphql_name`: as the schema does
    - `container`: the flattened GraphQL argument that it is a field of, if any
    - `default`: as JSON in the words of the tool, `Undefined` without one
    - `accepts`: other names that the tool takes for it
    """

    name: str
    graphql_name: str
    shape: Shape
    description: str = ""
    required: bool = False
    default: Any = Undefined
    constraint: Constraint | None = None
    container: str | None = None
    accepts: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The GraphQL path of its value, as errors name it (`filter.levelMin`)."""
        return self.graphql_name if self.container is None else f"{self.container}.{self.graphql_name}"


def parameter_of(
    graphql_name: str,
    argument: GraphQLArgument | GraphQLInputField,
    *,
    name: str | None = None,
    container: str | None = None,
    inside: tuple[str, ...] = (),
) -> Parameter:
    """The parameter that an argument or input field is, under `name` or its own name in snake case.

    `inside` names the input types that it stands in: an input that holds itself is not followed any further.
    """
    shape = shape_of(argument.type, inside)
    required = (
        is_required_argument(argument)
        if isinstance(argument, GraphQLArgument)
        else is_required_input_field(argument)
    )
    default = argument.default_value
    return Parameter(
        name=name or snake_case(graphql_name),
        graphql_name=graphql_name,
        shape=shape,
        description=argument.description or "",
        required=required,
        default=Undefined if default is None or default is Undefined else _as_json(default, shape),
        constraint=constraint_of(argument),
        container=container,
    )


def shape_of(type_: GraphQLInputType, inside: tuple[str, ...] = ()) -> Shape:
    """The shape of the values of an input type."""
    match type_:
        case GraphQLNonNull():
            return shape_of(type_.of_type, inside)
        case GraphQLList():
            return ListShape(shape_of(type_.of_type, inside))
        case GraphQLEnumType():
            return _enum_shape(type_)
        case GraphQLInputObjectType():
            return ObjectShape(object_parameters(type_, inside))
        case GraphQLScalarType():
            return ScalarShape(
                type_, None if type_.name in _ANY_JSON else _JSON_TYPES.get(type_.name, "string")
            )
    raise AssertionError(type_)


def object_parameters(
    type_: GraphQLInputObjectType,
    inside: tuple[str, ...] = (),
    *,
    omit: frozenset[str] = frozenset(),
    container: str | None = None,
) -> tuple[Parameter, ...]:
    """The fields of an input type but for those in `omit` and those that lead back to a type around them."""
    deeper = (*inside, type_.name)
    return tuple(
        parameter_of(name, field, container=container, inside=deeper)
        for name, field in type_.fields.items()
        if name not in omit and _named(field.type) not in deeper
    )


def _named(type_: Any) -> str:
    while isinstance(type_, (GraphQLList, GraphQLNonNull)):
        type_ = type_.of_type
    return str(type_.name)


def _enum_shape(type_: GraphQLEnumType) -> EnumShape:
    words = {name: str(_plain(value.value)) for name, value in type_.values.items()}
    spellings: dict[str, str] = {}
    ambiguous: set[str] = set()
    for name, word in words.items():
        for spelling in {fold(name), fold(word)}:
            if spellings.setdefault(spelling, name) != name:
                ambiguous.add(spelling)
    return EnumShape(
        type_name=type_.name,
        words=words,
        spellings={spelling: name for spelling, name in spellings.items() if spelling not in ambiguous},
        meanings={words[name]: value.description or "" for name, value in type_.values.items()},
    )


def _as_json(value: Any, shape: Shape) -> Any:
    match shape:
        case ListShape(item):
            return [_as_json(one, item) for one in (value if isinstance(value, (list, tuple)) else [value])]
        case ObjectShape(parameters):
            given = value if isinstance(value, Mapping) else vars(value)
            by_name = {fold(name): one for name, one in given.items()}
            return {
                parameter.name: _as_json(by_name[key], parameter.shape)
                for parameter in parameters
                if by_name.get(key := fold(parameter.graphql_name)) is not None
            }
        case EnumShape():
            return str(_plain(value))
        case ScalarShape():
            return _plain(value)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
