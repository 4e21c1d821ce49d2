"""Filters in Solr's words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sources.criteria import EVERYTHING, All, AnyOf, Criteria, Not, Op, Predicate
from sources.datasets import filter_query
from sources.errors import BadInput

NOW = datetime(2024, 3, 1, 12, 30, tzinfo=UTC)


def is_(attribute: str, *values: str) -> Predicate:
    return Predicate(attribute, Op.HAS_ANY if attribute in ("tags", "groups") else Op.IN, values)


@pytest.mark.parametrize(
    ("criteria", "fq"),
    [
        (EVERYTHING, None),
        (is_("organization", "a"), '+(organization:("a"))'),
        (is_("organization", "a", "b"), '+(organization:("a" OR "b"))'),
        (is_("organization"), "+(*:* NOT *:*)"),
        (is_("tags", 'a"b\\c'), '+(tags:("a\\"b\\\\c"))'),
        (is_("licence_id", "cc-by"), '+(license_id:("cc-by"))'),
        (is_("format", "csv"), '+(res_format:("csv" OR "CSV" OR "Csv" OR ".csv"))'),
        (All((is_("tags", "a"), is_("groups", "g"))), '+((tags:("a")) AND (groups:("g")))'),
        (AnyOf((is_("tags", "a"), is_("groups", "g"))), '+((tags:("a")) OR (groups:("g")))'),
        (Not(is_("tags", "a")), '+(*:* NOT (tags:("a")))'),
        (
            All((Predicate("metadata_modified", Op.AT_LEAST, NOW), Predicate("metadata_modified", Op.AT_MOST, NOW))),
            "+((metadata_modified:[2024-03-01T12:30:00.000Z TO *]) AND"
            " (metadata_modified:[* TO 2024-03-01T12:30:00.000Z]))",
        ),
    ],
)  # fmt: skip
def test_criteria(criteria: Criteria, fq: str | None) -> None:
    assert filter_query.compiled(criteria) == fq


def test_what_solr_does_not_know_is_taken_out() -> None:
    datastore = Predicate("has_datastore", Op.EQUALS, True)
    either = AnyOf((datastore, is_("tags", "a")))
    pushed, rest = filter_query.split(All((is_("tags", "x"), datastore, either)))
    assert pushed == All((is_("tags", "x"),))
    assert rest == All((datastore, either))


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("organization:a", "organization:a"),
        ("organization:a OR organization:b", "+(organization:a OR organization:b)"),
        ("organization:a || organization:b", "+(organization:a || organization:b)"),
        ("organization:(a OR b)", "organization:(a OR b)"),
        ('title:"a OR b"', 'title:"a OR b"'),
        ("-tags:a", "-tags:a"),
        ("tags:ORO", "tags:ORO"),
        ("res_format:csv", 'res_format:("csv" OR "CSV" OR "Csv" OR ".csv")'),
        ('res_format:"CSV" tags:a', 'res_format:("CSV" OR "csv" OR "Csv" OR ".csv") tags:a'),
        ("modified:[NOW-30DAYS TO NOW]", "modified:[2024-01-31T12:30:00Z TO 2024-03-01T12:30:00Z]"),
        ("issued:[NOW/DAY-1YEAR TO *]", "issued:[2023-03-02T00:00:00Z TO *]"),
        ("metadata_modified:[NOW-30DAYS TO NOW]", "metadata_modified:[NOW-30DAYS TO NOW]"),
    ],
)
def test_a_callers_own_filter(text: str, sent: str) -> None:
    assert filter_query.of_caller(text, NOW)[0] == sent


@pytest.mark.parametrize("text", ["{!join from=a}x", "a) OR (b:c", '"open', "((a)"])
def test_a_filter_that_would_break_out_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        filter_query.of_caller(text, NOW)
    assert caught.value.argument == "fq"


def test_recent_is_by_day_of_issue_and_else_by_creation() -> None:
    since = "[2024-01-30T23:59:59Z TO *]"
    assert filter_query.recent(30, NOW) == (
        f"+(issued:{since} OR (metadata_created:{since} AND NOT issued:[* TO *]))"
    )
