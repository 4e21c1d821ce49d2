"""The whole application in this process, without a socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from starlette.applications import Starlette

from api.app import create_app
from api.settings import Settings

BASE_URL = "http://localhost:8000"


@asynccontextmanager
async def application(settings: Settings, *, prepared: bool = False) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application of `settings`, whose lifespan runs meanwhile."""
    app = create_app(settings, prepared=prepared)
    async with living(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url=BASE_URL) as client:
            yield client


@asynccontextmanager
async def living(app: Starlette) -> AsyncIterator[None]:
    """Runs the lifespan of `app` in a task of its own, as a server does; fixtures begin and end in two."""
    started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    over = asyncio.Event()

    async def live() -> None:
        try:
            async with app.router.lifespan_context(app):
                started.set_result(None)
                await over.wait()
        except BaseException as error:
            if started.done():
                raise
            started.set_exception(error)

    task = asyncio.create_task(live())
    await started
    try:
        yield
    finally:
        over.set()
        await task
