"""Metadata as files write them: front matter, headers and properties, read leniently into one form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from sources.extraction.extracted import Extracted

_YEAR = re.compile(r"(?<!\d)(1[0-9]{3}|20[0-9]{2}|21[0-9]{2})(?!\d)")
_NAMES = {
    "title": ("title",),
    "publisher": ("publisher",),
    "isbn": ("isbn",),
    "doi": ("doi",),
    "arxiv_id": ("arxiv_id", "arxiv", "eprint"),
    "venue": ("venue", "journal", "booktitle", "conference"),
    "abstract": ("abstract",),
    "summary": ("summary", "description"),
}
_LISTS = {
    "authors": ("authors", "author", "creator"),
    "keywords": ("keywords", "tags", "subjects"),
    "categories": ("categories", "category"),
}


def year_of(value: object) -> int | None:
    """The year in a date of whatever form; None without one."""
    if isinstance(value, date):
        return value.year
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 1000 <= value < 2200 else None
    found = _YEAR.search(str(value)) if value is not None else None
    return int(found[1]) if found else None


def words(value: object) -> str | None:
    """A text of one line; None when it is no text or an empty one."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = str(value)
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text or None


def several(value: object, separators: str = r";|,|\band\b|&") -> list[str]:
    """A list of texts, from a list, from objects with a `name`, or from one text with separators."""
    if isinstance(value, Mapping):
        value = value.get("name")
    if isinstance(value, str):
        parts: Iterable[object] = re.split(r";" if ";" in value else separators, value)
    elif isinstance(value, (list, tuple)):
        parts = [part.get("name") if isinstance(part, Mapping) else part for part in value]
    else:
        return []
    found = (words(part) for part in parts)
    return list(dict.fromkeys(text[:300] for text in found if text))


def take_mapping(extracted: Extracted, given: Mapping[Any, Any]) -> None:
    """Takes over what front matter says; names that mean nothing here are passed over."""
    by_name = {str(name).strip().lower().replace("-", "_"): value for name, value in given.items()}
    for attribute, names in _NAMES.items():
        found = next((text for name in names if (text := words(by_name.get(name)))), None)
        if found is not None:
            setattr(extracted, attribute, found)
    for attribute, names in _LISTS.items():
        found_list = next((items for name in names if (items := several(by_name.get(name)))), None)
        if found_list is not None:
            setattr(extracted, attribute, found_list)
    extracted.year = next(
        (year for name in ("year", "date", "published") if (year := year_of(by_name.get(name)))),
        extracted.year,
    )
    kind = words(by_name.get("type"))
    extracted.type = None if kind is None else kind.lower()
