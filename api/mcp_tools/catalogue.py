"""The catalogue: every root field of the schema as one tool, and every tool as one root field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graphql import (
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLSchema,
    Undefined,
    get_named_type,
    specified_scalar_types,
)

from api.mcp_tools.answers import Answer, AnswerKind, answer_of
from api.mcp_tools.naming import fold, reworded, snake_case, title
from api.mcp_tools.selection import connection_extras, item_fields
from api.mcp_tools.shapes import (
    EnumShape,
    ListShape,
    ObjectShape,
    Parameter,
    ScalarShape,
    Shape,
    object_parameters,
    parameter_of,
)
from api.mcp_tools.tool_spec import FIELDS, FORMATS, RESPONSE_FORMAT, ToolSpec, item_of, spellings
from schema.connection import DEFAULT_FIRST
from schema.directives import Constraint, Markdown, Tool, markdown_of, tool_of

_FIELDS_BOUNDS = Constraint(
    min=None, max=None, min_length=None, max_length=200, min_items=None, max_items=100, pattern=None
)
_COMPOSING = frozenset({"anyOf", "not"})
_BACKWARD = frozenset({"last", "before"})
_LATE = {"orderBy": 1, "first": 2, "after": 3}
_AFTER = "`end_cursor` of the page before."
_SAID_ONCE = re.compile(r" ?An empty list matches nothing\.")
"""A sentence of many arguments that the server's instructions say for all of them."""
_TOOL_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


class CatalogueError(Exception):
    """The schema cannot be turned into tools; a fault of the schema, raised at start."""


def catalogue_of(schema: GraphQLSchema) -> tuple[ToolSpec, ...]:
    """Every root field as a tool, sorted by name.

    Raises `CatalogueError` when a root field has no `@tool`, two have the same, or a tool's arguments clash.
    """
    query = schema.query_type
    if query is None:
        raise CatalogueError("The schema has no query type.")
    tools: dict[str, ToolSpec] = {}
    named = {name: tool.name for name, field in query.fields.items() if (tool := tool_of(field)) is not None}
    for field_name, field in query.fields.items():
        directive = tool_of(field)
        if directive is None:
            raise CatalogueError(f"The root field `{field_name}` has no @tool directive.")
        if not _TOOL_NAME.fullmatch(directive.name):
            raise CatalogueError(f"`{directive.name}` is not a tool name: snake case, at most 64 characters.")
        if directive.name in tools:
            other = tools[directive.name].field_name
            raise CatalogueError(
                f"The root fields `{other}` and `{field_name}` are both the tool `{directive.name}`."
            )
        tools[directive.name] = _tool(field_name, field, directive, named)
    return tuple(tools[name] for name in sorted(tools))


def _tool(field_name: str, field: GraphQLField, directive: Tool, tool_names: Mapping[str, str]) -> ToolSpec:
    """`tool_names` are those of all root fields, which descriptions may name."""
    answer = answer_of(field_name, field)
    if answer.item in specified_scalar_types.values():
        raise CatalogueError(
            f"The root field `{field_name}` returns a scalar; tools return objects and lists."
        )
    shadowed = sorted(
        connection_extras(answer).keys() & {snake_case(name) for name in item_fields(answer.item)}
    )
    if shadowed:
        raise CatalogueError(f"`{shadowed[0]}` of `{field_name}` is a field of its items as well.")
    markdown = markdown_of(field)
    parameters = list(_parameters(field_name, field, directive, answer))
    parameters += [one for one in _own_parameters(markdown) if one.name not in field.args]
    names: dict[str, str] = {}
    for parameter in parameters:
        other = names.setdefault(fold(parameter.name), parameter.path)
        if other != parameter.path:
            raise CatalogueError(
                f"The tool `{directive.name}` has two arguments `{parameter.name}`: {other} and {parameter.path}."
            )
    flattened = field.args.get(directive.flatten) if directive.flatten else None
    metadata: Mapping[str, Any] = (
        getattr(field.extensions.get("strawberry-definition"), "metadata", None) or {}
    )
    spec = ToolSpec(
        name=directive.name,
        title=title(directive.name),
        description="",
        field_name=field_name,
        field=field,
        parameters=tuple(_reworded(parameter, parameters, tool_names) for parameter in parameters),
        answer=answer,
        flatten=directive.flatten or None,
        flatten_required=flattened is not None and parameter_of(directive.flatten or "", flattened).required,
        open_world=bool(metadata.get("open_world", False)),
        markdown=markdown,
    )
    description = reworded((field.description or "").strip(), _renames(parameters, tool_names).get)
    return replace(spec, description=description)


