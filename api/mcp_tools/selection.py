"""Chosen output fields as a tree: rendered as a GraphQL selection, and laid over the result to shape it.

Every key is aliased to its snake-case name in the operation. The tree also knows the types, so that one walk
over a result leaves nulls out, cleans texts, and says enum values with their underlying words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    GraphQLUnionType,
    get_named_type,
    is_abstract_type,
    is_leaf_type,
    is_required_argument,
)

from api.mcp_tools.answers import Answer, is_connection
from api.mcp_tools.cleaning import clean, clean_json
from api.mcp_tools.naming import fold, snake_case
from schema.directives import summary_of

MAX_DEPTH = 4
"""A summary leads through at most this many objects, so that types that hold each other come to an end."""

_PAGE = (("nodes",), ("pageInfo", "hasNextPage"), ("pageInfo", "endCursor"))
_TYPENAME = "typename"


class Selection:
    """What is chosen of one composite type; of an abstract type, what is chosen of each of its object types."""

    def __init__(self, schema: GraphQLSchema, type_: GraphQLNamedType, depth: int = 0) -> None:
        self.schema = schema
        self.type = type_
        self.depth = depth
        self.fields: dict[str, Selection | None] = {}
        """By GraphQL name; None for a leaf."""
        self.branches: dict[str, Selection] = {}
        """By the name of an object type; of abstract types alone."""
        if isinstance(type_, (GraphQLInterfaceType, GraphQLUnionType)):
            possible = sorted(schema.get_possible_types(type_), key=lambda one: one.name)
            self.branches = {one.name: Selection(schema, one, depth) for one in possible}

    def add(self, path: Sequence[str]) -> bool:
        """Chooses the field at `path`, an object's summary where it leads to an object.

        Names may be written in any way that `fold` makes equal. False, with nothing chosen, where no such
        field exists (of an abstract type: on none of its object types).
        """
        if self.branches:
            added = [branch.add(path) for branch in self.branches.values()]
            return any(added)
        if not path:
            self.add_summary()
            return True
        name = selectable_fields(self.type).get(fold(path[0]))
        if name is None:
            return False
        assert isinstance(self.type, GraphQLObjectType)
        named = get_named_type(self.type.fields[name].type)
        if is_leaf_type(named):
            if len(path) > 1:
                return False
            self.fields[name] = None
            return True
        child = self.fields.get(name) or Selection(self.schema, named, self.depth + 1)
        if not child.add(path[1:]):
            return False
        self.fields[name] = child
        return True

    def add_summary(self) -> None:
        """Chooses what is returned when the caller chooses nothing."""
        for branch in self.branches.values():
            branch.add_summary()
        if not self.branches:
            for path in summary_paths(self.type):
                if self.depth < MAX_DEPTH or self._leads_to_leaf(path):
                    self.add(path)

    def _leads_to_leaf(self, path: Sequence[str]) -> bool:
        assert isinstance(self.type, GraphQLObjectType)
        return len(path) == 1 and is_leaf_type(get_named_type(self.type.fields[path[0]].type))

    def render(self) -> str:
        """The selection set, braces included."""
        parts = [f"{_TYPENAME}: __typename"] if self.branches or not self.fields else []
        parts += self._rendered_entries({})
        for type_name, branch in self.branches.items():
            inner = branch._rendered_entries(self._prefixes)
            if inner:
                parts.append(f"... on {type_name} {{ {' '.join(inner)} }}")
        return f"{{ {' '.join(parts)} }}"

    def _rendered_entries(self, prefixes: Mapping[str, bool]) -> list[str]:
        return [
            (name if alias == name else f"{alias}: {name}")
            + (f" {child.render()}" if child is not None else "")
            for alias, _key, name, child in self.entries(prefixes)
        ]

    def entries(self, prefixes: Mapping[str, bool]) -> Iterator[tuple[str, str, str, Selection | None]]:
        """Each chosen field as (alias, output key, GraphQL name, what is chosen of it)."""
        for name, child in self.fields.items():
            key = snake_case(name)
            alias = f"{snake_case(self.type.name)}__{key}" if prefixes.get(key) else key
            yield alias, key, name, child

    @cached_property
    def _prefixes(self) -> dict[str, bool]:
        """Which keys need an alias of their own on each object type, since their types differ.

        GraphQL refuses one key with two types, even where only one of them can come true.
        """
        types: dict[str, set[str]] = {}
        for branch in self.branches.values():
            for name in branch.fields:
                assert isinstance(branch.type, GraphQLObjectType)
                types.setdefault(snake_case(name), set()).add(str(branch.type.fields[name].type))
        return {key: len(found) > 1 for key, found in types.items()}

    def shaped(self, value: Any) -> Any:
        """A value of the result as the tool returns it. Nulls stay only as items of a list."""
        if isinstance(value, list):
            return [self.shaped(item) for item in value]
        if value is None:
            return None
        if self.branches:
            type_name = value[_TYPENAME]
            shaped = {_TYPENAME: snake_case(type_name)}
            layout = self._layouts[type_name]
        else:
            shaped = {}
            layout = self._layouts[self.type.name]
        for alias, key, shape in layout:
            found = value.get(alias)
            if found is not None:
                shaped[key] = shape(found)
        return shaped

    @cached_property
    def _layouts(self) -> dict[str, list[tuple[str, str, Callable[[Any], Any]]]]:
        sources = self.branches or {self.type.name: self}
        return {
            type_name: [
                (alias, key, child.shaped if child is not None else _leaf(source.type, name))
                for alias, key, name, child in source.entries(self._prefixes)
            ]
            for type_name, source in sources.items()
        }


def selectable_fields(type_: GraphQLNamedType) -> dict[str, str]:
    """The names of an object type's fields that need no argument, by their folded spelling."""
    if not isinstance(type_, GraphQLObjectType):
        return {}
    return {fold(name): name for name, field in type_.fields.items() if is_selectable(field)}


