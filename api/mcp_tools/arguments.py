"""From a tool call's arguments to the variables of its operation.

The reader accepts what the input schema describes, and a little more where only one thing can have been meant:
names in any case and with or without `_`, one value in place of a list, null for "not given", numbers and
booleans written as texts, vocabulary words in any case and spacing. None of it changes what a call that keeps
to the schema means. Everything else is answered with a `BadInput` that names the argument.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphql import GraphQLError

from api.execution.constraints import check_value
from api.mcp_tools.naming import fold
from api.mcp_tools.shapes import EnumShape, ListShape, ObjectShape, Parameter, ScalarShape, Shape
from api.mcp_tools.tool_spec import FIELDS, FORMATS, RESPONSE_FORMAT, ToolSpec, spellings
from sources.errors import BadInput, nearest, shorten

_ABSENT = object()
_WIDTH = 2**31
_TRUTHS = {"true": True, "false": False}
# ASCII on purpose: Python's own readers take `1_0`, digits of every script and blanks of every kind.
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FRACTION = re.compile(r"([0-9]{1,9})/([1-9][0-9]{0,8})")
_BLANKS = " \t\r\n"
_DIGITS = 300
"""A whole number with fewer digits is read exactly; with more it is out of every range anyway."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call, read.

    - `variables`: of the tool's operation
    - `fields`: the output fields asked for, as they were written; none for the summary
    - `markdown`: whether the text block is wanted as Markdown
    """

    variables: dict[str, Any]
    fields: tuple[str, ...]
    markdown: bool


def read_call(tool: ToolSpec, arguments: Mapping[str, Any]) -> Call:
    """Reads the arguments of a call. Raises `BadInput`, its argument being a GraphQL path or one of ours."""
    values = _read_object(tool.parameters, tool.parameters_by_spelling, arguments, "")
    ours = (FIELDS, RESPONSE_FORMAT) if tool.chooses_fields else (RESPONSE_FORMAT,)
    own = {name: values.pop(name) for name in ours if name in values}
    by_path = {parameter.path: parameter for parameter in tool.parameters}
    variables: dict[str, Any] = {tool.flatten: {}} if tool.flatten and tool.flatten_required else {}
    for path, value in values.items():
        parameter = by_path[path]
        target = variables if parameter.container is None else variables.setdefault(parameter.container, {})
        target[parameter.graphql_name] = value
    return Call(
        variables=variables,
        fields=tuple(dict.fromkeys(_separated(own.get(FIELDS, ())))),
        markdown=own.get(RESPONSE_FORMAT, tool.usual_format) == FORMATS[1],
    )


def _separated(fields: Sequence[str]) -> list[str]:
    """Paths hold neither commas nor blanks, so a text of several is read as several."""
    return [path for written in fields for path in written.replace(",", " ").split()]


def _read_object(
    parameters: Sequence[Parameter], known: Mapping[str, Parameter], given: Mapping[str, Any], inside: str
) -> dict[str, Any]:
    """The values given, by the path of their parameter; absent ones are left out."""
    values: dict[str, Any] = {}
    written_as: dict[str, str] = {}
    exact = {parameter.name: parameter for parameter in parameters}
    for written, raw in given.items():
        parameter = exact.get(written) or known.get(fold(written))
        if parameter is None:
            raise _unknown_argument(written, parameters, inside)
        path = _join(inside, parameter.path)
        value = _read(parameter.shape, raw, path)
        if value is _ABSENT:
            continue
        shape, checked = parameter.shape, value
        if isinstance(shape, ListShape) and not isinstance(raw, list):
            # One value in place of a list is spoken of as it was written, without an index.
            shape, checked = shape.item, value[0]
        if parameter.constraint is not None:
            check_value(parameter.constraint, checked, path)
        _check_width(shape, checked, path)
        if parameter.path in values and values[parameter.path] != value:
            raise BadInput(
                f"is given twice, as `{written_as[parameter.path]}` and as `{shorten(written)}`.",
                argument=path,
            )
        values[parameter.path] = value
        written_as[parameter.path] = shorten(written)
    for parameter in parameters:
        if parameter.required and parameter.path not in values:
            raise BadInput("is required.", argument=_join(inside, parameter.path))
    return values


def _join(inside: str, path: str) -> str:
    return f"{inside}.{path}" if inside else path


def _unknown_argument(written: str, parameters: Sequence[Parameter], inside: str) -> BadInput:
    names = [parameter.name for parameter in parameters]
    return BadInput(
        "is not a field of {related}." if inside else "is not an argument of this tool.",
        argument=_join(inside, shorten(written)),
        related=inside or None,
        allowed=names,
        suggestions=nearest(written, names),
    )


def _read(shape: Shape, raw: Any, path: str) -> Any:
    if raw is None:
        return _ABSENT
    match shape:
        case ListShape(item):
            items = raw if isinstance(raw, list) else [raw]
            return [_read_item(item, one, path, index, raw) for index, one in enumerate(items)]
        case ObjectShape(parameters):
            if not isinstance(raw, dict):
                raise _wrong(path, "an object", raw)
            return _read_object(parameters, spellings(parameters), raw, path)
        case EnumShape():
            return _read_word(shape, raw, path)
        case ScalarShape():
            return _read_scalar(shape, raw, path)


def _read_item(shape: Shape, raw: Any, path: str, index: int, whole: Any) -> Any:
    path = f"{path}[{index}]" if whole is not raw else path
    value = _read(shape, raw, path)
    if value is _ABSENT:
        raise BadInput("must not be null inside a list.", argument=path)
    return value


def _read_word(shape: EnumShape, raw: Any, path: str) -> str:
    if isinstance(raw, (str, int, float)) and not isinstance(raw, bool):
        written = str(raw)
        exact = next((name for name, word in shape.words.items() if word == written), None)
        name = exact or (written if written in shape.words else shape.spellings.get(fold(written)))
        if name is not None:
            return name
        raise BadInput.unknown(_list_path(path), raw, list(shape.words.values()))
    raise BadInput(
        f"must be one of its words, got {_shown(raw)}.", argument=path, allowed=list(shape.words.values())
    )


def _list_path(path: str) -> str:
    """A vocabulary is that of the whole list, so its items are not told apart."""
    return path[: path.rindex("[")] if path.endswith("]") else path


def _read_scalar(shape: ScalarShape, raw: Any, path: str) -> Any:
    match shape.json_type:
        case "integer":
            value: Any = _whole_number(raw, path)
        case "number":
            value = _number(raw, path)
        case "boolean":
            value = _truth(raw, path)
        case "string":
            value = _text(shape, raw, path)
        case None:
            return raw
    if shape.json_type == "integer":
        return value
    try:
        shape.scalar.parse_value(value)
    except GraphQLError:
        raise _wrong(path, f"a valid {shape.scalar.name}", raw) from None
    return value


def _check_width(shape: Shape, value: Any, path: str) -> None:
    """GraphQL's Int has 32 bits; asked last, since a constraint says more of what is allowed."""
    if isinstance(shape, ListShape):
        for index, item in enumerate(value):
            _check_width(shape.item, item, f"{path}[{index}]")
    elif isinstance(shape, ScalarShape) and shape.json_type == "integer" and not -_WIDTH <= value < _WIDTH:
        raise BadInput(f"must be between {-_WIDTH} and {_WIDTH - 1}, got {shorten(value)}.", argument=path)