def _parameters(field_name: str, field: GraphQLField, directive: Tool, answer: Answer) -> Iterable[Parameter]:
    omit = frozenset(directive.omit or ())
    aliases = _aliases(directive)
    paged = answer.kind is AnswerKind.CONNECTION
    if directive.flatten and directive.flatten not in field.args:
        raise CatalogueError(
            f"`{field_name}` flattens `{directive.flatten}`, which is none of its arguments."
        )
    found: list[Parameter] = []
    for name, argument in field.args.items():
        if name in omit or (paged and name in _BACKWARD):
            continue
        if name == directive.flatten:
            named = get_named_type(argument.type)
            if not isinstance(named, GraphQLInputObjectType):
                raise CatalogueError(f"`{field_name}` flattens `{name}`, which is not an input object.")
            inside = frozenset(one.removeprefix(f"{name}.") for one in omit)
            found += object_parameters(named, omit=inside | _COMPOSING, container=name)
        elif paged and name == "first":
            found.append(_limit(parameter_of(name, argument, name="limit"), directive))
        elif paged and name == "after":
            found.append(replace(parameter_of(name, argument), description=_AFTER))
        else:
            found.append(parameter_of(name, argument))
    # Filters first, then the order and the page: the order in which people think of them.
    found.sort(
        key=lambda parameter: _LATE.get(parameter.graphql_name, 0) if parameter.container is None else 0
    )
    known = spellings(found)
    accepts: dict[str, list[str]] = {}
    for alias, target in aliases.items():
        parameter = known.get(fold(target))
        if parameter is None:
            raise CatalogueError(
                f"`{directive.name}` has an alias for `{target}`, which is none of its arguments."
            )
        if fold(alias) in known:
            raise CatalogueError(f"`{directive.name}` has an alias `{alias}` that is an argument already.")
        accepts.setdefault(parameter.path, []).append(alias)
    return [replace(one, accepts=tuple(accepts.get(one.path, ()))) for one in found]


def _limit(first: Parameter, directive: Tool) -> Parameter:
    default = first.default if first.default is not Undefined else directive.limit or DEFAULT_FIRST
    return replace(first, description="Page size.", default=default)


def _aliases(directive: Tool) -> dict[str, str]:
    aliases: dict[str, str] = {}
    for written in directive.aliases or ():
        alias, separator, target = written.partition("=")
        if not separator or not alias or not target:
            raise CatalogueError(
                f"`{directive.name}`: an alias is written `alias=argument`, not `{written}`."
            )
        aliases[alias.strip()] = target.strip()
    return aliases


def _own_parameters(markdown: Markdown | None) -> tuple[Parameter, Parameter]:
    usual = FORMATS[markdown is not None and markdown.usual]
    text = ScalarShape(specified_scalar_types["String"], "string")
    words = {word: word for word in FORMATS}
    return (
        Parameter(FIELDS, FIELDS, ListShape(text), constraint=_FIELDS_BOUNDS),
        Parameter(
            RESPONSE_FORMAT,
            RESPONSE_FORMAT,
            EnumShape("ResponseFormat", words, words, {}),
            description="Of the text.",
            default=usual,
        ),
    )


def _renames(parameters: Iterable[Parameter], tool_names: Mapping[str, str]) -> dict[str, str]:
    """What backticked words of the schema's descriptions are called by the tool."""
    words = dict(tool_names)
    for parameter in parameters:
        words[parameter.path] = words[parameter.graphql_name] = parameter.name
        shape = item_of(parameter.shape)
        if isinstance(shape, EnumShape):
            for name, word in shape.words.items():
                words.setdefault(name, word)
    return words


def _reworded(
    parameter: Parameter, parameters: Sequence[Parameter], tool_names: Mapping[str, str]
) -> Parameter:
    description = _SAID_ONCE.sub("", reworded(parameter.description, _renames(parameters, tool_names).get))
    shape = parameter.shape
    if isinstance(inner := item_of(shape), ObjectShape):
        renamed: Shape = ObjectShape(
            tuple(_reworded(one, inner.parameters, tool_names) for one in inner.parameters)
        )
        while isinstance(shape, ListShape):
            shape, renamed = shape.item, ListShape(renamed)
        return replace(parameter, description=description, shape=renamed)
    return replace(parameter, description=description)
