"""Names of hosts and origins of pages: how a Host or Origin header and the settings of allowed ones are read."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

ANY = "*"

_NAME = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?")
_PORT = re.compile(r"[0-9]{1,5}")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def split_host(host: str) -> tuple[str | None, int | None]:
    """The name and the port of a Host header, the name in lower case; no name when it is malformed.

    An IPv6 address stands in brackets, and is given without them in its shortest form.
    """
    text = host.strip(" \t").lower()
    if text.startswith("["):
        address, closed, rest = text[1:].partition("]")
        try:
            name = ipaddress.IPv6Address(address).compressed
        except ValueError:
            return None, None
        if not closed:
            return None, None
    else:
        name, colon, port = text.partition(":")
        rest = colon + port
        if not _NAME.fullmatch(name):
            return None, None
    if not rest:
        return name.rstrip("."), None
    if not rest.startswith(":") or not _PORT.fullmatch(rest[1:]) or int(rest[1:]) > 65535:
        return None, None
    return name.rstrip("."), int(rest[1:])


def split_origin(origin: str) -> tuple[str, str, int | None] | None:
    """The scheme, the host's name and the port of an Origin, a web page's default port written out.

    None for what no browser sends as the origin of a page: no scheme, a path, the word `null`.
    """
    try:
        parts = urlsplit(origin.strip(" \t").lower())
    except ValueError:
        return None
    if not _SCHEME.fullmatch(parts.scheme) or parts.path or parts.query or parts.fragment:
        return None
    name, port = split_host(parts.netloc)
    if name is None:
        return None
    return parts.scheme, name, _DEFAULT_PORTS.get(parts.scheme) if port is None else port


def is_loopback(name: str) -> bool:
    """Whether a host name can only mean this machine: `localhost` and below it, 127.0.0.0/8, `::1`.

    The names below `localhost` are among them: RFC 6761, section 6.3, gives all of them to loopback, no public
    name server may answer for them, and browsers resolve them by themselves. So no page of somebody else can come
    to stand under one, which is what the check of the Host header is for, and `loregraph.localhost`, as local
    proxies hand it out, works without a setting.
    """
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
