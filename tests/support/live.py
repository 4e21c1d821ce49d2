"""A house whose live D&D provider is a fake Open5e, asked over real HTTP on loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager

import pytest

from api.execution import Executor, Operation
from api.opening import open_house
from api.settings import Settings
from resolvers.scope import Scope
from schema.query import build_schema
from sources.ability import ListAbilities
from sources.dnd.open5e_endpoints import ENDPOINTS
from tests.support.fake_open5e import FakeOpen5e, mixed_corpus, srd_corpus
from tests.support.seeded import Ask
from tests.support.server import serving

ENVIRONMENT: Mapping[str, str] = {
    "LOREGRAPH_OPEN5E_LIVE": "true",
    "LOREGRAPH_HTTP_HOST_RATE": "10000",
    "LOREGRAPH_HTTP_HOST_BURST": "10000",
    "LOREGRAPH_HTTP_RETRY_SECONDS": "0.01",
}
_PAGES = {"limit", "page", "fields", "document__fields"}
_CONSTANT = {"/v2/classes/": {"is_subclass"}}


@pytest.fixture
def open5e() -> Iterator[FakeOpen5e]:
    """A fake that holds the SRD 5.1 and documents that were made up, at the address in its `url`."""
    fake = FakeOpen5e(mixed_corpus())
    with serving(fake) as url:
        fake.url = f"{url}/v2"
        yield fake


@pytest.fixture
def srd_open5e() -> Iterator[FakeOpen5e]:
    """A fake that holds the same facts of the SRD 5.1 as the embedded data, and nothing else."""
    fake = FakeOpen5e(srd_corpus())
    with serving(fake) as url:
        fake.url = f"{url}/v2"
        yield fake


@pytest.fixture(scope="session")
def standing_open5e() -> Iterator[FakeOpen5e]:
    """The fake of `open5e`, which many tests read one after another and none may change."""
    fake = FakeOpen5e(mixed_corpus())
    with serving(fake) as url:
        fake.url = f"{url}/v2"
        yield fake


@pytest.fixture
def read_open5e(standing_open5e: FakeOpen5e) -> FakeOpen5e:
    """The standing fake, with no calls noted yet."""
    standing_open5e.forget()
    return standing_open5e


@asynccontextmanager
async def live_scope(
    settings: Settings, url: str, monkeypatch: pytest.MonkeyPatch, **others: str
) -> AsyncIterator[Scope]:
    """The opened sources of `settings`, Open5e being at `url`; `others` are more environment variables."""
    for name, value in {**ENVIRONMENT, "LOREGRAPH_OPEN5E_URL": url, **others}.items():
        monkeypatch.setenv(name, value)
    async with open_house(settings) as house:
        yield house.scope


@pytest.fixture
async def ask_live(
    seeded_settings: Settings, open5e: FakeOpen5e, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Ask]:
    """Puts GraphQL operations to a house that holds the embedded data and asks the fake `open5e`."""
    async with live_scope(seeded_settings, open5e.url, monkeypatch) as scope:
        executor = Executor(build_schema(), scope=lambda: scope)

        async def run(query: str, **variables: object) -> dict[str, object]:
            return (await executor.execute(Operation(query, variables=variables))).formatted()

        yield run


@pytest.fixture
async def ask_read(
    seeded_settings: Settings, read_open5e: FakeOpen5e, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Ask]:
    """As `ask_live`, of the standing fake."""
    async with live_scope(seeded_settings, read_open5e.url, monkeypatch) as scope:
        executor = Executor(build_schema(), scope=lambda: scope)

        async def run(query: str, **variables: object) -> dict[str, object]:
            return (await executor.execute(Operation(query, variables=variables))).formatted()

        yield run


def check_requests(fake: FakeOpen5e) -> None:
    """Fails for a request that carries what its endpoint does not declare, or that is too long or too large."""
    of_lists: dict[str, ListAbilities] = {
        f"/v2{endpoint.path}": endpoint.abilities for endpoint in ENDPOINTS.values()
    }
    plain = {f"/v2{endpoint.path}" for endpoint in ENDPOINTS.values() if endpoint.names_document}
    for call in fake.calls:
        declared = of_lists[call.path].parameters if call.path in of_lists else frozenset()
        allowed = declared | _PAGES | _CONSTANT.get(call.path, set())
        names = [name for name, _ in call.parameters]
        assert set(names) <= allowed, call.query
        assert call.path not in plain or "document__fields" not in names, "that is an error of the upstream"
        assert len(names) == len(set(names)), "the upstream heeds only the last of a repeated parameter"
        assert all(value.strip() for _, value in call.parameters), "the upstream ignores an empty parameter"
        assert len(call.values.get("key__in", "").split(",")) <= 100
        assert len(f"GET {call.path}?{call.query} HTTP/1.1") <= 3_500
        assert call.status == 200, call.query
