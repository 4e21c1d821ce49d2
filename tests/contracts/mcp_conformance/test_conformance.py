"""The conformance suite of the Model Context Protocol, both generations, against the product and the fixtures.

A scenario that fails must stand in the file of expected failures, and one that stands there must fail, so the
files cannot fall behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.contracts.mcp_conformance.fixture_server import fixture_app
from tests.contracts.npm_suites import installed, node
from tests.support.server import serving

pytestmark = [pytest.mark.verify, pytest.mark.timeout(400)]

GENERATIONS = {"legacy": (), "modern": ("--requirements", "2026-07-28")}
SCENARIOS = {"legacy": 30, "modern": 50}
"""How many scenarios each run has; the extension of tasks, which we do not offer, makes ten of the modern ones."""

UNSCORED = {"json-schema-2020-12", "http-header-validation", "http-custom-header-server-validation"}
"""Scenarios for 2026-07-28 that the suite runs without scoring them; the product must pass those that need no tools."""

_LINE = re.compile(r"^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed", re.MULTILINE)


def run(generation: str, url: str, *options: str) -> tuple[int, dict[str, int], str]:
    """The exit code of a run, the failed checks of each scenario, and all that was printed."""
    folder = installed("mcp_conformance")
    script = f"node_modules/conformance-{generation}/dist/index.js"
    done = node(folder, script, "server", "--url", f"{url}/mcp", *GENERATIONS[generation], *options)
    failed = {name: int(failures) for _, name, _, failures in _LINE.findall(done.stdout)}
    assert len(failed) == SCENARIOS[generation], done.stdout + done.stderr
    return done.returncode, failed, done.stdout


@pytest.fixture(scope="module")
def fixture_url() -> Iterator[str]:
    with serving(fixture_app()) as url:
        yield url


@pytest.mark.parametrize("generation", GENERATIONS)
def test_the_product_fails_only_what_needs_the_suites_own_tools(generation: str, product_url: str) -> None:
    file = f"expected_failures_{generation}.yml"
    code, failed, printed = run(generation, product_url, "--expected-failures", file)
    assert code == 0, printed
    if generation == "modern":
        assert failed["http-header-validation"] == 0, printed
        assert failed["caching"] == 0


@pytest.mark.parametrize("generation", GENERATIONS)
def test_the_fixtures_behind_our_transport_pass_everything(generation: str, fixture_url: str) -> None:
    code, failed, printed = run(generation, fixture_url)
    assert code == 0, printed
    failing = {name for name, failures in failed.items() if failures and not name.startswith("tasks-")}
    assert failing == set(), printed
    if generation == "modern":
        assert failed.keys() >= UNSCORED
