"""Character options of Open5e at the GraphQL door: which lists are asked, what is said of it, what belongs to them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.fake_open5e import FakeOpen5e
from tests.support.fake_upstream import Down
from tests.support.live import check_requests
from tests.support.seeded import Ask, data, error

ACCOUNT = (
    "provenance { providers complete scanned pushedDown residual upstreamRequests effectiveQuery warnings }"
)
_PAGES = ("limit", "page", "ordering", "fields", "document__fields")


def sent(open5e: FakeOpen5e) -> dict[str, dict[str, str]]:
    """The filters of each list that was asked."""
    return {
        call.path.split("/")[2]: {name: value for name, value in call.values.items() if name not in _PAGES}
        for call in open5e.calls
    }


async def options(ask: Ask, arguments: str, nodes: str = "key __typename") -> dict[str, Any]:
    query = f"{{ characterOptions(provider: OPEN5E, {arguments}) {{ totalCount nodes {{ {nodes} }} {ACCOUNT} }} }}"
    found: dict[str, Any] = data(await ask(query))["characterOptions"]
    return found


@pytest.mark.parametrize(
    ("filter_", "asked"),
    [
        ("kind: [CLASS]", {"classes": {"is_subclass": "false"}}),
        ("kind: [SUBCLASS]", {"classes": {"is_subclass": "true"}}),
        ("kind: [CLASS, SUBCLASS]", {"classes": {}}),
        ("kind: [RACE]", {"species": {}}),
        ("kind: [FEAT, BACKGROUND]", {"feats": {}, "backgrounds": {}}),
        ("not: {kind: [CLASS, SUBCLASS, SPECIES]}", {"feats": {}, "backgrounds": {}}),
        ("hitDie: [6]", {"classes": {"is_subclass": "false"}}),
        ("speedMin: 30", {"species": {}}),
        ("isSubspecies: true", {"species": {"subspecies_of__isnull": "false"}}),
        ("isSubclass: false", {"classes": {"is_subclass": "false"}}),
        ("anyOf: [{hitDie: [6]}, {speedMin: 30}]", {"classes": {"is_subclass": "false"}, "species": {}}),
        (
            "edition: [FIVE_E_2024]",
            {
                name: {"document__gamesystem__key__in": "5e-2024"}
                for name in ("classes", "species", "backgrounds", "feats")
            },
        ),
    ],
)
async def test_only_the_lists_are_asked_that_can_hold_what_is_meant(
    filter_: str, asked: dict[str, dict[str, str]], ask_live: Ask, open5e: FakeOpen5e
) -> None:
    found = await options(ask_live, f"filter: {{{filter_}}}")
    assert sent(open5e) == asked
    assert len(open5e.calls) == found["provenance"]["upstreamRequests"] == len(asked)
    assert found["nodes"] != []
    assert found["provenance"]["complete"]
    check_requests(open5e)


async def test_the_account_adds_up_the_lists(ask_live: Ask, open5e: FakeOpen5e) -> None:
    found = await options(
        ask_live, 'first: 3, filter: {name: "wizard", hitDie: [6], documents: ["ember", "srd-2014"]}'
    )
    account = found["provenance"]
    assert [node["key"] for node in found["nodes"]] == ["ember_wizard", "srd_wizard"]
    assert (account["pushedDown"], account["residual"]) == (["documents"], ["name", "hitDie"])
    assert account["providers"] == ["open5e"]
    assert (found["totalCount"], account["scanned"]) == (2, 15)
    assert account["effectiveQuery"] == (
        "classes?is_subclass=false&document__key__in=ember%2Csrd-2014&ordering=key"
    )
    # The list, and the documents that the keys of documents are checked against.
    assert account["upstreamRequests"] == len(open5e.calls) == 2


async def test_a_name_is_pushed_where_the_list_can_and_completed_by_its_index(
    ask_live: Ask, open5e: FakeOpen5e
) -> None:
    row = open5e.corpus.get("feats", "ember_grappler")
    assert row is not None
    row.row["name"] = "Élan"
    found = await options(ask_live, 'filter: {name: "elan", kind: [FEAT, SUBCLASS]}')
    assert found["nodes"] == [{"key": "ember_grappler", "__typename": "Feat"}]
    assert sent(open5e)["classes"] == {"is_subclass": "true"}
    assert [call.values.get("name__icontains") for call in open5e.calls if "feats" in call.path].count(
        "elan"
    ) == 1
    assert found["provenance"]["complete"]
    check_requests(open5e)


async def test_nothing_is_asked_for_what_no_option_can_be(ask_live: Ask, open5e: FakeOpen5e) -> None:
    found = await options(ask_live, "filter: {kind: [FEAT], hitDie: [6]}")
    assert (found["nodes"], found["totalCount"], open5e.calls) == ([], 0, [])
    assert found["provenance"]["complete"]


async def test_pages_go_through_all_lists(ask_live: Ask, open5e: FakeOpen5e) -> None:
    query = """query ($after: String) { characterOptions(provider: OPEN5E, first: 7, after: $after) {
        totalCount nodes { key name } pageInfo { hasNextPage endCursor } } }"""
    found: list[dict[str, str]] = []
    after, total = None, 0
    while True:
        page = data(await ask_live(query, after=after))["characterOptions"]
        found += page["nodes"]
        total, after = page["totalCount"], page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    keys = [node["key"] for node in found]
    lists = ("classes", "species", "backgrounds", "feats")
    assert sorted(keys) == sorted(key for one in lists for key in open5e.corpus.keys(one))
    assert total == len(keys)
    names = [node["name"].lower() for node in found]
    assert names == sorted(names)


async def test_the_features_of_classes_are_read_for_the_page_alone(ask_live: Ask, open5e: FakeOpen5e) -> None:
    found = await options(
        ask_live,
        "first: 2, filter: {kind: [CLASS]}",
        "key name ... on CharacterClass { casterType { key } hitDie }",
    )
    assert found["nodes"] == [
        {"key": "srd_barbarian", "name": "Barbarian", "casterType": {"key": "none"}, "hitDie": 12},
        {"key": "srd_bard", "name": "Bard", "casterType": {"key": "full"}, "hitDie": 8},
    ]
    narrow, wide = open5e.calls
    assert "features" not in narrow.values["fields"]
    assert "features" in wide.values["fields"]
    assert wide.values["key__in"] == "srd_barbarian,srd_bard"
    assert found["provenance"]["upstreamRequests"] == 2
    check_requests(open5e)


async def test_what_belongs_to_live_classes(ask_live: Ask, open5e: FakeOpen5e) -> None:
    found = await options(
        ask_live,
        'filter: {kind: [CLASS], key: ["ember_wizard", "srd_wizard"]}',
        """key ... on CharacterClass {
            multiclassing { anyPrerequisite }
            features(levelMax: 2) { key name level characterClass { key } subclass { key } choices { key } }
            levels(level: [2, 20]) { level proficiencyBonus spellSlots { level slots } features { name } }
            subclasses { key name flavor grantedSpells { key } spells { key } parentClass { key }
                features { name level } }
            spells(level: [0], first: 2) { key level }
            document { key } source { licence }
        }""",
    )
    ember, srd = found["nodes"]
    assert ember["multiclassing"] is None
    assert [(one["key"], one["level"]) for one in ember["features"]] == [
        ("ember_wizard_arcane-recovery", 1),
        ("ember_wizard_spellcasting-wizard", 1),
        ("ember_wizard_arcane-tradition", 2),
    ]
    assert ember["features"][0]["characterClass"] == {"key": "ember_wizard"}
    assert (ember["features"][0]["subclass"], ember["features"][0]["choices"]) == (None, [])
    second, twentieth = ember["levels"]
    assert (second["level"], second["proficiencyBonus"]) == (2, 2)
    assert second["spellSlots"] == [{"level": 1, "slots": 3}]
    assert second["features"] == [{"name": "Arcane Tradition"}]
    assert twentieth["spellSlots"][-1] == {"level": 9, "slots": 1}
    assert (ember["subclasses"], ember["spells"], ember["document"]) == ([], [], {"key": "ember"})
    (evocation,) = srd["subclasses"]
    assert (evocation["key"], evocation["parentClass"]) == ("srd_school-of-evocation", {"key": "srd_wizard"})
    assert (evocation["flavor"], evocation["grantedSpells"], evocation["spells"]) == (None, None, None)
    assert {"name": "Sculpt Spells", "level": 2} in evocation["features"]
    cantrips = [
        record.key
        for record in open5e.corpus.records("spells")
        if record.row["level"] == 0 and "srd_wizard" in [one["key"] for one in record.row["classes"]]
    ]
    assert len(srd["spells"]) == 2
    assert {spell["key"] for spell in srd["spells"]} <= set(cantrips)
    check_requests(open5e)


async def test_what_belongs_to_live_species(ask_live: Ask, open5e: FakeOpen5e) -> None:
    found = await options(
        ask_live,
        'filter: {key: ["ember_elf", "srd_elf", "srd_high-elf"]}',
        """key ... on Species {
            size { key } speed parentSpecies { key name } subspecies { key }
            traits { key name choices { key } species { key } }
        }""",
    )
    ember, srd, high = found["nodes"]
    assert (high["size"], high["speed"]) == ({"key": "medium"}, 30)
    assert (high["parentSpecies"], ember["parentSpecies"]) == ({"key": "srd_elf", "name": "Elf"}, None)
    assert (ember["subspecies"], srd["subspecies"]) == ([], [{"key": "srd_high-elf"}])
    assert {
        "key": "ember_elf_trance",
        "name": "Trance",
        "choices": [],
        "species": [{"key": "ember_elf"}],
    } in ember["traits"]
    assert "Age" not in [trait["name"] for trait in ember["traits"]]
    check_requests(open5e)


async def test_a_subspecies_has_size_and_speed_of_a_species_that_is_no_part_of_the_answer(
    ask_live: Ask, open5e: FakeOpen5e
) -> None:
    nodes = "key ... on Species { size { key } speed }"
    found = await options(ask_live, 'filter: {kind: [SPECIES], key: ["srd_lightfoot"]}', nodes)
    assert found["nodes"] == [{"key": "srd_lightfoot", "size": {"key": "small"}, "speed": 25}]
    assert [call.values["key__in"] for call in open5e.calls] == ["srd_lightfoot", "srd_halfling"]
    assert found["provenance"]["upstreamRequests"] == 2
    check_requests(open5e)


async def test_a_key_is_asked_of_its_own_list_where_the_index_is_at_hand(
    ask_live: Ask, open5e: FakeOpen5e
) -> None:
    await options(ask_live, 'filter: {key: ["ember_wizard"]}')
    assert len(open5e.calls) == 4
    await options(ask_live, 'filter: {key: ["school-of-evocation"]}')
    open5e.forget()
    found = await options(ask_live, 'filter: {key: ["ember_ranger"]}')
    assert found["nodes"] == [{"key": "ember_ranger", "__typename": "CharacterClass"}]
    assert sent(open5e) == {"classes": {"key__in": "ember_ranger"}}
    check_requests(open5e)


async def test_the_names_of_all_classes_are_few_bytes(ask_live: Ask, open5e: FakeOpen5e) -> None:
    found = await options(ask_live, "first: 100, filter: {kind: [CLASS]}", "name")
    assert len(found["nodes"]) == 18
    narrow = open5e.sent
    open5e.forget()
    await options(
        ask_live, "first: 100, filter: {kind: [CLASS]}", "name ... on CharacterClass { features { name } }"
    )
    assert narrow * 50 < open5e.sent


async def test_the_full_text_needs_no_more_of_a_document_than_is_asked_for(
    ask_live: Ask, open5e: FakeOpen5e
) -> None:
    found = await options(ask_live, 'filter: {search: "trance", edition: [FIVE_E_2014]}')
    assert {"key": "ember_elf", "__typename": "Species"} in found["nodes"]
    assert found["provenance"]["complete"]
    check_requests(open5e)


async def test_a_class_that_cannot_be_read_is_an_error_and_no_empty_list(
    ask_live: Ask, open5e: FakeOpen5e
) -> None:
    record = open5e.corpus.get("classes", "ember_wizard")
    assert record is not None
    record.row["features"][0]["gained_at"] = [{"level": 0}]
    answer = await ask_live(
        """{ characterOptions(provider: OPEN5E, filter: {key: ["ember_wizard"]}) {
            nodes { key ... on CharacterClass { features { name } } } } }"""
    )
    assert error(answer)["extensions"]["code"] == "UPSTREAM_BAD_RESPONSE"


async def test_auto_asks_open5e_for_what_is_not_held(ask_live: Ask, open5e: FakeOpen5e) -> None:
    query = """{
        held: characterOptions(filter: {kind: [CLASS], name: "wiz"}) {
            nodes { key ... on CharacterClass { features(levelMax: 1) { key } } } provenance { providers } }
        live: characterOptions(filter: {kind: [CLASS], documents: ["ember"], name: "wiz"}) {
            nodes { key ... on CharacterClass { features(levelMax: 1) { key } } } provenance { providers } }
    }"""
    found = data(await ask_live(query))
    assert found["held"]["provenance"]["providers"] == ["local"]
    assert {"key": "srd_arcane-recovery"} in found["held"]["nodes"][0]["features"]
    assert found["live"]["provenance"]["providers"] == ["open5e"]
    assert {"key": "ember_wizard_arcane-recovery"} in found["live"]["nodes"][0]["features"]


async def test_with_open5e_down_auto_says_what_is_missing_and_open5e_fails(
    ask_live: Ask, open5e: FakeOpen5e
) -> None:
    open5e.faults.always(Down())
    query = """{ characterOptions(filter: {kind: [CLASS], documents: ["ember", "srd-2014"]}) {
        totalCount provenance { complete providers warnings } } }"""
    found = data(await ask_live(query))["characterOptions"]
    assert found["totalCount"] == 12
    assert (found["provenance"]["complete"], found["provenance"]["providers"]) == (False, ["local"])
    assert "document `ember`" in found["provenance"]["warnings"][0]
    failed = await ask_live("{ characterOptions(provider: OPEN5E) { nodes { key } } }")
    assert error(failed)["extensions"]["code"] == "UPSTREAM_UNAVAILABLE"


async def test_unknown_values_are_named_with_the_nearest(ask_live: Ask) -> None:
    for filter_, argument, suggestion in (
        ('subclassOf: ["wizzard"]', "filter.subclassOf", "srd_wizard"),
        ('subspeciesOf: ["srd_elv"]', "filter.subspeciesOf", "srd_elf"),
        ('key: ["srd_wizrd"]', "filter.key", "srd_wizard"),
    ):
        answer = await ask_live(
            f"{{ characterOptions(provider: OPEN5E, filter: {{{filter_}}}) {{ nodes {{ key }} }} }}"
        )
        extensions = error(answer)["extensions"]
        assert (extensions["code"], extensions["argument"]) == ("BAD_USER_INPUT", argument)
        assert suggestion in extensions["suggestions"]


async def test_live_records_are_found_again_by_their_ids(ask_live: Ask, open5e: FakeOpen5e) -> None:
    found = await options(
        ask_live,
        'filter: {key: ["ember_wizard", "ember_elf", "ember_grappler", "ember_acolyte"]}',
        "id key ... on CharacterClass { features { id key } } ... on Species { traits { id key } }",
    )
    wanted = {node["id"]: node["key"] for node in found["nodes"]}
    for node in found["nodes"]:
        wanted |= {one["id"]: one["key"] for one in (*node.get("features", ()), *node.get("traits", ()))}
    answer = data(
        await ask_live(
            """query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on CharacterOption { key }
                ... on ClassFeature { key } ... on SpeciesTrait { key } } }""",
            ids=list(wanted),
        )
    )
    assert {node["id"]: node["key"] for node in answer["nodes"]} == wanted


async def test_a_live_spell_names_classes_that_are_not_held(ask_live: Ask, open5e: FakeOpen5e) -> None:
    query = """{ spells(provider: OPEN5E, filter: {key: ["srd-2024_fireball"]}) {
        nodes { characterClasses { key name } } } }"""
    (spell,) = data(await ask_live(query))["spells"]["nodes"]
    assert spell["characterClasses"] == [
        {"key": "srd-2024_sorcerer", "name": "Sorcerer"},
        {"key": "srd-2024_wizard", "name": "Wizard"},
    ]
