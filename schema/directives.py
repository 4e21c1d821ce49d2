"""Directives of the schema language: one declaration feeds the SDL, the checks at run time and the MCP tools."""

from dataclasses import replace
from typing import Any, TypeVar

import strawberry
from graphql import (
    GraphQLArgument,
    GraphQLField,
    GraphQLInputField,
    GraphQLNamedType,
    GraphQLSchema,
)
from strawberry import UNSET
from strawberry.schema_directive import Location


@strawberry.schema_directive(
    locations=[Location.FIELD_DEFINITION],
    name="tool",
    description="The MCP tool that is generated from this root field.",
)
class Tool:
    name: str = strawberry.field(name="name", description="The tool's name.")
    flatten: str | None = strawberry.field(
        name="flatten",
        default=UNSET,
        description="The input-object argument whose fields become arguments of the tool itself.",
    )
    omit: list[str] | None = strawberry.field(
        name="omit",
        default=UNSET,
        description="Arguments of the field, or fields of the flattened input, that the tool leaves out; "
        "`filter.name` is the field alone where an argument has the same name.",
    )
    aliases: list[str] | None = strawberry.field(
        name="aliases",
        default=UNSET,
        description="Other names that the tool accepts for its arguments, each written `alias=argument`.",
    )
    limit: int | None = strawberry.field(
        name="limit", default=UNSET, description="The page size when none is given, where it is not 20."
    )


@strawberry.schema_directive(
    locations=[Location.ARGUMENT_DEFINITION, Location.INPUT_FIELD_DEFINITION],
    name="constraint",
    description="What a value must keep to, inclusive. On a list, `min`, `max`, the lengths and `pattern` "
    "hold for each item. A value that breaks it is answered with BAD_USER_INPUT.",
)
class Constraint:
    min: float | None = strawberry.field(
        name="min", default=UNSET, description="The smallest number allowed."
    )
    max: float | None = strawberry.field(name="max", default=UNSET, description="The largest number allowed.")
    min_length: int | None = strawberry.field(
        name="minLength", default=UNSET, description="The fewest characters allowed."
    )
    max_length: int | None = strawberry.field(
        name="maxLength", default=UNSET, description="The most characters allowed."
    )
    min_items: int | None = strawberry.field(
        name="minItems", default=UNSET, description="The fewest items of a list allowed."
    )
    max_items: int | None = strawberry.field(
        name="maxItems", default=UNSET, description="The most items of a list allowed."
    )
    pattern: str | None = strawberry.field(
        name="pattern", default=UNSET, description="A regular expression that the whole text must match."
    )


@strawberry.schema_directive(
    locations=[Location.OBJECT, Location.INTERFACE],
    name="summary",
    description="The fields that an MCP tool returns of this type when the caller chooses none.",
)
class Summary:
    fields: list[str] = strawberry.field(
        name="fields", description="Paths of fields, dotted where they lead into an object."
    )
    alone: list[str] | None = strawberry.field(
        name="alone",
        default=UNSET,
        description="The paths in their place where the tool returns a single object.",
    )


@strawberry.schema_directive(
    locations=[Location.FIELD_DEFINITION],
    name="markdown",
    description="How the Markdown text of the field's tool looks.",
)
class Markdown:
    usual: bool = strawberry.field(
        name="usual", description="Whether the tool answers in Markdown unless asked for JSON."
    )
    marks: list[str] | None = strawberry.field(
        name="marks", default=UNSET, description="Items are marked for which one of these fields is true."
    )
    highlight: str | None = strawberry.field(
        name="highlight", default=UNSET, description="The field that is set in bold in marked items."
    )
    then: str | None = strawberry.field(
        name="then", default=UNSET, description="The sentence that follows where an item is marked."
    )


def describe_arguments(schema: GraphQLSchema) -> None:
    """Gives the arguments of our directives their descriptions, which Strawberry leaves out."""
    for directive in schema.directives:
        definition = directive.extensions.get("strawberry-definition")
        for field in getattr(definition, "fields", ()):
            argument = directive.args.get(field.graphql_name or field.python_name)
            if argument is not None:
                argument.description = field.description


def tool_of(field: GraphQLField) -> Tool | None:
    """The `@tool` directive of a root field."""
    return _directive(field, Tool)


def markdown_of(field: GraphQLField) -> Markdown | None:
    """The `@markdown` directive of a root field."""
    return _directive(field, Markdown)


def constraint_of(argument: GraphQLArgument | GraphQLInputField) -> Constraint | None:
    """The `@constraint` directive of an argument or input field."""
    return _directive(argument, Constraint)


def summary_of(type_: GraphQLNamedType) -> tuple[str, ...]:
    """The paths named by the `@summary` directive of a type; empty when it has none."""
    summary = _directive(type_, Summary)
    return tuple(summary.fields) if summary is not None else ()


def alone_of(type_: GraphQLNamedType) -> tuple[str, ...]:
    """The paths of the `@summary` of a type for a single object of it; empty when it has none of its own."""
    summary = _directive(type_, Summary)
    return tuple(summary.alone or ()) if summary is not None else ()


DirectiveT = TypeVar("DirectiveT", Tool, Markdown, Constraint, Summary)


def _directive(
    element: GraphQLField | GraphQLArgument | GraphQLInputField | GraphQLNamedType, kind: type[DirectiveT]
) -> DirectiveT | None:
    definition = element.extensions.get("strawberry-definition")
    for directive in getattr(definition, "directives", None) or ():
        if isinstance(directive, kind):
            absent: dict[str, Any] = {name: None for name, value in vars(directive).items() if value is UNSET}
            return replace(directive, **absent)
    return None
