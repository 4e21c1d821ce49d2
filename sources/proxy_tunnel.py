"""An HTTP proxy, asked to open a tunnel (CONNECT, RFC 9110 section 9.3.6).

httpx has proxies of its own, but they are given a name and look it up themselves: the guard would check one
address and the proxy connect to another. Here the proxy is given the address that was checked.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import httpcore

from sources.web_address import UnusableUrl, read_host_port

_LONGEST_ANSWER = 4_096


@dataclass(frozen=True, slots=True)
class Proxy:
    """Where the proxy listens, and the value of its Proxy-Authorization header."""

    host: str
    port: int
    authorization: str | None = None

    @classmethod
    def read(cls, text: str) -> Proxy:
        """Reads `http://user:password@host:port`. Raises UnusableUrl, which never repeats the password."""
        wrong = UnusableUrl("is not the URL of a proxy like `http://host:port`.")
        try:
            parts = urlsplit(text)
            site = parts.netloc.rpartition("@")[2]
            host, port = read_host_port(site if parts.port else f"{site.rstrip(':')}:80")
        except ValueError:
            raise wrong from None
        if parts.scheme != "http" or parts.path.strip("/") or parts.query:
            raise wrong
        authorization = None
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            authorization = "Basic " + base64.b64encode(pair.encode()).decode("ascii")
        return cls(host, port, authorization)


async def open_tunnel(
    stream: httpcore.AsyncNetworkStream, proxy: Proxy, host: str, port: int, seconds: float | None
) -> None:
    """Has the proxy at the other end of `stream` connect it to `host`. Raises httpcore.ProxyError."""
    site = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {site} HTTP/1.1", f"Host: {site}"]
    if proxy.authorization is not None:
        lines.append(f"Proxy-Authorization: {proxy.authorization}")
    await stream.write("\r\n".join([*lines, "", ""]).encode("ascii"), seconds)
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        # One byte at a time: what follows the head is the upstream's, and belongs to whoever reads on.
        part = await stream.read(1, seconds)
        if not part or len(answer) > _LONGEST_ANSWER:
            raise httpcore.ProxyError("the proxy broke off its answer")
        answer += part
    status = answer.split(b" ", 2)[1:2]
    if not status or not status[0].startswith(b"2"):
        raise httpcore.ProxyError("the proxy refused")
