"""The tree that the house rules are about: its files, its layers, its rooms."""

from __future__ import annotations

import ast
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("api", "schema", "resolvers", "sources")
ROOMS = ("dnd", "events", "library", "datasets", "memory", "search")
"""Every room of the plan; those that are there yet are the ones with a folder."""

_LEFT_OUT = {"__pycache__", "node_modules", "build", "dist"}


@cache
def tree_files() -> tuple[Path, ...]:
    """Every file that is committed, or would be by `git add`; all but the hidden and the made without git."""
    if shutil.which("git") and (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
        ).stdout.decode()
        files = [ROOT / name for name in listed.split("\0") if name]
    else:
        files = [
            file
            for file in ROOT.rglob("*")
            if not any(
                part in _LEFT_OUT or part.startswith(".") for part in file.relative_to(ROOT).parts[:-1]
            )
        ]
    return tuple(sorted(file for file in files if file.is_file()))


def python_files(*folders: str) -> list[Path]:
    """The Python files of the tree that lie below one of these top-level folders."""
    return [
        file for file in tree_files() if file.suffix == ".py" and file.relative_to(ROOT).parts[0] in folders
    ]


def text_files() -> Iterator[tuple[Path, str]]:
    """Each file of the tree that is text, with what it holds."""
    for file in tree_files():
        try:
            yield file, file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def rooms(layer: str) -> list[str]:
    """The rooms that a layer has."""
    return [room for room in ROOMS if (ROOT / layer / room / "__init__.py").is_file()]


def imported_modules(file: Path) -> set[str]:
    """The absolute names of all modules that a file imports, inside functions too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def relative(file: Path) -> str:
    """A file's path inside the tree, as messages show it."""
    return file.relative_to(ROOT).as_posix()
