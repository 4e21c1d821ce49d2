"""Fixtures of the MCP door's tests."""

from __future__ import annotations

import pytest

from api.mcp_tools.server import McpDoor
from api.mcp_tools.tool_spec import ToolSpec
from tests.api.mcp_tools.toy import toy_door


@pytest.fixture
def door() -> McpDoor:
    """The door of the toy schema."""
    return toy_door()


@pytest.fixture(scope="session")
def lookup() -> ToolSpec:
    """The tool `lookup_story` of the toy schema."""
    return toy_door().toolbox.specs["lookup_story"]
