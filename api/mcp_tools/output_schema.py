"""The JSON Schema (2020-12) of a tool's structured content.

It describes the summary. No property is required, since null fields are left out, and every object is open,
since a caller may choose other fields; what is described keeps its form whatever is chosen.
"""

from __future__ import annotations

from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLList,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLObjectType,
    get_named_type,
    is_leaf_type,
)

from api.mcp_tools.answers import AnswerKind
from api.mcp_tools.naming import snake_case
from api.mcp_tools.operations import ToolOperation
from api.mcp_tools.selection import Selection, item_fields

_JSON_TYPES = {"Int": "integer", "Float": "number", "Boolean": "boolean"}
_OPEN_OBJECTS = ("JSON", "JSONObject")
"""Scalars whose values are objects with names of their own: the columns of a row, the metadata of an entry."""
_NOTICE = {"type": "string", "description": "What was left out of a result that was too large."}


def output_schema_of(summary: ToolOperation) -> dict[str, Any]:
    """The output schema of the tool whose summary operation this is."""
    answer = summary.answer
    assert summary.items is not None
    item = _composite(summary.items)
    if answer.kind is AnswerKind.CONNECTION:
        assert summary.page is not None
        assert answer.connection is not None
        total = {"total_count": {"type": "integer"}} if "totalCount" in item_fields(summary.page.type) else {}
        properties = {
            "nodes": _listed(answer.connection.fields["nodes"].type, item),
            **_properties(summary.page),
            **total,
        }
        required: list[str] = []
    else:
        listed = {"type": "array", "items": _or_null(item)}
        value = listed if answer.kind is AnswerKind.LIST else item
        properties = {answer.key: _or_null(value)}
        required = [answer.key]
    return {"type": "object", "properties": {**properties, "notice": _NOTICE}, "required": required}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Two branches of one type each: clients that know no type unions would drop a list of types."""
    return {"anyOf": [schema, {"type": "null"}]}


def _composite(selection: Selection) -> dict[str, Any]:
    if not selection.branches:
        return {"type": "object", "properties": _properties(selection)}
    chosen = {name: _properties(branch) for name, branch in selection.branches.items()}
    keys = dict.fromkeys(key for properties in chosen.values() for key in properties)
    found: dict[str, list[dict[str, Any]]] = {key: [] for key in keys}
    for type_name, branch in selection.branches.items():
        assert isinstance(branch.type, GraphQLObjectType)
        for name, field in branch.type.fields.items():
            # Fields beyond the summary can be chosen as well, so a key can have the types of all branches.
            key = snake_case(name)
            if key in found:
                schema = chosen[type_name].get(key) or _outline(field.type)
                found[key] += [schema] if schema not in found[key] else []
    typename = {"enum": [snake_case(name) for name in selection.branches]}
    merged = {key: _any_of(schemas) for key, schemas in found.items()}
    return {"type": "object", "properties": {"typename": typename, **merged}}


def _outline(type_: Any) -> dict[str, Any]:
    """The schema of a field that no summary holds: objects may hold anything."""
    named = get_named_type(type_)
    return _listed(type_, _leaf(named) if is_leaf_type(named) else {"type": "object"})


def _any_of(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """What fits one of these; anything, where one of them says nothing."""
    if {} in schemas:
        return {}
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def _properties(selection: Selection) -> dict[str, Any]:
    assert isinstance(selection.type, GraphQLObjectType)
    properties: dict[str, Any] = {}
    for name, child in selection.fields.items():
        field = selection.type.fields[name]
        inner = _composite(child) if child is not None else _leaf(get_named_type(field.type))
        properties[snake_case(name)] = _listed(field.type, inner)
    return properties


def _listed(type_: Any, inner: dict[str, Any]) -> dict[str, Any]:
    """`inner` in as many arrays as the GraphQL type has lists; items may be null where the type says so."""
    if isinstance(type_, GraphQLNonNull):
        return _listed(type_.of_type, inner)
    if not isinstance(type_, GraphQLList):
        return inner
    item = _listed(type_.of_type, inner)
    if not isinstance(type_.of_type, GraphQLNonNull) and item:
        item = _or_null(item)
    return {"type": "array", "items": item}


def _leaf(type_: GraphQLNamedType) -> dict[str, Any]:
    if isinstance(type_, GraphQLEnumType):
        return {"type": "string", "enum": [str(value.value) for value in type_.values.values()]}
    if type_.name in _OPEN_OBJECTS:
        return {"type": "object", "additionalProperties": True}
    return {"type": _JSON_TYPES.get(type_.name, "string")}
