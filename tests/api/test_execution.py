"""One operation from text to answer: values, errors, caches, deadline."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from graphql import GraphQLObjectType, get_introspection_query

from api.execution import Executor, Limits, Operation, Outcome
from tests.support.toy_schema import DIARY, toy_schema, toy_scope, wait_forever


@pytest.fixture
def executor() -> Executor:
    return Executor(toy_schema(), scope=toy_scope)


@pytest.fixture(autouse=True)
def _fresh_diary() -> Iterator[None]:
    yield
    DIARY.author_batches.clear()
    DIARY.started.clear()
    DIARY.cancelled.clear()


def error_of(outcome: Outcome) -> dict[str, Any]:
    """The only error of an outcome, as it is sent."""
    (error,) = outcome.formatted()["errors"]
    return dict(error)


async def test_answers_with_data_and_cost(executor: Executor) -> None:
    outcome = await executor.execute(Operation("{books(first: 2) {nodes {title genre}}}"))
    assert list(outcome.formatted()) == ["data", "extensions"]
    assert outcome.formatted() == {
        "data": {
            "books": {
                "nodes": [
                    {"title": "A Wizard of Earthsea", "genre": "FANTASY"},
                    {"title": "The Dispossessed", "genre": "SCIENCE_FICTION"},
                ]
            }
        },
        "extensions": {"cost": {"requested": 3, "limit": 50_000}},
    }
    assert orjson.loads(outcome.encoded()) == outcome.formatted()


async def test_batch_fields_are_asked_once_for_all_parents(executor: Executor) -> None:
    outcome = await executor.execute(Operation("{books {nodes {author {name}}}}"))
    assert outcome.errors == ()
    assert DIARY.author_batches == [("leguin", "tey")]


async def test_one_failing_root_field_leaves_its_siblings_alive(
    executor: Executor, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.CRITICAL):
        outcome = await executor.execute(Operation('{down broken book(key: "tombs") {title}}'))
    assert outcome.data == {"down": None, "broken": None, "book": {"title": "The Tombs of Atuan"}}
    down, broken = outcome.formatted()["errors"]
    assert down["message"] == "The toy upstream is down."
    assert (down["path"], down["extensions"]) == (
        ["down"],
        {"code": "UPSTREAM_UNAVAILABLE", "upstream": "toy"},
    )
    assert broken["extensions"]["code"] == "INTERNAL_SERVER_ERROR"
    assert "hunter2" not in outcome.encoded().decode()


async def test_fields_run_at_the_same_time(executor: Executor) -> None:
    DIARY.meeting = asyncio.Barrier(2)
    outcome = await executor.execute(Operation("{one: meet two: meet}"), deadline=5)
    assert outcome.data == {"one": 2, "two": 2}


async def test_not_found(executor: Executor) -> None:
    outcome = await executor.execute(Operation('{book(key: "none") {title}}'))
    assert outcome.data == {"book": None}
    assert error_of(outcome)["extensions"] == {"code": "NOT_FOUND", "argument": "key"}


async def test_deadline_cancels_the_resolvers(executor: Executor) -> None:
    outcome = await executor.execute(Operation('{slow book(key: "tombs") {title}}'), deadline=0.05)
    assert (DIARY.started, DIARY.cancelled) == (["slow"], ["slow"])
    assert outcome.formatted() == {
        "data": {"slow": None, "book": {"title": "The Tombs of Atuan"}},
        "errors": [
            {
                "message": "The answer did not come within 0.05 seconds. Ask for fewer items or fields at once.",
                "locations": [{"line": 1, "column": 2}],
                "path": ["slow"],
                "extensions": {"code": "TIMEOUT"},
            }
        ],
        "extensions": {"cost": {"requested": 1, "limit": 50_000}},
    }


async def test_what_hangs_below_a_root_field_ends_the_whole_operation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("api.execution.executor.GRACE_SECONDS", 0.01)
    schema = toy_schema()
    book = schema.type_map["Book"]
    assert isinstance(book, GraphQLObjectType)
    book.fields["title"].resolve = lambda _book, _info: wait_forever()
    executor = Executor(schema, scope=toy_scope)
    outcome = await executor.execute(Operation('{book(key: "tombs") {title}}'), deadline=0.05)
    assert outcome.data is None
    assert error_of(outcome)["extensions"] == {"code": "TIMEOUT"}
    assert DIARY.cancelled == ["slow"]


async def test_the_limits_give_the_deadline_when_the_caller_gives_none() -> None:
    executor = Executor(toy_schema(), limits=Limits(seconds=0.05), scope=toy_scope)
    outcome = await executor.execute(Operation("{slow}"))
    assert error_of(outcome)["extensions"]["code"] == "TIMEOUT"


@pytest.mark.parametrize(
    ("query", "code", "words"),
    [
        ("{", "GRAPHQL_PARSE_FAILED", "Syntax Error: Expected Name, found <EOF>."),
        ("", "GRAPHQL_PARSE_FAILED", "Syntax Error: Unexpected <EOF>."),
        (
            "mutation {a}",
            "GRAPHQL_VALIDATION_FAILED",
            "The mutation operation is not supported by the schema.",
        ),
        (
            "subscription {a}",
            "GRAPHQL_VALIDATION_FAILED",
            "The subscription operation is not supported by the schema.",
        ),
        ("{bookz {nodes {key}}}", "GRAPHQL_VALIDATION_FAILED", "Did you mean 'book', 'books', or 'broken'?"),
        ("{books(frist: 2) {nodes {key}}}", "GRAPHQL_VALIDATION_FAILED", "Unknown argument 'frist'"),
        ('{books(filter: {titel: "x"}) {nodes {key}}}', "GRAPHQL_VALIDATION_FAILED", "Did you mean 'title'?"),
        (
            '{books(first: "2") {nodes {key}}}',
            "GRAPHQL_VALIDATION_FAILED",
            'Int cannot represent non-integer value: "2"',
        ),
        ("fragment A on Book {key}", "GRAPHQL_VALIDATION_FAILED", "Fragment 'A' is never used."),
        ("{...Missing}", "GRAPHQL_VALIDATION_FAILED", "Unknown fragment 'Missing'."),
        ("scalar X", "GRAPHQL_VALIDATION_FAILED", "The 'X' definition is not executable."),
    ],
)
async def test_documents_that_cannot_run(executor: Executor, query: str, code: str, words: str) -> None:
    outcome = await executor.execute(Operation(query))
    assert outcome.request_error
    assert list(outcome.formatted()) == ["errors"]
    error = outcome.formatted()["errors"][0]
    assert words in error["message"]
    assert error["extensions"]["code"] == code


async def test_literals_of_a_wrong_type_keep_the_words_of_graphql_and_name_the_argument(
    executor: Executor,
) -> None:
    outcome = await executor.execute(Operation('{books(filter: {anyOf: [{year: [1, "x"]}]}) {nodes {key}}}'))
    assert error_of(outcome)["message"] == 'Int cannot represent non-integer value: "x"'
    assert error_of(outcome)["extensions"] == {
        "argument": "filter.anyOf[0].year[1]",
        "code": "GRAPHQL_VALIDATION_FAILED",
    }


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (None, "`operationName` is needed: the document holds several operations. Allowed: One, Two."),
        ("Tow", "`operationName` does not know `Tow`. Allowed: One, Two. Did you mean `Two`?"),
    ],
)
async def test_operation_that_cannot_be_determined(
    executor: Executor, name: str | None, message: str
) -> None:
    outcome = await executor.execute(Operation("query One {__typename} query Two {__typename}", name))
    assert outcome.request_error
    assert error_of(outcome)["message"] == message
    assert error_of(outcome)["extensions"]["code"] == "BAD_USER_INPUT"


async def test_operation_is_chosen_by_name(executor: Executor) -> None:
    query = 'query One {book(key: "tombs") {key}} query Two {book(key: "daughter") {key}}'
    outcome = await executor.execute(Operation(query, "Two"))
    assert outcome.data == {"book": {"key": "daughter"}}


UNKNOWN_GENRE = {
    "code": "BAD_USER_INPUT",
    "argument": "filter.genre[0]",
    "allowed": ["FANTASY", "SCIENCE_FICTION", "HISTORY"],
    "suggestions": ["FANTASY"],
}


@pytest.mark.parametrize(
    ("query", "variables"),
    [
        ("{books(filter: {genre: [FANTASI]}) {nodes {key}}}", {}),
        ("query ($f: BookFilter) {books(filter: $f) {nodes {key}}}", {"f": {"genre": ["FANTASI"]}}),
        ("query ($g: [Genre!]) {books(filter: {genre: $g}) {nodes {key}}}", {"g": ["FANTASI"]}),
        ("query ($g: Genre!) {books(filter: {genre: [$g]}) {nodes {key}}}", {"g": "FANTASI"}),
    ],
)
async def test_unknown_enum_name_reads_the_same_in_literals_and_variables(
    executor: Executor, query: str, variables: dict[str, Any]
) -> None:
    outcome = await executor.execute(Operation(query, variables=variables))
    assert outcome.request_error
    assert error_of(outcome)["message"] == (
        "`filter.genre[0]` does not know `FANTASI`. Allowed: FANTASY, SCIENCE_FICTION, HISTORY. "
        "Did you mean `FANTASY`?"
    )
    assert error_of(outcome)["extensions"] == UNKNOWN_GENRE


async def test_unknown_enum_name_inside_anyof_and_in_a_default(executor: Executor) -> None:
    nested = await executor.execute(Operation("{books(filter: {anyOf: [{genre: NOVEL}]}) {nodes {key}}}"))
    assert error_of(nested)["extensions"]["argument"] == "filter.anyOf[0].genre"
    default = await executor.execute(
        Operation("query ($g: [Genre!] = [NOVEL]) {books(filter: {genre: $g}) {nodes {key}}}")
    )
    assert error_of(default)["extensions"]["argument"] == "g[0]"


async def test_enum_name_in_quotes(executor: Executor) -> None:
    outcome = await executor.execute(Operation('{books(filter: {genre: ["FANTASY"]}) {nodes {key}}}'))
    assert error_of(outcome)["message"] == (
        "`filter.genre[0]` takes a name without quotes: FANTASY. Allowed: FANTASY, SCIENCE_FICTION, HISTORY."
    )


@pytest.mark.parametrize(
    ("type_", "use", "value", "argument", "message"),
    [
        ("Int!", "first: $v", "2", "first", 'Variable `$v`: Int cannot represent non-integer value: "2"'),
        (
            "Int!",
            "first: $v",
            None,
            "first",
            "Variable `$v`: Expected value of non-null type 'Int!' not to be null.",
        ),
        (
            "BookFilter",
            "filter: $v",
            {"year": [1, True]},
            "filter.year[1]",
            "Variable `$v.year[1]`: Int cannot represent non-integer value: true",
        ),
        (
            "BookFilter",
            "filter: $v",
            {"titel": "x"},
            "filter",
            "Variable `$v`: Expected value of type 'BookFilter' not to include unknown field 'titel'. "
            "Did you mean 'title'? Found: an object.",
        ),
        (
            "BookFilter",
            "filter: $v",
            7,
            "filter",
            "Variable `$v`: Expected value of type 'BookFilter' to be an object, found: 7.",
        ),
        (
            "[Genre!]",
            "filter: {genre: $v}",
            [3],
            "filter.genre[0]",
            "Variable `$v[0]`: Enum 'Genre' cannot represent non-string value: 3.",
        ),
    ],
)
async def test_variables_of_a_wrong_type(
    executor: Executor, type_: str, use: str, value: Any, argument: str, message: str
) -> None:
    query = f"query ($v: {type_}) {{books({use}) {{nodes {{key}}}}}}"
    outcome = await executor.execute(Operation(query, variables={"v": value}))
    assert outcome.request_error
    assert error_of(outcome)["message"] == message
    assert error_of(outcome)["extensions"] == {"code": "BAD_USER_INPUT", "argument": argument}


@pytest.mark.parametrize(
    ("query", "argument", "words"),
    [
        (
            "query ($v: Int = 5) {books(first: $v) {nodes {key}}}",
            "first",
            "Argument 'first' has invalid value: ",
        ),
        (
            "query ($v: Genre = HISTORY) {books(filter: {genre: [$v]}) {nodes {key}}}",
            "filter.genre[0]",
            "Argument 'filter' has invalid value at .genre[0]: ",
        ),
        (
            "query ($v: Boolean = true) {books {nodes @include(if: $v) {key}}}",
            "if",
            "Argument 'if' has invalid value: ",
        ),
    ],
)
async def test_a_null_variable_in_a_place_that_allows_none(
    executor: Executor, query: str, argument: str, words: str
) -> None:
    outcome = await executor.execute(Operation(query, variables={"v": None}))
    assert outcome.data == {"books": None}
    assert error_of(outcome)["message"].startswith(f"{words}Expected variable '$v'")
    assert error_of(outcome)["message"].endswith("not to be null.")
    assert error_of(outcome)["path"] == ["books"]
    assert error_of(outcome)["extensions"] == {"code": "BAD_USER_INPUT", "argument": argument}


async def test_a_missing_variable(executor: Executor) -> None:
    outcome = await executor.execute(Operation("query ($v: Int!) {books(first: $v) {nodes {key}}}"))
    assert (
        error_of(outcome)["message"]
        == "Variable `$v`: Expected a value of non-null type 'Int!' to be provided."
    )


async def test_all_wrong_variables_are_named_at_once(executor: Executor) -> None:
    query = "query ($a: Int!, $f: BookFilter) {books(first: $a, filter: $f) {nodes {key}}}"
    outcome = await executor.execute(Operation(query, variables={"a": "x", "f": {"genre": "X", "year": "y"}}))
    assert [error["extensions"]["argument"] for error in outcome.formatted()["errors"]] == [
        "first",
        "filter.genre",
        "filter.year",
    ]


async def test_introspection_runs(executor: Executor) -> None:
    outcome = await executor.execute(Operation(get_introspection_query()))
    assert outcome.errors == ()
    assert outcome.data is not None
    assert outcome.data["__schema"]["queryType"]["name"] == "Query"
    assert outcome.extensions["cost"]["requested"] == 0


async def test_documents_are_kept_and_so_are_refusals(executor: Executor) -> None:
    for _ in range(3):
        await executor.execute(Operation("{books {nodes {key}}}"))
        await executor.execute(Operation("{books {nodes {kex}}}"))
    assert executor.documents.kept == (1, 1)
    first = executor.documents.prepare("{books {nodes {key}}}")
    assert executor.documents.prepare("{books {nodes {key}}}") is first


async def test_kept_documents_are_bounded() -> None:
    limits = Limits(cached_characters=120, cached_document=60, cached_refusals=2)
    executor = Executor(toy_schema(), limits=limits, scope=toy_scope)
    for number in range(10):
        await executor.execute(Operation(f"query Number{number} {{books {{nodes {{key}}}}}}"))
        await executor.execute(Operation(f"query Number{number} {{nothing}}"))
    assert executor.documents.kept == (3, 2)
    await executor.execute(Operation("{books {nodes {key}}}" + " " * 60))
    assert executor.documents.kept == (3, 2)


async def test_a_refusal_keeps_no_tree_of_its_document(executor: Executor) -> None:
    outcome = await executor.execute(Operation("{nothing}"))
    assert outcome.errors[0].nodes is None
    assert error_of(outcome)["locations"] == [{"line": 1, "column": 2}]


async def test_no_message_repeats_a_whole_request(executor: Executor) -> None:
    outcome = await executor.execute(Operation("{" + "x" * 150_000 + "}"))
    assert len(error_of(outcome)["message"]) == 1000


def test_constraints_are_put_on_a_schema_once() -> None:
    schema = toy_schema()
    Executor(schema, scope=toy_scope)
    query = schema.query_type
    assert isinstance(query, GraphQLObjectType)
    resolve = query.fields["books"].resolve
    Executor(schema, scope=toy_scope)
    assert query.fields["books"].resolve is resolve


async def test_what_utf8_cannot_hold_does_not_break_an_answer() -> None:
    outcome = Outcome({"text": "half \ud800 pair", "big": 2**70})
    assert orjson.loads(outcome.encoded())["data"]["text"] == "half ? pair"
