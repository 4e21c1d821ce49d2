"""What Open5e sends wrong: records are turned away with reasons, lists that cannot be trusted change nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from api.opening import open_house
from sources.dnd.mirror_reading import MirrorReader, UnusableList
from sources.errors import UpstreamBadResponse
from sources.mirroring import Quarantined
from tests.support.fake_open5e import Row
from tests.support.fake_open5e.corpus import Record, copied
from tests.support.mirrored import World
from tests.support.seeded import data

MISSING_LEVEL = Quarantined("spells", "ember_eclair-noir", "field `level` is missing")


def row(world: World, endpoint: str, key: str) -> Row:
    record = world.open5e.corpus.get(endpoint, key)
    assert record is not None
    return record.row


def doubled(world: World, endpoint: str, key: str, **changes: Any) -> None:
    """Lets the fake list a record a second time, changed."""
    corpus = world.open5e.corpus
    records = corpus.records

    def twice(listed: str) -> list[Record]:
        found = records(listed)
        if listed == endpoint:
            again = copied(row(world, endpoint, key)) | changes
            found.append(Record(again, corpus.documents[key.partition("_")[0]]))
        return found

    setattr(corpus, "records", twice)  # noqa: B010 - a method is replaced


async def complaints(world: World) -> tuple[str, ...]:
    async with open_house(world.settings) as house:
        return await house.scope.shelves["dnd"].complaints()


async def test_a_malformed_record_is_turned_away_and_told(either_mirror_world: World) -> None:
    world = either_mirror_world
    assert await complaints(world) == ()
    del row(world, "spells", "ember_eclair-noir")["level"]
    row(world, "creatures", "tide_leviathan")["hit_points"] = {"many": True}
    outcome = await world.mirror()
    assert outcome.quarantined == (
        MISSING_LEVEL,
        Quarantined("creatures", "tide_leviathan", "field `hit_points` is not a number"),
    )
    assert (outcome.kinds["spell"].added, outcome.kinds["spell"].quarantined) == (16, 1)
    assert (outcome.kinds["creature"].added, outcome.kinds["creature"].quarantined) == (10, 1)
    async with world.asking() as ask:
        answer = data(
            await ask('{ spells(filter: {documents: ["ember"]}) { nodes { key } } sources { name state } }')
        )
    assert {"key": "ember_eclair-noir"} not in answer["spells"]["nodes"]
    assert {"name": "dnd", "state": "READY"} in answer["sources"]
    (said,) = await complaints(world)
    assert said.startswith("The mirror of Open5e is without 2 records")
    assert "spells `ember_eclair-noir`: field `level` is missing" in said
    # Mended upstream, it comes in.
    row(world, "spells", "ember_eclair-noir")["level"] = 2
    row(world, "creatures", "tide_leviathan")["hit_points"] = 300
    outcome = await world.mirror()
    assert (outcome.kinds["spell"].added, outcome.quarantined) == (1, ())
    assert await complaints(world) == ()


async def test_of_two_records_of_one_key_that_differ_none_is_taken(mirror_world: World) -> None:
    doubled(mirror_world, "spells", "tide_undertow", level=9)
    outcome = await mirror_world.mirror()
    assert outcome.quarantined == (
        Quarantined("spells", "tide_undertow", "is there twice, with different content"),
    )
    assert outcome.kinds["spell"].added == 16


async def test_a_record_that_is_listed_twice_is_taken_once(mirror_world: World) -> None:
    doubled(mirror_world, "spells", "tide_undertow")
    outcome = await mirror_world.mirror()
    assert outcome.quarantined == ()
    assert outcome.kinds["spell"].added == 17


async def test_a_record_of_an_unknown_document_is_turned_away(mirror_world: World) -> None:
    row(mirror_world, "spells", "tide_undertow")["document"] = {
        "key": "nowhere",
        "gamesystem": {"key": "5e-2014", "name": "5e"},
    }
    row(mirror_world, "rules", "srd-2024_combat_moving-around")["document"] = "nowhere"
    outcome = await mirror_world.mirror()
    problem = "field `document` `nowhere` is none of Open5e's documents"
    assert outcome.quarantined == (
        Quarantined("spells", "tide_undertow", problem),
        Quarantined("rules", "srd-2024_combat_moving-around", problem),
    )


async def test_an_embedded_record_outlives_a_malformed_twin(mirror_world: World) -> None:
    row(mirror_world, "spells", "srd_fireball")["school"] = None
    outcome = await mirror_world.mirror()
    assert [one.key for one in outcome.quarantined] == ["srd_fireball"]
    async with mirror_world.asking() as ask:
        assert data(await ask('{ spell(key: "srd_fireball") { school { key } } }')) == {
            "spell": {"school": {"key": "evocation"}}
        }


async def test_a_list_of_which_much_is_malformed_changes_nothing(mirror_world: World) -> None:
    await mirror_world.mirror()
    before = await mirror_world.dump()
    for record in mirror_world.open5e.corpus.records("spells"):
        if record.key.startswith("ember_"):
            record.row["level"] = "first"
    with pytest.raises(UnusableList, match="`spells` of Open5e holds 7 records that cannot be used") as error:
        await mirror_world.mirror()
    assert {one.reason for one in error.value.rejects} == {"field `level` is not a number"}
    after = await mirror_world.dump()
    assert {name: rows for name, rows in after.items() if not name.startswith("dnd_mirror")} == {
        name: rows for name, rows in before.items() if not name.startswith("dnd_mirror")
    }
    (said,) = await complaints(mirror_world)
    assert "is not finished" in said
    assert "`ember_ash_and_bone`: field `level` is not a number" in said
    # The list is read again by the next run, the others are not.
    for record in mirror_world.open5e.corpus.records("spells"):
        if record.key.startswith("ember_"):
            record.row["level"] = 1
    mirror_world.open5e.forget()
    outcome = await mirror_world.mirror()
    whole = {call.path for call in mirror_world.open5e.calls if call.values["limit"] != "1"}
    assert whole == {"/v2/documents/", "/v2/spells/"}
    assert outcome.quarantined == ()
    assert await complaints(mirror_world) == ()


async def test_an_empty_list_is_not_believed(mirror_world: World) -> None:
    for record in mirror_world.open5e.corpus.records("feats"):
        mirror_world.open5e.corpus.remove("feats", record.key)
    with pytest.raises(UnusableList, match="`feats` of Open5e is empty"):
        await mirror_world.mirror()


class Miscounting:
    """Lets the fake say a wrong count for one list, `times` times."""

    def __init__(self, world: World, path: str, times: int) -> None:
        self.left = times
        found = world.open5e._found

        def miscounted(asked: str, parameters: Any, url: str) -> Row:
            envelope = found(asked, parameters, url)
            if asked == path and self.left > 0:
                self.left -= 1
                envelope["count"] += 1
            return envelope

        setattr(world.open5e, "_found", miscounted)  # noqa: B010 - a method is replaced


async def test_a_list_that_changes_while_it_is_read_is_read_again(mirror_world: World) -> None:
    Miscounting(mirror_world, "/v2/species/", times=1)
    outcome = await mirror_world.mirror()
    assert outcome.changed
    assert [call.path for call in mirror_world.open5e.calls].count("/v2/species/") == 2


async def test_a_count_that_disagrees_changes_nothing(mirror_world: World) -> None:
    before = await mirror_world.dump()
    Miscounting(mirror_world, "/v2/species/", times=2)
    with pytest.raises(UpstreamBadResponse, match="`species` of Open5e holds 15 records on page 1 where 16"):
        await mirror_world.mirror()
    after = await mirror_world.dump()
    assert {name: rows for name, rows in after.items() if not name.startswith("dnd_mirror")} == {
        name: rows for name, rows in before.items() if not name.startswith("dnd_mirror")
    }
    (said,) = await complaints(mirror_world)
    assert "holds 15 records on page 1 where 16 belong" in said


async def test_staged_pages_of_another_upstream_are_not_gone_on_with(mirror_world: World) -> None:
    Miscounting(mirror_world, "/v2/species/", times=2)
    with pytest.raises(UpstreamBadResponse):
        await mirror_world.mirror()
    # A spell more, and what was staged is of another state of the upstream.
    spell = copied(row(mirror_world, "spells", "tide_undertow")) | {"key": "tide_ebb", "name": "Ebb"}
    mirror_world.open5e.corpus.add("spells", spell, document="tide")
    mirror_world.open5e.forget()
    outcome = await mirror_world.mirror()
    assert outcome.resumed == 0
    assert outcome.kinds["spell"].added == 18
    assert await complaints(mirror_world) == ()


@pytest.mark.parametrize(
    "given",
    [
        None,
        7,
        "text",
        [],
        {},
        {"name": "No key"},
        {"key": ""},
        {"key": 5},
        {"key": "x"},
        {"key": "x", "document": 3},
    ],
)
def test_whatever_stands_in_a_list_is_turned_away_with_a_reason(given: Any) -> None:
    reader = MirrorReader({"spells": [given], "items": [given], "conditions": [given]}, None, strict=False)
    content = reader.read(datetime.now(UTC))
    assert (content.spells, content.equipment, content.rules) == ((), (), ())
    assert [one.list for one in reader.rejects] == ["spells", "items", "conditions"]
    assert all(one.reason for one in reader.rejects)
