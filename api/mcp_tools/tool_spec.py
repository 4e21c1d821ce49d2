"""One tool as the door knows it, and the way back from GraphQL argument paths to its own names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from graphql import GraphQLField

from api.mcp_tools.answers import Answer
from api.mcp_tools.naming import fold, snake_case
from api.mcp_tools.shapes import EnumShape, ListShape, ObjectShape, Parameter, Shape
from schema.directives import Markdown

FIELDS = "fields"
RESPONSE_FORMAT = "response_format"
FORMATS = ("json", "markdown")

_PATH = re.compile(r"([^.\[\]]+)|(\[\d+\])")


@dataclass(frozen=True)
class ToolSpec:
    """One tool.

    - `parameters`: its arguments, those of its own (`fields`, `response_format`) last
    - `flatten`: the GraphQL argument whose fields are among them; `flatten_required`: it must be sent
    - `answer`: what the root field returns
    - `open_world`: answering may reach beyond this machine
    - `markdown`: how its Markdown looks, where that is declared
    """

    name: str
    title: str
    description: str
    field_name: str
    field: GraphQLField
    parameters: tuple[Parameter, ...]
    answer: Answer
    flatten: str | None
    flatten_required: bool
    open_world: bool
    markdown: Markdown | None = None

    @property
    def chooses_fields(self) -> bool:
        """Whether `fields` chooses output fields. It does not where the root field has an argument of that name."""
        return FIELDS not in self.field.args

    @property
    def usual_format(self) -> str:
        """The form of the text block of a call that does not say."""
        return FORMATS[self.markdown is not None and self.markdown.usual]

    @cached_property
    def parameters_by_spelling(self) -> Mapping[str, Parameter]:
        """Every spelling that is accepted for an argument, folded."""
        return spellings(self.parameters)

    @cached_property
    def _names_by_path(self) -> Mapping[str, str]:
        return {parameter.path: parameter.name for parameter in self.parameters}

    def argument_name(self, path: str) -> str:
        """The tool's name for a GraphQL argument path: `filter.levelMin` is `level_min`, `orderBy[0].field`
        is `order_by[0].field`. A path that the tool does not know is returned as it is."""
        parts = ["".join(part) for part in _PATH.findall(path)]
        for length in range(len(parts), 0, -1):
            known = self._names_by_path.get(_joined(parts[:length]))
            if known is not None:
                rest = [part if part.startswith("[") else snake_case(part) for part in parts[length:]]
                return _joined([known, *rest])
        return path

    def word(self, path: str, value: object) -> str:
        """An allowed or suggested value of the argument at `path`, enum names as their underlying words."""
        shape: Shape | None = None
        parameters: Sequence[Parameter] = self.parameters
        for part in self.argument_name(path).split("."):
            name = part.partition("[")[0]
            found = next((one for one in parameters if one.name == name), None)
            if found is None:
                return str(value)
            shape = item_of(found.shape)
            parameters = shape.parameters if isinstance(shape, ObjectShape) else ()
        return shape.words.get(str(value), str(value)) if isinstance(shape, EnumShape) else str(value)


def _joined(parts: Iterable[str]) -> str:
    return "".join(
        part if part.startswith("[") or index == 0 else f".{part}" for index, part in enumerate(parts)
    )


def item_of(shape: Shape) -> Shape:
    """The shape of the single values that a shape holds."""
    while isinstance(shape, ListShape):
        shape = shape.item
    return shape


def spellings(parameters: Iterable[Parameter]) -> dict[str, Parameter]:
    """Every accepted spelling of the parameters, folded. A name wins over what another accepts beside its own."""
    parameters = tuple(parameters)
    found = {fold(parameter.name): parameter for parameter in parameters}
    for parameter in parameters:
        for other in (parameter.graphql_name, *parameter.accepts):
            found.setdefault(fold(other), parameter)
    return found
