"""The committed prints of the public surface are what the code makes."""

from __future__ import annotations

import json

from api.mcp_tools.printing import tools_json
from schema.query import build_schema, print_sdl
from tests.contracts.house import ROOT


def test_schema_graphql_is_current() -> None:
    committed = (ROOT / "schema.graphql").read_text(encoding="utf-8")
    assert committed == print_sdl(), "schema.graphql is out of date: run `make schema tools`"


def test_tools_json_is_current() -> None:
    committed = (ROOT / "tools.json").read_text(encoding="utf-8")
    assert committed == tools_json(build_schema()), "tools.json is out of date: run `make schema tools`"


def test_the_two_prints_speak_of_the_same_root_fields() -> None:
    query = build_schema().query_type
    assert query is not None
    printed = json.loads((ROOT / "tools.json").read_text(encoding="utf-8"))
    assert len(printed) == len(query.fields)
