"""What references and entries of the D&D 5e API become, beside the same records as they are embedded."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from sources.dnd.dnd5e_client import host_limits
from sources.dnd.dnd5e_collections import Collection, Surrounding
from sources.dnd.dnd5e_endpoints import CREATURE_LIST, ENDPOINTS, SPELL_LIST, compile_query
from sources.dnd.embedded import read_embedded
from sources.dnd.parsing import MalformedRecord
from sources.dnd.settings import DndSettings
from sources.http import HostLimits
from tests.support.fake_dnd5e.collections import collections, levels, reference

COLLECTIONS = {one.path: one for endpoint in ENDPOINTS.values() for one in endpoint.collections}


@cache
def embedded() -> dict[tuple[str, str], Any]:
    """Every record, by its class and key: equipment and rules share some keys."""
    data = read_embedded()
    records: tuple[Any, ...] = (
        *data.spells,
        *data.creatures,
        *data.equipment,
        *data.rules,
        *data.options.options,
    )
    return {(type(record).__name__, record.key): record for record in records}


def around(collection: Collection) -> dict[str, Any]:
    """Everything that stands around the records of a collection."""
    needed = {one for needs in collection.needs.values() for one in needs}
    return {one.name: one.make(entries(one)) for one in needed}


def entries(one: Surrounding) -> list[Any]:
    held = collections("2014")[one.path]
    if one.name != "slots":
        return list(held.values())
    return [raw for raw in levels() if raw["level"] == 20 and "subclass" not in raw]


@pytest.mark.parametrize("path", sorted(COLLECTIONS))
def test_entries_become_the_embedded_records(path: str) -> None:
    collection = COLLECTIONS[path]
    surroundings = around(collection)
    raws = collections("2014")[path]
    assert raws
    for raw in raws.values():
        record = collection.read(raw, surroundings)
        held = embedded()[type(record).__name__, record.key]
        if path in ("equipment", "magic-items"):
            # The categories that list an item come in the order of the API's list, which is by index.
            assert set(record.categories) == set(held.categories)
            assert record.categories[0] == held.categories[0]
            held = replace(held, categories=record.categories)
        assert record == held
        told = collection.told(reference(raw, level="level" in collection.numbers))
        assert told.keys() == collection.listed
        for name, value in told.items():
            assert collection.value(record, name, surroundings) == value, (record.key, name)
        assert collection.index_of(record.key) == raw["index"]


def test_every_embedded_record_has_its_entry() -> None:
    made = set()
    for path, collection in COLLECTIONS.items():
        for raw in collections("2014")[path].values():
            made.add((collection.path, collection.told(reference(raw, level=path == "spells"))["key"]))
    assert len(made) == len(embedded()) == 319 + 334 + 599 + 252 + 39


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"name": "Nameless"}, "field `index` is missing or malformed"),
        ({"index": "../classes", "name": "Path", "level": 1}, "field `index` is missing or malformed"),
        ({"index": "a", "name": " ", "level": 1}, "field `name` is missing"),
        ({"index": "a", "name": "A"}, "field `level` is not a number"),
    ],
)
def test_a_reference_that_lacks_something(row: dict[str, Any], problem: str) -> None:
    with pytest.raises(MalformedRecord) as error:
        COLLECTIONS["spells"].told(row)
    assert problem in str(error.value)


@pytest.mark.parametrize("key", ["srd-2024_fireball", "fireball", "srd_", "srd_../x", "srd_Fire Ball", ""])
def test_keys_that_lead_nowhere(key: str) -> None:
    assert COLLECTIONS["spells"].index_of(key) is None


@pytest.mark.parametrize(
    ("conditions", "parameters"),
    [
        ({}, ()),
        ({"level": "3"}, (("level", "3"),)),
        ({"level_min": "0"}, ()),
        ({"level_min": "3", "level_max": "5"}, (("level", "3,4,5"),)),
        ({"level": "1,4,9", "level_min": "2"}, (("level", "4,9"),)),
        ({"school": "evocation,illusion"}, (("school", "evocation"), ("school", "illusion"))),
        ({"name": "a.b*"}, (("name", "a.b*"),)),
        ({"name": "fire", "name_exact": "fireball"}, (("name", "fire"),)),
    ],
)
def test_conditions_become_parameters(
    conditions: dict[str, str], parameters: tuple[tuple[str, str], ...]
) -> None:
    query = compile_query(SPELL_LIST, conditions)
    assert query.parameters == parameters
    assert (query.name_exact, query.nothing) == (conditions.get("name_exact"), False)


def test_no_value_between_the_bounds() -> None:
    query = compile_query(CREATURE_LIST, {"challenge_rating_min": "0.3", "challenge_rating_max": "0.4"})
    assert query.nothing


def test_what_the_planner_may_push_is_sent_as_the_upstream_knows_it() -> None:
    for endpoint in ENDPOINTS.values():
        for ability in endpoint.abilities.filters:
            value = {"name": "x", "name_exact": "x", "school": "evocation", "key": "a", "kind": "gear"}
            conditions = {name: value.get(name, "3") for name in ability.names}
            sent = {name for name, _ in compile_query(endpoint, conditions).parameters}
            for collection in endpoint.collections:
                assert sent <= collection.parameters


def test_the_public_api_is_never_asked_more_than_it_takes() -> None:
    limits = host_limits(DndSettings().dnd5e_rate)
    assert limits == HostLimits(at_once=8, rate=40, burst=8)
    # It counts whole seconds: a full burst may come at the begin of one.
    assert limits.rate + limits.burst <= 50
