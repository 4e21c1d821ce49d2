"""The one HTTP client, through which every upstream is asked.

`Http` is opened once for the house and makes two kinds of `HttpClient`: `trusted`, for a base URL that the
operator set, and `guarded`, for URLs that come from a query or from upstream data. Both put the same between a
question and the network, each part in a module of its own:

- answers kept for use again, and standing in while the upstream fails (`http_client.py`, `http_cache.py`)
- one request for all who ask the same at the same time (`single_flight.py`)
- retries (tenacity), within the time that the question has left (`deadline.py`)
- turns: requests at once and a second (aiolimiter), pauses, a circuit breaker (`http_gate.py`)
- redirects hop by hop, bounds on time and size, the check that it is JSON (`http_exchange.py`)
- the address guard, on the URL and on the address connected to (`address_guard.py`, `guarded_network.py`)

All requests are questions that change nothing upstream, POST as well: they may be repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import httpcore

from sources.address_guard import AddressGuard
from sources.circuit_breaker import CircuitBreaker
from sources.clock import Clock
from sources.errors import SourceNotConfigured
from sources.guarded_network import GuardedNetwork, Resolve, SystemResolver
from sources.http_cache import MemoryCache, ResponseCache
from sources.http_client import Fetched, HttpClient
from sources.http_exchange import Exchange, Lane
from sources.http_gate import HostGate, HostGates, HostLimits
from sources.http_pool import open_transport, trusted_authorities
from sources.http_settings import HttpSettings
from sources.proxy_tunnel import Proxy
from sources.web_address import UnusableUrl, WebAddress, read_url

__all__ = ["Fetched", "HostLimits", "Http", "HttpClient", "HttpSettings"]


class Http:
    """What all clients share: connections, kept answers, the settings. Opened once for the house.

    `resolve`, `network` and `clock` are the outside world, for tests to stand in for.
    """

    def __init__(
        self,
        settings: HttpSettings,
        *,
        cache: ResponseCache | None = None,
        clock: Clock | None = None,
        resolve: Resolve | None = None,
        network: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self.settings = settings
        self.cache = cache if cache is not None else MemoryCache(settings.cache_entries, settings.cache_bytes)
        self._clock = clock or Clock()
        self._resolve = resolve
        self._network = network
        self._proxy = Proxy.read(settings.proxy.get_secret_value()) if settings.proxy is not None else None
        self._authorities = trusted_authorities(settings.ca_file)
        self._lanes: dict[str, Lane] = {}
        self._clients: list[HttpClient] = []

    def trusted(
        self,
        name: str,
        base_url: str,
        *,
        headers: Mapping[str, str] | None = None,
        limits: HostLimits | None = None,
    ) -> HttpClient:
        """A client for a base URL from the settings: the operator's word, so the guard does not stand before it.

        `headers` (a key, a language) are sent to that host alone. Where a redirect or a link of the upstream
        leads to another host, the guard stands. Raises SourceNotConfigured for a URL that cannot be used.
        """
        try:
            base = read_url(base_url)
            if "?" in base.target:
                raise UnusableUrl("must not hold a query.")
        except UnusableUrl as error:
            raise SourceNotConfigured(f"The base URL of {name} {error}") from None
        return self._client(AddressGuard(self.settings.ports), base, name, headers, limits)

    def guarded(self, *, allowed_hosts: Iterable[str] = (), limits: HostLimits | None = None) -> HttpClient:
        """A client for URLs from anywhere, behind the address guard.

        `allowed_hosts` are `host:port` texts of the operator, let through wherever they lead. Raises
        SourceNotConfigured for one that cannot be read.
        """
        try:
            guard = AddressGuard(self.settings.ports, allowed_hosts)
        except UnusableUrl as error:
            raise SourceNotConfigured(f"An allowed host {error}") from None
        return self._client(guard, None, None, None, limits)

    async def close(self) -> None:
        """Ends what is under way and closes all connections."""
        for client in self._clients:
            await client.close()
        for lane in self._lanes.values():
            await lane.transport.aclose()

    def _client(
        self,
        guard: AddressGuard,
        base: WebAddress | None,
        name: str | None,
        headers: Mapping[str, str] | None,
        limits: HostLimits | None,
    ) -> HttpClient:
        settings = self.settings
        of_host = limits or HostLimits(settings.host_connections, settings.host_rate, settings.host_burst)

        def gate() -> HostGate:
            breaker = CircuitBreaker(
                settings.breaker_failures, settings.breaker_seconds, self._clock.monotonic
            )
            return HostGate(of_host, breaker, self._clock.monotonic)

        exchange = Exchange(
            settings=settings,
            clock=self._clock,
            gates=HostGates(gate),
            guarded=self._lane(guard),
            trusted=self._lane(None) if base is not None else None,
            base=base,
        )
        client = HttpClient(
            exchange,
            self.cache,
            rules=f"{base.origin if base is not None else ''} {guard.rules}",
            name=name,
            headers={key.lower(): value for key, value in (headers or {}).items()},
        )
        self._clients.append(client)
        return client

    def _lane(self, guard: AddressGuard | None) -> Lane:
        rules = "trusted" if guard is None else guard.rules
        lane = self._lanes.get(rules)
        if lane is None:
            # Each lane looks names up in threads of its own: names that hang in a stranger's URLs must not
            # keep the operator's upstreams waiting.
            resolve = self._resolve or SystemResolver()
            network = GuardedNetwork(guard, resolve, self._proxy, self.settings.proxy_except, self._network)
            transport = open_transport(network, self._authorities, self.settings.connections)
            lane = self._lanes[rules] = Lane(transport, guard)
        return lane
