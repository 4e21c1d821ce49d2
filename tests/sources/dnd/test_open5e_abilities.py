"""What Open5e's endpoints are declared to do is tested, not believed: each entry against filtering all of it here."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from sources.ability import Ability, Fidelity
from sources.criteria import Criteria, Not, Op, Predicate, matches
from sources.dnd.live_index import Cost
from sources.dnd.open5e_client import Open5e, Open5eList, Refused, batches
from sources.dnd.open5e_endpoint import Endpoint, write_keys
from sources.dnd.open5e_endpoints import ENDPOINTS, KINDS
from sources.errors import BadInput, UpstreamBadResponse, UpstreamUnavailable
from sources.http import Http
from sources.http_settings import HttpSettings
from tests.contracts.house import ROOT
from tests.support.fake_open5e import FakeOpen5e
from tests.support.fake_upstream import Down, html_error
from tests.support.live import check_requests

VALUES: Mapping[tuple[str, Op], Any] = {
    ("key", Op.IN): ("srd_fireball", "ember_fireball", "srd_goblin", "ember_goblin"),
    ("name", Op.CONTAINS): "o",
    ("document_key", Op.IN): ("ember", "tide"),
    ("edition", Op.IN): ("5e-2024", "a5e"),
    ("level", Op.EQUALS): 3,
    ("level", Op.IN): (2, 3),
    ("level", Op.AT_LEAST): 8,
    ("level", Op.AT_MOST): 1,
    ("school", Op.EQUALS): "evocation",
    ("school", Op.IN): ("evocation", "illusion"),
    ("classes", Op.HAS_ANY): "srd_wizard",
    ("casting_time", Op.EQUALS): "reaction",
    ("casting_time", Op.IN): ("reaction", "1hour"),
    ("challenge_rating", Op.EQUALS): 0.25,
    ("challenge_rating", Op.AT_LEAST): 20.0,
    ("challenge_rating", Op.AT_MOST): 0.5,
    ("type", Op.EQUALS): "dragon",
    ("size", Op.EQUALS): "large",
    ("armor_class", Op.AT_LEAST): 18,
    ("armor_class", Op.AT_MOST): 10,
    ("passive_perception", Op.AT_LEAST): 15,
    ("kind", Op.EQUALS): "weapon",
    ("kind", Op.IN): ("gear", "armor"),
    ("categories", Op.HAS_ANY): ("tools", "mount", "wand"),
    ("cost", Op.AT_LEAST): 100.0,
    ("cost", Op.AT_MOST): 0.5,
    ("weight", Op.AT_LEAST): 2.5,
    ("weight", Op.AT_MOST): 0.5,
    ("properties", Op.HAS_ANY): ("srd_versatile", "srd-2024_versatile"),
    ("weapon_range", Op.IN): ("ranged",),
    ("damage_dice", Op.IN): ("1d8", "1d10"),
    ("damage_type", Op.IN): ("slashing",),
    ("rarity", Op.IN): ("rare", "legendary"),
}
OF_ONE: Mapping[tuple[str, str, Op], Any] = {
    ("item", "key", Op.IN): ("srd_longsword", "ember_longsword", "srd_amulet-of-health"),
    ("magic-item", "key", Op.IN): ("srd_amulet-of-health", "tide_pearl", "srd_longsword"),
    ("rule-section", "key", Op.IN): ("srd_combat_cover", "srd-2024_combat_moving-around"),
    ("rule-set", "key", Op.IN): ("srd_combat", "srd-2024_combat"),
    ("rule-section", "document_key", Op.IN): ("srd-2024",),
    ("rule-set", "document_key", Op.IN): ("srd-2024",),
    ("spell", "name", Op.FOLDED_EQUALS): "FIREBALL",
    ("creature", "name", Op.FOLDED_EQUALS): "goblin",
    ("item", "name", Op.FOLDED_EQUALS): "longSword",
    ("magic-item", "name", Op.FOLDED_EQUALS): "AMULET of health",
    ("rule-section", "name", Op.FOLDED_EQUALS): "COVER",
    ("item", "simple", Op.EQUALS): False,
}
NONE_OF = {("magic-item", "cost"), ("magic-item", "weight")}
"""What none of the fake's records has: no more than that the filter is known is seen."""
ENTRIES = [
    (endpoint, ability)
    for endpoint in ENDPOINTS.values()
    if endpoint.kind != "character_option"  # Those stand in test_open5e_abilities_options.py.
    for ability in endpoint.abilities.filters
]


