"""How many values the root fields of one operation may be given together.

A variable is sent once and can be used by every root field, so neither the size of the request nor the cost of
its lists bounds the work of checking, folding and looking up what it holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schema.context import Context
from sources.errors import QueryTooExpensive


def count_values(value: Any) -> int:
    """The single values inside a coerced argument: an object and a list count as what they hold."""
    if isinstance(value, Mapping):
        return sum(count_values(item) for item in value.values())
    if isinstance(value, (list, tuple)):
        return sum(count_values(item) for item in value)
    return 1


def admit(arguments: Mapping[str, Any], context: Context) -> None:
    """Counts the arguments of one more root field. Raises `QueryTooExpensive` when there are too many by now."""
    context.argument_values += count_values(arguments)
    if context.argument_values > context.most_argument_values:
        raise QueryTooExpensive(
            f"The root fields of this operation are given more than {context.most_argument_values} values "
            "together. Ask in several operations, or filter by fewer values."
        )
