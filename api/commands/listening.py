"""The address that the server listens on."""

from __future__ import annotations

import errno
import socket

from sources.errors import LoregraphError, shorten


class CannotListen(LoregraphError):
    """The address and port of the settings cannot be listened on."""


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to the address, not yet listening. Raises CannotListen, with what to do."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        # UnicodeError: a name with a label that is empty or longer than names may be.
        raise CannotListen(
            f"`LOREGRAPH_HOST` must be an address or host name of this machine, got `{shorten(host)}`."
        ) from None
    bound = socket.socket(family, kind)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        # Workers share the socket, and uvicorn does not mark it inheritable by itself.
        bound.set_inheritable(True)
    except OSError as error:
        bound.close()
        raise CannotListen(_why_not(error, host, port)) from None
    return bound


def _why_not(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return (
                f"Port {port} on {host} is in use. Stop the program that uses it, or choose another with"
                " --port or LOREGRAPH_PORT."
            )
        case errno.EACCES:
            return f"Port {port} is for administrators. Choose one above 1023 with --port or LOREGRAPH_PORT."
        case errno.EADDRNOTAVAIL:
            return f"The address {host} is not this machine's. Choose another with --host or LOREGRAPH_HOST."
    return f"Cannot listen on {host}, port {port}: {error.strerror}."