def _whole_number(raw: Any, path: str) -> int:
    value = _read_number(raw, path, "a whole number")
    if isinstance(value, float):
        if not value.is_integer():
            raise _wrong(path, "a whole number", raw)
        value = int(value)
    return value


def _number(raw: Any, path: str) -> float:
    fraction = _FRACTION.fullmatch(raw.strip(_BLANKS)) if isinstance(raw, str) else None
    if fraction is not None:
        # Challenge ratings are printed as 1/8, 1/4 and 1/2.
        return int(fraction[1]) / int(fraction[2])
    value = _read_number(raw, path, "a number")
    try:
        return float(value)
    except OverflowError:
        raise _wrong(path, "a number", raw) from None


def _read_number(raw: Any, path: str, wanted: str) -> int | float:
    """A number as it is sent or written; a whole one may be of any size, the others are finite."""
    if isinstance(raw, bool) or not isinstance(raw, (int, float, str)):
        raise _wrong(path, wanted, raw)
    if isinstance(raw, int):
        return raw
    if isinstance(raw, str):
        text = raw.strip(_BLANKS)
        if _NUMBER.fullmatch(text) is None:
            raise _wrong(path, wanted, raw)
        if text.lstrip("+-").isdigit() and len(text) < _DIGITS:
            return int(text)
        value = float(text)
    else:
        value = raw
    if not math.isfinite(value):
        raise _wrong(path, wanted, raw)
    return value


def _truth(raw: Any, path: str) -> bool:
    if isinstance(raw, bool):
        return raw
    truth = _TRUTHS.get(raw.strip().casefold()) if isinstance(raw, str) else None
    if truth is None:
        raise _wrong(path, "true or false", raw)
    return truth


def _text(shape: ScalarShape, raw: Any, path: str) -> str:
    if isinstance(raw, str):
        return raw
    if shape.scalar.name == "ID" and isinstance(raw, int) and not isinstance(raw, bool):
        return str(raw)
    raise _wrong(path, "a text", raw)


def _wrong(path: str, wanted: str, raw: Any) -> BadInput:
    return BadInput(f"must be {wanted}, got {_shown(raw)}.", argument=path)


def _shown(raw: Any) -> str:
    if isinstance(raw, bool):
        return str(raw).lower()
    if isinstance(raw, str):
        return f"`{shorten(raw)}`"
    if isinstance(raw, (int, float)):
        return shorten(raw)
    if raw is None:
        return "null"
    return "an object" if isinstance(raw, dict) else "a list"
