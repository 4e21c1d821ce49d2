"""The official client in both protocol eras, against the real app over HTTP and stdio: every tool answers rightly."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import TextResourceContents

from api.app import create_app
from api.settings import Settings
from schema.directives import tool_of
from schema.query import ROOMS, build_schema
from schema.room import Room
from tests.api.mcp_tools.real_calls import CALLS
from tests.api.mcp_tools.real_calls_datasets import at
from tests.support.ckan_doors import golden_portal
from tests.support.ckan_world import served
from tests.support.commands import ROOT, environment, loregraph
from tests.support.server import serving

pytestmark = pytest.mark.timeout(180)

ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])
SHARED = {"get_node", "get_nodes", "list_sources"}


@pytest.fixture(scope="module")
def portal() -> Iterator[str]:
    """A fake CKAN portal that the app may ask, in this process and in others."""
    with served(golden_portal()) as address, pytest.MonkeyPatch.context() as patch:
        for name, value in asking(address).items():
            patch.setenv(name, value)
        yield address


def asking(portal: str) -> dict[str, str]:
    """The settings that let a portal on loopback be asked, as often as tests like."""
    return {
        "LOREGRAPH_DATASETS_ALLOWED_HOSTS": portal.removeprefix("http://"),
        "LOREGRAPH_HTTP_HOST_RATE": "10000",
        "LOREGRAPH_HTTP_HOST_BURST": "10000",
    }


@pytest.fixture(scope="module")
def url(seeded_settings: Settings, portal: str) -> Iterator[str]:
    with serving(create_app(seeded_settings, prepared=True)) as base:
        yield base


def over_stdio(settings: Settings, *arguments: str, portal: str = "") -> StdioServerParameters:
    """The command `loregraph mcp` over the seeded data."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "api", "mcp", *arguments],
        cwd=ROOT,
        env=environment(settings.data_dir, asking(portal) if portal else None),
    )


def tools_of(room: Room) -> set[str]:
    """The tools that a room's group must have."""
    own = {field: name for name, field in _fields().items()}
    return {own[field] for field in room.root_fields()} | SHARED


def _fields() -> dict[str, str]:
    query = build_schema().query_type
    assert query is not None
    return {tool.name: name for name, field in query.fields.items() if (tool := tool_of(field)) is not None}


async def call_every_tool(client: Client, portal: str) -> None:
    """Lists the tools, calls each, and checks the answer and that it fits the schema that was listed."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert sorted(tools) == sorted(CALLS)
    for name, call in CALLS.items():
        arguments, expected = (at(portal, part) for part in call)
        result = await client.call_tool(name, arguments)
        (block,) = result.content
        assert block.type == "text"
        assert not result.is_error, block.text
        assert json.loads(block.text) == result.structured_content
        schema = tools[name].output_schema
        assert schema is not None
        Draft202012Validator(schema).validate(result.structured_content)
        Draft202012Validator(tools[name].input_schema).validate(
            _listed_form(arguments, tools[name].input_schema)
        )
        assert _without_cursor(result.structured_content) == expected, name


def _listed_form(arguments: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The arguments as the input schema writes them: a value for a list is taken, but not listed."""
    return {
        key: [value]
        if schema["properties"][key].get("type") == "array" and not isinstance(value, list)
        else value
        for key, value in arguments.items()
    }


def _without_cursor(content: Any) -> Any:
    page = content.get("page_info")
    if page is None:
        return content
    return {**content, "page_info": {key: value for key, value in page.items() if key != "end_cursor"}}


def test_there_is_a_call_for_each_tool() -> None:
    assert sorted(CALLS) == sorted(_fields())


@ERAS
async def test_every_tool_over_http(url: str, portal: str, mode: str) -> None:
    async with Client(f"{url}/mcp", mode=mode) as client:
        await call_every_tool(client, portal)


@ERAS
async def test_every_tool_over_stdio(seeded_settings: Settings, portal: str, mode: str) -> None:
    async with Client(over_stdio(seeded_settings, portal=portal), mode=mode) as client:
        await call_every_tool(client, portal)


@ERAS
@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
async def test_a_rooms_own_address_serves_its_tools(url: str, portal: str, mode: str, room: Room) -> None:
    async with Client(f"{url}/mcp/{room.name}", mode=mode) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == tools_of(room)
        for name in sorted(tools_of(room)):
            arguments, expected = (at(portal, part) for part in CALLS[name])
            result = await client.call_tool(name, arguments)
            assert _without_cursor(result.structured_content) == expected


async def test_stdio_serves_the_rooms_that_are_named(seeded_settings: Settings) -> None:
    room = ROOMS[0]
    async with Client(over_stdio(seeded_settings, "--only", room.name)) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == tools_of(room)
        guides = [str(one.uri) for one in (await client.list_resources()).resources]
        assert guides == ["loregraph://schema", "loregraph://guide", f"loregraph://guide/{room.name}"]


def test_an_unknown_room_ends_the_command_before_anything_is_made(tmp_path: Path) -> None:
    result = loregraph("mcp", "--only", "dmd", data_dir=tmp_path / "data", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("loregraph: `--only` does not know `dmd`. Allowed: dnd")
    assert result.stderr.endswith(" Did you mean `dnd`?\n")
    assert not (tmp_path / "data").exists()


@ERAS
async def test_an_object_is_a_resource(url: str, mode: str) -> None:
    async with Client(f"{url}/mcp", mode=mode) as client:
        identity = CALLS["get_node"][0]["id"]
        (content,) = (await client.read_resource(f"loregraph://node/{identity}")).contents
        assert content.mime_type == "application/json"
        assert isinstance(content, TextResourceContents)
        node = json.loads(content.text)["node"]
        assert (node["key"], node["level"]) == ("srd_fireball", 3)
        assert "8d6 fire damage" in node["description"]
        for uri, said in (
            ("loregraph://node/x", "is not a global ID"),
            ("loregraph://node/U3BlbGw6bm9uZQ", "There is no object with the ID"),
            (
                "loregraph://guides",
                r"There is no resource `loregraph://guides`\. Did you mean `loregraph://guide`",
            ),
        ):
            with pytest.raises(MCPError, match=said) as raised:
                await client.read_resource(uri)
            assert raised.value.code == (-32002 if mode == "legacy" else -32602)
