"""A datasets shelf that asks fake portals over real HTTP on loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as AsgiScope

from resolvers.scope import Scope
from sources.datasets.settings import DatasetsSettings
from sources.datasets.source import DatasetsShelf
from tests.support.fake_ckan import FakeCkan
from tests.support.fake_upstream import FakeUpstream
from tests.support.http_world import PUBLIC, World, http_world
from tests.support.server import serving


class _Socket:
    """A server that stays up between tests, and the application that it serves now."""

    def __init__(self, stack: ExitStack) -> None:
        self.app: ASGIApp | None = None
        self.url = stack.enter_context(serving(self))

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await FakeUpstream()(scope, receive, send)
        else:
            assert self.app is not None, "a request to a portal of a test that is over"
            await self.app(scope, receive, send)


_servers = ExitStack()
_idle: list[_Socket] = []


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    """As `serving`, without the fifth of a second that starting and stopping a server takes."""
    taken = _idle.pop() if _idle else _Socket(_servers)
    taken.app = app
    try:
        yield taken.url
    finally:
        taken.app = None
        _idle.append(taken)


@pytest.fixture(scope="session", autouse=True)
def _servers_of_fakes() -> Iterator[None]:
    """Ends the servers with the session."""
    yield
    _servers.close()
    _idle.clear()


@dataclass(slots=True)
class CkanWorld:
    """The opened shelf in a scope, and what stands in for the outside. `urls` are those of the portals, in order."""

    scope: Scope
    shelf: DatasetsShelf
    world: World
    urls: tuple[str, ...]

    @property
    def url(self) -> str:
        """The first portal's."""
        return self.urls[0]


@asynccontextmanager
async def ckan_world(
    *portals: FakeCkan,
    named: Mapping[str, FakeCkan] | None = None,
    http: Mapping[str, Any] | None = None,
    **settings: Any,
) -> AsyncIterator[CkanWorld]:
    """Serves `portals` on ports of their own, and at most one of `named` (by host name, over plain HTTP)."""
    async with AsyncExitStack() as stack:
        urls = [stack.enter_context(served(portal)) for portal in portals]
        allowed = [url.removeprefix("http://") for url in urls]
        names: dict[str, list[list[str]]] = {}
        routes: dict[str, int] = {}
        for number, (host, portal) in enumerate((named or {}).items()):
            address = f"{PUBLIC.rpartition('.')[0]}.{20 + number}"
            names[host] = [[address]]
            routes[address] = int(stack.enter_context(served(portal)).rpartition(":")[2])
            allowed.append(f"{host}:80")
        given = {"retry_seconds": 0.01, **(http or {})}
        world = await stack.enter_async_context(http_world(names=names, routes=routes, **given))
        read = DatasetsSettings(
            _env_file=None, **{"allowed_hosts": (*allowed, *settings.pop("allowed_hosts", ())), **settings}
        )
        shelf = DatasetsShelf(
            world.http.guarded(allowed_hosts=read.allowed_hosts),
            read,
            world.clock.clock(),
            title="",
            description="",
        )
        stack.push_async_callback(shelf.close)
        bases = tuple(url + portal.prefix for url, portal in zip(urls, portals, strict=True))
        yield CkanWorld(Scope({"datasets": shelf}, {}), shelf, world, bases)
