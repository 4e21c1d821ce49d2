"""Moments as RFC 3339 writes them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.moments import in_words, microseconds, moment_of, read_moment

NOON = microseconds(datetime(2024, 1, 31, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    "text",
    [
        "2024-01-31T12:00:00Z",
        "2024-01-31t12:00:00z",
        "2024-01-31 12:00",
        "2024-01-31T13:00:00+01:00",
        "2024-01-31T13:00:00.000+0100",
        "2024-01-31T02:30:00-09:30",
        " 2024-01-31T12:00:00.0000009Z ",
    ],
)
def test_one_moment_in_many_spellings(text: str) -> None:
    moment = read_moment(text)
    assert (moment.first, moment.last) == (NOON, NOON)


def test_a_date_is_all_of_its_day() -> None:
    moment = read_moment("2024-01-31")
    assert in_words(moment.first) == "2024-01-31T00:00:00Z"
    assert in_words(moment.last) == "2024-01-31T23:59:59.999999Z"


def test_a_leap_second_is_the_end_of_the_second_before() -> None:
    assert in_words(read_moment("2016-12-31T23:59:60Z").first) == "2016-12-31T23:59:59.999999Z"


@pytest.mark.parametrize(
    "text",
    [
        *("", "today", "2024", "2024-1-1", "2024-02-30", "2024-01-31T25:00:00Z", "31.01.2024", "1706702400"),
        *("2024-01-31T12:00:00+25:00", "2024-W05-3T12:00:00Z", "٢٠٢٤-٠١-٣١", "0000-01-01"),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_moment(text)


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_microsecond_has_its_number(moment: datetime) -> None:
    assert moment_of(microseconds(moment)) == moment
    assert read_moment(moment.isoformat()).first == microseconds(moment)
