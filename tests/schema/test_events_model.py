"""EventQuery against a model in plain Python: every parameter alone and in any company, on both databases."""

from __future__ import annotations

import math
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sources.text_index import fold
from sources.text_query import matches_query
from tests.support.events import EventsDoor, event
from tests.support.seeded import data

pytestmark = pytest.mark.timeout(180)

CATEGORIES = ("cyber", "military", "other")
STATUSES = ("pending", "enriched", "published", "archived", "rejected")
SOURCE_TYPES = ("4chan", "reddit", "government", "news_media")
ENTITY_TYPES = ("country", "person", "military_unit")
MOMENTS = (
    "1969-12-31T23:59:59.999999Z",
    "2024-01-01T00:00:00Z",
    "2024-01-01T12:00:00.000001Z",
    "2024-01-01T12:00:00.000002+00:00",
    "2024-01-02T01:00:00+02:00",
    "2024-01-02T00:00:00Z",
)
PLACES = (None, (0.0, 179.9), (0.0, -179.9), (52.52, 13.41), (52.0, 13.0), (90.0, 0.0), (-33.9, 151.2))
TEXTS = ("Power grid attack", "An attack on the grid", "Tsunami in Tōhoku", "L'eau", "Drill", "東京 tower")
TAGS = ("Énergie", "energie", "oil", "Breach")
ENTITIES: tuple[dict[str, Any], ...] = (
    {"id": "de", "type": "country", "name": "Deutschland", "aliases": ["Germany"]},
    {"id": "ana", "type": "person", "name": "Ána"},
    {"id": "unit-1", "type": "military_unit", "name": "First Unit"},
)


@st.composite
def an_event(draw: st.DrawFn, number: int) -> dict[str, Any]:
    place = draw(st.sampled_from(PLACES))
    types = draw(st.lists(st.sampled_from(SOURCE_TYPES), max_size=2))
    made = event(
        f"event-{number % 10}{number // 10}",
        timestamp=draw(st.sampled_from(MOMENTS)),
        title=draw(st.sampled_from(TEXTS)),
        summary=draw(st.sampled_from(("", *TEXTS))),
        magnitude=draw(st.sampled_from((0.0, 1.0, 4.5, 7.0, 10.0))),
        category=draw(st.sampled_from(CATEGORIES)),
        status=draw(st.sampled_from((*STATUSES, "published", "published", "published"))),
        confidence={"score": draw(st.sampled_from((0.0, 0.3, 0.59, 0.6, 0.85, 1.0)))},
        tags=draw(st.lists(st.sampled_from(TAGS), max_size=2)),
        entities=draw(st.lists(st.sampled_from(ENTITIES), max_size=2, unique_by=lambda one: one["id"])),
        sources=[{"id": f"s{i}", "type": type_} for i, type_ in enumerate(types)],
        created_at=draw(st.sampled_from(MOMENTS)),
        updated_at=draw(st.sampled_from(MOMENTS)),
    )
    if place is not None:
        made["location"] = {"latitude": place[0], "longitude": place[1]}
    return made


EVENTS = st.integers(0, 14).flatmap(lambda size: st.tuples(*[an_event(i) for i in range(size)])).map(list)


def _some(values: Any) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.sampled_from(values), min_size=1, max_size=2)


def _enums(values: Any) -> st.SearchStrategy[list[str]]:
    return _some(values).map(lambda words: [NAMES.get(word, word.upper()) for word in words])


NAMES = {"4chan": "FOUR_CHAN"}
PARAMETERS: dict[str, st.SearchStrategy[Any]] = {
    "searchQuery": st.sampled_from(
        (
            "attack",
            '"power grid"',
            "tsunam*",
            "-attack",
            "grid -power",
            '"grid attack" -"the grid"',
            "eau",
            "東京",
        )
    ),
    "sinceTimestamp": st.sampled_from((*MOMENTS, "2024-01-01", "2024-01-02")),
    "untilTimestamp": st.sampled_from((*MOMENTS, "2024-01-01", "2024-01-02")),
    "minMagnitude": st.sampled_from((0, 1, 4.5, 7.5, 10)),
    "maxMagnitude": st.sampled_from((0, 1, 4.5, 7.5, 10)),
    "minConfidence": st.sampled_from((0, 0.3, 0.6, 1)),
    "maxConfidence": st.sampled_from((0, 0.3, 0.6, 1)),
    "categories": _enums(CATEGORIES),
    "sourceTypes": _enums(SOURCE_TYPES),
    "tags": _some(("ENERGIE", "oil", "nothing", "breach")),
    "entityTypes": _enums(ENTITY_TYPES),
    "entities": _some(("germany", "DEUTSCHLAND", "ana", "unit-1", "nobody")),
    "status": _enums(STATUSES),
    "near": st.sampled_from(
        (
            {"latitude": 0, "longitude": 180, "radiusKm": 20},
            {"latitude": 52.5, "longitude": 13.4, "radiusKm": 5},
            {"latitude": 52.5, "longitude": 13.4, "radiusKm": 100},
            {"latitude": 89, "longitude": -120, "radiusKm": 120},
            {"latitude": 0, "longitude": 0, "radiusKm": 20038},
        )
    ),
    "boundingBox": st.sampled_from(
        (
            {"south": -1, "west": 179, "north": 1, "east": -179},
            {"south": 50, "west": 10, "north": 53, "east": 13.2},
            {"south": -90, "west": -180, "north": 90, "east": 180},
        )
    ),
    "page": st.integers(1, 4),
    "limit": st.integers(1, 5),
    "sortBy": st.sampled_from(("TIMESTAMP", "MAGNITUDE", "CONFIDENCE", "CREATED_AT", "UPDATED_AT")),
    "sortOrder": st.sampled_from(("ASC", "DESC")),
}
QUERIES = st.fixed_dictionaries({}, optional=PARAMETERS)


