"""The same question at both doors has the same, right answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from api.execution import Executor, Operation
from api.mcp_tools.tools import Toolbox
from api.opening import open_house
from api.settings import Settings
from schema.query import build_schema


@dataclass(frozen=True)
class Doors:
    """One house behind both doors."""

    executor: Executor
    toolbox: Toolbox

    async def graphql(self, query: str) -> dict[str, Any]:
        outcome = await self.executor.execute(Operation(query))
        assert not outcome.errors, outcome.errors
        assert outcome.data is not None
        return outcome.data

    async def tool(self, name: str, **arguments: Any) -> dict[str, Any]:
        spec = self.toolbox.specs[name]
        result = await self.toolbox.call(spec, arguments, self.executor, max_bytes=1_000_000)
        assert not result.is_error, result.content
        content = result.structured_content
        assert isinstance(content, dict)
        return content


@pytest.fixture
async def doors(seeded_settings: Settings) -> AsyncIterator[Doors]:
    async with open_house(seeded_settings) as house:
        schema = build_schema()
        yield Doors(Executor(schema, scope=lambda: house.scope), Toolbox(schema))


NAMES: list[tuple[str, str, dict[str, Any], list[str]]] = [
    (
        "spells(filter: {school: [EVOCATION], level: [3]})",
        "lookup_spell",
        {"school": "evocation", "level": 3},
        ["Daylight", "Fireball", "Lightning Bolt", "Mass Healing Word", "Sending", "Tiny Hut", "Wind Wall"],
    ),
    (
        'spells(filter: {classKey: ["wizard"], ritual: true, levelMax: 1, levelMin: 1})',
        "lookup_spell",
        {"class_key": "wizard", "ritual": True, "level_min": 1, "level_max": 1, "limit": 20},
        [
            "Alarm",
            "Comprehend Languages",
            "Detect Magic",
            "Find Familiar",
            "Floating Disk",
            "Identify",
            "Illusory Script",
            "Unseen Servant",
        ],
    ),
    (
        "creatures(filter: {type: DRAGON, size: HUGE})",
        "lookup_creature",
        {"type": "dragon", "size": "huge"},
        [
            f"Adult {colour} Dragon"
            for colour in [
                "Black",
                "Blue",
                "Brass",
                "Bronze",
                "Copper",
                "Gold",
                "Green",
                "Red",
                "Silver",
                "White",
            ]
        ],
    ),
    (
        "creatures(filter: {type: UNDEAD, crMax: 1})",
        "lookup_creature",
        {"type": "undead", "cr_max": 1},
        ["Ghoul", "Shadow", "Skeleton", "Specter", "Warhorse Skeleton", "Zombie"],
    ),
]


@pytest.mark.parametrize(("root", "tool", "arguments", "names"), NAMES)
async def test_names(doors: Doors, root: str, tool: str, arguments: dict[str, Any], names: list[str]) -> None:
    answer = await doors.graphql(f"{{ found: {root} {{ nodes {{ name }} }} }}")
    assert [node["name"] for node in answer["found"]["nodes"]] == names
    content = await doors.tool(tool, **arguments)
    assert [node["name"] for node in content["nodes"]] == names


COUNTS: list[tuple[str, str, dict[str, Any], int]] = [
    ("spells(filter: {concentration: true})", "lookup_spell", {"concentration": True}, 126),
    ("creatures(filter: {crMin: 20})", "lookup_creature", {"cr_min": 20}, 15),
    *(
        (
            f"equipment(filter: {{kind: MAGIC_ITEM, rarity: {rarity.upper().replace('-', '_')}}})",
            "lookup_equipment",
            {"type": "magic-item", "rarity": rarity},
            count,
        )
        for rarity, count in (("rare", 119), ("uncommon", 94), ("very-rare", 90), ("legendary", 43))
    ),
    ('spells(filter: {classKey: ["wizard"]})', "lookup_spell", {"class_key": "wizard"}, 204),
    ('spells(filter: {classKey: ["srd_paladin"]})', "lookup_spell", {"class_key": "srd_paladin"}, 31),
]


@pytest.mark.parametrize(("root", "tool", "arguments", "count"), COUNTS)
async def test_counts(doors: Doors, root: str, tool: str, arguments: dict[str, Any], count: int) -> None:
    assert (await doors.graphql(f"{{ found: {root} {{ totalCount }} }}"))["found"]["totalCount"] == count
    assert (await doors.tool(tool, **arguments, fields=["total_count"]))["total_count"] == count


async def test_every_list_of_a_class_is_its_spells(doors: Doors) -> None:
    answer = await doors.graphql(
        "{ characterOptions(filter: {kind: CLASS}) { nodes { name ... on CharacterClass { spells { key } } } } }"
    )
    listed = {node["name"]: len(node["spells"]) for node in answer["characterOptions"]["nodes"]}
    assert listed["Wizard"] == 204
    assert listed["Paladin"] == 31
    content = await doors.tool("lookup_character_option", type="class", fields=["name", "spells.key"])
    assert {node["name"]: len(node.get("spells", ())) for node in content["nodes"]} == listed


@pytest.mark.parametrize("size", [7, 100])
async def test_paging_through_a_tool_yields_each_creature_once(doors: Doors, size: int) -> None:
    keys: list[str] = []
    after: dict[str, str] = {}
    while True:
        page = await doors.tool("lookup_creature", limit=size, fields=["key"], **after)
        keys += [node["key"] for node in page["nodes"]]
        if not page["page_info"]["has_next_page"]:
            break
        after = {"after": page["page_info"]["end_cursor"]}
    assert len(keys) == len(set(keys)) == 334


async def test_a_cursor_of_one_door_goes_on_at_the_other(doors: Doors) -> None:
    page = await doors.tool("lookup_spell", school="evocation", limit=3, fields=["name"])
    after = page["page_info"]["end_cursor"]
    rest = await doors.graphql(
        f'{{ spells(filter: {{school: [EVOCATION]}}, first: 3, after: "{after}") {{ nodes {{ name }} }} }}'
    )
    whole = await doors.tool("lookup_spell", school="evocation", limit=6, fields=["name"])
    assert page["nodes"] + rest["spells"]["nodes"] == whole["nodes"]


BAD: list[tuple[str, str, dict[str, Any], dict[str, str]]] = [
    ("spells(first: 0)", "lookup_spell", {"limit": 0}, {"first": "limit"}),
    ("spells(first: 101)", "lookup_spell", {"limit": 101}, {"first": "limit"}),
    (
        "spells(filter: {levelMin: 5, levelMax: 3})",
        "lookup_spell",
        {"level_min": 5, "level_max": 3},
        {"filter.levelMin": "level_min", "filter.levelMax": "level_max"},
    ),
    ("creatures(filter: {crMin: 40})", "lookup_creature", {"cr_min": 40}, {"filter.crMin": "cr_min"}),
    (
        'spells(filter: {classKey: ["wizzard"]})',
        "lookup_spell",
        {"class_key": ["wizzard"]},
        {"filter.classKey": "class_key"},
    ),
    (
        'spells(filter: {documents: ["srd-2015"]})',
        "lookup_spell",
        {"documents": ["srd-2015"]},
        {"filter.documents": "documents"},
    ),
    ('spells(after: "nonsense")', "lookup_spell", {"after": "nonsense"}, {}),
    ('spell(key: "srd_firebal")', "get_spell", {"key": "srd_firebal"}, {}),
]


@pytest.mark.parametrize(("root", "tool", "arguments", "names"), BAD)
async def test_bad_input_is_told_in_the_same_words(
    doors: Doors, root: str, tool: str, arguments: dict[str, Any], names: dict[str, str]
) -> None:
    field = "key" if root.startswith("spell(") else "totalCount"
    outcome = await doors.executor.execute(Operation(f"{{ {root} {{ {field} }} }}"))
    (problem,) = outcome.formatted()["errors"]
    words = problem["message"]
    for graphql_name, tool_name in names.items():
        words = words.replace(f"`{graphql_name}`", f"`{tool_name}`")
    result = await doors.toolbox.call(
        doors.toolbox.specs[tool], arguments, doors.executor, max_bytes=1_000_000
    )
    assert result.is_error
    (block,) = result.content
    assert block.type == "text"
    assert block.text == f"{problem['extensions']['code']}: {words}"
