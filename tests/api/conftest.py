"""Fixtures of the doors' tests."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture
def own_log() -> Iterator[None]:
    """Gives the log back as it was: commands set it up for a process of their own."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers, root.level = handlers, level
