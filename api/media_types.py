"""Media types of HTTP headers: which one a request has, and which one it wants back (RFC 9110, section 12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MAX_RANGES = 50
"""Media ranges of an Accept header that are read; browsers send fewer than ten."""


@dataclass(frozen=True, slots=True)
class ContentType:
    """A media type, in lower case, and its character set if it names one."""

    name: str
    charset: str | None

    @property
    def is_json(self) -> bool:
        """Whether a GraphQL request may be written in it."""
        return self.name == "application/json"


def parse_content_type(header: str) -> ContentType:
    """The media type of a Content-Type header; its name is empty when there is none."""
    name, parameters = _parse(header)
    return ContentType(name, parameters.get("charset"))


def acceptable(header: str, offers: Sequence[str]) -> str | None:
    """The offer that an Accept header likes best, or None when it takes none of them.

    Among offers it likes equally, one that it names beats one that only a wildcard covers, and of several named
    the one named first wins; under a wildcard the order of `offers` decides. A range with another character set
    than UTF-8 covers nothing. An empty header takes anything.
    """
    if not header.strip():
        return offers[0]
    best: tuple[float, int, int] | None = None
    chosen: str | None = None
    ranges = [_parse(part) for part in header.split(",")[:MAX_RANGES] if part.strip()]
    for place, offer in enumerate(offers):
        found = _like(offer, ranges)
        if found is None:
            continue
        quality, precision, position = found
        rank = (quality, precision, -position if precision == 2 else -place)
        if quality > 0 and (best is None or rank > best):
            best, chosen = rank, offer
    return chosen


def _like(offer: str, ranges: Sequence[tuple[str, dict[str, str]]]) -> tuple[float, int, int] | None:
    """Quality, precision and position of the most precise range that covers an offer."""
    found: tuple[float, int, int] | None = None
    for position, (name, parameters) in enumerate(ranges):
        if parameters.get("charset", "utf-8") not in ("utf-8", "utf8", "*"):
            continue
        if name == offer:
            precision = 2
        elif name == f"{offer.partition('/')[0]}/*":
            precision = 1
        elif name == "*/*":
            precision = 0
        else:
            continue
        if found is None or precision > found[1]:
            found = (_quality(parameters.get("q", "1")), precision, position)
    return found


def _quality(text: str) -> float:
    try:
        quality = float(text)
    except ValueError:
        return 1.0
    return min(max(quality, 0.0), 1.0) if quality == quality else 0.0


def _parse(header: str) -> tuple[str, dict[str, str]]:
    name, *rest = header.split(";")
    parameters = {}
    for part in rest:
        key, _, value = part.partition("=")
        parameters[key.strip().lower()] = value.strip().strip('"').lower()
    return name.strip().lower(), parameters
