"""The server as clients meet it: in process, over HTTP and over stdio, in both protocol eras."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import json
import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from starlette.applications import Starlette
from starlette.types import Message

from api.mcp_tools.instructions import INSTRUCTIONS
from api.mcp_tools.options import McpOptions
from api.mcp_tools.printing import tools_json
from api.mcp_tools.server import McpDoor
from tests.api.mcp_tools.toy import toy_door, toy_schema
from tests.support.server import serving

ERAS = pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
MODERN = "2026-07-28"
CALLS: dict[str, dict[str, Any]] = {
    "fail": {},
    "get_story": {"key": "s1"},
    "get_thing": {"id": "author:ann"},
    "get_things": {"ids": ["author:ann"]},
    "lookup_story": {"limit": 2, "board": "4chan"},
}


def app_of(door: McpDoor) -> Starlette:
    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with door.run():
            yield

    return Starlette(routes=list(door.routes()), lifespan=lifespan)


@pytest.fixture
def url() -> Iterator[str]:
    with serving(app_of(toy_door())) as base:
        yield f"{base}/mcp"


async def call_all(client: Client) -> None:
    """Lists every tool, calls each, and checks each result against the schema that was listed."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert sorted(tools) == list(tools) == sorted(CALLS)
    for name, arguments in CALLS.items():
        Draft202012Validator.check_schema(tools[name].input_schema)
        result = await client.call_tool(name, arguments)
        (block,) = result.content
        assert block.type == "text"
        if name == "fail":
            assert result.is_error
            assert block.text == "UPSTREAM_UNAVAILABLE: The toy upstream is down."
        else:
            assert not result.is_error
            assert json.loads(block.text) == result.structured_content
            output_schema = tools[name].output_schema
            assert output_schema is not None
            Draft202012Validator(output_schema).validate(result.structured_content)


@ERAS
async def test_every_tool_in_process(door: McpDoor, mode: str) -> None:
    async with Client(door.server, mode=mode) as client:
        await call_all(client)


@ERAS
async def test_every_tool_over_http(url: str, mode: str) -> None:
    async with Client(url, mode=mode) as client:
        await call_all(client)
        assert client.protocol_version == ("2025-11-25" if mode == "legacy" else MODERN)


@ERAS
async def test_every_tool_over_stdio(mode: str) -> None:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "tests.api.mcp_tools.toy_over_stdio"],
        cwd=Path(__file__).parents[3],
    )
    async with Client(server, mode=mode) as client:
        await call_all(client)


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_an_older_client_is_answered_in_its_version(url: str, version: str) -> None:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    answer = await post(url, {"method": "initialize", "params": params})
    assert answer.json()["result"]["protocolVersion"] == version
    listed = await post(url, {"method": "tools/list"}, {"mcp-protocol-version": version})
    assert [tool["name"] for tool in listed.json()["result"]["tools"]] == sorted(CALLS)


async def post(
    url: str, message: dict[str, Any], headers: dict[str, str] | None = None, content: bytes | None = None
) -> httpx.Response:
    body = content or json.dumps({"jsonrpc": "2.0", "id": 1, **message}).encode()
    sent = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        **(headers or {}),
    }
    async with httpx.AsyncClient(trust_env=False) as client:
        return await client.post(url, content=body, headers=sent)


LIST = {"method": "tools/list"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://localhost:3000"}, 200),
        ({"host": "localhost:80"}, 200),
        ({"host": "evil.example"}, 421),
        ({"host": "localhost.evil.example:80"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://localhost.evil.example"}, 403),
        ({"origin": "null"}, 403),
    ],
)
@pytest.mark.parametrize("era", [{}, {"mcp-protocol-version": MODERN, "mcp-method": "tools/list"}])
async def test_foreign_hosts_and_origins_are_refused(
    url: str, headers: dict[str, str], status: int, era: dict[str, str]
) -> None:
    message: dict[str, Any] = dict(LIST)
    if era:
        message["params"] = {
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            }
        }
    answer = await post(url, message, {**headers, **era})
    assert answer.status_code == status, answer.text


@pytest.mark.parametrize("options", [McpOptions(allowed_hosts=("*",)), McpOptions(allowed_origins=("*",))])
async def test_a_star_leaves_the_check_to_the_guard(options: McpOptions) -> None:
    with serving(app_of(toy_door(options))) as base:
        answer = await post(f"{base}/mcp", LIST, {"host": "any.example", "origin": "http://other.example"})
    assert answer.status_code == 200


async def test_a_named_host_is_served_and_nothing_else() -> None:
    options = McpOptions(allowed_hosts=("lore.example", "lore.example:*"), allowed_origins=())
    with serving(app_of(toy_door(options))) as base:
        named = await post(f"{base}/mcp", LIST, {"host": "lore.example:8000"})
        loopback = await post(f"{base}/mcp", LIST)
    assert (named.status_code, loopback.status_code) == (200, 421)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_only_post_is_answered(url: str, method: str) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.request(method, url)
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


async def test_oversized_and_malformed_bodies_are_refused(url: str) -> None:
    assert (await post(url, {}, content=b" " * 2_000_000)).status_code == 413
    assert (await post(url, {}, content=b"{")).status_code == 400
    assert (await post(url, LIST, {"content-type": "text/plain"})).status_code == 400


