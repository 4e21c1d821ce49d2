"""Which addresses a stranger may have us connect to: those of the public Internet, and what the operator adds.

For URLs that come from a query or from upstream data. The rules are checked on the URL, and once more on each
address that its name stands for, right before that very address is connected to (`guarded_network.py`).

The tables follow the IANA special-purpose address registries (RFC 6890 and its successors). They are written
out here, since those of Python's `ipaddress` differ between its patch releases and call multicast public.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from sources.web_address import WebAddress, read_host_port

_IPV4 = {
    IPv4Network(network): kind
    for network, kind in {
        "0.0.0.0/8": "this network",
        "10.0.0.0/8": "private",
        "100.64.0.0/10": "shared between customers of a provider",
        "127.0.0.0/8": "loopback",
        "168.63.129.16/32": "a cloud's metadata service",
        "169.254.0.0/16": "link-local",
        "172.16.0.0/12": "private",
        "192.0.0.0/24": "reserved",
        "192.0.2.0/24": "for documentation",
        "192.88.99.0/24": "reserved",
        "192.168.0.0/16": "private",
        "198.18.0.0/15": "for benchmarks",
        "198.51.100.0/24": "for documentation",
        "203.0.113.0/24": "for documentation",
        "224.0.0.0/4": "multicast",
        "240.0.0.0/4": "reserved",
    }.items()
}
_GLOBAL_IPV6 = IPv6Network("2000::/3")
_IPV6 = {
    IPv6Network(network): kind
    for network, kind in {
        "2001::/23": "reserved",
        "2001:db8::/32": "for documentation",
        "2002::/16": "a 6to4 tunnel",
        "3fff::/20": "for documentation",
    }.items()
}
_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = (0x00005EFE, 0x02005EFE)
_LOCAL_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home.arpa")


class AddressRefused(Exception):
    """The guard lets nothing through to there. Its words complete the sentence "`argument` …".

    They do not tell a name with a private address from one with none at all: who asks must not learn the names
    of a private network.
    """

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


def refusal(address: IPv4Address | IPv6Address) -> str | None:
    """What kind of address it is that must not be connected to; None for one of the public Internet.

    An IPv6 address that leads to an IPv4 one is judged by that: mapped, NAT64. The tunnels of old, 6to4 and
    Teredo, are refused whatever they hold.
    """
    if isinstance(address, IPv4Address):
        return next((kind for network, kind in _IPV4.items() if address in network), None)
    if address.ipv4_mapped is not None:
        return refusal(address.ipv4_mapped)
    if address in _NAT64:
        return refusal(IPv4Address(int(address) & 0xFFFFFFFF))
    if address not in _GLOBAL_IPV6:
        return "not public"
    if (int(address) >> 32) & 0xFFFFFFFF in _ISATAP:
        return "an ISATAP tunnel"
    return next((kind for network, kind in _IPV6.items() if address in network), None)


class AddressGuard:
    """The rules of one kind of client: `ports` that URLs may name, and what the operator lets through.

    `allowed_hosts` are `host:port` texts; to exactly these there is no further check. Raises UnusableUrl for
    one that cannot be read.
    """

    def __init__(self, ports: Iterable[int], allowed_hosts: Iterable[str] = ()) -> None:
        self.ports = frozenset(ports)
        self.allowed = frozenset(read_host_port(text) for text in allowed_hosts)

    @property
    def rules(self) -> str:
        """All rules in one text: the same for two guards that let the same through."""
        return f"{sorted(self.ports)} {sorted(self.allowed)}"

    def allows(self, host: str, port: int) -> bool:
        """Whether the operator lets everything through to there."""
        return (host, port) in self.allowed

    def check_url(self, address: WebAddress) -> None:
        """Raises AddressRefused for what needs no look-up to be refused: ports, addresses, local names."""
        if self.allows(address.host, address.port):
            return
        if address.port not in self.ports:
            ports = " or ".join(str(port) for port in sorted(self.ports))
            raise AddressRefused(f"must not name the port {address.port}; only {ports} can be asked.")
        ip = address.ip
        if ip is None:
            self._check_name(address.host)
        elif refusal(ip) is not None:
            raise not_public(address.host)

    def check_addresses(self, host: str, port: int, addresses: Iterable[str]) -> None:
        """Raises AddressRefused when one of the addresses that `host` stands for is not public.

        One is enough: an honest name has no private address beside its public ones.
        """
        if self.allows(host, port):
            return
        checked = [refusal(ip) for ip in _parsed(host, addresses)]
        if not checked or any(checked):
            raise not_public(host)

    def _check_name(self, host: str) -> None:
        local = any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES)
        if local or "." not in host:
            raise not_public(host)


def not_public(host: str) -> AddressRefused:
    """The one refusal of a host, whether it has a private address or none."""
    return AddressRefused(f"names `{host}`, which has no public address.")


def _parsed(host: str, addresses: Iterable[str]) -> Iterator[IPv4Address | IPv6Address]:
    for text in addresses:
        try:
            yield ip_address(text)
        except ValueError:
            raise not_public(host) from None
