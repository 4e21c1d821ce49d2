"""References to rules across documents and editions, which the embedded data, one document, cannot show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from resolvers.dnd.loaders_equipment import conditions, document_counts, rule_lists, rules
from resolvers.scope import Scope
from sources.dnd.embedded import SRD_2014
from sources.dnd.keys import KeyIndex
from sources.dnd.records import Document, Reference
from sources.dnd.store import DndShelf
from sources.page import record_class
from sources.source import RecordCount

EDITIONS = {"srd-2014": "5e-2014", "book": "5e-2014", "srd-2024": "5e-2024", "a5e-ag": "a5e"}
HELD = {
    "srd_blinded": ("srd-2014", "condition"),
    "srd_prone": ("srd-2014", "condition"),
    "srd_light": ("srd-2014", "weapon-property"),
    "srd-2024_blinded": ("srd-2024", "condition"),
    "book_blinded": ("book", "condition"),
}


class FakeRules:
    """Knows the keys and kinds of `HELD`; counts how often it is asked."""

    kind = "rule"

    def __init__(self) -> None:
        self.asked = 0

    async def by_keys(self, keys: Iterable[str], columns: Sequence[str]) -> dict[str, Any]:
        self.asked += 1
        record = record_class("rule", ("key", "kind"))
        return {key: record((key, HELD[key][1])) for key in keys if key in HELD}


class FakeShelf(DndShelf):
    """Four documents of three editions, and a few rules."""

    def __init__(self) -> None:
        self.fake_rules = FakeRules()
        self.rules = self.fake_rules  # type: ignore[assignment]
        self.open5e = None

    async def documents(self) -> Mapping[str, Document]:
        return {key: replace(SRD_2014, key=key, edition=edition) for key, edition in EDITIONS.items()}

    async def keys(self, kind: str) -> KeyIndex:
        assert kind == "rule"
        return KeyIndex((key, document) for key, (document, _) in HELD.items())

    async def counts(self) -> Mapping[str, Sequence[RecordCount]]:
        return {"srd-2014": (RecordCount("rule", 3),)}


def scope_of(shelf: DndShelf) -> Scope:
    return Scope(shelves={"dnd": shelf}, unopened={})


def keys(records: Sequence[Any]) -> list[str | None]:
    return [None if record is None else record.key for record in records]


async def test_a_condition_is_that_of_the_document_else_of_its_edition() -> None:
    shelf = FakeShelf()
    parents = [
        ("blinded", "srd-2014"),
        ("blinded", "book"),
        ("blinded", "srd-2024"),
        ("prone", "book"),
        ("prone", "srd-2024"),
        ("blinded", "a5e-ag"),
        ("light", "srd-2014"),
        ("unheard-of", "srd-2014"),
    ]
    found = await conditions(scope_of(shelf), parents, ("key",))
    assert keys(found) == [
        "srd_blinded",
        "book_blinded",
        "srd-2024_blinded",
        "srd_prone",
        None,
        None,
        None,
        None,
    ]
    assert shelf.fake_rules.asked == 1


async def test_what_is_not_held_leads_to_nothing() -> None:
    shelf = FakeShelf()
    assert keys(await rules(scope_of(shelf), ["srd_prone", None, "srd_x"], ("key",))) == [
        "srd_prone",
        None,
        None,
    ]
    references = [(Reference("srd_light", "Light"), Reference("srd_x", "X")), ()]
    lists = await rule_lists(scope_of(shelf), references, ("key",))
    assert [keys(items) for items in lists] == [["srd_light"], []]
    assert shelf.fake_rules.asked == 2


async def test_nothing_is_asked_for_nothing() -> None:
    shelf = FakeShelf()
    assert await rules(scope_of(shelf), [None, None], ("key",)) == [None, None]
    assert await rule_lists(scope_of(shelf), [(), ()], ("key",)) == [[], []]
    assert shelf.fake_rules.asked == 0


async def test_a_document_without_records_counts_none() -> None:
    counts = await document_counts(scope_of(FakeShelf()), ["srd-2014", "book"], ("kind", "count"))
    assert counts == [(RecordCount("rule", 3),), ()]
