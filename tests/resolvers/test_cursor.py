"""Cursors: they come back as they were made, and nothing else is taken for one."""

from __future__ import annotations

import base64
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resolvers import cursor
from resolvers.cursor import fingerprint, mint, read
from sources.criteria import All, Op, Predicate
from sources.errors import BadInput
from sources.page import OrderKey

LIST = fingerprint("spell", All(), (OrderKey("name"),))

values = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
)
positions = st.tuples(values | st.text(), st.text(min_size=1))


@given(positions)
def test_a_cursor_comes_back_as_it_was_made(position: tuple[Any, ...]) -> None:
    assert read(mint(position, LIST), LIST, 2, argument="after") == position


@given(st.text() | st.binary().map(lambda raw: base64.urlsafe_b64encode(raw).decode()))
def test_anything_else_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(text, LIST, 2, argument="before")
    assert caught.value.argument == "before"


@pytest.mark.parametrize(
    "other",
    [
        fingerprint("creature", All(), (OrderKey("name"),)),
        fingerprint("spell", All(), (OrderKey("name", descending=True),)),
        fingerprint("spell", Predicate("level", Op.IN, (3,)), (OrderKey("name"),)),
        fingerprint("spell", Predicate("level", Op.IN, (4,)), (OrderKey("name"),)),
    ],
)
def test_the_cursor_of_another_list_is_refused(other: str) -> None:
    assert other != LIST
    with pytest.raises(BadInput, match="is a cursor of another query"):
        read(mint(("fireball", "srd_fireball"), other), LIST, 2, argument="after")


def test_where_a_condition_was_written_does_not_change_the_list() -> None:
    one = fingerprint("spell", Predicate("level", Op.IN, (3,), argument="filter.level"), ())
    other = fingerprint("spell", Predicate("level", Op.IN, (3,), argument="filter.anyOf[0].level"), ())
    assert one == other


@pytest.mark.parametrize("forged", [[1, LIST, {"a": 1}, "k"], [1, LIST, ["a"], "k"], {"a": 1}, [1, LIST], 7])
def test_a_forged_cursor_is_refused(forged: Any) -> None:
    body = orjson.dumps(forged)
    # The checksum is no secret: what it guards against is damage, and a forger can compute it as well.
    text = base64.urlsafe_b64encode(body + cursor._checksum(body)).decode()
    with pytest.raises(BadInput):
        read(text, LIST, 2, argument="after")


def test_another_version_is_named() -> None:
    body = orjson.dumps([cursor.VERSION + 1, LIST, "a", "k"])
    text = base64.urlsafe_b64encode(body + cursor._checksum(body)).decode()
    with pytest.raises(BadInput, match="is a cursor of another version"):
        read(text, LIST, 2, argument="after")
