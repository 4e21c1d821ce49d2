"""`@constraint` holds for arguments, input fields, items and nested objects, in one wording."""

from __future__ import annotations

from typing import Any

import pytest

from api.execution import Executor, Operation, check_value
from schema.directives import Constraint
from sources.errors import BadInput
from tests.support.toy_schema import toy_schema, toy_scope


def constraint(**bounds: Any) -> Constraint:
    unset: dict[str, Any] = dict.fromkeys(
        ("min", "max", "min_length", "max_length", "min_items", "max_items", "pattern")
    )
    return Constraint(**{**unset, **bounds})


@pytest.mark.parametrize(
    ("arguments", "argument", "message"),
    [
        ("first: 0", "first", "`first` must be between 1 and 100, got 0."),
        ("first: 101", "first", "`first` must be between 1 and 100, got 101."),
        ("first: -1", "first", "`first` must be between 1 and 100, got -1."),
        (
            'filter: {title: ""}',
            "filter.title",
            "`filter.title` must have between 1 and 40 characters, got 0.",
        ),
        ("filter: {yearMin: 0}", "filter.yearMin", "`filter.yearMin` must be at least 1, got 0."),
        (
            "filter: {year: [5, 3001]}",
            "filter.year[1]",
            "`filter.year[1]` must be between 1 and 3000, got 3001.",
        ),
        ("filter: {year: 0}", "filter.year[0]", "`filter.year[0]` must be between 1 and 3000, got 0."),
        (
            'filter: {key: ["a", "b", "c", "d"]}',
            "filter.key",
            "`filter.key` must have at most 3 items, got 4.",
        ),
        ('filter: {key: ["a", "B"]}', "filter.key[1]", "`filter.key[1]` must match `[a-z]+`, got `B`."),
        (
            "filter: {anyOf: [{year: 5}, {anyOf: [{yearMin: -2}]}]}",
            "filter.anyOf[1].anyOf[0].yearMin",
            "`filter.anyOf[1].anyOf[0].yearMin` must be at least 1, got -2.",
        ),
    ],
)
async def test_a_broken_constraint_is_an_error_of_its_field_alone(
    arguments: str, argument: str, message: str
) -> None:
    executor = Executor(toy_schema(), scope=toy_scope)
    outcome = await executor.execute(
        Operation(f'{{books({arguments}) {{nodes {{key}}}} book(key: "tombs") {{key}}}}')
    )
    assert outcome.data == {"books": None, "book": {"key": "tombs"}}
    (error,) = outcome.formatted()["errors"]
    assert error["message"] == message
    assert error["path"] == ["books"]
    assert error["extensions"] == {"code": "BAD_USER_INPUT", "argument": argument}


async def test_variables_meet_the_same_words() -> None:
    executor = Executor(toy_schema(), scope=toy_scope)
    query = "query ($f: BookFilter, $n: Int!) {books(filter: $f, first: $n) {nodes {key}}}"
    outcome = await executor.execute(Operation(query, variables={"f": {"year": [0]}, "n": 5}))
    assert outcome.errors[0].message == "`filter.year[0]` must be between 1 and 3000, got 0."


@pytest.mark.parametrize(
    ("bounds", "value"),
    [
        ({"min": 1, "max": 3}, 1),
        ({"min": 1, "max": 3}, 3),
        ({"min": 0.5}, 0.5),
        ({"min": 1, "max": 3}, True),
        ({"min": 1}, None),
        ({"min_length": 2, "max_length": 3}, "ab"),
        ({"pattern": "[a-z]+"}, "abc"),
        ({"min_items": 1, "max_items": 2, "max": 5}, [5, 1]),
        ({"max": 5}, [None, 1]),
    ],
)
def test_values_within_their_bounds_pass(bounds: dict[str, Any], value: object) -> None:
    check_value(constraint(**bounds), value, "argument")


@pytest.mark.parametrize(
    ("bounds", "value", "message"),
    [
        ({"max": 3}, 4, "`a` must be at most 3, got 4."),
        ({"min": 0.5}, 0.25, "`a` must be at least 0.5, got 0.25."),
        ({"min_length": 1}, "", "`a` must have at least 1 character, got 0."),
        ({"max_length": 2}, "abc", "`a` must have at most 2 characters, got 3."),
        ({"min_items": 2}, [1], "`a` must have at least 2 items, got 1."),
        ({"pattern": "[a-z]+"}, "ab9", "`a` must match `[a-z]+`, got `ab9`."),
        ({"max": 5}, [1, [2, 6]], "`a[1][1]` must be at most 5, got 6."),
    ],
)
def test_values_outside_are_named(bounds: dict[str, Any], value: object, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        check_value(constraint(**bounds), value, "a")
    assert str(caught.value) == message