# The model -------------------------------------------------------------------------------------------------------


def moment(text: str, *, last: bool = False) -> datetime:
    if len(text) == len("2024-01-01"):
        day = datetime.fromisoformat(text).replace(tzinfo=UTC)
        return day + timedelta(days=1) - timedelta(microseconds=1) if last else day
    return datetime.fromisoformat(text)


def status_of(one: dict[str, Any]) -> str:
    fit = one["confidence"]["score"] >= 0.3 and one["magnitude"] >= 1 and one["sources"]
    return "pending" if one["status"] == "published" and not fit else str(one["status"])


def kilometres(a: tuple[float, float], b: tuple[float, float]) -> float:
    (lat1, lon1), (lat2, lon2) = (tuple(map(math.radians, place)) for place in (a, b))
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6371.0088 * math.asin(min(1.0, math.sqrt(h)))


def words(names: list[str]) -> set[str]:
    return {"4chan" if name == "FOUR_CHAN" else name.lower() for name in names}


def fits(one: dict[str, Any], query: dict[str, Any]) -> bool:
    score, location = one["confidence"]["score"], one.get("location")
    place = None if location is None else (location["latitude"], location["longitude"])
    names = {
        fold(name)
        for entity in one["entities"]
        for name in (entity["id"], entity["name"], *entity.get("aliases", ()))
    }
    checks: dict[str, Any] = {
        "searchQuery": lambda text: matches_query((one["title"], one["summary"]), text),
        "sinceTimestamp": lambda text: moment(one["timestamp"]) >= moment(text),
        "untilTimestamp": lambda text: moment(one["timestamp"]) <= moment(text, last=True),
        "minMagnitude": lambda bound: one["magnitude"] >= bound,
        "maxMagnitude": lambda bound: one["magnitude"] <= bound,
        "minConfidence": lambda bound: score >= bound,
        "maxConfidence": lambda bound: score <= bound,
        "categories": lambda chosen: one["category"] in words(chosen),
        "sourceTypes": lambda chosen: not words(chosen).isdisjoint(s["type"] for s in one["sources"]),
        "entityTypes": lambda chosen: not words(chosen).isdisjoint(e["type"] for e in one["entities"]),
        "tags": lambda chosen: not set(map(fold, chosen)).isdisjoint(map(fold, one["tags"])),
        "entities": lambda chosen: not set(map(fold, chosen)).isdisjoint(names),
        "near": lambda circle: (
            place is not None
            and kilometres(place, (circle["latitude"], circle["longitude"])) <= circle["radiusKm"]
        ),
        "boundingBox": lambda box: place is not None and within(place, box),
    }
    wanted = words(query.get("status", ["PUBLISHED"]))
    return status_of(one) in wanted and all(
        checks[name](value) for name, value in query.items() if name in checks
    )


def within(place: tuple[float, float], box: dict[str, float]) -> bool:
    latitude, longitude = place
    east = box["east"] + (360 if box["west"] > box["east"] else 0)
    lies = any(box["west"] <= longitude + turn <= east for turn in (0, 360))
    return box["south"] <= latitude <= box["north"] and lies


def in_order(events: list[dict[str, Any]], query: dict[str, Any]) -> list[str]:
    by = query.get("sortBy", "TIMESTAMP").lower()
    downward = query.get("sortOrder", "DESC") == "DESC"

    def value(one: dict[str, Any]) -> Any:
        if by == "confidence":
            return one["confidence"]["score"]
        return one[by] if by == "magnitude" else moment(one[by])

    if by == "timestamp":
        ordered = sorted(events, key=lambda one: (value(one), one["id"]), reverse=downward)
    else:
        newest = sorted(events, key=lambda one: (moment(one["timestamp"]), one["id"]), reverse=True)
        ordered = sorted(newest, key=value, reverse=downward)
    return [one["id"] for one in ordered]


def crossed(query: dict[str, Any]) -> bool:
    pairs = (("minMagnitude", "maxMagnitude"), ("minConfidence", "maxConfidence"))
    if any(low in query and high in query and query[low] > query[high] for low, high in pairs):
        return True
    since, until = query.get("sinceTimestamp"), query.get("untilTimestamp")
    return bool(since and until and moment(since) > moment(until, last=True))


