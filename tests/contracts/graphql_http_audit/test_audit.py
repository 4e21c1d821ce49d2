"""The audit suite of GraphQL over HTTP (npm package `graphql-http`), against a real server: all of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware

from api.execution import Executor
from api.graphql_http import graphql_endpoint
from api.guard import Guard
from tests.support.server import serving
from tests.support.toy_schema import toy_schema, toy_scope

HERE = Path(__file__).parent
CACHE = HERE.parents[2] / "build" / "graphql_http_audit"
FILES = ("package.json", "package-lock.json", "audit.mjs")
AUDITS = 61


def node_modules() -> Path:
    """The suite, installed by its lock file into the cache folder, once for each lock."""
    for program, package in (("node", "nodejs"), ("npm", "npm")):
        if shutil.which(program) is None:
            message = f"the GraphQL over HTTP audit needs `{program}`: install the package {package}"
            if os.environ.get("CI", "").lower() == "true":
                pytest.fail(message)
            pytest.skip(message)
    CACHE.mkdir(parents=True, exist_ok=True)
    lock, installed = HERE / "package-lock.json", CACHE / "package-lock.json"
    fresh = installed.is_file() and installed.read_bytes() == lock.read_bytes()
    for name in FILES:
        shutil.copyfile(HERE / name, CACHE / name)
    if not (fresh and (CACHE / "node_modules" / "graphql-http").is_dir()):
        subprocess.run(
            ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=CACHE, check=True, timeout=120
        )
    return CACHE


@pytest.mark.verify
@pytest.mark.timeout(180)
def test_every_audit_passes() -> None:
    folder = node_modules()
    route = graphql_endpoint(Executor(toy_schema(), scope=toy_scope))
    with serving(Starlette(routes=[route], middleware=[Middleware(Guard)])) as url:
        run = subprocess.run(
            ["node", "audit.mjs", f"{url}/graphql"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert run.returncode == 0, run.stderr
    results = json.loads(run.stdout)
    assert [result for result in results if result["status"] != "ok"] == []
    assert len(results) == AUDITS
