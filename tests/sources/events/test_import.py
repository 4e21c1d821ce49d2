"""Importing events: three formats, rejects with reasons, and nothing that happens twice."""

from __future__ import annotations

import csv
import json
import signal
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

import orjson
import pytest
from jsonschema import Draft202012Validator

from schema.events import vocabularies
from sources.data_version import data_version
from sources.errors import DataFolderError
from sources.events import SOURCE, format, vocabulary
from sources.events.importer import BATCH
from sources.events.rows import content_hash
from sources.events.source import SAMPLE, read_sample
from tests.support.commands import loregraph, running
from tests.support.events import EventsDoor, event, seeded
from tests.support.seeded import data

pytestmark = pytest.mark.timeout(180)

WHOLE: dict[str, Any] = {
    "id": "whole",
    "timestamp": "2023-05-06T07:08:09.123456+02:00",
    "title": "A whole event",
    "summary": "With every field.",
    "raw_content": "raw",
    "magnitude": 6.5,
    "confidence": {"score": 0.7, "reasoning": "two reports", "source_count": 4, "level": "high"},
    "category": "cyber",
    "status": "published",
    "location": {"latitude": 1.5, "longitude": -2.5, "country": "C", "city": "T", "region": "R"},
    "tags": ["Breach", "breach", "Énergie"],
    "entities": [
        {
            "id": "e1",
            "type": "vessel",
            "name": "Ever Example",
            "normalized_name": "ever example",
            "aliases": ["EE"],
            "confidence": 0.9,
            "context": "hit",
            "attributes": {"imo": "1234567", "flag": "PA", "external_refs": ["x"]},
        }
    ],
    "sources": [
        {
            "id": "s1",
            "type": "4chan",
            "url": "https://a.example/1",
            "title": "Post",
            "author": "anon",
            "author_id": "a-1",
            "published_at": "2023-05-06T06:00:00Z",
            "retrieved_at": "2023-05-07",
            "raw_content": "post",
            "content_hash": "ab",
            "metadata": {"like_count": 3, "hashtags": ["h"], "language": "en"},
            "credibility": 0.4,
            "verification_url": "https://b.example",
            "scrape_status": "completed",
            "scrape_error": None,
            "scraped_at": "2023-05-07T00:00:00Z",
            "enrichment_status": "failed",
            "enrichment_error": "no words",
            "enriched_at": "2023-05-08T00:00:00Z",
            "enrichment_claimed_at": "2023-05-07T23:00:00Z",
            "event_id": "whole",
            "created_at": "2023-05-07T00:00:00Z",
        }
    ],
    "created_at": "2023-05-07T00:00:00Z",
    "updated_at": "2023-05-08T00:00:00Z",
}
READ_WHOLE = """{ event(id: "whole") {
  key timestamp title summary rawContent magnitude category status createdAt updatedAt tags
  confidence { score level reasoning sourceCount }
  location { latitude longitude country city region }
  entities { id type name normalizedName aliases confidence context primary attributes { imo flag externalRefs title } }
  sources { id type url title author authorId publishedAt retrievedAt rawContent contentHash credibility credible
    verificationUrl scrapeStatus scrapeError scrapedAt enrichmentStatus enrichmentError enrichedAt
    enrichmentClaimedAt createdAt metadata { likeCount hashtags mentions language } }
} }"""
STORED_WHOLE = {
    "key": "whole",
    "timestamp": "2023-05-06T05:08:09.123456+00:00",
    "title": "A whole event",
    "summary": "With every field.",
    "rawContent": "raw",
    "magnitude": 6.5,
    "category": "CYBER",
    "status": "PUBLISHED",
    "createdAt": "2023-05-07T00:00:00+00:00",
    "updatedAt": "2023-05-08T00:00:00+00:00",
    "tags": ["Breach", "Énergie"],
    "confidence": {"score": 0.7, "level": "HIGH", "reasoning": "two reports", "sourceCount": 4},
    "location": {"latitude": 1.5, "longitude": -2.5, "country": "C", "city": "T", "region": "R"},
    "entities": [
        {
            "id": "e1",
            "type": "VESSEL",
            "name": "Ever Example",
            "normalizedName": "ever example",
            "aliases": ["EE"],
            "confidence": 0.9,
            "context": "hit",
            "primary": False,
            "attributes": {"imo": "1234567", "flag": "PA", "externalRefs": ["x"], "title": None},
        }
    ],
    "sources": [
        {
            "id": "s1",
            "type": "FOUR_CHAN",
            "url": "https://a.example/1",
            "title": "Post",
            "author": "anon",
            "authorId": "a-1",
            "publishedAt": "2023-05-06T06:00:00+00:00",
            "retrievedAt": "2023-05-07T00:00:00+00:00",
            "rawContent": "post",
            "contentHash": "ab",
            "credibility": 0.4,
            "credible": True,
            "verificationUrl": "https://b.example",
            "scrapeStatus": "COMPLETED",
            "scrapeError": None,
            "scrapedAt": "2023-05-07T00:00:00+00:00",
            "enrichmentStatus": "FAILED",
            "enrichmentError": "no words",
            "enrichedAt": "2023-05-08T00:00:00+00:00",
            "enrichmentClaimedAt": "2023-05-07T23:00:00+00:00",
            "createdAt": "2023-05-07T00:00:00+00:00",
            "metadata": {"likeCount": 3, "hashtags": ["h"], "mentions": [], "language": "en"},
        }
    ],
}