@pytest.mark.parametrize(
    ("content", "code", "id_", "message"),
    [
        (b"{", -32700, None, "The body is not valid JSON."),
        (b"", -32700, None, "The body is not valid JSON."),
        (b"\xff", -32700, None, "The body is not valid JSON."),
        (
            b"[]",
            -32600,
            None,
            "The body is a batch, and batches are not supported. Send one message a request.",
        ),
        (b"3", -32600, None, "The body must be a JSON object: one JSON-RPC message."),
        (b"{}", -32600, None, '`jsonrpc` must be "2.0".'),
        (b'{"jsonrpc":"2.0","id":7}', -32600, 7, "`method` is missing."),
        (b'{"jsonrpc":"2.0","id":"a","method":3}', -32600, "a", "`method` must be a text."),
        (b'{"jsonrpc":"2.0","id":7,"method":"x","params":[]}', -32600, 7, "`params` must be an object."),
        (b'{"jsonrpc":"2.0","id":[],"method":"x"}', -32600, None, "`id` must be a text or a whole number."),
        (b'{"jsonrpc":"2.0","id":true,"method":"x"}', -32600, None, "`id` must be a text or a whole number."),
    ],
)
@pytest.mark.parametrize("era", [{}, {"mcp-protocol-version": MODERN}])
async def test_what_is_no_message_is_an_error_of_json_rpc_in_our_words(
    url: str, content: bytes, code: int, id_: object, message: str, era: dict[str, str]
) -> None:
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream", **era}
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.post(url, content=content, headers=headers)
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/json"
    error = {"code": code, "message": message, "data": {"code": "BAD_USER_INPUT"}}
    assert answer.json() == {"jsonrpc": "2.0", "id": id_, "error": error}


@pytest.mark.parametrize("given", ["text/plain", "application/json, text/plain", "application/jsonx", ""])
async def test_another_content_type_is_named(url: str, given: str) -> None:
    answer = await post(url, LIST, {"content-type": given})
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == (
        f"`Content-Type` must be application/json, got {given or 'none'}."
    )


async def test_a_charset_beside_the_content_type_is_fine(url: str) -> None:
    assert (await post(url, LIST, {"content-type": "Application/JSON; charset=utf-8"})).status_code == 200


async def test_http_refusals_are_errors_of_json_rpc(url: str) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        wrong_method = await client.get(url)
    too_large = await post(url, {}, content=b" " * 2_000_000)
    assert wrong_method.json()["error"]["message"] == "This address takes POST alone, got GET."
    assert too_large.json()["error"]["message"] == "The body must have at most 1000000 bytes."
    for answer in (wrong_method, too_large):
        assert answer.json()["error"]["data"] == {"code": "BAD_USER_INPUT"}


async def test_a_caller_who_goes_away_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    door = toy_door()
    (route,) = door.routes()
    sent: list[Message] = []
    parts: list[Message] = [
        {"type": "http.request", "body": b'{"jsonrpc"', "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Message:
        return parts.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
    }
    async with door.run():
        await route.app(scope, receive, send)
    assert sent == []
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_byte_order_mark_before_the_first_line_is_no_part_of_it() -> None:
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    result = subprocess.run(
        [sys.executable, "-m", "tests.api.mcp_tools.toy_over_stdio"],
        cwd=Path(__file__).parents[3],
        input=codecs.BOM_UTF8 + json.dumps(hello).encode() + b"\n",
        capture_output=True,
        timeout=25,
        check=True,
    )
    assert json.loads(result.stdout)["result"]["protocolVersion"] == "2025-11-25"


@ERAS
async def test_an_unknown_tool_is_a_protocol_error_with_the_nearest_names(door: McpDoor, mode: str) -> None:
    async with Client(door.server, mode=mode) as client:
        with pytest.raises(MCPError) as raised:
            await client.call_tool("lookup_storey", {})
    assert raised.value.code == -32602
    assert raised.value.message == "There is no tool `lookup_storey`. Did you mean `lookup_story`?"
    async with Client(door.server, mode=mode) as client:
        with pytest.raises(MCPError, match=r"There is no tool `x`\. There are: fail, get_story, "):
            await client.call_tool("x", {})


async def test_what_clients_are_told(door: McpDoor) -> None:
    async with Client(door.server) as client:
        listed = await client.list_tools()
        assert client.instructions == INSTRUCTIONS
    assert (listed.ttl_ms, listed.cache_scope) == (5_000, "private")
    assert len(INSTRUCTIONS.split()) <= 150
    (lookup,) = [tool for tool in listed.tools if tool.name == "lookup_story"]
    assert lookup.title == "Lookup story"
    assert lookup.annotations is not None
    assert lookup.annotations.model_dump(exclude_none=True) == {
        "read_only_hint": True,
        "destructive_hint": False,
        "idempotent_hint": True,
        "open_world_hint": True,
    }


async def test_output_schemas_can_be_left_out() -> None:
    async with Client(toy_door(McpOptions(output_schemas=False)).server) as client:
        assert all(tool.output_schema is None for tool in (await client.list_tools()).tools)


def test_the_print_is_sorted_and_stable() -> None:
    printed = tools_json(toy_schema())
    assert printed == tools_json(toy_schema())
    assert printed.endswith("]\n")
    tools = json.loads(printed)
    assert [tool["name"] for tool in tools] == sorted(CALLS)
    assert list(tools[0]) == ["name", "title", "description", "inputSchema", "outputSchema", "annotations"]


async def test_blanks_around_header_values_mean_nothing(url: str) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "get_story", "arguments": {"key": "s1"}, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    address = httpx.URL(url)
    lines = [
        "POST /mcp HTTP/1.1",
        f"Host: {address.host}:{address.port}",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        f"MCP-Protocol-Version: {MODERN}",
        "Mcp-Method:tools/call\t ",
        "Mcp-Name:   get_story  ",
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)
    await writer.drain()
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    head, _, content = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert b'"structuredContent":{"story"' in content
