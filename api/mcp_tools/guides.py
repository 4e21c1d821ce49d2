"""The guides that clients can read: which tool answers what, and how to ask each source well.

The choice of tools is written from the tools that there are, so it cannot fall behind them; what else is worth
knowing about a source stands beside its schema (`Room.guide`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graphql import get_named_type

from api.mcp_tools.answers import AnswerKind
from api.mcp_tools.groups import tools_of
from api.mcp_tools.input_schema import long_vocabularies
from api.mcp_tools.tool_spec import ToolSpec
from schema.room import Room

GUIDE = "loregraph://guide"


def house_guide(specs: Sequence[ToolSpec], rooms: Sequence[Room], served: Sequence[Room]) -> str:
    """The decision tree over the tools of the served rooms, as Markdown. `specs` are the tools of all rooms."""
    shared = tools_of(specs, rooms, ())
    lines = [
        "# Which tool?",
        "",
        "Go down the list and take the first line that fits.",
        "",
        *_decisions(shared),
    ]
    for room in served:
        lines += [f"- **The question is about {room.source.title}.** {room.source.description}", ""]
        lines += [f"  {line}" for line in _decisions(own_tools(specs, room))]
        lines += ["", f"  How to ask it well: `{GUIDE}/{room.name}`.", ""]
    lines += [
        "- **Nothing fits.** Say so; this server does not hold it. Do not answer from memory as if it did.",
        "",
        "## The same everywhere",
        "",
        '- Count first where a list may be long: `fields: ["total_count"]`.',
        "- Ask for the fields that the answer needs, by `fields`; the summary is for a first look.",
        "- A page ends with `page_info`: while `has_next_page`, pass `end_cursor` as `after` with the same arguments.",
        "- An error names the argument and what is allowed or near. Mend it and call again.",
        "- `provenance.complete` false means that there may be more; `warnings` says why. Pass that on.",
    ]
    return "\n".join(lines) + "\n"


def room_guide(specs: Sequence[ToolSpec], room: Room) -> str:
    """The guide of one source, as Markdown."""
    lines = [f"# {room.source.title}", "", room.source.description, "", "## Which tool?", ""]
    own = own_tools(specs, room)
    lines += [*_decisions(own), ""]
    if room.guide.strip():
        lines += [room.guide.strip(), ""]
    words: dict[str, str] = {}
    for spec in own:
        for argument, meanings in long_vocabularies(spec).items():
            if meanings not in words.values():
                words[f"`{argument}` of `{spec.name}`"] = meanings
    if words:
        lines += ["## What words mean", "", *(f"- {where}: {told}" for where, told in words.items()), ""]
    return "\n".join(lines)


def own_tools(specs: Iterable[ToolSpec], room: Room) -> tuple[ToolSpec, ...]:
    """The tools of a room's own root fields."""
    own = room.root_fields()
    return tuple(spec for spec in specs if spec.field_name in own)


def _decisions(specs: Iterable[ToolSpec]) -> list[str]:
    """One line a tool, those that answer with the same type together, the question that leads to it first."""
    by_type: dict[str, list[ToolSpec]] = {}
    for spec in specs:
        by_type.setdefault(get_named_type(spec.answer.item).name, []).append(spec)
    return [
        f"- {_QUESTIONS[spec.answer.kind]} → `{spec.name}`: {_first_sentence(spec.description)}"
        for together in by_type.values()
        for spec in sorted(together, key=lambda one: _ORDER[one.answer.kind])
    ]


_QUESTIONS: Mapping[AnswerKind, str] = {
    AnswerKind.OBJECT: "You know which one",
    AnswerKind.LIST: "You want all of these",
    AnswerKind.CONNECTION: "You look for some, or count them",
}
_ORDER = {kind: index for index, kind in enumerate(_QUESTIONS)}


def _first_sentence(text: str) -> str:
    line = text.partition("\n")[0]
    sentence, stop, _ = line.partition(". ")
    return f"{sentence}." if stop else line
