"""The number of a room's data: it moves with the data, or not at all."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from sources.data_version import data_version, make_data_versions, move_data_version
from sources.database import Database


def move(database: Database, room: str) -> int:
    with database.writing() as session:
        return move_data_version(session.connection(), room)


async def test_each_room_has_its_own_number_that_grows(database: Database) -> None:
    with database.writing() as session:
        make_data_versions(session.connection())
        make_data_versions(session.connection())
    assert await data_version(database, "events") is None
    assert [move(database, "events"), move(database, "events"), move(database, "library")] == [1, 2, 1]
    events, library = await data_version(database, "events"), await data_version(database, "library")
    assert events is not None
    assert library is not None
    assert (events.version, library.version) == (2, 1)
    assert events.changed_at <= library.changed_at


async def test_a_change_that_fails_moves_nothing(database: Database) -> None:
    with database.writing() as session:
        make_data_versions(session.connection())
    move(database, "events")
    with pytest.raises(RuntimeError), database.writing() as session:  # noqa: PT012
        assert move_data_version(session.connection(), "events") == 2
        raise RuntimeError
    found = await data_version(database, "events")
    assert found is not None
    assert found.version == 1


async def test_changes_at_once_never_share_a_number(database: Database) -> None:
    with database.writing() as session:
        make_data_versions(session.connection())
    move(database, "events")
    with ThreadPoolExecutor(4) as threads:
        numbers = list(threads.map(lambda _: move(database, "events"), range(20)))
    assert sorted(numbers) == list(range(2, 22))
