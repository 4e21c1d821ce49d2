"""The three kinds of field. Every field of an output type is one of them, and says which columns it needs.

- plain: an attribute of the record, named like the field in snake case;
- derived: a pure function of named columns;
- batch: one function that takes the keys of all parents and returns all values.

So execution can be compiled, a query reads only the columns that it selects, and N+1 cannot happen. No field
has a resolver method of its own; `bind` installs the three kinds on the built schema.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import strawberry
from graphql import (
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLResolveInfo,
    GraphQLSchema,
    GraphQLUnionType,
    get_named_type,
    is_composite_type,
    is_introspection_type,
)
from strawberry.dataloader import DataLoader
from strawberry.utils.str_converters import to_camel_case

from resolvers.scope import Scope
from schema.directives import Markdown, Tool

if TYPE_CHECKING:
    from schema.context import Context

METADATA_KEY = "loregraph"

BatchFunction = Callable[..., Awaitable[Sequence[Any]]]
"""`await function(scope, keys, columns, **arguments)`: one value for each key, in order.

`keys` holds the value of the field's only column for each parent (a tuple of values when it names several);
`columns` are the attributes wanted of each value when the field's type is an object.
An exception in place of a value becomes that parent's error.
"""


@dataclass(frozen=True, slots=True)
class Plain:
    """An attribute of the record."""

    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Derived:
    """`function(*values of columns)`; pure, and called once a parent."""

    function: Callable[..., Any]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """`function` answers all parents at once."""

    function: BatchFunction
    columns: tuple[str, ...]


FieldKind = Plain | Derived | Batch


def plain(description: str, *, column: str | None = None, **options: Any) -> Any:
    """A field that is an attribute of the record; `column` only where the attribute has another name."""
    kind = Plain((column,)) if column is not None else None
    return _field(description, kind, options)


def derived(function: Callable[..., Any], *columns: str, description: str, **options: Any) -> Any:
    """A field that is a pure function of the named columns."""
    return _field(description, Derived(function, columns), options)


def batch(
    function: BatchFunction,
    *columns: str,
    description: str,
    arguments: Callable[..., None] | None = None,
    **options: Any,
) -> Any:
    """A field whose values for all parents come from one call.

    `arguments` is a function whose parameters are the arguments of the field; `function` is called with those
    that are given and not null, by keyword. The field then needs its `graphql_type`.
    """
    if arguments is not None:
        options["resolver"] = arguments
    return _field(description, Batch(function, columns), options)


def _field(description: str, kind: FieldKind | None, options: dict[str, Any]) -> Any:
    metadata = dict(options.pop("metadata", {}))
    if kind is not None:
        metadata[METADATA_KEY] = kind
    return strawberry.field(description=description, metadata=metadata, **options)


def root(
    resolver: Callable[..., Any],
    graphql_type: Any,
    tool: Tool,
    description: str,
    markdown: Markdown | None = None,
    **options: Any,
) -> Any:
    """A root field: a question to a resolver, and the MCP tool that asks the same question."""
    directives = [tool] if markdown is None else [tool, markdown]
    return strawberry.field(
        resolver=resolver,
        graphql_type=graphql_type,
        description=description,
        directives=directives,
        **options,
    )


def kind_of(field: GraphQLField, name: str) -> FieldKind:
    """How a field of the built schema is answered."""
    definition = field.extensions.get("strawberry-definition")
    declared = getattr(definition, "metadata", {}).get(METADATA_KEY)
    if declared is not None:
        kind: FieldKind = declared
        return kind
    python_name = getattr(definition, "python_name", None)
    return Plain((python_name or name,))


def bind(schema: GraphQLSchema, type_of_kind: dict[str, str]) -> None:
    """Installs the field kinds on a schema that Strawberry has built.

    `type_of_kind` maps a record's `kind` to the name of its object type. Strawberry's own type checks are
    taken off, since records are rows and dataclasses of the sources, never instances of Strawberry classes.
    """
    roots = {schema.query_type}

    def resolve_type(value: Any, _info: Any, _abstract: Any) -> str:
        return type_of_kind[value.kind]

    for type_ in schema.type_map.values():
        if is_introspection_type(type_):
            continue
        if isinstance(type_, (GraphQLInterfaceType, GraphQLUnionType)):
            type_.resolve_type = resolve_type
        elif isinstance(type_, GraphQLObjectType):
            type_.is_type_of = None
            if type_ not in roots:
                for name, field in type_.fields.items():
                    field.resolve = _resolver(kind_of(field, name), field)


def _resolver(kind: FieldKind, field: GraphQLField) -> Callable[..., Any]:
    match kind:
        case Plain((column,)):
            read = attrgetter(column)
            return lambda parent, _info: read(parent)
        case Derived(function, (column,)):
            read = attrgetter(column)
            return lambda parent, _info: function(read(parent))
        case Derived(function, ()):
            return lambda _parent, _info: function()
        case Derived(function, columns):
            read_all = attrgetter(*columns)
            return lambda parent, _info: function(*read_all(parent))
        case Batch(function, columns):
            return _batch_resolver(function, attrgetter(*columns), field)
    raise AssertionError(kind)


def _batch_resolver(
    function: BatchFunction, read: Callable[[Any], Any], field: GraphQLField
) -> Callable[..., Any]:
    """Runs a batch field under graphql-core: a DataLoader for each field of the operation gathers the parents."""
    # Imported here: a selection asks for field kinds, so the module itself cannot be imported first.
    from schema.selection import Selection

    type_name = get_named_type(field.type).name
    definition = field.extensions.get("strawberry-definition")
    python_names = {
        argument.graphql_name or graphql_name(argument.python_name): argument.python_name
        for argument in getattr(definition, "arguments", ())
    }

    def resolve(parent: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        context: Context = info.context
        identity: Hashable = (id(function), *(id(node) for node in info.field_nodes))
        loader = context.loaders.get(identity)
        if loader is None:
            type_ = info.schema.type_map[type_name]
            columns = Selection.below(info).columns(type_name) if is_composite_type(type_) else ()
            given = {python_names[name]: value for name, value in arguments.items() if value is not None}
            loader = DataLoader(load_fn=_load_with(function, context.scope, columns, given))
            context.loaders[identity] = loader
        return loader.load(read(parent))

    return resolve


def _load_with(
    function: BatchFunction, scope: Scope, columns: tuple[str, ...], arguments: dict[str, Any]
) -> Callable[[list[Any]], Awaitable[Sequence[Any]]]:
    async def load(keys: list[Any]) -> Sequence[Any]:
        return await function(scope, keys, columns, **arguments)

    return load


def graphql_name(python_name: str) -> str:
    """The GraphQL spelling of an attribute's name, as the schema writes it."""
    return to_camel_case(python_name)
