"""Events through both doors: the specification's calls, who sees what, statistics, and attempts to break in."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from schema.events.prompts import EVENT_PROMPTS, TEMPLATES
from schema.node import global_id
from sources.events import statistics
from sources.events.statistics import MOST_BUCKETS
from tests.support.events import EventsDoor, event, seeded
from tests.support.seeded import data, error

pytestmark = pytest.mark.timeout(180)

EXAMPLES: list[dict[str, Any]] = [
    {
        "since_timestamp": (datetime.now(UTC) - timedelta(hours=1)).isoformat().replace("+00:00", "Z"),
        "min_magnitude": 7.0,
        "sort_by": "magnitude",
    },
    {
        "search_query": "United States",
        "categories": ["cyber"],
        "min_confidence": 0.7,
        "entity_types": ["country"],
        "page": 1,
        "limit": 50,
    },
    {
        "categories": ["military"],
        "source_types": ["government", "news_media"],
        "min_confidence": 0.6,
        "sort_by": "confidence",
        "sort_order": "desc",
    },
    {
        "since_timestamp": "2024-01-01T00:00:00Z",
        "until_timestamp": "2024-01-31T23:59:59Z",
        "categories": ["geopolitics", "diplomacy"],
        "min_magnitude": 5.0,
    },
]
"""The usage examples of the specification, as they stand; the first asks for the last hour."""
CALLS = [*EXAMPLES, *(arguments for _, arguments in TEMPLATES.values())]

EVENTS = """query ($query: EventQuery) { events(query: $query) {
  nodes { key timestamp magnitude category confidence { score } tags entities { type } sources { type } }
  totalCount page limit hasMore } }"""


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def as_graphql(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a tool as an EventQuery."""
    words = ("categories", "source_types", "entity_types", "sort_by", "sort_order")

    def value(name: str, given: Any) -> Any:
        if name not in words:
            return given
        return [one.upper() for one in given] if isinstance(given, list) else given.upper()

    return {camel(name): value(name, given) for name, given in arguments.items()}


def holds(node: dict[str, Any], arguments: dict[str, Any]) -> bool:
    """Whether an event of the answer is what was asked for."""
    checks: dict[str, Callable[[Any], bool]] = {
        "since_timestamp": lambda bound: node["timestamp"] >= bound.replace("Z", "+00:00"),
        "until_timestamp": lambda bound: node["timestamp"] <= bound.replace("Z", "+00:00"),
        "min_magnitude": lambda bound: node["magnitude"] >= bound,
        "min_confidence": lambda bound: node["confidence"]["score"] >= bound,
        "categories": lambda words: node["category"] in words,
        "tags": lambda words: bool(set(words) & set(node["tags"])),
        "source_types": lambda words: bool(set(words) & {one["type"] for one in node["sources"]}),
        "entity_types": lambda words: bool(set(words) & {one["type"] for one in node["entities"]}),
    }
    return all(checks[name](value) for name, value in arguments.items() if name in checks)


async def test_the_calls_of_the_specification_run_as_they_stand(events_door: EventsDoor) -> None:
    assert seeded(events_door)
    answered: list[bool] = []
    for arguments in CALLS:
        result = await events_door.call("get_events", arguments)
        assert not result.is_error, result.content
        content = result.structured_content
        assert content["page"] == 1
        assert content["limit"] == arguments.get("limit", 20)
        assert all(holds(node, arguments) for node in content["nodes"])
        found = data(await events_door.ask(EVENTS, query=as_graphql(arguments)))["events"]
        assert [node["key"] for node in found["nodes"]] == [node["key"] for node in content["nodes"]]
        assert found["totalCount"] == content["total_count"]
        assert found["hasMore"] == content["page_info"]["has_next_page"]
        answered.append(bool(content["nodes"]))
    # Of the sample nothing happened in the last hour, nor fits into the month that the fourth example asks for.
    assert [index for index, found in enumerate(answered) if not found] == [0, 3]


