"""Liveness and readiness."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from api import health
from api.health import healthz, readyz
from api.opening import House
from api.settings import Settings, load_settings
from resolvers.scope import Scope
from sources.database import Database, Row, Statement
from sources.errors import UpstreamUnavailable
from sources.source import RecordCount, Shelf, SourceState, SourceStatus


class SoundDatabase(Database):
    """Answers every read with nothing."""

    name = "db"

    def __init__(self) -> None:
        pass

    async def fetch(self, statement: Statement, params: Sequence[object] = ()) -> list[Row]:
        return []

    def _explained(self) -> object:  # type: ignore[override]
        raise NotImplementedError

    async def close(self) -> None:
        pass


class DownDatabase(SoundDatabase):
    """A server that is gone."""

    async def fetch(self, statement: Statement, params: Sequence[object] = ()) -> list[Row]:
        raise UpstreamUnavailable("The database db does not answer.", upstream="db")


class HungDatabase(SoundDatabase):
    """A server that never answers."""

    async def fetch(self, statement: Statement, params: Sequence[object] = ()) -> list[Row]:
        await anyio.sleep_forever()
        raise AssertionError("unreachable")


def status(name: str, state: SourceState, message: str | None = None) -> SourceStatus:
    return SourceStatus(
        name=name,
        title=name.title(),
        description=name,
        state=state,
        message=message,
        data_version="v1",
        counts=(RecordCount("thing", 3),),
        licences=(),
    )


class StillShelf(Shelf):
    """A shelf in a fixed state."""

    def __init__(self, state: SourceState) -> None:
        self.state = state

    async def status(self) -> SourceStatus:
        return status("still", self.state)


class HungShelf(Shelf):
    """A shelf that never says how it is."""

    async def status(self) -> SourceStatus:
        await anyio.sleep_forever()
        raise AssertionError("unreachable")


@asynccontextmanager
async def client_of(
    database: Database, shelves: Mapping[str, Shelf], unopened: Mapping[str, SourceStatus]
) -> AsyncIterator[httpx.AsyncClient]:
    settings: Settings = load_settings({"data_dir": Path("/nowhere")}, env_file=None)
    app = Starlette(routes=[Route("/healthz", healthz), Route("/readyz", readyz)])
    app.state.house = House(settings, database, Scope(shelves, unopened))
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app), base_url="http://localhost"
    ) as client:
        yield client


async def ready_of(
    database: Database, shelves: Mapping[str, Shelf], unopened: Mapping[str, SourceStatus] | None = None
) -> tuple[int, dict[str, object]]:
    async with client_of(database, shelves, unopened or {}) as client:
        answer = await client.get("/readyz")
    assert answer.headers["cache-control"] == "no-store"
    return answer.status_code, answer.json()


async def test_alive_whatever_the_sources_do() -> None:
    async with client_of(DownDatabase(), {}, {}) as client:
        answer = await client.get("/healthz")
        assert (await client.head("/healthz")).status_code == 200
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


async def test_ready_tells_every_source() -> None:
    code, body = await ready_of(SoundDatabase(), {"still": StillShelf(SourceState.READY)})
    assert code == 200
    assert body == {
        "status": "ready",
        "database": {"state": "ready", "message": None},
        "sources": [
            {"name": "still", "state": "ready", "message": None, "dataVersion": "v1", "counts": {"thing": 3}}
        ],
    }


@pytest.mark.parametrize("state", [SourceState.UNAVAILABLE, SourceState.NOT_CONFIGURED, SourceState.DEGRADED])
async def test_one_source_that_answers_is_enough(state: SourceState) -> None:
    code, body = await ready_of(
        SoundDatabase(), {"still": StillShelf(SourceState.READY)}, {"other": status("other", state, "Why.")}
    )
    assert (code, body["status"]) == (200, "degraded")


@pytest.mark.parametrize("state", [SourceState.UNAVAILABLE, SourceState.NOT_CONFIGURED])
async def test_not_ready_when_no_source_answers(state: SourceState) -> None:
    code, body = await ready_of(SoundDatabase(), {"still": StillShelf(state)})
    assert (code, body["status"]) == (503, "unavailable")


async def test_not_ready_when_the_database_is_down() -> None:
    code, body = await ready_of(DownDatabase(), {"still": StillShelf(SourceState.READY)})
    assert (code, body["status"]) == (503, "unavailable")
    assert body["database"] == {"state": "unavailable", "message": "The database db does not answer."}


async def test_what_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "READY_SECONDS", 0.05)
    code, body = await ready_of(HungDatabase(), {"still": StillShelf(SourceState.READY)})
    assert (code, body["database"]) == (
        503,
        {"state": "unavailable", "message": "The database db did not answer within 0.05 seconds."},
    )
    code, body = await ready_of(SoundDatabase(), {"hung": HungShelf()})
    assert (code, body["database"]) == (
        503,
        {"state": "unavailable", "message": "The sources did not say how they are within 0.05 seconds."},
    )
