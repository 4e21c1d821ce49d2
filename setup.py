"""What `pyproject.toml` cannot say: the documents go into the package, for the memory database `guide`."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

DOCS = Path(__file__).with_name("docs")


class BuildWithDocs(build_py):
    """Copies `docs` to where `sources/memory/guide.py` looks for it. A tree that is run in place has them already."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for file in sorted(DOCS.rglob("*.md")):
                target = Path(self.build_lib, "sources", "memory", "docs", file.relative_to(DOCS))
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)


setup(cmdclass={"build_py": BuildWithDocs})