@pytest.fixture
async def client(open5e: FakeOpen5e) -> AsyncIterator[Open5e]:
    http = Http(HttpSettings(host_rate=10_000, host_burst=10_000, retry_seconds=0.01))
    yield Open5e(http.trusted("Open5e", open5e.url))
    await http.close()


@pytest.fixture
async def reader(read_open5e: FakeOpen5e) -> AsyncIterator[Open5e]:
    """A client of the standing fake."""
    http = Http(HttpSettings(host_rate=10_000, host_burst=10_000, retry_seconds=0.01))
    yield Open5e(http.trusted("Open5e", read_open5e.url))
    await http.close()


async def read_all(
    upstream: Open5eList, parameters: Mapping[str, str], columns: tuple[str, ...]
) -> dict[str, Any]:
    page = await upstream.fetch(parameters, 0, 5_000, columns)
    assert not page.has_more
    assert page.total == len(page.records)
    return {record.key: record for record in page.records}


def asked(ability: Ability, value: Any) -> Predicate:
    if ability.op is Op.HAS_ANY and not isinstance(value, tuple):
        value = (value,)
    return Predicate(ability.attribute, ability.op, value)


@pytest.mark.parametrize(
    ("endpoint", "ability"),
    ENTRIES,
    ids=[f"{endpoint.name}-{ability.attribute}-{ability.names[0]}" for endpoint, ability in ENTRIES],
)
async def test_an_entry_filters_as_it_is_declared_to(
    endpoint: Endpoint, ability: Ability, reader: Open5e, read_open5e: FakeOpen5e
) -> None:
    upstream = reader.one(endpoint.name, Cost())
    columns = ("key", ability.attribute)
    everything = await read_all(upstream, {}, columns)
    kind, attribute, op = endpoint.name, ability.attribute, ability.op
    value = OF_ONE.get((kind, attribute, op), VALUES.get((attribute, op), True))
    wanted: list[tuple[Criteria, dict[str, str] | None]] = [
        (asked(ability, value), ability.parameters(value))
    ]
    if ability.negated is not None:
        wanted.append((Not(asked(ability, value)), ability.parameters(value, negated=True)))
    for criteria, parameters in wanted:
        assert parameters is not None
        found = await read_all(upstream, parameters, columns)
        meant = {key for key, record in everything.items() if matches(criteria, record, upstream.read)}
        assert (kind, attribute) in NONE_OF or 0 < len(found) < len(everything)
        match ability.fidelity:
            case Fidelity.EXACT:
                assert found.keys() == meant
            case Fidelity.SUPERSET:
                assert found.keys() >= meant
                assert meant or (kind, attribute) in NONE_OF
            case Fidelity.SUBSET:
                assert found.keys() <= meant
    check_requests(read_open5e)


@pytest.mark.parametrize(
    "endpoint",
    [endpoint for endpoint in ENDPOINTS.values() if endpoint.abilities.sort],
    ids=lambda one: one.name,
)
async def test_the_orders_are_those_that_are_meant(endpoint: Endpoint, reader: Open5e) -> None:
    sort = endpoint.abilities.sort
    assert sort is not None
    for words, descending in ((sort.ascending, False), (sort.descending, True)):
        for attribute, word in words.items():
            columns = ("key", attribute)
            page = await reader.one(endpoint.name, Cost()).fetch(
                {"ordering": f"{word},key"}, 0, 5_000, columns
            )
            records = sorted(page.records, key=lambda record: record.key)
            records.sort(key=lambda record: getattr(record, attribute), reverse=descending)
            assert list(page.records) == records, attribute


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("ECLAIR", "ember_eclair-noir"),
        ("FACADE", "ember_facade-of-thorns"),
        ("wizard's lantern", "ember_wizards-lantern"),
        ("wizard’s lantern", "tide_wizards-lantern"),
        ("école", "ember_ecole"),
        ("strasse", "tide_strasse"),
        ("isselmeer's", "tide_ijsselmeer"),
    ],
)
async def test_the_index_adds_what_like_does_not_see(name: str, key: str, reader: Open5e) -> None:
    upstream = reader.one("spell", Cost())
    added = await upstream.complete_subset(Predicate("name", Op.CONTAINS, name))
    found = await upstream.fetch({"name__icontains": name}, 0, 500, ("key",))
    assert added == [key]
    assert key not in [record.key for record in found.records]


