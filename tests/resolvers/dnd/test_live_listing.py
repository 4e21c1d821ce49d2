"""Whatever is asked, the live provider answers as the same records do when they are held here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.settings import Settings
from resolvers.dnd.provider import Provider
from resolvers.dnd.queries import find_provided
from resolvers.question import Answer, PageRequest, Question, Wanted
from sources.criteria import All, AnyOf, Criteria, Not, Op, Predicate, matches
from sources.dnd.live_index import Cost
from sources.dnd.open5e_endpoints import ENDPOINTS
from sources.dnd.open5e_recipes import JOINED
from sources.dnd.store import DndShelf
from sources.dnd.vocabulary import DAMAGE_TYPES
from sources.page import OrderKey, sorted_records
from tests.support.fake_open5e import FakeOpen5e
from tests.support.live import check_requests, live_scope

steady = settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
WANTED = Wanted(("key", "name"), cursors=True, has_next=True, has_previous=True, total_count=True)
DOCUMENTS = ("srd-2014", "srd-2024", "ember", "tide", "a5e-lantern")

names = st.sampled_from(
    ["fire", "FIRE", "éclair", "Eclair", "wizard's", "Wizard’s", "façade", "strasse", "%", "_", "50%", "a", "of the",
     "goblin", "king’s", "âme", ", sea", "ijssel", "dragon", "no such name"]
)  # fmt: skip


def predicate(attribute: str, op: Op, values: st.SearchStrategy[Any]) -> st.SearchStrategy[Criteria]:
    return values.map(lambda value: Predicate(attribute, op, value, f"filter.{attribute}"))


def several(words: Sequence[Any], most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(st.sampled_from(words), min_size=1, max_size=most, unique=True).map(tuple)


SHARED = [
    predicate("name", Op.CONTAINS, names),
    predicate("name", Op.FOLDED_EQUALS, names),
    predicate("text", Op.MATCHES, st.sampled_from(["fire damage", "wizard's", "poison", "dragon"])),
]
SPELL = [
    *SHARED,
    predicate("level", Op.IN, several(range(10), 4)),
    predicate("level", Op.AT_LEAST, st.integers(0, 9)),
    predicate("level", Op.AT_MOST, st.integers(0, 9)),
    predicate("school", Op.IN, several(["evocation", "illusion", "abjuration", "necromancy"])),
    predicate("classes", Op.HAS_ANY, several(["srd_wizard", "srd_cleric", "srd_druid"])),
    predicate("casting_time", Op.IN, several(["action", "reaction", "1minute", "1hour", "24hours"])),
    *(
        predicate(flag, Op.EQUALS, st.booleans())
        for flag in ("concentration", "ritual", "verbal", "somatic", "material", "material_consumed")
    ),
    predicate("damage_types", Op.HAS_ANY, several(DAMAGE_TYPES)),
    predicate("saving_throw_abilities", Op.HAS_ANY, several(["dexterity", "wisdom"])),
    predicate("range", Op.AT_LEAST, st.sampled_from([0.0, 30.0, 5280.0])),
    predicate("range", Op.AT_MOST, st.sampled_from([0.0, 30.0, 5280.0])),
    predicate("key", Op.IN, several(["srd_fireball", "srd_shield", "srd_acid-arrow", "srd_wish"])),
]
CREATURE = [
    *SHARED,
    predicate("challenge_rating", Op.IN, several([0.0, 0.125, 0.25, 1.0, 17.0])),
    predicate("challenge_rating", Op.AT_LEAST, st.sampled_from([0.5, 3.0, 20.0])),
    predicate("challenge_rating", Op.AT_MOST, st.sampled_from([0.0, 0.5, 3.0])),
    predicate("type", Op.IN, several(["dragon", "beast", "fiend", "humanoid"])),
    predicate("size", Op.IN, several(["tiny", "large", "huge"])),
    predicate("swarm", Op.EQUALS, st.booleans()),
    predicate("alignments", Op.HAS_ANY, several(["neutral-evil", "unaligned", "lawful-good"])),
    predicate("armor_class", Op.AT_LEAST, st.integers(8, 22)),
    predicate("armor_class", Op.AT_MOST, st.integers(8, 22)),
    predicate("hit_points", Op.AT_LEAST, st.integers(1, 300)),
    predicate("speed_fly", Op.AT_LEAST, st.sampled_from([30, 60])),
    predicate("darkvision", Op.AT_LEAST, st.sampled_from([60, 120])),
    predicate("passive_perception", Op.AT_LEAST, st.integers(8, 20)),
    predicate("damage_immunity_types", Op.HAS_ANY, several(DAMAGE_TYPES)),
    predicate("condition_immunities", Op.HAS_ANY, several(["charmed", "poisoned"])),
    predicate("legendary", Op.EQUALS, st.booleans()),
    predicate("key", Op.IN, several(["srd_goblin", "srd_rat", "srd_aboleth"])),
]
ACROSS = [
    predicate("document_key", Op.IN, several(DOCUMENTS)),
    predicate("edition", Op.IN, several(["5e-2014", "5e-2024", "a5e"], 2)),
]


def filters(leaves: Sequence[st.SearchStrategy[Criteria]]) -> st.SearchStrategy[Criteria]:
    leaf = st.one_of(*leaves)
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3).map(lambda parts: All(tuple(parts))),
            st.lists(inner, min_size=1, max_size=2).map(lambda parts: AnyOf(tuple(parts))),
            inner.map(Not),
        ),
        max_leaves=4,
    )


def orders(attributes: Sequence[str]) -> st.SearchStrategy[tuple[OrderKey, ...]]:
    key = st.builds(OrderKey, st.sampled_from(attributes), st.booleans())
    return st.lists(key, max_size=2, unique_by=lambda part: part.attribute).map(tuple)


SPELL_ORDERS = orders(["name", "level", "school", "casting_time", "range"])
CREATURE_ORDERS = orders(["name", "challenge_rating", "type", "armor_class", "hit_points", "darkvision"])


def shown(answer: Answer) -> tuple[list[str], int | None, bool, bool]:
    info = answer.page_info
    keys = [node.key for node in answer.nodes]
    return keys, answer.total_count, info.has_next_page, info.has_previous_page


@pytest.mark.parametrize("kind", ["spell", "creature"])
def test_live_answers_are_those_of_the_records_held_here(
    kind: str, seeded_settings: Settings, srd_open5e: FakeOpen5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        scope = runner.run(
            stack.enter_async_context(live_scope(seeded_settings, srd_open5e.url, monkeypatch))
        )
        shelf = scope.shelf("dnd", DndShelf)
        store = shelf.spells if kind == "spell" else shelf.creatures

        async def both(question: Question) -> list[Answer]:
            return [
                await find_provided(shelf, store, question, provider)
                for provider in (Provider.LOCAL, Provider.OPEN5E)
            ]

        @steady
        @given(
            criteria=filters(SPELL if kind == "spell" else CREATURE),
            order=SPELL_ORDERS if kind == "spell" else CREATURE_ORDERS,
            first=st.integers(1, 40),
        )
        def agree(criteria: Criteria, order: tuple[OrderKey, ...], first: int) -> None:
            held, live = runner.run(both(Question(WANTED, criteria, order, PageRequest(first))))
            assert shown(live) == shown(held)
            assert live.provenance.complete
            assert (held.provenance.providers, live.provenance.providers) == (("local",), ("open5e",))
            if live.cursors and live.page_info.has_next_page:
                pages = [
                    Question(WANTED, criteria, order, PageRequest(first, answer.cursors[-1]))
                    for answer in (held, live)
                ]
                following = [
                    runner.run(find_provided(shelf, store, page, provider))
                    for page, provider in zip(pages, (Provider.LOCAL, Provider.OPEN5E), strict=True)
                ]
                assert shown(following[1]) == shown(following[0])

        try:
            agree()
            check_requests(srd_open5e)
        finally:
            runner.run(stack.aclose())


@pytest.mark.parametrize("kind", ["spell", "creature"])
def test_live_answers_are_those_of_filtering_everything_here(
    kind: str, seeded_settings: Settings, open5e: FakeOpen5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With accents, curly apostrophes, absent values and the documents of three editions."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        scope = runner.run(stack.enter_async_context(live_scope(seeded_settings, open5e.url, monkeypatch)))
        shelf = scope.shelf("dnd", DndShelf)
        store = shelf.spells if kind == "spell" else shelf.creatures
        assert shelf.open5e is not None
        columns = tuple(name for name in ENDPOINTS[kind].recipes if name not in JOINED)
        upstream = shelf.open5e.one(kind, Cost())
        everything = runner.run(upstream.fetch({}, 0, 5_000, columns)).records
        open5e.forget()

        @steady
        @given(
            criteria=filters([*(SPELL if kind == "spell" else CREATURE), *ACROSS]),
            order=SPELL_ORDERS if kind == "spell" else CREATURE_ORDERS,
            first=st.integers(1, 40),
        )
        def agree(criteria: Criteria, order: tuple[OrderKey, ...], first: int) -> None:
            question = Question(WANTED, criteria, order, PageRequest(first))
            live = runner.run(find_provided(shelf, store, question, Provider.OPEN5E))
            meant = [record for record in everything if matches(criteria, record, upstream.read)]
            expected = sorted_records(meant, order, "key", upstream.read)
            keys = [record.key for record in expected]
            assert shown(live) == (keys[:first], len(keys), len(keys) > first, False)
            assert live.provenance.complete

        try:
            agree()
            check_requests(open5e)
        finally:
            runner.run(stack.aclose())
