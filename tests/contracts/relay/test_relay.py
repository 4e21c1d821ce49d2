"""Relay: its compiler takes our schema and a set of documents, and the queries that it writes are answered."""

from __future__ import annotations

import json
import re
import shutil
from typing import Any

import httpx
import pytest

from schema.node import global_id
from schema.query import print_sdl
from tests.contracts.npm_suites import installed, node

pytestmark = [pytest.mark.verify, pytest.mark.timeout(300)]

_OPERATION = re.compile(r"query (\w+)")


@pytest.fixture(scope="module")
def operations() -> dict[str, str]:
    """The text of every operation that the compiler writes, by its name."""
    folder = installed("relay")
    (folder / "schema.graphql").write_text(print_sdl(), encoding="utf-8")
    shutil.rmtree(folder / "artifacts", ignore_errors=True)
    (folder / "artifacts").mkdir()
    persisted = folder / "operations.json"
    persisted.write_text("{}", encoding="utf-8")
    done = node(folder, "node_modules/relay-compiler/cli.js", "relay.config.json")
    assert done.returncode == 0, done.stdout + done.stderr
    texts = json.loads(persisted.read_text(encoding="utf-8")).values()
    return {match[1]: text for text in texts if (match := _OPERATION.match(text))}


class Asker:
    """Puts the compiled operations to the product."""

    def __init__(self, url: str, operations: dict[str, str]) -> None:
        self._url = f"{url}/graphql"
        self._operations = operations

    def ask(self, name: str, **variables: Any) -> Any:
        """The data of an answer without errors."""
        body = {"query": self._operations[name], "variables": variables}
        answer = httpx.post(self._url, json=body, trust_env=False).json()
        assert "errors" not in answer, answer
        return answer["data"]


@pytest.fixture
def asker(product_url: str, operations: dict[str, str]) -> Asker:
    return Asker(product_url, operations)


def test_every_document_is_compiled(operations: dict[str, str]) -> None:
    assert sorted(operations) == [
        "CreatureListPaginationQuery",
        "CreatureListQuery",
        "NodeViewQuery",
        "SpellCardRefetchQuery",
        "SpellListPaginationQuery",
        "SpellListQuery",
    ]


def test_a_pagination_fragment_goes_through_the_list(asker: Asker) -> None:
    filters = {"filter": {"school": ["EVOCATION"], "level": [3]}, "orderBy": [{"field": "NAME"}]}
    page = asker.ask("SpellListQuery", **filters)["spells"]
    names = [edge["node"]["name"] for edge in page["edges"]]
    assert len(names) == 3
    while page["pageInfo"]["hasNextPage"]:
        cursor = page["pageInfo"]["endCursor"]
        page = asker.ask("SpellListPaginationQuery", count=3, cursor=cursor, **filters)["spells"]
        names += [edge["node"]["name"] for edge in page["edges"]]
    assert names == [
        *("Daylight", "Fireball", "Lightning Bolt", "Mass Healing Word", "Sending", "Tiny Hut", "Wind Wall"),
    ]


def test_a_pagination_fragment_goes_backward(asker: Asker) -> None:
    last = asker.ask("CreatureListQuery")["creatures"]
    assert [edge["node"]["name"] for edge in last["edges"]] == ["Young White Dragon", "Zombie"]
    assert last["pageInfo"]["hasNextPage"] is False
    assert last["pageInfo"]["hasPreviousPage"] is True
    before = last["pageInfo"]["startCursor"]
    page = asker.ask("CreatureListPaginationQuery", last=2, before=before)["creatures"]
    assert page["pageInfo"]["hasNextPage"] is True
    names = [edge["node"]["name"] for edge in (*page["edges"], *last["edges"])]
    assert names == sorted(names, key=str.casefold)
    assert len(set(names)) == 4


def test_a_refetchable_fragment_is_fetched_by_its_id(asker: Asker) -> None:
    fireball = global_id("Spell", "srd_fireball")
    node_ = asker.ask("SpellCardRefetchQuery", id=fireball, withText=True)["node"]
    assert (node_["__typename"], node_["id"], node_["name"], node_["level"]) == (
        "Spell",
        fireball,
        "Fireball",
        3,
    )
    assert "8d6 fire damage" in node_["description"]
    assert "description" not in asker.ask("SpellCardRefetchQuery", id=fireball)["node"]


def test_node_and_nodes_take_fragments_of_any_type(asker: Asker) -> None:
    fireball, goblin = global_id("Spell", "srd_fireball"), global_id("Creature", "srd_goblin")
    found = asker.ask("NodeViewQuery", id=goblin, ids=[goblin, fireball, global_id("Spell", "none")])
    assert found["node"] == {"__typename": "Creature", "id": goblin, "hitPoints": 7}
    assert [one and (one["id"], one["name"]) for one in found["nodes"]] == [
        (goblin, "Goblin"),
        (fireball, "Fireball"),
        None,
    ]
