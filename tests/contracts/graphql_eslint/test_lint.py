"""graphql-eslint over the printed schema: its recommended and its Relay rules, with the exceptions of its config."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schema.query import print_sdl
from tests.contracts.npm_suites import installed, node

pytestmark = [pytest.mark.verify, pytest.mark.timeout(300)]

FAULTY = '''
"""A thing."""
type Query {
  "All things."
  getThings: [Int!]
  "Some things."
  some: ThingConnection
}

type thing {
  thingName: String
}

"A page."
type ThingConnection {
  "Its edges."
  edges: [thing]
}
'''


def complaints(sdl: str) -> list[dict[str, Any]]:
    """What the linter says of a schema."""
    folder = installed("graphql_eslint")
    (folder / "schema.graphql").write_text(sdl, encoding="utf-8")
    done = node(folder, "node_modules/eslint/bin/eslint.js", "--format", "json", "schema.graphql")
    assert done.returncode in (0, 1), done.stderr
    (file,) = json.loads(done.stdout)
    messages: list[dict[str, Any]] = file["messages"]
    return messages


def test_the_schema_keeps_every_rule() -> None:
    found = complaints(print_sdl())
    assert [f"line {one['line']}: {one['message']} ({one['ruleId']})" for one in found] == []


def test_the_rules_are_at_work() -> None:
    rules = {one["ruleId"].partition("/")[2] for one in complaints(FAULTY)}
    assert {
        "naming-convention",
        "relay-arguments",
        "relay-connection-types",
        "relay-edge-types",
        "relay-page-info",
        "require-description",
    } <= rules
