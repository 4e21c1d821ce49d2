"""Which tools each address serves, and the guides, prompts and completions that go with them."""

from __future__ import annotations

import re

import httpx
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference, TextContent, TextResourceContents

from api.execution import Executor
from api.mcp_tools.groups import rooms_named
from api.mcp_tools.options import McpOptions
from api.mcp_tools.prompts import LONGEST, Prompts
from api.mcp_tools.server import McpDoor
from resolvers.scope import Scope
from schema.house_prompts import HOUSE_PROMPTS
from schema.prompt import Prompt
from schema.query import ROOMS as REAL_ROOMS
from schema.query import build_schema, print_sdl
from sources.errors import BadInput
from tests.api.mcp_tools.rooms import ROOMS, rooms_door
from tests.api.mcp_tools.test_server import app_of
from tests.support.server import serving

ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])
SHARED = {"get_node", "get_nodes", "list_sources", "search_everything"}
OWN = {
    "tea": {"list_leaves", "get_best_leaf"},
    "coffee": {"list_beans"},
    "search": {"list_findings"},
}
TEA, COFFEE, SEARCH = ROOMS


async def names(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


@ERAS
async def test_each_room_has_an_address_of_its_own(mode: str) -> None:
    with serving(app_of(rooms_door())) as base:
        async with Client(f"{base}/mcp", mode=mode) as client:
            assert await names(client) == SHARED.union(*OWN.values())
        for room, own in OWN.items():
            async with Client(f"{base}/mcp/{room}", mode=mode) as client:
                assert await names(client) == SHARED | own
        async with Client(f"{base}/mcp/tea", mode=mode) as client:
            with pytest.raises(MCPError, match=r"There is no tool `list_beans`\. Did you mean `list_leaves`"):
                await client.call_tool("list_beans", {})


async def test_every_address_answers_posts_alone() -> None:
    with serving(app_of(rooms_door())) as base:
        async with httpx.AsyncClient(trust_env=False, base_url=base) as client:
            for path in ("/mcp", "/mcp/tea", "/mcp/coffee", "/mcp/search"):
                answer = await client.get(path)
                assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
            assert (await client.post("/mcp/cocoa")).status_code == 404


@pytest.mark.parametrize(
    ("text", "expected"),
    [("tea", (TEA,)), ("search, Tea", (TEA, SEARCH)), ("coffee,coffee,", (COFFEE,))],
)
def test_rooms_are_named_in_any_order(text: str, expected: tuple[object, ...]) -> None:
    assert rooms_named(text, ROOMS, "--only") == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tee", "`--only` does not know `tee`. Allowed: tea, coffee, search. Did you mean `tea`?"),
        ("tea,qqqq", "`--only` does not know `qqqq`. Allowed: tea, coffee, search."),
        (" , ", "`--only` must name at least one source. Allowed: tea, coffee, search."),
    ],
)
def test_an_unknown_room_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput) as raised:
        rooms_named(text, ROOMS, "--only")
    assert str(raised.value) == message


async def read(client: Client, uri: str) -> str:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    assert str(content.uri) == uri
    return content.text


@ERAS
async def test_the_guide_is_a_decision_tree_over_the_tools_that_are_served(mode: str) -> None:
    async with Client(rooms_door().server, mode=mode) as client:
        guide = await read(client, "loregraph://guide")
        assert set(re.findall(r"→ `(\w+)`", guide)) == await names(client)
    assert "- You know which one → `get_best_leaf`: The best leaf there is.\n" in guide
    assert "  - You want all of these → `list_leaves`: All leaves.\n" in guide
    assert "- **The question is about Coffee.** Beans.\n" in guide
    async with Client(rooms_door().service([TEA]).server(), mode=mode) as client:
        guide = await read(client, "loregraph://guide")
        assert set(re.findall(r"→ `(\w+)`", guide)) == await names(client)
        assert "Coffee" not in guide


async def test_a_room_brings_what_else_its_guide_says() -> None:
    async with Client(rooms_door().server) as client:
        assert await read(client, "loregraph://guide/tea") == (
            "# Tea\n\nLeaves and what to do with them.\n\n## Which tool?\n\n"
            "- You know which one → `get_best_leaf`: The best leaf there is.\n"
            "- You want all of these → `list_leaves`: All leaves.\n\n"
            "## Water\n\nNot boiling.\n"
        )
        assert (await read(client, "loregraph://guide/coffee")).endswith("`list_beans`: All beans.\n")


@ERAS
async def test_the_resources_of_an_address(mode: str) -> None:
    async with Client(rooms_door().service([TEA]).server(), mode=mode) as client:
        listed = (await client.list_resources()).resources
        assert [(str(one.uri), one.mime_type) for one in listed] == [
            ("loregraph://schema", "application/graphql"),
            ("loregraph://guide", "text/markdown"),
            ("loregraph://guide/tea", "text/markdown"),
        ]
        assert [one.uri_template for one in (await client.list_resource_templates()).resource_templates] == [
            "loregraph://node/{id}",
            "loregraph://guide/{source}",
        ]
        assert await read(client, "loregraph://schema") == print_sdl(ROOMS)
        with pytest.raises(MCPError, match="There is no resource `loregraph://guide/coffee`") as raised:
            await client.read_resource("loregraph://guide/coffee")
        assert raised.value.code == (-32002 if mode == "legacy" else -32602)
        assert raised.value.data == {"uri": "loregraph://guide/coffee"}


