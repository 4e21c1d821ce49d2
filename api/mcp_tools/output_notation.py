"""How the description of `fields` tells which output fields there are, in as few bytes as it can."""

from __future__ import annotations

from graphql import GraphQLNamedType, GraphQLObjectType, get_named_type, is_abstract_type

from api.mcp_tools.answers import Answer
from api.mcp_tools.naming import snake_case
from api.mcp_tools.selection import selectable_fields

MAX_NOTATION = 700
"""Above this many characters the notation names objects without what they hold."""


def described_fields(answer: Answer, told_by: str | None = None) -> str:
    """The description of the argument `fields` of a tool with this answer.

    `told_by` names another tool of the list that tells the fields of the same type.
    """
    text = "Fields to return, dotted"
    if is_abstract_type(answer.item):
        text += " of the object's type."
    elif told_by is not None:
        text += f", those of `{told_by}`."
    else:
        text += f": {_notation(answer.item)}."
    return text


def _notation(type_: GraphQLNamedType) -> str:
    full = _fields(type_, nested=True)
    return full if len(full) <= MAX_NOTATION else _fields(type_, nested=False)


def _fields(type_: GraphQLNamedType, *, nested: bool) -> str:
    """The names of a type's fields, each object followed by the names of its own; one type is told only once."""
    if not isinstance(type_, GraphQLObjectType):
        return ""
    told: dict[str, str] = {}
    parts = []
    for name in selectable_fields(type_).values():
        field = type_.fields[name]
        if field.deprecation_reason is not None:
            continue
        part = snake_case(name)
        inner = get_named_type(field.type)
        text = _fields(inner, nested=False) if nested and inner is not type_ else ""
        if text:
            first = told.setdefault(inner.name, part)
            reference = f"as {first}"
            part += f"{{{reference if first != part and len(reference) < len(text) else text}}}"
        parts.append(part)
    return " ".join(parts)
