"""What goes into the execution of one operation, and what comes out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from graphql import GraphQLError


@dataclass(frozen=True, slots=True)
class Operation:
    """One GraphQL operation as a door received it.

    `generated` says that the text was written by this house and not by a caller, as the MCP door does: the
    limits on the text (tokens, depth, aliases, …) are then left out. Cost, constraints and deadline hold always.
    """

    query: str
    operation_name: str | None = None
    variables: Mapping[str, Any] | None = None
    generated: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to one operation.

    `request_error` means that nothing was executed: the answer then has no `data` entry at all, not even null
    (GraphQL specification, section 7.1). Every error carries `extensions.code`.
    """

    data: dict[str, Any] | None
    errors: tuple[GraphQLError, ...] = ()
    extensions: dict[str, Any] = field(default_factory=dict)
    request_error: bool = False

    def formatted(self) -> dict[str, Any]:
        """The answer ready for JSON, its keys in the order `data`, `errors`, `extensions`; empty ones left out."""
        answer: dict[str, Any] = {}
        if not self.request_error:
            answer["data"] = self.data
        if self.errors:
            answer["errors"] = [error.formatted for error in self.errors]
        if self.extensions:
            answer["extensions"] = self.extensions
        return answer

    def encoded(self) -> bytes:
        """The answer as UTF-8 JSON."""
        return encode(self.formatted())


def encode(answer: dict[str, Any]) -> bytes:
    """`answer` as UTF-8 JSON. What UTF-8 cannot hold (lone surrogates of a damaged record) becomes `?`."""
    try:
        return orjson.dumps(answer)
    except TypeError:
        # orjson refuses lone surrogates and integers beyond 64 bits, which Python's own encoder can write.
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")
