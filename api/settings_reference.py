"""Prints `docs/settings.md` and `.env.example` from the settings: `python -m api.settings_reference [--check]`."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from api.environment import Variable
from api.opening import all_variables

ROOT = Path(__file__).parent.parent
COMMAND = "python -m api.settings_reference"

_INTRODUCTION = f"""\
# Settings

Every setting is an environment variable. A file `.env` in the folder that a command is started in is read too,
with one `NAME=value` a line ([`.env.example`](../.env.example) shows them all); the environment wins over the
file, and an option of the command line wins over both. A variable that is set but empty counts as not set.

A value that cannot be used ends the command with exit code 2 and a sentence that names the variable and what it
takes. A `LOREGRAPH_…` variable that means nothing is warned of. `loregraph doctor` shows the values in use.

This page is printed from the code by `{COMMAND}`.
"""


def settings_page() -> str:
    """`docs/settings.md`: one table of all settings."""
    lines = [
        _INTRODUCTION,
        "| Variable | Meaning | Default | Takes |",
        "|---|---|---|---|",
        *(_row(variable) for variable in all_variables()),
    ]
    return "\n".join(lines) + "\n"


def _row(variable: Variable) -> str:
    default = variable.default
    default = default if "`" in default or default == "none" else f"`{default}`"
    cells = (f"`{variable.name}`", variable.description, default, variable.allowed)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def env_example() -> str:
    """`.env.example`: every setting with its meaning, commented out at its example."""
    return "\n".join(_env_lines()).rstrip() + "\n"


def _env_lines() -> Iterator[str]:
    yield "# Settings of loregraph. Copy to `.env` and take the `#` off the lines that you change."
    yield f"# Printed from the code by `{COMMAND}`."
    yield ""
    for variable in all_variables():
        yield from (f"# {line}" for line in _wrapped(variable.description))
        yield f"# It takes {variable.allowed}; default: {variable.default}."
        yield f"#{variable.name}={variable.example}"
        yield ""


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 100)


def files(root: Path = ROOT) -> dict[Path, str]:
    """What each generated file should hold."""
    return {root / "docs" / "settings.md": settings_page(), root / ".env.example": env_example()}


def drifted(root: Path = ROOT) -> list[Path]:
    """The generated files that are missing or differ from the settings."""
    return [
        file
        for file, text in files(root).items()
        if not file.is_file() or file.read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str]) -> int:
    """Writes the files, or with `--check` says which differ; returns the exit code."""
    if arguments == ["--check"]:
        for file in drifted():
            sys.stderr.write(f"{file} is out of date. Run `{COMMAND}`.\n")
        return 1 if drifted() else 0
    if arguments:
        sys.stderr.write(f"usage: {COMMAND} [--check]\n")
        return 2
    for file, text in files().items():
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
