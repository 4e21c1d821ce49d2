"""Collections of Chroma that others filled, in a folder and on a server, and a server that comes and goes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio.to_thread
import chromadb
import pytest
from chromadb.config import Settings

from schema.node import global_id
from sources.embedder_settings import EmbedderKind
from sources.embedders import EmbedderSpec
from sources.errors import DataFolderError, EmbedderMismatch, NotFound, UpstreamUnavailable
from sources.memory import SOURCE
from sources.registry import Location
from sources.vector_settings import VectorSettings
from tests.support.chroma import chroma_server, free_port
from tests.support.memory import TOY, MemoryHouse, sqlite_house
from tests.support.seeded import data, error
from tests.support.toy_index import ToyEmbedder

pytestmark = pytest.mark.timeout(90)
TEXTS = {"a": "red dragons breathe fire", "b": "a silver spoon for soup", "c": "the moon over the harbour"}
METADATA: dict[str, dict[str, Any]] = {"a": {"kind": "beast"}, "b": {"kind": "thing"}, "c": {"kind": "thing"}}


async def fill(folder: Path, space: str) -> None:
    """Makes a folder as another program would: its own names, distance and vectors of other lengths."""
    vectors = await ToyEmbedder().embed(list(TEXTS.values())) * 3

    def write() -> None:
        client: Any = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
        collection = client.create_collection(
            "theirs", configuration={"hnsw": {"space": space}}, embedding_function=None
        )
        collection.add(
            ids=list(TEXTS),
            embeddings=vectors,
            documents=list(TEXTS.values()),
            metadatas=list(METADATA.values()),
        )
        client.close()

    await anyio.to_thread.run_sync(write)


@pytest.fixture(params=["l2-folder", "cosine-server"])
async def attached(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[MemoryHouse]:
    space, _, place = request.param.partition("-")
    theirs = tmp_path / "theirs"
    await fill(theirs, space)
    async with sqlite_house(tmp_path) as house:
        if place == "folder":
            location = Location("theirs", path=str(theirs))
            assert await attach(house, location) == 3
            yield house
            return
        port = free_port()
        with chroma_server(theirs, port):
            assert await attach(house, Location("theirs", url=f"http://127.0.0.1:{port}")) == 3
            yield house


async def attach(house: MemoryHouse, location: Location, spec: EmbedderSpec = TOY) -> int:
    return await SOURCE.registry.attach(
        house.database, "theirs", "Of others.", spec, location, house.embedders, public=False
    )


async def test_it_is_recalled_from_as_it_is(attached: MemoryHouse) -> None:
    fields = (
        "{ nodes { id entryId content score metadata matchedBy node { database } } provenance { complete } }"
    )
    query = f'{{ recall(dbName: "theirs", query: "dragons of fire", first: 2) {fields} }}'
    found = data(await attached.ask(query))["recall"]
    vectors = await attached.embedders.toy.embed(["dragons of fire", TEXTS["a"]])
    assert found["nodes"][0] == {
        "id": global_id("MemoryEntry", "theirs/a"),
        "entryId": "a",
        "content": TEXTS["a"],
        "score": pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-4),
        "metadata": {"kind": "beast"},
        "matchedBy": ["SEMANTIC"],
        "node": {"database": "theirs"},
    }
    assert len(found["nodes"]) == 2
    assert found["provenance"] == {"complete": True}

    query = (
        '{ recall(dbName: "theirs", query: "dragons of fire", filter: {metadata: "kind=thing"})'
        " { nodes { entryId } provenance { residual } }"
        ' memoryEntries(dbName: "theirs", first: 2, filter: {not: {text: "spoon"}}, orderBy: {field: ENTRY_ID})'
        " { nodes { entryId content } totalCount pageInfo { hasNextPage } } }"
    )
    answer = data(await attached.ask(query))
    assert sorted(node["entryId"] for node in answer["recall"]["nodes"]) == ["b", "c"]
    assert answer["recall"]["provenance"] == {"residual": ["metadata"]}
    assert answer["memoryEntries"] == {
        "nodes": [{"entryId": "a", "content": TEXTS["a"]}, {"entryId": "c", "content": TEXTS["c"]}],
        "totalCount": 2,
        "pageInfo": {"hasNextPage": False},
    }


async def test_a_model_of_another_dimension_is_refused(tmp_path: Path) -> None:
    await fill(tmp_path / "theirs", "cosine")
    other = EmbedderSpec(EmbedderKind.OPENAI, "large", 1_536)
    async with sqlite_house(tmp_path) as house:
        place = Location("theirs", path=str(tmp_path / "theirs"))
        with pytest.raises(
            EmbedderMismatch, match=r"have 64 dimensions, and large makes 1536.*memory attach"
        ):
            await attach(house, place, other)
        await attach(house, place)
        # Whoever owns it put other vectors in the place of those.
        folder = tmp_path / "theirs"

        def replace_vectors() -> None:
            client: Any = chromadb.PersistentClient(
                str(folder), settings=Settings(anonymized_telemetry=False)
            )
            client.delete_collection("theirs")
            client.create_collection("theirs", embedding_function=None).add(
                ids=["a"], embeddings=[[1.0, 0.0]], documents=["short"]
            )
            client.close()

        await anyio.to_thread.run_sync(replace_vectors)
        refused = error(await house.ask('{ recall(dbName: "theirs", query: "x") { query } }'))
        assert refused["extensions"]["code"] == "EMBEDDER_MISMATCH"


async def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    await fill(tmp_path / "theirs", "cosine")
    async with sqlite_house(tmp_path) as house:
        with pytest.raises(NotFound, match=r"no collection `their` in .*Did you mean `theirs`"):
            await attach(house, Location("their", path=str(tmp_path / "theirs")))
        with pytest.raises(DataFolderError, match=r"holds no chroma\.sqlite3"):
            await attach(house, Location("theirs", path=str(tmp_path)))
        assert not (tmp_path / "chroma.sqlite3").exists()
        with pytest.raises(UpstreamUnavailable):
            await attach(house, Location("theirs", url=f"http://127.0.0.1:{free_port()}"))
        assert await SOURCE.registry.all(house.database) == []


async def test_a_chroma_server_that_stops_and_comes_back(tmp_path: Path) -> None:
    port = free_port()
    settings = VectorSettings(chroma_url=f"http://127.0.0.1:{port}")
    query = (
        '{ recall(dbName: "notes", query: "silver spoon", first: 1)'
        " { nodes { entryId matchedBy } provenance { complete warnings } } }"
    )
    entries = [{"id": key, "content": text} for key, text in TEXTS.items()]
    async with sqlite_house(tmp_path, settings) as house:
        await house.create("notes", entries=entries)
        with chroma_server(tmp_path / "chroma", port):
            await house.indexer.run_once()
            found = data(await house.ask(query))["recall"]
            assert found["nodes"] == [{"entryId": "b", "matchedBy": ["SEMANTIC"]}]
            assert found["provenance"] == {"complete": True, "warnings": []}
        # Stopped: what words find is answered, and the answer says so.
        found = data(await house.ask(query))["recall"]
        assert found["nodes"] == [{"entryId": "b", "matchedBy": ["FULL_TEXT"]}]
        assert found["provenance"]["complete"] is False
        assert "does not answer" in found["provenance"]["warnings"][0]
        await house.load("notes", [{"id": "d", "content": "a golden spoon"}])
        with chroma_server(tmp_path / "chroma", port):
            await house.indexer.run_once()
            found = data(await house.ask(query.replace("silver", "golden")))["recall"]
            assert found["nodes"] == [{"entryId": "d", "matchedBy": ["SEMANTIC"]}]
            assert found["provenance"] == {"complete": True, "warnings": []}
        # Back without its data: that is noticed, and mended.
        with chroma_server(tmp_path / "empty", port):
            found = data(await house.ask(query))["recall"]
            assert found["nodes"] == [{"entryId": "b", "matchedBy": ["FULL_TEXT"]}]
            assert found["provenance"]["complete"] is False
            assert (await house.indexer.run_once()).embedded == 4
            found = data(await house.ask(query))["recall"]
            assert found["nodes"] == [{"entryId": "b", "matchedBy": ["SEMANTIC"]}]
            assert found["provenance"] == {"complete": True, "warnings": []}
