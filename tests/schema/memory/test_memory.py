"""`recall`, `memoryEntries` and `memoryDatabases`, through the executor of both doors, on both databases."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from schema.node import global_id
from sources.database import Database
from sources.errors import SourceNotConfigured
from sources.memory import SOURCE
from sources.registry import Changes
from tests.support.memory import MemoryHouse, memory_house, sqlite_house
from tests.support.seeded import data, error
from tests.support.toy_index import DIMENSION

RECIPES: list[dict[str, Any]] = [
    {
        "id": "soup",
        "content": "Boil the red beetroot for an hour with onion",
        "metadata": {"topic": "soup", "tags": ["winter", "red"], "rating": 4},
        "timestamp": "2024-01-31T22:00:00Z",
    },
    {
        "id": "cake",
        "content": "Whisk the egg whites until stiff",
        "metadata": {"topic": "cake", "rating": 5},
        "timestamp": "2024-02-01",
    },
    {
        "id": "stew",
        "content": "Onion and carrot stew for an hour",
        "metadata": {"topic": "soup", "vegan": True},
    },
]
HITS = "nodes { entryId score matchedBy content } provenance { complete warnings }"


@pytest.fixture
async def either(database: Database, database_target: str, tmp_path: Path) -> AsyncIterator[MemoryHouse]:
    async with memory_house(database, database_target, tmp_path / "data") as opened:
        await opened.create("notes", entries=RECIPES)
        yield opened


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[MemoryHouse]:
    """On SQLite alone, for what does not depend on the database."""
    async with sqlite_house(tmp_path) as opened:
        await opened.create("notes", entries=RECIPES)
        yield opened


async def recall(house: MemoryHouse, arguments: str, fields: str = HITS, **variables: Any) -> Any:
    signature = "($v: [Float!]) " if "v" in variables else ""
    return await house.ask(f"query {signature}{{ recall({arguments}) {{ {fields} }} }}", **variables)


def ids(answer: dict[str, Any]) -> list[str]:
    return [node["entryId"] for node in data(answer)["recall"]["nodes"]]


async def test_the_nearest_come_first_with_all_that_is_known_of_them(house: MemoryHouse) -> None:
    await house.indexer.run_once()
    fields = (
        "query database pageInfo { hasNextPage } nodes { id entryId content metadata timestamp score matchedBy"
        " node { id entryId database source { name licence } } } provenance { source providers complete warnings }"
    )
    found = data(await recall(house, 'dbName: "notes", query: "beetroot boil red", first: 1', fields))[
        "recall"
    ]
    (hit,) = found["nodes"]
    assert hit.pop("score") == pytest.approx(0.577, abs=0.2)
    id_ = global_id("MemoryEntry", "notes/soup")
    assert hit == {
        "id": id_,
        "entryId": "soup",
        "content": RECIPES[0]["content"],
        "metadata": RECIPES[0]["metadata"],
        "timestamp": "2024-01-31T22:00:00+00:00",
        "matchedBy": ["SEMANTIC"],
        "node": {
            "id": id_,
            "entryId": "soup",
            "database": "notes",
            "source": {"name": "Memory database `notes`", "licence": None},
        },
    }
    assert found["query"] == "beetroot boil red"
    assert found["database"] == "notes"
    assert found["pageInfo"] == {"hasNextPage": True}
    assert found["provenance"] == {
        "source": "memory",
        "providers": ["notes"],
        "complete": True,
        "warnings": [],
    }


async def test_scores_fall_and_a_least_score_cuts(house: MemoryHouse) -> None:
    await house.indexer.run_once()
    nodes = data(await recall(house, 'dbName: "notes", query: "onion for an hour"'))["recall"]["nodes"]
    scores = [node["score"] for node in nodes]
    assert [node["entryId"] for node in nodes] == ["stew", "soup", "cake"]
    assert scores == sorted(scores, reverse=True)
    between = (scores[0] + scores[1]) / 2
    assert ids(await recall(house, f'dbName: "notes", query: "onion for an hour", minScore: {between}')) == [
        "stew"
    ]


FILTERS: dict[str, list[str]] = {
    'metadata: ["topic=soup"]': ["stew", "soup"],
    'metadata: ["tags=red"]': ["soup"],
    'metadata: ["rating=5", "vegan=true"]': ["stew", "cake"],
    'metadata: ["topic=bread"]': [],
    'not: {metadata: ["topic=soup"]}': ["cake"],
    'since: "2024-01-31T22:00:00Z"': ["soup", "cake"],
    'until: "2024-01-31"': ["soup"],
    'since: "2024-02-01", until: "2024-02-01"': ["cake"],
    'entryId: ["cake", "none"]': ["cake"],
    "entryId: []": [],
    'text: "hour ONION"': ["stew", "soup"],
    'anyOf: [{entryId: "cake"}, {text: "carrot"}]': ["stew", "cake"],
}


async def test_a_filter_holds_of_every_hit_and_of_every_entry(either: MemoryHouse) -> None:
    await either.indexer.run_once()
    for filter_, expected in FILTERS.items():
        answer = await recall(either, f'dbName: "notes", query: "onion for an hour", filter: {{{filter_}}}')
        assert ids(answer) == expected, filter_
        query = f'{{ memoryEntries(dbName: "notes", filter: {{{filter_}}}) {{ totalCount nodes {{ entryId }} }} }}'
        listed = data(await either.ask(query))["memoryEntries"]
        assert sorted(node["entryId"] for node in listed["nodes"]) == sorted(expected), filter_
        assert listed["totalCount"] == len(expected), filter_


async def test_until_it_is_indexed_words_find_and_the_answer_says_so(either: MemoryHouse) -> None:
    asked = 'dbName: "notes", query: "egg stiff"'
    found = data(await recall(either, asked))["recall"]
    assert [(node["entryId"], node["matchedBy"]) for node in found["nodes"]] == [("cake", ["FULL_TEXT"])]
    assert found["provenance"] == {
        "complete": False,
        "warnings": [
            "The index of meanings is not open in this process. What is not indexed was looked for by the words of the"
            " query."
        ],
    }
    before = found["nodes"][0]["score"]
    await either.indexer.run_once()
    found = data(await recall(either, asked))["recall"]
    assert found["nodes"][0]["entryId"] == "cake"
    assert found["nodes"][0]["score"] == pytest.approx(before, abs=1e-4)
    assert found["provenance"] == {"complete": True, "warnings": []}


async def test_what_changed_is_found_as_it_is_now_before_it_is_indexed(either: MemoryHouse) -> None:
    await either.indexer.run_once()
    await either.load(
        "notes", [RECIPES[1] | {"content": "Freeze the raspberries"}, {"id": "stew", "delete": True}]
    )
    found = data(await recall(either, 'dbName: "notes", query: "raspberries"'))["recall"]
    assert found["nodes"][0]["entryId"] == "cake"
    assert found["nodes"][0]["content"] == "Freeze the raspberries"
    assert "stew" not in [node["entryId"] for node in found["nodes"]]
    assert found["provenance"]["complete"] is False
    await either.indexer.run_once()
    assert data(await recall(either, 'dbName: "notes", query: "x"'))["recall"]["provenance"]["complete"]


async def test_without_an_embedder_the_share_of_words_is_the_score(either: MemoryHouse) -> None:
    await either.indexer.run_once()
    either.embedders.toy.failing = SourceNotConfigured("The embedding service wants a key.")
    found = data(await recall(either, 'dbName: "notes", query: "carrot pie"'))["recall"]
    assert [(node["entryId"], node["score"]) for node in found["nodes"]] == [("stew", 0.5)]
    assert found["provenance"] == {
        "complete": False,
        "warnings": [
            "The embedding service wants a key. Found by the words of the query alone; the score is the share of them"
            " that an entry holds."
        ],
    }
    # A least nearness cannot be told without vectors: it is not passed over.
    refused = error(await recall(either, 'dbName: "notes", query: "carrot pie", minScore: 0.1'))
    assert refused["extensions"]["code"] == "SOURCE_NOT_CONFIGURED"


async def test_a_vector_of_the_caller_stands_for_the_query(house: MemoryHouse) -> None:
    await house.indexer.run_once()
    (vector,) = await house.embedders.toy.embed(["Whisk egg whites"])
    asked = 'dbName: "notes", query: "?", queryVector: $v, first: 1'
    # Only its direction counts.
    for scale in (1.0, 1e-30, 1e300):
        answer = await recall(house, asked, v=[float(value) * scale for value in vector])
        assert ids(answer) == ["cake"]


async def test_a_vector_that_cannot_be_compared_is_refused(house: MemoryHouse) -> None:
    for vector in ([1.0] * (DIMENSION - 1), []):
        refused = error(await recall(house, 'dbName: "notes", query: "?", queryVector: $v', v=vector))
        assert refused["extensions"]["code"] == "EMBEDDER_MISMATCH"
        assert refused["message"] == (
            f"`queryVector` has {len(vector)} dimensions, and `notes` holds vectors of 64, made by toy. Embed the query"
            " with that model, or leave `queryVector` out."
        )
    refused = error(await recall(house, 'dbName: "notes", query: "?", queryVector: $v', v=[0.0] * DIMENSION))
    assert refused["extensions"]["argument"] == "queryVector"


async def test_a_query_that_says_nothing_is_refused_and_odd_ones_are_answered(either: MemoryHouse) -> None:
    query = 'query ($q: String!) { recall(dbName: "notes", query: $q) { nodes { entryId } } }'
    for text in ("", "   ", "\u200b"):
        assert error(await either.ask(query, q=text))["extensions"]["argument"] == "query"
    for text in ("x", "?!", "egg " * 2_500, "'\" OR * -", "égg"):
        # By words as long as nothing is indexed.
        assert "errors" not in await either.ask(query, q=text), text
    await either.indexer.run_once()
    for text in ("x", "?!", "egg " * 2_500, "'\" OR * -", "égg"):
        assert len(data(await either.ask(query, q=text))["recall"]["nodes"]) == 3, text


async def test_an_unknown_database_is_answered_with_those_that_are_active(house: MemoryHouse) -> None:
    await house.create("recipes")
    refused = error(await recall(house, 'dbName: "note", query: "x"'))
    assert refused["extensions"]["code"] == "BAD_USER_INPUT"
    assert refused["extensions"]["argument"] == "dbName"
    assert refused["extensions"]["allowed"] == ["notes", "recipes"]
    assert refused["extensions"]["suggestions"] == ["notes"]
    await SOURCE.registry.change(house.database, "notes", Changes(active=False))
    refused = error(await recall(house, 'dbName: "notes", query: "x"'))
    assert refused["extensions"]["allowed"] == ["recipes"]
    refused = error(await house.ask('{ memoryEntries(dbName: "notes") { nodes { entryId } } }'))
    assert refused["extensions"]["allowed"] == ["recipes"]
    id_ = global_id("MemoryEntry", "notes/soup")
    assert data(await house.ask("query ($id: ID!) { node(id: $id) { id } }", id=id_)) == {"node": None}


async def test_entries_are_listed_newest_first_page_by_page(either: MemoryHouse) -> None:
    query = (
        'query ($after: String) { memoryEntries(dbName: "notes", first: 2, after: $after)'
        " { nodes { entryId } pageInfo { hasNextPage endCursor } } }"
    )
    first = data(await either.ask(query))["memoryEntries"]
    assert [node["entryId"] for node in first["nodes"]] == ["cake", "soup"]
    rest = data(await either.ask(query, after=first["pageInfo"]["endCursor"]))["memoryEntries"]
    assert [node["entryId"] for node in rest["nodes"]] == ["stew"]
    assert rest["pageInfo"]["hasNextPage"] is False
    by_id = data(
        await either.ask(
            '{ memoryEntries(dbName: "notes", orderBy: {field: ENTRY_ID}) { nodes { entryId } } }'
        )
    )["memoryEntries"]
    assert [node["entryId"] for node in by_id["nodes"]] == ["cake", "soup", "stew"]


async def test_a_cursor_of_another_database_is_refused(house: MemoryHouse) -> None:
    await house.create("other", entries=RECIPES)
    cursor = data(await house.ask('{ memoryEntries(dbName: "notes", first: 1) { pageInfo { endCursor } } }'))[
        "memoryEntries"
    ]["pageInfo"]["endCursor"]
    refused = error(
        await house.ask(f'{{ memoryEntries(dbName: "other", after: "{cursor}") {{ nodes {{ id }} }} }}')
    )
    assert refused["extensions"]["argument"] == "after"


async def test_a_node_is_the_entry(either: MemoryHouse) -> None:
    ids_ = [global_id("MemoryEntry", key) for key in ("notes/cake", "notes/none", "none/cake")]
    query = "query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on MemoryEntry { entryId metadata } } }"
    assert data(await either.ask(query, ids=ids_))["nodes"] == [
        {"id": ids_[0], "entryId": "cake", "metadata": {"topic": "cake", "rating": 5}},
        None,
        None,
    ]


async def test_databases_say_how_far_they_are(house: MemoryHouse) -> None:
    query = "{ memoryDatabases { name description kind model dimension public entries indexed ready } }"
    expected = {
        "name": "notes",
        "description": "Notes of a cook.",
        "kind": "MANAGED",
        "model": "toy",
        "dimension": 64,
        "public": False,
        "entries": 3,
        "indexed": 0,
        "ready": False,
    }
    assert data(await house.ask(query))["memoryDatabases"] == [expected]
    status = await house.shelf.status()
    assert status.message == "Indexed by meaning: 0 of 3; the rest is found by its words."
    await house.indexer.run_once()
    assert data(await house.ask(query))["memoryDatabases"] == [expected | {"indexed": 3, "ready": True}]
    status = await house.shelf.status()
    assert status.message is None
    assert {count.kind: count.count for count in status.counts} == {"memory_database": 1, "memory_entry": 3}


async def test_elsewhere_than_on_this_machine_everything_is_refused(house: MemoryHouse) -> None:
    house.scope = replace(house.scope, local=False)
    id_ = global_id("MemoryEntry", "notes/cake")
    for query in (
        '{ recall(dbName: "notes", query: "x") { query } }',
        '{ recall(dbName: "no-such", query: "x") { query } }',
        '{ memoryEntries(dbName: "notes") { nodes { id } } }',
        "{ memoryDatabases { name } }",
        f'{{ node(id: "{id_}") {{ id }} }}',
        f'{{ nodes(ids: ["{id_}"]) {{ id }} }}',
    ):
        assert error(await house.ask(query))["extensions"]["code"] == "FORBIDDEN"


async def test_a_filter_over_many_entries_still_finds_the_nearest(
    either: MemoryHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("resolvers.memory.recall.FEW", 2)
    many: list[dict[str, Any]] = [
        {"id": f"n{number}", "content": f"onion number{number}", "metadata": {"even": number % 2 == 0}}
        for number in range(300)
    ]
    await either.load("notes", many)
    await either.indexer.run_once()
    answer = await recall(
        either, 'dbName: "notes", query: "onion number 8", filter: {metadata: ["even=true"]}, first: 20'
    )
    found = data(answer)["recall"]
    assert all(int(node["entryId"][1:]) % 2 == 0 for node in found["nodes"])
    vectors = await either.embedders.toy.embed(["onion number 8", *(one["content"] for one in many[::2])])
    exact = sorted((vectors[1:] @ vectors[0]).tolist(), reverse=True)[:20]
    # The index is approximate: of the twenty nearest it may miss one or two, and never shows a wrong score.
    scores = [round(node["score"], 4) for node in found["nodes"]]
    assert scores == sorted(scores, reverse=True)
    assert sum((Counter(scores) & Counter(round(score, 4) for score in exact)).values()) >= 17
    assert found["provenance"] == {"complete": True, "warnings": []}
