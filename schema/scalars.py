"""Scalars of our own."""

from typing import Any, NewType

import strawberry
from graphql import GraphQLError
from strawberry.schema.config import StrawberryConfig

from sources.moments import Moment, read_moment

DateOrTime = NewType("DateOrTime", object)
"""A moment as a caller writes it; a resolver gets a `sources.moments.Moment`."""


def _read(value: Any) -> Moment:
    if isinstance(value, Moment):
        return value
    if not isinstance(value, str):
        raise GraphQLError("DateOrTime must be a text with a time or a date.")
    try:
        return read_moment(value)
    except ValueError:
        # The reason of a wrong day or hour is Python's own; the form is what helps.
        raise GraphQLError(
            "DateOrTime must be a time like 2024-01-31T23:59:59Z or a date like 2024-01-31."
        ) from None


CONFIG = StrawberryConfig(
    scalar_map={
        DateOrTime: strawberry.scalar(
            name="DateOrTime",
            description="A time such as 2024-01-31T23:59:59Z, or a date, which is all of its day in UTC.",
            specified_by_url="https://www.rfc-editor.org/rfc/rfc3339",
            serialize=str,
            parse_value=_read,
        )
    }
)
"""What the schema is built with."""