def test_the_templates_are_prompts_that_hold_the_call() -> None:
    assert {prompt.name for prompt in EVENT_PROMPTS} == set(TEMPLATES)
    for prompt in EVENT_PROMPTS:
        text = prompt.write({})
        call = text[text.index("{") : text.index("}") + 1]
        assert json.loads(call) == TEMPLATES[prompt.name][1]
        assert '"since_timestamp": "2025-05-05"' in prompt.write({"since": "2025-05-05"})


@pytest.mark.parametrize(
    ("query", "argument", "says"),
    [
        ({"minMagnitude": 10.5}, "query.minMagnitude", "between 0 and 10"),
        ({"maxConfidence": -0.1}, "query.maxConfidence", "between 0 and 1"),
        ({"limit": 0}, "query.limit", "between 1 and 200"),
        ({"limit": 201}, "query.limit", "between 1 and 200"),
        ({"page": 0}, "query.page", "at least 1"),
        (
            {"minMagnitude": 5, "maxMagnitude": 4},
            "query.minMagnitude",
            "must not be above `query.maxMagnitude`",
        ),
        (
            {"sinceTimestamp": "2024-02-01", "untilTimestamp": "2024-01-31T23:59:59Z"},
            "query.sinceTimestamp",
            "(2024-02-01T00:00:00Z) must not be above",
        ),
        ({"searchQuery": ' -"" * '}, "query.searchQuery", "no word or number"),
        ({"tags": ["ok", " "]}, "query.tags[1]", "nothing to look for"),
        (
            {"near": {"latitude": 91, "longitude": 0, "radiusKm": 1}},
            "query.near.latitude",
            "between -90 and 90",
        ),
        (
            {"boundingBox": {"south": 2, "west": 0, "north": 1, "east": 1}},
            "query.boundingBox.south",
            "must not be above",
        ),
        ({"categories": ["SPORTS"]}, "query.categories[0]", "SPORTS"),
        ({"sinceTimestamp": "yesterday"}, "query.sinceTimestamp", "2024-01-31T23:59:59Z"),
    ],
)
async def test_what_cannot_be_asked(
    sqlite_events_door: EventsDoor, query: dict[str, Any], argument: str, says: str
) -> None:
    refused = error(
        await sqlite_events_door.ask("query ($q: EventQuery) { events(query: $q) { page } }", q=query)
    )
    assert refused["extensions"]["code"] in ("BAD_USER_INPUT", "GRAPHQL_VALIDATION_FAILED")
    assert refused["extensions"]["argument"] == argument
    assert says in refused["message"]


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        ('query: {page: 2}, after: "x"', "query.page"),
        ("query: {limit: 5}, first: 5", "first"),
        ("first: 201", "first"),
        ('after: "x"', "after"),
    ],
)
async def test_pages_that_contradict_themselves(
    sqlite_events_door: EventsDoor, arguments: str, argument: str
) -> None:
    refused = error(await sqlite_events_door.ask(f"{{ events({arguments}) {{ page }} }}"))
    assert (refused["extensions"]["code"], refused["extensions"]["argument"]) == ("BAD_USER_INPUT", argument)


async def test_a_large_page_costs_what_it_holds(sqlite_events_door: EventsDoor) -> None:
    """`query.limit` counts in the cost as `first` does, written out and as a variable."""
    text = "query ($q: EventQuery, $n: Int) { events(query: $q, first: $n) { nodes { entities { name } } } }"
    costs: dict[str, Any] = {}
    for name, variables in (("20", {}), ("200", {"q": {"limit": 200}}), ("first", {"n": 200})):
        answer = await sqlite_events_door.ask(text, **variables)
        costs[name] = answer["extensions"]["cost"] if "extensions" in answer else answer
    written = await sqlite_events_door.ask("{ events(query: {limit: 200}) { nodes { entities { name } } } }")
    assert written["extensions"]["cost"] == costs["200"] == costs["first"]
    assert costs["200"] != costs["20"]


# Who sees what ---------------------------------------------------------------------------------------------------

HIDDEN = ("pending", "enriched", "archived", "rejected")


@pytest.fixture
def mixed(events_door: EventsDoor) -> EventsDoor:
    events_door.fill([event("shown"), *(event(status, status=status, tags=["secret"]) for status in HIDDEN)])
    return events_door


