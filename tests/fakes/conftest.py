"""The fakes, and ways to ask them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from tests.support.fake_dnd5e import FakeDnd5e
from tests.support.fake_open5e import FakeOpen5e, mixed_corpus
from tests.support.fake_open5e.corpus import Corpus


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    """The SRD and the invented documents; tests only read it."""
    return mixed_corpus()


@pytest.fixture
def open5e(corpus: Corpus) -> FakeOpen5e:
    return FakeOpen5e(corpus)


@pytest.fixture
async def v2(open5e: FakeOpen5e) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the fake Open5e."""
    transport = httpx.ASGITransport(open5e)
    async with httpx.AsyncClient(transport=transport, base_url="http://open5e.test") as client:
        yield client


@pytest.fixture
def dnd5e() -> FakeDnd5e:
    return FakeDnd5e()


@pytest.fixture
async def api(dnd5e: FakeDnd5e) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the fake D&D 5e API."""
    transport = httpx.ASGITransport(dnd5e)
    async with httpx.AsyncClient(transport=transport, base_url="http://dnd5e.test") as client:
        yield client
