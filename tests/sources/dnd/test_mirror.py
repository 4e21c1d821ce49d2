"""The mirror of Open5e: whole, as the live provider answers, dated, merged, and gone again."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from typing import Any

import anyio
import pytest

from sources.data_version import data_version
from sources.database import Database
from sources.dnd.live_index import Cost
from sources.dnd.maps import CREATURES, SPELLS
from sources.dnd.merging import merge_creature, merge_spell
from sources.dnd.open5e_client import Open5e
from sources.dnd.open5e_documents import document_of
from sources.dnd.open5e_items import item_of, magic_item_of
from sources.dnd.records import Creature, Spell
from sources.dnd.rows_equipment import equipment_record
from sources.errors import BadInput, UpstreamError, UpstreamUnavailable
from sources.http import Http
from sources.http_settings import HttpSettings
from sources.sql_store import SqlStore
from tests.support.fake_open5e.extra_documents import EXTRA_DOCUMENTS
from tests.support.fake_upstream import Down, Gate, Held, html_error
from tests.support.mirrored import World, embedded_once
from tests.support.seeded import data, error

CONTENTS = """{
    rulebooks(first: 100) { totalCount nodes { key source mirroredAt licence counts { kind count } } }
    spells { totalCount provenance { warnings complete providers } }
    creatures { totalCount }
    equipment { totalCount }
    characterOptions { totalCount }
    rules { totalCount }
    burning: spells(filter: {search: "lights the dark"}) { totalCount }
}"""
"""What is held, by every way to count it."""


async def version_of(world: World) -> int:
    database = await Database.open(world.settings.database_target)
    try:
        found = await data_version(database, "dnd")
        assert found is not None
        return found.version
    finally:
        await database.close()


async def test_every_record_of_every_list_is_held(either_mirror_world: World) -> None:
    world = either_mirror_world
    before = await version_of(world)
    outcome = await world.mirror()
    assert outcome.changed
    assert outcome.quarantined == ()
    assert set(outcome.documents) == world.open5e.corpus.keys("documents")
    assert await version_of(world) == before + 1
    embedded = embedded_once()
    held = {spell.key for spell in embedded.spells} | {one.key for one in embedded.creatures}
    assert outcome.kinds["spell"].added == len(world.open5e.corpus.keys("spells") - held) == 17
    assert outcome.kinds["creature"].added == len(world.open5e.corpus.keys("creatures") - held) == 11
    assert {kind: change.removed for kind, change in outcome.kinds.items() if change.removed} == {}

    async with world.asking() as ask:
        found = data(await ask(CONTENTS))
    books = {book["key"]: book for book in found["rulebooks"]["nodes"]}
    assert set(books) == world.open5e.corpus.keys("documents")
    assert {key for key, book in books.items() if book["source"] == "merged"} == {"srd-2014"}
    assert {book["source"] for key, book in books.items() if key != "srd-2014"} == {"open5e"}
    (mirrored_at,) = {book["mirroredAt"] for book in books.values()}
    assert mirrored_at.endswith(("+00:00", "Z"))
    assert {key: book["licence"] for key, book in books.items()} == {
        record.key: document_of(record.row).licence for record in world.open5e.corpus.records("documents")
    }
    in_ember = Counter(
        record.document["key"] for record in world.open5e.corpus.records("spells") if record.document
    )["ember"]
    assert {"kind": "spell", "count": in_ember} in books["ember"]["counts"]
    assert found["spells"]["totalCount"] == 319 + 17
    assert found["creatures"]["totalCount"] == 334 + 11
    assert found["burning"]["totalCount"] == 17
    assert found["spells"]["provenance"] == {"warnings": [], "complete": True, "providers": ["local"]}


@pytest.mark.parametrize(
    ("table_map", "kind", "endpoint"), [(SPELLS, Spell, "spells"), (CREATURES, Creature, "creatures")]
)
async def test_records_are_those_of_the_live_provider(
    table_map: Any, kind: type[Spell | Creature], endpoint: str, mirror_world: World
) -> None:
    await mirror_world.mirror()
    columns = [field.name for field in fields(kind)]
    columns += ["document_name", "document_url", "document_licence", "document_attribution"]
    keys = sorted(
        record.key
        for record in mirror_world.open5e.corpus.records(endpoint)
        if record.document is not None and record.document["key"] in EXTRA_DOCUMENTS
    )
    # A reprint of the 2014 rules' dragon stands among those of 2024.
    assert len(keys) >= 11
    database = await Database.open(mirror_world.settings.database_target)
    http = Http(HttpSettings(host_rate=10_000, host_burst=10_000))
    live = await Open5e(http.trusted("Open5e", mirror_world.open5e.url)).by_keys(
        table_map.kind, keys, columns, Cost()
    )
    held = await SqlStore(database, table_map).by_keys(keys, columns)
    await http.close()
    await database.close()
    assert sorted(held) == keys
    for key in keys:
        assert {name: getattr(held[key], name) for name in columns} == {
            name: getattr(live[key], name) for name in columns
        }


async def test_what_is_embedded_too_is_merged_field_by_field(mirror_world: World) -> None:
    await mirror_world.mirror()
    database = await Database.open(mirror_world.settings.database_target)
    embedded: dict[str, Any] = {one.key: one for one in embedded_once().spells}
    embedded |= {one.key: one for one in embedded_once().creatures}
    http = Http(HttpSettings(host_rate=10_000, host_burst=10_000))
    open5e = Open5e(http.trusted("Open5e", mirror_world.open5e.url))
    cases: tuple[tuple[Any, Any, Any, str], ...] = (
        (SPELLS, Spell, merge_spell, "srd_fireball"),
        (CREATURES, Creature, merge_creature, "srd_aboleth"),
    )
    for table_map, kind, merge, key in cases:
        columns = [field.name for field in fields(kind)]
        live = (await open5e.by_keys(table_map.kind, [key], columns, Cost()))[key]
        held = (await SqlStore(database, table_map).by_keys([key], columns))[key]
        theirs, ours = (kind(**{name: getattr(one, name) for name in columns}) for one in (live, held))
        assert ours == merge(theirs, embedded[key])
    await http.close()
    await database.close()


async def test_items_of_others_are_held_as_they_are_read(mirror_world: World) -> None:
    await mirror_world.mirror()
    dump = await mirror_world.dump()
    database = await Database.open(mirror_world.settings.database_target)
    with database.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM dnd_equipment").mappings().all()
    await database.close()
    held = {row["key"]: equipment_record(dict(row)) for row in rows}
    corpus = mirror_world.open5e.corpus
    for endpoint, make in (("items", item_of), ("magicitems", magic_item_of)):
        for record in corpus.records(endpoint):
            if record.document is not None and record.document["key"] in EXTRA_DOCUMENTS:
                assert held[record.key] == make(record.row)
    assert len(held) == len(dump["dnd_equipment"])


async def test_every_filter_reaches_what_is_mirrored_without_asking_anybody(mirror_world: World) -> None:
    await mirror_world.mirror()
    mirror_world.open5e.forget()
    async with mirror_world.asking() as ask:
        answer = data(
            await ask("""{
                edition: spells(filter: {edition: [A5E]}) { nodes { key } provenance { complete warnings } }
                document: spells(filter: {documents: ["ember"], school: [ILLUSION]}) { nodes { name } }
                tide: creatures(filter: {documents: ["tide"], crMin: 20}) { nodes { name document { key } } }
                name: spells(filter: {name: "facade"}) { nodes { key } }
                one: spell(key: "ember_wizards-lantern") { name source { licence } }
                rules: rules(filter: {documents: ["srd-2024"], kind: [RULE_SECTION]}) { nodes { name } }
                classes: characterOptions(filter: {documents: ["ember"], kind: [CLASS]}) { totalCount }
            }""")
        )
    assert [node["key"] for node in answer["edition"]["nodes"]] == [
        "a5e-lantern_don-t-look",
        "a5e-lantern_fireball",
    ]
    assert answer["edition"]["provenance"] == {"complete": True, "warnings": []}
    assert answer["document"] == {"nodes": [{"name": "Façade of Thorns"}]}
    assert answer["tide"] == {"nodes": [{"name": "Leviathan", "document": {"key": "tide"}}]}
    assert answer["name"] == {"nodes": [{"key": "ember_facade-of-thorns"}]}
    assert answer["one"] == {"name": "Wizard’s Lantern", "source": {"licence": "LicenseRef-OGL-1.0a"}}
    assert answer["rules"] == {"nodes": [{"name": "Moving Around"}]}
    assert answer["classes"] == {"totalCount": 3}
    assert mirror_world.open5e.calls == []


async def test_a_second_mirror_of_the_same_changes_nothing(either_mirror_world: World) -> None:
    world = either_mirror_world
    await world.mirror()
    version, dump = await version_of(world), await world.dump()
    async with world.asking() as ask:
        before = data(await ask(CONTENTS))
    outcome = await world.mirror()
    assert not outcome.changed
    assert {change.unchanged > 0 for change in outcome.kinds.values()} == {True}
    assert sum(one.added + one.changed + one.removed for one in outcome.kinds.values()) == 0
    assert await version_of(world) == version
    assert await world.dump() == dump
    async with world.asking() as ask:
        assert data(await ask(CONTENTS)) == before


async def test_what_changed_upstream_is_told_by_kind(mirror_world: World) -> None:
    await mirror_world.mirror()
    corpus = mirror_world.open5e.corpus
    spell = corpus.get("spells", "ember_eclair-noir")
    assert spell is not None
    spell.row["level"] = 7
    corpus.remove("spells", "tide_undertow")
    corpus.remove("creatures", "tide_leviathan")
    corpus.add("spells", {**spell.row, "key": "ember_new", "name": "Newly Lit"}, document="ember")
    outcome = await mirror_world.mirror()
    spells, creatures = outcome.kinds["spell"], outcome.kinds["creature"]
    assert (spells.added, spells.changed, spells.removed) == (1, 1, 1)
    assert (creatures.added, creatures.changed, creatures.removed) == (0, 0, 1)
    async with mirror_world.asking() as ask:
        answer = data(
            await ask("""{
                spells(filter: {search: "newly lit"}) { nodes { key level } }
                gone: spells(filter: {search: "undertow"}) { totalCount }
                changed: spell(key: "ember_eclair-noir") { level }
            }""")
        )
    assert answer == {
        "spells": {"nodes": [{"key": "ember_new", "level": 7}]},
        "gone": {"totalCount": 0},
        "changed": {"level": 7},
    }


async def test_only_the_chosen_documents_are_mirrored(mirror_world: World) -> None:
    outcome = await mirror_world.mirror(["tide", "ember"])
    assert outcome.documents == ("ember", "tide")
    asked = {
        call.values.get("document__key__in")
        for call in mirror_world.open5e.calls
        if call.path == "/v2/spells/"
    }
    assert asked == {"ember,tide"}
    async with mirror_world.asking() as ask:
        held = data(await ask(CONTENTS))
        alone = data(await ask('{ characterOptions(filter: {documents: ["ember"]}) { totalCount } }'))
    books = {book["key"]: book["mirroredAt"] for book in held["rulebooks"]["nodes"]}
    assert sorted(books) == ["ember", "srd-2014", "tide"]
    assert books["srd-2014"] is None
    assert books["tide"] is not None
    assert alone["characterOptions"]["totalCount"] > 0
    # What is chosen next replaces it.
    await mirror_world.mirror(["srd-2024"])
    async with mirror_world.asking() as ask:
        held = data(await ask(CONTENTS))
    assert sorted(book["key"] for book in held["rulebooks"]["nodes"]) == ["srd-2014", "srd-2024"]


async def test_a_filter_that_the_upstream_ignores_lets_nothing_in(mirror_world: World) -> None:
    mirror_world.open5e.ignored.add("document__key__in")
    outcome = await mirror_world.mirror(["tide"])
    assert outcome.documents == ("tide",)
    async with mirror_world.asking() as ask:
        held = data(await ask("{ rulebooks { nodes { key } } spells { totalCount } }"))
    tide = [one for one in mirror_world.open5e.corpus.records("spells") if one.key.startswith("tide_")]
    assert held["rulebooks"]["nodes"] == [{"key": "srd-2014"}, {"key": "tide"}]
    assert held["spells"]["totalCount"] == 319 + len(tide)


@pytest.mark.parametrize(
    ("documents", "problem"), [(["tidee"], "does not know `tidee`"), ([], "names no document")]
)
async def test_an_unknown_document_is_refused_with_the_nearest(
    documents: list[str], problem: str, mirror_world: World
) -> None:
    before = await mirror_world.dump()
    with pytest.raises(BadInput, match=problem) as refused:
        await mirror_world.mirror(documents)
    assert refused.value.argument == "--documents"
    assert "tide" in (refused.value.suggestions or refused.value.allowed)
    assert await mirror_world.dump() == before


async def test_removing_the_mirror_leaves_what_was_embedded(either_mirror_world: World) -> None:
    world = either_mirror_world
    before, version = await world.dump(), await version_of(world)
    await world.mirror()
    changes = await world.remove()
    assert changes["document"].removed == len(world.open5e.corpus.keys("documents")) - 1
    assert await world.dump() == before
    assert await version_of(world) == version + 2
    assert all((one.added, one.changed, one.removed) == (0, 0, 0) for one in (await world.remove()).values())
    assert await version_of(world) == version + 2


async def test_an_upstream_that_is_down_leaves_what_is_held(mirror_world: World) -> None:
    await mirror_world.mirror()
    before = await mirror_world.dump()
    mirror_world.open5e.faults.always(Down())
    with pytest.raises(UpstreamUnavailable, match="Open5e"):
        await mirror_world.mirror()
    mirror_world.open5e.faults.clear()
    mirror_world.open5e.faults.always(html_error(), path="/v2/rules/")
    with pytest.raises(UpstreamError, match="Open5e"):
        await mirror_world.mirror()
    async with mirror_world.asking() as ask:
        assert data(await ask("{ spells { totalCount } }")) == {"spells": {"totalCount": 319 + 17}}
    after = await mirror_world.dump()
    staged = {"dnd_mirror", "dnd_mirror_page"}
    assert {name: rows for name, rows in after.items() if name not in staged} == {
        name: rows for name, rows in before.items() if name not in staged
    }


async def test_at_most_a_handful_of_requests_are_under_way(mirror_world: World) -> None:
    open5e, gate = mirror_world.open5e, Gate()
    for path in ("/v2/spells/", "/v2/creatures/", "/v2/items/", "/v2/magicitems/"):
        open5e.faults.once(Held(gate), path=path)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(mirror_world.mirror)
        await gate.arrived(4)
        waiting = len(open5e.calls)
        gate.open()
    assert waiting == 1 + 4
    assert open5e.most_at_once == 4
    assert open5e.connections <= 4
    assert {call.status for call in open5e.calls} == {200}


async def test_a_house_that_is_open_notices_a_mirror_of_another_process(mirror_world: World) -> None:
    query = '{ spells(filter: {documents: ["ember"], classKey: ["srd_druid"]}) { nodes { key document { name } } } }'
    async with mirror_world.asking() as ask:
        assert error(await ask(query))["extensions"]["argument"] == "filter.documents"
        await mirror_world.mirror()
        assert data(await ask(query))["spells"]["nodes"] == [
            {"key": "ember_facade-of-thorns", "document": {"name": "The Book of Ember’s Élan"}}
        ]
        await mirror_world.remove()
        assert error(await ask(query))["extensions"]["argument"] == "filter.documents"
