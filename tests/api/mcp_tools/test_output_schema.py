"""Output schemas of tools that answer with more than one type."""

from __future__ import annotations

from api.mcp_tools.catalogue import catalogue_of
from api.mcp_tools.operations import Operations
from api.mcp_tools.output_schema import output_schema_of
from tests.api.mcp_tools.toy import toy_schema


def test_a_key_of_two_types_allows_either() -> None:
    schema = toy_schema()
    tools = {tool.name: tool for tool in catalogue_of(schema)}
    operations = Operations(schema, tuple(tools.values()))
    chosen = operations.of(tools["get_thing"], ["rank", "name"])
    (thing, absent) = output_schema_of(chosen)["properties"]["thing"]["anyOf"]
    assert absent == {"type": "null"}
    assert thing["properties"]["typename"] == {"enum": ["author", "story"]}
    assert thing["properties"]["rank"] == {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    assert thing["properties"]["name"] == {"type": "string"}
