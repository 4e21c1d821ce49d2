"""Nothing that is committed tells of the machine that it was written on, or of where packages come from."""

from __future__ import annotations

import re

import pytest

from tests.contracts.house import relative, text_files

# Written in pieces, so that this file does not hold what it looks for.
_MACHINE_PATHS = ("/wo" + "rk/", "/ro" + "ot/", "/op" + "t/py")
_REGISTRIES = (
    r"py" + r"pi\.(org|io)",
    r"pythonho" + r"sted\.org",
    r"registry\.np" + r"mjs\.(org|com)",
    r"np" + r"mjs\.com",
    r"deb" + r"ian\.org",
    r"registry\.yarn" + r"pkg\.com",
    r"index-" + r"url",
)
_SECRETS = (
    "-----BEGIN [A-Z ]*PRIVATE " + "KEY",
    r"gh[pousr]" + "_[A-Za-z0-9]{36}",
    r"sk-" + "[A-Za-z0-9]{32}",
    r"AKIA" + "[0-9A-Z]{16}",
)


def found(patterns: tuple[str, ...]) -> list[str]:
    pattern = re.compile("|".join(patterns))
    return [
        f"{relative(file)}:{number}: {match.group()}"
        for file, text in text_files()
        for number, line in enumerate(text.splitlines(), 1)
        if (match := pattern.search(line))
    ]


def test_no_path_of_a_machine() -> None:
    assert found(_MACHINE_PATHS) == []


def test_no_package_registry() -> None:
    assert [hit for hit in found(_REGISTRIES) if not hit.startswith("Makefile:")] == []


def test_no_secret() -> None:
    assert found(_SECRETS) == []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (_MACHINE_PATHS[1], "/ro" + "ot/.config"),
        (_REGISTRIES[0], "https://py" + "pi.org/simple"),
        (_SECRETS[3], "AK" + "IAABCDEFGHIJKLMNOP"),
    ],
)
def test_the_patterns_find_what_they_look_for(pattern: str, text: str) -> None:
    assert re.search(pattern, text)
