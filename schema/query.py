"""The list of rooms, and the schema that they make together."""

from collections.abc import Sequence
from importlib import import_module

import strawberry
from graphql import GraphQLSchema
from strawberry.tools import merge_types
from strawberry.types import get_object_definition

from schema.directives import describe_arguments
from schema.fields import bind
from schema.node import node_query
from schema.room import Room
from schema.scalars import CONFIG
from schema.source_status import SourceQuery

ROOM_NAMES = (
    "dnd",
    "events",
    "library",
    "datasets",
    "memory",
)  # fmt: skip

ROOMS: tuple[Room, ...] = tuple(import_module(f"schema.{name}").ROOM for name in ROOM_NAMES)


def build_schema(rooms: Sequence[Room] = ROOMS) -> GraphQLSchema:
    """A new executable schema of these rooms, its fields bound to records."""
    schema = _strawberry_schema(rooms)._schema
    kinds = {kind: name for room in rooms for kind, name in room.kinds.items()}
    bind(schema, kinds)
    return schema


def print_sdl(rooms: Sequence[Room] = ROOMS) -> str:
    """The schema of these rooms in the schema language, as it is committed in `schema.graphql`."""
    return _strawberry_schema(rooms).as_str().rstrip() + "\n"


def _strawberry_schema(rooms: Sequence[Room]) -> strawberry.Schema:
    nodes = {name: fetch for room in rooms for name, fetch in room.nodes.items()}
    query = merge_types("Query", (*(room.query for room in rooms), node_query(nodes), SourceQuery))
    get_object_definition(query, strict=True).description = (
        "Everything that can be asked. Each field is also an MCP tool, named by its `@tool` directive; a source "
        "that fails gives null and an error, and the other fields answer all the same."
    )
    schema = strawberry.Schema(query, types=[type_ for room in rooms for type_ in room.types], config=CONFIG)
    describe_arguments(schema._schema)
    return schema


def sdl_of(schema: GraphQLSchema) -> str:
    """A schema of `build_schema` in the schema language."""
    built: strawberry.Schema = schema._strawberry_schema  # type: ignore[attr-defined]
    return built.as_str().rstrip() + "\n"
