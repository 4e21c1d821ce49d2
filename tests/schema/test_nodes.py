"""Global IDs, `node`, `nodes` and `sources`."""

from __future__ import annotations

import pytest

from schema.node import global_id
from tests.support.seeded import Ask, data, error

FIREBALL = global_id("Spell", "srd_fireball")
COUNTS = (
    ("spell", 319),
    ("creature", 334),
    ("armor", 13),
    ("gear", 187),
    ("magic-item", 362),
    ("weapon", 37),
    ("ability-score", 6),
    ("alignment", 9),
    ("condition", 15),
    ("damage-type", 13),
    ("language", 16),
    ("magic-school", 8),
    ("proficiency", 117),
    ("rule", 6),
    ("rule-section", 33),
    ("skill", 18),
    ("weapon-property", 11),
    ("background", 1),
    ("class", 12),
    ("feat", 1),
    ("species", 13),
    ("subclass", 12),
)
"""How many records of each kind are embedded."""

GOBLIN = global_id("Creature", "srd_goblin")


async def test_every_record_is_found_again_by_its_id(ask: Ask) -> None:
    spells = data(
        await ask("{ spells(first: 3) { nodes { id name } } creatures(first: 2) { nodes { id name } } }")
    )
    records = [*spells["spells"]["nodes"], *spells["creatures"]["nodes"]]
    again = data(
        await ask(
            "query($ids: [ID!]!) { nodes(ids: $ids) { id ... on Spell { name } ... on Creature { name } } }",
            ids=[record["id"] for record in records],
        )
    )
    assert again["nodes"] == records


async def test_nodes_keep_their_order_and_are_null_when_absent(ask: Ask) -> None:
    ids = [GOBLIN, global_id("Spell", "srd_no-such-spell"), FIREBALL, GOBLIN]
    answer = data(
        await ask(
            """query($ids: [ID!]!) { nodes(ids: $ids) {
                 __typename id ... on Spell { level school { key } } ... on Creature { challengeRating } } }""",
            ids=ids,
        )
    )
    goblin = {"__typename": "Creature", "id": GOBLIN, "challengeRating": 0.25}
    assert answer["nodes"] == [
        goblin,
        None,
        {"__typename": "Spell", "id": FIREBALL, "level": 3, "school": {"key": "evocation"}},
        goblin,
    ]


async def test_node_is_null_when_absent(ask: Ask) -> None:
    assert data(await ask("query($id: ID!) { node(id: $id) { id } }", id=global_id("Spell", "x"))) == {
        "node": None
    }


@pytest.mark.parametrize(
    "id_", ["", "nonsense", "U3BlbGw", global_id("Spell", ""), global_id("Query", "a"), "é"]
)
async def test_what_is_no_global_id_is_bad_input(ask: Ask, id_: str) -> None:
    problem = error(await ask("query($id: ID!) { node(id: $id) { id } }", id=id_))
    assert problem["extensions"] == {"code": "BAD_USER_INPUT", "argument": "id"}
    problem = error(await ask("query($ids: [ID!]!) { nodes(ids: $ids) { id } }", ids=[FIREBALL, id_]))
    assert problem["extensions"] == {"code": "BAD_USER_INPUT", "argument": "ids[1]"}


async def test_no_more_than_a_hundred_nodes(ask: Ask) -> None:
    query = "query($ids: [ID!]!) { nodes(ids: $ids) { id } }"
    assert len(data(await ask(query, ids=[FIREBALL] * 100))["nodes"]) == 100
    problem = error(await ask(query, ids=[FIREBALL] * 101))
    assert problem["extensions"]["code"] == "BAD_USER_INPUT"
    assert problem["extensions"]["argument"] == "ids"
    assert "100" in problem["message"]


async def test_sources_tell_what_is_held(ask: Ask) -> None:
    answer = data(
        await ask(
            "{ sources { name state message dataVersion counts { kind count } licences { name attribution } } }"
        )
    )
    (dnd,) = [one for one in answer["sources"] if one["name"] == "dnd"]
    assert dnd["dataVersion"].startswith("tinys-srd 1.0.0 sha256:")
    assert dnd["licences"][0]["attribution"].startswith("This work includes material taken from")
    del dnd["dataVersion"], dnd["licences"][0]["attribution"]
    assert dnd == {
        "name": "dnd",
        "state": "READY",
        "message": None,
        "counts": [{"kind": kind, "count": count} for kind, count in COUNTS],
        "licences": [{"name": "CC-BY-4.0"}],
    }
