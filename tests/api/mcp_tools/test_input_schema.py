"""Input schemas: closed, inlined, in the words of the tool, within the byte budget."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from graphql import GraphQLSchema
from jsonschema import Draft202012Validator

from api.mcp_tools.catalogue import catalogue_of
from api.mcp_tools.input_schema import input_schema_of
from api.mcp_tools.tool_spec import ToolSpec
from schema.query import build_schema
from tests.api.mcp_tools.toy import toy_schema

ROOM_BUDGET = 24_000


def nodes_of(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema inside a schema, itself first."""
    yield schema
    for inner in schema.get("properties", {}).values():
        yield from nodes_of(inner)
    if "items" in schema:
        yield from nodes_of(schema["items"])


@pytest.mark.parametrize("build", [toy_schema, build_schema])
def test_every_schema_is_valid_closed_and_described(build: Any) -> None:
    schema: GraphQLSchema = build()
    for tool in catalogue_of(schema):
        generated = input_schema_of(tool)
        Draft202012Validator.check_schema(generated)
        assert b"$ref" not in orjson.dumps(generated)
        for node in nodes_of(generated):
            assert node["type"] in ("object", "array", "string", "integer", "number", "boolean")
            if node["type"] == "object":
                assert node["additionalProperties"] is False
                assert set(node["required"]) <= node["properties"].keys()
                for name, inner in node["properties"].items():
                    assert inner.get("description"), f"{tool.name}.{name} has no description"


def test_ranges_words_and_defaults_come_from_the_schema(lookup: ToolSpec) -> None:
    properties = input_schema_of(lookup)["properties"]
    assert properties["limit"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "description": "How many items to return.",
        "default": 20,
    }
    assert properties["board"]["items"] == {
        "type": "string",
        "enum": ["4chan", "documentCount", "short-wave"],
    }
    assert properties["key"] == {
        "type": "array",
        "items": {"type": "string", "pattern": "^(?:s[0-9]+)$"},
        "maxItems": 3,
        "description": "Keys.",
    }
    assert properties["order_by"]["items"]["required"] == ["field"]
    assert properties["order_by"]["items"]["properties"]["descending"]["default"] is False
    assert properties["response_format"]["enum"] == ["json", "markdown"]


def test_only_values_whose_description_adds_something_are_explained(lookup: ToolSpec) -> None:
    board = input_schema_of(lookup)["properties"]["board"]["description"]
    assert board == (
        "Boards, such as `4chan`. documentCount: A word in camel case; short-wave: Heard on the radio."
    )


def test_a_required_argument_is_required() -> None:
    tools = {tool.name: tool for tool in catalogue_of(toy_schema())}
    assert input_schema_of(tools["get_story"])["required"] == ["key"]
    assert input_schema_of(tools["lookup_story"])["required"] == []


def test_fields_tell_what_can_be_chosen() -> None:
    tools = {tool.name: tool for tool in catalogue_of(toy_schema())}
    text = input_schema_of(tools["lookup_story"])["properties"]["fields"]["description"]
    assert "id key name text rank posted_at board author{id key name rank} score extra." in text
    assert "`total_count` alone only counts." in text


def test_the_dnd_room_is_within_its_budget() -> None:
    """Names, descriptions and input schemas stand in the context of every conversation."""
    sizes = {
        tool.name: len(
            orjson.dumps(
                {"name": tool.name, "description": tool.description, "inputSchema": input_schema_of(tool)}
            )
        )
        for tool in catalogue_of(build_schema())
    }
    assert {
        "get_creature",
        "get_node",
        "get_nodes",
        "get_spell",
        "list_sources",
        "lookup_creature",
    } < sizes.keys()
    assert sum(sizes.values()) < ROOM_BUDGET, sizes