def connection_extras(answer: Answer) -> dict[str, str]:
    """What can be chosen of a connection beside its items: GraphQL names by snake-case names."""
    if answer.connection is None:
        return {}
    hidden = ("edges", "nodes", "pageInfo")
    return {
        snake_case(name): name for name in selectable_fields(answer.connection).values() if name not in hidden
    }


def item_fields(type_: GraphQLNamedType) -> tuple[str, ...]:
    """The names of the fields of an object type or interface."""
    return tuple(type_.fields) if isinstance(type_, (GraphQLObjectType, GraphQLInterfaceType)) else ()


def is_selectable(field: GraphQLField) -> bool:
    """Whether a field can be selected without an argument."""
    return not any(is_required_argument(argument) for argument in field.args.values())


def summary_paths(type_: GraphQLNamedType) -> Sequence[tuple[str, ...]]:
    """What the summary of an object type holds, as GraphQL paths.

    It is declared on the type by `@summary`; of a connection it is the page; of a type without a declaration
    its leaves, and those of its fields that are objects of nothing but leaves.
    """
    if not isinstance(type_, GraphQLObjectType):
        return ()
    declared = summary_of(type_)
    if declared:
        return [tuple(path.split(".")) for path in declared]
    if is_connection(type_):
        return _PAGE
    return [
        (name,)
        for name, field in type_.fields.items()
        if is_selectable(field) and field.deprecation_reason is None and _is_plain(get_named_type(field.type))
    ]


def _is_plain(type_: GraphQLNamedType) -> bool:
    if is_leaf_type(type_):
        return True
    return isinstance(type_, GraphQLObjectType) and all(
        is_leaf_type(get_named_type(field.type)) for field in type_.fields.values()
    )


def _leaf(type_: GraphQLNamedType, name: str) -> Callable[[Any], Any]:
    assert isinstance(type_, GraphQLObjectType)
    named = get_named_type(type_.fields[name].type)
    if isinstance(named, GraphQLEnumType):
        words = {value_name: str(value.value) for value_name, value in named.values.items()}
        return _over_lists(lambda value: words.get(value, value))
    assert isinstance(named, GraphQLScalarType)
    if named.name in ("Int", "Float", "Boolean"):
        return lambda value: value
    if named.name in ("JSON", "JSONObject"):
        return clean_json
    return _over_lists(lambda value: clean(value) if isinstance(value, str) else value)


def _over_lists(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def shape(value: Any) -> Any:
        return [shape(item) for item in value] if isinstance(value, list) else convert(value)

    return shape


def output_paths(schema: GraphQLSchema, type_: GraphQLNamedType, depth: int = 3) -> list[str]:
    """The dotted snake-case paths that can be chosen of a type, objects before what they hold, in schema order."""
    paths: dict[str, None] = {}
    _collect_paths(schema, type_, (), (), depth, paths)
    return list(paths)


def _collect_paths(
    schema: GraphQLSchema,
    type_: GraphQLNamedType,
    prefix: tuple[str, ...],
    inside: tuple[str, ...],
    depth: int,
    paths: dict[str, None],
) -> None:
    if is_abstract_type(type_):
        for possible in sorted(schema.get_possible_types(type_), key=lambda one: one.name):
            _collect_paths(schema, possible, prefix, inside, depth, paths)
        return
    if not isinstance(type_, GraphQLObjectType) or type_.name in inside or len(prefix) >= depth:
        return
    for name in selectable_fields(type_).values():
        path = (*prefix, snake_case(name))
        paths[".".join(path)] = None
        named = get_named_type(type_.fields[name].type)
        _collect_paths(schema, named, path, (*inside, type_.name), depth, paths)
