"""From the outcome of an operation to the result of a tool call.

The structured content and the text block say the same: the text is the compact JSON of the identical value,
so that a client may drop either. Markdown, when asked for, changes the text alone. A result that would be too
large is cut to a valid smaller one, with a notice that says how to get the rest.
"""

from __future__ import annotations

from typing import Any

import mcp_types as types
import orjson

from api.execution import Outcome
from api.mcp_tools.answers import AnswerKind
from api.mcp_tools.failures import failed_call, failure_of_graphql
from api.mcp_tools.markdown import as_markdown
from api.mcp_tools.operations import RESULT, ToolOperation
from api.mcp_tools.tool_spec import ToolSpec

NOTICE = "notice"
_ROOM_FOR_NOTICE = 400
_CUT_MARK = "…"


def result_of(
    tool: ToolSpec, operation: ToolOperation, outcome: Outcome, *, markdown: bool, max_bytes: int
) -> types.CallToolResult:
    """The result of a call whose operation was run. Any error, even beside data, makes it a tool error."""
    if outcome.errors:
        return failed_call(failure_of_graphql(tool, error) for error in outcome.errors)
    value = (outcome.data or {}).get(RESULT)
    content, cursors = structured(operation, value)
    encoded = dumped(content)
    if len(encoded) > max_bytes:
        content = guarded(operation, content, cursors, max_bytes=max_bytes)
        encoded = dumped(content)
    text = as_markdown(operation.answer, content, tool.markdown) if markdown else encoded.decode()
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=content, is_error=False
    )


def structured(operation: ToolOperation, value: Any) -> tuple[dict[str, Any], list[str]]:
    """The structured content of a root field's value, and the cursor of each item where there are any."""
    answer = operation.answer
    if answer.kind is not AnswerKind.CONNECTION:
        assert operation.items is not None
        return {answer.key: operation.items.shaped(value)}, []
    assert operation.page is not None
    if value is None:
        return {"nodes": []}, []
    page = operation.page.shaped(value)
    if operation.items is None:
        return page, []
    if answer.has_cursors:
        nodes = [edge["node"] for edge in value["edges"]]
        cursors = [edge["cursor"] for edge in value["edges"]]
    else:
        nodes, cursors = value["nodes"], []
    return {"nodes": operation.items.shaped(nodes), **page}, cursors


def dumped(value: Any) -> bytes:
    """Compact JSON."""
    return orjson.dumps(value)


def guarded(
    operation: ToolOperation, content: dict[str, Any], cursors: list[str], *, max_bytes: int
) -> dict[str, Any]:
    """`content` within `max_bytes` of JSON, a notice saying what was left out if anything was."""
    if len(dumped(content)) <= max_bytes:
        return content
    answer = operation.answer
    if answer.kind is AnswerKind.OBJECT:
        smaller, lost = _smaller_item(content[answer.key], max_bytes - _ROOM_FOR_NOTICE)
        return {answer.key: smaller, NOTICE: _item_notice("It", lost)}
    items_key = "nodes" if answer.kind is AnswerKind.CONNECTION else answer.key
    items = content.get(items_key) or []
    rest = {key: item for key, item in content.items() if key != items_key}
    room = max_bytes - _ROOM_FOR_NOTICE - len(dumped(rest))
    kept = _fitting(items, room)
    notice = ""
    if kept == 0 and items:
        smaller, lost = _smaller_item(items[0], room)
        items, kept = [smaller, *items[1:]], 1
        notice = _item_notice("The first item", lost) + " "
    if kept < len(items):
        notice += f"Only the first {kept} of {len(items)} items fit into one answer. "
        if cursors:
            rest["page_info"] = {"has_next_page": True, "end_cursor": cursors[kept - 1]}
            notice += "Go on with `after` = `page_info.end_cursor`, or choose fewer `fields`."
        else:
            notice += "Ask for the others in another call, or choose fewer `fields`."
    return {items_key: items[:kept], **rest, NOTICE: notice.strip()}


def _fitting(items: list[Any], room: int) -> int:
    """How many items from the start fit into `room` bytes of JSON."""
    used = 2
    for index, item in enumerate(items):
        used += len(dumped(item)) + 1
        if used > room:
            return index
    return len(items)


def _smaller_item(item: Any, room: int) -> tuple[Any, list[str]]:
    """An item cut to `room` bytes of JSON, and which of its fields were shortened or left out.

    Texts are shortened, everything else is left out whole, the largest first.
    """
    if not isinstance(item, dict):
        return item, []
    sizes = {key: len(dumped(value)) for key, value in item.items()}
    smaller = dict(item)
    lost: list[str] = []
    for key in sorted(sizes, key=lambda name: -sizes[name]):
        excess = len(dumped(smaller)) - room
        if excess <= 0:
            break
        lost.append(key)
        value = smaller[key]
        if isinstance(value, str) and sizes[key] > excess + len(_CUT_MARK.encode()) + 2:
            smaller[key] = _shortened(value, sizes[key] - excess)
        else:
            del smaller[key]
    return smaller, lost


def _shortened(text: str, room: int) -> str:
    """The longest start of `text` whose JSON, with a mark at its end, takes at most `room` bytes."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if len(dumped(text[:middle] + _CUT_MARK)) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low] + _CUT_MARK


def _item_notice(what: str, lost: list[str]) -> str:
    names = ", ".join(f"`{name}`" for name in lost)
    return (
        f"{what} is too large for one answer: {names} shortened or left out. Choose its parts with `fields`."
    )
