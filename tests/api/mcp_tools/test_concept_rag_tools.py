"""concept-rag's tools take concept-rag's arguments, letter for letter, and refuse what they never had."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from api.execution import Executor
from api.mcp_tools.server import McpDoor
from api.opening import open_house
from api.settings import Settings
from schema.query import ROOMS, build_schema


@pytest.fixture
async def library_door(seeded_settings: Settings) -> AsyncIterator[McpDoor]:
    """The door over the sample catalogue."""
    async with open_house(seeded_settings) as house:
        schema = build_schema()
        yield McpDoor(schema, Executor(schema, scope=lambda: house.scope), rooms=ROOMS)


async def call(door: McpDoor, name: str, **arguments: Any) -> dict[str, Any]:
    spec = door.toolbox.specs[name]
    result = await door.toolbox.call(spec, arguments, door._executor, max_bytes=door.options.result_bytes)
    assert not result.is_error, result.content
    content: dict[str, Any] = result.structured_content
    return content


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("category_search", {"category": "software engineering"}),
        ("category_search", {"category": "distributed systems", "includeChildren": True, "limit": 10}),
        ("list_categories", {}),
        ("list_categories", {"search": "software", "sortBy": "name", "limit": 50}),
        ("list_categories", {"sortBy": "popularity"}),
        ("list_categories", {"sortBy": "documentCount"}),
        ("list_concepts_in_category", {"category": "distributed systems"}),
        ("list_concepts_in_category", {"category": "distributed systems", "sortBy": "name", "limit": 5}),
        ("list_concepts_in_category", {"category": "distributed systems", "sortBy": "documentCount"}),
        ("catalog_search", {"text": "consensus protocols"}),
    ],
)
async def test_documented_arguments(library_door: McpDoor, name: str, arguments: dict[str, Any]) -> None:
    content = await call(library_door, name, **arguments)
    assert content["nodes"]
    assert len(content["nodes"]) <= arguments.get("limit", 50)


async def test_the_summaries_hold_what_concept_rag_answers(library_door: McpDoor) -> None:
    found = await call(library_door, "category_search", category="distributed systems", includeChildren=True)
    assert found["category"] == {"key": "distributed-systems", "name": "distributed systems"}
    assert found["statistics"] == {"documents": 25, "chunks": 27, "concepts": 66}
    assert {"title", "summary", "concepts"} <= found["nodes"][0].keys()
    listed = await call(library_door, "list_categories", search="distributed systems")
    assert listed["nodes"][0]["statistics"] == {"documents": 12, "chunks": 14, "concepts": 41}
    assert [step["name"] for step in listed["nodes"][0]["path"]] == [
        "computer science",
        "distributed systems",
    ]
    concepts = await call(library_door, "list_concepts_in_category", category="distributed systems")
    assert concepts["nodes"][0] == {
        "key": "linearizability",
        "name": "linearizability",
        "document_count": 4,
        "weight": 0.8,
    }
    meant = await call(library_door, "concept_search", concept="distributed agreement")
    assert meant["concept"]["name"] == "consensus"
    assert meant["concept"]["documents"][0]["document"].keys() == {"key", "title"}


async def test_fifty_categories_and_concepts_by_default(library_door: McpDoor) -> None:
    for name in ("list_categories", "list_concepts"):
        content = await call(library_door, name, fields=["key"])
        assert len(content["nodes"]) == 50
        (limit,) = [one for one in library_door.toolbox.specs[name].parameters if one.name == "limit"]
        assert limit.default == 50


async def test_a_near_miss_names_the_argument(library_door: McpDoor) -> None:
    spec = library_door.toolbox.specs["category_search"]
    result = await library_door.toolbox.call(
        spec, {"category": "distributed systms"}, library_door._executor, max_bytes=10_000
    )
    assert result.is_error
    (block,) = result.content
    assert block.type == "text"
    assert block.text == (
        "BAD_USER_INPUT: `category` does not know the category `distributed systms`. "
        "Did you mean `distributed systems` or `type systems`?"
    )
