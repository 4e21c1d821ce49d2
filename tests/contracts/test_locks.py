"""The two lock files: whole, hashed, of one mind, and free of addresses."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.contracts.house import ROOT

LOCKS = ("requirements.lock", "requirements-dev.lock")

_PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)")


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pins(lock: str) -> dict[str, Version]:
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    found = [match for line in lines if (match := _PIN.match(line))]
    return {canonicalize_name(match["name"]): Version(match["version"]) for match in found}


def wanted(lock: str) -> list[Requirement]:
    declared = project()
    texts = [*declared["project"]["dependencies"], *declared["build-system"]["requires"]]
    if lock == "requirements-dev.lock":
        texts += declared["project"]["optional-dependencies"]["dev"]
    return [Requirement(text) for text in texts]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_dependency_of_the_project_is_pinned_within_its_range(lock: str) -> None:
    pinned = pins(lock)
    unfit = [
        str(requirement)
        for requirement in wanted(lock)
        if (version := pinned.get(canonicalize_name(requirement.name))) is None
        or not requirement.specifier.contains(version, prereleases=True)
    ]
    assert unfit == [], f"{lock} does not hold these dependencies of pyproject.toml; run `make lock`"


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_hashes(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    blocks = re.split(r"\n(?=[A-Za-z0-9])", text)
    bare = [block.split()[0] for block in blocks if _PIN.match(block) and "--hash=sha256:" not in block]
    assert bare == []
    assert len(pins(lock)) > 50


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_pins_hashes_and_comments_alone(lock: str) -> None:
    allowed = re.compile(
        r"\s*#.*|[A-Za-z0-9._-]+==\S+( ; [^\\]*)?( \\)?|    --hash=sha256:[0-9a-f]{64}( \\)?|"
    )
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not allowed.fullmatch(line) or "//" in line] == []


def test_the_server_and_its_tests_use_the_same_versions() -> None:
    server, tests = pins("requirements.lock"), pins("requirements-dev.lock")
    assert {name: tests.get(name) for name in server} == server


def test_no_lock_pulls_in_a_deep_learning_framework() -> None:
    heavy = {"torch", "torchvision", "tensorflow", "jax", "jaxlib"}
    assert heavy & (pins("requirements.lock").keys() | pins("requirements-dev.lock").keys()) == set()
