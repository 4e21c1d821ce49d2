"""Whatever is asked of character options, the live lists answer as the same records do when they are held here."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from api.opening import prepare
from api.settings import Settings, load_settings
from resolvers.dnd.provider import Provider
from resolvers.dnd.queries import find_provided
from resolvers.question import Answer, PageRequest, Question
from resolvers.united_listing import narrowed
from sources.criteria import All, AnyOf, Criteria, Not, Op, Predicate, matches
from sources.dnd.content import embedded_content
from sources.dnd.embedded import read_embedded
from sources.dnd.live_index import Cost
from sources.dnd.open5e_endpoints_options import OPTION_ENDPOINTS
from sources.dnd.open5e_options import read_open5e_options
from sources.dnd.open5e_recipes import JOINED
from sources.dnd.store import DndShelf
from sources.dnd.writing import write_content
from sources.page import OrderKey, sorted_records
from tests.resolvers.dnd.test_live_listing import (
    ACROSS,
    WANTED,
    filters,
    orders,
    predicate,
    several,
    shown,
    steady,
)
from tests.support.fake_open5e import FakeOpen5e, srd_corpus
from tests.support.live import check_requests, live_scope

KINDS = ["class", "subclass", "species", "background", "feat"]
NAMES = ["wizard", "E", "éLf", "acolyte", "of", "no such name", "%", "grap", "half-", "’"]
OPTION = [
    predicate("name", Op.CONTAINS, st.sampled_from(NAMES)),
    predicate("name", Op.FOLDED_EQUALS, st.sampled_from(["WIZARD", "Elf", "high elf"])),
    predicate("text", Op.MATCHES, st.sampled_from(["spell", "darkvision", "you", "grapple"])),
    predicate("kind", Op.IN, several(KINDS)),
    predicate("is_subclass", Op.EQUALS, st.booleans()),
    predicate("is_subspecies", Op.EQUALS, st.booleans()),
    predicate("subclass_of", Op.IN, several(["srd_wizard", "srd_cleric", "srd_druid"])),
    predicate("subspecies_of", Op.IN, several(["srd_elf", "srd_dwarf"])),
    predicate("hit_die", Op.IN, several([6, 8, 10, 12])),
    predicate("caster_type", Op.IN, several(["full", "half", "pact", "none"])),
    predicate("spellcasting_ability", Op.IN, several(["intelligence", "wisdom"])),
    predicate("saving_throws", Op.HAS_ANY, several(["strength", "wisdom"])),
    predicate("size", Op.IN, several(["small", "medium"])),
    predicate("speed", Op.AT_LEAST, st.sampled_from([25, 30])),
    predicate("key", Op.IN, several(["srd_wizard", "srd_elf", "srd_acolyte", "srd_grappler", "srd_lightfoot"])),
]  # fmt: skip
ORDERS = orders(["name", "kind", "hit_die", "speed"])


@pytest.fixture(scope="module")
def mirrored_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A data folder that holds the embedded data, its options as the readers make them of the fake's rows."""
    folder: Path = tmp_path_factory.mktemp("mirrored")
    settings = load_settings({"data_dir": folder}, env_file=None)
    asyncio.run(prepare(settings))
    corpus = srd_corpus()
    rows = {
        endpoint: [record.row for record in corpus.records(endpoint)]
        for endpoint in ("classes", "species", "backgrounds", "feats")
    }
    options = read_open5e_options(rows["classes"], rows["species"], rows["backgrounds"], rows["feats"])
    embedded = read_embedded()
    spells = tuple(replace(spell, subclasses=()) for spell in embedded.spells)
    engine = sa.create_engine(f"sqlite:///{folder / 'loregraph.db'}")
    with engine.begin() as connection:
        content = replace(embedded_content(embedded), options=options, spells=spells)
        write_content(connection, content, lambda *_: None)
    engine.dispose()
    return settings


def test_live_answers_are_those_of_the_records_held_here(
    mirrored_settings: Settings, srd_open5e: FakeOpen5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        scope = runner.run(
            stack.enter_async_context(live_scope(mirrored_settings, srd_open5e.url, monkeypatch))
        )
        shelf = scope.shelf("dnd", DndShelf)

        async def both(question: Question) -> list[Answer]:
            return [
                await find_provided(shelf, shelf.options, question, provider)
                for provider in (Provider.LOCAL, Provider.OPEN5E)
            ]

        @steady
        @given(criteria=filters(OPTION), order=ORDERS, first=st.integers(1, 40))
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
                    runner.run(find_provided(shelf, shelf.options, page, provider))
                    for page, provider in zip(pages, (Provider.LOCAL, Provider.OPEN5E), strict=True)
                ]
                assert shown(following[1]) == shown(following[0])

        try:
            agree()
            check_requests(srd_open5e)
        finally:
            runner.run(stack.aclose())


def test_live_answers_are_those_of_filtering_everything_here(
    mirrored_settings: Settings, open5e: FakeOpen5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the documents of three editions."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        scope = runner.run(stack.enter_async_context(live_scope(mirrored_settings, open5e.url, monkeypatch)))
        shelf = scope.shelf("dnd", DndShelf)
        assert shelf.open5e is not None
        everything: list[Any] = []
        for name, endpoint in OPTION_ENDPOINTS.items():
            columns = tuple(column for column in endpoint.recipes if column not in JOINED)
            upstream = shelf.open5e.one(name, Cost())
            everything += runner.run(upstream.fetch({}, 0, 5_000, columns)).records
        assert {record.document_key for record in everything} == {"srd-2014", "srd-2024", "ember"}
        open5e.forget()

        @steady
        @given(criteria=filters([*OPTION, *ACROSS]), order=ORDERS, first=st.integers(1, 40))
        def agree(criteria: Criteria, order: tuple[OrderKey, ...], first: int) -> None:
            question = Question(WANTED, criteria, order, PageRequest(first))
            live = runner.run(find_provided(shelf, shelf.options, question, Provider.OPEN5E))
            meant = [record for record in everything if matches(criteria, record)]
            keys = [record.key for record in sorted_records(meant, order, "key")]
            assert shown(live) == (keys[:first], len(keys), len(keys) > first, False)
            assert live.provenance.complete

        try:
            agree()
            check_requests(open5e)
        finally:
            runner.run(stack.aclose())


FEAT = {"kind": ("feat",), "hit_die": (None,)}
CLASS = {"kind": ("class", "subclass"), "speed": (None,)}
A_CLASS = Predicate("kind", Op.IN, ("class",))
D6 = Predicate("hit_die", Op.IN, (6,))
FIRE = Predicate("name", Op.CONTAINS, "fire")


@pytest.mark.parametrize(
    ("criteria", "expected"),
    [
        (Predicate("kind", Op.IN, ("feat", "class")), All()),
        (A_CLASS, AnyOf()),
        (Not(A_CLASS), All()),
        (D6, AnyOf()),
        (FIRE, FIRE),
        (AnyOf((D6, FIRE)), AnyOf((FIRE,))),
    ],
)
def test_what_all_records_of_a_part_have_in_common_is_decided(criteria: Criteria, expected: Criteria) -> None:
    assert narrowed(criteria, FEAT) == expected


def test_what_only_some_records_of_a_part_have_says_which() -> None:
    assert narrowed(A_CLASS, CLASS, {"hit_die": A_CLASS}) == A_CLASS
    assert narrowed(Not(D6), CLASS, {"hit_die": A_CLASS}) == Not(All((A_CLASS, D6)))
