"""What listing the tools costs a client: names, descriptions and input schemas, as compact JSON in UTF-8."""

from __future__ import annotations

import json

import pytest

from api.execution import Executor
from api.mcp_tools.server import McpDoor
from resolvers.scope import Scope
from schema.query import ROOMS, build_schema
from schema.room import Room

ROOM_BYTES = 24_000
HOUSE_BYTES = 64_000


@pytest.fixture(scope="module")
def door() -> McpDoor:
    schema = build_schema()
    return McpDoor(schema, Executor(schema, scope=lambda: Scope(shelves={}, unopened={})), rooms=ROOMS)


def sizes(door: McpDoor, rooms: tuple[Room, ...]) -> dict[str, int]:
    """The bytes of each tool that is listed where these rooms are served."""
    found = {}
    for tool in door.service(rooms).listing:
        told = {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
        found[tool.name] = len(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode())
    return found


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_the_tools_of_one_room(door: McpDoor, room: Room) -> None:
    found = sizes(door, (room,))
    assert sum(found.values()) < ROOM_BYTES, found


def test_all_tools(door: McpDoor) -> None:
    found = sizes(door, ROOMS)
    assert len(found) == len(door.toolbox.specs)
    assert sum(found.values()) < HOUSE_BYTES, found