async def test_on_this_machine_everything_is_seen(mixed: EventsDoor) -> None:
    for status in HIDDEN:
        found = data(await mixed.ask("query ($k: ID!) { event(id: $k) { status id } }", k=status))["event"]
        assert found["status"] == status.upper()
        node = data(await mixed.ask("query ($k: ID!) { node(id: $k) { id } }", k=found["id"]))["node"]
        assert node["id"] == global_id("Event", status) == found["id"]
        listed = await mixed.ask(f"{{ events(query: {{status: {status.upper()}}}) {{ nodes {{ key }} }} }}")
        assert data(listed)["events"]["nodes"] == [{"key": status}]
    answer = data(await mixed.ask("{ events { nodes { key } } eventStats { byStatus { status count } } }"))
    assert answer["events"]["nodes"] == [{"key": "shown"}]
    assert answer["eventStats"]["byStatus"] == [{"status": "PUBLISHED", "count": 1}]


async def test_elsewhere_only_published_events_are(mixed: EventsDoor) -> None:
    mixed.local = False
    for status in HIDDEN:
        refused = error(await mixed.ask("query ($k: ID!) { event(id: $k) { key } }", k=status))
        absent = error(await mixed.ask('{ event(id: "absent") { key } }'))
        assert refused["extensions"] == absent["extensions"]
        assert refused["message"] == absent["message"].replace("absent", status)
        id_ = global_id("Event", status)
        assert data(await mixed.ask("query ($k: ID!) { node(id: $k) { id } }", k=id_)) == {"node": None}
        for field in ("events(query: {status: %s}) { page }", "eventStats(query: {status: %s}) { total }"):
            asked = await mixed.ask("{ " + field % f"[PUBLISHED, {status.upper()}]" + " }")
            assert error(asked)["extensions"]["code"] == "FORBIDDEN"
    answer = data(
        await mixed.ask(
            '{ events(query: {tags: "secret"}) { totalCount provenance { warnings } } '
            'eventStats { total topTags { tag } } event(id: "shown") { key } }'
        )
    )
    assert answer["events"] == {
        "totalCount": 0,
        "provenance": {"warnings": ["No event has the tag `secret`."]},
    }
    assert answer["eventStats"] == {"total": 1, "topTags": []}
    assert answer["event"] == {"key": "shown"}


# Statistics ------------------------------------------------------------------------------------------------------

STATS = """query ($query: EventQuery, $bucket: TimeBucket!, $top: Int!) {
  eventStats(query: $query, bucket: $bucket, top: $top) {
    total meanMagnitude meanConfidence
    byCategory { category count } byStatus { status count }
    bySourceType { sourceType count } byEntityType { entityType count }
    topTags { tag count } topEntities { id name entityType count }
    buckets { start count meanMagnitude meanConfidence }
  }
}"""


def _blog(number: int) -> list[dict[str, Any]]:
    return [{"id": f"b{number}", "type": "blog"}, {"id": f"r{number}", "type": "reddit"}]


