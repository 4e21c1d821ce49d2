"""The web application: both doors, the checks before them, and what opens and closes with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Route

from api.environment import ENV_FILE
from api.execution import Executor, Limits
from api.graphql_http import graphql_endpoint
from api.guard import Guard
from api.health import healthz, readyz
from api.mcp_tools.options import McpOptions
from api.mcp_tools.server import McpDoor
from api.opening import open_house, prepare
from api.playground.page import Playground
from api.refusals import no_such_route
from api.settings import Settings, load_settings
from resolvers.scope import Scope
from schema.query import ROOMS, build_schema


def create_app(settings: Settings | None = None, *, prepared: bool = False) -> Starlette:
    """The application of these settings, or of those in the environment.

    Its lifespan migrates and seeds the database, unless `prepared` says that this is done, and opens the house,
    which then is `app.state.house`. It can be run once. Raises WrongSettings.
    """
    chosen = load_settings(None, ENV_FILE) if settings is None else settings
    schema = build_schema()

    def scope() -> Scope:
        opened: Scope = app.state.house.scope
        return opened

    executor = Executor(schema, limits=limits_of(chosen), scope=scope)
    door = McpDoor(schema, executor, mcp_options_of(chosen), ROOMS)
    playground = Playground()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if not prepared:
            await prepare(chosen)
        async with open_house(chosen, background=True) as house, door.run():
            app.state.house = house
            yield

    app = Starlette(
        routes=[
            *playground.routes(),
            graphql_endpoint(executor, body_limit=chosen.max_body_bytes, html=playground.page),
            *door.routes(),
            Route("/healthz", healthz, name="healthz"),
            Route("/readyz", readyz, name="readyz"),
        ],
        middleware=[
            Middleware(
                Guard,
                hosts=chosen.allowed_hosts,
                origins=chosen.allowed_origins,
                body_seconds=chosen.body_seconds,
            )
        ],
        exception_handlers={HTTPException: no_such_route},
        lifespan=lifespan,
    )
    return app


def limits_of(settings: Settings) -> Limits:
    """The bounds of one operation under these settings."""
    return replace(
        Limits(),
        tokens=settings.max_tokens,
        depth=settings.max_depth,
        aliases=settings.max_aliases,
        root_fields=settings.max_root_fields,
        cost=settings.max_cost,
        seconds=settings.deadline_seconds,
    )


def mcp_options_of(settings: Settings) -> McpOptions:
    """The options of the MCP door under these settings."""
    return McpOptions(
        result_bytes=settings.mcp_result_bytes,
        output_schemas=settings.mcp_output_schemas,
        guarded=True,
        max_body_bytes=settings.max_body_bytes,
    )