def jsonl(path: Path, events: Iterable[Mapping[str, Any]]) -> Path:
    path.write_bytes(b"".join(orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in events))
    return path


async def version(door: EventsDoor) -> int:
    found = await data_version(door.database, "events")
    return 0 if found is None else found.version


async def keys(door: EventsDoor) -> list[str]:
    statuses = "[PENDING, ENRICHED, PUBLISHED, ARCHIVED, REJECTED]"
    query = f"{{ events(query: {{status: {statuses}}}, first: 200) {{ nodes {{ key }} }} }}"
    return sorted(node["key"] for node in data(await door.ask(query))["events"]["nodes"])


async def test_json_lines_hold_every_field(events_door: EventsDoor, tmp_path: Path) -> None:
    outcome = events_door.imported(jsonl(tmp_path / "a.jsonl", [WHOLE]))
    assert outcome.counts == {"added": 1, "changed": 0, "unchanged": 0}
    assert data(await events_door.ask(READ_WHOLE))["event"] == STORED_WHOLE


async def test_csv_holds_every_field(events_door: EventsDoor, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    row = {
        **{name: WHOLE[name] for name in ("id", "timestamp", "title", "summary", "raw_content", "magnitude")},
        **{name: WHOLE[name] for name in ("category", "status", "created_at", "updated_at")},
        **{
            f"confidence_{name}": WHOLE["confidence"][name] for name in ("score", "reasoning", "source_count")
        },
        **WHOLE["location"],
        "tags": "Breach; breach ;Énergie",
        "entities": json.dumps(WHOLE["entities"]),
        "sources": json.dumps(WHOLE["sources"]),
    }
    small = {"id": "small", "timestamp": "2024-01-01", "title": 'Two\n"lines", one cell', "magnitude": 2}
    small |= {"category": "other", "confidence_score": "0.5", "tags": '["a;b"]'}
    with file.open("w", encoding="utf-8-sig", newline="") as opened:
        writer = csv.DictWriter(opened, list(row))
        writer.writeheader()
        writer.writerows([row, small])
    assert events_door.imported(file).counts["added"] == 2
    assert data(await events_door.ask(READ_WHOLE))["event"] == STORED_WHOLE
    found = data(
        await events_door.ask('{ event(id: "small") { title tags status confidence { sourceCount } } }')
    )
    assert found["event"] == {
        "title": 'Two\n"lines", one cell',
        "tags": ["a;b"],
        "status": "PENDING",
        "confidence": {"sourceCount": 0},
    }
    assert events_door.imported(jsonl(tmp_path / "a.jsonl", [WHOLE])).counts["unchanged"] == 1


def quake(identity: str, **properties: Any) -> dict[str, Any]:
    given = {"mag": 6.1, "place": "10 km N of Somewhere", "time": 1700000000123, "updated": 1700000100000}
    given |= {"url": "https://quakes.example/x", "tsunami": 1, "status": "reviewed", "type": "earthquake"}
    given |= {"title": "M 6.1 - 10 km N of Somewhere", "magType": "mww", "felt": 12, "alert": "green"}
    geometry = {"type": "Point", "coordinates": [190.5, -12.25, 35]}
    return {"type": "Feature", "id": identity, "properties": given | properties, "geometry": geometry}


@pytest.mark.parametrize("indent", [None, 1])
async def test_earthquakes_of_the_usgs(events_door: EventsDoor, tmp_path: Path, indent: int | None) -> None:
    features = [
        quake("us1"),
        quake("us2", mag=None),
        quake("us3", mag=-0.4, status="automatic", tsunami=0, felt=None, alert=None),
        {"type": "Feature", "id": "us4"},
        quake("us5", status="deleted"),
    ]
    file = tmp_path / "all.geojson"
    body = {"type": "FeatureCollection", "metadata": {"count": 5}, "features": features, "bbox": [1, 2]}
    file.write_text(json.dumps(body, indent=indent), encoding="utf-8")
    rejects = tmp_path / "rejects.jsonl"
    outcome = events_door.imported(file, rejects=rejects)
    assert (outcome.counts["added"], outcome.rejected) == (3, 2)
    reasons = [json.loads(line)["reasons"] for line in rejects.read_text().splitlines()]
    assert reasons == [
        ["properties.mag: is no number; the event has no magnitude yet."],
        ["It is no feature with properties."],
    ]
    found = data(
        await events_door.ask(
            '{ event(id: "usgs-us1") { timestamp title summary magnitude category status tags'
            " confidence { score level } location { latitude longitude region } sources { type url title } }"
            ' weak: event(id: "usgs-us3") { magnitude status } gone: event(id: "usgs-us5") { status } }'
        )
    )
    assert found["event"] == {
        "timestamp": "2023-11-14T22:13:20.123000+00:00",
        "title": "M 6.1 - 10 km N of Somewhere",
        "summary": "Earthquake of magnitude 6.1 (mww), 10 km N of Somewhere, at a depth of 35 km; felt reports: 12;"
        " alert level green.",
        "magnitude": 6.1,
        "category": "DISASTER",
        "status": "PUBLISHED",
        "tags": ["earthquake", "tsunami"],
        "confidence": {"score": 0.95, "level": "VERIFIED"},
        "location": {"latitude": -12.25, "longitude": -169.5, "region": "10 km N of Somewhere"},
        "sources": [
            {
                "type": "GOVERNMENT",
                "url": "https://quakes.example/x",
                "title": "USGS Earthquake Hazards Program",
            }
        ],
    }
    assert found["weak"] == {"magnitude": 0.0, "status": "PENDING"}
    assert found["gone"] == {"status": "REJECTED"}
    assert events_door.imported(file).counts == {"added": 0, "changed": 0, "unchanged": 3}


async def test_a_geojson_that_breaks_off_keeps_what_came_before(
    events_door: EventsDoor, tmp_path: Path
) -> None:
    file = tmp_path / "a.geojson"
    text = json.dumps({"type": "FeatureCollection", "features": [quake("us1"), quake("us2")]})
    file.write_text(text[:-60])
    outcome = events_door.imported(file)
    assert (outcome.counts["added"], outcome.rejected) == (1, 1)
    file.write_text('{"type": "FeatureCollection"}')
    assert events_door.imported(file).rejected == 1


async def test_what_is_rejected_is_told_with_its_line_and_every_reason(
    events_door: EventsDoor, tmp_path: Path
) -> None:
    file, rejects = tmp_path / "a.jsonl", tmp_path / "rejects.jsonl"
    bad = event("bad", magnitude=11, colour="red", timestamp="yesterday")
    lines = [
        orjson.dumps(event("good")),
        b"",
        orjson.dumps(bad),
        b"{not json",
        orjson.dumps(event("twice", sources=[{"id": "s", "type": "blog"}, {"id": "s", "type": "blog"}])),
        orjson.dumps(event("half", location={"latitude": 1})),
        b'{"id": "nul", "title": "a\\u0000b"}',
        orjson.dumps(event("last")),
    ]
    file.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines))
    outcome = events_door.imported(file, rejects=rejects)
    assert (outcome.counts["added"], outcome.rejected) == (2, 5)
    told = [json.loads(line) for line in rejects.read_text().splitlines()]
    assert [one["line"] for one in told] == [3, 4, 5, 6, 7]
    assert {one["file"] for one in told} == {str(file)}
    assert told[0]["reasons"] == [
        "timestamp: is not a time like 2024-01-31T23:59:59Z, nor a date like 2024-01-31, got yesterday.",
        "magnitude: Input should be less than or equal to 10, got 11.",
        "colour: Extra inputs are not permitted, got red.",
    ]
    assert told[1]["reasons"][0].startswith("Invalid JSON")
    assert told[2]["reasons"] == ["names `s` twice among its sources."]
    assert told[3]["reasons"] == ["location: needs latitude and longitude together."]
    assert any(reason.startswith("title: ") for reason in told[4]["reasons"])
    assert await keys(events_door) == ["good", "last"]


