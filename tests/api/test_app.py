"""The application as a whole: its routes, the checks before them, its settings, and a source that fails."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from pydantic_settings import BaseSettings

from api import opening
from api.app import limits_of, mcp_options_of
from api.execution import Limits
from api.mcp_tools.options import McpOptions
from api.settings import Settings, load_settings
from sources.errors import DataFolderError, SourceNotConfigured
from sources.source import Resources, Shelf, Source, SourceState
from tests.support.application import application

ACCEPT = {"accept": "application/json, text/event-stream"}


@pytest.fixture
async def client(seeded_settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    async with application(seeded_settings) as one:
        yield one


async def test_graphql_answers(client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", json={"query": '{ spell(key: "srd_fireball") { name level } }'})
    assert answer.json()["data"] == {"spell": {"name": "Fireball", "level": 3}}


async def test_mcp_answers(client: httpx.AsyncClient) -> None:
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "get_spell", "arguments": {"key": "srd_fireball"}},
    }
    answer = (await client.post("/mcp", json=call, headers=ACCEPT)).json()
    assert answer["result"]["structuredContent"]["spell"]["name"] == "Fireball"


async def test_a_browser_sees_the_page_at_both_addresses(client: httpx.AsyncClient) -> None:
    root = await client.get("/")
    door = await client.get("/graphql", headers={"accept": "text/html,*/*;q=0.8"})
    assert root.headers["content-type"] == door.headers["content-type"] == "text/html; charset=utf-8"
    assert "<title>loregraph</title>" in root.text
    assert door.content == root.content


async def test_an_unknown_path_is_404(client: httpx.AsyncClient) -> None:
    assert (await client.get("/graphiql")).status_code == 404


@pytest.mark.parametrize(
    "path", ["/", "/healthz", "/readyz", "/graphql", "/mcp", "/absent", "/playground/plain.js"]
)
async def test_every_path_is_guarded(path: str, client: httpx.AsyncClient) -> None:
    foreign_host = await client.post(path, headers={"host": "rebound.example"})
    foreign_page = await client.post(path, headers={"origin": "https://evil.example"})
    assert (foreign_host.status_code, foreign_page.status_code) == (421, 403)


async def test_both_doors_answer_to_the_names_of_the_settings(seeded_settings: Settings) -> None:
    settings = seeded_settings.model_copy(
        update={"allowed_hosts": ("lore.example",), "allowed_origins": ("https://app.example",)}
    )
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    async with application(settings) as client:
        for host in ("lore.example", "lore.example:9000", "localhost:1", "127.0.0.1"):
            for origin in ({}, {"origin": "https://app.example"}, {"origin": f"http://{host}"}):
                headers = {"host": host, **ACCEPT, **origin}
                graphql = await client.post("/graphql", json={"query": "{ __typename }"}, headers=headers)
                mcp = await client.post("/mcp", json=ping, headers=headers)
                assert (graphql.status_code, mcp.status_code) == (200, 200), headers


async def test_settings_bound_both_doors(seeded_settings: Settings) -> None:
    settings = seeded_settings.model_copy(update={"max_depth": 2, "max_body_bytes": 2_000})
    async with application(settings) as client:
        deep = await client.post("/graphql", json={"query": "{ spells { nodes { name } } }"})
        large = await client.post("/graphql", json={"query": "{ __typename }" + " " * 3_000})
        large_call = await client.post("/mcp", content=b" " * 3_000, headers=ACCEPT)
    assert deep.json()["errors"][0]["extensions"]["code"] == "QUERY_TOO_EXPENSIVE"
    assert (large.status_code, large_call.status_code) == (413, 413)


def test_without_settings_the_doors_keep_their_own_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in opening.all_variables():
        monkeypatch.delenv(variable.name, raising=False)
    settings = load_settings(env_file=None)
    assert limits_of(settings) == Limits()
    options = mcp_options_of(settings)
    assert options == McpOptions(max_body_bytes=settings.max_body_bytes, guarded=True)


async def test_the_lifespan_fills_an_empty_folder(tmp_path: Path) -> None:
    settings = load_settings({"data_dir": tmp_path / "data"}, env_file=None)
    async with application(settings) as client:
        answer = await client.post("/graphql", json={"query": "{ creatures { totalCount } }"})
    assert answer.json()["data"] == {"creatures": {"totalCount": 334}}


async def test_a_prepared_application_prepares_nothing(tmp_path: Path) -> None:
    settings = load_settings({"data_dir": tmp_path / "data"}, env_file=None)
    with pytest.raises(DataFolderError, match="does not exist"):
        await _enter(application(settings, prepared=True))
    assert not (tmp_path / "data").exists()


async def _enter(context: AbstractAsyncContextManager[object]) -> None:
    async with context:
        pytest.fail("the application started")


class BrokenSource(Source[BaseSettings]):
    """A source that cannot be opened."""

    name: ClassVar[str] = "broken"
    title: ClassVar[str] = "Broken"
    description: ClassVar[str] = "Cannot be opened."
    settings_type = BaseSettings

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def open(self, resources: Resources, settings: BaseSettings) -> Shelf:
        raise self.error


@pytest.mark.parametrize(
    ("error", "state", "message"),
    [
        (
            SourceNotConfigured("Set LOREGRAPH_BROKEN_URL."),
            SourceState.NOT_CONFIGURED,
            "Set LOREGRAPH_BROKEN_URL.",
        ),
        (
            DataFolderError("The index is gone.", hint="Run it."),
            SourceState.UNAVAILABLE,
            "The local store cannot answer now. The operator finds the reason in the server's log.",
        ),
        (
            RuntimeError("password=hunter2"),
            SourceState.UNAVAILABLE,
            "It could not be opened; the log says why.",
        ),
    ],
    ids=["not configured", "ours", "a fault"],
)
async def test_a_source_that_cannot_be_opened_leaves_the_others_open(
    error: Exception,
    state: SourceState,
    message: str,
    seeded_settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sound: Callable[[], tuple[Source[Any], ...]] = opening.all_sources
    with_broken = (BrokenSource(error), *sound())
    monkeypatch.setattr(opening, "all_sources", lambda: with_broken)
    async with application(seeded_settings, prepared=True) as client:
        ready = await client.get("/readyz")
        answer = await client.post(
            "/graphql",
            json={"query": "{ sources { name state message } spells { totalCount } }"},
        )
    assert ready.status_code == 200
    assert ready.json()["status"] == "degraded"
    found = {source["name"]: source for source in answer.json()["data"]["sources"]}
    assert found["broken"] == {"name": "broken", "state": state.name, "message": message}
    assert found["dnd"] == {"name": "dnd", "state": "READY", "message": None}
    assert answer.json()["data"]["spells"] == {"totalCount": 319}


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("LOCALHOST.", 200),
        ("evil.localhost", 200),
        ("127.0.0.2:8000", 200),
        ("[::1]", 200),
        ("lore.example:1", 200),
        ("evil.example", 421),
    ],
)
async def test_one_check_of_the_host_stands_before_both_doors(
    seeded_settings: Settings, host: str, status: int
) -> None:
    settings = seeded_settings.model_copy(update={"allowed_hosts": ("lore.example",)})
    headers = {**ACCEPT, "host": host, "origin": "http://app.localhost:1"}
    async with application(settings) as client:
        asked = await client.post("/graphql", json={"query": "{ __typename }"}, headers=headers)
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        called = await client.post("/mcp", json=call, headers=headers)
    assert (asked.status_code, called.status_code) == (status, status)


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "NOT_FOUND"),
        ("GET", "/playground/nothing.js", 404, "NOT_FOUND"),
        ("POST", "/healthz", 405, "BAD_USER_INPUT"),
        ("DELETE", "/", 405, "BAD_USER_INPUT"),
        ("PUT", "/graphql", 405, "BAD_USER_INPUT"),
    ],
)
async def test_every_refusal_is_json_with_a_code(
    seeded_settings: Settings, method: str, path: str, status: int, code: str
) -> None:
    async with application(seeded_settings) as client:
        answer = await client.request(method, path)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("application/json")
    (error,) = answer.json()["errors"]
    assert error["extensions"]["code"] == code
    assert ("allow" in answer.headers) == (status == 405)
