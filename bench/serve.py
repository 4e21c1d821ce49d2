"""The servers that are measured, each in a process of its own: `python -m bench.serve app|static FD`.

Both run under the same uvicorn with the same options, on a listening socket that the caller opened.
"""

from __future__ import annotations

import socket
import sys

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send


async def static(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers `/SIZE` with as many bytes as it says: the least that any ASGI application can do."""
    if scope["type"] != "http":
        return
    body = b"x" * int(scope["path"].strip("/"))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def main() -> None:
    name, descriptor = sys.argv[1:]
    app: ASGIApp = static
    if name == "app":
        from api.app import create_app

        app = create_app()
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, lifespan="on" if name == "app" else "off", ws="none"
    )
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=int(descriptor))])


if __name__ == "__main__":
    main()
