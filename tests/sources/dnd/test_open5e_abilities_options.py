"""What the lists of character options are declared to do, on the fake and as far as it was recorded."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from sources.ability import Ability, Fidelity
from sources.criteria import Criteria, Not, Op, Predicate, matches
from sources.dnd.live_index import Cost
from sources.dnd.open5e_client import Open5e
from sources.dnd.open5e_endpoint import Endpoint
from sources.dnd.open5e_endpoints_options import CLASSES, OPTION_ENDPOINTS, SPECIES
from sources.http import Http
from sources.http_settings import HttpSettings
from tests.contracts.house import ROOT
from tests.sources.dnd.test_open5e_abilities import asked, read_all
from tests.support.fake_open5e import FakeOpen5e
from tests.support.live import check_requests

RECORDINGS = ROOT.parent / "shared" / "recorded" / "open5e"
recorded = pytest.mark.skipif(
    not RECORDINGS.is_dir(), reason="the recordings of Open5e are not laid beside the repository"
)
VALUES: Mapping[tuple[str, Op], Any] = {
    ("key", Op.IN): ("srd_wizard", "ember_elf", "srd_acolyte", "ember_grappler"),
    ("name", Op.CONTAINS): "l",
    ("document_key", Op.IN): ("ember", "tide"),
    ("edition", Op.IN): ("5e-2024", "a5e"),
    ("kind", Op.EQUALS): "subclass",
    ("subclass_of", Op.EQUALS): "srd_wizard",
    ("subspecies_of", Op.IN): ("srd_elf", "srd_gnome"),
}
NAMES = {"class": "WIZARD", "species": "elf", "background": "acolyte", "feat": "GRAPPLER"}
ENTRIES = [
    (endpoint, ability) for endpoint in OPTION_ENDPOINTS.values() for ability in endpoint.abilities.filters
]


@pytest.fixture
async def client(open5e: FakeOpen5e) -> AsyncIterator[Open5e]:
    for endpoint, key in (("backgrounds", "srd_acolyte"), ("feats", "srd_grappler")):
        source = open5e.corpus.get(endpoint, key)
        assert source is not None
        # One more name, so that a filter of names has something to leave out.
        row = {**source.row, "key": f"{key}-other", "name": "Other"}
        open5e.corpus.add(endpoint, row, document="srd-2014")
    http = Http(HttpSettings(host_rate=10_000, host_burst=10_000, retry_seconds=0.01))
    yield Open5e(http.trusted("Open5e", open5e.url))
    await http.close()


@pytest.mark.parametrize(
    ("endpoint", "ability"),
    ENTRIES,
    ids=[f"{endpoint.name}-{ability.names[0]}" for endpoint, ability in ENTRIES],
)
async def test_an_entry_filters_as_it_is_declared_to(
    endpoint: Endpoint, ability: Ability, client: Open5e, open5e: FakeOpen5e
) -> None:
    upstream = client.one(endpoint.name, Cost())
    columns = ("key", ability.attribute)
    everything = await read_all(upstream, {}, columns)
    value = VALUES.get((ability.attribute, ability.op), True)
    if ability.op is Op.FOLDED_EQUALS:
        value = NAMES[endpoint.name]
    if ability.op is Op.CONTAINS and endpoint.name in ("background", "feat"):
        value = {"background": "ACO", "feat": "app"}[endpoint.name]
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


def test_names_of_classes_are_not_left_to_the_upstream() -> None:
    assert "name__contains" not in CLASSES.abilities.parameters
    assert not [one for one in CLASSES.abilities.filters if (one.attribute, one.op) == ("name", Op.CONTAINS)]


def recording(name: str) -> Any:
    return json.loads((RECORDINGS / f"{name}.json").read_text())


def made(endpoint: Endpoint, name: str, attribute: str) -> dict[str, Any]:
    """An attribute of each record of a recorded list, by key."""
    body = recording(name)
    assert body["next"] is None
    return {row["key"]: endpoint.recipes[attribute].make(row) for row in body["results"]}


@recorded
def test_subclasses_and_classes_are_parted_as_recorded() -> None:
    classes = made(CLASSES, "classes-srd2014-base-keys", "kind")
    subclasses = made(CLASSES, "classes-srd2014-sub-keys", "kind")
    assert set(classes.values()) == {"class"}
    assert set(subclasses.values()) == {"subclass"}
    assert len(classes) + len(subclasses) == recording("classes-srd2014-limit3")["count"] == 24
    parents = made(CLASSES, "classes-srd2014-sub-keys", "subclass_of")
    assert set(parents.values()) == classes.keys()


@recorded
def test_species_of_their_own_are_those_recorded() -> None:
    everything = made(SPECIES, "species-srd2014", "is_subspecies")
    own = made(SPECIES, "species-subspecies-null", "is_subspecies")
    assert own.keys() == {key for key, is_subspecies in everything.items() if not is_subspecies}
    assert 0 < len(own) < len(everything)


@recorded
@pytest.mark.parametrize(("kind", "name"), [("background", "backgrounds-srd"), ("feat", "feats-srd")])
def test_documents_filter_as_recorded(kind: str, name: str) -> None:
    asked_for = Predicate("document_key", Op.IN, ("srd-2014", "srd-2024"))
    documents = made(OPTION_ENDPOINTS[kind], name, "document_key")
    assert {key for key, document in documents.items() if document in asked_for.value} == documents.keys()
    assert set(documents.values()) == {"srd-2014", "srd-2024"}