async def test_the_index_is_read_once_and_leaves_out_what_like_sees(
    reader: Open5e, read_open5e: FakeOpen5e
) -> None:
    cost = Cost()
    for _ in range(3):
        assert await reader.one("spell", cost).complete_subset(Predicate("name", Op.CONTAINS, "fire")) == []
    assert cost.requests == 1
    assert len(read_open5e.calls) == 1
    assert read_open5e.calls[0].values["fields"] == "key,name,document"


async def test_without_an_index_nothing_is_said_of_what_is_missing(
    client: Open5e, open5e: FakeOpen5e
) -> None:
    open5e.faults.always(Down())
    predicate = Predicate("name", Op.CONTAINS, "fire")
    assert await client.one("spell", Cost()).complete_subset(predicate) is None


async def test_pages_are_numbered_from_one(reader: Open5e, read_open5e: FakeOpen5e) -> None:
    upstream = reader.one("spell", Cost())
    first = await upstream.fetch({"ordering": "key"}, 0, 100, ("key",))
    second = await upstream.fetch({"ordering": "key"}, 100, 100, ("key",))
    assert [call.values.get("page") for call in read_open5e.calls] == [None, "2"]
    assert first.has_more
    assert max(record.key for record in first.records) < min(record.key for record in second.records)


async def test_a_refused_value_is_an_error_and_no_empty_page(reader: Open5e) -> None:
    upstream = reader.one("creature", Cost())
    with pytest.raises(BadInput) as refused:
        await upstream.fetch({"type": "Dragon"}, 0, 10, ("key",))
    assert refused.value.argument == "filter.type"
    with pytest.raises(Refused, match="Open5e refused `level`"):
        await reader.page("/spells/", {"level": "abc"})


@pytest.mark.parametrize(
    ("fault", "error"), [(html_error(), UpstreamUnavailable), (html_error(400), UpstreamBadResponse)]
)
async def test_a_page_of_html_is_an_error(
    fault: Any, error: type[Exception], client: Open5e, open5e: FakeOpen5e
) -> None:
    open5e.faults.always(fault)
    with pytest.raises(error):
        await client.one("spell", Cost()).fetch({}, 0, 10, ("key",))


async def test_a_record_that_cannot_be_read_is_left_out_and_told_of(
    client: Open5e, open5e: FakeOpen5e
) -> None:
    record = open5e.corpus.get("spells", "srd_fireball")
    assert record is not None
    record.row["school"] = None
    cost = Cost()
    page = await client.one("spell", cost).fetch(
        {"key__in": "srd_fireball,srd_shield"}, 0, 10, ("key", "school")
    )
    assert [spell.key for spell in page.records] == ["srd_shield"]
    assert cost.losses == [
        "Open5e holds a spell that cannot be read: record `srd_fireball`: field `school` is not a word of a vocabulary."
    ]


ODD_ROWS: tuple[Any, ...] = (None, 7, "text", [], {}, {"key": 3, "name": "X"}, {"key": "x", "name": {"a": 1}})


