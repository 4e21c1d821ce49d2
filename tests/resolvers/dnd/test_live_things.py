"""Equipment and rules of the live provider, which keeps each in several lists, are one list here."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.settings import Settings
from resolvers.dnd.provider import Provider
from resolvers.dnd.queries import find_provided
from resolvers.question import Answer, PageRequest, Question, Wanted
from resolvers.scope import Scope
from sources.criteria import All, AnyOf, Criteria, Not, Op, Predicate, matches
from sources.dnd.live_index import Cost
from sources.dnd.open5e_endpoints import KINDS
from sources.dnd.store import DndShelf
from sources.dnd.vocabulary import DAMAGE_TYPES
from sources.dnd.vocabulary_equipment import RARITY_RANKS
from sources.page import OrderKey, sorted_records
from tests.resolvers.dnd.test_live_listing import (
    ACROSS,
    filters,
    names,
    orders,
    predicate,
    several,
    shown,
    steady,
)
from tests.support.fake_open5e import FakeOpen5e
from tests.support.live import check_requests, live_scope

WANTED = Wanted(("key", "name", "kind"), cursors=True, has_next=True, has_previous=True, total_count=True)

NAMES = [
    predicate("name", Op.CONTAINS, st.one_of(names, st.sampled_from(["sword", "armor", "cover", "magic"]))),
    predicate("name", Op.FOLDED_EQUALS, st.sampled_from(["LONGSWORD", "rope's end", "Cover", "blinded"])),
]
KINDS_OF_EQUIPMENT = predicate("kind", Op.IN, several(["weapon", "armor", "gear", "magic-item"]))
EQUIPMENT = [
    *NAMES,
    KINDS_OF_EQUIPMENT,
    predicate("magic", Op.EQUALS, st.booleans()),
    predicate("simple", Op.EQUALS, st.booleans()),
    predicate("finesse", Op.EQUALS, st.booleans()),
    predicate("light", Op.EQUALS, st.booleans()),
    predicate("weapon_range", Op.IN, several(["melee", "ranged"])),
    predicate("damage_dice", Op.IN, several(["1d4", "1d8", "1", "2d6"])),
    predicate("properties", Op.HAS_ANY, several(["srd_versatile", "srd_two-handed", "srd_reach"])),
    predicate("armor_category", Op.IN, several(["light", "medium", "heavy", "shield"])),
    predicate("armor_class_base", Op.AT_LEAST, st.integers(1, 18)),
    predicate("armor_class_base", Op.AT_MOST, st.integers(1, 18)),
    predicate("stealth_disadvantage", Op.EQUALS, st.booleans()),
    predicate("rarity", Op.IN, several([*RARITY_RANKS, "varies"])),
    predicate("requires_attunement", Op.EQUALS, st.booleans()),
    predicate("cost", Op.AT_LEAST, st.sampled_from([0.0, 0.05, 2.0, 100.0])),
    predicate("cost", Op.AT_MOST, st.sampled_from([0.0, 0.05, 2.0, 100.0])),
    predicate("categories", Op.HAS_ANY, several(["weapon", "martial-weapons", "shield", "light-armor"])),
    predicate("key", Op.IN, several(["srd_longsword", "srd_shield", "srd_amulet-of-health", "srd_torch"])),
]
EVERYWHERE = [
    *EQUIPMENT,
    predicate("categories", Op.HAS_ANY, several(["tools", "wand", "armor", "adventuring-gear", "ring"])),
    predicate("damage_type", Op.IN, several(DAMAGE_TYPES)),
    predicate("weight", Op.AT_LEAST, st.sampled_from([0.0, 0.5, 10.0])),
    predicate("weight", Op.AT_MOST, st.sampled_from([0.0, 0.5, 10.0])),
    predicate("text", Op.MATCHES, st.sampled_from(["rope", "attunement", "simple weapons", "déluge"])),
    *ACROSS,
]
RULES = [
    *NAMES,
    predicate(
        "kind",
        Op.IN,
        several(["rule", "rule-section", "condition", "skill", "language", "alignment", "damage-type"]),
    ),
    predicate("key", Op.IN, several(["srd_blinded", "srd_combat", "srd_combat_cover", "srd-2024_prone"])),
    predicate("section", Op.IN, several(["srd_combat", "srd_combat_cover"])),
    predicate("text", Op.MATCHES, st.sampled_from(["attack roll", "half cover", "dexterity", "demons"])),
    *ACROSS,
]
EQUIPMENT_ORDERS = orders(["name", "kind", "cost", "weight", "rarity_rank", "armor_class_base"])
RULE_ORDERS = orders(["name", "kind"])


def find(runner: asyncio.Runner, scope: Scope, kind: str, question: Question, provider: Provider) -> Answer:
    shelf = scope.shelf("dnd", DndShelf)
    store = shelf.equipment if kind == "equipment" else shelf.rules
    return runner.run(find_provided(shelf, store, question, provider))


def test_live_equipment_is_what_is_held_here(
    seeded_settings: Settings, srd_open5e: FakeOpen5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fake has no magic item whose rarity varies, so they are asked for on neither side."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        scope = runner.run(
            stack.enter_async_context(live_scope(seeded_settings, srd_open5e.url, monkeypatch))
        )
        varying = Predicate("rarity", Op.IN, ("varies",))

        @steady
        @given(criteria=filters(EQUIPMENT), order=EQUIPMENT_ORDERS, first=st.integers(1, 40))
        def agree(criteria: Criteria, order: tuple[OrderKey, ...], first: int) -> None:
            weightless = tuple(part for part in order if part.attribute != "weight")
            asked = All((criteria, Not(varying)))
            question = Question(WANTED, asked, weightless, PageRequest(first))
            held = find(runner, scope, "equipment", question, Provider.LOCAL)
            live = find(runner, scope, "equipment", question, Provider.OPEN5E)
            assert shown(live) == shown(held)
            assert live.provenance.complete
            if live.cursors and live.page_info.has_next_page:
                pages = [
                    Question(WANTED, asked, weightless, PageRequest(first, answer.cursors[-1]))
                    for answer in (held, live)
                ]
                following = [
                    find(runner, scope, "equipment", page, provider)
                    for page, provider in zip(pages, (Provider.LOCAL, Provider.OPEN5E), strict=True)
                ]
                assert shown(following[1]) == shown(following[0])

        try:
            agree()
            check_requests(srd_open5e)
        finally:
            runner.run(stack.aclose())


@pytest.mark.parametrize("kind", ["equipment", "rule"])
def test_live_answers_are_those_of_filtering_all_lists_here(
    kind: str, seeded_settings: Settings, open5e: FakeOpen5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With accents, curly apostrophes, absent values and the documents of three editions."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        scope = runner.run(stack.enter_async_context(live_scope(seeded_settings, open5e.url, monkeypatch)))
        client = scope.shelf("dnd", DndShelf).open5e
        assert client is not None
        everything: list[Any] = []
        for endpoint in KINDS[kind]:
            columns = tuple(endpoint.recipes)
            page = runner.run(client.one(endpoint.name, Cost()).fetch({}, 0, 5_000, columns))
            everything += page.records
        assert len({record.key for record in everything}) == len(everything)
        read = client.one(KINDS[kind][0].name, Cost()).read
        open5e.forget()

        @steady
        @given(
            criteria=filters(EVERYWHERE if kind == "equipment" else RULES),
            order=EQUIPMENT_ORDERS if kind == "equipment" else RULE_ORDERS,
            first=st.integers(1, 40),
        )
        def agree(criteria: Criteria, order: tuple[OrderKey, ...], first: int) -> None:
            meant = [record for record in everything if _meant(criteria, record, read)]
            expected = [record.key for record in sorted_records(meant, order, "key", read)]
            after, seen = None, 0
            for _ in range(2):
                question = Question(WANTED, criteria, order, PageRequest(first, after))
                live = find(runner, scope, kind, question, Provider.OPEN5E)
                keys = expected[seen : seen + first]
                assert shown(live) == (keys, len(expected), len(expected) > seen + first, seen > 0)
                assert live.provenance.complete
                if not live.page_info.has_next_page:
                    break
                after, seen = live.cursors[-1], seen + first

        try:
            agree()
            check_requests(open5e)
        finally:
            runner.run(stack.aclose())


def _meant(criteria: Criteria, record: Any, read: Any) -> bool:
    def with_sections(record: Any, attribute: str) -> Any:
        # A rule stands for itself and its sections; a section for itself.
        return (record.key, record.parent_key) if attribute == "section" else read(record, attribute)

    return matches(_with_sections(criteria), record, with_sections)


def _with_sections(criteria: Criteria) -> Criteria:
    match criteria:
        case Predicate("section", Op.IN, value):
            return Predicate("section", Op.HAS_ANY, value)
        case Predicate("kind", Op.IN, value) if "rule" in value:
            return Predicate("kind", Op.IN, (*value, "rule-section"))
        case All(parts):
            return All(tuple(map(_with_sections, parts)))
        case AnyOf(parts):
            return AnyOf(tuple(map(_with_sections, parts)))
        case Not(part):
            return Not(_with_sections(part))
        case _:
            return criteria
