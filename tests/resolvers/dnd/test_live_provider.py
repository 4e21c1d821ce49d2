"""Which provider a question goes to, and what is said of one that cannot answer it."""

from __future__ import annotations

import pytest

from resolvers.dnd.live_provider import LIVE, kinds_asked
from resolvers.dnd.provider import Provider
from sources.criteria import EVERYTHING, All, AnyOf, Criteria, Not, Op, Predicate
from tests.support.fake_open5e import FakeOpen5e
from tests.support.seeded import Ask, data, error


def of_kinds(*kinds: str) -> Predicate:
    return Predicate("kind", Op.IN, kinds)


@pytest.mark.parametrize(
    ("criteria", "kind", "asked"),
    [
        (EVERYTHING, "rule", ()),
        (of_kinds("condition", "skill"), "rule", ("condition", "skill")),
        (of_kinds("rule"), "rule", ("rule",)),
        (of_kinds("weapon", "all"), "equipment", ()),
        (of_kinds("race"), "character_option", ("species",)),
        (Not(of_kinds("skill")), "rule", ()),
        (AnyOf((of_kinds("skill"), All((of_kinds("skill"), of_kinds("rule"))))), "rule", ("skill", "rule")),
    ],
)
def test_the_kinds_that_a_filter_asks_for(criteria: Criteria, kind: str, asked: tuple[str, ...]) -> None:
    assert kinds_asked(criteria, kind) == asked


def test_every_live_provider_has_a_choice_of_its_own() -> None:
    explicit = set(Provider) - {Provider.AUTO, Provider.LOCAL}
    assert {choice.provider for choice in LIVE} == explicit
    assert len(LIVE) == len(explicit)


async def test_a_kind_that_a_provider_does_not_have_is_refused_with_those_that_do(
    ask_live: Ask, open5e: FakeOpen5e
) -> None:
    query = "{ rules(provider: OPEN5E, filter: {kind: [PROFICIENCY]}) { nodes { key } } }"
    refused = error(await ask_live(query))
    assert refused["extensions"]["code"] == "BAD_USER_INPUT"
    assert refused["extensions"]["argument"] == "provider"
    assert refused["extensions"]["allowed"] == ["auto", "local", "dnd5e"]
    assert "cannot be `open5e` here: Open5e has no records of the kind " in refused["message"]
    assert open5e.calls == []
    held = query.replace("OPEN5E", "AUTO")
    assert data(await ask_live(held))["rules"]["nodes"] != []
    assert open5e.calls == []
