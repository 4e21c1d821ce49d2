"""The tools of the memory room: what they are called with, and what their descriptions say of this moment."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client

from api.mcp_tools.server import McpDoor
from sources.memory import SOURCE
from sources.registry import Changes
from tests.support.memory import TOY, MemoryHouse, sqlite_house

FIXED = (
    "Search an active memory database for the entries whose meaning is nearest to a text. Read-only. Only `db_name` and"
    " `query` are needed."
)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[MemoryHouse]:
    async with sqlite_house(tmp_path) as opened:
        yield opened


async def description(door: McpDoor) -> str:
    """As a client that lists the tools now is told; each keeps the list for as long as it may."""
    async with Client(door.server) as client:
        listed = await client.list_tools()
    assert (listed.ttl_ms, listed.cache_scope) == (5_000, "private")
    (tool,) = [tool for tool in listed.tools if tool.name == "recall_search"]
    return str(tool.description)


async def test_the_description_names_what_is_active_now(house: MemoryHouse) -> None:
    registry = SOURCE.registry
    door = house.door()
    assert await description(door) == FIXED
    await house.create("recipes", "What to cook, and how.")
    await house.create("diary", "A " + "very " * 60 + "long story")
    said = await description(door)
    assert said.startswith(f"{FIXED}\n\nActive databases:\n- diary: A very very")
    assert said.endswith("…\n- recipes: What to cook, and how.")
    assert max(map(len, said.splitlines()[2:])) <= 160 + len("- diary: ")
    await registry.change(house.database, "diary", Changes(active=False))
    await registry.change(house.database, "recipes", Changes(description="Cooking."))
    assert await description(door) == f"{FIXED}\n\nActive databases:\n- recipes: Cooking."
    # Elsewhere than on this machine nobody reads them, and nobody reads of them.
    house.scope = replace(house.scope, local=False)
    assert await description(door) == FIXED


async def test_many_databases_do_not_fill_the_list(house: MemoryHouse) -> None:
    for number in range(25):
        await SOURCE.registry.create(house.database, f"db{number:02}", "Text.", TOY, public=False)
    lines = (await description(house.door())).splitlines()
    assert lines[3] == "- db00: Text."
    assert lines[22:] == ["- db19: Text.", "and 5 more, which `list_memory_databases` tells."]


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def test_tools_answer_as_agents_call_them(house: MemoryHouse) -> None:
    await house.create(
        "notes",
        entries=[
            {
                "id": "a",
                "content": "a silver spoon",
                "metadata": {"kind": "thing"},
                "timestamp": "2024-01-01",
            },
            {"id": "b", "content": "red dragons", "metadata": {"kind": "beast"}},
        ],
    )
    await house.indexer.run_once()
    async with Client(house.door().server) as client:
        found = await call(client, "recall_search", db_name="notes", query="silver spoons", limit=1)
        (hit,) = found.pop("nodes")
        assert (hit["entry_id"], hit["content"], hit["metadata"]) == (
            "a",
            "a silver spoon",
            {"kind": "thing"},
        )
        assert hit["matched_by"] == ["semantic"]
        assert found == {
            "query": "silver spoons",
            "page_info": {"has_next_page": True},
            "provenance": {"complete": True, "warnings": []},
        }
        found = await call(client, "recall_search", db_name="notes", query="x", metadata="kind=beast")
        assert [node["entry_id"] for node in found["nodes"]] == ["b"]
        found = await call(client, "list_memory_entries", db_name="notes", since="2024-01-01")
        assert [node["entry_id"] for node in found["nodes"]] == ["a"]
        found = await call(client, "list_memory_databases")
        assert found == {
            "memory_databases": [
                {
                    "name": "notes",
                    "description": "Notes of a cook.",
                    "entries": 2,
                    "indexed": 2,
                    "ready": True,
                }
            ]
        }
        refused = await client.call_tool("recall_search", {"db_name": "note", "query": "x"})
        assert refused.is_error
        assert "Allowed: notes. Did you mean `notes`?" in str(refused.content)
        refused = await client.call_tool(
            "recall_search", {"db_name": "notes", "query": "x", "query_vector": [1.0]}
        )
        assert refused.is_error
        assert "query_vector" in str(refused.content)
