"""`doctor --probe` tries the filters of the D&D 5e API, and tells which of them are not heeded."""

from __future__ import annotations

import pytest

from api.settings import Settings
from sources.dnd.dnd5e_probe import probe_dnd5e
from sources.dnd.store import DndShelf
from sources.source import ProbeVerdict
from tests.support.fake_dnd5e import FakeDnd5e
from tests.support.fake_dnd5e import app as fake_dnd5e_app
from tests.support.live_dnd5e import dnd5e_scope


async def test_what_is_declared_is_tried(
    seeded_settings: Settings, dnd5e: FakeDnd5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with dnd5e_scope(seeded_settings, dnd5e.url, monkeypatch) as scope:
        shelf = scope.shelf("dnd", DndShelf)
        probes = await shelf.probe()
        assert [(probe.where, probe.parameter) for probe in probes] == [
            ("/spells", "name"),
            ("/spells", "name_exact"),
            ("/spells", "level"),
            ("/spells", "level_min"),
            ("/spells", "level_max"),
            ("/spells", "school"),
            ("/monsters", "name"),
            ("/monsters", "name_exact"),
            ("/monsters", "challenge_rating"),
            ("/monsters", "challenge_rating_min"),
            ("/monsters", "challenge_rating_max"),
        ]
        assert {probe.verdict for probe in probes} == {ProbeVerdict.AGREES}
        details = {(probe.where, probe.parameter): probe.detail for probe in probes}
        assert details["/spells", "school"] == "school=illusion&school=necromancy: 51 of 319, 51 meant"
        assert details["/monsters", "challenge_rating_min"] == (
            "challenge_rating=20,21,22,23,24,25,26,27,28,29,30: 15 of 334, 15 meant"
        )


async def test_a_filter_that_is_not_heeded_differs(
    seeded_settings: Settings, dnd5e: FakeDnd5e, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = fake_dnd5e_app._values
    ignored = ("school", "challenge_rating")
    monkeypatch.setattr(
        fake_dnd5e_app, "_values", lambda given, name: [] if name in ignored else values(given, name)
    )
    async with dnd5e_scope(seeded_settings, dnd5e.url, monkeypatch) as scope:
        client = scope.shelf("dnd", DndShelf).dnd5e
        assert client is not None
        differing = {
            probe.parameter for probe in await probe_dnd5e(client) if probe.verdict is ProbeVerdict.DIFFERS
        }
        assert {"school", "challenge_rating", "challenge_rating_min", "challenge_rating_max"} <= differing
        assert "level" not in differing
