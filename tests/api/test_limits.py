"""Queries made to hurt. Each gets a clear error of the table, and what is just within a limit is answered."""

from __future__ import annotations

from typing import Any

import pytest
from graphql import get_introspection_query

from api.execution import Executor, Limits, Operation
from tests.support.toy_schema import toy_schema, toy_scope


@pytest.fixture
def executor() -> Executor:
    return Executor(toy_schema(), scope=toy_scope)


async def refusal(executor: Executor, query: str, variables: dict[str, Any] | None = None) -> tuple[str, str]:
    """Code and message of the first error of an operation that was not run."""
    outcome = await executor.execute(Operation(query, variables=variables))
    assert outcome.request_error
    error = outcome.formatted()["errors"][0]
    return error["extensions"]["code"], error["message"]


def nested(levels: int) -> str:
    """A query of `levels` nested fields, on the circle of authors and their books."""
    circle = ["author", "books", "nodes"]
    names = ['book(key: "tombs")', *(circle[index % 3] for index in range(levels - 2))]
    return "{" + " {".join(names) + " {__typename}" + "}" * len(names)


def aliases(count: int, field: str = "__typename") -> str:
    return "{" + " ".join(f"a{number}: {field}" for number in range(count)) + "}"


async def test_thousand_aliases(executor: Executor) -> None:
    code, message = await refusal(executor, aliases(1000))
    assert code == "QUERY_TOO_EXPENSIVE"
    assert message == "Document contains more than 2000 tokens. Ask for less at once, or split the query."


async def test_aliases_over_the_limit(executor: Executor) -> None:
    code, message = await refusal(executor, aliases(31))
    assert code == "QUERY_TOO_EXPENSIVE"
    assert message == "The operation has 31 aliases; at most 30 are allowed. Ask for fewer at once."
    assert (await executor.execute(Operation(aliases(30)))).errors == ()


async def test_aliases_through_fragments_count_as_often_as_they_are_spread(executor: Executor) -> None:
    query = "{x: books {...A} y: books {...A} books {...A}} fragment A on BookConnection {nodes {%s}}"
    ten = " ".join(f"a{number}: key" for number in range(10))
    code, message = await refusal(executor, query % ten)
    assert code == "QUERY_TOO_EXPENSIVE"
    assert "has 32 aliases; at most 30" in message


async def test_depth_at_the_limit_and_beyond() -> None:
    executor = Executor(toy_schema(), limits=Limits(cost=10**6), scope=toy_scope)
    assert (await executor.execute(Operation(nested(15)))).errors == ()
    code, message = await refusal(executor, nested(16))
    assert code == "QUERY_TOO_EXPENSIVE"
    assert message == (
        "The operation nests 16 fields deep; at most 15 are allowed. Nest fewer fields, or split the query."
    )


@pytest.mark.parametrize("levels", [100, 195, 200, 450])
async def test_two_hundred_deep_query(executor: Executor, levels: int) -> None:
    code, message = await refusal(executor, nested(levels))
    assert code == "QUERY_TOO_EXPENSIVE"
    assert "nest" in message


async def test_depth_through_a_chain_of_fragments(executor: Executor) -> None:
    chain = " ".join(
        f"fragment F{i} on Author {{books {{nodes {{author {{...F{i + 1}}}}}}}}}" for i in range(45)
    )
    code, message = await refusal(
        executor, f'{{book(key: "x") {{author {{...F0}}}}}} {chain} fragment F45 on Author {{name}}'
    )
    assert code == "QUERY_TOO_EXPENSIVE"
    assert "nest" in message


async def test_inline_fragments_do_not_count_as_depth_but_end_somewhere(executor: Executor) -> None:
    few = "{" + "... {" * 40 + "__typename" + "}" * 41
    assert (await executor.execute(Operation(few))).data == {"__typename": "Query"}
    code, _ = await refusal(executor, "{" + "... {" * 100 + "__typename" + "}" * 101)
    assert code == "QUERY_TOO_EXPENSIVE"
    fragments = " ".join(f"fragment F{i} on Query {{... {{... {{...F{i + 1}}}}}}}" for i in range(30))
    code, _ = await refusal(executor, f"{{...F0}} {fragments} fragment F30 on Query {{__typename}}")
    assert code == "QUERY_TOO_EXPENSIVE"


