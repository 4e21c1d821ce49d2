"""Earthquakes of the United States Geological Survey as events.

The feed is GeoJSON (https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php). Works of the USGS are in the public
domain in the United States.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, TypeGuard

REVIEWED = 0.95
AUTOMATIC = 0.8
DELETED = 0.1
_REASONS = {
    "reviewed": (REVIEWED, "Located by seismometers, and reviewed by a seismologist."),
    "automatic": (AUTOMATIC, "Located by seismometers, and not reviewed yet."),
    "deleted": (DELETED, "Withdrawn by the USGS."),
}
_BEYOND = 1e300
"""No number of the feed is as large: Python reads `Infinity` and `1e999` as numbers, too, and NaN is below nothing."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class NotAnEarthquake(ValueError):
    """A feature that cannot become an event, and why."""


def earthquake(feature: Any) -> dict[str, Any]:
    """A feature of the feed as a record of the import format. Raises NotAnEarthquake."""
    properties = feature.get("properties") if isinstance(feature, dict) else None
    if not isinstance(properties, dict):
        raise NotAnEarthquake("It is no feature with properties.")
    magnitude, moment, identity = properties.get("mag"), properties.get("time"), feature.get("id")
    if not isinstance(identity, str):
        raise NotAnEarthquake("id: is missing.")
    if not _is_number(magnitude):
        raise NotAnEarthquake("properties.mag: is no number; the event has no magnitude yet.")
    if not _is_number(moment):
        raise NotAnEarthquake("properties.time: is no number.")
    geometry = feature.get("geometry")
    coordinates = geometry.get("coordinates") if isinstance(geometry, dict) else None
    if not isinstance(coordinates, list) or len(coordinates) < 2 or not all(map(_is_number, coordinates[:2])):
        raise NotAnEarthquake("geometry.coordinates: holds no longitude and latitude.")
    place = _text(properties.get("place"))
    kind = _text(properties.get("type")) or "earthquake"
    status = _text(properties.get("status")) or "automatic"
    score, reasoning = _REASONS.get(status, _REASONS["automatic"])
    happened = _time(moment)
    url = _text(properties.get("url"))
    title = _text(properties.get("title")) or f"M {magnitude} - {place or 'unknown place'}"
    updated = properties.get("updated")
    return {
        "id": f"usgs-{identity}",
        "timestamp": happened,
        "title": title,
        "summary": _summary(kind, magnitude, properties, place, coordinates),
        # Micro-earthquakes have magnitudes below zero; the scale of events begins there.
        "magnitude": min(10.0, max(0.0, float(magnitude))),
        "category": "disaster",
        "status": "rejected" if status == "deleted" else "published",
        "confidence": {"score": score, "reasoning": reasoning, "source_count": 1},
        "location": {
            "longitude": _longitude(coordinates[0]),
            "latitude": coordinates[1],
            "region": place,
        },
        "tags": [kind, *(["tsunami"] if properties.get("tsunami") else [])],
        "sources": [
            {
                "id": f"usgs-{identity}",
                "type": "government",
                "url": url,
                "title": "USGS Earthquake Hazards Program",
                "published_at": _time(updated) if _is_number(updated) else happened,
                "credibility": 0.95,
            }
        ],
    }


def _summary(
    kind: str, magnitude: float, properties: dict[str, Any], place: str | None, coordinates: list[Any]
) -> str:
    scale = _text(properties.get("magType"))
    text = f"{kind.capitalize()} of magnitude {magnitude:g}{f' ({scale})' if scale else ''}"
    if place:
        text += f", {place}"
    if len(coordinates) > 2 and _is_number(coordinates[2]):
        text += f", at a depth of {coordinates[2]:g} km"
    if _is_number(properties.get("felt")):
        text += f"; felt reports: {properties['felt']:g}"
    if _text(properties.get("alert")):
        text += f"; alert level {properties['alert']}"
    return f"{text}."


def _longitude(value: float) -> float:
    """The feed goes beyond 180 degrees where a region crosses the meridian."""
    return value - 360 if value > 180 else value + 360 if value < -180 else value


def _time(milliseconds: float) -> str:
    try:
        return (_EPOCH + timedelta(milliseconds=milliseconds)).isoformat()
    except OverflowError:
        raise NotAnEarthquake("properties.time: lies outside the calendar.") from None


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _BEYOND


def _text(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
