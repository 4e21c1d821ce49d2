"""Distances and areas on the Earth, taken as a sphere.

A place is compared by its unit vector: two places lie within an angle of each other when the straight chord between
them is no longer than that angle's. That is the haversine formula (the haversine of the angle is a quarter of the
chord squared), but it takes additions and multiplications alone, which Python, SQLite and PostgreSQL do to the same
last bit, while their sines may differ in it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

EARTH_RADIUS_KM = 6371.0088
"""The mean radius of the Earth (IUGG)."""

LARGEST_RADIUS_KM = math.pi * EARTH_RADIUS_KM
"""Half around the Earth: no place is farther from another."""

_SLACK = 1e-7
"""Degrees (about a centimetre) by which a bounding box is drawn too large rather than too small."""

Range = tuple[float, float]
NOWHERE: Range = (1.0, 0.0)

Vector = tuple[float, float, float]


def unit_vector(latitude: float, longitude: float) -> Vector:
    """The place, in degrees, as a point of the unit sphere."""
    phi, lam = math.radians(latitude), math.radians(longitude)
    return math.cos(phi) * math.cos(lam), math.cos(phi) * math.sin(lam), math.sin(phi)


@dataclass(frozen=True)
class Circle:
    """Everything at most `radius_km` from a place."""

    latitude: float
    longitude: float
    radius_km: float

    @cached_property
    def centre(self) -> Vector:
        """The middle as a point of the unit sphere."""
        return unit_vector(self.latitude, self.longitude)

    @cached_property
    def chord_squared(self) -> float:
        """The square of the chord to its edge, on the unit sphere."""
        if self.radius_km >= LARGEST_RADIUS_KM:
            return 8.0  # twice the longest there is
        return (2 * math.sin(self.radius_km / EARTH_RADIUS_KM / 2)) ** 2

    @cached_property
    def box(self) -> Box:
        """A box around it."""
        angle = self.radius_km / EARTH_RADIUS_KM
        north = self.latitude + math.degrees(angle) + _SLACK
        south = self.latitude - math.degrees(angle) - _SLACK
        if north >= 90 or south <= -90:
            # A pole lies inside, and with it every longitude.
            return Box(max(south, -90.0), -180.0, min(north, 90.0), 180.0)
        wide = math.sin(angle) / math.cos(math.radians(self.latitude))
        width = math.degrees(math.asin(min(1.0, wide))) + _SLACK
        if width >= 180:
            return Box(south, -180.0, north, 180.0)
        return Box(south, _wrapped(self.longitude - width), north, _wrapped(self.longitude + width))

    def holds(self, latitude: float, longitude: float) -> bool:
        """Whether a place lies in it."""
        x, y, z = unit_vector(latitude, longitude)
        x0, y0, z0 = self.centre
        # In the order in which the databases are asked: sums of floats depend on it.
        distance = (x - x0) * (x - x0) + (y - y0) * (y - y0) + (z - z0) * (z - z0)
        return distance <= self.chord_squared


@dataclass(frozen=True)
class Box:
    """Everything between two latitudes, and eastward from `west` to `east`; it may cross the 180th meridian."""

    south: float
    west: float
    north: float
    east: float

    @cached_property
    def longitudes(self) -> tuple[Range, Range]:
        """The longitudes as two ranges, the second of which may hold nothing; 180 and -180 are one meridian."""
        if self.west > self.east:
            return (self.west, 180.0), (-180.0, self.east)
        if self.east == 180.0:
            return (self.west, 180.0), (-180.0, -180.0)
        if self.west == -180.0:
            return (-180.0, self.east), (180.0, 180.0)
        return (self.west, self.east), NOWHERE

    def holds(self, latitude: float, longitude: float) -> bool:
        """Whether a place lies in it."""
        return self.south <= latitude <= self.north and any(
            low <= longitude <= high for low, high in self.longitudes
        )


def _wrapped(longitude: float) -> float:
    if longitude < -180:
        return longitude + 360
    return longitude - 360 if longitude > 180 else longitude