async def test_circular_fragments(executor: Executor) -> None:
    query = (
        "{books {...A}} fragment A on BookConnection {nodes {key} ...B} fragment B on BookConnection {...A}"
    )
    code, message = await refusal(executor, query)
    assert code == "GRAPHQL_VALIDATION_FAILED"
    assert message == "Cannot spread fragment 'A' within itself via 'B'."


async def test_fragment_bomb_is_measured_in_linear_time(executor: Executor) -> None:
    bomb = " ".join(f"fragment F{i} on Query {{...F{i + 1} ...F{i + 1}}}" for i in range(48))
    code, message = await refusal(
        executor, f'{{...F0}} {bomb} fragment F48 on Query {{book(key: "x") {{key}}}}'
    )
    assert code == "QUERY_TOO_EXPENSIVE"
    assert "has more than 1000000 root fields; at most 20" in message


async def test_fragment_bomb_below_the_root_is_reckoned(executor: Executor) -> None:
    doubling = " ".join(
        f"fragment F{i} on Book {{parts {{__typename}} ...F{i + 1} ...F{i + 1}}}" for i in range(30)
    )
    code, message = await refusal(
        executor, f'{{book(key: "x") {{...F0}}}} {doubling} fragment F30 on Book {{key}}'
    )
    assert code == "QUERY_TOO_EXPENSIVE"
    assert "costs 5368709116" in message
    assert "`book`" in message


async def test_wide_fragment_bomb(executor: Executor) -> None:
    wide = " ".join(
        f"fragment F{i} on Query {{" + " ".join(f"...F{j}" for j in range(i + 1, 21)) + "}" for i in range(20)
    )
    code, _ = await refusal(executor, f"{{...F0}} {wide} fragment F20 on Query {{__typename a: __typename}}")
    assert code == "QUERY_TOO_EXPENSIVE"


async def test_too_many_fragments(executor: Executor) -> None:
    many = " ".join(f"fragment F{i} on Query {{__typename}}" for i in range(51))
    code, message = await refusal(executor, "{" + " ".join(f"...F{i}" for i in range(51)) + "} " + many)
    assert code == "QUERY_TOO_EXPENSIVE"
    assert message.startswith("The document holds 51 fragments; at most 50 are allowed.")


async def test_too_many_operations(executor: Executor) -> None:
    code, message = await refusal(executor, " ".join(f"query Q{i} {{__typename}}" for i in range(11)))
    assert code == "QUERY_TOO_EXPENSIVE"
    assert message.startswith("The document holds 11 operations; at most 10 are allowed.")


async def test_directive_flood(executor: Executor) -> None:
    flood = "{" + " ".join(f"... @include(if: true) {{a{i}: __typename}}" for i in range(3)) + "}"
    assert (await executor.execute(Operation(flood))).errors == ()
    code, message = await refusal(executor, "{__typename " + "@include(if: true) " * 51 + "}")
    assert code == "QUERY_TOO_EXPENSIVE"
    assert "has 51 directives; at most 50" in message


async def test_field_duplication_flood(executor: Executor) -> None:
    for field in ("__typename", "books {nodes {key}}"):
        code, message = await refusal(executor, "{" + f"{field} " * 280 + "}")
        assert code == "QUERY_TOO_EXPENSIVE"
        assert "280" in message


async def test_root_field_flood(executor: Executor) -> None:
    code, message = await refusal(executor, aliases(21, 'book(key: "tombs") {key}'))
    assert code == "QUERY_TOO_EXPENSIVE"
    assert "has 21 root fields; at most 20" in message


async def test_introspection_nesting(executor: Executor) -> None:
    assert (await executor.execute(Operation(get_introspection_query()))).errors == ()
    deep = "{__schema {types {fields {type {fields {type {fields {type {fields {name}}}}}}}}}}"
    code, message = await refusal(executor, deep)
    assert code == "GRAPHQL_VALIDATION_FAILED"
    assert message == "Maximum introspection depth exceeded"
    code, _ = await refusal(executor, '{__type(name: "X") {' + "ofType {" * 150 + "name" + "}" * 152)
    assert code == "QUERY_TOO_EXPENSIVE"


async def test_huge_text(executor: Executor) -> None:
    for filler in ("# x\n" * 600, " " * 200_000):
        code, _ = await refusal(executor, "{__typename}" + filler)
        assert code == "QUERY_TOO_EXPENSIVE"


async def test_huge_variables(executor: Executor) -> None:
    query = "query ($f: BookFilter) {books(filter: $f) {nodes {key}}}"
    code, message = await refusal(executor, query, {"f": {"year": [1] * 400_000}})
    assert code == "QUERY_TOO_EXPENSIVE"
    assert message.startswith("The variables hold more than 5000 values.")


