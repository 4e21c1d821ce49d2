"""Results: the shape of the structured content, the identical text, the size guard, the output schema."""

from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from api.execution import Operation
from api.mcp_tools.catalogue import catalogue_of
from api.mcp_tools.operations import Operations, ToolOperation, choosable
from api.mcp_tools.output_schema import output_schema_of
from api.mcp_tools.results import dumped, guarded, structured
from api.mcp_tools.server import McpDoor
from tests.api.mcp_tools.toy import toy_door, toy_schema

TOY = toy_schema()
TOOLS = {tool.name: tool for tool in catalogue_of(TOY)}
OPERATIONS = Operations(TOY, tuple(TOOLS.values()))


async def call(door: McpDoor, name: str, /, **arguments: Any) -> Any:
    toolbox = door.toolbox
    return await toolbox.call(
        toolbox.specs[name], arguments, door._executor, max_bytes=door.options.result_bytes
    )


def operation(name: str, *fields: str) -> ToolOperation:
    return OPERATIONS.of(TOOLS[name], fields)


async def test_a_page_has_snake_case_keys_words_and_no_nulls(door: McpDoor) -> None:
    result = await call(door, "lookup_story", limit=2)
    assert result.structured_content == {
        "nodes": [
            {
                "key": "s0",
                "name": "Story 0",
                "board": "4chan",
                "author": {"name": "Ann | Lee"},
                "posted_at": "2026-01-01T00:00:00+00:00",
            },
            {
                "key": "s1",
                "name": "Story 1",
                "board": "documentCount",
                "posted_at": "2026-01-02T00:00:00+00:00",
            },
        ],
        "page_info": {"has_next_page": True, "end_cursor": "c1"},
        "provenance": {"complete": True, "warnings": []},
    }
    (text,) = result.content
    assert text.text.encode() == orjson.dumps(result.structured_content)
    assert result.is_error is False


async def test_markdown_changes_the_text_alone(door: McpDoor) -> None:
    plain = await call(door, "lookup_story", limit=2)
    marked = await call(door, "lookup_story", limit=2, response_format="markdown")
    assert marked.structured_content == plain.structured_content
    assert marked.content[0].text.startswith("| Key | Name | Board | Author | Posted at |\n")


async def test_one_object_and_lists_stand_under_their_fields_name(door: McpDoor) -> None:
    story = await call(door, "get_story", key="s4", fields=["key", "rank"])
    assert story.structured_content == {"story": {"key": "s4", "rank": 4}}
    things = await call(door, "get_things", ids=["author:ann", "nothing", "story:s0"], fields=["rank"])
    assert things.structured_content == {
        "things": [{"typename": "author", "rank": "first of all"}, None, {"typename": "story", "rank": 0}]
    }
    assert (await call(door, "get_thing", id="nothing")).structured_content == {"thing": None}


async def test_texts_from_outside_are_cleaned_wherever_they_stand(door: McpDoor) -> None:
    result = await call(door, "get_story", key="s0", fields=["text", "extra"])
    assert result.structured_content == {
        "story": {"text": "visible[31m\nnext", "extra": {"ab": [None, "visible[31m\nnext"], "n": 1}}
    }


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("get_story", {"key": "zz"}, "NOT_FOUND: There is no story `zz`. Did you mean `s1`?"),
        ("fail", {}, "UPSTREAM_UNAVAILABLE: The toy upstream is down."),
        (
            "lookup_story",
            {"rank_min": 5, "rank_max": 2},
            "BAD_USER_INPUT: `rank_min` (5) must not be above `rank_max` (2).",
        ),
        ("lookup_story", {"after": "x"}, "BAD_USER_INPUT: `after` is not a cursor of this query."),
        ("lookup_story", {"name": "a\0"}, "BAD_USER_INPUT: `name` must not hold the character NUL."),
        (
            "get_things",
            {"ids": list("abcdef")},
            "BAD_USER_INPUT: `ids` must have at most 5 items, got 6.",
        ),
    ],
)
async def test_errors_are_a_code_and_a_sentence(
    door: McpDoor, name: str, arguments: dict[str, Any], text: str
) -> None:
    result = await call(door, name, **arguments)
    assert result.is_error
    assert result.structured_content is None
    assert [block.text for block in result.content] == [text]


