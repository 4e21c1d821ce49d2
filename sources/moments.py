"""Moments: read as RFC 3339 writes them, kept as whole microseconds since 1970, in UTC.

A number sorts and compares alike in both databases, and nothing is lost: the microsecond is as fine as times come.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DAY = timedelta(days=1)

_FORM = re.compile(
    r"(?P<date>\d{4}-\d{2}-\d{2})"
    r"(?:[Tt ](?P<time>\d{2}:\d{2}(?::\d{2})?)(?:[.,](?P<fraction>\d{1,12}))?"
    r"[ ]?(?P<zone>[Zz]|[+-]\d{2}(?::?\d{2})?)?)?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment as it was written: the first and last microsecond that it can mean, both since 1970.

    They differ for a bare date, which is all of that day in UTC.
    """

    first: int
    last: int


@lru_cache(maxsize=1024)
def read_moment(text: str) -> Moment:
    """Reads RFC 3339, or a bare date; without an offset a time is UTC. Raises ValueError otherwise."""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise ValueError("is not a time like 2024-01-31T23:59:59Z, nor a date like 2024-01-31")
    if found["time"] is None:
        day = datetime.combine(date.fromisoformat(found["date"]), datetime.min.time(), UTC)
        first = microseconds(day)
        return Moment(first, first + _DAY // _MICROSECOND - 1)
    fraction = (found["fraction"] or "0")[:6].ljust(6, "0")
    zone = (found["zone"] or "Z").upper()
    seconds = found["time"] if found["time"].count(":") == 2 else f"{found['time']}:00"
    # A leap second has no number of its own: it counts as the last moment before it.
    leap = seconds.endswith(":60")
    if leap:
        seconds, fraction = f"{seconds[:-2]}59", "999999"
    if zone == "Z":
        zone = "+00:00"
    elif len(zone) == 3:
        zone += ":00"
    elif ":" not in zone:
        zone = f"{zone[:3]}:{zone[3:]}"
    number = microseconds(datetime.fromisoformat(f"{found['date']}T{seconds}.{fraction}{zone}"))
    if not _FIRST <= number <= _LAST:
        # An offset can carry a time beyond the calendar, where nothing could show it any more.
        raise ValueError("lies outside the years 1 to 9999 in UTC")
    return Moment(number, number)


def microseconds(moment: datetime) -> int:
    """Microseconds since 1970."""
    return (moment - _EPOCH) // _MICROSECOND


def moment_of(number: int) -> datetime:
    """The time, in UTC, that `microseconds` made a number of."""
    return _EPOCH + timedelta(microseconds=number)


def in_words(number: int) -> str:
    """The time as RFC 3339, for messages."""
    return moment_of(number).isoformat().replace("+00:00", "Z")


_FIRST = microseconds(datetime.min.replace(tzinfo=UTC))
_LAST = microseconds(datetime.max.replace(tzinfo=UTC))