async def test_statistics(events_door: EventsDoor) -> None:
    germany = {"id": "de", "type": "country", "name": "Germany"}
    ana = {"id": "ana", "type": "person", "name": "Ana"}
    events_door.fill(
        [
            event(
                "a",
                timestamp="2024-01-01T00:30:00Z",
                magnitude=2.0,
                tags=["Oil", "gas"],
                entities=[germany, ana],
            ),
            event(
                "b", timestamp="2024-01-01T00:59:59.999999Z", magnitude=3.0, tags=["oil"], entities=[germany]
            ),
            event("c", timestamp="2024-01-07T23:00:00Z", category="cyber", sources=_blog(1)),
            event("d", timestamp="2024-02-01T00:00:00Z", confidence={"score": 0.5}, sources=_blog(2)),
            event("e", timestamp="1969-12-31T23:00:00Z", category="cyber", magnitude=1.0),
            event("f", status="rejected", tags=["oil"]),
        ]
    )
    stats = data(await events_door.ask(STATS, bucket="HOUR", top=10))["eventStats"]
    assert (stats["total"], stats["meanMagnitude"], stats["meanConfidence"]) == (5, 3.2, 0.82)
    assert stats["byCategory"] == [{"category": "OTHER", "count": 3}, {"category": "CYBER", "count": 2}]
    assert stats["byStatus"] == [{"status": "PUBLISHED", "count": 5}]
    assert stats["bySourceType"] == [
        {"sourceType": "NEWS_MEDIA", "count": 3},
        {"sourceType": "BLOG", "count": 2},
        {"sourceType": "REDDIT", "count": 2},
    ]
    assert stats["byEntityType"] == [
        {"entityType": "COUNTRY", "count": 2},
        {"entityType": "PERSON", "count": 1},
    ]
    assert stats["topTags"] == [{"tag": "Oil", "count": 2}, {"tag": "gas", "count": 1}]
    assert stats["topEntities"] == [
        {"id": "de", "name": "Germany", "entityType": "COUNTRY", "count": 2},
        {"id": "ana", "name": "Ana", "entityType": "PERSON", "count": 1},
    ]
    assert stats["buckets"][1] == {
        "start": "2024-01-01T00:00:00+00:00",
        "count": 2,
        "meanMagnitude": 2.5,
        "meanConfidence": 0.9,
    }
    for bucket, starts in (
        ("HOUR", ["1969-12-31T23", "2024-01-01T00", "2024-01-07T23", "2024-02-01T00"]),
        ("DAY", ["1969-12-31T00", "2024-01-01T00", "2024-01-07T00", "2024-02-01T00"]),
        ("WEEK", ["1969-12-29T00", "2024-01-01T00", "2024-01-29T00"]),
        ("MONTH", ["1969-12-01T00", "2024-01-01T00", "2024-02-01T00"]),
    ):
        stats = data(await events_door.ask(STATS, bucket=bucket, top=1))["eventStats"]
        assert [one["start"][:13] for one in stats["buckets"]] == starts, bucket
        assert sum(one["count"] for one in stats["buckets"]) == 5
        assert len(stats["topTags"]) == len(stats["topEntities"]) == 1
    narrowed = data(await events_door.ask(STATS, query={"tags": ["OIL"], "limit": 1}, bucket="DAY", top=5))
    assert narrowed["eventStats"]["total"] == 2
    nothing = data(await events_door.ask(STATS, query={"minMagnitude": 9}, bucket="DAY", top=5))["eventStats"]
    assert nothing["total"] == 0
    assert nothing["meanMagnitude"] is None
    assert all(not value for value in nothing.values())
    events_door.fill([event("a")])
    assert data(await events_door.ask(STATS, bucket="DAY", top=5))["eventStats"]["total"] == 1


