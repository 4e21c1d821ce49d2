"""A real server on a free loopback port, for tests that must go through a socket."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

START_SECONDS = 20.0


class _Announcing(uvicorn.Server):
    """A server that says when it listens, and leaves the signals to the test runner."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """Serves `app` in a thread while the context lasts; gives its base URL, `http://127.0.0.1:PORT`."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = _Announcing(uvicorn.Config(app, log_config=None, lifespan="auto", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        assert server.listening.wait(START_SECONDS), "the server did not start"
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(START_SECONDS)
        listener.close()
