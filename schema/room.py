"""What a room of the schema hands to the house."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from strawberry.types import get_object_definition
from strawberry.utils.str_converters import to_camel_case

from resolvers.scope import Scope
from schema.node import FetchNodes
from schema.prompt import Prompt
from sources.source import Source

ToolNote = Callable[[Scope], Awaitable[str]]
"""Asked whenever tools are listed, so it must be quick. Raises LoregraphError where it cannot tell."""


@dataclass(frozen=True, slots=True)
class Room:
    """One source's part of the schema. The list of rooms in `schema/query.py` is all that the house knows.

    - `source`: the shelf behind it;
    - `query`: the Strawberry type whose fields become root fields;
    - `nodes`: for each object type that has a global ID, how its records are fetched by key;
    - `types`: the object types that only an interface leads to, which the schema would not find by itself;
    - `kinds`: the object type of each record kind, for records that appear where the schema has an interface;
    - `everywhere`: those of its root fields that clients of a single other room are served as well;
    - `guide`: what helps to ask this room well, in Markdown with headings of the second level; it names
      arguments and fields as the MCP tools have them;
    - `prompts`: ready-made requests of this room;
    - `tool_notes`: by root field, what is added to its tool's description for this caller now; nothing for "".
    """

    source: Source[Any]
    query: type[Any]
    nodes: Mapping[str, FetchNodes] = field(default_factory=dict)
    types: Sequence[type[Any]] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    everywhere: frozenset[str] = frozenset()
    guide: str = ""
    prompts: tuple[Prompt, ...] = ()
    tool_notes: Mapping[str, ToolNote] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The room's name, the same in every layer."""
        return self.source.name

    def root_fields(self) -> frozenset[str]:
        """The names of its root fields."""
        definition = get_object_definition(self.query, strict=True)
        return frozenset(one.graphql_name or to_camel_case(one.python_name) for one in definition.fields)


def text_beside(module: str, name: str) -> str:
    """The text file `name` in the folder of `module`, given as its `__file__`."""
    return Path(module).with_name(name).read_text(encoding="utf-8")
