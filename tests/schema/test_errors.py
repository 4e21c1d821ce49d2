"""The error table, and that nothing but our own words gets out."""

from __future__ import annotations

import inspect

import pytest
from graphql import GraphQLError

from schema.errors import CODE_OF, ErrorCode, code_of, extensions_of, public_error
from sources import errors

ABSTRACT = {errors.LoregraphError, errors.UpstreamError}


def test_every_error_has_its_code() -> None:
    ours = {
        class_
        for _, class_ in inspect.getmembers(errors, inspect.isclass)
        if issubclass(class_, errors.LoregraphError)
    }
    assert set(CODE_OF) == ours - ABSTRACT
    of_graphql = {
        ErrorCode.GRAPHQL_PARSE_FAILED,
        ErrorCode.GRAPHQL_VALIDATION_FAILED,
        ErrorCode.INTERNAL_SERVER_ERROR,
    }
    assert {*CODE_OF.values(), *of_graphql} == set(ErrorCode)


def test_the_tree_at_the_top_of_the_module_is_the_real_one() -> None:
    assert errors.__doc__ is not None
    drawn = [line.split("── ")[1].split()[0] for line in errors.__doc__.splitlines() if "── " in line]
    assert sorted(drawn) == sorted(
        name
        for name, class_ in inspect.getmembers(errors, inspect.isclass)
        if issubclass(class_, errors.LoregraphError) and class_ is not errors.LoregraphError
    )


def test_our_words_and_their_extensions_pass() -> None:
    original = errors.BadInput.unknown("filter.school", "evocatoin", ["evocation", "abjuration"])
    public = public_error(
        GraphQLError("x", original_error=original, path=["spells"]), fallback=ErrorCode.INTERNAL_SERVER_ERROR
    )
    assert public.message == (
        "`filter.school` does not know `evocatoin`. Allowed: evocation, abjuration. Did you mean `evocation`?"
    )
    assert public.path == ["spells"]
    assert public.extensions == {
        "code": "BAD_USER_INPUT",
        "argument": "filter.school",
        "allowed": ["evocation", "abjuration"],
        "suggestions": ["evocation"],
    }


def test_each_door_says_the_sentence_with_its_own_names() -> None:
    problem = errors.BadInput.crossed("filter.levelMin", 5, "filter.levelMax", 3)
    assert str(problem) == "`filter.levelMin` (5) must not be above `filter.levelMax` (3)."
    names = {"filter.levelMin": "level_min", "filter.levelMax": "level_max"}
    assert problem.message_for(names.__getitem__) == "`level_min` (5) must not be above `level_max` (3)."


def test_anything_else_is_masked_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    secret = ValueError("password=hunter2 SELECT * FROM dnd_spell")
    public = public_error(
        GraphQLError(str(secret), original_error=secret, path=["spells"]),
        fallback=ErrorCode.BAD_USER_INPUT,
        new_id=lambda: "abc123",
    )
    assert public.message == "Something went wrong on our side. The error id is abc123."
    assert public.extensions == {"code": "INTERNAL_SERVER_ERROR", "errorId": "abc123"}
    assert "abc123" in caplog.text
    assert "hunter2" in caplog.text


def test_an_error_of_graphql_keeps_its_words() -> None:
    public = public_error(
        GraphQLError("Cannot query field 'x'."), fallback=ErrorCode.GRAPHQL_VALIDATION_FAILED
    )
    assert public.message == "Cannot query field 'x'."
    assert public.extensions == {"code": "GRAPHQL_VALIDATION_FAILED"}


def test_a_store_that_fails_while_serving_is_a_source_that_is_down() -> None:
    assert (
        code_of(errors.DataFolderError("The disk is full.", hint="Free some."))
        is ErrorCode.UPSTREAM_UNAVAILABLE
    )
    down = errors.UpstreamTimeout("No answer within 5 seconds.", upstream="open5e")
    assert extensions_of(down) == {"code": "UPSTREAM_TIMEOUT", "upstream": "open5e"}


def test_what_is_written_for_the_operator_stays_with_the_operator(caplog: pytest.LogCaptureFixture) -> None:
    damaged = errors.DataFolderError("The file /srv/secret/loregraph.db is damaged.", hint="Move it away.")
    public = public_error(GraphQLError("x", original_error=damaged), fallback=ErrorCode.INTERNAL_SERVER_ERROR)
    assert "secret" not in public.message
    assert "Move it" not in public.message
    assert public.extensions == {"code": "UPSTREAM_UNAVAILABLE"}
    assert "/srv/secret/loregraph.db is damaged. Move it away." in caplog.text


@pytest.mark.parametrize(
    ("minimum", "maximum", "words"),
    [
        (1, 100, "between 1 and 100"),
        (0, None, "at least 0"),
        (None, 9, "at most 9"),
        (0.125, 30, "between 0.125 and 30"),
    ],
)
def test_ranges_in_words(minimum: float | None, maximum: float | None, words: str) -> None:
    problem = errors.BadInput.out_of_range("first", 101, minimum, maximum)
    assert str(problem) == f"`first` must be {words}, got 101."


def test_long_vocabularies_are_cut_in_words_and_whole_in_data() -> None:
    allowed = [f"word{i}" for i in range(60)]
    problem = errors.BadInput.unknown("x", "nothing-like-it", allowed)
    assert "word23 and 36 more." in str(problem)
    assert problem.allowed == tuple(allowed)


def test_values_are_shown_short_and_printable() -> None:
    assert errors.shorten("a\x00b\u202ec\n") == "a\ufffdb\ufffdc\ufffd"
    assert errors.shorten("x" * 200) == "x" * 79 + "…"
