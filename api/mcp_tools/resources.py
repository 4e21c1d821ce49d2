"""What clients can read by address: the schema, the guides, and any object by its global ID."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from urllib.parse import unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from api.mcp_tools.guides import GUIDE, house_guide, room_guide
from api.mcp_tools.tool_spec import ToolSpec
from schema.room import Room
from sources.errors import nearest, shorten

SCHEMA = "loregraph://schema"
NODE = "loregraph://node/"
NODE_TEMPLATE = "loregraph://node/{id}"
GUIDE_TEMPLATE = GUIDE + "/{source}"

MARKDOWN = "text/markdown"
SDL_TYPE = "application/graphql"
JSON = "application/json"

NOT_FOUND_BEFORE = -32002
"""How the revisions before 2026-07-28 say that a resource does not exist; since then it is a wrong parameter."""

ReadNode = Callable[[str], Awaitable[types.CallToolResult]]
"""`await read(id)`: the result of the tool that fetches any object by its global ID."""


class Resources:
    """The resources of one group of rooms. `sdl` is asked for when the schema is first read."""

    def __init__(
        self,
        specs: Sequence[ToolSpec],
        rooms: Sequence[Room],
        served: Sequence[Room],
        sdl: Callable[[], str],
        read_node: ReadNode | None,
    ) -> None:
        self.sources = tuple(room.name for room in served)
        self._sdl = sdl
        self._read_node = read_node
        self._guides: Mapping[str, str] = {
            GUIDE: house_guide(specs, rooms, served),
            **{f"{GUIDE}/{room.name}": room_guide(specs, room) for room in served},
        }
        self.listing = (
            _resource(SCHEMA, "schema", "Schema", "The GraphQL schema, in the schema language.", SDL_TYPE),
            _resource(GUIDE, "guide", "Which tool?", "A decision tree over the tools.", MARKDOWN),
            *(
                _resource(
                    f"{GUIDE}/{room.name}",
                    f"guide_{room.name}",
                    f"Guide: {room.source.title}",
                    "How to ask this source well.",
                    MARKDOWN,
                )
                for room in served
            ),
        )
        self.templates: tuple[types.ResourceTemplate, ...] = ()
        if read_node is not None:
            by_id = "Any object, by the `id` it was returned with."
            self.templates += (_template(NODE_TEMPLATE, "node", "Object by ID", by_id, JSON),)
        if served:
            of_source = "How to ask a source well."
            self.templates += (
                _template(GUIDE_TEMPLATE, "guide_of_source", "Guide of a source", of_source, MARKDOWN),
            )

    async def read(self, uri: str, version: str) -> types.ReadResourceResult:
        """The resource at `uri`. Raises `MCPError` where there is none, in the words of the protocol `version`."""
        if uri == SCHEMA:
            return _text(uri, self._sdl(), SDL_TYPE)
        if uri in self._guides:
            return _text(uri, self._guides[uri], MARKDOWN)
        if uri.startswith(NODE) and self._read_node is not None:
            return await self._node(uri, unquote(uri.removeprefix(NODE)), self._read_node, version)
        near = nearest(uri, [SCHEMA, *self._guides])
        hint = f" Did you mean {' or '.join(f'`{one}`' for one in near)}?" if near else ""
        raise absent(f"There is no resource `{shorten(uri)}`.{hint}", uri, version)

    async def _node(self, uri: str, id_: str, read: ReadNode, version: str) -> types.ReadResourceResult:
        result = await read(id_)
        (block,) = result.content
        assert isinstance(block, types.TextContent)
        if result.is_error:
            if block.text.startswith("BAD_USER_INPUT"):
                raise absent(block.text, uri, version)
            raise MCPError(code=types.INTERNAL_ERROR, message=block.text)
        if not any((result.structured_content or {}).values()):
            raise absent(f"There is no object with the ID `{shorten(id_)}`.", uri, version)
        return _text(uri, block.text, JSON)


def absent(message: str, uri: str, version: str) -> MCPError:
    """The error of a resource that does not exist."""
    code = types.INVALID_PARAMS if version in MODERN_PROTOCOL_VERSIONS else NOT_FOUND_BEFORE
    return MCPError(code=code, message=message, data={"uri": uri})


def _resource(uri: str, name: str, title: str, description: str, mime_type: str) -> types.Resource:
    return types.Resource(uri=uri, name=name, title=title, description=description, mime_type=mime_type)


def _template(uri: str, name: str, title: str, description: str, mime_type: str) -> types.ResourceTemplate:
    return types.ResourceTemplate(
        uri_template=uri, name=name, title=title, description=description, mime_type=mime_type
    )


def _text(uri: str, text: str, mime_type: str) -> types.ReadResourceResult:
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)]
    )
