"""A server without a network starts, and answers what needs none."""

from __future__ import annotations

from typing import Any, NoReturn

import httpcore
import pytest

from api.execution import Executor, Operation
from api.opening import open_house
from api.settings import Settings
from schema.query import build_schema


async def test_opening_and_what_is_known_here_touch_no_network(
    seeded_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    async def refuse(self: object, host: str, port: int, *_: Any, **__: Any) -> NoReturn:
        asked.append((host, port))
        raise httpcore.ConnectError("no network")

    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", refuse)
    async with open_house(seeded_settings) as house:
        executor = Executor(build_schema(), scope=lambda: house.scope)
        outcome = await executor.execute(
            Operation('{ portals(query: "toronto") { key } sources { name state } }')
        )
        answer = outcome.formatted()
        assert "errors" not in answer
        assert answer["data"]["portals"] == [{"key": "toronto"}]
        assert {"name": "datasets", "state": "READY"} in answer["data"]["sources"]
        assert asked == []
        wanted = (
            await executor.execute(Operation('{ datasets(serverUrl: "192.0.2.1") { totalCount } }'))
        ).formatted()
        assert wanted["data"] == {"datasets": None}
        (error,) = wanted["errors"]
        assert error["extensions"]["code"] == "BAD_USER_INPUT"
        assert asked == []
