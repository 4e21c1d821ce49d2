"""Suites that come as npm packages: installed by their lock files, and the Node that they run on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest
from filelock import FileLock

from tests.contracts.house import ROOT

CACHE = ROOT / "build" / "npm"
HERE = Path(__file__).parent
INSTALL_SECONDS = 240

NEWER = (22, 19)
"""The oldest Node that all suites run on; distributions carry older ones."""


def installed(suite: str) -> Path:
    """The folder of a suite with its `node_modules`, installed once for each state of its lock file.

    The suite's own files stand beside them, so that its scripts find their packages.
    """
    npm = program("npm", "npm")
    source, folder = HERE / suite, CACHE / suite
    lock, marker = source / "package-lock.json", folder / ".installed"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(CACHE / f"{suite}.lock"):
        for file in source.rglob("*"):
            if file.is_file() and file.suffix not in {".py", ".pyc"}:
                target = folder / file.relative_to(source)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)
        if not marker.is_file() or marker.read_bytes() != lock.read_bytes():
            marker.unlink(missing_ok=True)
            done = subprocess.run(
                [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=INSTALL_SECONDS,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr
            shutil.copyfile(lock, marker)
    return folder


@cache
def newer_node() -> str:
    """A Node of at least the version `NEWER`: the machine's own, else one from npm."""
    own = shutil.which("node")
    if own is not None and _version(own) >= NEWER:
        return own
    (binary,) = (installed("newer_node") / "node_modules").glob("node-*/bin/node")
    return str(binary)


def program(name: str, package: str) -> str:
    """The path of a program. Where it is missing the test is skipped, and under `CI=true` it fails."""
    found = shutil.which(name)
    if found is None:
        _missing(f"this suite needs the program `{name}`: install the package {package}")
    return found


def _missing(message: str) -> NoReturn:
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(message)
    pytest.skip(message)


def _version(node: str) -> tuple[int, ...]:
    printed = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(int(number) for number in re.findall(r"\d+", printed))


def node(
    folder: Path, *arguments: str, seconds: float = 120, newer: bool = True
) -> subprocess.CompletedProcess[str]:
    """Runs Node in the folder of a suite to its end."""
    binary = newer_node() if newer else program("node", "nodejs")
    return subprocess.run(
        [binary, *arguments],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "FORCE_COLOR": "0"},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
