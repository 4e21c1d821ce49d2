"""Schemathesis against the GraphQL door: whatever is asked within the schema, the server never fails.

The same cases are made in every run. A failure is printed with the query that brings it about.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from schema.query import build_schema
from tests.contracts.house import ROOT

EXAMPLES = 40
"""Cases of each root field."""


@pytest.mark.verify
@pytest.mark.timeout(300)
def test_no_query_makes_the_server_fail(product_url: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{product_url}/graphql"),
            *("--checks", "no_fault_of_the_server", "--max-examples", str(EXAMPLES)),
            *("--generation-deterministic", "--request-timeout", "20", "--no-color"),
        ],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "SCHEMATHESIS_HOOKS": "tests.contracts.graphql_fuzz.hooks",
        },
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    query = build_schema().query_type
    assert query is not None
    assert f"Tested: {len(query.fields)}" in done.stdout
    made = re.search(r"(\d+) generated", done.stdout)
    assert made is not None
    assert int(made[1]) >= 100
