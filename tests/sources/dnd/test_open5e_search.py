"""Open5e's unified search as a source of recall: what is sent, what is added, and what a missing index does."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from sources.dnd.live_index import Cost
from sources.dnd.open5e_client import Open5e
from sources.dnd.open5e_search import KINDS, FoundBy, Recall, quoted, recall
from sources.errors import UpstreamUnavailable
from sources.http import Http
from sources.http_settings import HttpSettings
from tests.support.fake_open5e import FakeOpen5e, SearchIndex
from tests.support.fake_upstream import Down


@pytest.fixture
async def client(open5e: FakeOpen5e) -> AsyncIterator[Open5e]:
    http = Http(HttpSettings(host_rate=10_000, host_burst=10_000, retry_seconds=0.01))
    yield Open5e(http.trusted("Open5e", open5e.url))
    await http.close()


def keys(found: Recall, by: FoundBy) -> set[str]:
    return {candidate.key for candidate in found.candidates if candidate.found_by is by}


async def test_what_is_sent(client: Open5e, open5e: FakeOpen5e) -> None:
    cost = Cost()
    await recall(client, "fireball", cost, kinds=["spell"], documents=["srd-2014"])
    (call,) = open5e.calls
    assert call.path == "/v2/search/"
    assert call.values == {
        "query": "fireball",
        "limit": "50",
        "fuzzy": "true",
        "vector": "true",
        "object_model": "Spell",
        "document_pk": "srd-2014",
    }
    assert cost.requests == 1


async def test_all_kinds_are_one_search_and_the_lists_that_it_leaves_out(
    client: Open5e, open5e: FakeOpen5e
) -> None:
    found = await recall(client, "blinded", Cost())
    assert sorted((call.path, *sorted(set(call.values) - {"limit"})) for call in open5e.calls) == [
        ("/v2/conditions/",),
        ("/v2/magicitems/", "desc__icontains", "document__fields", "fields"),
        ("/v2/magicitems/", "document__fields", "fields", "name__icontains"),
        ("/v2/search/", "fuzzy", "query", "vector"),
    ]
    assert {candidate.kind for candidate in found.candidates} <= set(KINDS)
    conditions = [candidate for candidate in found.candidates if candidate.kind == "condition"]
    assert {(one.name, one.found_by) for one in conditions} == {("Blinded", FoundBy.NAME)}
    assert "srd_blinded" in {one.key for one in conditions}


async def test_a_condition_is_found_in_the_document_that_is_asked_for(client: Open5e) -> None:
    found = await recall(client, "blinded", Cost(), kinds=["condition"], documents=["srd-2014"])
    assert [(one.key, one.document_key) for one in found.candidates] == [("srd_blinded", "srd-2014")]
    assert found.complete
    rule = await client.by_keys("rule", ["srd_blinded"], ("name",), Cost())
    assert rule["srd_blinded"].name == "Blinded"


async def test_magic_items_are_found_by_name_and_by_text(client: Open5e) -> None:
    found = await recall(client, "bag of holding", Cost(), kinds=["magic_item"])
    by_key = {candidate.key: candidate for candidate in found.candidates}
    assert by_key["srd_bag-of-holding"].name == "Bag of Holding"
    assert "srd_portable-hole" in by_key, "its text speaks of the bag"
    assert len(found.candidates) == len(by_key)


async def test_a_mistyped_name_is_found_in_every_document(client: Open5e) -> None:
    cost = Cost()
    found = await recall(client, "firbal", cost, kinds=["spell"])
    assert keys(found, FoundBy.FUZZY) == {
        "srd_fireball",
        "srd-2024_fireball",
        "ember_fireball",
        "a5e-lantern_fireball",
        "srd_delayed-blast-fireball",
    }
    assert found.complete
    assert cost.requests == 2
    within = await recall(client, "firbal", cost, kinds=["spell"], documents=["srd-2024"])
    assert [candidate.key for candidate in within.candidates] == ["srd-2024_fireball"]


async def test_without_near_words_a_mistyped_name_is_not_found(client: Open5e, open5e: FakeOpen5e) -> None:
    found = await recall(client, "firbal", Cost(), kinds=["spell"], fuzzy=False, vector=False)
    assert (found.candidates, found.complete) == ([], True)
    assert open5e.calls[0].values["strict"] == "true"


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("fireball", "fireball"),
        ("fire-bolt", '"fire-bolt"'),
        ("don't look", '"don\'t" look'),
        ('"fire', "fire"),
        ("blindness/deafness", '"blindness/deafness"'),
        ("rock AND roll NOT", 'rock "AND" roll "NOT"'),
        ("Éclair noir", "Éclair noir"),
        (" \t\n ", ""),
        ('""', ""),
    ],
)
def test_words_that_mean_something_upstream_are_quoted(query: str, sent: str) -> None:
    assert quoted(query) == sent


async def test_signs_are_harmless(client: Open5e) -> None:
    found = await recall(client, "fire-bolt", Cost(), kinds=["spell"], documents=["srd-2014"])
    assert "srd_fire-bolt" in keys(found, FoundBy.EXACT)


@pytest.mark.parametrize("query", ["", "   ", '"', "\0"])
async def test_nothing_asked_asks_nothing(query: str, client: Open5e, open5e: FakeOpen5e) -> None:
    found = await recall(client, query, Cost())
    assert (found.candidates, found.complete, open5e.calls) == ([], True, [])


async def test_a_long_query_is_cut_and_answered(client: Open5e, open5e: FakeOpen5e) -> None:
    await recall(client, "fireball " * 2_000, Cost())
    assert all(call.status == 200 for call in open5e.calls)
    assert max(len(call.query) for call in open5e.calls) < 2_000


async def test_without_an_index_of_near_words_whole_words_are_found(
    client: Open5e, open5e: FakeOpen5e
) -> None:
    open5e.search_index = SearchIndex.NO_VECTORS
    found = await recall(client, "fireball", Cost(), kinds=["spell"], documents=["srd-2014"])
    assert keys(found, FoundBy.EXACT) >= {"srd_fireball", "srd_delayed-blast-fireball"}
    assert not found.complete
    assert found.warnings == ["Open5e can at present search for whole words alone."]


async def test_without_any_index_parts_of_names_are_found(client: Open5e, open5e: FakeOpen5e) -> None:
    open5e.search_index = SearchIndex.NONE
    found = await recall(client, "fireball", Cost(), kinds=["spell", "creature"])
    assert keys(found, FoundBy.NAME) == {
        "srd_fireball",
        "srd_delayed-blast-fireball",
        "srd-2024_fireball",
        "ember_fireball",
        "a5e-lantern_fireball",
    }
    assert not found.complete
    assert found.warnings == ["Open5e cannot search at present; parts of names were looked for instead."]
    # An answer that the upstream always gives says nothing about whether it is up: the lists still answer.
    assert all(call.status in (200, 500) for call in open5e.calls)


async def test_a_cut_is_told(client: Open5e) -> None:
    found = await recall(client, "dragon", Cost(), kinds=["creature"], limit=5)
    assert len(found.candidates) == 5
    assert not found.complete
    assert found.warnings == ["Open5e found more than the 5 records that were read."]


async def test_an_outage_is_an_error(client: Open5e, open5e: FakeOpen5e) -> None:
    open5e.faults.always(Down())
    with pytest.raises(UpstreamUnavailable):
        await recall(client, "fireball", Cost())


async def test_an_unknown_kind_is_a_mistake_of_ours(client: Open5e) -> None:
    with pytest.raises(ValueError, match="monster"):
        await recall(client, "fireball", Cost(), kinds=["monster"])
