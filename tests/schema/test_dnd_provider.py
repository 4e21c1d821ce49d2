"""The `provider` argument of the D&D fields: who answers, what that costs, and what is said of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from api.execution import Executor, Operation
from api.settings import Settings
from schema.query import build_schema
from tests.support.fake_open5e import FakeOpen5e
from tests.support.fake_upstream import Down, Gate, Held
from tests.support.live import check_requests, live_scope
from tests.support.seeded import Ask, data, error

ACCOUNT = """provenance {
    providers complete scanned pushedDown residual upstreamRequests effectiveQuery fromCache stale warnings
}"""
ONLY_EMBEDDED = "Only the embedded System Reference Document 5.1 (`srd-2014`) is held here."


def sent(open5e: FakeOpen5e) -> dict[str, str]:
    """The filters of the only request that was sent."""
    (call,) = open5e.calls
    others = ("limit", "page", "ordering", "fields", "document__fields")
    return {name: value for name, value in call.values.items() if name not in others}


def evocations(open5e: FakeOpen5e) -> list[str]:
    """The keys of the evocations of all documents."""
    records = open5e.corpus.records("spells")
    return [record.key for record in records if record.row["school"]["key"] == "evocation"]


async def test_a_school_costs_one_request_of_the_fields_that_are_selected(
    ask_live: Ask, open5e: FakeOpen5e
) -> None:
    answer = data(
        await ask_live(
            f"{{ spells(provider: OPEN5E, filter: {{school: [EVOCATION]}}) {{ nodes {{ name level }} {ACCOUNT} }} }}"
        )
    )["spells"]
    (call,) = open5e.calls
    assert sent(open5e) == {"school__key": "evocation"}
    assert call.values["fields"] == "key,level,name,school"
    assert {"name": "Acid Arrow", "level": 2} in answer["nodes"]
    account = answer["provenance"]
    assert account["providers"] == ["open5e"]
    assert account["upstreamRequests"] == 1
    assert account["scanned"] == len(evocations(open5e))
    assert (account["pushedDown"], account["residual"], account["complete"]) == (["school"], [], True)
    assert account["effectiveQuery"] == "school__key=evocation&ordering=key"
    filtered = open5e.sent
    open5e.forget()
    data(
        await ask_live(
            '{ spells(provider: OPEN5E, filter: {search: "a"}) { nodes { description damageTypes { key } '
            "damageAtSlotLevel { dice } components { text } classes { key } duration rangeText } } }"
        )
    )
    assert filtered * 50 < open5e.sent


@pytest.mark.parametrize(
    ("filter_", "parameters"),
    [
        ("levelMin: 3, levelMax: 5", {"level__gte": "3", "level__lte": "5"}),
        ("level: [3, 4, 5]", {"level__range": "3,5"}),
        ("level: [3]", {"level": "3"}),
        ("school: [EVOCATION, ABJURATION]", {"school__name__in": "Evocation,Abjuration"}),
        ('castingTime: ["1 reaction"]', {"casting_time": "reaction"}),
        ('castingTime: ["1 minute", "8hours"]', {"casting_time__in": "1minute,8hours"}),
        ("concentration: true", {"concentration": "true"}),
        ("not: {concentration: true}", {"concentration": "false"}),
        ("edition: [FIVE_E_2024]", {"document__gamesystem__key__in": "5e-2024"}),
        ("ritual: true", {}),
        ("damageType: [FIRE]", {}),
        ('key: ["srd_fireball", "srd_shield"]', {"key__in": "srd_fireball,srd_shield"}),
    ],
)
async def test_what_a_filter_of_spells_sends(
    filter_: str, parameters: dict[str, str], ask_live: Ask, open5e: FakeOpen5e
) -> None:
    answer = data(
        await ask_live(
            f"{{ spells(provider: OPEN5E, filter: {{{filter_}}}) {{ nodes {{ key }} {ACCOUNT} }} }}"
        )
    )
    assert sent(open5e) == parameters
    assert answer["spells"]["nodes"] != []
    assert answer["spells"]["provenance"]["upstreamRequests"] == 1
    assert bool(answer["spells"]["provenance"]["pushedDown"]) == bool(parameters)
    check_requests(open5e)


@pytest.mark.parametrize(
    ("filter_", "parameters"),
    [
        ("crMin: 0.25, crMax: 5", {"challenge_rating__gte": "0.25", "challenge_rating__lte": "5"}),
        ("cr: [0.125]", {"challenge_rating": "0.125"}),
        ("type: [DRAGON], size: [HUGE]", {"type": "dragon", "size": "huge"}),
        ("armorClassMin: 18, hitPointsMin: 100", {"armor_class__gte": "18"}),
        ("passivePerceptionMin: 15", {"passive_perception__gte": "15"}),
        ("alignment: [LAWFUL_EVIL]", {}),
    ],
)
async def test_what_a_filter_of_creatures_sends(
    filter_: str, parameters: dict[str, str], ask_live: Ask, open5e: FakeOpen5e
) -> None:
    query = f"{{ creatures(provider: OPEN5E, filter: {{{filter_}}}) {{ nodes {{ key }} }} }}"
    assert data(await ask_live(query))["creatures"]["nodes"] != []
    assert sent(open5e) == parameters
    check_requests(open5e)


async def test_a_name_is_asked_for_and_completed_by_the_index(ask_live: Ask, open5e: FakeOpen5e) -> None:
    filter_ = 'filter: {name: "wizard\'s lantern"}'
    query = f"{{ spells(provider: OPEN5E, {filter_}) {{ nodes {{ key name }} {ACCOUNT} }} }}"
    answer = data(await ask_live(query))["spells"]
    assert answer["nodes"] == [
        {"key": "ember_wizards-lantern", "name": "Wizard’s Lantern"},
        {"key": "tide_wizards-lantern", "name": "Wizard's Lantern"},
    ]
    index, searched, added = open5e.calls
    assert index.values["fields"] == "key,name,document"
    assert searched.values["name__icontains"] == "wizard's lantern"
    assert added.values["key__in"] == "ember_wizards-lantern"
    assert (answer["provenance"]["upstreamRequests"], answer["provenance"]["complete"]) == (3, True)


async def test_each_class_is_a_call_and_a_spell_of_both_comes_once(ask_live: Ask, open5e: FakeOpen5e) -> None:
    query = """{ spells(provider: OPEN5E, first: 100, filter: {classKey: ["srd_wizard", "srd_sorcerer"], level: [3]})
        { nodes { key } totalCount } }"""
    answer = data(await ask_live(query))["spells"]
    keys = [node["key"] for node in answer["nodes"]]
    assert "srd_fireball" in keys
    assert len(keys) == len(set(keys)) == answer["totalCount"]
    words, *calls = open5e.calls
    assert words.path == "/v2/classes/"
    assert sorted(call.values["classes__key"] for call in calls) == ["srd_sorcerer", "srd_wizard"]


async def test_the_count_and_the_order_are_left_to_open5e(ask_live: Ask, open5e: FakeOpen5e) -> None:
    query = """{ spells(provider: OPEN5E, first: 2, filter: {school: [EVOCATION]},
        orderBy: [{field: LEVEL, direction: DESC}]) { totalCount nodes { level } pageInfo { hasNextPage } } }"""
    answer = data(await ask_live(query))["spells"]
    (call,) = open5e.calls
    assert (call.values["ordering"], call.values["limit"]) == ("-level,key", "2")
    assert [node["level"] for node in answer["nodes"]] == [9, 8]
    assert answer["totalCount"] == len(evocations(open5e))
    assert answer["pageInfo"]["hasNextPage"] is True


async def test_documents_and_licences_are_joined(ask_live: Ask, open5e: FakeOpen5e) -> None:
    query = f"""{{ spells(provider: OPEN5E, filter: {{documents: ["ember"]}}, first: 1) {{
        nodes {{ document {{ key licence edition {{ key }} }} source {{ name licence attribution }} }}
        {ACCOUNT} }} }}"""
    answer = data(await ask_live(query))["spells"]
    assert answer["nodes"] == [
        {
            "document": {"key": "ember", "licence": "LicenseRef-OGL-1.0a", "edition": {"key": "5e-2014"}},
            "source": {
                "name": "The Book of Ember’s Élan",
                "licence": "LicenseRef-OGL-1.0a",
                "attribution": "From “The Book of Ember’s Élan” by Ember Press, under OPEN GAME LICENSE Version 1.0a.",
            },
        }
    ]
    assert answer["provenance"]["upstreamRequests"] == len(open5e.calls) == 2
    data(await ask_live(query))
    assert len(open5e.calls) == 2


async def test_auto_answers_from_what_is_held_where_nothing_else_is_named(
    ask_live: Ask, open5e: FakeOpen5e
) -> None:
    for filter_ in (
        "",
        'filter: {documents: ["srd-2014"]}, ',
        "filter: {edition: [FIVE_E_2014]}, ",
        'filter: {key: ["srd_fireball"]}, ',
        'filter: {classKey: ["wizard"]}, ',
        "filter: {not: {edition: [A5E]}}, ",
    ):
        answer = data(await ask_live(f"{{ spells({filter_}first: 1) {{ nodes {{ key }} {ACCOUNT} }} }}"))[
            "spells"
        ]
        assert answer["provenance"]["providers"] == ["local"], filter_
        assert answer["provenance"]["warnings"] == [ONLY_EMBEDDED]
        assert answer["provenance"]["complete"] is True
    assert open5e.calls == []


@pytest.mark.parametrize(
    ("filter_", "keys"),
    [
        ('documents: ["srd-2024"]', ["srd-2024_alarm", "srd-2024_fireball", "srd-2024_sorcerous-burst"]),
        ("edition: [A5E]", ["a5e-lantern_don-t-look", "a5e-lantern_fireball"]),
        ('key: ["ember_fireball"]', ["ember_fireball"]),
        ('classKey: ["srd-2024_ranger"]', ["srd-2024_alarm"]),
    ],
)
async def test_auto_asks_open5e_for_what_is_not_held(
    filter_: str, keys: list[str], ask_live: Ask, open5e: FakeOpen5e
) -> None:
    answer = data(await ask_live(f"{{ spells(filter: {{{filter_}}}) {{ nodes {{ key }} {ACCOUNT} }} }}"))[
        "spells"
    ]
    assert [node["key"] for node in answer["nodes"]] == keys
    assert answer["provenance"]["providers"] == ["open5e"]
    assert answer["provenance"]["upstreamRequests"] == len(open5e.calls)
    assert answer["provenance"]["warnings"] == []


async def test_environments_are_asked_of_open5e_since_none_are_held(
    ask_live: Ask, open5e: FakeOpen5e
) -> None:
    record = open5e.corpus.get("creatures", "srd_aboleth")
    assert record is not None
    record.row["environments"] = [{"name": "Ocean", "key": "ocean"}]
    answer = data(
        await ask_live(
            '{ creatures(filter: {environment: ["ocean"]}) { nodes { key environments { key } } } }'
        )
    )
    assert {"key": "srd_aboleth", "environments": [{"key": "ocean"}]} in answer["creatures"]["nodes"]


async def test_auto_falls_back_on_what_is_held_and_says_what_is_missing(
    ask_live: Ask, open5e: FakeOpen5e
) -> None:
    open5e.faults.always(Down())
    answer = data(
        await ask_live(
            f'{{ spells(filter: {{documents: ["srd-2014", "srd-2024"], level: [9]}}, first: 1) '
            f"{{ nodes {{ key }} totalCount {ACCOUNT} }} creatures(first: 1) {{ nodes {{ key }} }} }}"
        )
    )
    account = answer["spells"]["provenance"]
    assert answer["spells"]["nodes"] == [{"key": "srd_astral-projection"}]
    assert account["providers"] == ["local"]
    assert account["complete"] is False
    assert account["warnings"] == [
        "Open5e broke off the connection. What is held here answers, without document `srd-2024`.",
        ONLY_EMBEDDED,
    ]
    assert answer["creatures"]["nodes"] != []


async def test_an_explicit_provider_never_falls_back(ask_live: Ask, open5e: FakeOpen5e) -> None:
    open5e.faults.always(Down())
    answer = await ask_live(
        "{ spells(provider: OPEN5E) { nodes { key } } creatures(first: 1) { totalCount } }"
    )
    assert error(answer)["extensions"]["code"] == "UPSTREAM_UNAVAILABLE"
    assert answer["data"]["spells"] is None
    assert answer["data"]["creatures"] == {"totalCount": 334}
    open5e.faults.clear()
    local = data(await ask_live("{ spells(provider: LOCAL) { totalCount } }"))
    assert local == {"spells": {"totalCount": 319}}
    unknown = await ask_live('{ spells(provider: LOCAL, filter: {documents: ["srd-2024"]}) { totalCount } }')
    assert error(unknown)["extensions"]["code"] == "BAD_USER_INPUT"


async def test_the_next_page_of_a_live_list_is_no_page_of_another(ask_live: Ask, open5e: FakeOpen5e) -> None:
    query = """query ($after: String) { spells(filter: {documents: ["srd-2024"]}, first: 1, after: $after) {
        nodes { key } pageInfo { endCursor } } }"""
    first = data(await ask_live(query))["spells"]
    cursor = first["pageInfo"]["endCursor"]
    second = data(await ask_live(query, after=cursor))["spells"]
    assert [page["nodes"][0]["key"] for page in (first, second)] == ["srd-2024_alarm", "srd-2024_fireball"]
    assert len(open5e.calls) == 2  # The documents, and the list, which the second page finds in the cache.


@pytest.fixture
async def ask_uncached(
    seeded_settings: Settings, open5e: FakeOpen5e, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Ask]:
    fresh = {"LOREGRAPH_HTTP_FRESH_SECONDS": "0", "LOREGRAPH_HTTP_BREAKER_FAILURES": "1000"}
    async with live_scope(seeded_settings, open5e.url, monkeypatch, **fresh) as scope:
        executor = Executor(build_schema(), scope=lambda: scope)

        async def run(query: str, **variables: object) -> dict[str, Any]:
            return (await executor.execute(Operation(query, variables=variables))).formatted()

        yield run


async def test_a_page_that_goes_on_a_live_list_fails_with_it(ask_uncached: Ask, open5e: FakeOpen5e) -> None:
    query = """query ($after: String) { spells(filter: {documents: ["srd-2014", "srd-2024"]}, first: 1, after: $after) {
        nodes { key } pageInfo { endCursor } provenance { providers complete } } }"""
    live = data(await ask_uncached(query))["spells"]
    open5e.faults.always(Down())
    after = live["pageInfo"]["endCursor"]
    assert error(await ask_uncached(query, after=after))["extensions"]["code"] == "UPSTREAM_UNAVAILABLE"
    held = data(await ask_uncached(query))["spells"]
    assert held["provenance"] == {"providers": ["local"], "complete": False}
    open5e.faults.clear()
    begun_here = data(await ask_uncached(query, after=held["pageInfo"]["endCursor"]))["spells"]
    assert begun_here["provenance"] == {"providers": ["local"], "complete": False}
    assert begun_here["nodes"] != held["nodes"]


async def test_recovery_needs_no_restart_and_an_outage_few_connections(
    ask_uncached: Ask, open5e: FakeOpen5e
) -> None:
    query = "{ spells(provider: OPEN5E, filter: {level: [9]}, first: 1) { nodes { key } } }"
    open5e.faults.always(Down())
    answers = await asyncio.gather(*(ask_uncached(query) for _ in range(200)))
    assert {error(answer)["extensions"]["code"] for answer in answers} == {"UPSTREAM_UNAVAILABLE"}
    assert open5e.most_at_once <= 8
    open5e.faults.clear()
    assert data(await ask_uncached(query))["spells"]["nodes"] != []


async def test_a_silent_upstream_is_given_up_before_the_deadline(
    seeded_settings: Settings, open5e: FakeOpen5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate()
    open5e.faults.always(Held(gate))
    timeouts = {"LOREGRAPH_HTTP_FIRST_BYTE_SECONDS": "0.2", "LOREGRAPH_HTTP_CONNECT_SECONDS": "0.2"}
    async with live_scope(seeded_settings, open5e.url, monkeypatch, **timeouts) as scope:
        executor = Executor(build_schema(), scope=lambda: scope)
        asked = Operation("{ spells(provider: OPEN5E) { nodes { key } } }")
        explicit = (await executor.execute(asked)).formatted()
        falling_back = Operation(
            "{ spells(filter: {edition: [FIVE_E_2024]}) { totalCount provenance { complete } } }"
        )
        auto = (await executor.execute(falling_back)).formatted()
    gate.open()
    assert error(explicit)["extensions"]["code"] == "UPSTREAM_TIMEOUT"
    assert data(auto)["spells"] == {"totalCount": 0, "provenance": {"complete": False}}


@pytest.mark.parametrize("argument", ["last: 3", 'last: 3, before: "x"'])
async def test_live_lists_are_read_forwards(argument: str, ask_live: Ask, open5e: FakeOpen5e) -> None:
    problem = error(await ask_live(f"{{ spells(provider: OPEN5E, {argument}) {{ nodes {{ key }} }} }}"))
    assert problem["extensions"]["code"] == "BAD_USER_INPUT"
    assert problem["extensions"]["argument"] == "last"
    assert "Use `first` and `after`" in problem["message"]


@pytest.mark.parametrize(
    ("filter_", "argument", "suggestions"),
    [
        ('documents: ["srd-2042"]', "filter.documents", ["srd-2024", "srd-2014"]),
        ('classKey: ["srd-2024_wizzard"]', "filter.classKey", ["srd-2024_wizard"]),
        ('key: ["ember_firebal"]', "filter.key", ["ember_fireball"]),
    ],
)
async def test_unknown_values_are_checked_against_open5e(
    filter_: str, argument: str, suggestions: list[str], ask_live: Ask
) -> None:
    problem = error(await ask_live(f"{{ spells(filter: {{{filter_}}}) {{ nodes {{ key }} }} }}"))
    assert problem["extensions"]["code"] == "BAD_USER_INPUT"
    assert problem["extensions"]["argument"] == argument
    assert set(suggestions) <= set(problem["extensions"]["suggestions"])


async def test_one_record_by_key_slug_and_edition(ask_live: Ask, open5e: FakeOpen5e) -> None:
    held = data(await ask_live('{ spell(key: "srd_fireball") { name } creature(key: "goblin") { key } }'))
    assert held == {"spell": {"name": "Fireball"}, "creature": {"key": "srd_goblin"}}
    assert open5e.calls == []
    other = data(await ask_live('{ spell(key: "ember_eclair-noir") { name document { name } } }'))
    assert other["spell"] == {"name": "Éclair noir", "document": {"name": "The Book of Ember’s Élan"}}
    edition = data(await ask_live('{ spell(key: "fireball", edition: [FIVE_E_2024]) { key } }'))
    assert edition == {"spell": {"key": "srd-2024_fireball"}}
    live = data(await ask_live('{ creature(provider: OPEN5E, key: "leviathan") { key size { key } } }'))
    assert live == {"creature": {"key": "tide_leviathan", "size": {"key": "titanic"}}}


async def test_one_record_that_does_not_exist(ask_live: Ask, open5e: FakeOpen5e) -> None:
    missing = error(await ask_live('{ spell(provider: OPEN5E, key: "ember_firebal") { key } }'))
    assert missing["extensions"]["code"] == "NOT_FOUND"
    assert "ember_fireball" in missing["extensions"]["suggestions"]
    ambiguous = error(await ask_live('{ spell(provider: OPEN5E, key: "fireball") { key } }'))
    assert ambiguous["extensions"]["allowed"] == [
        "a5e-lantern_fireball",
        "ember_fireball",
        "srd-2024_fireball",
        "srd_fireball",
    ]
    open5e.faults.always(Down())
    unknown = error(await ask_live('{ creature(key: "tide_leviathan") { key } }'))
    assert unknown["extensions"]["code"] == "UPSTREAM_UNAVAILABLE"
    here = error(await ask_live('{ creature(key: "srd_goblim") { key } }'))
    assert (here["extensions"]["code"], here["extensions"]["suggestions"][0]) == ("NOT_FOUND", "srd_goblin")


async def test_a_live_record_is_found_again_by_its_id(ask_live: Ask) -> None:
    spell = data(await ask_live('{ spell(key: "ember_fireball") { id } }'))["spell"]
    again = data(
        await ask_live("query ($id: ID!) { node(id: $id) { ... on Spell { key level } } }", id=spell["id"])
    )
    assert again == {"node": {"key": "ember_fireball", "level": 4}}


async def test_a_record_that_cannot_be_read_is_not_said_to_be_absent(
    ask_live: Ask, open5e: FakeOpen5e
) -> None:
    query = """{ spells(provider: OPEN5E, filter: {key: ["tide_undertow"]}) { nodes { id } } }"""
    (node,) = data(await ask_live(query))["spells"]["nodes"]
    record = open5e.corpus.get("spells", "tide_undertow")
    assert record is not None
    record.row["school"] = None
    for asked in (
        """query { spell(provider: OPEN5E, key: "tide_undertow") { school { key } } }""",
        """query { spell(provider: OPEN5E, key: "undertow") { school { key } } }""",
        """query ($id: ID!) { node(id: $id) { ... on Spell { school { key } } } }""",
        """query ($id: ID!) { nodes(ids: [$id]) { ... on Spell { school { key } } } }""",
    ):
        refused = error(await ask_live(asked, id=node["id"]))
        assert refused["extensions"]["code"] == "UPSTREAM_BAD_RESPONSE", asked
        assert "`tide_undertow`" in refused["message"]


async def test_an_upstream_that_ignores_a_filter_is_found_out(ask_live: Ask, open5e: FakeOpen5e) -> None:
    open5e.ignored.add("school__key")
    query = f"{{ spells(provider: OPEN5E, filter: {{school: [EVOCATION]}}) {{ totalCount {ACCOUNT} }} }}"
    answer = data(await ask_live(query))["spells"]
    assert answer["totalCount"] == len(evocations(open5e))
    assert "`school__key`" in answer["provenance"]["warnings"][0]


async def test_open5e_can_be_turned_off(ask: Ask) -> None:
    problem = error(await ask("{ spells(provider: OPEN5E) { totalCount } }"))
    assert problem["extensions"]["code"] == "SOURCE_NOT_CONFIGURED"
    auto = data(await ask(f"{{ spells(filter: {{edition: [FIVE_E_2024]}}) {{ totalCount {ACCOUNT} }} }}"))[
        "spells"
    ]
    assert (auto["totalCount"], auto["provenance"]["complete"]) == (0, False)
    null = data(await ask("{ spells(provider: null, first: 1) { totalCount } }"))
    assert null == {"spells": {"totalCount": 319}}
