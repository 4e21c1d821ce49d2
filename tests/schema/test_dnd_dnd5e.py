"""`provider: DND5E`: what a question costs, how the API is asked, and what is said when it fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from copy import deepcopy
from typing import Any

import pytest

from api.execution import Executor, Operation
from api.settings import Settings
from schema.query import build_schema
from sources.http import HostLimits, Http, HttpClient
from tests.support.fake_dnd5e import FakeDnd5e, RateLimit
from tests.support.fake_dnd5e import app as fake_dnd5e_app
from tests.support.fake_upstream import Canned, Down, Gate, Held, html_with_200, too_many_requests
from tests.support.live_dnd5e import check_dnd5e_requests, dnd5e_scope
from tests.support.seeded import Ask, data, error

ACCOUNT = """provenance {
    providers complete scanned pushedDown residual upstreamRequests effectiveQuery fromCache stale warnings
}"""


async def spells(ask: Ask, filter_: str, selection: str = "nodes { key }", first: int = 100) -> Any:
    where = f", filter: {{{filter_}}}" if filter_ else ""
    query = f"{{ spells(provider: DND5E, first: {first}{where}) {{ {selection} {ACCOUNT} }} }}"
    return data(await ask(query))["spells"]


async def creatures(ask: Ask, filter_: str, selection: str = "nodes { key }") -> Any:
    query = f"{{ creatures(provider: DND5E, first: 100, filter: {{{filter_}}}) {{ {selection} {ACCOUNT} }} }}"
    return data(await ask(query))["creatures"]


@pytest.mark.parametrize(
    ("filter_", "path", "count"),
    [
        ("", "/api/2014/spells", 100),
        ("level: [3]", "/api/2014/spells?level=3", 42),
        ("levelMin: 3, levelMax: 5", "/api/2014/spells?level=3,4,5", 100),
        ("levelMin: 8", "/api/2014/spells?level=8,9", 31),
        ("level: [9, 2], levelMin: 3", "/api/2014/spells?level=9", 15),
        ("school: [EVOCATION]", "/api/2014/spells?school=evocation", 60),
        ("school: [ILLUSION, NECROMANCY]", "/api/2014/spells?school=illusion&school=necromancy", 51),
        ("level: [3], school: [EVOCATION]", "/api/2014/spells?level=3&school=evocation", 7),
    ],
)
async def test_a_list_alone_answers_a_selection_of_names(
    ask_dnd5e: Ask, dnd5e: FakeDnd5e, filter_: str, path: str, count: int
) -> None:
    answer = await spells(ask_dnd5e, filter_, "nodes { key name level }")
    assert dnd5e.paths == [path]
    assert len(answer["nodes"]) == count
    account = answer["provenance"]
    assert (account["providers"], account["complete"], account["residual"]) == (["dnd5e"], True, [])
    assert account["pushedDown"] == [part.split(":")[0] for part in filter_.split(", ") if ":" in part]
    assert account["upstreamRequests"] == 1
    assert account["effectiveQuery"] == path.removeprefix("/api/2014/")


@pytest.mark.parametrize(
    ("filter_", "query", "count"),
    [
        ("cr: [0.125, 30]", "challenge_rating=0.125,30", 20),
        ("crMin: 20, crMax: 22", "challenge_rating=20,21,22", 9),
        ("crMin: 22.5", "challenge_rating=23,24,25,26,27,28,29,30", 6),
    ],
)
async def test_challenge_ratings_are_sent_as_lists(
    ask_dnd5e: Ask, dnd5e: FakeDnd5e, filter_: str, query: str, count: int
) -> None:
    answer = await creatures(ask_dnd5e, filter_, "nodes { key name } totalCount")
    assert dnd5e.paths == [f"/api/2014/monsters?{query}"]
    assert answer["totalCount"] == count


async def test_ratings_between_two_of_the_rules_cost_nothing(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    answer = await creatures(ask_dnd5e, "crMin: 0.3, crMax: 0.4")
    assert (answer["nodes"], answer["provenance"]["complete"]) == ([], True)
    assert answer["provenance"]["upstreamRequests"] == 0
    assert dnd5e.calls == []


async def test_a_name_is_sent_plainly_beside_the_index(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    answer = await spells(ask_dnd5e, 'name: "fire b"', "nodes { name }")
    assert dnd5e.paths == ["/api/2014/spells", "/api/2014/spells?name=fire+b"]
    assert [node["name"] for node in answer["nodes"]] == ["Fire Bolt"]
    assert answer["provenance"]["upstreamRequests"] == 2
    assert answer["provenance"]["pushedDown"] == ["name"]
    dnd5e.forget()
    exact = await spells(ask_dnd5e, 'nameExact: "FIREBALL"', "nodes { name }")
    assert dnd5e.paths == ["/api/2014/spells?name=FIREBALL"]
    assert [node["name"] for node in exact["nodes"]] == ["Fireball"]


async def test_names_that_the_api_does_not_find_are_added(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    held = dnd5e.collections["2014"]["spells"]
    renamed = {"fireball": "Éclair Ball", "fire-bolt": "Hunter’s Bolt"}
    for index, name in renamed.items():
        held[index] = {**deepcopy(held[index]), "name": name}
    for wanted, found in (("eclair", ["Éclair Ball"]), ("hunter's b", ["Hunter’s Bolt"])):
        answer = await spells(ask_dnd5e, f'name: "{wanted}"', "nodes { name description }")
        assert [node["name"] for node in answer["nodes"]] == found
        assert answer["provenance"]["complete"] is True
    exact = await spells(ask_dnd5e, 'nameExact: "eclair ball", level: [3]', "nodes { name }")
    assert [node["name"] for node in exact["nodes"]] == ["Éclair Ball"]


async def test_without_an_index_what_may_be_missing_is_said(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    fault = Canned(500, b"{}", "application/json")
    dnd5e.faults.once(fault, times=3, path="/api/2014/spells")
    answer = await spells(ask_dnd5e, 'name: "fire bolt"', "nodes { name } totalCount")
    assert [node["name"] for node in answer["nodes"]] == ["Fire Bolt"]
    assert (answer["provenance"]["complete"], answer["totalCount"]) == (False, None)
    assert "no index of names" in answer["provenance"]["warnings"][0]


async def test_only_the_records_of_the_page_are_read_whole(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    selection = "nodes { key description school { key } } pageInfo { endCursor hasNextPage } totalCount"
    answer = await spells(ask_dnd5e, "level: [3]", selection, first=5)
    assert dnd5e.paths[0] == "/api/2014/spells?level=3"
    assert sorted(dnd5e.paths[1:]) == [
        f"/api/2014/spells/{node['key'].removeprefix('srd_')}" for node in answer["nodes"]
    ]
    assert (len(answer["nodes"]), answer["totalCount"]) == (5, 42)
    assert answer["provenance"]["upstreamRequests"] == 6
    dnd5e.forget()
    again = await spells(ask_dnd5e, "level: [3]", selection, first=5)
    assert dnd5e.calls == []
    assert again["nodes"] == answer["nodes"]
    assert again["provenance"]["upstreamRequests"] == 0
    assert again["provenance"]["fromCache"] is True


async def test_a_residual_filter_reads_what_the_lists_leave(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    answer = await spells(ask_dnd5e, "level: [3], ritual: true", "nodes { key ritual }")
    account = answer["provenance"]
    assert len(dnd5e.calls) == account["upstreamRequests"] == 1 + 42
    assert (account["pushedDown"], account["residual"], account["scanned"]) == (["level"], ["ritual"], 42)
    assert {node["ritual"] for node in answer["nodes"]} == {True}
    assert len(answer["nodes"]) == 5
    assert dnd5e.most_at_once <= 8
    check_dnd5e_requests(dnd5e)


async def test_all_monsters_are_within_the_budget_eight_at_once(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    gate = Gate()
    dnd5e.faults.once(Held(gate), times=8, path="/api/2014/monsters/")
    asked = asyncio.ensure_future(creatures(ask_dnd5e, "type: [DRAGON]", "totalCount"))
    await gate.arrived(8)
    # Eight details wait: no ninth is sent, though 326 are to come.
    assert len(dnd5e.calls) == 1 + 8
    gate.open()
    answer = await asked
    assert answer["totalCount"] == 43
    assert len(dnd5e.calls) == answer["provenance"]["upstreamRequests"] == 1 + 334
    assert dnd5e.most_at_once == 8


async def test_a_filter_that_the_api_does_not_heed_is_applied_here(
    ask_dnd5e: Ask, dnd5e: FakeDnd5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    await spells(ask_dnd5e, "", "nodes { name }")
    values = fake_dnd5e_app._values
    monkeypatch.setattr(
        fake_dnd5e_app, "_values", lambda given, name: [] if name == "school" else values(given, name)
    )
    answer = await spells(ask_dnd5e, "school: [ILLUSION]", "nodes { name } totalCount")
    assert answer["totalCount"] == 27
    assert len(dnd5e.calls) == 2 + 319


async def test_equipment_is_found_by_name_without_reading_all_of_it(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    query = """query ($provider: DndProvider!) {
        equipment(provider: $provider, filter: {name: "sword", damageType: [SLASHING]}, orderBy: [{field: COST}]) {
            nodes { key name kind { key } cost } totalCount
        }
    }"""
    answer = data(await ask_dnd5e(query, provider="DND5E"))["equipment"]
    assert answer == data(await ask_dnd5e(query, provider="LOCAL"))["equipment"]
    assert [node["name"] for node in answer["nodes"]] == ["Longsword", "Greatsword"]
    # The lists of both collections, and the four weapons that are called so; no magic item deals a type of damage.
    assert dnd5e.paths[:2] == ["/api/2014/equipment", "/api/2014/magic-items"]
    assert len(dnd5e.calls) == 2 + 3


async def test_all_equipment_is_more_than_one_question_may_read(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    query = '{ equipment(provider: DND5E, filter: {search: "silver"}) { nodes { key } } }'
    refused = error(await ask_dnd5e(query))
    assert refused["extensions"]["code"] == "QUERY_TOO_EXPENSIVE"
    assert "filter by `key` or `kind` or `name`" in refused["message"]
    # The lists, and that of the categories, which the text of equipment names.
    assert len(dnd5e.calls) == 3


async def test_terms_of_a_kind_cost_their_own_list(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    query = """query ($provider: DndProvider!) {
        rules(provider: $provider, filter: {kind: [CONDITION]}, first: 3) { nodes { key name description } totalCount }
    }"""
    answer = data(await ask_dnd5e(query, provider="DND5E"))["rules"]
    assert answer == data(await ask_dnd5e(query, provider="LOCAL"))["rules"]
    assert answer["totalCount"] == 15
    assert sorted(dnd5e.paths) == [
        "/api/2014/conditions",
        "/api/2014/conditions/blinded",
        "/api/2014/conditions/charmed",
        "/api/2014/conditions/deafened",
    ]


async def test_keys_of_open5e_lead_to_the_indexes_of_the_api(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    query = """{
        a: spell(provider: DND5E, key: "srd_antipathysympathy") { key name }
        b: creature(provider: DND5E, key: "srd_werewolf") { key name }
        c: creature(provider: DND5E, key: "srd_succubusincubus") { key }
    }"""
    answer = data(await ask_dnd5e(query))
    assert answer["a"] == {"key": "srd_antipathysympathy", "name": "Antipathy/Sympathy"}
    assert answer["b"] == {"key": "srd_werewolf", "name": "Werewolf, Human Form"}
    assert answer["c"] == {"key": "srd_succubusincubus"}
    assert sorted(dnd5e.paths) == [
        "/api/2014/monsters/succubus-incubus",
        "/api/2014/monsters/werewolf-human",
        "/api/2014/spells/antipathy-sympathy",
    ]


async def test_keys_and_slugs_in_a_filter(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    answer = await spells(
        ask_dnd5e, 'key: ["srd_blindnessdeafness", "fireball"]', "nodes { key level school { key } }"
    )
    assert answer["nodes"] == [
        {"key": "srd_blindnessdeafness", "level": 2, "school": {"key": "necromancy"}},
        {"key": "srd_fireball", "level": 3, "school": {"key": "evocation"}},
    ]
    assert answer["provenance"]["upstreamRequests"] == len(dnd5e.calls) == 3
    refused = error(
        await ask_dnd5e('{ spells(provider: DND5E, filter: {key: ["firebal"]}) { nodes { key } } }')
    )
    assert refused["extensions"]["code"] == "BAD_USER_INPUT"
    assert "srd_fireball" in refused["extensions"]["suggestions"]


async def test_an_unknown_key_is_not_found_with_the_nearest(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    refused = error(await ask_dnd5e('{ spell(provider: DND5E, key: "srd_firebal") { key } }'))
    assert refused["extensions"]["code"] == "NOT_FOUND"
    assert refused["extensions"]["suggestions"][0] == "srd_fireball"
    assert dnd5e.paths == ["/api/2014/spells/firebal", "/api/2014/spells"]
    dnd5e.forget()
    elsewhere = error(await ask_dnd5e('{ spell(provider: DND5E, key: "srd-2024_../monsters") { key } }'))
    assert elsewhere["extensions"]["code"] == "NOT_FOUND"
    assert dnd5e.calls == []


async def test_what_it_does_not_hold_is_said(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    answer = await spells(ask_dnd5e, "edition: [FIVE_E_2024]", "nodes { key } totalCount")
    assert (answer["nodes"], answer["totalCount"]) == ([], None)
    assert answer["provenance"]["complete"] is False
    assert answer["provenance"]["warnings"] == ["The D&D 5e API has no document of edition 5e-2024."]
    both = await spells(ask_dnd5e, "edition: [FIVE_E_2014, FIVE_E_2024], level: [9]")
    assert (len(both["nodes"]), both["provenance"]["complete"]) == (15, False)
    only = await spells(ask_dnd5e, "edition: [FIVE_E_2014], level: [9]")
    assert (len(only["nodes"]), only["provenance"]["complete"]) == (15, True)
    for filter_, argument in (
        ('documents: ["srd-2024"]', "filter.documents"),
        ('classKey: ["srd-2024_wizard"]', "filter.classKey"),
    ):
        refused = error(
            await ask_dnd5e(f"{{ spells(provider: DND5E, filter: {{{filter_}}}) {{ nodes {{ key }} }} }}")
        )
        assert refused["extensions"]["code"] == "BAD_USER_INPUT"
        assert refused["extensions"]["argument"] == argument
    environment = error(
        await ask_dnd5e('{ creatures(provider: DND5E, filter: {environment: ["forest"]}) { nodes { key } } }')
    )
    assert environment["extensions"]["code"] == "BAD_USER_INPUT"


async def test_a_class_in_any_spelling(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    answer = await spells(ask_dnd5e, 'level: [9], classKey: ["Wizard"]', "nodes { key } totalCount")
    held = data(
        await ask_dnd5e(
            '{ spells(provider: LOCAL, filter: {level: [9], classKey: ["wizard"]}) { totalCount } }'
        )
    )["spells"]
    assert answer["totalCount"] == held["totalCount"] == 12
    assert dnd5e.paths[:2] == ["/api/2014/classes", "/api/2014/spells?level=9"]


async def test_the_document_of_a_record_costs_nothing(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    selection = "nodes { key document { key edition { key } } source { name licence } }"
    answer = await spells(ask_dnd5e, "level: [9]", selection)
    assert answer["nodes"][0]["document"] == {"key": "srd-2014", "edition": {"key": "5e-2014"}}
    assert answer["nodes"][0]["source"]["licence"] == "CC-BY-4.0"
    assert len(dnd5e.calls) == 1


async def test_too_many_requests_are_waited_for(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    dnd5e.faults.once(too_many_requests("0"), times=2, path="/api/2014/spells")
    answer = await spells(ask_dnd5e, "level: [9]", "nodes { key }")
    assert [call.status for call in dnd5e.calls] == [429, 429, 200]
    assert len(answer["nodes"]) == 15
    assert answer["provenance"]["upstreamRequests"] == 3


async def test_the_rate_limit_of_the_api_is_borne(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    """Its window ends with the clock of the test, so that details are refused until the test lets it go on."""
    now = 0.0
    dnd5e.limit = RateLimit(requests=6, clock=lambda: now)
    asked = asyncio.ensure_future(spells(ask_dnd5e, "level: [9]", "nodes { description }"))
    while not any(call.status == 429 for call in dnd5e.calls):
        assert not asked.done()
        await asyncio.sleep(0)
    now = 100.0
    dnd5e.limit = None
    assert len((await asked)["nodes"]) == 15


@asynccontextmanager
async def asking(
    settings: Settings, url: str, monkeypatch: pytest.MonkeyPatch, **others: str
) -> AsyncIterator[Ask]:
    async with dnd5e_scope(settings, url, monkeypatch, **others) as scope:
        executor = Executor(build_schema(), scope=lambda: scope)

        async def run(query: str, **variables: object) -> dict[str, object]:
            return (await executor.execute(Operation(query, variables=variables))).formatted()

        yield run


async def test_redirects_to_the_edition_are_followed(
    seeded_settings: Settings, dnd5e: FakeDnd5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asking(seeded_settings, f"{dnd5e.url}/api", monkeypatch) as ask:
        answer = await spells(ask, "level: [9], school: [EVOCATION]", "nodes { name description }")
    assert dnd5e.paths[:2] == [
        "/api/spells?level=9&school=evocation",
        "/api/2014/spells?level=9&school=evocation",
    ]
    assert [node["name"] for node in answer["nodes"]] == ["Meteor Swarm"]
    assert dnd5e.paths[2:] == ["/api/spells/meteor-swarm", "/api/2014/spells/meteor-swarm"]
    assert answer["provenance"]["upstreamRequests"] == 4


async def test_an_outage_is_an_error_of_its_field_alone(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    dnd5e.faults.always(Down())
    answer = await ask_dnd5e(
        "{ spells(provider: DND5E) { nodes { key } } held: spells(provider: LOCAL, first: 1) { nodes { key } } "
        "auto: spells(first: 1) { nodes { key } } }"
    )
    assert error(answer)["extensions"]["code"] == "UPSTREAM_UNAVAILABLE"
    assert error(answer)["path"] == ["spells"]
    assert answer["data"]["spells"] is None
    assert answer["data"]["held"]["nodes"] == answer["data"]["auto"]["nodes"] == [{"key": "srd_acid-arrow"}]
    dnd5e.faults.clear()


async def test_an_outage_in_the_midst_of_the_details_is_no_partial_answer(
    ask_dnd5e: Ask, dnd5e: FakeDnd5e
) -> None:
    dnd5e.faults.always(Down(), path="/api/2014/spells/wish")
    answer = await ask_dnd5e(
        "{ spells(provider: DND5E, filter: {level: [9]}) { nodes { key description } } }"
    )
    assert error(answer)["extensions"]["code"] == "UPSTREAM_UNAVAILABLE"
    assert answer["data"]["spells"] is None
    dnd5e.faults.clear()
    assert len((await spells(ask_dnd5e, "level: [9]", "nodes { description }"))["nodes"]) == 15


async def test_a_page_of_html_is_no_list(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    dnd5e.faults.once(html_with_200())
    refused = error(await ask_dnd5e("{ spells(provider: DND5E) { nodes { key } } }"))
    assert refused["extensions"]["code"] == "UPSTREAM_BAD_RESPONSE"


async def test_records_that_cannot_be_read_are_missing_and_named(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    held = dnd5e.collections["2014"]["spells"]
    held["wish"] = {name: value for name, value in held["wish"].items() if name != "desc"}
    answer = await spells(ask_dnd5e, "level: [9]", "nodes { key description } edges { cursor } totalCount")
    assert len(answer["nodes"]) == len(answer["edges"]) == 14
    account = answer["provenance"]
    assert account["complete"] is False
    assert account["warnings"] == [
        "The D&D 5e API holds a spell that cannot be read: record `wish`: field `desc` is missing or empty."
    ]
    alone = error(await ask_dnd5e('{ spell(provider: DND5E, key: "srd_wish") { key } }'))
    assert alone["extensions"]["code"] == "UPSTREAM_BAD_RESPONSE"
    residual = await spells(ask_dnd5e, "level: [9], concentration: false", "nodes { key }")
    assert residual["provenance"]["complete"] is False
    assert "srd_wish" not in [node["key"] for node in residual["nodes"]]


async def test_more_details_than_the_budget_are_refused(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    held = dnd5e.collections["2014"]["monsters"]
    rat = held["rat"]
    for number in range(70):
        index = f"rat-{number}"
        held[index] = {**rat, "index": index, "name": f"Rat {number}", "url": f"/api/2014/monsters/{index}"}
    refused = error(
        await ask_dnd5e("{ creatures(provider: DND5E, filter: {type: [BEAST]}) { nodes { key } } }")
    )
    assert refused["extensions"]["code"] == "QUERY_TOO_EXPENSIVE"
    assert "405 requests" in refused["message"]
    assert "400" in refused["message"]
    assert "`name`" in refused["message"]
    assert "`crMin`" in refused["message"]
    assert len(dnd5e.calls) == 1
    cheap = await creatures(ask_dnd5e, 'type: [BEAST], name: "rat 6"', "nodes { key }")
    assert len(cheap["nodes"]) == 11


async def test_character_options_are_those_that_are_held(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    query = """{ characterOptions(provider: %s, first: 5, filter: {kind: [CLASS], name: "R"}) {
        totalCount nodes { __typename key name ... on CharacterClass { hitDie } } pageInfo { hasNextPage }
        provenance { providers complete } } }"""
    live = data(await ask_dnd5e(query % "DND5E"))["characterOptions"]
    held = data(await ask_dnd5e(query % "LOCAL"))["characterOptions"]
    assert live.pop("provenance") == {"providers": ["dnd5e"], "complete": True}
    assert held.pop("provenance") == {"providers": ["local"], "complete": True}
    assert live == held
    assert [node["name"] for node in live["nodes"]] == ["Barbarian", "Bard", "Cleric", "Druid", "Fighter"]
    check_dnd5e_requests(dnd5e)


async def test_auto_never_asks_it(ask_dnd5e: Ask, dnd5e: FakeDnd5e) -> None:
    for filter_ in ("edition: [FIVE_E_2024]", "level: [1]"):
        answer = data(
            await ask_dnd5e(
                f"{{ spells(filter: {{{filter_}}}) {{ nodes {{ key }} provenance {{ providers }} }} }}"
            )
        )["spells"]
        assert answer["provenance"]["providers"] == ["local"]
    assert dnd5e.calls == []


async def test_the_client_is_opened_with_its_limits_and_language(
    seeded_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: dict[str, Any] = {}
    trusted = Http.trusted

    def noting(http: Http, name: str, base_url: str, **more: Any) -> HttpClient:
        opened[name] = (base_url, more)
        return trusted(http, name, base_url, **more)

    monkeypatch.setattr(Http, "trusted", noting)
    url = "http://127.0.0.1:9"
    async with asking(seeded_settings, url, monkeypatch, LOREGRAPH_DND5E_RATE="40"):
        limits = HostLimits(at_once=8, rate=40, burst=8)
        assert opened["D&D 5e API"] == (url, {"headers": {"accept-language": "en"}, "limits": limits})


async def test_it_can_be_turned_off(
    seeded_settings: Settings, dnd5e: FakeDnd5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    off = {"LOREGRAPH_DND5E_LIVE": "false"}
    async with asking(seeded_settings, dnd5e.url, monkeypatch, **off) as ask:
        refused = error(await ask("{ spells(provider: DND5E) { nodes { key } } }"))
    assert refused["extensions"]["code"] == "SOURCE_NOT_CONFIGURED"
    assert "LOREGRAPH_DND5E_LIVE" in refused["message"]
    assert dnd5e.calls == []
