"""A house whose D&D 5e API is a fake, asked over real HTTP on loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager

import pytest

from api.execution import Executor, Operation
from api.opening import open_house
from api.settings import Settings
from resolvers.scope import Scope
from schema.query import build_schema
from tests.support.fake_dnd5e import FakeDnd5e
from tests.support.seeded import Ask
from tests.support.server import serving

ENVIRONMENT: Mapping[str, str] = {
    "LOREGRAPH_OPEN5E_LIVE": "false",
    "LOREGRAPH_DND5E_LIVE": "true",
    "LOREGRAPH_DND5E_RATE": "10000",
    "LOREGRAPH_HTTP_RETRY_SECONDS": "0.01",
}
ALLOWED: Mapping[str, frozenset[str]] = {
    "spells": frozenset({"name", "level", "school"}),
    "monsters": frozenset({"name", "challenge_rating"}),
}
"""The parameters of lists, by collection; of any other collection none is sent."""


@pytest.fixture
def dnd5e() -> Iterator[FakeDnd5e]:
    """A fake that holds the SRD 5.1, at the address in its `url`."""
    fake = FakeDnd5e()
    with serving(fake) as url:
        fake.url = url
        yield fake


@asynccontextmanager
async def dnd5e_scope(
    settings: Settings, url: str, monkeypatch: pytest.MonkeyPatch, **others: str
) -> AsyncIterator[Scope]:
    """The opened sources of `settings`, the D&D 5e API being at `url`; `others` are more environment variables."""
    for name, value in {**ENVIRONMENT, "LOREGRAPH_DND5E_URL": url, **others}.items():
        monkeypatch.setenv(name, value)
    async with open_house(settings) as house:
        yield house.scope


@pytest.fixture
async def ask_dnd5e(
    seeded_settings: Settings, dnd5e: FakeDnd5e, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Ask]:
    """Puts GraphQL operations to a house that holds the embedded data and asks the fake `dnd5e`."""
    async with dnd5e_scope(seeded_settings, dnd5e.url, monkeypatch) as scope:
        executor = Executor(build_schema(), scope=lambda: scope)

        async def run(query: str, **variables: object) -> dict[str, object]:
            return (await executor.execute(Operation(query, variables=variables))).formatted()

        yield run


def check_dnd5e_requests(fake: FakeDnd5e) -> None:
    """Fails for a request that carries what its list does not know, or that was not understood."""
    for call in fake.calls:
        parts = call.path.removeprefix("/api/2014/").split("/")
        allowed = ALLOWED.get(parts[0], frozenset()) if len(parts) == 1 else frozenset()
        names = [name for name, _ in call.parameters]
        assert set(names) <= allowed, call.query
        assert all(names.count(name) == 1 for name in set(names) - {"school"}), call.query
        assert all(value.strip() for _, value in call.parameters), call.query
        assert call.headers["accept-language"] == "en"
        assert call.status == 200, (call.path, call.query)
