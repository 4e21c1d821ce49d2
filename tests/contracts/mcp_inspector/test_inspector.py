"""The command line of the MCP inspector in both protocol eras: `--strict` finds no fault in our tools."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from schema.query import ROOMS, build_schema
from tests.contracts.house import ROOT
from tests.contracts.npm_suites import installed, node

pytestmark = [pytest.mark.verify, pytest.mark.timeout(300)]

ERAS = pytest.mark.parametrize("era", ["legacy", "modern"])
CLI = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"


def inspect(era: str, *arguments: str) -> dict[str, Any]:
    """What the inspector prints for a method, which must end well."""
    folder = installed("mcp_inspector")
    done = node(folder, CLI, "--cli", *arguments, "--protocol-era", era, "--format", "json", "-q")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.strip() == ""
    printed = json.loads(done.stdout)
    result: dict[str, Any] = printed.get("result", printed)
    return result


def over_http(url: str) -> tuple[str, ...]:
    return (url, "--transport", "http")


@ERAS
@pytest.mark.parametrize("room", ["", *(f"/{room.name}" for room in ROOMS)])
def test_strict_finds_nothing_in_the_tools(era: str, room: str, product_url: str) -> None:
    listed = inspect(era, *over_http(f"{product_url}/mcp{room}"), "--method", "tools/list", "--strict")
    names = [tool["name"] for tool in listed["tools"]]
    assert "get_node" in names
    query = build_schema().query_type
    assert query is not None
    if not room:
        assert len(names) == len(query.fields)


@ERAS
def test_it_calls_a_tool(era: str, product_url: str) -> None:
    asked = json.dumps({"key": "fireball", "fields": ["name", "level"]})
    result = inspect(
        era,
        *over_http(f"{product_url}/mcp"),
        *("--method", "tools/call", "--tool-name", "get_spell", "--tool-args-json", asked),
    )
    assert result["structuredContent"] == {"spell": {"name": "Fireball", "level": 3}}


@ERAS
def test_it_reads_resources_and_prompts(era: str, product_url: str) -> None:
    mcp = over_http(f"{product_url}/mcp")
    read = inspect(era, *mcp, "--method", "resources/read", "--uri", "loregraph://guide")
    assert read["contents"][0]["text"].startswith("# Which tool?\n")
    listed = inspect(era, *mcp, "--method", "prompts/list")
    assert "cite_with_licence" in {prompt["name"] for prompt in listed["prompts"]}


def test_strict_finds_nothing_over_stdio(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "api", "mcp", "--data-dir", str(tmp_path)]
    # The program fills its empty data folder before it answers.
    patient = ("--connect-timeout", "60000")
    arguments = ("--cwd", str(ROOT), "--method", "tools/list", "--strict", "--transport", "stdio", *patient)
    listed = inspect("modern", *program, *arguments)
    assert "lookup_spell" in {tool["name"] for tool in listed["tools"]}