# The comparison --------------------------------------------------------------------------------------------------

ASK = """query ($query: EventQuery, $first: Int, $after: String) {
  events(query: $query, first: $first, after: $after) {
    nodes { key } page limit totalCount hasMore pageInfo { hasNextPage hasPreviousPage endCursor }
  }
}"""
STATS = """query ($query: EventQuery) {
  eventStats(query: $query, bucket: DAY) {
    total meanMagnitude meanConfidence byStatus { status count } byCategory { category count }
    bySourceType { sourceType count } byEntityType { entityType count }
    topTags { tag count } topEntities { id name entityType count } buckets { start count meanMagnitude }
  }
}"""


async def compare(door: EventsDoor, events: list[dict[str, Any]], query: dict[str, Any]) -> None:
    answer = await door.ask(ASK, query=query)
    if crossed(query):
        assert answer["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT", query
        return
    expected = in_order([one for one in events if fits(one, query)], query)
    page, limit = query.get("page", 1), query.get("limit", 20)
    begin = (page - 1) * limit
    found = data(answer)["events"]
    assert [node["key"] for node in found["nodes"]] == expected[begin : begin + limit], query
    assert (found["page"], found["limit"], found["totalCount"]) == (page, limit, len(expected)), query
    assert found["hasMore"] == found["pageInfo"]["hasNextPage"] == (len(expected) > begin + limit), query
    assert found["pageInfo"]["hasPreviousPage"] == (begin > 0 and bool(expected)), query
    conditions = {name: value for name, value in query.items() if name not in ("page", "limit")}
    assert await walked(door, conditions, limit, len(expected)) == expected, query
    stats = data(await door.ask(STATS, query=conditions))["eventStats"]
    check_statistics(stats, [one for one in events if fits(one, query)], query)


def check_statistics(stats: dict[str, Any], found: list[dict[str, Any]], query: dict[str, Any]) -> None:
    """Every part, as plain counting has it."""
    assert stats["total"] == len(found), query
    for name, values in (("Magnitude", [one["magnitude"] for one in found]), ("Confidence", scores(found))):
        mean = sum(values) / len(values) if values else None
        assert stats[f"mean{name}"] == (None if mean is None else pytest.approx(mean, abs=1e-4)), query
    entities = [list(one["entities"]) for one in found]
    counted = {
        "byStatus": Counter(status_of(one) for one in found),
        "byCategory": Counter(one["category"] for one in found),
        "bySourceType": Counter(word for one in found for word in {s["type"] for s in one["sources"]}),
        "byEntityType": Counter(word for held in entities for word in {e["type"] for e in held}),
        "topTags": Counter(word for one in found for word in set(map(fold, one["tags"]))),
        "topEntities": Counter(entity["id"] for held in entities for entity in held),
        "buckets": Counter(moment(one["timestamp"]).astimezone(UTC).date().isoformat() for one in found),
    }
    for part, expected in counted.items():
        words = {word_of(part, one): one["count"] for one in stats[part]}
        assert words == expected, (part, query)


def word_of(part: str, one: dict[str, Any]) -> str:
    """What a count counts, in the words of the import."""
    name = {"topTags": "tag", "topEntities": "id", "buckets": "start"}.get(part, part[2].lower() + part[3:])
    word = str(one[name])
    if part == "buckets":
        return word[:10]
    return (
        fold(word)
        if part == "topTags"
        else word.lower().replace("four_chan", "4chan")
        if part[:2] == "by"
        else word
    )


def scores(found: list[dict[str, Any]]) -> list[float]:
    return [one["confidence"]["score"] for one in found]


async def walked(door: EventsDoor, query: dict[str, Any], limit: int, total: int) -> list[str]:
    """The whole list by cursors."""
    keys: list[str] = []
    after = None
    for _ in range(total // limit + 1):
        found = data(await door.ask(ASK, query=query, first=limit, after=after))["events"]
        assert found["page"] == (1 if after is None else None)
        keys += [node["key"] for node in found["nodes"]]
        if not found["hasMore"]:
            break
        after = found["pageInfo"]["endCursor"]
    return keys


QUIET = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=8)


@QUIET
@given(events=EVENTS, queries=st.lists(QUERIES, min_size=1, max_size=6))
async def test_any_company_of_parameters(
    events_door: EventsDoor, events: list[dict[str, Any]], queries: list[dict[str, Any]]
) -> None:
    events_door.fill(events)
    for query in queries:
        await compare(events_door, events, query)


@QUIET
@given(events=EVENTS, values=st.fixed_dictionaries(PARAMETERS))
async def test_every_parameter_alone(
    events_door: EventsDoor, events: list[dict[str, Any]], values: dict[str, Any]
) -> None:
    events_door.fill(events)
    for name, value in values.items():
        await compare(events_door, events, {name: value})
