"""Whatever is asked, the D&D 5e API answers as the same records do when they are held here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.settings import Settings
from resolvers.dnd.provider import Provider
from resolvers.dnd.queries import find_provided
from resolvers.question import Answer, PageRequest, Question, Wanted
from sources.criteria import Criteria, Op
from sources.dnd.store import DndShelf
from sources.page import OrderKey
from tests.resolvers.dnd.test_live_listing import (
    CREATURE,
    CREATURE_ORDERS,
    SPELL,
    SPELL_ORDERS,
    filters,
    predicate,
    several,
    shown,
    steady,
)
from tests.support.fake_dnd5e import FakeDnd5e
from tests.support.live_dnd5e import check_dnd5e_requests, dnd5e_scope

WANTED: dict[str, Sequence[str]] = {
    "spell": ("key", "name", "level", "school", "classes", "description", "damage_types", "document_licence"),
    "creature": (
        "key",
        "name",
        "challenge_rating",
        "actions",
        "traits",
        "languages",
        "saving_throws",
    ),
}
LISTED: dict[str, Sequence[str]] = {"spell": ("key", "name", "level"), "creature": ("name", "key", "slug")}

PROMISED = {
    "spell": [
        predicate("school", Op.IN, several(["evocation", "illusion", "abjuration", "necromancy"])),
        predicate("level", Op.IN, several(range(10), 4)),
        predicate("level", Op.AT_LEAST, st.integers(0, 9)),
        predicate("level", Op.AT_MOST, st.integers(0, 9)),
    ],
    "creature": [
        predicate("challenge_rating", Op.IN, several([0.0, 0.125, 0.25, 1.0, 17.0, 7.5])),
        predicate("challenge_rating", Op.AT_LEAST, st.sampled_from([0.3, 0.5, 3.0, 20.0])),
        predicate("challenge_rating", Op.AT_MOST, st.sampled_from([0.0, 0.4, 0.5, 3.0])),
    ],
}
"""What lists filter by, and tell nothing of."""


def told(record: Any, columns: Sequence[str]) -> list[Any]:
    return [getattr(record, name) for name in columns]


@pytest.mark.parametrize("kind", ["spell", "creature"])
@pytest.mark.parametrize("columns", [WANTED, LISTED], ids=["records", "names"])
def test_live_answers_are_those_of_the_records_held_here(
    kind: str,
    columns: dict[str, Sequence[str]],
    seeded_settings: Settings,
    dnd5e: FakeDnd5e,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = Wanted(tuple(columns[kind]), cursors=True, has_next=True, has_previous=True, total_count=True)
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        scope = runner.run(stack.enter_async_context(dnd5e_scope(seeded_settings, dnd5e.url, monkeypatch)))
        shelf = scope.shelf("dnd", DndShelf)
        store = shelf.spells if kind == "spell" else shelf.creatures

        def ask(question: Question, provider: Provider) -> Answer:
            return runner.run(find_provided(shelf, store, question, provider))

        leaves = [*(SPELL if kind == "spell" else CREATURE), *PROMISED[kind], *PROMISED[kind]]
        if columns is LISTED:
            leaves = PROMISED[kind]

        @steady
        @given(
            criteria=filters(leaves),
            order=SPELL_ORDERS if kind == "spell" else CREATURE_ORDERS,
            first=st.integers(1, 40),
        )
        def agree(criteria: Criteria, order: tuple[OrderKey, ...], first: int) -> None:
            question = Question(wanted, criteria, order, PageRequest(first))
            held, live = ask(question, Provider.LOCAL), ask(question, Provider.DND5E)
            assert shown(live) == shown(held)
            assert [told(node, columns[kind]) for node in live.nodes] == [
                told(node, columns[kind]) for node in held.nodes
            ]
            assert live.provenance.complete
            assert live.provenance.providers == ("dnd5e",)
            if live.page_info.has_next_page:
                following = [
                    ask(Question(wanted, criteria, order, PageRequest(first, answer.cursors[-1])), provider)
                    for answer, provider in ((held, Provider.LOCAL), (live, Provider.DND5E))
                ]
                assert shown(following[1]) == shown(following[0])

        try:
            agree()
            check_dnd5e_requests(dnd5e)
            assert dnd5e.most_at_once <= 8
        finally:
            runner.run(stack.aclose())
