"""CKAN's JSON, however a portal writes it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.datasets.portals import Portal
from sources.datasets.readers import (
    read_dataset,
    read_datastore,
    read_facets,
    read_organization,
    read_status,
    read_tag,
)
from sources.datasets.records import Dataset, Extra, OrganizationRef
from sources.datasets.values import instant, size_for_people, size_in_bytes, truth
from tests.support.fake_ckan.corpus import Line, package, resource

PORTAL = Portal("swiss", "Swiss", "https://portal.example", "https://portal.example", languages=("de", "fr"))
LINE = Line("d1", "Title", "Notes", ("a", "b"), "town")


def read(raw: dict[str, Any], language: str | None = None) -> Dataset:
    found = read_dataset(raw, PORTAL, language)
    assert found is not None
    return found


def test_a_dataset_as_ckan_writes_it() -> None:
    dataset = read(package(LINE, 3, [resource("r1", "d1", datastore_active=True, size=1536)]))
    assert (dataset.key, dataset.dataset_id, dataset.name, dataset.title) == ("swiss#d1", "d1", "d1", "Title")
    assert dataset.metadata_created == datetime(2024, 1, 3, 8, 0, 0, 1, UTC)
    assert dataset.organization == OrganizationRef("town", "Town")
    assert dataset.tags == ("a", "b")
    assert dataset.view_url == "https://portal.example/dataset/d1"
    assert (dataset.licence_id, dataset.is_open, dataset.private) == ("cc-by", True, False)
    assert (dataset.num_resources, dataset.has_datastore) == (1, True)
    assert (dataset.resources[0].size, dataset.resources[0].size_bytes) == ("1.5 KB", 1536)


@pytest.mark.parametrize("raw", [{}, {"title": "x"}, {"id": ""}, {"id": None, "name": " "}, {"id": {"a": 1}}])
def test_a_record_without_id_and_name_is_none(raw: dict[str, Any]) -> None:
    assert read_dataset(raw, PORTAL) is None


def test_a_dataset_of_almost_nothing() -> None:
    dataset = read({"name": "x"})
    assert (dataset.dataset_id, dataset.name, dataset.title, dataset.notes) == ("x", "x", "x", None)
    assert (dataset.organization, dataset.tags, dataset.resources) == (None, (), ())
    assert (dataset.metadata_modified, dataset.has_datastore, dataset.num_resources) == (None, None, 0)


FOUR = {"de": "Luft", "fr": "Air", "it": "Aria", "en": "Air quality"}


@pytest.mark.parametrize(
    ("raw", "language", "title"),
    [
        ({"title": FOUR}, None, "Luft"),
        ({"title": FOUR}, "it", "Aria"),
        ({"title": FOUR}, "en-GB", "Air quality"),
        ({"title": FOUR}, "fr_CH", "Air"),
        ({"title": FOUR}, "rm", "Luft"),
        ({"title": {**FOUR, "de": ""}}, None, "Air"),
        ({"title": {"de": "", "fr": "", "pt-BR": "Ar"}}, None, "Ar"),
        ({"title": {"de": "", "fr": ""}}, None, "d1"),
        ({"title": json.dumps(FOUR)}, "it", "Aria"),
        ({"title": "Plain", "title_translated": FOUR}, "en", "Air quality"),
        ({"title": "Plain", "title_translated": {}}, "en", "Plain"),
        ({"title": "Plain", "translation": {"en": {"title": "English"}}}, "en", "English"),
        ({"title": "Plain", "translation": {"en": {"title": "English"}}}, "de", "Plain"),
        ({"title": "{not json"}, "en", "{not json"),
        ({"title": '{"a long key": 1}'}, "en", '{"a long key": 1}'),
        ({"title": 2024}, None, "2024"),
        ({"title": ["x"]}, None, "d1"),
        ({"title": None}, None, "d1"),
    ],
)  # fmt: skip
def test_a_title_in_several_languages(raw: dict[str, Any], language: str | None, title: str) -> None:
    assert read({"id": "d1", **raw}, language).title == title


@pytest.mark.parametrize(
    ("raw", "tags"),
    [
        ({"tags": ["a", "b"]}, ("a", "b")),
        ({"tags": [{"id": "a", "display-name": "A"}]}, ("A",)),
        ({"tags": [{"display_name": "A"}, {"name": "b", "display_name": "B"}]}, ("A", "b")),
        ({"tags": '["a", "b"]'}, ("a", "b")),
        ({"tags": "a, b"}, ("a", "b")),
        ({"tags": None}, ()),
        ({"tags": [None, {}, 7, "a", "a"]}, ("7", "a")),
        ({"tags": {"a": 1}}, ()),
        ({"tags": [], "keywords": {"de": ["Luft"], "fr": ["air"]}}, ("Luft",)),
    ],
)
def test_tags_in_any_shape(raw: dict[str, Any], tags: tuple[str, ...]) -> None:
    assert read({"id": "x", **raw}).tags == tags


def test_extras_come_as_a_list_or_a_mapping_and_before_root_fields() -> None:
    for extras in (
        [{"key": "holder_name", "value": "Town"}, {"key": "n", "value": 7}],
        {"holder_name": "Town", "n": 7},
    ):
        dataset = read({"id": "x", "holder_name": "Harvester", "publisher_name": "P", "extras": extras})
        assert (dataset.holder_name, dataset.publisher_name) == ("Town", "P")
        assert dataset.extras == (Extra("holder_name", "Town"), Extra("n", "7"))
    several = json.dumps({"de": "Stadt", "fr": "Ville"})
    assert (
        read({"id": "x", "extras": [{"key": "holder_name", "value": several}]}, "fr").holder_name == "Ville"
    )
    assert read({"id": "x", "publisher": {"name": {"de": "Amt"}}}).publisher_name == "Amt"


@pytest.mark.parametrize("organization", ["town", {"name": "town"}, {"id": "town", "title": {"de": "town"}}])
def test_an_organization_in_any_shape(organization: Any) -> None:
    assert read({"id": "x", "organization": organization}).organization == OrganizationRef("town", "town")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-30T17:20:53.991648", datetime(2026, 11, 30, 17, 20, 53, 991648, UTC)),
        ("2026-11-30T17:20:53Z", datetime(2026, 11, 30, 17, 20, 53, 0, UTC)),
        ("2026-11-30T17:20:53+01:00", datetime(2026, 11, 30, 16, 20, 53, 0, UTC)),
        ("2024-01-10", datetime(2024, 1, 10, tzinfo=UTC)),
        ("2024-01-10 08:00:00", datetime(2024, 1, 10, 8, tzinfo=UTC)),
        ("10/01/2024", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("yesterday", None),
        ("", None),
        (None, None),
        (20240110, None),
    ],
)
def test_dates(text: Any, expected: datetime | None) -> None:
    assert instant(text) == expected


@pytest.mark.parametrize(
    ("size", "expected", "shown"),
    [
        (1536, 1536, "1.5 KB"),
        ("1536", 1536, "1.5 KB"),
        (10.0, 10, "10 B"),
        ("1.2 MB", 1258291, "1.2 MB"),
        ("3,5 kB", 3584, "3.5 KB"),
        (5 * 2**40, 5 * 2**40, "5 TB"),
        (2**50, 2**50, "1 PB"),
        (2**62, None, None),
        ("None", None, None),
        ("", None, None),
        (None, None, None),
        (0, None, None),
        (-5, None, None),
        (True, None, None),
        ("about 3 MB", None, None),
        (float("inf"), None, None),
        ({"a": 1}, None, None),
    ],
)
def test_sizes(size: Any, expected: int | None, shown: str | None) -> None:
    found = size_in_bytes(size)
    assert (found, size_for_people(found)) == (expected, shown)


@pytest.mark.parametrize(
    ("flag", "expected"),
    [(True, True), (False, False), ("true", True), ("False", False), ("", None), (None, None), (1, None)],
)  # fmt: skip
def test_the_datastore_flag(flag: Any, expected: bool | None) -> None:
    assert truth(flag) is expected
    raw = resource("r", "x", datastore_active=flag)
    assert read({"id": "x", "resources": [raw]}).resources[0].datastore_active is expected


def test_a_dataset_whose_resources_do_not_say_has_no_known_datastore() -> None:
    silent = {"id": "r2"}
    assert read({"id": "x", "resources": [resource("r1", "x"), silent]}).has_datastore is None
    assert read({"id": "x", "resources": [resource("r1", "x")]}).has_datastore is False
    assert read({"id": "x", "resources": [resource("r1", "x", datastore_active=True), silent]}).has_datastore


def test_links_of_odd_names_are_escaped() -> None:
    assert read({"id": "x", "name": "a b/ü?"}).view_url == "https://portal.example/dataset/a%20b%2F%C3%BC%3F"


def test_facets_are_sorted_by_frequency() -> None:
    items = [
        {"name": "a", "display_name": "A", "count": 1},
        {"name": "b", "display_name": "B", "count": 5},
        {},
    ]
    result = {
        "search_facets": {"tags": {"items": items}},
        "facets": {"tags": {"a": 1, "b": 5}, "x": {"y": 2}},
    }
    tags, other = read_facets(result)
    assert [(value.name, value.display_name, value.count) for value in tags.values] == [
        ("b", "B", 5),
        ("a", "A", 1),
    ]
    assert (other.field, other.values[0].name, other.values[0].count) == ("x", "y", 2)
    assert read_facets({"facets": [], "search_facets": None}) == ()


def test_an_organization_that_is_only_a_name() -> None:
    found = read_organization("town", PORTAL, None, "organization")
    assert found is not None
    assert (found.key, found.title, found.package_count) == ("swiss#town", "town", None)
    assert read_organization(7, PORTAL, None, "organization") is None


def test_a_tag_in_any_shape() -> None:
    tags = [read_tag(raw) for raw in ("a", {"id": "x"}, {"name": "n", "display_name": "N"})]
    assert [tag and tag.display_name for tag in tags] == ["a", "x", "N"]
    assert read_tag({}) is None


def test_a_locked_portal_tells_little() -> None:
    status = read_status({"site_title": {"de": "Daten"}}, PORTAL)
    assert (status.title, status.ckan_version, status.extensions) == ("Daten", None, ())


def test_rows_given_as_lists_are_mappings() -> None:
    fields = [{"id": "_id", "type": "int"}, {"id": "a", "type": "text", "info": {"label": "A"}}]
    page = read_datastore({"fields": fields, "records": [[1, "x"], [2]], "resource_id": "r"})
    assert page is not None
    assert page.rows == ({"_id": 1, "a": "x"},)
    assert (page.total, page.fields[1].label) == (None, "A")
    assert read_datastore({"fields": fields}) is None


anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["id", "name", "en", "de", "key", "value"]), inner),
    ),
    max_leaves=6,
)
FIELDS = [*package(LINE), "translation", "keywords", "title_translated", "publisher", "holder_name", "issued"]


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), anything), anything)
def test_no_json_makes_a_reader_fail(raw: dict[str, Any], other: Any) -> None:
    read_dataset({**raw, "id": "x", "resources": [{**raw, "id": "r"}, other]}, PORTAL, "de")
    read_organization(other, PORTAL, "de", "group")
    read_tag(other)
    read_status(raw, PORTAL)
    read_facets({"facets": other, "search_facets": {"tags": other}})
    read_datastore({"fields": other, "records": other})