@ERAS
async def test_prompts_are_filled_in(mode: str) -> None:
    async with Client(rooms_door().server, mode=mode) as client:
        listed = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        assert sorted(listed) == list(listed) == ["brew_tea", "cite_with_licence"]
        what, minutes = listed["brew_tea"].arguments or []
        assert (what.name, what.required, minutes.required) == ("what", True, False)
        for given, text in (
            ({"what": " Assam\u200b "}, "Brew Assam for some minutes."),
            ({"what": "Assam", "minutes": " "}, "Brew Assam for some minutes."),
            ({"what": "Assam", "minutes": "3"}, "Brew Assam for 3 minutes."),
        ):
            result = await client.get_prompt("brew_tea", given)
            assert result.description == "How to brew it."
            (message,) = result.messages
            assert (message.role, message.content) == ("user", TextContent(type="text", text=text))
    async with Client(rooms_door().service([COFFEE]).server(), mode=mode) as client:
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["cite_with_licence"]


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("brew_te", {}, "There is no prompt `brew_te`. Did you mean `brew_tea`?"),
        ("brew_tea", {}, "The prompt `brew_tea` needs `what`: The leaf."),
        ("brew_tea", {"what": " "}, "The prompt `brew_tea` needs `what`: The leaf."),
        (
            "brew_tea",
            {"what": "x", "minute": "3"},
            "The prompt `brew_tea` has no argument `minute`. Did you mean `minutes`?",
        ),
        (
            "brew_tea",
            {"what": "x" * (LONGEST + 1)},
            f"`what` must have at most {LONGEST} characters, got {LONGEST + 1}.",
        ),
    ],
)
async def test_a_prompt_that_cannot_be_filled_in(name: str, given: dict[str, str], message: str) -> None:
    async with Client(rooms_door().server) as client:
        with pytest.raises(MCPError) as raised:
            await client.get_prompt(name, given)
    assert (raised.value.code, raised.value.message) == (-32602, message)


def test_two_prompts_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="same name"):
        Prompts([*HOUSE_PROMPTS, *HOUSE_PROMPTS])


TEA_PROMPT = PromptReference(name="brew_tea")
GUIDES = ResourceTemplateReference(uri="loregraph://guide/{source}")
NODES = ResourceTemplateReference(uri="loregraph://node/{id}")


@ERAS
@pytest.mark.parametrize(
    ("reference", "argument", "begun", "values"),
    [
        (TEA_PROMPT, "what", "", ["Assam", "Oolong", "Old Man's"]),
        (TEA_PROMPT, "what", "O", ["Oolong", "Old Man's"]),
        (TEA_PROMPT, "what", "old m", ["Old Man's"]),
        (TEA_PROMPT, "minutes", "3", []),
        (GUIDES, "source", "", ["tea", "coffee", "search"]),
        (GUIDES, "source", "c", ["coffee"]),
        (NODES, "id", "", []),
    ],
)
async def test_blanks_are_completed(
    mode: str,
    reference: PromptReference | ResourceTemplateReference,
    argument: str,
    begun: str,
    values: list[str],
) -> None:
    async with Client(rooms_door().server, mode=mode) as client:
        completion = (await client.complete(reference, {"name": argument, "value": begun})).completion
    assert (completion.values, completion.total, completion.has_more) == (values, len(values), False)


async def test_what_is_unknown_cannot_be_completed() -> None:
    async with Client(rooms_door().server) as client:
        for reference, argument in ((TEA_PROMPT, "cup"), (GUIDES, "id"), (PromptReference(name="x"), "y")):
            with pytest.raises(MCPError) as raised:
                await client.complete(reference, {"name": argument, "value": ""})
            assert raised.value.code == -32602


def real_door() -> McpDoor:
    schema = build_schema()
    executor = Executor(schema, scope=lambda: Scope(shelves={}, unopened={}))
    return McpDoor(schema, executor, McpOptions(), REAL_ROOMS)


def test_the_real_guides_and_prompts_name_only_what_there_is() -> None:
    door = real_door()
    specs = door.toolbox.specs
    known = set(specs) | {parameter.name for spec in specs.values() for parameter in spec.parameters}
    tool_like = re.compile(r"(?:get|list|lookup|search|ckan|recall|concept|catalog|category)_\w+")
    texts = {room.name: room.guide for room in REAL_ROOMS}
    for prompt in (*HOUSE_PROMPTS, *(prompt for room in REAL_ROOMS for prompt in room.prompts)):
        filled = {argument.name: "blank" for argument in prompt.arguments}
        needed = {argument.name: "blank" for argument in prompt.arguments if argument.required}
        texts[prompt.name] = prompt.write(filled)
        texts[f"{prompt.name}, bare"] = prompt.write(needed)
    missing = {
        where: [
            word for word in re.findall(r"`(\w+)`", text) if tool_like.fullmatch(word) and word not in known
        ]
        for where, text in texts.items()
    }
    assert {where: words for where, words in missing.items() if words} == {}
    conditions = {"school", "damage_type", "saving_throw", "casting_time", "speed_fly_min", "darkvision_min"}
    assert conditions <= known


@pytest.mark.parametrize(
    "prompt",
    [*HOUSE_PROMPTS, *(prompt for room in REAL_ROOMS for prompt in room.prompts)],
    ids=lambda prompt: prompt.name,
)
def test_the_real_prompts_use_all_that_they_are_given(prompt: Prompt) -> None:
    filled = {argument.name: f"<{argument.name}>" for argument in prompt.arguments}
    text = prompt.write(filled)
    assert [value for value in filled.values() if value not in text] == []
    for argument in prompt.arguments:
        if not argument.required:
            less = {name: value for name, value in filled.items() if name != argument.name}
            assert f"<{argument.name}>" not in prompt.write(less)
