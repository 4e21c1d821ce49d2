"""Connections that go to the very address that was checked.

httpcore asks this network for a connection to a host name. The name is looked up once, all its addresses are
checked, and one of these addresses is connected to: between check and connection there is no second look-up
that could answer differently (DNS rebinding). TLS still verifies the certificate against the name.
"""

from __future__ import annotations

import socket
import typing
from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import ip_address
from itertools import zip_longest

import anyio
import anyio.to_thread
import httpcore

from sources.address_guard import AddressGuard
from sources.proxy_tunnel import Proxy, open_tunnel

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The IP addresses of a host name, best first. Raises NameUnknown."""

LOOKUPS = 16
"""Names that one resolver looks up at once; a look-up that hangs holds a thread until the system gives up."""
TRIED_ADDRESSES = 4


class NameUnknown(Exception):
    """A name without an address; `temporary` when the look-up itself failed and another may succeed."""

    def __init__(self, host: str, *, temporary: bool) -> None:
        super().__init__(host)
        self.temporary = temporary


class SystemResolver:
    """Looks names up as the operating system does, in threads of its own."""

    def __init__(self) -> None:
        self._threads: anyio.CapacityLimiter | None = None

    async def __call__(self, host: str, port: int) -> list[str]:
        if self._threads is None:
            self._threads = anyio.CapacityLimiter(LOOKUPS)
        return await anyio.to_thread.run_sync(
            _look_up, host, port, limiter=self._threads, abandon_on_cancel=True
        )


def _look_up(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        raise NameUnknown(host, temporary=error.errno == socket.EAI_AGAIN) from error
    except UnicodeError as error:
        raise NameUnknown(host, temporary=False) from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class GuardedNetwork(httpcore.AsyncNetworkBackend):
    """A network backend for httpcore's pools. Without a guard everything may be connected to.

    Raises AddressRefused, NameUnknown, and httpcore's errors.
    """

    def __init__(
        self,
        guard: AddressGuard | None,
        resolve: Resolve,
        proxy: Proxy | None = None,
        proxy_except: Iterable[str] = (),
        network: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self._guard = guard
        self._resolve = resolve
        self._proxy = proxy
        self._direct = frozenset(name.lower() for name in proxy_except)
        self._network = network or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        local_address: str | None = None,
        socket_options: typing.Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Looks `host` up, checks its addresses, and connects; all of it within `timeout` seconds."""
        with anyio.move_on_after(timeout):
            if self._guard is None and self._through_proxy(host):
                # The operator's own URL: the proxy may know names that are unknown here.
                return await self._connect((host,), port, timeout, tunnel=True)
            addresses = [host] if _is_address(host) else list(await self._resolve(host, port))
            if self._guard is not None:
                self._guard.check_addresses(host, port, addresses)
            chosen = _alternating(addresses)[:TRIED_ADDRESSES]
            return await self._connect(chosen, port, timeout, tunnel=self._through_proxy(host))
        raise httpcore.ConnectTimeout("no connection in time")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        socket_options: typing.Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Never done: a local socket is no upstream."""
        raise httpcore.UnsupportedProtocol("sockets of this machine are not connected to")

    async def sleep(self, seconds: float) -> None:
        """Part of httpcore's interface."""
        await self._network.sleep(seconds)

    def _through_proxy(self, host: str) -> bool:
        loopback = host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)
        return self._proxy is not None and not loopback and host not in self._direct

    async def _connect(
        self, addresses: Sequence[str], port: int, seconds: float | None, *, tunnel: bool
    ) -> httpcore.AsyncNetworkStream:
        share = None if seconds is None else seconds / len(addresses)
        failure: Exception = httpcore.ConnectError("no address")
        for address in addresses:
            try:
                if tunnel and self._proxy is not None:
                    return await self._tunnel(self._proxy, address, port, share)
                return await self._network.connect_tcp(address, port, share)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure

    async def _tunnel(
        self, proxy: Proxy, address: str, port: int, seconds: float | None
    ) -> httpcore.AsyncNetworkStream:
        stream = await self._network.connect_tcp(proxy.host, proxy.port, seconds)
        try:
            await open_tunnel(stream, proxy, address, port, seconds)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await stream.aclose()
            raise
        return stream


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _alternating(addresses: Sequence[str]) -> list[str]:
    """The addresses with IPv6 and IPv4 in turn, so that a broken one of the two costs one try, not all."""
    first = ":" in addresses[0] if addresses else False
    same = [address for address in addresses if (":" in address) == first]
    other = [address for address in addresses if (":" in address) != first]
    return [address for pair in zip_longest(same, other) for address in pair if address is not None]
