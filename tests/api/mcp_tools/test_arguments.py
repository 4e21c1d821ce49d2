"""Reading a call: what is accepted, what it becomes, and the words of every refusal."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from api.mcp_tools.arguments import read_call
from api.mcp_tools.failures import failure_of
from api.mcp_tools.input_schema import input_schema_of
from api.mcp_tools.tool_spec import ToolSpec
from sources.errors import BadInput
from tests.api.mcp_tools.toy import toy_door

TOY = toy_door().toolbox.specs
LOOKUP = TOY["lookup_story"]
VALIDATOR = Draft202012Validator(input_schema_of(LOOKUP))


def variables(tool: ToolSpec = LOOKUP, /, **arguments: Any) -> dict[str, Any]:
    return read_call(tool, arguments).variables


def refusal(tool: ToolSpec = LOOKUP, /, **arguments: Any) -> str:
    with pytest.raises(BadInput) as raised:
        read_call(tool, arguments)
    return failure_of(tool, raised.value)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, {}),
        ({"rank_min": 3}, {"filter": {"rankMin": 3}}),
        ({"rankMin": 3}, {"filter": {"rankMin": 3}}),
        ({"RANK-MIN": "3"}, {"filter": {"rankMin": 3}}),
        ({"rank_min": 3.0}, {"filter": {"rankMin": 3}}),
        ({"rank_min": None, "limit": None}, {}),
        ({"limit": "7"}, {"first": 7}),
        ({"first": 7}, {"first": 7}),
        ({"score_min": "1.5"}, {"filter": {"scoreMin": 1.5}}),
        ({"signed": "False"}, {"filter": {"signed": False}}),
        ({"key": "s1"}, {"filter": {"key": ["s1"]}}),
        ({"key": []}, {"filter": {"key": []}}),
        ({"board": "4chan"}, {"filter": {"board": ["FOUR_CHAN"]}}),
        ({"board": ["4 Chan", "four_chan"]}, {"filter": {"board": ["FOUR_CHAN", "FOUR_CHAN"]}}),
        ({"board": ["document-count", "SHORTWAVE"]}, {"filter": {"board": ["DOCUMENT_COUNT", "SHORT_WAVE"]}}),
        ({"name": "5"}, {"filter": {"name": "5"}}),
        ({"search": "x"}, {"filter": {"name": "x"}}),
        ({"order_by": {"field": "posted at"}}, {"orderBy": [{"field": "POSTED_AT"}]}),
        (
            {"orderBy": [{"field": "name", "descending": "true"}]},
            {"orderBy": [{"field": "NAME", "descending": True}]},
        ),
        ({"since": "2026-01-02T00:00:00Z"}, {"filter": {"since": "2026-01-02T00:00:00Z"}}),
    ],
)
def test_arguments_become_variables(arguments: dict[str, Any], expected: dict[str, Any]) -> None:
    assert read_call(LOOKUP, arguments).variables == expected


@pytest.mark.parametrize("fields", [["name", "text"], "name,text", "name text", ["name, text", "name"]])
def test_fields_may_be_one_text(fields: Any) -> None:
    assert read_call(LOOKUP, {"fields": fields}).fields == ("name", "text")


def test_the_format_is_a_word_like_any_other() -> None:
    assert read_call(LOOKUP, {"response_format": "Markdown"}).markdown
    assert not read_call(LOOKUP, {"response_format": "json"}).markdown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"limit": 0}, "`limit` must be between 1 and 100, got 0."),
        ({"limit": 101}, "`limit` must be between 1 and 100, got 101."),
        ({"limit": 10**30}, f"`limit` must be between 1 and 100, got {10**30}."),
        ({"limit": 2.5}, "`limit` must be a whole number, got 2.5."),
        ({"limit": "many"}, "`limit` must be a whole number, got `many`."),
        ({"limit": True}, "`limit` must be a whole number, got true."),
        ({"limit": [3]}, "`limit` must be a whole number, got a list."),
        ({"score_min": "nan"}, "`score_min` must be a number, got `nan`."),
        ({"signed": "maybe"}, "`signed` must be true or false, got `maybe`."),
        ({"signed": 1}, "`signed` must be true or false, got 1."),
        ({"name": 5}, "`name` must be a text, got 5."),
        ({"name": ""}, "`name` must have between 1 and 40 characters, got 0."),
        ({"key": ["s1", "x"]}, "`key[1]` must match `s[0-9]+`, got `x`."),
        ({"key": "x"}, "`key` must match `s[0-9]+`, got `x`."),
        ({"key": ["s1", None]}, "`key[1]` must not be null inside a list."),
        ({"key": ["s1", "s2", "s3", "s4"]}, "`key` must have at most 3 items, got 4."),
        ({"since": "yesterday"}, "`since` must be a valid DateTime, got `yesterday`."),
        (
            {"board": ["short-wave", "4chn"]},
            "`board` does not know `4chn`. Allowed: 4chan, documentCount, short-wave. Did you mean `4chan`?",
        ),
        (
            {"board": [["4chan"]]},
            "`board[0]` must be one of its words, got a list. Allowed: 4chan, documentCount, short-wave.",
        ),
        (
            {"board": True},
            "`board` must be one of its words, got true. Allowed: 4chan, documentCount, short-wave.",
        ),
        ({"order_by": "name"}, "`order_by` must be an object, got `name`."),
        ({"order_by": [{}]}, "`order_by[0].field` is required."),
        (
            {"order_by": [{"field": "nam"}]},
            "`order_by[0].field` does not know `nam`. Allowed: name, posted_at. Did you mean `name`?",
        ),
        (
            {"order_by": [{"field": "name", "ascending": True}]},
            "`order_by[0].ascending` is not a field of `order_by[0]`. Allowed: field, descending. "
            "Did you mean `descending`?",
        ),
        ({"rank_min": 1, "rankMin": 2}, "`rank_min` is given twice, as `rank_min` and as `rankMin`."),
    ],
)
def test_refusals_name_the_argument_as_the_tool_does(arguments: dict[str, Any], sentence: str) -> None:
    assert refusal(**arguments) == f"BAD_USER_INPUT: {sentence}"


def test_unknown_arguments_are_refused_with_the_nearest() -> None:
    sentence = refusal(bord="4chan")
    assert sentence.startswith(
        "BAD_USER_INPUT: `bord` is not an argument of this tool. Allowed: name, key, board,"
    )
    assert sentence.endswith("Did you mean `board`?")


@pytest.mark.parametrize("name", ["any_of", "not", "last", "before", "filter"])
def test_what_is_left_to_graphql_is_not_an_argument(name: str) -> None:
    assert f"`{name}` is not an argument of this tool." in refusal(**{name: {}})


def test_a_number_without_a_range_has_32_bits() -> None:
    assert refusal(rank=2**31) == (
        "BAD_USER_INPUT: `rank` must be between -2147483648 and 2147483647, got 2147483648."
    )
    assert variables(rank=[-(2**31), "2147483647"]) == {"filter": {"rank": [-(2**31), 2**31 - 1]}}


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("1_0", "`1_0`"),
        ("\N{ARABIC-INDIC DIGIT THREE}", "`\N{ARABIC-INDIC DIGIT THREE}`"),
        ("3\N{NO-BREAK SPACE}", "`3\N{REPLACEMENT CHARACTER}`"),
        ("0x3", "`0x3`"),
        ("1 0", "`1 0`"),
        ("", "``"),
        ("inf", "`inf`"),
        ("1e400", "`1e400`"),
        (float("inf"), "a number beyond all bounds"),
        (float("nan"), "a number beyond all bounds"),
        (1.5, "1.5"),
        ("1/2", "`1/2`"),
    ],
)
def test_whole_numbers_are_written_in_plain_digits(written: object, shown: str) -> None:
    assert refusal(rank=written) == f"BAD_USER_INPUT: `rank` must be a whole number, got {shown}."


@pytest.mark.parametrize(
    ("written", "shown"),
    [(10**400, "1e400"), (-(10**400), "-1e400"), (1e300, "1e300"), ("9" * 80, "1e80")],
)
def test_numbers_of_any_size_are_answered_with_the_range(written: object, shown: str) -> None:
    assert refusal(rank=written) == (
        f"BAD_USER_INPUT: `rank` must be between -2147483648 and 2147483647, got {shown}."
    )


def test_a_number_that_python_refuses_to_write_out() -> None:
    assert refusal(rank=10**5000).endswith(" and 2147483647, got 1e5000.")


def test_a_required_argument_must_be_given() -> None:
    assert refusal(TOY["get_story"]) == "BAD_USER_INPUT: `key` is required."
    assert refusal(TOY["get_story"], key=None) == "BAD_USER_INPUT: `key` is required."


def test_an_id_may_be_a_number() -> None:
    assert variables(TOY["get_thing"], id=5) == {"id": "5"}


def test_the_same_value_twice_is_one_value() -> None:
    assert variables(rank_min=1, rankMin="1") == {"filter": {"rankMin": 1}}


STRICT = st.fixed_dictionaries(
    {},
    optional={
        "name": st.text(min_size=1, max_size=40),
        "key": st.lists(st.from_regex(r"s[0-9]+", fullmatch=True), max_size=3),
        "board": st.lists(st.sampled_from(["4chan", "documentCount", "short-wave"]), max_size=4),
        "rank_min": st.integers(0, 9),
        "score_min": st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False, width=32),
        "signed": st.booleans(),
        "since": st.datetimes().map(lambda moment: moment.isoformat()),
        "order_by": st.lists(
            st.fixed_dictionaries(
                {"field": st.sampled_from(["name", "posted_at"])}, optional={"descending": st.booleans()}
            ),
            max_size=2,
        ),
        "limit": st.integers(1, 100),
        "after": st.text(max_size=50),
        "fields": st.lists(st.sampled_from(["name", "author.name", "total_count"]), max_size=3),
        "response_format": st.sampled_from(["json", "markdown"]),
    },
)


def loosened(name: str, value: Any, draw: Any) -> Any:
    """The same value as a careless client may write it."""
    if isinstance(value, list):
        items = [loosened(name, item, draw) for item in value]
        return items[0] if len(items) == 1 and draw(st.booleans()) else items
    if isinstance(value, dict):
        return {renamed(key, draw): loosened(key, item, draw) for key, item in value.items()}
    if isinstance(value, bool):
        return draw(st.sampled_from([value, str(value), str(value).lower()]))
    if isinstance(value, int):
        return draw(st.sampled_from([value, str(value), float(value)]))
    if isinstance(value, float):
        return draw(st.sampled_from([value, repr(value)]))
    if name in ("board", "field", "response_format"):
        names = {"4chan": "FOUR_CHAN", "documentCount": "document_count", "short-wave": "Short Wave"}
        return draw(st.sampled_from([value, value.upper(), names.get(value, value.replace("_", " "))]))
    return value


def renamed(name: str, draw: Any) -> str:
    first, *rest = name.split("_")
    camel = first + "".join(part.capitalize() for part in rest)
    chosen: str = draw(st.sampled_from([name, camel, name.replace("_", "-"), name.upper()]))
    return chosen


@given(STRICT, st.data())
def test_leniency_never_changes_what_a_call_means(arguments: dict[str, Any], data: st.DataObject) -> None:
    VALIDATOR.validate(arguments)
    strict = read_call(LOOKUP, arguments)
    loose = {renamed(name, data.draw): loosened(name, value, data.draw) for name, value in arguments.items()}
    loose[data.draw(st.sampled_from(["rank_max", "rankMax"]))] = None
    assert read_call(LOOKUP, loose) == strict


@given(STRICT)
def test_a_call_that_keeps_to_the_schema_is_taken_as_it_stands(arguments: dict[str, Any]) -> None:
    read = read_call(LOOKUP, arguments).variables
    given_filter = {key for key in arguments if key in ("name", "key", "board", "signed", "since")}
    assert given_filter <= read.get("filter", {}).keys()
    for name in given_filter - {"board"}:
        assert read["filter"][name] == arguments[name]
    assert read.get("first") == arguments.get("limit")
    assert read.get("after") == arguments.get("after")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([one.name for one in LOOKUP.parameters]) | st.text(max_size=8), JSON))
def test_any_json_is_read_or_refused_with_our_words(arguments: dict[str, Any]) -> None:
    refused = ""
    try:
        read_call(LOOKUP, arguments)
    except BadInput as error:
        refused = failure_of(LOOKUP, error)
    assert not refused or refused.startswith("BAD_USER_INPUT: `")