@pytest.mark.parametrize("levels", [150, 900])
async def test_deep_variables(executor: Executor, levels: int) -> None:
    query = "query ($f: BookFilter) {books(filter: $f) {nodes {key}}}"
    value: dict[str, Any] = {"title": "x"}
    for _ in range(levels):
        value = {"anyOf": [value]}
    code, message = await refusal(executor, query, {"f": value})
    assert code == "BAD_USER_INPUT"
    assert message in {"Variable `$f` is nested too deeply.", "Variable values are nested too deeply."}


async def test_deep_literal(executor: Executor) -> None:
    code, _ = await refusal(
        executor, "{books(filter: " + "{anyOf: " * 220 + "{}" + "}" * 220 + ") {nodes {key}}}"
    )
    assert code == "QUERY_TOO_EXPENSIVE"


@pytest.mark.parametrize(
    ("text", "words"),
    [("a\0b", "must not hold the character NUL."), ("a\ud800", "holds half of a surrogate pair")],
)
async def test_text_that_nothing_can_look_up(executor: Executor, text: str, words: str) -> None:
    query = "query ($t: String!) {echo(text: $t)}"
    code, message = await refusal(executor, query, {"t": text})
    assert (code, message.startswith(f"`text` {words}")) == ("BAD_USER_INPUT", True)
    nested_query = "query ($f: BookFilter) {books(filter: $f) {nodes {key}}}"
    _, nested_message = await refusal(executor, nested_query, {"f": {"key": ["x", text]}})
    assert nested_message.startswith(f"`filter.key[1]` {words}")


async def test_nul_and_surrogates_in_the_query(executor: Executor) -> None:
    assert await refusal(executor, '{echo(text: "a\\u0000")}') == (
        "BAD_USER_INPUT",
        "`text` must not hold the character NUL.",
    )
    assert (await refusal(executor, '{echo(text: "a\0")}'))[0] == "BAD_USER_INPUT"
    assert (await refusal(executor, "{\0}"))[0] == "GRAPHQL_PARSE_FAILED"
    assert (await refusal(executor, '{echo(text: "a\\ud800")}'))[0] == "GRAPHQL_PARSE_FAILED"
    assert (await refusal(executor, '{echo(text: "\ud800")}'))[0] == "GRAPHQL_PARSE_FAILED"


@pytest.mark.parametrize(
    ("query", "argument"),
    [
        ('{books(filter: {key: ["x", "a\\u0000"]}) {nodes {key}}}', "filter.key[1]"),
        ('query ($t: String = "\\u0000") {echo(text: $t)}', "t"),
        ("{books(filter: {price: 1e400}) {nodes {key}}}", "filter.price"),
        (f"{{books(filter: {{price: -1{'0' * 400}}}) {{nodes {{key}}}}}}", "filter.price"),
        ("{books(filter: {anyOf: [{price: 1}, {price: 1e999}]}) {nodes {key}}}", "filter.anyOf[1].price"),
        ("query ($p: Float = 1e400) {books(filter: {price: $p}) {nodes {key}}}", "p"),
        (f"{{books(first: 1{'0' * 5000}) {{nodes {{key}}}}}}", "first"),
    ],
)
async def test_literals_that_nothing_can_look_up_are_named_by_their_place(
    executor: Executor, query: str, argument: str
) -> None:
    (problem,) = (await executor.execute(Operation(query))).errors
    assert problem.extensions == {"code": "BAD_USER_INPUT", "argument": argument}
    assert problem.message.startswith(f"`{argument}` must ")


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
async def test_endless_numbers_in_variables(executor: Executor, value: float) -> None:
    query = "query ($p: Float) {books(filter: {price: $p}) {nodes {key}}}"
    assert await refusal(executor, query, {"p": value}) == (
        "BAD_USER_INPUT",
        "`filter.price` must be a finite number; this one is beyond all bounds.",
    )


async def test_generated_documents_have_no_limits_on_their_text_but_cost_holds(executor: Executor) -> None:
    outcome = await executor.execute(Operation(aliases(1000), generated=True))
    assert outcome.data is not None
    assert len(outcome.data) == 1000
    assert (await executor.execute(Operation(aliases(1000)))).request_error
    dear = await executor.execute(Operation("{books(first: 100) {nodes {heavy}}}", generated=True))
    assert dear.formatted()["errors"][0]["extensions"] == {"code": "QUERY_TOO_EXPENSIVE"}


