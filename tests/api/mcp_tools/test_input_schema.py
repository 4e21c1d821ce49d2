"""Input schemas: closed, inlined, in the words of the tool, within the byte budget."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from graphql import GraphQLSchema
from jsonschema import Draft202012Validator

from api.mcp_tools.catalogue import catalogue_of
from api.mcp_tools.input_schema import input_schema_of, long_vocabularies
from api.mcp_tools.instructions import INSTRUCTIONS
from api.mcp_tools.tool_spec import ToolSpec
from api.mcp_tools.tools import field_tellers
from schema.query import build_schema
from tests.api.mcp_tools.toy import toy_schema


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
            # The filters of a table whose columns only its owner knows are the one open object.
            if node["type"] == "object" and (tool.name, node.get("properties")) != (
                "ckan_datastore_search",
                None,
            ):
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
        "description": "Page size.",
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
    assert '`fields: ["total_count"]` only counts' in INSTRUCTIONS


def test_one_tool_of_a_list_tells_the_output_fields_of_a_type() -> None:
    tools = {tool.name: tool for tool in catalogue_of(toy_schema())}
    tellers = field_tellers(tools.values())
    assert tellers["get_story"] == "lookup_story"
    assert "lookup_story" not in tellers
    text = input_schema_of(tools["get_story"], tellers["get_story"])["properties"]["fields"]["description"]
    assert text == "Fields to return, dotted, those of `lookup_story`."


def test_a_long_vocabulary_is_explained_in_the_guide() -> None:
    (creatures,) = [tool for tool in catalogue_of(build_schema()) if tool.name == "lookup_creature"]
    properties = input_schema_of(creatures)["properties"]
    vocabularies = long_vocabularies(creatures)
    assert "prone: Lying down" in vocabularies["condition_immunity"]
    assert properties["condition_immunity"]["description"] == "Immune to one of these conditions."
    assert "prone" in properties["condition_immunity"]["items"]["enum"]
    assert "5e-2014: The rules of 2014 (SRD 5.1)" in vocabularies["edition"]
    assert "unaligned: Without an alignment, as beasts are" in properties["alignment"]["description"]


def test_bounds_that_nobody_meets_are_left_out() -> None:
    (spells,) = [tool for tool in catalogue_of(build_schema()) if tool.name == "lookup_spell"]
    properties = input_schema_of(spells)["properties"]
    assert properties["name"].keys() == {"type", "description"}
    assert properties["key"].keys() == {"type", "items", "description"}
    assert (properties["level_min"]["minimum"], properties["level_min"]["maximum"]) == (0, 9)
    assert properties["order_by"]["maxItems"] == 3
    assert "empty list" not in properties["key"]["description"]
