"""What Open5e's endpoints are declared to do is tested, not believed: each entry against filtering all of it here."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from sources.ability import Ability, Fidelity
from sources.criteria import Criteria, Not, Op, Predicate, matches
from sources.dnd.live_index import Cost
from sources.dnd.open5e_client import Open5e, Open5eList, Refused, batches
from sources.dnd.open5e_endpoints import CREATURES, ENDPOINTS, SPELLS, Endpoint, write_keys
from sources.errors import BadInput, UpstreamBadResponse, UpstreamUnavailable
from sources.http import Http
from sources.http_settings import HttpSettings
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
}
ENTRIES = [(endpoint, ability) for endpoint in ENDPOINTS.values() for ability in endpoint.abilities.filters]


@pytest.fixture
async def client(open5e: FakeOpen5e) -> AsyncIterator[Open5e]:
    http = Http(HttpSettings(host_rate=10_000, host_burst=10_000, retry_seconds=0.01))
    yield Open5e(http.trusted("Open5e", open5e.url))
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
    ids=[f"{endpoint.kind}-{ability.names[0]}" for endpoint, ability in ENTRIES],
)
async def test_an_entry_filters_as_it_is_declared_to(
    endpoint: Endpoint, ability: Ability, client: Open5e, open5e: FakeOpen5e
) -> None:
    upstream = client.list(endpoint.kind, Cost())
    columns = ("key", ability.attribute)
    everything = await read_all(upstream, {}, columns)
    value = VALUES.get((ability.attribute, ability.op), True)
    if ability.op is Op.FOLDED_EQUALS:
        value = {"spell": "FIREBALL", "creature": "goblin"}[endpoint.kind]
    wanted: list[tuple[Criteria, dict[str, str] | None]] = [
        (asked(ability, value), ability.parameters(value))
    ]
    if ability.negated is not None:
        wanted.append((Not(asked(ability, value)), ability.parameters(value, negated=True)))
    for criteria, parameters in wanted:
        assert parameters is not None
        found = await read_all(upstream, parameters, columns)
        meant = {key for key, record in everything.items() if matches(criteria, record, upstream.read)}
        assert 0 < len(found) < len(everything)
        if ability.fidelity is Fidelity.EXACT:
            assert found.keys() == meant
        else:
            assert ability.fidelity is Fidelity.SUBSET
            assert found.keys() <= meant
    check_requests(open5e)


@pytest.mark.parametrize("endpoint", [SPELLS, CREATURES], ids=["spells", "creatures"])
async def test_the_orders_are_those_that_are_meant(endpoint: Endpoint, client: Open5e) -> None:
    sort = endpoint.abilities.sort
    assert sort is not None
    for words, descending in ((sort.ascending, False), (sort.descending, True)):
        for attribute, word in words.items():
            columns = ("key", attribute)
            page = await client.list(endpoint.kind, Cost()).fetch(
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
async def test_the_index_adds_what_like_does_not_see(name: str, key: str, client: Open5e) -> None:
    upstream = client.list("spell", Cost())
    added = await upstream.complete_subset(Predicate("name", Op.CONTAINS, name))
    found = await upstream.fetch({"name__icontains": name}, 0, 500, ("key",))
    assert added == [key]
    assert key not in [record.key for record in found.records]


async def test_the_index_is_read_once_and_leaves_out_what_like_sees(
    client: Open5e, open5e: FakeOpen5e
) -> None:
    cost = Cost()
    for _ in range(3):
        assert await client.list("spell", cost).complete_subset(Predicate("name", Op.CONTAINS, "fire")) == []
    assert cost.requests == 1
    assert len(open5e.calls) == 1
    assert open5e.calls[0].values["fields"] == "key,name,document"


async def test_without_an_index_nothing_is_said_of_what_is_missing(
    client: Open5e, open5e: FakeOpen5e
) -> None:
    open5e.faults.always(Down())
    predicate = Predicate("name", Op.CONTAINS, "fire")
    assert await client.list("spell", Cost()).complete_subset(predicate) is None


async def test_pages_are_numbered_from_one(client: Open5e, open5e: FakeOpen5e) -> None:
    upstream = client.list("spell", Cost())
    first = await upstream.fetch({"ordering": "key"}, 0, 100, ("key",))
    second = await upstream.fetch({"ordering": "key"}, 100, 100, ("key",))
    assert [call.values.get("page") for call in open5e.calls] == [None, "2"]
    assert first.has_more
    assert max(record.key for record in first.records) < min(record.key for record in second.records)


async def test_a_refused_value_is_an_error_and_no_empty_page(client: Open5e) -> None:
    upstream = client.list("creature", Cost())
    with pytest.raises(BadInput) as refused:
        await upstream.fetch({"type": "Dragon"}, 0, 10, ("key",))
    assert refused.value.argument == "filter.type"
    with pytest.raises(Refused, match="Open5e refused `level`"):
        await client.page("/spells/", {"level": "abc"})


@pytest.mark.parametrize(
    ("fault", "error"), [(html_error(), UpstreamUnavailable), (html_error(400), UpstreamBadResponse)]
)
async def test_a_page_of_html_is_an_error(
    fault: Any, error: type[Exception], client: Open5e, open5e: FakeOpen5e
) -> None:
    open5e.faults.always(fault)
    with pytest.raises(error):
        await client.list("spell", Cost()).fetch({}, 0, 10, ("key",))


async def test_a_record_that_cannot_be_read_is_left_out_and_told_of(
    client: Open5e, open5e: FakeOpen5e
) -> None:
    record = open5e.corpus.get("spells", "srd_fireball")
    assert record is not None
    record.row["school"] = None
    cost = Cost()
    page = await client.list("spell", cost).fetch(
        {"key__in": "srd_fireball,srd_shield"}, 0, 10, ("key", "school")
    )
    assert [spell.key for spell in page.records] == ["srd_shield"]
    assert cost.losses == [
        "Open5e holds a spell that cannot be read: record `srd_fireball`: field `school` is not a word of a vocabulary."
    ]


async def test_fifty_spells_by_key_cost_one_request(client: Open5e, open5e: FakeOpen5e) -> None:
    keys = sorted(open5e.corpus.keys("spells"))[:50]
    cost = Cost()
    found = await client.by_keys("spell", keys, ("name",), cost)
    assert sorted(found) == keys
    assert (len(open5e.calls), cost.requests) == (1, 1)
    check_requests(open5e)


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


async def test_class_words_are_base_classes(client: Open5e) -> None:
    words = await client.words("classes", Cost())
    assert "srd_wizard" in words
    assert not [word for word in words if "evocation" in word]
