"""`loregraph serve`: the server, from the settings to the last request."""

from __future__ import annotations

import contextlib
import functools
import signal
import socket
import sys
from types import FrameType

import typer
import uvicorn
from uvicorn.supervisors import Multiprocess

from api.app import create_app
from api.commands.listening import listen
from api.commands.starting import Options, prepare_and_show, read_and_log
from api.environment import read_settings
from api.hosts import is_loopback
from api.settings import Settings
from api.telemetry import configure_logging
from sources.errors import LoregraphError
from sources.vector_settings import VectorSettings

WORKER_START_SECONDS = 30
"""A worker that does not answer its parent for so long is replaced; on a busy machine it starts slowly."""

BACKLOG = 2048
"""Connections that the system keeps waiting while all workers are busy."""


def serve(options: Options) -> int:
    """Serves until it is told to stop; returns the exit code.

    Raises LoregraphError when the settings, the address or the database cannot be used.
    """
    settings = read_and_log(options)
    check_owner(settings, read_settings(VectorSettings))
    # A request to stop ends this process cleanly at any moment, also while it seeds.
    signal.signal(signal.SIGTERM, _stop)
    # Bound before the data is made ready, so that a taken port is known at once; answers only when ready.
    with listen(settings.host, settings.port) as bound:
        prepare_and_show(settings)
        config = uvicorn.Config(
            functools.partial(_worker_app, settings),
            factory=True,
            workers=settings.workers,
            loop="uvloop",
            http="httptools",
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_graceful_shutdown=settings.shutdown_seconds,
            timeout_worker_healthcheck=WORKER_START_SECONDS,
        )
        if settings.workers == 1:
            return _serve_alone(config, settings, bound)
        # Listening from here on: who calls before the first worker is ready waits instead of being refused.
        bound.listen(BACKLOG)
        announce(settings, bound)
        Multiprocess(config, sockets=[bound]).run()
    return 0


class TooManyOwners(LoregraphError):
    """Several processes are asked for, and each would own the same folder of vectors."""


def check_owner(settings: Settings, vectors: VectorSettings) -> None:
    """Raises TooManyOwners for several workers on embedded Chroma: two writers of a folder lose vectors unnoticed."""
    if settings.workers > 1 and vectors.indexing and vectors.chroma_url is None:
        raise TooManyOwners(
            f"{settings.workers} server processes cannot share the vectors in the data folder, which one process"
            " must own. Run a Chroma server (`chroma run`) and set LOREGRAPH_CHROMA_URL, or set LOREGRAPH_WORKERS to"
            " 1, or do without search by meaning with LOREGRAPH_INDEXING=false."
        )


def _serve_alone(config: uvicorn.Config, settings: Settings, bound: socket.socket) -> int:
    server = _AnnouncingServer(config, settings, bound)
    # uvicorn ends the requests that run, and then raises the signal again that it was stopped by.
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[bound])
    return 0 if server.started else 1


def _worker_app(settings: Settings) -> object:
    # Workers are new processes, which know nothing of the parent's log.
    configure_logging(settings.log_level)
    return create_app(settings, prepared=True)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    sys.exit(0)


class _AnnouncingServer(uvicorn.Server):
    """Says where it listens once it does."""

    def __init__(self, config: uvicorn.Config, settings: Settings, bound: socket.socket) -> None:
        super().__init__(config)
        self._settings = settings
        self._bound = bound

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            announce(self._settings, self._bound)


def announce(settings: Settings, bound: socket.socket) -> None:
    """Says where the server answers and, off loopback, what that opens to whom."""
    for line in announcement(settings, bound.getsockname()):
        typer.echo(line, err=True)


def announcement(settings: Settings, address: tuple[object, ...]) -> list[str]:
    """The lines that `announce` prints; `address` is what the socket says that it is bound to."""
    host, port = str(address[0]), address[1]
    named = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104
    base = f"http://{f'[{named}]' if ':' in named else named}:{port}"
    lines = [f"loregraph listens on {base}", f"  GraphQL  {base}/graphql", f"  MCP      {base}/mcp"]
    if not is_loopback(host):
        hosts = (
            ", ".join(settings.allowed_hosts)
            or "none; LOREGRAPH_ALLOWED_HOSTS takes the names it is known by"
        )
        lines += [
            f"Open to the network: whoever reaches {host} port {port} can read every source, no token asked.",
            f"  Host names answered besides loopback: {hosts}",
            f"  Web pages that may call it: {', '.join(settings.allowed_origins) or 'none'}",
        ]
    return lines