@pytest.mark.parametrize("row", ODD_ROWS, ids=str)
async def test_a_row_of_any_shape_takes_down_no_vocabulary(
    row: Any, client: Open5e, open5e: FakeOpen5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Documents, indexes and words are what the rest of the list tells, and what is lost is told every time."""
    true_page = client.page

    async def page(path: str, *arguments: Any, **options: Any) -> Any:
        body, fetched = await true_page(path, *arguments, **options)
        return {**body, "results": [row, *body["results"]]}, fetched

    monkeypatch.setattr(client, "page", page)
    assert (await client.one("spell", Cost()).fetch({}, 0, 10, ("key", "level"))).given == 11
    assert (await client.one("species", Cost()).fetch({}, 0, 10, ("key", "speed"))).records != []
    for _ in "12":
        cost = Cost()
        assert "tide" in await client.documents(cost)
        assert cost.losses != []
        assert all(loss.startswith("Of Open5e's list `documents` a record cannot") for loss in cost.losses)
    assert "srd_fireball" in (await client.index("spell", Cost())).keys
    assert "srd_wizard" in await client.words("classes", Cost())
    assert "forest" in await client.words("environments", Cost())
    assert "1d8" in await client.words("damage_dice", Cost())


async def test_a_vocabulary_that_is_given_in_part_is_not_taken_for_all_of_it(
    client: Open5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sources.dnd.open5e_client._WHOLE_LIST", 3)
    cost = Cost()
    await client.index("spell", cost)
    assert cost.losses == ["Of Open5e's list `spells` only the beginning was given."]


async def test_fifty_spells_by_key_cost_one_request(reader: Open5e, read_open5e: FakeOpen5e) -> None:
    keys = sorted(read_open5e.corpus.keys("spells"))[:50]
    cost = Cost()
    found = await reader.by_keys("spell", keys, ("name",), cost)
    assert sorted(found) == keys
    assert (len(read_open5e.calls), cost.requests) == (1, 1)
    check_requests(read_open5e)


def test_batches_are_short_enough_for_a_request_line() -> None:
    keys = [f"srd_{'x' * 40}-{number}" for number in range(150)]
    texts = batches([*keys, *keys, "a,b", " ", "y" * 5_000])
    assert [key for text in texts for key in text.split(",")] == keys
    assert all(write_keys(tuple(text.split(","))) == text for text in texts)
    assert all(len(text.split(",")) <= 60 for text in texts)
    assert batches([]) == []


async def test_documents_are_read_once_a_day(client: Open5e, open5e: FakeOpen5e) -> None:
    first, second = Cost(), Cost()
    documents = await client.documents(first)
    open5e.faults.always(Down())
    assert await client.documents(second) is documents
    assert (first.requests, second.requests) == (1, 0)
    assert set(documents) == {"core", "srd-2014", "srd-2024", "ember", "tide", "a5e-lantern"}


async def test_class_words_are_base_classes(reader: Open5e) -> None:
    words = await reader.words("classes", Cost())
    assert "srd_wizard" in words
    assert not [word for word in words if "evocation" in word]


async def test_more_words(reader: Open5e, read_open5e: FakeOpen5e) -> None:
    cost = Cost()
    categories = await reader.words("categories", cost)
    assert {"adventuring-gear", "martial-weapons", "light-armor", "shield"} <= set(categories)
    assert await reader.words("damage_dice", cost) == [
        *("1", "1d10", "1d12", "1d4", "1d6", "1d8", "2d6"),
    ]
    assert "srd_two-handed" in await reader.words("properties", cost)
    sections = await reader.words("section", cost)
    assert {"srd_combat", "srd_combat_cover", "srd-2024_combat_moving-around"} <= set(sections)
    assert cost.requests == len(read_open5e.calls) == 5
    check_requests(read_open5e)


@pytest.mark.parametrize(
    ("attribute", "op", "value", "parameters"),
    [
        ("kind", Op.EQUALS, "armor", []),
        ("kind", Op.IN, ("armor",), [{"is_weapon": "false"}]),
        ("kind", Op.IN, ("gear",), [{"is_weapon": "false", "is_armor": "false"}]),
        ("kind", Op.IN, ("gear", "weapon"), []),
        ("cost", Op.AT_LEAST, 0.0, []),
        ("cost", Op.AT_LEAST, 0.5, [{"cost__gte": "0.5"}]),
        ("finesse", Op.EQUALS, False, [{"is_weapon": "true"}]),
        ("finesse", Op.EQUALS, True, [{"is_finesse": "true"}, {"is_weapon": "true"}]),
        ("categories", Op.HAS_ANY, ("tools", "martial-weapons"), []),
        ("properties", Op.HAS_ANY, ("srd_reach",), [{"is_weapon": "true"}]),
        (
            *("properties", Op.HAS_ANY, ("srd_two-handed", "srd-2024_two-handed")),
            [{"is_two_handed": "true"}, {"is_weapon": "true"}],
        ),
        ("properties", Op.HAS_ANY, ("srd_light", "srd_finesse"), [{"is_weapon": "true"}]),
    ],
)
def test_what_is_written_of_items(
    attribute: str, op: Op, value: Any, parameters: list[dict[str, str]]
) -> None:
    written = [
        ability.parameters(value)
        for ability in ENDPOINTS["item"].abilities.filters
        if (ability.attribute, ability.op) == (attribute, op)
    ]
    assert [one for one in written if one is not None] == parameters


async def test_records_by_key_come_from_whichever_list_has_them(
    reader: Open5e, read_open5e: FakeOpen5e
) -> None:
    cost = Cost()
    keys = ["srd_longsword", "tide_pearl", "srd_nothing"]
    found = await reader.by_keys("equipment", keys, ("kind",), cost)
    assert {key: record.kind for key, record in found.items()} == {
        "srd_longsword": "weapon",
        "tide_pearl": "magic-item",
    }
    assert [call.path for call in read_open5e.calls] == ["/v2/items/", "/v2/magicitems/"]
    assert read_open5e.calls[1].values["key__in"] == "tide_pearl,srd_nothing"
    assert cost.requests == 2
    rules = ["srd_combat_cover", "srd-2024_blinded"]
    found = await reader.by_keys("rule", rules, ("kind", "edition", "document_name"), cost)
    assert {key: (record.kind, record.edition) for key, record in found.items()} == {
        "srd_combat_cover": ("rule-section", "5e-2014"),
        "srd-2024_blinded": ("condition", "5e-2024"),
    }
    assert found["srd-2024_blinded"].document_name == "System Reference Document 5.2"
    check_requests(read_open5e)


def test_no_two_endpoints_share_a_name() -> None:
    assert len(ENDPOINTS) == sum(map(len, KINDS.values()))


RECORDINGS = ROOT.parent / "shared" / "recorded" / "open5e"


@pytest.mark.skipif(
    not RECORDINGS.is_dir(), reason="the recordings of Open5e are not laid beside the repository"
)
@pytest.mark.parametrize(
    ("name", "endpoint", "criteria"),
    [
        ("items-is-weapon.json", "item", Predicate("kind", Op.EQUALS, "weapon")),
        ("items-category-armor.json", "item", Predicate("categories", Op.HAS_ANY, ("armor",))),
        ("items-cost-gte-100.json", "item", Predicate("cost", Op.AT_LEAST, 100.0)),
        ("items-name-icontains-sword.json", "item", Predicate("name", Op.CONTAINS, "sword")),
        ("magicitems-rarity-legendary.json", "magic-item", Predicate("rarity", Op.IN, ("legendary",))),
        (
            "magicitems-attunement.json",
            "magic-item",
            Predicate("requires_attunement", Op.EQUALS, True),
        ),
        ("items-srd2014-limit40-page1.json", "item", Predicate("document_key", Op.IN, ("srd-2014",))),
        ("rules-srd2024-limit30-page1.json", "rule-section", Predicate("document_key", Op.IN, ("srd-2024",))),
    ],
)  # fmt: skip
def test_recorded_rows_are_what_their_filter_asked_for(name: str, endpoint: str, criteria: Predicate) -> None:
    recipes = ENDPOINTS[endpoint].recipes
    rows = json.loads((RECORDINGS / name).read_text())["results"]
    assert rows

    def read(raw: Any, attribute: str) -> Any:
        value = recipes[attribute].make(raw)
        return tuple(item.key for item in value) if attribute == "categories" else value

    assert all(matches(criteria, raw, read) for raw in rows)
