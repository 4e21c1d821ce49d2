"""Dates as Solr reads them: ISO 8601, and arithmetic on NOW."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

NOW = datetime(2024, 3, 1, 12, tzinfo=UTC)
"""What the fake takes for now."""

_UNITS = {"DAY": 1, "DAYS": 1, "MONTH": 30, "MONTHS": 30, "YEAR": 365, "YEARS": 365}


def instant(text: str) -> datetime:
    """An instant; the start of time for what is no date."""
    if text.startswith("NOW"):
        moved = NOW
        for sign, number, unit in re.findall(r"([+-])(\d+)([A-Z]+)", text):
            days = timedelta(days=int(number) * _UNITS.get(unit, 0))
            moved = moved + days if sign == "+" else moved - days
        return moved
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
