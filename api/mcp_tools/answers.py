"""What a root field returns, as the tool made from it sees it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from graphql import (
    GraphQLField,
    GraphQLList,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLObjectType,
    get_named_type,
)

from api.mcp_tools.naming import snake_case


class AnswerKind(Enum):
    """How the value of a root field becomes the object that a tool returns.

    - `CONNECTION`: the connection itself: `{nodes, page_info, ...}`
    - `LIST`, `OBJECT`: the value under the field's name in snake case: `{sources: [...]}`, `{spell: {...}}`.
      So there is always an object, with room for a notice beside the value, and an absent object can be told
      (`{node: null}`) from one without fields
    """

    CONNECTION = "connection"
    LIST = "list"
    OBJECT = "object"


@dataclass(frozen=True, slots=True)
class Answer:
    """The kind of a root field's value, the key it stands under, and the type of its items.

    `connection` is the connection's type; its items can be dropped from the end of a page that is too large
    when it has `edges`, since only they hold each item's cursor.
    """

    kind: AnswerKind
    key: str
    item: GraphQLNamedType
    connection: GraphQLObjectType | None = None

    @property
    def has_cursors(self) -> bool:
        """Whether every item's cursor can be selected."""
        return self.connection is not None and "edges" in self.connection.fields


def is_connection(type_: GraphQLNamedType) -> bool:
    """Whether a type is a page of a list: it has `nodes` and `pageInfo`."""
    return isinstance(type_, GraphQLObjectType) and {"nodes", "pageInfo"} <= type_.fields.keys()


def answer_of(field_name: str, field: GraphQLField) -> Answer:
    """What a root field returns."""
    named = get_named_type(field.type)
    key = snake_case(field_name)
    if isinstance(named, GraphQLObjectType) and is_connection(named):
        return Answer(AnswerKind.CONNECTION, key, get_named_type(named.fields["nodes"].type), named)
    kind = AnswerKind.LIST if _is_list(field.type) else AnswerKind.OBJECT
    return Answer(kind, key, named)


def _is_list(type_: Any) -> bool:
    if isinstance(type_, GraphQLNonNull):
        type_ = type_.of_type
    return isinstance(type_, GraphQLList)
