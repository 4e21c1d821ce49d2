"""The committed print of the tools, `tools.json`."""

from __future__ import annotations

import json

from graphql import GraphQLSchema

from api.mcp_tools.tools import Toolbox


def tools_json(schema: GraphQLSchema) -> str:
    """All tools of a schema as clients see them, sorted by name, indented, ending in a line end."""
    tools = [
        tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in Toolbox(schema).listing
    ]
    return json.dumps(tools, indent=2, ensure_ascii=False) + "\n"
