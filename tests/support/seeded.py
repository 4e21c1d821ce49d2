"""A house that holds the embedded data, and ways to put questions to it.

`ask` runs a GraphQL operation through the executor that both doors use, on SQLite and on PostgreSQL.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from api.execution import Executor, Operation
from api.opening import open_house, prepare
from api.settings import Settings, load_settings
from schema.query import build_schema
from tests.support.databases import postgresql_database

Ask = Callable[..., Awaitable[dict[str, Any]]]
"""`await ask(query, **variables)`: the whole answer as JSON, errors included."""


@pytest.fixture(scope="session")
def seeded_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The settings of a data folder that is migrated and seeded, on SQLite; tests only read it."""
    return _prepared(tmp_path_factory.mktemp("data"), None)


@pytest.fixture(scope="session")
def seeded_postgresql_settings(
    tmp_path_factory: pytest.TempPathFactory, postgresql_server: str
) -> Iterator[Settings]:
    """The same on PostgreSQL."""
    with postgresql_database(postgresql_server) as url:
        yield _prepared(tmp_path_factory.mktemp("data"), url)


def _prepared(data_dir: Path, database_url: str | None) -> Settings:
    settings = load_settings({"data_dir": data_dir, "database_url": database_url}, env_file=None)
    asyncio.run(prepare(settings))
    return settings


@pytest.fixture(params=["seeded_settings", "seeded_postgresql_settings"], ids=["sqlite", "postgresql"])
def either_seeded_settings(request: pytest.FixtureRequest) -> Settings:
    """Seeded settings; the test runs once on each database."""
    settings: Settings = request.getfixturevalue(request.param)
    return settings


@pytest.fixture
async def ask(either_seeded_settings: Settings) -> AsyncIterator[Ask]:
    """Puts GraphQL operations to the embedded data; the test runs once on each database."""
    async with open_house(either_seeded_settings) as house:
        executor = Executor(build_schema(), scope=lambda: house.scope)

        async def run(query: str, **variables: Any) -> dict[str, Any]:
            return (await executor.execute(Operation(query, variables=variables))).formatted()

        yield run


def data(answer: dict[str, Any]) -> Any:
    """The data of an answer that must have no errors."""
    assert "errors" not in answer, answer["errors"]
    return answer["data"]


def error(answer: dict[str, Any]) -> dict[str, Any]:
    """The only error of an answer, with its code in the place of its extensions' other entries."""
    (only,) = answer["errors"]
    return only  # type: ignore[no-any-return]
