"""What is installed, beside us and of us."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.contracts.house import LAYERS, ROOT, python_files, relative, tree_files

OURS = "loregraph"


def test_no_dependency_ships_a_module_of_our_names() -> None:
    shipped = packages_distributions()
    others = {
        name: sorted({owner for owner in shipped.get(name, ()) if owner != OURS})
        for name in (*LAYERS, "tests")
    }
    assert {name: owners for name, owners in others.items() if owners} == {}


@pytest.mark.verify
@pytest.mark.timeout(300)
def test_the_wheel_holds_every_file_of_the_four_packages(tmp_path: Path) -> None:
    # Built from a copy, so that building leaves nothing in the tree.
    source = tmp_path / "source"
    for file in tree_files():
        parts = file.relative_to(ROOT).parts
        if parts[0] in LAYERS or parts[0] in (
            "docs",
            "pyproject.toml",
            "setup.py",
            "README.md",
            "LICENSE",
            "NOTICE",
        ):
            target = source.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
    # What the build of the page leaves, which is not in the repository, and what npm leaves, which must not be packed.
    page = source / "api" / "playground"
    made = {"static/index.html", "static/playground/index-1.js", "static/playground/index-1.js.gz"}
    for name in (*made, "web/node_modules/left_pad/index.js", "web/node_modules/left_pad/setup.py"):
        page.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        page.joinpath(name).write_text("made")
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "wheel"),
            *("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(tmp_path), str(source)),
        ],
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    wanted = {relative(file) for file in tree_files() if file.relative_to(ROOT).parts[0] in LAYERS}
    sources_of_the_page = {name for name in wanted if name.startswith("api/playground/web/")}
    wanted |= {f"api/playground/{name}" for name in made}
    wanted |= {f"sources/memory/{relative(file)}" for file in (ROOT / "docs").rglob("*.md")}
    assert wanted - packed == sources_of_the_page
    assert not any("node_modules" in name for name in packed)
    assert not any(name.startswith(("tests/", "bench/")) for name in packed)
    assert len(python_files(*LAYERS)) > 50
