"""What the page is built from: exact versions, each with its hash, and no word of where they came from."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.contracts.house import ROOT

WEB = ROOT / "api" / "playground" / "web"


def read(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((WEB / name).read_text(encoding="utf-8"))
    return data


def test_every_package_is_named_with_its_exact_version() -> None:
    declared = read("package.json")
    versions = {**declared["dependencies"], **declared["devDependencies"]}
    assert {name: version for name, version in versions.items() if not re.fullmatch(r"[\d.]+", version)} == {}
    locked = read("package-lock.json")["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in versions} == versions


def test_every_package_of_the_lock_has_a_hash_and_no_address() -> None:
    packages = {name: held for name, held in read("package-lock.json")["packages"].items() if name}
    assert len(packages) > 100
    assert [name for name, held in packages.items() if not held["integrity"].startswith("sha512-")] == []
    assert [name for name, held in packages.items() if "resolved" in held] == []


def test_the_lock_holds_every_package_that_the_locked_ones_ask_for() -> None:
    # npm leaves out an optional package that it did not find, and then refuses the lock that it wrote.
    packages = read("package-lock.json")["packages"]
    held = {name.rpartition("node_modules/")[2] for name in packages}
    wanted = {
        name
        for package in packages.values()
        for kind in ("dependencies", "devDependencies", "optionalDependencies")
        for name in package.get(kind, ())
    }
    assert wanted - held == set()
