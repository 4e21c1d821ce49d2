"""Circles and boxes on the Earth."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.sphere import EARTH_RADIUS_KM, LARGEST_RADIUS_KM, NOWHERE, Box, Circle

LATITUDES, LONGITUDES = st.floats(-90, 90), st.floats(-180, 180)


def haversine(a: tuple[float, float], b: tuple[float, float]) -> float:
    """The distance of two places in kilometres, as textbooks write it."""
    (lat1, lon1), (lat2, lon2) = (tuple(map(math.radians, place)) for place in (a, b))
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(min(1.0, h)))


@pytest.mark.parametrize(
    ("a", "b", "kilometres"),
    [
        ((52.52, 13.405), (48.8566, 2.3522), 877.5),  # Berlin, Paris
        ((-17.7134, 178.065), (-13.7590, -172.1046), 1140.6),  # Fiji, Samoa, across the 180th meridian
        ((89.9, 0.0), (89.9, 180.0), 22.2),
        ((10.0, 20.0), (-10.0, -160.0), 20015.1),  # opposite each other
    ],
)
def test_known_distances(a: tuple[float, float], b: tuple[float, float], kilometres: float) -> None:
    assert haversine(a, b) == pytest.approx(kilometres, abs=1.0)
    assert Circle(*a, kilometres + 1).holds(*b)
    assert not Circle(*a, kilometres - 1).holds(*b)
    assert Circle(*a, kilometres + 1).box.holds(*b)


@given(st.tuples(LATITUDES, LONGITUDES), st.tuples(LATITUDES, LONGITUDES), st.floats(0, 20_100))
def test_a_circle_is_the_haversine_and_lies_in_its_box(
    a: tuple[float, float], b: tuple[float, float], radius: float
) -> None:
    circle, distance = Circle(*a, radius), haversine(a, b)
    # Half a metre at the other end of the Earth, where the haversine itself is least exact.
    if abs(distance - radius) > 0.5:
        assert circle.holds(*b) is (distance < radius)
    if circle.holds(*b):
        assert circle.box.holds(*b)


@given(LATITUDES, LONGITUDES)
def test_a_circle_around_half_the_earth_holds_all_of_it(latitude: float, longitude: float) -> None:
    assert Circle(12.0, 34.0, LARGEST_RADIUS_KM).holds(latitude, longitude)
    assert Circle(latitude, longitude, 0.0).holds(latitude, longitude)


@pytest.mark.parametrize(
    ("box", "inside", "outside"),
    [
        (Box(-10, 170, 10, -170), [(0, 175), (0, -175), (10, 180), (-10, -180)], [(0, 0), (11, 175)]),
        (Box(-10, -20, 10, 20), [(0, 0), (10, 20), (-10, -20)], [(0, 21), (0, -21), (0, 180)]),
        (Box(0, 170, 1, 180), [(0, -180), (0, 180), (1, 170)], [(0, -179)]),
        (Box(0, -180, 1, -170), [(0, 180), (0, -180), (0, -175)], [(0, 179)]),
        (Box(-90, -180, 90, 180), [(90, 0), (-90, 180), (0, -180)], []),
    ],
)
def test_boxes(box: Box, inside: list[tuple[float, float]], outside: list[tuple[float, float]]) -> None:
    assert all(box.holds(*place) for place in inside)
    assert not any(box.holds(*place) for place in outside)


def test_a_box_without_crossing_has_one_range() -> None:
    assert Box(0, 1, 2, 3).longitudes == ((1, 3), NOWHERE)
