"""The `provider` argument of equipment, rules and rulebooks: which lists are asked, and for what."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from api.execution import Executor
from api.mcp_tools.server import McpDoor
from api.settings import Settings
from schema.query import build_schema
from tests.support.fake_open5e import FakeOpen5e
from tests.support.fake_upstream import Down
from tests.support.live import check_requests, live_scope
from tests.support.seeded import Ask, data, error

ACCOUNT = (
    "provenance { providers complete scanned pushedDown residual upstreamRequests effectiveQuery warnings }"
)
PLAIN = ("limit", "page", "ordering", "fields", "document__fields")


def sent(open5e: FakeOpen5e) -> list[tuple[str, dict[str, str]]]:
    """The lists that were asked, each with its filters; vocabularies left out."""
    words = ("/v2/documents/", "/v2/itemcategories/")
    return sorted(
        (
            call.path.removeprefix("/v2/").strip("/"),
            {name: value for name, value in call.values.items() if name not in PLAIN},
        )
        for call in open5e.calls
        if call.path not in words and call.values.get("limit") != "20000"
    )


async def equipment(ask_live: Ask, filter_: str) -> Any:
    query = (
        f"{{ equipment(provider: OPEN5E, filter: {{{filter_}}}) {{ totalCount nodes {{ key }} {ACCOUNT} }} }}"
    )
    return data(await ask_live(query))["equipment"]


def both(**filters: str) -> list[tuple[str, dict[str, str]]]:
    return [("items", filters), ("magicitems", filters)]


@pytest.mark.parametrize(
    ("filter_", "requests", "residual"),
    [
        ("kind: [WEAPON]", [("items", {"is_weapon": "true"})], []),
        ("kind: [GEAR]", [("items", {"is_weapon": "false", "is_armor": "false"})], []),
        ("kind: [ARMOR], armorClassMin: 15", [("items", {"is_weapon": "false"})], ["armorClassMin"]),
        (
            "kind: [MAGIC_ITEM], rarity: [RARE, LEGENDARY]",
            [("magicitems", {"rarity__in": "rare,legendary"})],
            [],
        ),
        (
            "rarity: [ARTIFACT], requiresAttunement: true",
            [("magicitems", {"rarity__in": "artifact", "requires_attunement": "true"})],
            [],
        ),
        ('isMagic: false, category: ["tools", "mount"]', [("items", {"category__in": "tools,mount"})], []),
        ("isFinesse: true", [("items", {"is_finesse": "true"})], []),
        ('weaponProperty: ["two-handed"]', [("items", {"is_two_handed": "true"})], []),
        ('damageDice: ["1d8"], isSimple: false', [("items", {"is_weapon": "true"})], []),
        ("costMin: 100", both(cost__gte="100"), []),
        ("costMax: 1, kind: [GEAR, WEAPON]", [("items", {"cost__lte": "1"})], ["kind"]),
        ('documents: ["ember"]', both(document__key__in="ember"), []),
        (
            "edition: [FIVE_E_2024], isMagic: true",
            [("magicitems", {"document__gamesystem__key__in": "5e-2024"})],
            [],
        ),
        ('key: ["srd_longsword", "tide_pearl"]', both(key__in="srd_longsword,tide_pearl"), []),
        ("not: {kind: [MAGIC_ITEM]}", [("items", {})], []),
        (
            "anyOf: [{kind: [WEAPON]}, {rarity: [ARTIFACT]}]",
            [("items", {"is_weapon": "true"}), ("magicitems", {"rarity__in": "artifact"})],
            [],
        ),
        ("rarity: [VARIES]", [], []),
        ("kind: [ALL], isLight: false", [("items", {"is_weapon": "true"})], []),
    ],
)
async def test_what_a_filter_of_equipment_sends(
    filter_: str,
    requests: list[tuple[str, dict[str, str]]],
    residual: list[str],
    ask_read: Ask,
    read_open5e: FakeOpen5e,
) -> None:
    answer = await equipment(ask_read, filter_)
    assert sent(read_open5e) == requests
    account = answer["provenance"]
    assert bool(answer["nodes"]) == bool(requests) == bool(answer["totalCount"])
    assert (account["providers"], account["complete"], account["residual"]) == (["open5e"], True, residual)
    assert account["upstreamRequests"] == len(read_open5e.calls)
    check_requests(read_open5e)


async def test_fields_and_pages_of_a_union(ask_read: Ask, read_open5e: FakeOpen5e) -> None:
    query = """query ($after: String) { equipment(provider: OPEN5E, first: 3, after: $after,
        filter: {documents: ["ember", "tide"]}) {
        totalCount nodes { name kind { key } cost ... on MagicItem { rarity { key } } }
        pageInfo { hasNextPage hasPreviousPage endCursor } provenance { effectiveQuery } } }"""
    first = data(await ask_read(query))["equipment"]
    assert [(node["name"], node["kind"]["key"]) for node in first["nodes"]] == [
        ("Longsword", "gear"),
        ("Net of Nothing", "magic-item"),
        ("Oar", "gear"),
    ]
    assert first["nodes"][1]["rarity"] is None
    assert (first["totalCount"], first["pageInfo"]["hasNextPage"]) == (5, True)
    fields = {call.path: call.values["fields"] for call in read_open5e.calls if "documents" not in call.path}
    assert fields == {
        "/v2/items/": "armor,category,cost,document,key,name,weapon",
        "/v2/magicitems/": "cost,document,key,name,rarity",
    }
    assert first["provenance"]["effectiveQuery"] == (
        "items?document__key__in=ember%2Ctide&ordering=key ; magicitems?document__key__in=ember%2Ctide&ordering=key"
    )
    second = data(await ask_read(query, after=first["pageInfo"]["endCursor"]))["equipment"]
    assert [node["name"] for node in second["nodes"]] == ["Pearl of the Déluge", "Rope’s End"]
    assert second["pageInfo"]["hasNextPage"] is False
    assert second["pageInfo"]["hasPreviousPage"] is True


async def test_a_weapon_shows_all_that_local_ones_do(ask_read: Ask, read_open5e: FakeOpen5e) -> None:
    query = """{{ equipment(provider: {provider}, filter: {{key: ["srd_longsword"]}}) {{ nodes {{
        __typename key name costText weight categories {{ key name }} source {{ name licence }}
        ... on Weapon {{ damageDice damageType {{ key }} twoHandedDamageDice reach
            properties {{ key name description }} }} }} }} }}"""
    live = data(await ask_read(query.format(provider="OPEN5E")))
    assert live == data(await ask_read(query.format(provider="LOCAL")))
    assert live["equipment"]["nodes"][0]["properties"][0]["key"] == "srd_versatile"


RULES = (
    *("abilities", "alignments", "conditions", "damagetypes", "languages", "rules", "rulesets"),
    *("skills", "spellschools", "weaponproperties"),
)


@pytest.mark.parametrize(
    ("filter_", "requests"),
    [
        ("kind: [CONDITION]", [("conditions", {})]),
        ("kind: [SKILL, ABILITY_SCORE]", [("abilities", {}), ("skills", {})]),
        ("kind: [RULE]", [("rules", {}), ("rulesets", {})]),
        (
            'kind: [RULE_SECTION], documents: ["srd-2024"]',
            [("rules", {"document__key__in": "srd-2024"})],
        ),
        ('kind: [RULE_SECTION], name: "cover"', [("rules", {"name__icontains": "cover"})]),
        (
            'kind: [RULE], edition: [FIVE_E_2014], key: ["srd_combat"]',
            [
                (name, {"document__gamesystem__key__in": "5e-2014", "key__in": "srd_combat"})
                for name in ("rules", "rulesets")
            ],
        ),
        (
            'name: "blind"',
            [(name, {"name__icontains": "blind"} if name == "rules" else {}) for name in RULES],
        ),
    ],
)
async def test_what_a_filter_of_rules_sends(
    filter_: str, requests: list[tuple[str, dict[str, str]]], ask_read: Ask, read_open5e: FakeOpen5e
) -> None:
    query = f"{{ rules(provider: OPEN5E, filter: {{{filter_}}}) {{ nodes {{ key name }} {ACCOUNT} }} }}"
    answer = data(await ask_read(query))["rules"]
    assert sent(read_open5e) == requests
    assert answer["nodes"] != []
    assert answer["provenance"]["complete"] is True
    assert answer["provenance"]["upstreamRequests"] == len(read_open5e.calls)
    check_requests(read_open5e)


async def test_a_condition_has_the_text_of_the_edition_that_is_asked_for(
    ask_read: Ask, read_open5e: FakeOpen5e
) -> None:
    query = """{ rules(filter: {kind: [CONDITION], name: "blinded", edition: [%s]}) { nodes {
        key description document { key edition { key } } source { name } } provenance { providers } } }"""
    old = data(await ask_read(query % "FIVE_E_2014"))["rules"]
    assert (old["provenance"]["providers"], old["nodes"][0]["key"]) == (["local"], "srd_blinded")
    assert read_open5e.calls == []
    new = data(await ask_read(query % "FIVE_E_2024"))["rules"]
    assert new["provenance"]["providers"] == ["open5e"]
    assert new["nodes"] == [
        {
            "key": "srd-2024_blinded",
            "description": "Blinded, in other words.",
            "document": {"key": "srd-2024", "edition": {"key": "5e-2024"}},
            "source": {"name": "System Reference Document 5.2"},
        }
    ]


async def test_the_sections_of_a_live_rule_are_followed(ask_read: Ask, read_open5e: FakeOpen5e) -> None:
    query = """{ rules(provider: OPEN5E, filter: {section: ["srd_combat_cover"]}) { nodes { ... on Rule {
        key parent { key sections { key name } } } } } }"""
    (section,) = data(await ask_read(query))["rules"]["nodes"]
    assert section["key"] == "srd_combat_cover"
    # Its rule set is a rule that is held here, whose sections are keyed as the embedded data keys them.
    assert section["parent"]["key"] == "srd_combat"
    assert {"key": "srd_cover", "name": "Cover"} in section["parent"]["sections"]
    whole = """{ rules(provider: OPEN5E, filter: {key: ["srd_combat"]}) { nodes { ... on Rule {
        sections { key name parent { key } } } } } }"""
    (rule,) = data(await ask_read(whole))["rules"]["nodes"]
    assert {"key": "srd_combat_cover", "name": "Cover", "parent": {"key": "srd_combat"}} in rule["sections"]


async def test_rulebooks_of_open5e(ask_read: Ask, read_open5e: FakeOpen5e) -> None:
    query = """{ rulebooks(%s) { totalCount nodes { key publisher licence source } provenance {
        providers residual pushedDown upstreamRequests complete } } }"""
    live = data(await ask_read(query % 'provider: OPEN5E, filter: {publisher: ["tide & table"]}'))[
        "rulebooks"
    ]
    assert live["nodes"] == [
        {"key": "tide", "publisher": "Tide & Table", "licence": "LicenseRef-OGL-1.0a", "source": "open5e"}
    ]
    assert live["provenance"] == {
        "providers": ["open5e"],
        "residual": ["publisher"],
        "pushedDown": [],
        "upstreamRequests": 1,
        "complete": True,
    }
    everything = data(await ask_read(query % "provider: OPEN5E"))["rulebooks"]
    assert (everything["totalCount"], everything["provenance"]["upstreamRequests"]) == (6, 0)
    held = data(await ask_read(query % "first: 5"))["rulebooks"]
    assert (held["totalCount"], held["provenance"]["providers"]) == (1, ["local"])
    auto = data(await ask_read(query % 'filter: {key: ["ember"]}'))["rulebooks"]
    assert (auto["nodes"][0]["key"], auto["provenance"]["providers"]) == ("ember", ["open5e"])
    unknown = error(await ask_read(query % 'filter: {publisher: ["Tide and Tabel"]}'))
    assert "Tide & Table" in unknown["extensions"]["suggestions"]
    assert len(read_open5e.calls) == 1


async def test_auto_falls_back_and_an_explicit_provider_does_not(ask_live: Ask, open5e: FakeOpen5e) -> None:
    open5e.faults.always(Down())
    query = """{ equipment(%s, first: 1) { nodes { key } provenance { providers complete } }
        rules(first: 1) { nodes { key } } }"""
    fallen = data(await ask_live(query % 'filter: {documents: ["srd-2014", "ember"]}'))
    assert fallen["equipment"]["provenance"] == {"providers": ["local"], "complete": False}
    explicit = await ask_live(query % "provider: OPEN5E")
    assert error(explicit)["extensions"]["code"] == "UPSTREAM_UNAVAILABLE"
    assert explicit["data"]["equipment"] is None
    assert explicit["data"]["rules"]["nodes"] != []


@pytest.mark.parametrize(
    ("filter_", "suggestion"),
    [
        ('category: ["martial-weapon-s"]', "martial-weapons"),
        ('weaponProperty: ["srd_versatil"]', "srd_versatile"),
        ('damageDice: ["1d7"]', "1d6"),
        ('documents: ["embers"]', "ember"),
        ('key: ["ember_ropes"]', "ember_rope"),
    ],
)
async def test_unknown_values_are_refused_with_what_open5e_has(
    filter_: str, suggestion: str, ask_read: Ask, read_open5e: FakeOpen5e
) -> None:
    query = f"{{ equipment(provider: OPEN5E, filter: {{{filter_}}}) {{ nodes {{ key }} }} }}"
    refused = error(await ask_read(query))
    assert refused["extensions"]["code"] == "BAD_USER_INPUT"
    assert suggestion in refused["extensions"]["suggestions"]


async def test_a_record_that_cannot_be_read_is_left_out_and_told_of(
    ask_live: Ask, open5e: FakeOpen5e
) -> None:
    record = open5e.corpus.get("items", "tide_oar")
    assert record is not None
    record.row["category"] = None
    answer = await equipment(ask_live, 'documents: ["tide"]')
    assert "tide_oar" not in [node["key"] for node in answer["nodes"]]
    assert (answer["provenance"]["complete"], answer["totalCount"]) == (False, None)
    assert "field `category` is missing" in answer["provenance"]["warnings"][0]


async def test_nodes_of_documents_that_are_not_held_are_found(ask_read: Ask, read_open5e: FakeOpen5e) -> None:
    query = """{ equipment(filter: {key: ["tide_pearl"]}) { nodes { id } }
        rules(filter: {key: ["srd-2024_prone"]}) { nodes { id } } }"""
    answer = data(await ask_read(query))
    ids = [answer[field]["nodes"][0]["id"] for field in ("equipment", "rules")]
    followed = """query ($ids: [ID!]!) { nodes(ids: $ids) { __typename
        ... on MagicItem { key } ... on Condition { key } } }"""
    nodes = data(await ask_read(followed, ids=ids))["nodes"]
    assert nodes == [
        {"__typename": "MagicItem", "key": "tide_pearl"},
        {"__typename": "Condition", "key": "srd-2024_prone"},
    ]


Call = Callable[..., Awaitable[Any]]


@pytest.fixture
async def call_live(
    seeded_settings: Settings, read_open5e: FakeOpen5e, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Call]:
    async with live_scope(seeded_settings, read_open5e.url, monkeypatch) as scope:
        schema = build_schema()
        door = McpDoor(schema, Executor(schema, scope=lambda: scope))

        async def run(name: str, /, **arguments: Any) -> Any:
            spec = door.toolbox.specs[name]
            return await door.toolbox.call(
                spec, arguments, door._executor, max_bytes=door.options.result_bytes
            )

        yield run


async def test_tools_ask_open5e_for_documents_that_are_not_held(
    call_live: Call, read_open5e: FakeOpen5e
) -> None:
    result = await call_live("lookup_equipment", documents=["tide"], kind=["magic-item"])
    assert not result.is_error, result.content
    found = {node["key"]: node for node in result.structured_content["nodes"]}
    assert sorted(found) == ["tide_net", "tide_pearl"]
    assert found["tide_pearl"]["type_text"] == "Wondrous item, artifact (requires attunement)"
    rules = await call_live("lookup_rule", edition=["5e-2024"], rule_type=["condition"], limit=2)
    assert [node["key"] for node in rules.structured_content["nodes"]] == [
        *("srd-2024_blinded", "srd-2024_charmed"),
    ]
    books = await call_live("list_rulebooks", key=["ember"])
    assert [node["key"] for node in books.structured_content["nodes"]] == ["ember"]
    check_requests(read_open5e)
