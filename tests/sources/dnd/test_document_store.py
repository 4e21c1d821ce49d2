"""The documents as a store, against the same answers from a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from sources.criteria import EVERYTHING, Op, Predicate
from sources.dnd.document_store import DocumentStore
from sources.dnd.embedded import SRD_2014
from sources.dnd.records import Document
from sources.errors import BadInput
from sources.page import OrderKey, Slice

NAMES = {"a": "Beasts", "b": "Ämter", "c": "Crypts", "d": "Beasts", "e": "Zones"}
BY_NAME = (OrderKey("name"),)


async def _documents() -> Mapping[str, Document]:
    return {key: replace(SRD_2014, key=key, name=name) for key, name in NAMES.items()}


STORE = DocumentStore(_documents)


async def keys(piece: Slice, order: tuple[OrderKey, ...] = BY_NAME) -> tuple[list[str], bool]:
    page = await STORE.select(("key",), EVERYTHING, order, piece)
    assert [position[-1] for position in page.positions] == [record.key for record in page.records]
    return [record.key for record in page.records], page.has_more


async def test_names_sort_folded_and_ties_by_key() -> None:
    assert await keys(Slice(10)) == (["b", "a", "d", "c", "e"], False)
    assert await keys(Slice(10), (OrderKey("name", descending=True),)) == (["e", "c", "a", "d", "b"], False)


async def test_slices_from_either_end() -> None:
    assert await keys(Slice(2)) == (["b", "a"], True)
    assert await keys(Slice(2, backward=True)) == (["c", "e"], True)
    assert await keys(Slice(5, backward=True)) == (["b", "a", "d", "c", "e"], False)
    assert await keys(Slice(2, after=("beasts", "a"))) == (["d", "c"], True)
    assert await keys(Slice(2, after=("beasts", "a"), before=("crypts", "c"))) == (["d"], False)
    assert await keys(Slice(0, backward=True)) == ([], True)


async def test_criteria_mean_what_they_mean_everywhere() -> None:
    beasts = Predicate("name", Op.CONTAINS, "ÂST")
    assert await STORE.count(beasts) == 2
    page = await STORE.select(("name", "licence"), beasts, BY_NAME, Slice(10))
    assert [tuple(record) for record in page.records] == [("Beasts", "CC-BY-4.0")] * 2
    assert {record.kind for record in page.records} == {"document"}


async def test_documents_by_key() -> None:
    found = await STORE.by_keys(["a", "x"], ("name",))
    assert {key: record.name for key, record in found.items()} == {"a": "Beasts"}


def test_a_forged_position_is_refused() -> None:
    assert STORE.checked(("x", "a"), BY_NAME, "after") == ("x", "a")
    with pytest.raises(BadInput, match="is not a cursor"):
        STORE.checked((1, "a"), BY_NAME, "after")
