"""The schema's descriptions are product copy: read by people, by GraphiQL and, through the tools, by models."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    is_introspection_type,
    is_specified_directive,
    is_specified_scalar_type,
)

from schema.query import build_schema

SHORTEST = len("On foot.")

SCHEMA = build_schema()


def own_types() -> list[GraphQLNamedType]:
    return [
        type_
        for type_ in SCHEMA.type_map.values()
        if not is_introspection_type(type_) and not is_specified_scalar_type(type_)
    ]


def members(type_: GraphQLNamedType) -> dict[str, str | None]:
    """The descriptions of the fields or values of a type."""
    if isinstance(type_, (GraphQLObjectType, GraphQLInterfaceType, GraphQLInputObjectType)):
        return {name: field.description for name, field in type_.fields.items()}
    if isinstance(type_, GraphQLEnumType):
        return {name: value.description for name, value in type_.values.items()}
    return {}


def descriptions() -> Iterator[tuple[str, str | None]]:
    """Every describable thing of the schema, with its description."""
    for type_ in own_types():
        yield type_.name, type_.description
        for name, description in members(type_).items():
            yield f"{type_.name}.{name}", description
        if isinstance(type_, (GraphQLObjectType, GraphQLInterfaceType)):
            for field_name, field in type_.fields.items():
                for name, argument in field.args.items():
                    yield f"{type_.name}.{field_name}({name}:)", argument.description
    for directive in SCHEMA.directives:
        if not is_specified_directive(directive):
            yield f"@{directive.name}", directive.description
            for name, argument in directive.args.items():
                yield f"@{directive.name}({name}:)", argument.description


def test_everything_is_described() -> None:
    assert [name for name, description in descriptions() if not description] == []


def test_descriptions_are_sentences() -> None:
    poor = {
        name: description
        for name, description in descriptions()
        if description
        and (
            len(description) < SHORTEST
            or description != description.strip()
            or "  " in description.replace("\n  ", "\n")
            or description[-1] not in ".:)"
            or not (description[0].isupper() or description[0] in "`0123456789")
        )
    }
    assert poor == {}


def test_no_description_was_copied_to_a_neighbour() -> None:
    copied = []
    for type_ in own_types():
        told = sorted((description, name) for name, description in members(type_).items() if description)
        copied += [
            (type_.name, first, second) for (text, first), (same, second) in pairwise(told) if text == same
        ]
    assert copied == []


def test_a_field_means_the_same_behind_an_interface() -> None:
    differing = [
        f"{type_.name}.{name}"
        for type_ in own_types()
        if isinstance(type_, GraphQLObjectType)
        for interface in type_.interfaces
        for name, field in interface.fields.items()
        if type_.fields[name].description != field.description
    ]
    assert differing == []


def test_names_in_backticks_are_balanced() -> None:
    assert [name for name, description in descriptions() if (description or "").count("`") % 2] == []
