"""What a room of the schema hands to the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from schema.node import FetchNodes
from sources.source import Source


@dataclass(frozen=True, slots=True)
class Room:
    """One source's part of the schema. The list of rooms in `schema/query.py` is all that the house knows.

    - `source`: the shelf behind it;
    - `query`: the Strawberry type whose fields become root fields;
    - `nodes`: for each object type that has a global ID, how its records are fetched by key;
    - `types`: the object types that only an interface leads to, which the schema would not find by itself;
    - `kinds`: the object type of each record kind, for records that appear where the schema has an interface.
    """

    source: Source[Any]
    query: type[Any]
    nodes: Mapping[str, FetchNodes] = field(default_factory=dict)
    types: Sequence[type[Any]] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
