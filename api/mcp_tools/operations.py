"""The GraphQL operation behind a call: written once for each tool and choice of fields, and kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphql import GraphQLNonNull, GraphQLSchema, Undefined, parse, validate

from api.mcp_tools.answers import Answer, AnswerKind
from api.mcp_tools.catalogue import CatalogueError
from api.mcp_tools.naming import fold
from api.mcp_tools.selection import Selection, connection_extras, output_paths
from api.mcp_tools.tool_spec import FIELDS, ToolSpec
from schema.directives import alone_of, summary_of
from sources.errors import BadInput, nearest, shorten

KEPT = 512
"""How many operations are kept; the least recently used goes first."""

PROVENANCE_SUMMARY = ("complete", "warnings")
"""What every page says about itself; the rest of its provenance is there to be chosen."""

RESULT = "result"
"""The alias of the root field."""


@dataclass(frozen=True, eq=False)
class ToolOperation:
    """One operation and how its result is laid out.

    - `text`: the document; its operation is named after the tool
    - `items`: what is chosen of each item; None when only the page is asked about
    - `page`: what is chosen of the connection beside its items
    """

    text: str
    name: str
    answer: Answer
    items: Selection | None
    page: Selection | None


class Operations:
    """The operations of all tools of one schema."""

    def __init__(self, schema: GraphQLSchema, tools: Sequence[ToolSpec], kept: int = KEPT) -> None:
        """Writes every tool's summary operation. Raises `CatalogueError` when one is not valid."""
        self._schema = schema
        self._kept = kept
        self._chosen: OrderedDict[tuple[str, frozenset[str]], ToolOperation] = OrderedDict()
        self._summaries: dict[str, ToolOperation] = {}
        for tool in tools:
            operation = _operation(schema, tool, ())
            errors = validate(schema, parse(operation.text))
            if errors:
                raise CatalogueError(
                    f"The operation of the tool `{tool.name}` is not valid: {errors[0].message}"
                )
            self._summaries[tool.name] = operation

    def of(self, tool: ToolSpec, fields: Sequence[str] = ()) -> ToolOperation:
        """The operation that returns `fields` of the tool's items, its summary when none are given.

        Raises `BadInput` for a field that does not exist.
        """
        if not fields:
            return self._summaries[tool.name]
        key = (tool.name, frozenset(fields))
        operation = self._chosen.get(key)
        if operation is None:
            operation = self._chosen[key] = _operation(self._schema, tool, fields)
            if len(self._chosen) > self._kept:
                self._chosen.popitem(last=False)
        else:
            self._chosen.move_to_end(key)
        return operation


def choosable(schema: GraphQLSchema, answer: Answer) -> list[str]:
    """Every path that can be given in `fields`."""
    return [*output_paths(schema, answer.item), *connection_extras(answer)]


def _operation(schema: GraphQLSchema, tool: ToolSpec, fields: Sequence[str]) -> ToolOperation:
    answer = tool.answer
    items: Selection | None = Selection(schema, answer.item)
    page = Selection(schema, answer.connection) if answer.connection is not None else None
    extras = {fold(name): name for name in connection_extras(answer)}
    chosen_items = False
    for written in fields:
        path = _parts(written, answer)
        if page is not None and fold(path[0]) in extras and page.add(path):
            continue
        if items is None or not items.add(path):
            raise _unknown_field(written, path, choosable(schema, answer))
        chosen_items = True
    if not fields and items is not None:
        alone = alone_of(answer.item) if answer.kind is AnswerKind.OBJECT else ()
        for written in alone:
            items.add(written.split("."))
        if not alone:
            items.add_summary()
        for path in _page_summary(answer):
            assert page is not None
            page.add(path)
    elif not chosen_items:
        items = None
    if page is not None and not fields:
        assert answer.connection is not None
        for written in summary_of(answer.connection):
            page.add(written.split("."))
    if page is not None and "provenance" in extras.values() and "provenance" not in page.fields:
        for name in PROVENANCE_SUMMARY:
            page.add(("provenance", name))
    if page is not None and items is not None:
        page.add(("pageInfo", "hasNextPage"))
        page.add(("pageInfo", "endCursor"))
        page.fields = {"pageInfo": page.fields.pop("pageInfo"), **page.fields}
    return ToolOperation(_text(tool, items, page), tool.name, answer, items, page)


def _page_summary(answer: Answer) -> list[list[str]]:
    """What the `@summary` of a connection names beside its items and its page information."""
    if answer.connection is None:
        return []
    paths = [path.split(".") for path in summary_of(answer.connection)]
    return [path for path in paths if path[0] not in ("nodes", "edges", "pageInfo")]


def _unknown_field(written: str, path: Sequence[str], known: Sequence[str]) -> BadInput:
    """What can be chosen where the path goes wrong: inside the object that it enters, else at the top."""
    inside = next((one for one in known if "." not in one and fold(one) == fold(path[0])), None)
    prefix = f"{inside}." if len(path) > 1 and inside is not None else ""
    allowed = [one for one in known if one.startswith(prefix) and "." not in one.removeprefix(prefix)]
    return BadInput(
        f"does not know `{shorten(written)}`.",
        argument=FIELDS,
        allowed=allowed,
        suggestions=nearest(written, known),
    )


def _parts(written: str, answer: Answer) -> list[str]:
    """The names of a path. A page shows its items under `nodes`, so a path may start there as well."""
    parts = [part.strip() for part in written.split(".")]
    if answer.kind is AnswerKind.CONNECTION and len(parts) > 1 and fold(parts[0]) == "nodes":
        del parts[0]
    return parts


def _text(tool: ToolSpec, items: Selection | None, page: Selection | None) -> str:
    variables = {
        parameter.container or parameter.graphql_name: None
        for parameter in tool.parameters
        if (parameter.container or parameter.graphql_name) in tool.field.args
    }
    declared = ", ".join(f"${name}: {_variable_type(tool, name)}" for name in variables)
    passed = ", ".join(f"{name}: ${name}" for name in variables)
    if page is None:
        assert items is not None
        body = items.render()
    else:
        body = page.render()
        if items is not None and tool.answer.has_cursors:
            body = f"{{ edges {{ cursor node {items.render()} }} {body[2:]}"
        elif items is not None:
            body = f"{{ nodes {items.render()} {body[2:]}"
    return (
        f"query {tool.name}{f'({declared})' if declared else ''} "
        f"{{ {RESULT}: {tool.field_name}{f'({passed})' if passed else ''} {body} }}"
    )


def _variable_type(tool: ToolSpec, name: str) -> str:
    """A variable may be left out where its argument has a default, so it must be nullable there."""
    argument: Any = tool.field.args[name]
    type_ = argument.type
    if isinstance(type_, GraphQLNonNull) and argument.default_value is not Undefined:
        type_ = type_.of_type
    return str(type_)