async def test_a_rerun_changes_nothing_and_a_change_replaces(events_door: EventsDoor, tmp_path: Path) -> None:
    first = event("a", tags=["old"], title="Old title", entities=[{"id": "x", "type": "city", "name": "X"}])
    file = jsonl(tmp_path / "a.jsonl", [first, event("b")])
    assert events_door.imported(file).counts == {"added": 2, "changed": 0, "unchanged": 0}
    moved = await version(events_door)
    assert moved > 0
    assert events_door.imported(file).counts == {"added": 0, "changed": 0, "unchanged": 2}
    assert await version(events_door) == moved
    ask = '{ event(id: "a") { createdAt tags title entities { id } } }'
    created = data(await events_door.ask(ask))["event"]["createdAt"]
    jsonl(file, [event("a", tags=["new"], title="New title"), event("b")])
    assert events_door.imported(file).counts == {"added": 0, "changed": 1, "unchanged": 1}
    assert await version(events_door) > moved
    changed = data(await events_door.ask(ask))["event"]
    assert changed == {"createdAt": created, "tags": ["new"], "title": "New title", "entities": []}
    for query, found in (("old", []), ("new", ["a"])):
        for condition in (f'searchQuery: "{query}"', f'tags: "{query}"'):
            answer = data(
                await events_door.ask(f"{{ events(query: {{{condition}}}) {{ nodes {{ key }} }} }}")
            )
            assert [node["key"] for node in answer["events"]["nodes"]] == found, condition


