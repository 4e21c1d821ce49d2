"""Every root field is one tool, and a schema that cannot be turned into tools is refused at start."""

from typing import Any

import pytest
import strawberry
from graphql import GraphQLSchema

from api.mcp_tools.catalogue import CatalogueError, catalogue_of
from api.mcp_tools.tool_spec import ToolSpec
from schema.connection import Connection, First
from schema.directives import Tool, tool_of
from schema.query import build_schema
from tests.api.mcp_tools.toy import toy_schema


@pytest.mark.parametrize("build", [toy_schema, build_schema])
def test_tools_and_root_fields_are_a_bijection(build: Any) -> None:
    schema: GraphQLSchema = build()
    assert schema.query_type is not None
    declared = {}
    for name, field in schema.query_type.fields.items():
        directive = tool_of(field)
        assert directive is not None
        declared[name] = directive.name
    tools = catalogue_of(schema)
    assert {tool.field_name: tool.name for tool in tools} == declared
    assert [tool.name for tool in tools] == sorted(declared.values())


def test_arguments_are_flattened_and_renamed(lookup: ToolSpec) -> None:
    assert [parameter.name for parameter in lookup.parameters] == [
        "name",
        "key",
        "board",
        "rank_min",
        "rank_max",
        "rank",
        "score_min",
        "signed",
        "since",
        "order_by",
        "limit",
        "after",
        "fields",
        "response_format",
    ]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("filter.rankMin", "rank_min"),
        ("filter.key[2]", "key[2]"),
        ("first", "limit"),
        ("orderBy[0].field", "order_by[0].field"),
        ("somethingElse", "somethingElse"),
    ],
)
def test_argument_paths_are_said_in_the_tools_names(lookup: ToolSpec, path: str, name: str) -> None:
    assert lookup.argument_name(path) == name


def test_values_are_said_with_their_words(lookup: ToolSpec) -> None:
    assert lookup.word("filter.board", "FOUR_CHAN") == "4chan"
    assert lookup.word("orderBy[1].field", "POSTED_AT") == "posted_at"
    assert lookup.word("filter.name", "FOUR_CHAN") == "FOUR_CHAN"


def test_descriptions_speak_of_the_tools_names(lookup: ToolSpec) -> None:
    described = {parameter.name: parameter.description for parameter in lookup.parameters}
    assert described["rank_min"] == "At least; see `rank_max`."
    assert described["board"] == "Boards, such as `4chan`."
    assert lookup.description == "Stories, by rank unless `order_by` says otherwise."


def test_only_fields_that_say_so_are_open_to_the_world() -> None:
    tools = {tool.name: tool.open_world for tool in catalogue_of(toy_schema())}
    assert tools == {
        "fail": False,
        "get_story": False,
        "get_thing": False,
        "get_things": False,
        "lookup_story": True,
    }


@strawberry.input
class Flattened:
    fields: str | None = strawberry.UNSET
    a_b: str | None = strawberry.UNSET


@strawberry.type
class Thing:
    name: str
    total_count: int


def resolved(filter: Flattened | None = None, ab: int | None = None) -> Thing | None:
    return None


def paged(first: First = 20) -> Any:
    return None


def refusal(*directives: Any, resolver: Any = resolved, type_: Any = Thing) -> str:
    query = strawberry.type(
        type(
            "Query",
            (),
            {
                f"field{index}": strawberry.field(
                    resolver=resolver,
                    graphql_type=type_ | None,
                    directives=[] if directive is None else [directive],
                )
                for index, directive in enumerate(directives)
            },
        )
    )
    with pytest.raises(CatalogueError) as raised:
        catalogue_of(strawberry.Schema(query)._schema)
    return str(raised.value)


def test_a_root_field_without_a_tool_is_refused() -> None:
    assert refusal(None) == "The root field `field0` has no @tool directive."


def test_a_tool_of_two_root_fields_is_refused() -> None:
    refused = refusal(Tool(name="one"), Tool(name="one"))
    assert refused == "The root fields `field0` and `field1` are both the tool `one`."


def test_a_name_that_is_not_snake_case_is_refused() -> None:
    assert "`lookupSpell` is not a tool name" in refusal(Tool(name="lookupSpell"))


def test_arguments_that_clash_are_refused() -> None:
    assert refusal(Tool(name="one", flatten="filter")).startswith("The tool `one` has two arguments")


def test_flattening_what_is_not_there_is_refused() -> None:
    assert "flattens `where`" in refusal(Tool(name="one", flatten="where"))
    assert "not an input object" in refusal(Tool(name="one", flatten="ab"))


def test_aliases_must_lead_somewhere_and_hide_nothing() -> None:
    assert "an alias for `nothing`" in refusal(Tool(name="one", aliases=["x=nothing"]))
    assert "an argument already" in refusal(Tool(name="one", aliases=["filter=ab"]))
    assert "an alias is written" in refusal(Tool(name="one", aliases=["x"]))


def test_an_item_field_must_not_hide_a_field_of_its_page() -> None:
    refused = refusal(Tool(name="one"), resolver=paged, type_=Connection[Thing])
    assert refused == "`total_count` of `field0` is a field of its items as well."


def test_a_scalar_root_field_is_refused() -> None:
    assert "returns a scalar" in refusal(Tool(name="one"), type_=int)
