"""The generated operations: valid for every choice of fields, and written once."""

from typing import Any

import pytest
from graphql import GraphQLSchema, parse, validate

from api.mcp_tools.catalogue import catalogue_of
from api.mcp_tools.operations import Operations, choosable
from api.mcp_tools.selection import output_paths
from schema.query import build_schema
from sources.errors import BadInput
from tests.api.mcp_tools.toy import toy_schema

TOY = toy_schema()
TOOLS = {tool.name: tool for tool in catalogue_of(TOY)}


def text_of(name: str, *fields: str) -> str:
    return Operations(TOY, tuple(TOOLS.values())).of(TOOLS[name], fields).text


def test_a_page_selects_every_items_cursor() -> None:
    assert text_of("lookup_story") == (
        "query lookup_story($filter: StoryFilter, $orderBy: [StoryOrder!], $first: Int, $after: String) "
        "{ result: stories(filter: $filter, orderBy: $orderBy, first: $first, after: $after) "
        "{ edges { cursor node { key name board author { name } posted_at: postedAt score } } "
        "page_info: pageInfo { has_next_page: hasNextPage end_cursor: endCursor } "
        "provenance { complete warnings } } }"
    )


def test_counting_alone_reads_no_items() -> None:
    selected = text_of("lookup_story", "total_count").partition("result: ")[2].partition(") ")[2]
    assert selected == "{ total_count: totalCount provenance { complete warnings } } }"


def test_a_variable_of_an_argument_with_a_default_may_be_left_out() -> None:
    assert text_of("fail").startswith("query fail($kind: String) ")


def test_one_key_of_two_types_gets_an_alias_on_each_type() -> None:
    selected = text_of("get_thing", "rank").partition("(id: $id) ")[2]
    assert selected == (
        "{ typename: __typename ... on Author { author__rank: rank } ... on Story { story__rank: rank } } }"
    )


def test_a_field_of_some_types_is_selected_where_it_exists() -> None:
    selected = text_of("get_thing", "author.name").partition("(id: $id) ")[2]
    assert selected == "{ typename: __typename ... on Story { author { name } } } }"


@pytest.mark.parametrize(
    ("fields", "items"),
    [
        (("author",), "author { key name }"),
        (("author.rank", "author"), "author { rank key name }"),
        (("nodes.name",), "name"),
        (("postedAt", "posted-at"), "posted_at: postedAt"),
        (("name", "provenance.scanned"), "name"),
    ],
)
def test_chosen_fields_are_selected(fields: tuple[str, ...], items: str) -> None:
    assert f"node {{ {items} }}" in text_of("lookup_story", *fields)


def test_provenance_can_be_chosen_whole() -> None:
    text = text_of("lookup_story", "provenance")
    assert "pushed_down: pushedDown" in text
    assert "edges" not in text


@pytest.mark.parametrize(
    ("field", "near"),
    [
        ("nam", ("name", "author.name")),
        ("author.nme", ("author.name",)),
        ("name.first", ()),
        ("page_info", ()),
        ("", ()),
    ],
)
def test_an_unknown_field_is_refused_with_the_nearest(field: str, near: tuple[str, ...]) -> None:
    with pytest.raises(BadInput) as raised:
        text_of("lookup_story", field)
    assert raised.value.argument == "fields"
    assert raised.value.suggestions[: len(near)] == near


@pytest.mark.timeout(300)
@pytest.mark.parametrize("build", [toy_schema, build_schema])
def test_every_choosable_field_gives_a_valid_operation(build: Any) -> None:
    schema: GraphQLSchema = build()
    tools = catalogue_of(schema)
    operations = Operations(schema, tools)
    tried: set[str] = set()
    for tool in tools:
        paths = choosable(schema, tool.answer)
        assert paths
        alone = [] if tool.answer.item.name in tried else [(path,) for path in paths]
        tried.add(tool.answer.item.name)
        # A call may choose a hundred at once.
        together = [tuple(paths[start : start + 100]) for start in range(0, len(paths), 100)]
        for fields in [(), *together, *alone]:
            assert validate(schema, parse(operations.of(tool, fields).text)) == []


def test_operations_are_written_once_and_the_oldest_is_forgotten() -> None:
    operations = Operations(TOY, tuple(TOOLS.values()), kept=2)
    tool = TOOLS["lookup_story"]
    first = operations.of(tool, ("name", "key"))
    assert operations.of(tool, ("key", "name")) is first
    operations.of(tool, ("key",))
    assert operations.of(tool, ("name", "key")) is first
    operations.of(tool, ("text",))
    assert operations.of(tool, ("name", "key")) is first
    operations.of(tool, ("rank",))
    operations.of(tool, ("board",))
    assert operations.of(tool, ("name", "key")) is not first


def test_output_paths_lead_into_objects_once() -> None:
    story = TOY.get_type("Story")
    assert story is not None
    assert output_paths(TOY, story) == [
        "id",
        "key",
        "name",
        "text",
        "rank",
        "posted_at",
        "board",
        "author",
        "author.id",
        "author.key",
        "author.name",
        "author.rank",
        "score",
        "extra",
    ]