async def test_a_dry_run_writes_nothing(events_door: EventsDoor, tmp_path: Path) -> None:
    file = jsonl(tmp_path / "a.jsonl", [event("a"), event("a"), {"id": "bad"}])
    outcome = events_door.imported(file, dry_run=True)
    assert (outcome.counts["added"], outcome.rejected) == (1, 1)
    assert await keys(events_door) == []
    assert await version(events_door) == 0


async def test_only_what_may_be_published_is(events_door: EventsDoor, tmp_path: Path) -> None:
    events = [
        event("fit", confidence={"score": 0.3}, magnitude=1.0),
        event("unsure", confidence={"score": 0.29}),
        event("slight", magnitude=0.99),
        event("unsourced", sources=[]),
        event("put-away", status="archived", sources=[]),
    ]
    outcome = events_door.imported(jsonl(tmp_path / "a.jsonl", events))
    assert outcome.notes[0].startswith("3 events wait as `pending`")
    ask = "query ($s: [EventStatus!]) { events(query: {status: $s, sortOrder: ASC}) { nodes { key } } }"
    for status, found in (
        ("PUBLISHED", ["fit"]),
        ("PENDING", ["slight", "unsourced", "unsure"]),
        ("ARCHIVED", ["put-away"]),
    ):
        answer = data(await events_door.ask(ask, s=[status]))
        assert [node["key"] for node in answer["events"]["nodes"]] == found


async def test_folders_and_paths_that_are_not_there(events_door: EventsDoor, tmp_path: Path) -> None:
    folder = tmp_path / "more" / "deep"
    folder.mkdir(parents=True)
    with pytest.raises(DataFolderError, match="holds no file of events"):
        events_door.imported(tmp_path / "more")
    jsonl(folder / "a.ndjson", [event("a")])
    jsonl(tmp_path / "more" / "b.json", [event("b")])
    (folder / "readme.txt").write_text("no event")
    assert events_door.imported(tmp_path / "more").counts["added"] == 2
    with pytest.raises(DataFolderError, match="cannot be read: no such file"):
        events_door.imported(tmp_path / "absent.jsonl")
    with pytest.raises(DataFolderError, match="of no kind that is known"):
        events_door.imported(folder / "readme.txt")
    with pytest.raises(DataFolderError, match="cannot be written"):
        events_door.imported(folder / "a.ndjson", rejects=tmp_path / "absent" / "rejects")