@pytest.mark.parametrize("kind", ["fault", "graphql"])
async def test_a_fault_of_ours_shows_an_error_id_alone(
    door: McpDoor, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    (block,) = (await call(door, "fail", kind=kind)).content
    start = "INTERNAL_SERVER_ERROR: Something went wrong on our side. The error id is "
    assert block.text.startswith(start)
    assert block.text.removeprefix(start).rstrip(".") in caplog.text


async def test_a_page_that_is_too_large_can_be_gone_on_from() -> None:
    small = toy_door().options.__class__(result_bytes=1000)
    door = toy_door(small)
    seen: list[str] = []
    after: str | None = None
    pages = 0
    while True:
        content = (await call(door, "lookup_story", limit=10, after=after)).structured_content
        assert len(orjson.dumps(content)) <= 1000
        seen += [node["key"] for node in content["nodes"]]
        pages += 1
        if not content["page_info"]["has_next_page"]:
            break
        after = content["page_info"]["end_cursor"]
    assert seen == [f"s{number}" for number in range(10)]
    assert pages > 1


def test_the_notice_says_what_was_dropped_and_how_to_go_on() -> None:
    value = {
        "edges": [{"cursor": f"c{n}", "node": {"key": f"k{n}", "text": "x" * 300}} for n in range(5)],
        "page_info": {"has_next_page": False, "end_cursor": "c4"},
    }
    chosen = operation("lookup_story", "key", "text")
    content = guarded(chosen, *structured(chosen, value), max_bytes=1300)
    assert [node["key"] for node in content["nodes"]] == ["k0", "k1"]
    assert content["page_info"] == {"has_next_page": True, "end_cursor": "c1"}
    assert content["notice"] == (
        "Only the first 2 of 5 items fit into one answer. "
        "Go on with `after` = `page_info.end_cursor`, or choose fewer `fields`."
    )


def test_an_item_that_is_too_large_alone_loses_its_largest_fields() -> None:
    value = {
        "edges": [{"cursor": "c0", "node": {"key": "k0", "name": "n", "text": "ü" * 3000}}],
        "page_info": {"has_next_page": False, "end_cursor": "c0"},
    }
    chosen = operation("lookup_story", "key", "name", "text")
    content = guarded(chosen, *structured(chosen, value), max_bytes=2000)
    (node,) = content["nodes"]
    assert (node["key"], node["name"]) == ("k0", "n")
    assert node["text"].startswith("üüü")
    assert node["text"].endswith("ü…")
    assert 1500 < len(dumped(content)) <= 2000
    assert content["page_info"] == {"has_next_page": False, "end_cursor": "c0"}
    assert content["notice"] == (
        "The first item is too large for one answer: `text` shortened or left out. "
        "Choose its parts with `fields`."
    )


def test_one_object_that_is_too_large_is_cut_in_the_same_way() -> None:
    chosen = operation("get_story", "key", "text", "extra")
    value = {"key": "k0", "text": "x" * 900, "extra": ["y" * 50] * 60}
    content = guarded(chosen, *structured(chosen, value), max_bytes=1500)
    assert content["story"] == {"key": "k0", "text": "x" * 900}
    assert content["notice"].startswith("It is too large for one answer: `extra` shortened or left out.")


def test_a_list_without_cursors_asks_for_another_call() -> None:
    chosen = operation("get_things", "key")
    value = [{"typename": "Author", "key": "x" * 300}] * 4
    content = guarded(chosen, *structured(chosen, value), max_bytes=1200)
    assert len(content["things"]) == 2
    assert content["notice"].endswith("Ask for the others in another call, or choose fewer `fields`.")


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("lookup_story", {}),
    ("lookup_story", {"fields": ["total_count"]}),
    ("lookup_story", {"fields": ["name", "total_count", "provenance"]}),
    ("lookup_story", {"rank_min": 9, "fields": ["text"]}),
    ("get_story", {"key": "s3"}),
    ("get_thing", {"id": "author:ann"}),
    ("get_thing", {"id": "x"}),
    ("get_things", {"ids": ["story:s1", "x", "author:ann"]}),
]


@pytest.mark.parametrize(("name", "arguments"), CALLS)
async def test_results_match_the_output_schema(door: McpDoor, name: str, arguments: dict[str, Any]) -> None:
    schema = output_schema_of(door.toolbox.operations.of(door.toolbox.specs[name]))
    Draft202012Validator.check_schema(schema)
    result = await call(door, name, **arguments)
    assert not result.is_error
    Draft202012Validator(schema).validate(result.structured_content)


async def test_results_match_the_output_schema_whatever_is_chosen(door: McpDoor) -> None:
    arguments: dict[str, dict[str, Any]] = {
        "lookup_story": {},
        "get_story": {"key": "s0"},
        "get_thing": {"id": "story:s0"},
        "get_things": {"ids": ["author:ann", "story:s0"]},
    }
    for name, given in arguments.items():
        spec = door.toolbox.specs[name]
        validator = Draft202012Validator(output_schema_of(door.toolbox.operations.of(spec)))
        for path in choosable(TOY, spec.answer):
            result = await call(door, name, **given, fields=[path])
            assert not result.is_error, result.content
            validator.validate(result.structured_content)


def test_a_wrong_result_does_not_match_the_output_schema() -> None:
    validator = Draft202012Validator(output_schema_of(operation("lookup_story")))
    assert not validator.is_valid({"nodes": [{"board": "FOUR_CHAN"}]})
    assert not validator.is_valid({"nodes": [{"author": "Ann"}]})
    assert not validator.is_valid({"nodes": [{"name": 5}]})


async def test_the_generated_operation_is_not_held_to_the_limits_on_texts(door: McpDoor) -> None:
    """A summary has more aliases than a caller's own query may have."""
    spec = door.toolbox.specs["lookup_story"]
    chosen = door.toolbox.operations.of(spec, choosable(TOY, spec.answer))
    outcome = await door._executor.execute(Operation(chosen.text, chosen.name, {}, generated=True))
    assert outcome.errors == ()
