"""httpx's requests and answers on a pool of connections whose network is ours.

httpx's own transport has no place for a network, httpcore's pool below it has. `httpx.AsyncClient` is left out:
it keeps cookies (one portal's must never reach another, nor tie two questions together), logs URLs with what
was asked, and reads every Location header with a reader of its own, though it was told not to follow. So
nothing is ever read from the environment either: `trust_env` and its proxies are the client's.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from functools import lru_cache
from pathlib import Path

import httpcore
import httpx

IDLE_SECONDS = 30
"""A connection that was not used for this long is closed."""


class _Body(httpx.AsyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._response.aiter_stream():
            yield part

    async def aclose(self) -> None:
        await self._response.aclose()


class PoolTransport(httpx.AsyncBaseTransport):
    """Sends httpx's requests through an httpcore pool. Raises httpcore's errors, and those of the network."""

    def __init__(self, pool: httpcore.AsyncConnectionPool) -> None:
        self._pool = pool

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends one request; the body of the answer is still to be read."""
        response = await self._pool.handle_async_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=request.url.raw_scheme,
                    host=request.url.raw_host,
                    port=request.url.port,
                    target=request.url.raw_path,
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(
            status_code=response.status,
            headers=response.headers,
            stream=_Body(response),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._pool.aclose()


@lru_cache(maxsize=4)
def trusted_authorities(ca_file: Path | None) -> ssl.SSLContext:
    """What certificates are verified against: `certifi`, or the authorities of a file."""
    if ca_file is None:
        return httpx.create_ssl_context(trust_env=False)
    return ssl.create_default_context(cafile=ca_file)


def open_transport(
    network: httpcore.AsyncNetworkBackend, authorities: ssl.SSLContext, connections: int
) -> PoolTransport:
    """A transport over `network` that opens at most `connections` at once."""
    return PoolTransport(
        httpcore.AsyncConnectionPool(
            ssl_context=authorities,
            max_connections=connections,
            max_keepalive_connections=connections,
            keepalive_expiry=IDLE_SECONDS,
            network_backend=network,
        )
    )