def test_the_schema_says_what_the_import_takes() -> None:
    schema = SOURCE.importer.schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    validator.validate(WHOLE)
    validator.validate(event("small"))
    for wrong in ({"magnitude": 11}, {"category": "sports"}, {"colour": "red"}, {"timestamp": 5}):
        assert list(validator.iter_errors(event("wrong", **wrong))), wrong
    assert schema["properties"]["magnitude"]["description"].startswith("How much it weighs")


def test_the_hash_is_that_of_the_content() -> None:
    (one, other, *_) = read_sample()
    assert content_hash(one) == content_hash(one.model_copy())
    assert content_hash(one) != content_hash(other)


# The sample ------------------------------------------------------------------------------------------------------


async def test_the_sample_is_seeded_once_marked_and_removed_for_good(
    events_door: EventsDoor, tmp_path: Path
) -> None:
    held = len(SAMPLE.read_bytes().splitlines())
    assert held >= 120
    assert seeded(events_door) is True
    assert seeded(events_door) is False
    ask = "{ events(query: {limit: 1}) { totalCount nodes { source { name } } provenance { warnings complete } } }"
    found = data(await events_door.ask(ask))["events"]
    assert found["totalCount"] == held
    assert found["provenance"]["warnings"] == [f"Only the embedded sample of {held} events is held here."]
    assert found["nodes"][0]["source"]["name"] == "The sample of events that comes with loregraph"
    status = await events_door.shelf.status()
    assert status.message == f"Only the embedded sample of {held} events is held here."

    first = orjson.loads(SAMPLE.read_bytes().splitlines()[0])
    events_door.imported(jsonl(tmp_path / "a.jsonl", [first, event("mine")]))
    warning = f"The embedded sample of {held - 1} events is among what is held here."
    assert data(await events_door.ask(ask))["events"]["provenance"]["warnings"] == [warning]

    assert SOURCE.remove_sample(events_door.database) == held - 1
    assert await keys(events_door) == sorted([first["id"], "mine"])
    assert data(await events_door.ask(ask))["events"]["provenance"]["warnings"] == []
    assert (await events_door.shelf.status()).message is None
    assert seeded(events_door) is False
    assert SOURCE.remove_sample(events_door.database) == 0


# The command -----------------------------------------------------------------------------------------------------


def test_the_command_imports_and_a_kill_loses_nothing(tmp_path: Path) -> None:
    rows = 3 * BATCH
    file = jsonl(tmp_path / "many.jsonl", (event(f"event-{i}", title=f"Event {i}") for i in range(rows)))
    folder = tmp_path / "data"
    with running("import", "events", str(file), data_dir=folder, cwd=tmp_path) as command:
        command.wait_for(r"importing many\.jsonl: [1-9]\d* of")
        command.stop(signal.SIGKILL)
    connection = sqlite3.connect(folder / "loregraph.db")
    held = connection.execute("SELECT count(*) FROM events_event WHERE NOT sample").fetchone()[0]
    assert held >= BATCH
    assert held % BATCH == 0
    result = loregraph("import", "events", str(file), "--json", data_dir=folder, cwd=tmp_path)
    outcome = json.loads(result.stdout)
    assert outcome["counts"] == {"added": rows - held, "changed": 0, "unchanged": held}
    counted = "SELECT count(*), count(DISTINCT key) FROM events_event WHERE NOT sample"
    assert connection.execute(counted).fetchone() == (rows, rows)
    texts = "SELECT count(*) FROM events_event_fts WHERE events_event_fts MATCH 'event'"
    assert connection.execute(texts).fetchone()[0] >= rows
    connection.close()
    again = loregraph("sample", "remove", "events", data_dir=folder, cwd=tmp_path)
    assert "sample records removed" in again.stdout
    schema = loregraph("import", "events", "--schema", data_dir=folder, cwd=tmp_path)
    assert json.loads(schema.stdout)["title"] == "Event"


def test_the_format_the_schema_and_the_store_speak_the_same_words() -> None:
    for words, literal, enum in (
        (vocabulary.CATEGORIES, format.Category, vocabularies.EventCategory),
        (vocabulary.STATUSES, format.Status, vocabularies.EventStatus),
        (vocabulary.SOURCE_TYPES, format.SourceType, vocabularies.EventSourceType),
        (vocabulary.ENTITY_TYPES, format.EntityType, vocabularies.EventEntityType),
    ):
        # Strawberry wraps the values of its enums until the schema is made.
        named = {getattr(one.value, "value", one.value) for one in enum}
        assert set(words) == set(get_args(literal)) == named
        assert len(words) == len(set(words))
