"""Whether the server lives, and whether it can answer: for load balancers, containers and people."""

from __future__ import annotations

from collections.abc import Sequence

import anyio
from starlette.requests import Request
from starlette.responses import Response

from api.execution import encode
from api.opening import House
from resolvers.source_status import all_statuses
from sources.database import Database, Statement
from sources.errors import LoregraphError
from sources.source import SourceState, SourceStatus

READY_SECONDS = 5.0
"""A source that does not say how it is within this time counts as one that cannot answer."""

ANSWERING = (SourceState.READY, SourceState.DEGRADED)

_HEADERS = {"cache-control": "no-store"}


async def healthz(request: Request) -> Response:
    """200 as long as the process answers at all. Asks nothing of any source."""
    return _json({"status": "ok"}, 200)


async def readyz(request: Request) -> Response:
    """The state of the database and of each source; 503 when the database or every source is down."""
    house: House = request.app.state.house
    problem = await database_problem(house.database)
    statuses: Sequence[SourceStatus] = ()
    with anyio.move_on_after(READY_SECONDS) as waiting:
        statuses = await all_statuses(house.scope)
    if waiting.cancelled_caught:
        problem = problem or f"The sources did not say how they are within {READY_SECONDS:g} seconds."
    answering = [status for status in statuses if status.state in ANSWERING]
    ready = problem is None and bool(answering)
    whole = all(status.state is SourceState.READY for status in statuses)
    body: dict[str, object] = {
        "status": ("ready" if whole else "degraded") if ready else "unavailable",
        "database": {"state": "ready" if problem is None else "unavailable", "message": problem},
        "sources": [source_body(status) for status in statuses],
    }
    return _json(body, 200 if ready else 503)


def source_body(status: SourceStatus) -> dict[str, object]:
    """A source's status for JSON."""
    return {
        "name": status.name,
        "state": status.state.value,
        "message": status.message,
        "dataVersion": status.data_version,
        "counts": {count.kind: count.count for count in status.counts},
    }


async def database_problem(database: Database) -> str | None:
    """Why the database does not answer; None when it does."""
    try:
        with anyio.fail_after(READY_SECONDS):
            await database.fetch(Statement("SELECT 1"))
    except LoregraphError as error:
        return error.public
    except TimeoutError:
        return f"The database {database.name} did not answer within {READY_SECONDS:g} seconds."
    return None


def _json(body: dict[str, object], status: int) -> Response:
    return Response(encode(body) + b"\n", status, _HEADERS, media_type="application/json")
