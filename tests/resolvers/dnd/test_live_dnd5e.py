"""Whatever is asked, the D&D 5e API answers as the same records do when they are held here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.settings import Settings
from resolvers.dnd.provider import Provider
from resolvers.dnd.queries import find_provided
from resolvers.question import Answer, PageRequest, Question, Wanted
from sources.criteria import Criteria, Op, matches
from sources.dnd.live_index import Cost
from sources.dnd.records import Creature, Spell
from sources.dnd.store import DndShelf
from sources.page import OrderKey, sorted_records
from sources.sql_store import SqlStore
from tests.resolvers.dnd.test_live_listing import (
    CREATURE,
    CREATURE_ORDERS,
    SPELL,
    SPELL_ORDERS,
    filters,
    orders,
    predicate,
    several,
    shown,
)
from tests.resolvers.dnd.test_live_listing import steady as listing_steady
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
WANTED |= {
    "equipment": (
        "key",
        "name",
        "kind",
        "cost",
        "magic",
        "damage_dice",
        "properties",
        "variant_of",
        "rarity",
    ),
    "rule": (
        "key",
        "name",
        "kind",
        "description",
        "parent_key",
        "sections",
        "skills",
        "subject_key",
        "ability_key",
    ),
}
WANTED["character_option"] = (
    *("key", "name", "kind", "description", "saving_throws", "proficiencies", "multiclassing", "caster_type"),
    *("granted_spells", "speed", "subspecies_of", "feature", "benefits", "is_subclass", "is_subspecies"),
)
LISTED: dict[str, Sequence[str]] = {"spell": ("key", "name", "level"), "creature": ("name", "key", "slug")}

EQUIPMENT = [
    predicate("name", Op.CONTAINS, st.sampled_from(["sword", "PÔTION", "ring", "of the", "no such"])),
    predicate("text", Op.MATCHES, st.sampled_from(["martial weapons", "fire", "attunement"])),
    predicate("kind", Op.IN, several(["weapon", "armor", "magic-item", "gear", "all"])),
    predicate("categories", Op.HAS_ANY, several(["Martial Weapons", "wand", "tools"])),
    predicate("rarity", Op.IN, several(["rare", "legendary", "varies"])),
    predicate("requires_attunement", Op.EQUALS, st.booleans()),
    predicate("damage_dice", Op.IN, several(["1d8", "D6"])),
    predicate("damage_type", Op.IN, several(["slashing", "piercing"])),
    predicate("properties", Op.HAS_ANY, several(["versatile", "srd_thrown"])),
    predicate("simple", Op.EQUALS, st.booleans()),
    predicate("magic", Op.EQUALS, st.booleans()),
    predicate("armor_class_base", Op.AT_LEAST, st.integers(2, 18)),
    predicate("cost", Op.AT_MOST, st.sampled_from([0.1, 5.0, 100.0])),
    predicate("weight", Op.AT_LEAST, st.sampled_from([1.0, 10.0])),
    predicate("key", Op.IN, several(["srd_longsword", "srd_potion-of-greater-healing", "shield"])),
]
EQUIPMENT_ORDERS = orders(["name", "cost", "weight", "rarity_rank", "kind"])

RULES = [
    predicate("name", Op.CONTAINS, st.sampled_from(["str", "ability", "ed", "Strength", "no such"])),
    predicate("name", Op.FOLDED_EQUALS, st.sampled_from(["BLINDED", "strength", "str"])),
    predicate("text", Op.MATCHES, st.sampled_from(["saving throw", "strength", "elvish"])),
    predicate("kind", Op.IN, several(["rule", "condition", "skill", "ability-score", "proficiency"])),
    predicate("section", Op.IN, several(["combat", "cover"], 2)),
    predicate("key", Op.IN, several(["srd_blinded", "srd_strength", "srd_combat"])),
]
RULE_ORDERS = orders(["name", "kind"])

OPTIONS = [
    predicate("name", Op.CONTAINS, st.sampled_from(["elf", "ÔF the", "life", "no such"])),
    predicate("text", Op.MATCHES, st.sampled_from(["breath weapon", "spellcasting", "rage"])),
    predicate("kind", Op.IN, several(["class", "subclass", "race", "species", "background", "feat"])),
    predicate("is_subclass", Op.EQUALS, st.booleans()),
    predicate("is_subspecies", Op.EQUALS, st.booleans()),
    predicate("subclass_of", Op.IN, several(["wizard", "srd_fighter", "Bard"])),
    predicate("subspecies_of", Op.IN, several(["elf", "srd_dwarf"])),
    predicate("hit_die", Op.IN, several([6, 8, 12])),
    predicate("caster_type", Op.IN, several(["full", "half", "pact", "none"])),
    predicate("spellcasting_ability", Op.IN, several(["wisdom", "charisma"])),
    predicate("saving_throws", Op.HAS_ANY, several(["strength", "wisdom"])),
    predicate("size", Op.IN, several(["small", "medium"])),
    predicate("speed", Op.AT_LEAST, st.sampled_from([25, 30])),
    predicate("key", Op.IN, several(["srd_wizard", "srd_lightfoot", "srd_life-domain", "grappler"])),
]
OPTION_ORDERS = orders(["name", "kind"])

steady = settings(listing_steady, max_examples=15)

VOCABULARIES = (
    *("categories", "properties", "damage_dice", "section", "environments", "character_classes", "species"),
)

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


LEAVES = {
    "spell": SPELL,
    "creature": CREATURE,
    "equipment": EQUIPMENT,
    "rule": RULES,
    "character_option": OPTIONS,
}
ORDERS = {
    "spell": SPELL_ORDERS,
    "creature": CREATURE_ORDERS,
    "equipment": EQUIPMENT_ORDERS,
    "rule": RULE_ORDERS,
    "character_option": OPTION_ORDERS,
}


ATTRIBUTES = {
    "spell": [field.name for field in fields(Spell) if field.name not in ("key", "name")],
    "creature": [field.name for field in fields(Creature) if field.name not in ("key", "name")],
}


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("spell", False),
        ("spell", True),
        ("creature", False),
        ("creature", True),
        ("equipment", False),
        ("rule", False),
        ("character_option", False),
    ],
    ids=lambda value: ("names" if value else "records") if isinstance(value, bool) else value,
)
def test_live_answers_are_those_of_the_records_held_here(
    kind: str,
    names: bool,
    seeded_settings: Settings,
    dnd5e: FakeDnd5e,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns = (LISTED if names else WANTED)[kind]
    wanted = Wanted(tuple(columns), cursors=True, has_next=True, has_previous=True, total_count=True)
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        scope = runner.run(stack.enter_async_context(dnd5e_scope(seeded_settings, dnd5e.url, monkeypatch)))
        shelf = scope.shelf("dnd", DndShelf)
        stores: tuple[SqlStore, ...] = (
            shelf.spells,
            shelf.creatures,
            shelf.equipment,
            shelf.rules,
            shelf.options,
        )
        store = next(store for store in stores if store.kind == kind)
        assert shelf.dnd5e is not None
        shelf.dnd5e.details.most = 10_000

        def ask(question: Question, provider: Provider) -> Answer:
            return runner.run(find_provided(shelf, store, question, provider))

        leaves = PROMISED[kind] if names else [*LEAVES[kind], *PROMISED.get(kind, ())]

        @steady
        @given(
            criteria=filters(leaves),
            order=ORDERS[kind],
            first=st.integers(1, 40),
        )
        def agree(criteria: Criteria, order: tuple[OrderKey, ...], first: int) -> None:
            question = Question(wanted, criteria, order, PageRequest(first))
            held, live = ask(question, Provider.LOCAL), ask(question, Provider.DND5E)
            assert shown(live) == shown(held)
            assert [told(node, columns) for node in live.nodes] == [
                told(node, columns) for node in held.nodes
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


async def test_open_vocabularies_are_those_of_the_records_held_here(
    seeded_settings: Settings, dnd5e: FakeDnd5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with dnd5e_scope(seeded_settings, dnd5e.url, monkeypatch) as scope:
        shelf = scope.shelf("dnd", DndShelf)
        assert shelf.dnd5e is not None
        for vocabulary in VOCABULARIES:
            live = await shelf.dnd5e.words(vocabulary, Cost())
            assert list(live) == list(await shelf.words(vocabulary)), vocabulary
        # Locally those that cast, there all.
        classes = set(await shelf.dnd5e.words("classes", Cost()))
        assert classes - set(await shelf.words("classes")) == {
            "srd_barbarian",
            "srd_fighter",
            "srd_monk",
            "srd_rogue",
        }


@pytest.mark.parametrize("kind", ["spell", "creature"])
def test_live_answers_are_those_of_filtering_everything_here(
    kind: str, seeded_settings: Settings, dnd5e: FakeDnd5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With accents, curly apostrophes and signs in the names, which the API's comparison does not fold."""
    held = dnd5e.collections["2014"]["spells" if kind == "spell" else "monsters"]
    marks = ["Éclair {}", "{} Façade", "Wizard’s {}", "{} (50%)", "ÎLE {}", "{}_Straße"]
    for place, (index, raw) in enumerate(list(held.items())[::7]):
        held[index] = {**raw, "name": marks[place % len(marks)].format(raw["name"])}
    wanted = Wanted(("key", "name"), cursors=True, has_next=True, has_previous=True, total_count=True)
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        scope = runner.run(stack.enter_async_context(dnd5e_scope(seeded_settings, dnd5e.url, monkeypatch)))
        shelf = scope.shelf("dnd", DndShelf)
        store = shelf.spells if kind == "spell" else shelf.creatures
        assert shelf.dnd5e is not None
        upstream = shelf.dnd5e.list(kind, Cost())
        leaves = [*(SPELL if kind == "spell" else CREATURE), *PROMISED[kind]]
        # Every attribute that any filter or order compares.
        attributes = ["key", "name", "text", *ATTRIBUTES[kind]]
        everything = runner.run(upstream.fetch({}, 0, 1_000, attributes)).records
        assert len(everything) == len(held)

        @steady
        @given(criteria=filters(leaves), order=ORDERS[kind], first=st.integers(1, 40))
        def agree(criteria: Criteria, order: tuple[OrderKey, ...], first: int) -> None:
            question = Question(wanted, criteria, order, PageRequest(first))
            live = runner.run(find_provided(shelf, store, question, Provider.DND5E))
            meant = [record for record in everything if matches(criteria, record, upstream.read)]
            expected = sorted_records(meant, order, "key", upstream.read)
            assert [node.key for node in live.nodes] == [record.key for record in expected[:first]]
            assert live.total_count == len(expected)
            assert live.provenance.complete

        try:
            agree()
            check_dnd5e_requests(dnd5e)
        finally:
            runner.run(stack.aclose())