@pytest.mark.parametrize(
    ("query", "variables", "cost"),
    [
        ("{__typename}", {}, 0),
        ('{book(key: "tombs") {key title}}', {}, 1),
        ("{books {nodes {key}}}", {}, 21),
        ("{books(first: 7) {nodes {key}}}", {}, 8),
        ("{books(first: 7) {edges {node {key}}}}", {}, 8),
        ("{books(first: 7) {edges {node {key}} nodes {key}}}", {}, 15),
        ("{books(first: 1000) {nodes {key}}}", {}, 101),
        ("{books(first: -5) {nodes {key}}}", {}, 1),
        ("query ($n: Int!) {books(first: $n) {nodes {key}}}", {"n": 9}, 10),
        ("query ($n: Int! = 4) {books(first: $n) {nodes {key}}}", {}, 5),
        ('{many(ids: ["a", "b", "c"]) {key author {name}}}', {}, 6),
        ("query ($i: [ID!]!) {many(ids: $i) {key}}", {"i": ["a", "b"]}, 2),
        ("query ($i: ID!) {many(ids: [$i]) {key}}", {"i": "a"}, 1),
        ('{many(ids: "a") {key}}', {}, 1),
        ("{books(first: 10) {nodes {author {books {nodes {key}}}}}}", {}, 231),
        ("{books(first: 10) {nodes {parts {name}}}}", {}, 61),
        ("{books(first: 2) {nodes {heavy}}}", {}, 1203),
        (
            "{books(first: 3) {...A}} fragment A on BookConnection {nodes {...B}} fragment B on Book {parts {key}}",
            {},
            19,
        ),
        (
            "{books(first: 3) {...A} more: books(first: 5) {...A}} fragment A on BookConnection {nodes {key}}",
            {},
            10,
        ),
    ],
)
async def test_cost(executor: Executor, query: str, variables: dict[str, Any], cost: int) -> None:
    outcome = await executor.execute(Operation(query, variables=variables))
    assert outcome.extensions["cost"] == {"requested": cost, "limit": 50_000}


async def test_too_expensive_says_where_and_what_to_do() -> None:
    executor = Executor(toy_schema(), limits=Limits(cost=500), scope=toy_scope)
    query = (
        'query ($n: Int!) {book(key: "tombs") {key} books(first: $n) {nodes {author {books {nodes {key}}}}}}'
    )
    assert (await executor.execute(Operation(query, variables={"n": 20}))).errors == ()
    outcome = await executor.execute(Operation(query, variables={"n": 50}))
    assert list(outcome.formatted()) == ["errors", "extensions"]
    assert outcome.extensions == {"cost": {"requested": 1152, "limit": 500}}
    assert outcome.formatted()["errors"][0]["extensions"] == {"code": "QUERY_TOO_EXPENSIVE"}
    assert outcome.errors[0].message == (
        "The operation costs 1152; at most 500 is allowed. Most of it lies in `books.nodes.author.books.nodes`. "
        "Ask for fewer items there (`first`), leave out lists nested in it, or split the query."
    )


async def test_a_variable_counts_at_every_use() -> None:
    """One list, sent once, would otherwise be looked up by every root field."""
    executor = Executor(toy_schema(), limits=Limits(argument_values=50), scope=toy_scope)
    roots = " ".join(f"a{number}: many(ids: $ids) {{title}}" for number in range(6))
    outcome = await executor.execute(
        Operation(f"query($ids: [ID!]!) {{{roots}}}", variables={"ids": ["tombs"] * 10})
    )
    assert outcome.data is not None
    assert [name for name, value in outcome.data.items() if value is None] == ["a5"]
    (error,) = outcome.formatted()["errors"]
    assert error["path"] == ["a5"]
    assert error["extensions"]["code"] == "QUERY_TOO_EXPENSIVE"
    assert "more than 50 values together" in error["message"]


async def test_a_cost_that_root_fields_share_has_no_dearest_field() -> None:
    executor = Executor(toy_schema(), limits=Limits(cost=50), scope=toy_scope)
    roots = " ".join(f"r{n}: books(first: 20) {{nodes {{key}}}}" for n in range(3))
    outcome = await executor.execute(Operation(f"{{{roots}}}"))
    assert outcome.errors[0].message == (
        "The operation costs 63; at most 50 is allowed. Its root fields share the cost. Ask for fewer of them at "
        "once, for fewer items (`first`), or leave out nested lists."
    )
