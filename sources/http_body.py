"""Bodies of answers: read up to a size, decompressed up to a size, and taken as JSON.

httpx decompresses a network chunk whole, so that a few kilobytes can become gigabytes before anybody counts
them. Here zlib is told how much it may give at once, and reading ends where the cap is passed.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator
from email.message import Message
from typing import Any

import orjson

ACCEPT_ENCODING = "gzip, deflate"
"""What is asked for, and all that is understood; brotli and zstd have no bound on what a byte becomes."""
_STEP = 256 * 1024
_GZIP, _ZLIB, _RAW = 31, 15, -15
"""How zlib is told what frame to expect."""
_MEMBERS = 1_000
"""Most gzip members of one body: a million empty ones cost much time and few bytes."""


class UnusableBody(ValueError):
    """A body that cannot be used. Its words complete the sentence "Open5e answered 200 with …"."""


class _Inflater:
    """Decompresses gzip (members one after another too) and deflate, with or without zlib's frame."""

    def __init__(self, encoding: str, most: int) -> None:
        self._gzip = encoding == "gzip"
        self._most = most
        self._given = 0
        self._members = 1
        self._stream = zlib.decompressobj(_GZIP)
        self._head = None if self._gzip else b""

    @property
    def complete(self) -> bool:
        """Whether all that was compressed has come."""
        return self._stream.eof

    def feed(self, data: bytes) -> bytes:
        """What the next bytes become. Raises UnusableBody."""
        if self._head is not None:
            self._head += data
            if len(self._head) < 2:
                return b""
            # Some servers say deflate and leave out the frame that RFC 9110 asks for (RFC 1950, section 2.2).
            framed = self._head[0] & 15 == 8 and int.from_bytes(self._head[:2], "big") % 31 == 0
            self._stream = zlib.decompressobj(_ZLIB if framed else _RAW)
            data, self._head = self._head, None
        parts = []
        while True:
            if self._stream.eof:
                if not self._gzip or not data.strip(b"\0"):
                    break  # What pads the end of a compressed body means nothing.
                self._members += 1
                if self._members > _MEMBERS:
                    raise UnusableBody("a body compressed in too many pieces")
                self._stream = zlib.decompressobj(_GZIP)
            try:
                part = self._stream.decompress(data, _STEP)
            except zlib.error:
                raise UnusableBody("a damaged compressed body") from None
            self._given += len(part)
            if self._given > self._most:
                raise UnusableBody("a body that is too large once decompressed")
            parts.append(part)
            data = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail
            if not data and len(part) < _STEP:
                break
        return b"".join(parts)


async def read_body(stream: AsyncIterator[bytes], encoding: str, wire_most: int, most: int) -> bytes:
    """The decompressed body. Raises UnusableBody.

    `encoding` is the answer's Content-Encoding; `wire_most` and `most` bound the body before and after.
    """
    encoding = encoding.strip().lower()
    plain = encoding in ("", "identity")
    if not plain and encoding not in ("gzip", "x-gzip", "deflate"):
        raise UnusableBody("a body compressed in a way that was not asked for")
    inflater = None if plain else _Inflater(encoding.removeprefix("x-"), most)
    received, body = 0, bytearray()
    async for chunk in stream:
        received += len(chunk)
        if received > wire_most or (inflater is None and received > most):
            raise UnusableBody("a body that is too large")
        body += chunk if inflater is None else inflater.feed(chunk)
    if inflater is not None and received and not inflater.complete:
        raise UnusableBody("a compressed body that breaks off")
    return bytes(body)


async def read_start(stream: AsyncIterator[bytes], encoding: str, most: int) -> str:
    """The first `most` characters of a body that is of no other use, as far as they can be had."""
    encoding = encoding.strip().lower()
    inflater = _Inflater(encoding, 2**20) if encoding in ("gzip", "deflate") else None
    body = bytearray()
    try:
        async for chunk in stream:
            body += chunk if inflater is None else inflater.feed(chunk)
            if len(body) >= most:
                break
    except UnusableBody:
        pass  # What came before the damage is still worth having.
    return bytes(body[:most]).decode("utf-8", "replace")


def media_type(content_type: str) -> tuple[str, str]:
    """The type in lower case, and its charset (UTF-8 when none is named)."""
    message = Message()
    message["content-type"] = content_type
    return (message.get_content_type() if content_type else "", str(message.get_param("charset") or "utf-8"))


def is_json(content_type: str) -> bool:
    """Whether a Content-Type says JSON. None at all may be: then the body itself must tell."""
    kind, _ = media_type(content_type)
    return kind in ("", "application/json", "text/json") or kind.endswith("+json")


def read_json(body: bytes, content_type: str) -> Any:
    """The value of a JSON body; NaN and infinities, which Python's servers write, are None. Raises UnusableBody."""
    if not body.strip():
        raise UnusableBody("an empty body where JSON was expected")
    if not is_json(content_type):
        raise UnusableBody("something other than JSON")
    charset = media_type(content_type)[1]
    try:
        if charset.lower() not in ("utf-8", "utf8", "us-ascii", "ascii"):
            body = body.decode(charset).encode()
        body = body.removeprefix(b"\xef\xbb\xbf")
        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError:
            if b"NaN" not in body and b"Infinity" not in body:
                raise
            return json.loads(body, parse_constant=lambda _: None)
    except (ValueError, LookupError, RecursionError):
        raise UnusableBody("JSON that is damaged or breaks off") from None
