"""Character options of documents that are not held here, through a tool."""

from __future__ import annotations

import pytest

from api.execution import Executor
from api.mcp_tools.server import McpDoor
from api.settings import Settings
from schema.query import build_schema
from tests.support.fake_open5e import FakeOpen5e
from tests.support.live import check_requests, live_scope


async def test_a_tool_asks_open5e_for_documents_that_are_not_held(
    seeded_settings: Settings, open5e: FakeOpen5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live_scope(seeded_settings, open5e.url, monkeypatch) as scope:
        schema = build_schema()
        door = McpDoor(schema, Executor(schema, scope=lambda: scope))
        result = await door.toolbox.call(
            door.toolbox.specs["lookup_character_option"],
            {"documents": ["ember"], "type": ["class", "race"], "limit": 2},
            door._executor,
            max_bytes=door.options.result_bytes,
        )
    assert not result.is_error, result.content
    elf, ranger = result.structured_content["nodes"]
    assert (elf["typename"], elf["key"], elf["speed"], elf["size"]) == (
        "species",
        "ember_elf",
        30,
        {"name": "Medium"},
    )
    assert "Fey Ancestry" in [trait["name"] for trait in elf["traits"]]
    assert (ranger["typename"], ranger["key"], ranger["hit_die"]) == ("character_class", "ember_ranger", 10)
    assert ranger["caster_type"] == {"key": "half"}
    check_requests(open5e)
