"""A URL read once, strictly, into the parts that are then connected to.

Attacks on address checks live from two readers of one text that disagree on where the host is. Here a text is
read once; what is checked, connected to, sent and logged is built from the parts, never from the text again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import quote, urljoin, urlsplit

import httpx
import idna

from sources.errors import shorten

LONGEST_URL = 8_000
DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
# What RFC 3986 allows in a path or query; `%` stands for what is escaped already.
_UNESCAPED = "!$&'()*+,;=:@/?-._~%"


class UnusableUrl(ValueError):
    """A text that cannot be used as a URL. Its words complete the sentence "`argument` …"."""


@dataclass(frozen=True, slots=True)
class WebAddress:
    """An http or https URL. `host` is in lower case and ASCII, or an IP address without brackets."""

    scheme: str
    host: str
    port: int
    target: str
    """Path and query, escaped; begins with a slash."""

    @property
    def ip(self) -> IPv4Address | IPv6Address | None:
        """The host, when it is an address and no name."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port: what a web page's rights are bound to."""
        return self.scheme, self.host, self.port

    @property
    def site(self) -> str:
        """Host and port as they stand in a URL; the port only where it is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.site}{self.target}"

    def url(self) -> httpx.URL:
        """The same for httpx. Raises UnusableUrl when httpx reads it differently."""
        try:
            url = httpx.URL(str(self))
        except httpx.InvalidURL as error:
            raise UnusableUrl("is not a URL that can be asked.") from error
        read = url.raw_host.decode("ascii").strip("[]"), url.port or DEFAULT_PORTS[self.scheme]
        if read != (self.host, self.port) or url.userinfo:
            raise UnusableUrl("is not a URL that can be asked.")
        return url


def read_url(text: str) -> WebAddress:
    """Reads an absolute http or https URL. Raises UnusableUrl.

    Refused are user names and passwords, blanks, control characters, backslashes, escaped hosts, and IPv4
    addresses in any other notation than four decimal numbers. A fragment is dropped.
    """
    text = text.strip()
    if len(text) > LONGEST_URL:
        raise UnusableUrl(f"is longer than {LONGEST_URL} characters.")
    if any(not character.isprintable() or character in ' \\"<>' for character in text):
        raise UnusableUrl(f"holds a character that no URL may hold: `{shorten(text)}`.")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise UnusableUrl(f"is not a URL: `{shorten(text)}`.") from None
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        raise UnusableUrl(f"must be a URL like `https://data.example.org`, got `{shorten(text)}`.")
    if "@" in parts.netloc:
        raise UnusableUrl("must not hold a user name or password.")
    if port == 0:
        raise UnusableUrl("names port 0, which nothing listens on.")
    host = _bracketed(parts.hostname) if parts.netloc.startswith("[") else canonical_host(parts.hostname)
    target = quote(parts.path or "/", safe=_UNESCAPED)
    if parts.query:
        target += "?" + quote(parts.query, safe=_UNESCAPED)
    return WebAddress(parts.scheme, host, port or DEFAULT_PORTS[parts.scheme], target)


def follow(address: WebAddress, location: str) -> WebAddress:
    """Where a redirect from `address` leads. Raises UnusableUrl."""
    try:
        return read_url(urljoin(str(address), location.strip()))
    except UnusableUrl:
        raise
    except ValueError:
        raise UnusableUrl("is not a URL.") from None


def read_host_port(text: str) -> tuple[str, int]:
    """Reads `host:port`, as a setting names it; an IPv6 address stands in brackets. Raises UnusableUrl."""
    try:
        parts = urlsplit(f"//{text.strip()}")
        port = parts.port
    except ValueError:
        port = None
    if not port or not parts.hostname or "@" in parts.netloc or parts.path or parts.query or parts.fragment:
        raise UnusableUrl(f"must be like `host:port`, got `{shorten(text)}`.")
    if parts.netloc.startswith("["):
        return _bracketed(parts.hostname), port
    return canonical_host(parts.hostname), port


def canonical_host(host: str) -> str:
    """A host name or IPv4 address in lower case and ASCII, without the root's dot. Raises UnusableUrl."""
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except (idna.IDNAError, UnicodeError):
            raise UnusableUrl(f"names a host that cannot exist: `{shorten(host)}`.") from None
    host = host.lower().removesuffix(".")
    if len(host) > 253 or not _HOST.fullmatch(host):
        raise UnusableUrl(f"names a host that cannot exist: `{shorten(host)}`.")
    if _NUMBER.fullmatch(host.rpartition(".")[2]):
        # What ends in a number is an address to every resolver: `0x7f.1`, `2130706433`, `0177.0.0.1`.
        try:
            return str(IPv4Address(host))
        except ValueError:
            raise UnusableUrl(
                f"must write an IPv4 address as four decimal numbers, got `{shorten(host)}`."
            ) from None
    return host


def _bracketed(host: str) -> str:
    try:
        address = IPv6Address(host)
    except ValueError:
        raise UnusableUrl(f"names an IPv6 address that cannot exist: `{shorten(host)}`.") from None
    if address.scope_id is not None:
        raise UnusableUrl("must not name a network interface.")
    return address.compressed
