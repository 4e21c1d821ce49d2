"""Opaque cursors: where a record stands in one particular list.

A cursor is base64url of `[version, fingerprint, position…]` in JSON, followed by four bytes of checksum. The
fingerprint binds it to the list it was made for (kind of record, filter, order), so that a cursor of another
query is refused instead of answering with a page that means nothing. Positions are keyset values, never
offsets: rows that come or go elsewhere do not make a page repeat or skip.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import orjson

from sources.criteria import Criteria
from sources.errors import BadInput
from sources.page import OrderKey, Position

VERSION = 1
MAX_LENGTH = 4096
_CHECKSUM_BYTES = 4


def fingerprint(kind: str, criteria: Criteria, order: Sequence[OrderKey]) -> str:
    """Identifies one ordered list: the same question gives the same text in every process."""
    return blake2b(repr((kind, criteria, tuple(order))).encode(), digest_size=6).hexdigest()


def mint(position: Position, list_fingerprint: str) -> str:
    """The cursor of the record that stands at `position` of the list with this fingerprint."""
    body = orjson.dumps([VERSION, list_fingerprint, *position])
    return base64.urlsafe_b64encode(body + _checksum(body)).rstrip(b"=").decode()


def read(cursor: str, list_fingerprint: str, arity: int, *, argument: str) -> Position:
    """The position that `cursor` was made for.

    `arity` is the number of values in a position of this list. Raises `BadInput` for a cursor that is damaged,
    of another version, or of another list.
    """
    values = _unpack(cursor)
    if values is None:
        raise BadInput(
            "is not a cursor of this service, or it was damaged. "
            "Use a cursor exactly as it was returned, or leave it out to start again.",
            argument=argument,
        )
    if values[0] != VERSION:
        raise BadInput("is a cursor of another version. Leave it out to start again.", argument=argument)
    if values[1] != list_fingerprint or len(values) != arity + 2:
        raise BadInput(
            "is a cursor of another query. "
            "A cursor goes with the filter and order it was returned for; leave it out to start again.",
            argument=argument,
        )
    return tuple(values[2:])


def _unpack(cursor: str) -> list[Any] | None:
    if len(cursor) > MAX_LENGTH:
        return None
    try:
        raw = base64.b64decode(
            cursor.encode("ascii") + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True
        )
    except (UnicodeEncodeError, binascii.Error):
        return None
    body, checksum = raw[:-_CHECKSUM_BYTES], raw[-_CHECKSUM_BYTES:]
    if not body or checksum != _checksum(body):
        return None
    try:
        values = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(values, list) or len(values) < 3:
        return None
    # A position holds texts, numbers, truth values and absences; only a forged cursor holds anything else.
    if any(isinstance(value, (list, dict)) for value in values):
        return None
    return values


def _checksum(body: bytes) -> bytes:
    return blake2b(body, digest_size=_CHECKSUM_BYTES, person=b"loregraph cursor").digest()
