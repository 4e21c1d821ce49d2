"""The audit suite of GraphQL over HTTP (npm package `graphql-http`), against a real server: all of it."""

from __future__ import annotations

import json

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware

from api.execution import Executor
from api.graphql_http import graphql_endpoint
from api.guard import Guard
from tests.contracts.npm_suites import installed, node
from tests.support.server import serving
from tests.support.toy_schema import toy_schema, toy_scope

AUDITS = 61


@pytest.mark.verify
@pytest.mark.timeout(180)
def test_every_audit_passes() -> None:
    folder = installed("graphql_http_audit")
    route = graphql_endpoint(Executor(toy_schema(), scope=toy_scope))
    with serving(Starlette(routes=[route], middleware=[Middleware(Guard)])) as url:
        run = node(folder, "audit.mjs", f"{url}/graphql", newer=False)
    assert run.returncode == 0, run.stderr
    results = json.loads(run.stdout)
    assert [result for result in results if result["status"] != "ok"] == []
    assert len(results) == AUDITS
