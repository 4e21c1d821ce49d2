"""What the page shows beside the answers: example questions, and how MCP clients are connected.

Both pages, the built one and the plain one, fetch it as one JSON document. The examples are files, so that a tool
for GraphQL documents can read them too: `NN-name.graphql`, whose first comment line is the title and whose second is
the group that it is listed under, and `NN-name.json` with its variables, where it has some.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from api.execution import encode
from api.version import loregraph_version

_EXAMPLES = Path(__file__).with_name("examples")

URL_MARK = "{{url}}"
"""Stands in a client's text where the page puts the address of the MCP door, as the browser reached it."""


@dataclass(frozen=True, slots=True)
class Example:
    """One question that can be run as it is. `variables` is the JSON text of its variables, or empty."""

    key: str
    title: str
    group: str
    query: str
    variables: str


@dataclass(frozen=True, slots=True)
class Client:
    """How one MCP client is told of this server: `text` goes into the file, or the terminal, that `place` names.

    `transport` is `http` for a client that calls the running server, `stdio` for one that starts its own.
    """

    name: str
    transport: str
    place: str
    text: str


@cache
def examples() -> tuple[Example, ...]:
    """Every example, in the order in which the page lists them."""
    return tuple(_example(file) for file in sorted(_EXAMPLES.glob("*.graphql")))


def _example(file: Path) -> Example:
    title, group, query = file.read_text(encoding="utf-8").split("\n", 2)
    variables = file.with_suffix(".json")
    return Example(
        key=file.stem.partition("-")[2],
        title=title.removeprefix("# "),
        group=group.removeprefix("# "),
        query=f"{title}\n{query}",
        variables=variables.read_text(encoding="utf-8").rstrip() if variables.exists() else "",
    )


@cache
def clients() -> tuple[Client, ...]:
    """The MCP clients that the page has a text for."""
    command = {"command": "loregraph", "args": ["mcp"]}
    return (
        Client("Claude Desktop", "stdio", "claude_desktop_config.json", _file("mcpServers", command)),
        Client("VS Code", "http", ".vscode/mcp.json", _file("servers", {"type": "http", "url": URL_MARK})),
        Client("VS Code", "stdio", ".vscode/mcp.json", _file("servers", {"type": "stdio", **command})),
        Client("Cursor", "http", ".cursor/mcp.json", _file("mcpServers", {"url": URL_MARK})),
        Client("Cursor", "stdio", ".cursor/mcp.json", _file("mcpServers", command)),
        Client("Claude Code", "http", "a terminal", f"claude mcp add --transport http loregraph {URL_MARK}"),
    )


def _file(key: str, server: Mapping[str, Any]) -> str:
    return json.dumps({key: {"loregraph": server}}, indent=2)


def content() -> bytes:
    """All of it as the JSON that the pages fetch."""
    fields = ("key", "title", "group", "query", "variables")
    return encode(
        {
            "version": loregraph_version(),
            "examples": [{name: getattr(example, name) for name in fields} for example in examples()],
            "clients": [
                {name: getattr(client, name) for name in ("name", "transport", "place", "text")}
                for client in clients()
            ],
        }
    )
