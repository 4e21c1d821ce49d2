"""The examples answer as they stand, and the texts for MCP clients are what those clients read."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from graphql import OperationDefinitionNode, parse

from api.playground.content import URL_MARK, Client, Example, clients, content, examples
from api.settings import Settings
from tests.support.application import application
from tests.support.seeded import Ask


def example(key: str) -> Example:
    return next(one for one in examples() if one.key == key)


async def answer_to(ask: Ask, one: Example) -> dict[str, Any]:
    answer = await ask(one.query, **(json.loads(one.variables) if one.variables else {}))
    assert "errors" not in answer
    data: dict[str, Any] = answer["data"]
    return data


@pytest.mark.parametrize("one", examples(), ids=lambda one: one.key)
async def test_every_example_answers_with_something(one: Example, ask: Ask) -> None:
    data = await answer_to(ask, one)
    (root,) = data.values()
    assert root
    if isinstance(root, dict) and "totalCount" in root:
        assert root["totalCount"] > 0
        assert root["nodes"]


async def test_the_first_example_shows_fireball(ask: Ask) -> None:
    first = examples()[0]
    assert first.key == "third-level-evocations"
    spells = (await answer_to(ask, first))["spells"]
    assert spells["totalCount"] == 7
    assert "Fireball" in [spell["name"] for spell in spells["nodes"]]


async def test_the_huge_dragons_are_the_ten_adults(ask: Ask) -> None:
    dragons = (await answer_to(ask, example("huge-dragons")))["creatures"]
    assert dragons["totalCount"] == 10
    assert all(dragon["name"].startswith("Adult ") for dragon in dragons["nodes"])


async def test_the_undead_are_those_of_challenge_one_at_most(ask: Ask) -> None:
    undead = (await answer_to(ask, example("undead-for-beginners")))["creatures"]
    assert [one["name"] for one in undead["nodes"]] == [
        *("Ghoul", "Shadow", "Skeleton", "Specter", "Warhorse Skeleton", "Zombie")
    ]


async def test_the_pages_follow_each_other(ask: Ask) -> None:
    pages = example("spell-pages")
    variables = json.loads(pages.variables)
    first = (await answer_to(ask, pages))["spells"]
    after = first["pageInfo"]["endCursor"]
    second = (await ask(pages.query, **{**variables, "after": after}))["data"]["spells"]
    names = [[spell["name"] for spell in page["nodes"]] for page in (first, second)]
    assert [len(page) for page in names] == [variables["first"]] * 2
    assert sorted(names[0]) + sorted(names[1]) == names[0] + names[1] == sorted({*names[0], *names[1]})


async def test_the_object_by_its_id_is_fireball(ask: Ask) -> None:
    assert (await answer_to(ask, example("node-by-id")))["node"]["name"] == "Fireball"


def test_examples_are_told_apart_and_shown_with_their_title() -> None:
    for texts in ([one.key for one in examples()], [one.title for one in examples()]):
        assert len(set(texts)) == len(texts)
    for one in examples():
        assert one.query.startswith(f"# {one.title}\n")
        # GraphiQL names its tabs after the operations, and the page runs the only one there is.
        (operation,) = parse(one.query).definitions
        assert isinstance(operation, OperationDefinitionNode)
        assert operation.name is not None


@pytest.mark.parametrize("client", clients(), ids=lambda client: f"{client.name} {client.transport}")
def test_each_client_is_told_how_to_reach_us(client: Client) -> None:
    if client.place == "a terminal":
        assert client.text.split()[-1] == URL_MARK
        return
    assert client.place.endswith(".json")
    (servers,) = json.loads(client.text).values()
    expected = {"url": URL_MARK} if client.transport == "http" else {"command": "loregraph", "args": ["mcp"]}
    assert servers["loregraph"].items() >= expected.items()


def test_the_three_desktop_clients_are_there() -> None:
    ways = {(client.name, client.transport) for client in clients()}
    assert ways > {("Claude Desktop", "stdio"), ("VS Code", "stdio"), ("Cursor", "stdio")}
    assert ways > {("VS Code", "http"), ("Cursor", "http")}


async def test_the_pages_fetch_all_of_it(seeded_settings: Settings) -> None:
    async with application(seeded_settings, prepared=True) as client:
        answer: httpx.Response = await client.get("/playground/content.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.content == content()
    told = answer.json()
    assert [one["query"] for one in told["examples"]] == [one.query for one in examples()]
    assert [one["text"] for one in told["clients"]] == [one.text for one in clients()]
