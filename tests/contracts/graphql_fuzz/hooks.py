"""The check that schemathesis runs on every answer; its own takes each code that it does not know for a fault."""

from __future__ import annotations

from typing import Any

import schemathesis

from schema.errors import ErrorCode

CALLERS = {
    code.value
    for code in (
        ErrorCode.GRAPHQL_PARSE_FAILED,
        ErrorCode.GRAPHQL_VALIDATION_FAILED,
        ErrorCode.BAD_USER_INPUT,
        ErrorCode.NOT_FOUND,
        ErrorCode.QUERY_TOO_EXPENSIVE,
        ErrorCode.SOURCE_NOT_CONFIGURED,  # a live provider that this server does not ask
    )
}
"""What a caller alone can bring about. All other codes say that this server or an upstream failed."""


@schemathesis.check
def no_fault_of_the_server(_context: Any, response: Any, _case: Any) -> None:
    """Every answer is GraphQL, and every error in it is about what was asked."""
    assert response.status_code < 500, f"status {response.status_code}"
    answer = response.json()
    for error in answer.get("errors", ()):
        code = error.get("extensions", {}).get("code")
        assert code in CALLERS, f"{code}: {error['message']}"
    assert "data" in answer or answer["errors"], "neither data nor errors"
