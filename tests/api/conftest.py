"""Fixtures of the doors' tests."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from api.opening import prepare
from api.settings import load_settings


@pytest.fixture
def own_log() -> Iterator[None]:
    """Gives the log back as it was: commands set it up for a process of their own."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers, root.level = handlers, level


@pytest.fixture(scope="session")
def seeded_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with everything in it; to be copied, not changed."""
    folder = tmp_path_factory.mktemp("seeded")
    anyio.run(prepare, load_settings({"data_dir": folder}, env_file=None))
    return folder


@pytest.fixture
def data_dir(seeded_folder: Path, tmp_path: Path) -> Path:
    """A data folder with everything in it, for one test."""
    return Path(shutil.copytree(seeded_folder, tmp_path / "data"))
