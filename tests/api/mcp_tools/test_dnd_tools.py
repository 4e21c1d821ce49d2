"""The tools of the real schema over the embedded data."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from api.execution import Executor
from api.mcp_tools.operations import choosable
from api.mcp_tools.server import McpDoor
from api.opening import open_house
from api.settings import Settings
from schema.query import ROOMS, build_schema
from tests.api.mcp_tools.real_calls import CALLS

Call = Callable[..., Awaitable[Any]]

IN_CIRCLES = re.compile(r"spells\.character_classes|\.character_class(es)?\.")
"""Paths from a class to a class, whose cost is refused on a page of several."""


@pytest.fixture
async def dnd_door(seeded_settings: Settings) -> AsyncIterator[McpDoor]:
    async with open_house(seeded_settings) as house:
        schema = build_schema()
        yield McpDoor(schema, Executor(schema, scope=lambda: house.scope))


@pytest.fixture
def call(dnd_door: McpDoor) -> Call:
    async def run(name: str, /, **arguments: Any) -> Any:
        spec = dnd_door.toolbox.specs[name]
        return await dnd_door.toolbox.call(
            spec, arguments, dnd_door._executor, max_bytes=dnd_door.options.result_bytes
        )

    return run


async def names(call: Call, name: str, /, **arguments: Any) -> list[str]:
    result = await call(name, **arguments, fields=["name"])
    assert not result.is_error, result.content
    return [node["name"] for node in result.structured_content["nodes"]]


async def refused(call: Call, name: str, /, **arguments: Any) -> str:
    result = await call(name, **arguments)
    assert result.is_error
    text: str = result.content[0].text
    return text


async def count(call: Call, name: str, /, **arguments: Any) -> int:
    result = await call(name, **arguments, fields=["total_count"])
    assert not result.is_error, result.content
    assert "nodes" not in result.structured_content
    total: int = result.structured_content["total_count"]
    return total


@pytest.mark.parametrize("level", [{"level": [3]}, {"level": 3}, {"level_min": "3", "level_max": 3}])
async def test_third_level_evocations(call: Call, level: dict[str, Any]) -> None:
    assert await names(call, "lookup_spell", school="Evocation", **level) == [
        "Daylight",
        "Fireball",
        "Lightning Bolt",
        "Mass Healing Word",
        "Sending",
        "Tiny Hut",
        "Wind Wall",
    ]


async def test_known_counts(call: Call) -> None:
    assert await count(call, "lookup_spell") == 319
    assert await count(call, "lookup_spell", concentration=True) == 126
    assert await count(call, "lookup_spell", class_key="wizard", ritual="true", level=1) == 8
    assert await count(call, "lookup_creature") == 334
    assert await count(call, "lookup_creature", cr_min=20) == 15


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"type": "race", "name": "elf"}, ["Elf", "Half-Elf", "High Elf"]),
        ({"kind": ["species"], "subspecies_of": "elf"}, ["High Elf"]),
        ({"type": "class", "spellcasting_ability": "charisma", "caster_type": "full"}, ["Bard", "Sorcerer"]),
        ({"type": "background"}, ["Acolyte"]),
        ({"type": "feat", "documents": "srd-2014", "limit": 5}, ["Grappler"]),
        ({"subclass_of": "Wizard"}, ["School of Evocation"]),
    ],
)
async def test_character_options(call: Call, arguments: dict[str, Any], expected: list[str]) -> None:
    assert await names(call, "lookup_character_option", **arguments) == expected


async def test_a_class_leads_to_its_spells(call: Call) -> None:
    fields = ["name", "spells.name", "subclasses.features.name"]
    result = await call("lookup_character_option", type="class", name="paladin", fields=fields)
    (paladin,) = result.structured_content["nodes"]
    assert (paladin["typename"], paladin["name"], len(paladin["spells"])) == (
        "character_class",
        "Paladin",
        31,
    )
    assert [feature["name"] for feature in paladin["subclasses"][0]["features"]][-1] == "Holy Nimbus"


async def test_going_in_circles_is_too_expensive(call: Call) -> None:
    result = await call("lookup_character_option", type="class", fields=["spells.character_classes.spells"])
    assert result.is_error
    assert result.content[0].text.startswith("QUERY_TOO_EXPENSIVE: ")


async def test_paging_yields_every_creature_once(call: Call) -> None:
    seen: list[str] = []
    after = None
    order = [{"field": "challenge_rating", "direction": "desc"}]
    while True:
        result = await call("lookup_creature", limit=100, after=after, order_by=order, fields=["key"])
        content = result.structured_content
        seen += [node["key"] for node in content["nodes"]]
        if not content["page_info"]["has_next_page"]:
            break
        after = content["page_info"]["end_cursor"]
    assert len(seen) == len(set(seen)) == 334


async def test_a_large_page_is_cut_and_continues_where_it_stopped(call: Call) -> None:
    fields = ["key", "description", "higher_level", "source"]
    asked = {"limit": 100, "fields": fields}
    first = (await call("lookup_spell", **asked)).structured_content
    assert "Only the first" in first["notice"]
    assert 0 < len(first["nodes"]) < 100
    after = first["page_info"]["end_cursor"]
    second = (await call("lookup_spell", **asked, after=after)).structured_content
    keys = [node["key"] for node in (*first["nodes"], *second["nodes"])]
    expected = (await call("lookup_spell", limit=100, fields=["key"])).structured_content["nodes"]
    assert keys[:100] == [node["key"] for node in expected][: len(keys)]


async def test_one_object_is_fetched_by_key_and_by_id(call: Call) -> None:
    by_key = (await call("get_spell", key="fireball", fields=["id", "name"])).structured_content["spell"]
    assert by_key["name"] == "Fireball"
    by_id = (await call("get_node", id=by_key["id"])).structured_content["node"]
    assert (by_id["typename"], by_id["key"], by_id["level"]) == ("spell", "srd_fireball", 3)
    several = await call("get_nodes", ids=[by_key["id"], by_key["id"]], fields=["name"])
    assert [node["name"] for node in several.structured_content["nodes"]] == ["Fireball", "Fireball"]


@pytest.mark.parametrize(
    ("name", "arguments", "parts"),
    [
        ("lookup_spell", {"school": "evocatoin"}, ["`school` does not know `evocatoin`", "`evocation`?"]),
        ("lookup_spell", {"class_key": "wizzard"}, ["`class_key", "does not know `wizzard`", "wizard"]),
        ("lookup_spell", {"documents": ["srd-5e"]}, ["`documents", "does not know `srd-5e`", "srd-2014"]),
        ("lookup_spell", {"limit": 0}, ["`limit` must be between 1 and 100, got 0."]),
        ("lookup_spell", {"after": "x"}, ["BAD_USER_INPUT: `after`"]),
        (
            "lookup_spell",
            {"level_min": 5, "level_max": 2},
            ["BAD_USER_INPUT: `level_min` (5) must not be above `level_max` (2)."],
        ),
        ("get_spell", {"key": "firebal"}, ["NOT_FOUND: ", "srd_fireball"]),
        ("get_node", {"id": "x"}, ["BAD_USER_INPUT: `id`", "is not a global ID"]),
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


async def test_every_tool_matches_its_output_schema_whatever_is_chosen(dnd_door: McpDoor, call: Call) -> None:
    spell_id = (await call("get_spell", key="srd_fireball", fields=["id"])).structured_content["spell"]["id"]
    arguments: dict[str, dict[str, Any]] = {
        "lookup_spell": {"limit": 10},
        "lookup_creature": {"limit": 30},
        "lookup_equipment": {"key": ["dagger", "shield", "wand-of-the-war-mage", "explorers-pack", "camel"]},
        "lookup_rule": {
            "key": ["combat", "cover", "blinded", "stealth", "dexterity", "elvish", "longswords"]
        },
        "list_rulebooks": {},
        "lookup_character_option": {
            "key": ["wizard", "school-of-evocation", "high-elf", "acolyte", "grappler"],
            "limit": 5,
        },
        "get_spell": {"key": "srd_fireball"},
        "get_creature": {"key": "srd_lich"},
        "get_node": {"id": spell_id},
        "get_nodes": {"ids": [spell_id]},
        "list_sources": {},
    }
    # Tools of other rooms are called as the real calls call them; those of portals have tests of their own.
    for name, (others, _) in CALLS.items():
        fewer = {"limit": 1} if "limit" in others else {}
        arguments.setdefault(name, {key: value for key, value in others.items() if key != "fields"} | fewer)
    listing = [tool for tool in dnd_door.service(ROOMS).listing if not tool.name.startswith("ckan_")]
    assert {tool.name for tool in listing} <= set(arguments)
    schema = build_schema()
    for tool in listing:
        assert tool.output_schema is not None
        validator = Draft202012Validator(tool.output_schema)
        every_path = choosable(schema, dnd_door.toolbox.specs[tool.name].answer)
        paths = [path for path in every_path if not IN_CIRCLES.search(path)]
        parts = max(4, len(paths) // 40)
        some = paths[:: max(5, len(paths) // 15)]
        chosen = [None, *(paths[part::parts] for part in range(parts)), *([path] for path in some)]
        while chosen:
            fields = chosen.pop()
            result = await call(tool.name, **arguments[tool.name], fields=fields)
            if result.is_error and fields and "TOO_EXPENSIVE" in result.content[0].text:
                # Many nested lists at once pass the limit of an operation: half of them at a time, if any can be.
                chosen += [fields[::2], fields[1::2]] if len(fields) > 1 else []
                continue
            assert not result.is_error, result.content
            validator.validate(result.structured_content)


async def test_spells_as_a_table_for_people(call: Call) -> None:
    result = await call(
        "lookup_spell",
        key="srd_fireball",
        fields=["name", "level", "school", "classes"],
        response_format="markdown",
    )
    assert result.content[0].text == (
        "| Name | Level | School | Classes |\n| --- | --- | --- | --- |\n"
        "| Fireball | 3 | Evocation | Sorcerer, Wizard |\n\n"
        "Warning: Only the embedded System Reference Document 5.1 (`srd-2014`) is held here.\n"
    )


@pytest.mark.parametrize(
    ("written", "rating"), [("1/8", 0.125), ("1/4", 0.25), (" 1/2 ", 0.5), ("0.25", 0.25)]
)
async def test_challenge_ratings_may_be_fractions(call: Call, written: str, rating: float) -> None:
    found = await count(call, "lookup_creature", cr=written)
    assert found == await count(call, "lookup_creature", cr=rating) > 0


@pytest.mark.parametrize("written", ["1/0", "1/2/3", "1_0", "1e400", 10**400, float("inf")])
async def test_numbers_that_are_none(call: Call, written: object) -> None:
    assert (await refused(call, "lookup_creature", cr=written)).startswith(
        "BAD_USER_INPUT: `cr` must be a number, got "
    )


async def test_numbers_are_shown_as_they_were_given(call: Call) -> None:
    assert await refused(call, "lookup_spell", level_min=10**400) == (
        "BAD_USER_INPUT: `level_min` must be between 0 and 9, got 1e400."
    )
    assert await refused(call, "lookup_spell", range_min=5, range_max=1) == (
        "BAD_USER_INPUT: `range_min` (5) must not be above `range_max` (1)."
    )


async def test_a_repeated_order_is_named_by_its_place(call: Call) -> None:
    order = [{"field": "level"}, {"field": "level", "direction": "desc"}]
    assert await refused(call, "lookup_spell", order_by=order) == (
        "BAD_USER_INPUT: `order_by[1].field` repeats `order_by[0].field`; a field is named once."
    )


async def test_nul_is_reported_at_its_argument(call: Call) -> None:
    assert await refused(call, "lookup_spell", key=["a", "b\0"]) == (
        "BAD_USER_INPUT: `key[1]` must not hold the character NUL."
    )


async def test_an_unknown_output_field_is_answered_with_those_there_are(call: Call) -> None:
    sentence = await refused(call, "lookup_spell", fields=["nope"])
    assert sentence.startswith(
        "BAD_USER_INPUT: `fields` does not know `nope`. Allowed: id, key, name, level, "
    )
    assert await refused(call, "lookup_spell", fields=["school.nope"]) == (
        "BAD_USER_INPUT: `fields` does not know `school.nope`. Allowed: school.key, school.name. "
        "Did you mean `school.name` or `school.key` or `school`?"
    )
