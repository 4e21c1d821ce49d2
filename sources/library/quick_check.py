"""A quick check of values by a JSON Schema: what it takes, the schema takes. Of what it does not, the schema tells why.

It knows the words that the library's format is written in, and is strict where JSON Schema is lenient (`2014.0` is a
whole number there), so that only what is odd takes the slow way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import CoreSchema, SchemaValidator, core_schema


def quick_check(schema: Mapping[str, Any]) -> Callable[[Any], bool]:
    """Whether a value certainly fulfils a schema. Raises ValueError for a schema with other words."""
    return SchemaValidator(_core(schema)).isinstance_python


def _core(schema: Mapping[str, Any]) -> CoreSchema:
    match dict(schema):
        case {"const": value}:
            return core_schema.literal_schema([value])
        case {"enum": values}:
            return core_schema.literal_schema(list(values))
        case {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }:
            return _object(properties, required)
        case {"type": "object", "properties": properties, "additionalProperties": False}:
            return _object(properties, ())
        case {"type": "array", "items": items, "maxItems": most}:
            return core_schema.list_schema(_core(items), max_length=most, strict=True)
        case {"type": "string", "minLength": least, "maxLength": most, "pattern": pattern}:
            return core_schema.str_schema(
                min_length=least, max_length=most, pattern=pattern, regex_engine="python-re", strict=True
            )
        case {"type": "integer", "minimum": least, "maximum": most}:
            return core_schema.int_schema(ge=least, le=most, strict=True)
        case {"type": "number", "minimum": least, "maximum": most}:
            return core_schema.float_schema(ge=least, le=most, strict=True, allow_inf_nan=False)
        case {"type": "boolean"}:
            return core_schema.bool_schema(strict=True)
    raise ValueError(f"No quick check is known for {schema}.")


def _object(properties: Mapping[str, Any], required: Any) -> CoreSchema:
    fields = {
        name: core_schema.typed_dict_field(_core(schema), required=name in required)
        for name, schema in properties.items()
    }
    return core_schema.typed_dict_schema(fields, extra_behavior="forbid", strict=True)
