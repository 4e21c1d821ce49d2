"""The sample of public events, read as plain JSON: complete, consistent, and within the limits that it states."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import sources

PATH = Path(sources.__file__).parent / "events" / "sample.jsonl"
CATEGORIES = frozenset(
    [
        "geopolitics",
        "military",
        "economic",
        "cyber",
        "disaster",
        "terrorism",
        "diplomacy",
        "intelligence",
        "humanitarian",
        "other",
    ]
)
SOURCE_TYPES = frozenset(
    ["twitter", "telegram", "glp", "government", "news_media", "blog", "other", "reddit", "4chan"]
)
ENTITY_TYPES = frozenset(
    [
        "country",
        "city",
        "region",
        "person",
        "organization",
        "military_unit",
        "vessel",
        "weapon_system",
        "facility",
        "event",
        "other",
    ]
)
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
EVENT_KEYS = {
    *("id", "timestamp", "title", "summary", "magnitude", "category", "status"),
    *("confidence", "tags", "entities", "sources"),
}
Event = dict[str, Any]


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return PATH.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def events(lines: list[str]) -> list[Event]:
    return [json.loads(line) for line in lines]


def instant(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


def test_lines_are_compact_utf8_json_in_order_of_time(lines: list[str], events: list[Event]) -> None:
    for line, event in zip(lines, events, strict=True):
        assert line == json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    assert [(event["timestamp"], event["id"]) for event in events] == sorted(
        (event["timestamp"], event["id"]) for event in events
    )


def test_all_categories_and_years_are_there(events: list[Event]) -> None:
    assert len(events) >= 120
    categories = Counter(event["category"] for event in events)
    assert set(categories) == CATEGORIES
    assert min(categories.values()) >= 9
    years = Counter(instant(event["timestamp"]).year for event in events)
    assert sorted(years) == list(range(2010, 2026))
    assert min(years.values()) >= 5


def test_ids_and_titles_are_unique(events: list[Event]) -> None:
    for field in ("id", "title", "summary"):
        assert [value for value, n in Counter(event[field] for event in events).items() if n > 1] == []
    source_ids = Counter(source["id"] for event in events for source in event["sources"])
    assert max(source_ids.values()) == 1


def test_fields_have_their_shape(events: list[Event]) -> None:
    for event in events:
        assert set(event) - {"location"} == EVENT_KEYS, event["id"]
        assert SLUG.fullmatch(event["id"])
        assert 15 <= len(event["title"]) <= 120, event["id"]
        assert 60 <= len(event["summary"]) <= 500, event["id"]
        assert event["title"] == event["title"].strip()
        assert not event["title"].endswith(".")
        assert event["summary"].endswith("."), event["id"]
        assert 1 <= event["magnitude"] <= 10
        assert event["status"] == "published"


def test_confidence_is_high_explained_and_counts_its_sources(events: list[Event]) -> None:
    for event in events:
        confidence = event["confidence"]
        assert set(confidence) == {"score", "reasoning", "source_count"}
        assert 0.9 <= confidence["score"] <= 1
        assert confidence["reasoning"].endswith(".")
        assert confidence["source_count"] == len(event["sources"]) >= 1


def test_coordinates_are_on_the_globe(events: list[Event]) -> None:
    located = [event["location"] for event in events if "location" in event]
    assert len(located) >= 120
    for place in located:
        assert set(place) <= {"latitude", "longitude", "country", "city", "region"}
        assert -90 <= place["latitude"] <= 90
        assert -180 <= place["longitude"] <= 180
        assert all(place.values()), place
        assert set(place) & {"country", "region"}, place


def test_tags_are_lower_case_and_unique_in_their_event(events: list[Event]) -> None:
    for event in events:
        assert event["tags"] == [tag.lower().strip() for tag in event["tags"]]
        assert 1 <= len(event["tags"]) == len(set(event["tags"]))


def test_an_entity_is_the_same_wherever_it_is_named(events: list[Event]) -> None:
    seen: dict[str, list[Event]] = defaultdict(list)
    names: dict[tuple[str, str], set[str]] = defaultdict(set)
    for event in events:
        ids = [entity["id"] for entity in event["entities"]]
        assert 1 <= len(ids) == len(set(ids)), event["id"]
        for entity in event["entities"]:
            assert SLUG.fullmatch(entity["id"])
            assert entity["type"] in ENTITY_TYPES
            assert 0 <= entity["confidence"] <= 1
            seen[entity["id"]].append(entity)
            names[entity["type"], entity["name"].casefold()].add(entity["id"])
    for found in seen.values():
        assert all(entity == found[0] for entity in found)
    assert {key: ids for key, ids in names.items() if len(ids) > 1} == {}
    assert {found[0]["type"] for found in seen.values()} == ENTITY_TYPES
    codes = [
        found[0]["attributes"]["country_code"] for found in seen.values() if found[0]["type"] == "country"
    ]
    assert len(codes) == len(set(codes))
    assert all(re.fullmatch(r"[A-Z]{2}", code) for code in codes)


def test_ship_numbers_carry_a_right_check_digit(events: list[Event]) -> None:
    numbers = {
        entity["attributes"]["imo"]
        for event in events
        for entity in event["entities"]
        if "imo" in entity.get("attributes", {})
    }
    assert len(numbers) >= 2
    for number in numbers:
        digits = [int(digit) for digit in number]
        assert sum(d * w for d, w in zip(digits[:6], range(7, 1, -1), strict=True)) % 10 == digits[6]


def test_sources_are_https_pages_of_known_kinds(events: list[Event]) -> None:
    for event in events:
        assert len({source["url"] for source in event["sources"]}) == len(event["sources"])
        for source in event["sources"]:
            assert {"id", "type", "url", "title", "author"} <= set(source)
            assert source["id"].startswith(event["id"])
            assert source["type"] in SOURCE_TYPES
            assert source["title"]
            assert source["author"]
            assert 0.4 <= source["credibility"] <= 1
            address = urlsplit(source["url"])
            assert address.scheme == "https"
            assert address.hostname is not None
            assert "." in address.hostname
            assert source["url"].isascii()
            assert not re.search(r"\s", source["url"])
            if "published_at" in source:
                instant(source["published_at"])
    types = Counter(source["type"] for event in events for source in event["sources"])
    assert {"government", "news_media", "blog", "other"} <= set(types)


def test_earthquakes_keep_the_magnitude_of_their_seismologists(events: list[Event]) -> None:
    by_id = {event["id"]: event for event in events}
    tohoku = by_id["tohoku-earthquake-2011"]
    assert (tohoku["timestamp"], tohoku["magnitude"]) == ("2011-03-11T05:46:24Z", 9.1)
    quakes = [event for event in events if "earthquake" in event["tags"]]
    assert len(quakes) >= 9
    for quake in quakes:
        stated = re.match(r"Magnitude (\d\.\d) ", quake["title"])
        assert stated is not None, quake["id"]
        assert quake["magnitude"] == float(stated[1])


def test_each_query_template_finds_events(events: list[Event]) -> None:
    def since_2024(event: Event) -> bool:
        return instant(event["timestamp"]) >= datetime(2024, 1, 1, tzinfo=UTC)

    def sure(event: Event, least: float) -> bool:
        return bool(event["confidence"]["score"] >= least)

    high_impact = [e for e in events if since_2024(e) and e["magnitude"] >= 7]
    military = [
        e
        for e in events
        if e["category"] == "military"
        and sure(e, 0.8)
        and {s["type"] for s in e["sources"]} & {"government", "news_media"}
    ]
    cyber = [
        e
        for e in events
        if e["category"] in {"cyber", "intelligence"}
        and {x["type"] for x in e["entities"]} & {"organization", "country"}
        and e["magnitude"] >= 5
        and set(e["tags"]) & {"breach", "attack", "malware"}
    ]
    geopolitics = [
        e
        for e in events
        if e["category"] in {"geopolitics", "diplomacy", "military"} and since_2024(e) and sure(e, 0.6)
    ]
    for found in (high_impact, military, cyber, geopolitics):
        assert len(found) >= 2
