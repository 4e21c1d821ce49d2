"""The JSON Schema (2020-12) of a tool's arguments.

Everything is inlined, every object closed and its `required` written out, since strict function calling asks
for that and many clients drop references. A list is a plain array: a union of "a value or a list" would double
the text and is refused by strict clients. The reader is more lenient than the schema (`arguments.py`), which
the server's instructions say once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from graphql import Undefined, is_specified_scalar_type

from api.mcp_tools.naming import fold
from api.mcp_tools.output_notation import described_fields
from api.mcp_tools.shapes import EnumShape, ListShape, ObjectShape, Parameter, ScalarShape, Shape
from api.mcp_tools.tool_spec import FIELDS, ToolSpec, item_of
from schema.directives import Constraint

_WORD = re.compile(r"[a-z0-9]+")
_SMALL_WORDS = frozenset(
    {"a", "an", "and", "by", "for", "in", "is", "it", "its", "of", "on", "or", "the", "to", "with"}
)


MOST_MEANINGS = 100
"""Characters that the meanings of one vocabulary may take; those of a longer one stand in the guide."""

SHOWN_LENGTH = 100
SHOWN_ITEMS = 20
"""Bounds on lengths and numbers of items are shown below these; others are kept to, but nobody meets them."""


def input_schema_of(tool: ToolSpec, fields_told_by: str | None = None) -> dict[str, Any]:
    """The input schema of a tool; `fields_told_by` names another tool that tells the same output fields."""
    explained: set[str] = set()
    result = _object(tool.parameters, explained)
    if tool.chooses_fields:
        result["properties"][FIELDS]["description"] = described_fields(tool.answer, fields_told_by)
    return result


def long_vocabularies(tool: ToolSpec) -> dict[str, str]:
    """The meanings of the values that the tool's schema has no room for, by the argument that takes them."""
    found: dict[str, str] = {}
    explained: set[str] = set()
    for parameter in tool.parameters:
        shape = item_of(parameter.shape)
        if isinstance(shape, EnumShape) and shape.type_name not in explained:
            explained.add(shape.type_name)
            meanings = _told(shape)
            if len(meanings) > MOST_MEANINGS:
                found[parameter.name] = meanings
    return found


def _object(parameters: Iterable[Parameter], explained: set[str]) -> dict[str, Any]:
    parameters = tuple(parameters)
    return {
        "type": "object",
        "properties": {parameter.name: _property(parameter, explained) for parameter in parameters},
        "required": [parameter.name for parameter in parameters if parameter.required],
        "additionalProperties": False,
    }


def _property(parameter: Parameter, explained: set[str]) -> dict[str, Any]:
    result = _value(parameter.shape, parameter.constraint, explained)
    description = " ".join(filter(None, (parameter.description, _meanings(parameter.shape, explained))))
    if description:
        result["description"] = description
    if parameter.default is not Undefined:
        result["default"] = parameter.default
    return result


def _value(shape: Shape, constraint: Constraint | None, explained: set[str]) -> dict[str, Any]:
    match shape:
        case ListShape(item):
            result: dict[str, Any] = {"type": "array", "items": _value(item, constraint, explained)}
            if constraint is not None:
                _put(
                    result,
                    minItems=constraint.min_items,
                    maxItems=_below(constraint.max_items, SHOWN_ITEMS),
                )
            return result
        case ObjectShape(parameters):
            return _object(parameters, explained)
        case EnumShape():
            return {"type": "string", "enum": list(shape.words.values())}
        case ScalarShape():
            return _scalar(shape, constraint)


def _scalar(shape: ScalarShape, constraint: Constraint | None) -> dict[str, Any]:
    result: dict[str, Any] = {} if shape.json_type is None else {"type": shape.json_type}
    if shape.scalar.name == "JSON":
        # Columns of a table that only its owner knows: the one place where an object has names of its own.
        result = {"type": "object"}
    if constraint is not None:
        _put(
            result,
            # That a measure is not below nothing goes without saying.
            minimum=None if (constraint.min, constraint.max) == (0, None) else _number(constraint.min),
            maximum=_number(constraint.max),
            minLength=constraint.min_length,
            maxLength=_below(constraint.max_length, SHOWN_LENGTH),
            pattern=None if constraint.pattern is None else _anchored(constraint.pattern),
        )
    return result


def _put(target: dict[str, Any], **keywords: Any) -> None:
    target.update({name: value for name, value in keywords.items() if value is not None})


def _below(bound: int | None, shown: int) -> int | None:
    return bound if bound is not None and bound < shown else None


def _number(value: float | None) -> float | int | None:
    return int(value) if value is not None and float(value).is_integer() else value


def _anchored(pattern: str) -> str:
    """JSON Schema looks for a pattern anywhere in the text; ours must match all of it."""
    return pattern if pattern.startswith("^") and pattern.endswith("$") else f"^(?:{pattern})$"


def _meanings(shape: Shape, explained: set[str]) -> str:
    """What the schema says about enum values beyond their words, and about a scalar of its own; once a tool."""
    shape = item_of(shape)
    if isinstance(shape, ScalarShape):
        if (
            is_specified_scalar_type(shape.scalar)
            or shape.json_type is None
            or shape.scalar.name in explained
        ):
            return ""
        explained.add(shape.scalar.name)
        return (shape.scalar.description or "").strip()
    if not isinstance(shape, EnumShape) or shape.type_name in explained:
        return ""
    explained.add(shape.type_name)
    meanings = _told(shape)
    return meanings if len(meanings) <= MOST_MEANINGS else ""


def _told(shape: EnumShape) -> str:
    telling = {
        word: meaning.rstrip(".")
        for word, meaning in shape.meanings.items()
        if _adds_something(meaning, word, shape.type_name)
    }
    return "; ".join(f"{word}: {meaning}" for word, meaning in telling.items()) + ("." if telling else "")


def _adds_something(meaning: str, value: str, type_name: str) -> bool:
    """Whether a description holds a word that neither the value's word nor the type's name already say."""
    known = fold(f"{value} {type_name}")
    words = set(_WORD.findall(meaning.casefold())) - _SMALL_WORDS
    return any(
        word not in known and word.rstrip("s") not in known and not word.startswith(fold(value))
        for word in words
    )
