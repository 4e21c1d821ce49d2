"""Fixtures of the suites that others wrote."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from api.app import create_app
from api.settings import Settings
from tests.support.server import serving


@pytest.fixture(scope="session")
def product_url(seeded_settings: Settings) -> Iterator[str]:
    """The base URL of the whole product, over the embedded data."""
    with serving(create_app(seeded_settings, prepared=True)) as url:
        yield url
