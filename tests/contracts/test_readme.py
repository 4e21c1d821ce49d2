"""The examples of the README are run, and their output is what it says."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import mcp
import pytest

from api.execution import Executor
from api.mcp_tools.server import McpDoor
from api.opening import open_house
from api.settings import Settings
from schema.query import build_schema
from tests.contracts.house import ROOT
from tests.support.seeded import Ask

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(text: str) -> list[tuple[str, str]]:
    """Language and text of every code block, in order."""
    return [(match[1], match[2]) for match in _BLOCK.finditer(text)]


def graphql_examples() -> list[tuple[str, Any]]:
    """Each query of the README with the answer that follows it."""
    found = blocks(README)
    return [
        (text, json.loads(answer))
        for (language, text), (_, answer) in pairwise(found)
        if language == "graphql"
    ]


def tool_examples() -> list[tuple[dict[str, Any], Any]]:
    """Each tool call of the README with the structured content that follows it."""
    found = [json.loads(text) for language, text in blocks(README) if language == "json"]
    return [(call, answer) for call, answer in pairwise(found) if "arguments" in call]


async def test_graphql_answers_what_the_readme_says(ask: Ask) -> None:
    examples = graphql_examples()
    assert len(examples) == 1
    for query, answer in examples:
        assert await ask(query) == answer


async def test_the_tools_answer_what_the_readme_says(seeded_settings: Settings) -> None:
    examples = tool_examples()
    assert len(examples) == 1
    schema = build_schema()
    async with open_house(seeded_settings) as house:
        door = McpDoor(schema, Executor(schema, scope=lambda: house.scope))
        async with mcp.Client(door.server) as client:
            for call, answer in examples:
                result = await client.call_tool(call["name"], call["arguments"])
                assert result.structured_content == answer


def test_the_two_commands_of_the_readme_exist() -> None:
    (commands, *_) = [text for language, text in blocks(README) if language == "sh"]
    targets = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    named = [line.removeprefix("make ") for line in commands.splitlines()]
    assert named == ["serve", "test"]
    assert set(named) <= set(targets)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
async def test_every_query_of_the_docs_runs(page: Any, ask: Ask) -> None:
    for language, text in blocks(page.read_text(encoding="utf-8")):
        if language == "graphql":
            assert "errors" not in await ask(text), text
        if language == "json":
            json.loads(text)


def test_the_numbers_of_the_readme_are_those_of_the_data() -> None:
    from sources.dnd.embedded import read_embedded

    data = read_embedded()
    assert (
        f"the {len(data.spells)} spells, {len(data.creatures)} creatures, {len(data.equipment)} pieces of "
        f"equipment and {len(data.rules)} rules and terms of SRD 5.1"
    ) in " ".join(README.split())
