"""Structured content as Markdown for people: a table of a list, sections of one object.

Text from outside must not become markup of ours: pipes, line ends in cells, links, images and HTML are escaped.
Emphasis is left as it is, since keys hold underscores and source texts their own asterisks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from api.mcp_tools.answers import Answer, AnswerKind
from api.mcp_tools.naming import snake_case
from schema.directives import Markdown

_MARKUP = re.compile(r"([\\\[\]<>|])")
_INLINE = 120
"""A text longer than this, or of several lines, gets a section of its own."""


def as_markdown(answer: Answer, content: dict[str, Any], declared: Markdown | None = None) -> str:
    """The text block of a result in Markdown; `declared` says which items of a list are marked, and how."""
    marked = _Marks(declared)
    match answer.kind:
        case AnswerKind.CONNECTION:
            items: Any = content.get("nodes")
            body = None if items is None else _table(items, marked)
        case AnswerKind.LIST:
            items = content.get(answer.key)
            body = "Nothing." if items is None else _table(items, marked)
        case AnswerKind.OBJECT:
            value = content.get(answer.key)
            body = "Nothing." if value is None else _sections(value)
    return "\n\n".join(filter(None, (body, marked.then, *_remarks(content)))) + "\n"


def _remarks(content: dict[str, Any]) -> Iterable[str]:
    if "total_count" in content:
        yield f"Total: {content['total_count']}"
    page = content.get("page_info")
    if page and page.get("has_next_page") and page.get("end_cursor"):
        yield f"There is more: go on with `after` = `{page.get('end_cursor')}`."
    provenance = content.get("provenance") or {}
    for name, value in provenance.items():
        if name == "warnings":
            yield from (f"Warning: {escaped(warning)}" for warning in value)
        elif name == "complete":
            if not value:
                yield "The answer may be incomplete."
        else:
            yield f"{_label(name)}: {_cell(value)}"
    if "notice" in content:
        yield str(content["notice"])


def escaped(text: str) -> str:
    """One line of text without markup of its own."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _paragraph(line: str) -> str:
    text = escaped(line)
    return f"\\{text}" if text.startswith("#") else text


def _label(key: str) -> str:
    return key.replace("_", " ").capitalize()


class _Marks:
    """Which items of a table are marked, and what follows from it."""

    def __init__(self, declared: Markdown | None) -> None:
        self._flags: frozenset[str] = frozenset()
        self._highlight = ""
        self._then: str | None = None
        if declared is not None:
            self._flags = frozenset(map(snake_case, declared.marks or ()))
            self._highlight = snake_case(declared.highlight or "")
            self._then = declared.then
        self.then: str | None = None
        """The sentence to follow; null until an item was marked."""

    def cell(self, row: dict[str, Any], column: str) -> str:
        """A cell, in bold where it marks its item or is the highlight of a marked one."""
        text = _cell(row.get(column))
        if not self._flags or not any(row.get(flag) is True for flag in self._flags):
            return text
        self.then = self._then
        bold = column == self._highlight or (column in self._flags and row.get(column) is True)
        return f"**{text}**" if bold and text else text


def _table(items: list[Any], marks: _Marks) -> str:
    if not items:
        return "Nothing."
    rows = [item if isinstance(item, dict) else {} for item in items]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    if not columns:
        return "\n".join(f"- {_cell(item)}" for item in items)
    inner = [row.get(columns[0]) for row in rows]
    if len(columns) == 1 and all(isinstance(item, dict) and set(item) - {"key", "name"} for item in inner):
        # An item that is nothing but one object, such as a row of a table with columns of its own: those are shown.
        rows = [item for item in inner if isinstance(item, dict)]
        columns = list(dict.fromkeys(key for row in rows for key in row))
        heads: Iterable[str] = map(escaped, columns)
    else:
        heads = map(_label, columns)
    lines = [_row(heads), _row("---" for _ in columns)]
    lines += [_row(marks.cell(row, column) for column in columns) for row in rows]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: Any) -> str:
    """A value in one line. Of an object its name, or its fields where it has none."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case str():
            return escaped(value)
        case dict() if set(value) <= {"key", "name"}:
            return escaped(str(value.get("name", value.get("key", ""))))
        case dict():
            return "; ".join(f"{_label(key)}: {_cell(item)}" for key, item in value.items())
        case list():
            joint = "; " if any(isinstance(item, dict) and len(item) > 2 for item in value) else ", "
            return joint.join(_cell(item) for item in value)
    return str(value)


def _sections(value: Any) -> str:
    if not isinstance(value, dict):
        return _cell(value)
    title = value.get("name") or value.get("title")
    short: list[str] = []
    long: list[str] = []
    for key, item in value.items():
        if key in ("name", "title") and item == title:
            continue
        if isinstance(item, str) and (len(item) > _INLINE or "\n" in item):
            paragraphs = "\n\n".join(_paragraph(line) for line in item.split("\n") if line.strip())
            long.append(f"## {_label(key)}\n\n{paragraphs}")
        elif isinstance(item, list) and any(isinstance(one, dict) and len(one) > 2 for one in item):
            listed = "\n".join(f"- {_cell(one)}" for one in item)
            long.append(f"## {_label(key)}\n\n{listed}")
        else:
            short.append(f"- **{_label(key)}:** {_cell(item)}")
    heading = f"# {escaped(str(title))}" if title else ""
    return "\n\n".join(filter(None, (heading, "\n".join(short), *long)))
