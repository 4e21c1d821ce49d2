"""Tool groups: which tools are served where only some of the rooms are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from api.mcp_tools.tool_spec import ToolSpec
from schema.room import Room
from sources.errors import BadInput


def tools_of(
    specs: Iterable[ToolSpec], rooms: Sequence[Room], served: Sequence[Room]
) -> tuple[ToolSpec, ...]:
    """The tools of the rooms in `served`, and those that every group has, in their order.

    Every group has the tools whose root fields belong to none of the `rooms` of the house, and those that a room
    declares to be for everywhere.
    """
    names = {room.name for room in served}
    hidden: set[str] = set()
    for room in rooms:
        if room.name not in names:
            hidden |= room.root_fields() - room.everywhere
    return tuple(spec for spec in specs if spec.field_name not in hidden)


def rooms_named(text: str, rooms: Sequence[Room], argument: str) -> tuple[Room, ...]:
    """The rooms that `text` names, separated by commas, in the order of the house.

    Raises `BadInput` for a name that is none of theirs, and where no name is given.
    """
    known = {room.name: room for room in rooms}
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name.casefold() not in known:
            raise BadInput.unknown(argument, name, list(known))
    if not names:
        raise BadInput("must name at least one source.", argument=argument, allowed=known)
    wanted = {name.casefold() for name in names}
    return tuple(room for room in rooms if room.name in wanted)
