"""One MCP server over Streamable HTTP: the checks before it, its route, and its life."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from api.mcp_tools.envelope import Envelope
from api.mcp_tools.options import ANY, LOOPBACK_HOSTS, McpOptions


class HttpTransport:
    """Streamable HTTP for one server of the SDK. Mount `route()`, and enter `run()` once while the app lives.

    Each request stands alone, so there are no sessions to lose, and is answered by one JSON document. A server
    whose tools talk to the client while they work needs `streaming`, which answers by a stream of events; to ask
    clients of the older revisions something meanwhile it needs `sessions` as well.
    """

    def __init__(
        self, server: Server[Any], options: McpOptions, *, streaming: bool = False, sessions: bool = False
    ) -> None:
        self._manager = StreamableHTTPSessionManager(
            app=server,
            stateless=not sessions,
            json_response=not streaming,
            security_settings=TransportSecuritySettings(
                enable_dns_rebinding_protection=not options.guarded
                and ANY not in options.allowed_hosts + options.allowed_origins,
                allowed_hosts=list(options.allowed_hosts or LOOPBACK_HOSTS),
                allowed_origins=list(options.allowed_origins),
            ),
            max_request_body_size=options.max_body_bytes,
        )
        self._sessions = sessions
        self._body_limit = options.max_body_bytes

    def route(self, path: str, name: str = "mcp") -> Route:
        """The route. POST alone without sessions: a GET would open a stream that nothing is ever sent on."""
        app = _Trimmed(StreamableHTTPASGIApp(self._manager))
        if self._sessions:
            return Route(path, endpoint=app, methods=["GET", "POST", "DELETE"], name=name)
        return Route(path, endpoint=Envelope(app, body_limit=self._body_limit), name=name)

    def run(self) -> AbstractAsyncContextManager[None]:
        """Keeps the transport running; to be entered once, by the lifespan of the app that has the route."""
        return self._manager.run()


class _Trimmed:
    """Takes the blanks off header values. HTTP gives them no meaning, but not every HTTP parser drops them, and
    the transport compares headers with the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        await self._app({**scope, "headers": headers}, receive, send)