async def test_parts_of_many_events_are_counted_alike(
    sqlite_events_door: EventsDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way of counting that only large tables are given finds what the other one does."""
    door = sqlite_events_door
    entities = [{"id": f"e{i}", "type": "city", "name": f"City {i}"} for i in range(3)]
    door.fill(
        event(f"n{i}", tags=["All", f"tag {i % 4}"], entities=entities[: 1 + i % 3], magnitude=1 + i % 9)
        for i in range(40)
    )
    for query in ({}, {"minMagnitude": 5}, {"tags": ["tag 1"], "maxMagnitude": 8}):
        few = data(await door.ask(STATS, query=query, bucket="DAY", top=3))["eventStats"]
        door.shelf.forget()
        with monkeypatch.context() as patch:
            patch.setattr(statistics, "MANY", 0)
            many = data(await door.ask(STATS, query=query, bucket="DAY", top=3))["eventStats"]
        door.shelf.forget()
        assert few["topEntities"][0]["id"] == "e0"
        assert few == many


async def test_too_many_buckets_are_refused(events_door: EventsDoor) -> None:
    begin = datetime(2020, 1, 1, tzinfo=UTC)
    hours = [(begin + timedelta(hours=i)).isoformat() for i in range(MOST_BUCKETS + 1)]
    events_door.fill(event(f"e{i}", timestamp=hour) for i, hour in enumerate(hours))
    refused = error(await events_door.ask("{ eventStats(bucket: HOUR) { buckets { count } } }"))
    assert refused["extensions"]["argument"] == "bucket"
    answer = data(await events_door.ask("{ eventStats(bucket: DAY) { buckets { count } } }"))
    assert sum(one["count"] for one in answer["eventStats"]["buckets"]) == MOST_BUCKETS + 1


# Attempts to break in --------------------------------------------------------------------------------------------

ATTEMPTS = (
    "' OR '1'='1",
    '" OR 1=1 --',
    "'; DROP TABLE events_event; --",
    "published') UNION SELECT content_hash FROM events_event --",
    "x' AND (SELECT 1 FROM pg_sleep(5)) IS NOT NULL --",
    "name : secret OR NEAR(a b)",
    "%' ESCAPE '!",
    "\\'; --",
    "{secret} ^ $1 ?1 :p0",
    "𝕏' OR ''='",
)
STRINGS = ("searchQuery", "tags", "entities")
ENUMS = ("categories", "sourceTypes", "entityTypes", "status", "sortBy", "sortOrder")


async def test_no_text_becomes_sql(events_door: EventsDoor) -> None:
    events_door.fill([event("shown", title="Plain"), event("secret", status="rejected", title="secret")])
    events_door.local = False
    text = "query ($q: EventQuery) { events(query: $q) { nodes { key } } }"
    for attempt in ATTEMPTS:
        for name in STRINGS:
            value = attempt if name == "searchQuery" else [attempt]
            answer = await events_door.ask(text, q={name: value})
            if "errors" in answer:
                assert error(answer)["extensions"]["code"] == "BAD_USER_INPUT", (name, attempt)
            else:
                assert answer["data"]["events"]["nodes"] == [], (name, attempt)
        for name in ENUMS:
            refused = error(await events_door.ask(text, q={name: attempt}))
            assert "syntax" not in refused["message"]
            assert refused["extensions"]["code"] in ("BAD_USER_INPUT", "GRAPHQL_VALIDATION_FAILED"), name
        for name in ("sinceTimestamp", "untilTimestamp"):
            assert "errors" in await events_door.ask(text, q={name: attempt})
        absent = error(await events_door.ask("query ($k: ID!) { event(id: $k) { key } }", k=attempt))
        assert absent["extensions"]["code"] == "NOT_FOUND"
    whole = data(await events_door.ask("{ events { totalCount nodes { key } } }"))["events"]
    assert whole == {"totalCount": 1, "nodes": [{"key": "shown"}]}


async def test_no_argument_of_a_tool_becomes_sql(events_door: EventsDoor) -> None:
    """Fewer attempts: both doors share all that lies behind the reading of arguments."""
    events_door.fill([event("shown", title="Plain"), event("secret", status="rejected", title="secret")])
    events_door.local = False
    names = ("search_query", "tags", "entities", "categories", "source_types", "entity_types", "status")
    for attempt in ATTEMPTS[:3]:
        for name in (*names, "sort_by", "sort_order", "since_timestamp", "min_magnitude", "after"):
            result = await events_door.call("get_events", {name: attempt})
            if result.is_error:
                (block,) = result.content
                assert block.text.startswith("BAD_USER_INPUT"), (name, attempt, block.text)
            else:
                assert result.structured_content["nodes"] == [], (name, attempt)
        result = await events_door.call("get_event", {"id": attempt})
        assert result.content[0].text.startswith("NOT_FOUND")
    assert (await events_door.call("get_events", {})).structured_content["total_count"] == 1


@pytest.mark.parametrize("until", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
async def test_times_beyond_the_calendar_are_refused(sqlite_events_door: EventsDoor, until: str) -> None:
    answer = await sqlite_events_door.ask(
        "query ($q: EventQuery) { events(query: $q) { totalCount } }",
        q={"sinceTimestamp": "9999-12-31", "untilTimestamp": until},
    )
    (error,) = answer["errors"]
    assert error["extensions"]["code"] == "BAD_USER_INPUT"
    assert "untilTimestamp" in error["message"]
