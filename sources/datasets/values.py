"""Single values as portals write them: texts in several languages, dates without a zone, sizes in words."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any

import orjson

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,8})?")
_UNITS = ("B", "KB", "MB", "GB", "TB", "PB")
_SIZE = re.compile(r"(\d+(?:[.,]\d+)?)\s*([KMGTP]?)(?:i?B|bytes?)?", re.IGNORECASE)


def plain(value: Any) -> str | None:
    """A text or number as text, without blanks around it; None where nothing is left."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value).strip()
    return text or None


def by_language(value: Any) -> Mapping[str, Any] | None:
    """A mapping of language codes, given as such or as JSON in a text; None for anything else."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            return None
    if (
        isinstance(value, Mapping)
        and value
        and all(isinstance(name, str) and _LANGUAGE.fullmatch(name) for name in value)
    ):
        return value
    return None


def spoken(value: Mapping[str, Any], languages: Sequence[str]) -> tuple[str, Any] | None:
    """The first of `languages` that has a value, `en` standing for `en-GB` and back; None where none has."""
    held = {name.replace("_", "-").lower(): item for name, item in value.items() if item}
    for language in languages:
        wanted = language.replace("_", "-").lower()
        for name in held:
            if name == wanted or name.split("-")[0] == wanted.split("-")[0]:
                return name, held[name]
    return None


def chosen(value: Mapping[str, Any], languages: Sequence[str]) -> tuple[str, Any] | None:
    """The first of `languages` that has a value, else any that has one."""
    found = spoken(value, languages)
    return found or next(((name, item) for name, item in value.items() if item), None)


def text_in(value: Any, languages: Sequence[str]) -> tuple[str | None, str | None]:
    """A text and its language, where it has several."""
    several = by_language(value)
    if several is None:
        return plain(value), None
    found = chosen(several, languages)
    return (plain(found[1]), found[0]) if found else (None, None)


def instant(value: Any) -> datetime | None:
    """An ISO date or time as an instant; without a zone it is UTC, as CKAN means it. Day and month in any other
    order are a guess that is not made."""
    if not isinstance(value, str) or not value.strip():
        return None
    text = value.strip()
    try:
        if len(text) == 10:
            return datetime.combine(date.fromisoformat(text), time(), UTC)
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    try:
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except OverflowError:
        return None


def truth(value: Any) -> bool | None:
    """A flag, also as text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    return None


def whole(value: Any) -> int | None:
    """A whole number that counts something, also as text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and re.fullmatch(r"\d{1,18}", value.strip()):
        return int(value)
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and 0 <= value < 10**18 else None


def size_in_bytes(value: Any) -> int | None:
    """A resource's size: a number of bytes, or words such as `1.2 MB` (steps of 1024); None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value) if math.isfinite(value) and 0 < value < 10**18 else None
    if not isinstance(value, str):
        return None
    found = _SIZE.fullmatch(value.strip())
    if found is None:
        return None
    number = float(found[1].replace(",", "."))
    size = int(number * 1024 ** ("BKMGTP".index(found[2].upper()) if found[2] else 0))
    return size if 0 < size < 10**18 else None


def size_for_people(size: int | None) -> str | None:
    """`1536` as `1.5 KB`: steps of 1024, two decimals at most."""
    if size is None:
        return None
    number, unit = float(size), 0
    while number >= 1024 and unit < len(_UNITS) - 1:
        number, unit = number / 1024, unit + 1
    return f"{number:.2f}".rstrip("0").rstrip(".") + f" {_UNITS[unit]}"
