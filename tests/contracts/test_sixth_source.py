"""A new source is new rooms and an entry in the list of rooms: the page that says so is carried out here."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from schema.query import ROOM_NAMES
from tests.contracts.house import LAYERS, ROOT, tree_files
from tests.support.commands import environment

PAGE = ROOT / "docs" / "adding-a-source.md"

_BLOCK = re.compile(r'```(?P<kind>python|diff) title="(?P<file>[^"]+)"\n(?P<text>.*?)```', re.DOTALL)

QUESTIONS = """
import asyncio, json, sys
from pathlib import Path

import mcp

from api.execution import Executor, Operation
from api.mcp_tools.server import McpDoor
from api.opening import open_house, prepare
from api.settings import load_settings
from schema.query import build_schema

QUERY = '''{
  recipes(filter: {ingredient: "onion"}, orderBy: {field: MINUTES}, first: 1) {
    nodes { id name ingredients source { licence } }
    pageInfo { hasNextPage endCursor }
    totalCount
  }
  spell(key: "fireball") { name }
  sources { name state counts { kind count } }
}'''
NODE = 'query ($id: ID!) { node(id: $id) { __typename id ... on Recipe { minutes } } }'
UNLIKE = '{ recipes(filter: {not: {ingredient: ["onion"]}}) { nodes { name } } }'


async def main():
    settings = load_settings({"data_dir": Path(sys.argv[1])}, env_file=None)
    schema = build_schema()
    written = await prepare(settings)
    async with open_house(settings) as house:
        executor = Executor(schema, scope=lambda: house.scope)

        async def ask(query, **variables):
            return (await executor.execute(Operation(query, variables=variables))).formatted()

        first = await ask(QUERY)
        recipe = first["data"]["recipes"]["nodes"][0]
        node = await ask(NODE, id=recipe["id"])
        unlike = await ask(UNLIKE)
        async with mcp.Client(McpDoor(schema, executor).server) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            looked_up = await client.call_tool("lookup_recipe", {"minutes_max": 45})
            listed = await client.call_tool("list_sources", {})
    print(json.dumps({
        "written": written, "first": first, "node": node, "unlike": unlike, "tools": tools,
        "looked_up": looked_up.structured_content, "listed": listed.structured_content,
    }))


asyncio.run(main())
"""


def blocks() -> list[tuple[str, str, str]]:
    """Kind, file and text of every titled code block of the page, in order."""
    page = PAGE.read_text(encoding="utf-8")
    return [(match["kind"], match["file"], match["text"]) for match in _BLOCK.finditer(page)]


def change(text: str, diff: str) -> str:
    """`text` with a diff of the page carried out; what it takes out must stand there exactly once."""
    lines = diff.splitlines()
    old = "\n".join(line[1:] for line in lines if line[0] in " -") + "\n"
    new = "\n".join(line[1:] for line in lines if line[0] in " +") + "\n"
    assert text.count(old) == 1, f"the page changes what is not there:\n{old}"
    return text.replace(old, new)


@pytest.fixture(scope="module")
def enlarged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the four packages with the page carried out."""
    folder = tmp_path_factory.mktemp("enlarged")
    for file in tree_files():
        relative = file.relative_to(ROOT)
        if relative.parts[0] in LAYERS:
            target = folder / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    for kind, name, text in blocks():
        file = folder / name
        if kind == "diff":
            file.write_text(change(file.read_text(encoding="utf-8"), text), encoding="utf-8")
        else:
            assert not file.exists(), f"the page writes over {name}"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def answers(enlarged: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What both doors of the enlarged house answer."""
    script = enlarged / "questions.py"
    script.write_text(QUESTIONS, encoding="utf-8")
    data_dir = tmp_path_factory.mktemp("data")
    done = subprocess.run(
        [sys.executable, str(script), str(data_dir)],
        cwd=enlarged,
        env=environment(data_dir, {"PYTHONPATH": str(enlarged)}),
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_the_page_touches_new_rooms_and_the_list_of_rooms_alone() -> None:
    written = {name for kind, name, _ in blocks() if kind == "python"}
    changed = [name for kind, name, _ in blocks() if kind == "diff"]
    assert {tuple(name.split("/")[:2]) for name in written} == {
        ("sources", "recipes"),
        ("resolvers", "recipes"),
        ("schema", "recipes"),
    }
    assert set(changed) == {"schema/query.py"}
    added = [
        line for kind, _, text in blocks() if kind == "diff" for line in text.splitlines() if line[0] == "+"
    ]
    assert [line for line in added if "recipes" not in line] == []


def test_the_new_source_is_seeded_beside_the_others(answers: dict[str, Any]) -> None:
    # Nothing of portals is held here, so there is nothing to seed.
    assert answers["written"] == {**dict.fromkeys((*ROOM_NAMES, "recipes"), True), "datasets": False}


def test_graphql_asks_the_new_source(answers: dict[str, Any]) -> None:
    first = answers["first"]
    assert "errors" not in first
    recipes = first["data"]["recipes"]
    recipe = recipes["nodes"][0]
    assert recipe["name"] == "Onion soup"
    assert recipe["ingredients"] == ["onion", "bread", "cheese"]
    assert recipe["source"] == {"licence": "CC0-1.0"}
    assert recipes["pageInfo"]["hasNextPage"] is True
    assert recipes["totalCount"] == 2
    assert first["data"]["spell"] == {"name": "Fireball"}
    assert [node["name"] for node in answers["unlike"]["data"]["recipes"]["nodes"]] == ["Crêpes"]


def test_its_objects_are_nodes(answers: dict[str, Any]) -> None:
    recipe = answers["first"]["data"]["recipes"]["nodes"][0]
    assert answers["node"]["data"]["node"] == {"__typename": "Recipe", "id": recipe["id"], "minutes": 60}


def test_its_root_field_is_a_tool(answers: dict[str, Any]) -> None:
    assert "lookup_recipe" in answers["tools"]
    assert "lookup_spell" in answers["tools"]
    nodes = answers["looked_up"]["nodes"]
    assert nodes == [
        {"key": "crepes", "name": "Crêpes", "minutes": 30, "ingredients": ["flour", "egg", "milk"]}
    ]


def test_list_sources_shows_it(answers: dict[str, Any]) -> None:
    states = {source["name"]: source for source in answers["listed"]["sources"]}
    assert sorted(states) == sorted((*ROOM_NAMES, "recipes"))
    assert states["recipes"]["state"] == "ready"
    assert states["recipes"]["counts"] == [{"kind": "recipe", "count": 3}]
    by_graphql = {source["name"]: source["state"] for source in answers["first"]["data"]["sources"]}
    assert by_graphql == dict.fromkeys((*ROOM_NAMES, "recipes"), "READY")
