"""Every parameter that LoreKeeper's tools for equipment, rules and documents take, by its name, as it is sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from api.execution import Executor
from api.mcp_tools.server import McpDoor
from api.opening import open_house
from api.settings import Settings
from schema.query import build_schema

Call = Callable[..., Awaitable[Any]]


@pytest.fixture
async def call(seeded_settings: Settings) -> AsyncIterator[Call]:
    async with open_house(seeded_settings) as house:
        schema = build_schema()
        door = McpDoor(schema, Executor(schema, scope=lambda: house.scope))

        async def run(name: str, /, **arguments: Any) -> Any:
            spec = door.toolbox.specs[name]
            return await door.toolbox.call(
                spec, arguments, door._executor, max_bytes=door.options.result_bytes
            )

        yield run


async def names(call: Call, name: str, /, **arguments: Any) -> list[str]:
    result = await call(name, **arguments, fields=["name"])
    assert not result.is_error, result.content
    return [node["name"] for node in result.structured_content["nodes"]]


async def count(call: Call, name: str, /, **arguments: Any) -> int:
    result = await call(name, **arguments, fields=["total_count"])
    assert not result.is_error, result.content
    total: int = result.structured_content["total_count"]
    return total


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"type": "weapon"}, 37),
        ({"type": "armor"}, 13),
        ({"type": "magic-item"}, 362),
        ({"type": "all"}, 599),
        ({"kind": "gear"}, 187),
        ({"rarity": "rare"}, 119),
        ({"rarity": "Very Rare"}, 90),
        ({"rarity": "uncommon"}, 94),
        ({"rarity": "legendary"}, 43),
        ({"damage_dice": "1d8"}, 10),
        ({"requires_attunement": "true"}, 175),
        ({"requires_attunement": False}, 187),
        ({"is_simple": True}, 14),
        ({"is_finesse": True, "type": "weapon"}, 6),
        ({"is_light": True}, 8),
        ({"is_magic": True}, 362),
        ({"cost_min": 1000}, 10),
        ({"cost_min": 10, "cost_max": "15", "type": "weapon"}, 9),
        ({"weight_max": 1, "type": "weapon"}, 4),
        ({"weight_min": 100}, 8),
        ({"documents": ["srd-2014"]}, 599),
        ({"documents": []}, 0),
        ({"search": "adamantine"}, 2),
    ],
)
async def test_lookup_equipment(call: Call, arguments: dict[str, Any], expected: int) -> None:
    assert await count(call, "lookup_equipment", **arguments) == expected


async def test_equipment_is_limited_and_tells_its_type(call: Call) -> None:
    result = await call("lookup_equipment", type="weapon", is_finesse=True, limit=2)
    dagger, dart = result.structured_content["nodes"]
    assert (dagger["typename"], dagger["name"], dart["name"]) == ("weapon", "Dagger", "Dart")
    assert dagger["damage_dice"] == "1d4"
    assert [item["name"] for item in dagger["properties"]] == ["Finesse", "Light", "Thrown", "Monk"]
    assert result.structured_content["page_info"]["has_next_page"] is True


@pytest.mark.parametrize(
    ("rule_type", "expected"),
    [
        ("rule", 39),
        ("condition", 15),
        ("damage-type", 13),
        ("weapon-property", 11),
        ("skill", 18),
        ("ability-score", 6),
        ("magic-school", 8),
        ("language", 16),
        ("proficiency", 117),
        ("alignment", 9),
    ],
)
async def test_lookup_rule_by_type(call: Call, rule_type: str, expected: int) -> None:
    assert await count(call, "lookup_rule", rule_type=rule_type) == expected
    assert await count(call, "lookup_rule", rule_type=rule_type, documents=["srd-2014"]) == expected
    assert await count(call, "lookup_rule", rule_type=rule_type, documents=[]) == 0


async def test_lookup_rule_by_section_and_text(call: Call) -> None:
    in_adventuring = await names(call, "lookup_rule", rule_type="rule", section="adventuring")
    assert in_adventuring == [
        "Adventuring",
        "Between Adventures",
        "Diseases",
        "Madness",
        "Movement",
        "Resting",
        "The Environment",
        "Time",
        "Traps",
    ]
    assert await names(call, "lookup_rule", rule_type="rule", search="arrow slit", limit=1) == ["Cover"]
    assert await names(call, "lookup_rule", rule_type="condition", search="crawl") == ["Prone"]


async def test_list_rulebooks(call: Call) -> None:
    result = await call("list_rulebooks")
    (book,) = result.structured_content["nodes"]
    assert (book["key"], book["publisher"], book["licence"], book["edition"]) == (
        "srd-2014",
        "Wizards of the Coast",
        "CC-BY-4.0",
        {"key": "5e-2014"},
    )
    assert {item["kind"]: item["count"] for item in book["counts"]}["magic-item"] == 362
    assert await names(call, "list_rulebooks", source="embedded", limit=20) == [
        "System Reference Document 5.1"
    ]
    assert await names(call, "list_rulebooks", publisher="Wizards of the Coast", edition="5e-2014") == [
        "System Reference Document 5.1"
    ]


async def test_a_whole_page_of_summaries_of_any_kind(call: Call) -> None:
    seen: list[str] = []
    after = None
    while True:
        result = await call("lookup_equipment", limit=100, after=after)
        assert not result.is_error, result.content
        content = result.structured_content
        seen += [node["key"] for node in content["nodes"]]
        if not content["page_info"]["has_next_page"]:
            break
        after = content["page_info"]["end_cursor"]
    assert len(seen) == len(set(seen)) == 599
    assert not (await call("lookup_rule", limit=100)).is_error


@pytest.mark.parametrize(
    ("name", "arguments", "parts"),
    [
        ("lookup_equipment", {"type": "wepon"}, ["`kind` does not know `wepon`", "`weapon`?"]),
        ("lookup_equipment", {"damage_dice": "1d7"}, ["`damage_dice` does not know `1d7`"]),
        ("lookup_equipment", {"cost_min": 5, "cost_max": 2}, ["`cost_min` (5) must not be above"]),
        ("lookup_rule", {"rule_type": "spell"}, ["`kind` does not know `spell`", "ability-score"]),
        ("lookup_rule", {"section": "fighting"}, ["`section` does not know `fighting`"]),
        ("list_rulebooks", {"source": "open5e_v2"}, ["`source` does not know `open5e_v2`", "embedded"]),
        ("list_rulebooks", {"licence": "MIT"}, ["`licence` does not know `MIT`", "CC-BY-4.0"]),
    ],
)
async def test_bad_input_is_answered_in_the_tools_names(
    call: Call, name: str, arguments: dict[str, Any], parts: list[str]
) -> None:
    result = await call(name, **arguments)
    assert result.is_error
    (block,) = result.content
    for part in parts:
        assert part in block.text
