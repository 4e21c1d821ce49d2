"""The index of meanings: built step by step, told how far it is, and never trusted beyond that."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import anyio.to_thread
import pytest

from sources.database import Database
from sources.errors import DataFolderError, UpstreamUnavailable
from sources.index_state import IndexState, index_state, index_states
from sources.seeding import seed_sources
from sources.vectors import VectorStore
from tests.support.toy_index import Notes, ToyIndex

NOTES = {"a": "red dragons breathe fire", "b": "a silver spoon for soup", "c": "the moon over the harbour"}


def no_report(what: str, done: int, total: int) -> None:
    pass


@pytest.fixture
async def prepared(database: Database, database_target: str) -> Database:
    """A database with the house's own tables."""
    await anyio.to_thread.run_sync(seed_sources, database_target, database, (), no_report)
    return database


@pytest.fixture
async def index(prepared: Database, tmp_path: Path) -> AsyncIterator[ToyIndex]:
    made = ToyIndex(prepared, tmp_path / "data", Notes("notes", NOTES))
    yield made
    await made.close()


async def test_what_is_indexed_is_found_and_only_what_changed_is_embedded_again(index: ToyIndex) -> None:
    (notes,) = index.rooms["toy"]
    built = await index.indexer.run_once()
    assert (built.embedded, built.removed, built.failed) == (3, 0, {})
    assert (await index.find(notes, "a dragon of fire"))[0] == "a"
    assert (await index.semantic.reach(notes)).whole

    index.embedders.toy.texts.clear()
    assert (await index.indexer.run_once()).embedded == 0
    notes.notes |= {"b": "the spoon was of gold", "d": "winter"}
    del notes.notes["c"]
    built = await index.indexer.run_once()
    assert sorted(index.embedders.toy.texts) == ["the spoon was of gold", "winter"]
    assert (built.embedded, built.removed) == (2, 1)
    assert sorted(await index.find(notes, "gold winter", 10)) == ["a", "b", "d"]


async def test_it_says_how_far_it_is(index: ToyIndex) -> None:
    (notes,) = index.rooms["toy"]
    before = await index.semantic.reach(notes)
    assert (before.collection, before.reason) == (None, "The index of meanings is not open in this process.")
    await index.access.store()
    assert (await index.semantic.reach(notes)).reason == "Nothing is indexed by meaning yet."
    await index.indexer.run_once()
    state = await index_state(index.database, "toy:notes")
    assert state == IndexState("toy:notes", "toy", "toy", await notes.version(), 3, 3)
    notes.notes["d"] = "winter"
    reach = await index.semantic.reach(notes)
    assert not reach.whole
    assert reach.reason == (
        "Something changed since the index of meanings was built; it is being brought up to date."
    )
    assert await index.find(notes, "winter harbour", 1) == ["c"]


async def test_a_batch_that_fails_leaves_what_was_before_and_says_why(index: ToyIndex) -> None:
    (notes,) = index.rooms["toy"]
    await index.indexer.run_once()
    other = Notes("other", {"x": "a door"})
    index.rooms["toy"].append(other)
    notes.notes["d"] = "winter"
    index.embedders.toy.failing = UpstreamUnavailable("The embedding service is away.", upstream="it")
    built = await index.indexer.run_once()
    assert set(built.failed) == {"toy:notes", "toy:other"}
    states = {state.collection: state for state in await index_states(index.database, "toy")}
    assert states["toy:notes"].indexed == 3
    assert states["toy:notes"].version is None
    assert states["toy:notes"].message == "The embedding service is away."
    index.embedders.toy.failing = None
    assert (await index.indexer.run_once()).embedded == 2
    assert (await index.semantic.reach(notes)).whole
    assert await index.find(other, "door") == ["x"]


async def test_vectors_that_were_lost_are_noticed_and_made_again(prepared: Database, tmp_path: Path) -> None:
    notes = Notes("notes", NOTES)
    first = ToyIndex(prepared, tmp_path / "first", notes)
    await first.indexer.run_once()
    await first.close()
    # The database says that all is indexed; this folder holds nothing of it.
    second = ToyIndex(prepared, tmp_path / "second", notes)
    await second.access.store()
    reach = await second.semantic.reach(notes)
    assert (reach.whole, reach.reason) == (False, "The index of meanings is being checked.")
    assert (await second.indexer.run_once()).embedded == 3
    assert (await second.semantic.reach(notes)).whole
    await second.close()


async def test_another_model_or_other_texts_are_indexed_anew(index: ToyIndex) -> None:
    (notes,) = index.rooms["toy"]
    await index.indexer.run_once()
    notes.text_version = 2
    assert (await index.semantic.reach(notes)).collection is None
    assert (await index.indexer.run_once()).embedded == 3
    assert (await index.semantic.reach(notes)).whole


async def test_a_collection_that_is_no_longer_named_goes(index: ToyIndex) -> None:
    await index.indexer.run_once()
    index.rooms["other"] = []
    index.rooms["toy"].append(Notes("second", {"x": "a door"}))
    await index.indexer.run_once()
    del index.rooms["toy"][0]
    await index.indexer.run_once()
    assert await (await index.access.store()).names() == ["toy:second"]
    assert [state.collection for state in await index_states(index.database, "toy")] == ["toy:second"]


async def test_a_room_that_cannot_speak_loses_nothing(index: ToyIndex) -> None:
    await index.indexer.run_once()
    del index.rooms["toy"]
    index.rooms["other"] = []
    await index.indexer.run_once()
    assert await (await index.access.store()).names() == ["toy:notes"]


async def test_the_folder_of_another_process_is_left_alone(prepared: Database, tmp_path: Path) -> None:
    owner = await VectorStore.open_embedded(tmp_path / "data" / "chroma")
    index = ToyIndex(prepared, tmp_path / "data", Notes("notes", NOTES))
    with pytest.raises(DataFolderError, match="in use by another"):
        await index.indexer.run_once()
    await owner.close()
    assert (await index.indexer.run_once()).embedded == 3
    await index.close()


async def test_one_process_builds_at_a_time(index: ToyIndex) -> None:
    lock = index.access.builder_lock()
    lock.acquire()
    assert (await index.indexer.run_once()).embedded == 0
    lock.release()
    assert (await index.indexer.run_once()).embedded == 3
