"""Vectors in Chroma: owned by one process, told apart by their model, never lost, in a folder and on a server."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.embedder import Vectors, unit_length
from sources.errors import DataFolderError, EmbedderMismatch, SourceNotConfigured, UpstreamUnavailable
from sources.vectors import LARGEST_BATCH, Identity, VectorStore, decode_name, encode_name
from tests.support.chroma import chroma_server, free_port

ROOT = Path(__file__).parents[2]
IDENTITY = Identity("toy", 8, 1)
pytestmark = pytest.mark.timeout(90)


def some_vectors(count: int, seed: int = 1) -> Vectors:
    return unit_length(np.random.default_rng(seed).normal(size=(count, 8)).astype(np.float32))


def names(count: int) -> list[str]:
    return [f"row-{number}" for number in range(count)]


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture(params=["embedded", "server"])
async def store(request: pytest.FixtureRequest, tmp_path: Path, port: int) -> AsyncIterator[VectorStore]:
    if request.param == "embedded":
        opened = await VectorStore.open_embedded(tmp_path / "chroma")
        yield opened
        await opened.close()
        return
    with chroma_server(tmp_path / "chroma", port):
        opened = await VectorStore.open_server(f"http://127.0.0.1:{port}")
        yield opened
        await opened.close()


async def test_what_is_written_is_found(store: VectorStore) -> None:
    collection = await store.collection("spells", IDENTITY)
    vectors = some_vectors(40)
    await collection.upsert(names(40), vectors, ["h"] * 40)
    assert await collection.count() == 40
    (found,) = await collection.nearest(vectors[7:8], 5)
    exact = np.argsort(-(vectors @ vectors[7]))[:5]
    assert [near.id for near in found] == [f"row-{place}" for place in exact]
    assert [near.score for near in found] == pytest.approx(list((vectors @ vectors[7])[exact]), abs=1e-4)
    both = await collection.nearest(vectors[:2], 1)
    assert [near.id for (near,) in both] == ["row-0", "row-1"]
    held = await collection.vectors(["row-3", "no-such-row", "row-3"])
    assert list(held) == ["row-3"]
    assert held["row-3"] == pytest.approx(vectors[3])


async def test_a_row_is_replaced_and_removed(store: VectorStore) -> None:
    collection = await store.collection("spells", IDENTITY)
    first, second = some_vectors(2, seed=1), some_vectors(2, seed=2)
    await collection.upsert(["a", "b"], first, ["1", "1"])
    await collection.upsert(["b", "b"], second, ["2", "3"])
    assert await collection.hashes() == {"a": "1", "b": "3"}
    assert (await collection.vectors(["b"]))["b"] == pytest.approx(second[1])
    await collection.remove(["a", "no-such-row"])
    assert await collection.hashes() == {"b": "3"}
    assert await collection.nearest(second, 10) != [[], []]
    await collection.remove(["b"])
    assert await collection.nearest(second, 10) == [[], []]
    assert await collection.nearest(second, 0) == [[], []]


async def test_more_rows_than_a_batch_takes(store: VectorStore) -> None:
    collection = await store.collection("many", IDENTITY)
    count = LARGEST_BATCH + 600
    await collection.upsert(names(count), some_vectors(count), [str(number) for number in range(count)])
    hashes = await collection.hashes()
    assert hashes == {f"row-{number}": str(number) for number in range(count)}


@pytest.mark.parametrize(
    "other", [Identity("other", 8, 1), Identity("toy", 9, 1), Identity("toy", 8, 2)], ids=lambda one: str(one)
)
async def test_another_model_is_told_apart(other: Identity, store: VectorStore) -> None:
    await (await store.collection("spells", IDENTITY)).upsert(["a"], some_vectors(1), ["1"])
    with pytest.raises(EmbedderMismatch, match="loregraph index"):
        await store.collection("spells", other)
    assert await store.drop("spells")
    assert not await store.drop("spells")
    again = await store.collection("spells", other)
    assert await again.count() == 0


async def test_another_dimension_is_an_error_and_no_empty_answer(store: VectorStore) -> None:
    collection = await store.collection("spells", IDENTITY)
    await collection.upsert(["a"], some_vectors(1), ["1"])
    wrong = np.ones((1, 5), dtype=np.float32)
    with pytest.raises(EmbedderMismatch, match="5 dimensions"):
        await collection.nearest(wrong, 1)
    with pytest.raises(EmbedderMismatch, match="5 dimensions"):
        await collection.upsert(["b"], wrong, ["1"])


async def test_names_are_those_that_people_chose(store: VectorStore) -> None:
    wanted = ["a", "My notes / 2025", "заметки", "x" * 300, "UPPER", "upper"]
    for name in wanted:
        await store.collection(name, IDENTITY)
    assert await store.names() == sorted(wanted)


@given(st.text(max_size=60))
def test_every_name_can_be_written_and_read_back(name: str) -> None:
    encoded = encode_name(name.encode("utf-8", "ignore").decode())
    assert decode_name(encoded) == name.encode("utf-8", "ignore").decode()
    assert 3 <= len(encoded) <= 512
    assert encoded.replace(".", "").isalnum()


def test_foreign_collections_are_not_ours() -> None:
    assert [decode_name(name) for name in ("docs", "lg.", "lg.!x", "lg.0x")] == [None, None, None, None]
    with pytest.raises(ValueError, match="315"):
        encode_name("x" * 400)


async def test_a_folder_has_one_owner(tmp_path: Path) -> None:
    first = await VectorStore.open_embedded(tmp_path / "chroma")
    with pytest.raises(DataFolderError, match="in use by another") as problem:
        await VectorStore.open_embedded(tmp_path / "chroma")
    assert "LOREGRAPH_CHROMA_URL" in problem.value.message
    await first.close()
    second = await VectorStore.open_embedded(tmp_path / "chroma")
    await second.close()


async def test_an_opened_folder_holds_what_was_written(tmp_path: Path) -> None:
    vectors = some_vectors(30)
    for start in (0, 10, 20):
        store = await VectorStore.open_embedded(tmp_path / "chroma")
        collection = await store.collection("spells", IDENTITY)
        assert await collection.count() == start
        await collection.upsert(names(30)[start : start + 10], vectors[start : start + 10], ["h"] * 10)
        (found,) = await collection.nearest(vectors[start : start + 1], 1)
        assert found[0].id == f"row-{start}"
        await store.close()


WRITER = """
import asyncio, sys
from pathlib import Path
from tests.sources.test_vectors import IDENTITY, names, some_vectors
from sources.vectors import VectorStore

async def main():
    store = await VectorStore.open_embedded(Path(sys.argv[1]))
    collection = await store.collection("spells", IDENTITY)
    vectors, ids = some_vectors(100_000), names(100_000)
    for start in range(0, 100_000, 200):
        await collection.upsert(ids[start:start + 200], vectors[start:start + 200], ["h"] * 200)
        print(start + 200, flush=True)

asyncio.run(main())
"""


def write_and_kill(folder: Path, rows: int) -> int:
    """Runs the writer until it has acknowledged some rows, and kills it; how many it had acknowledged."""
    command = [sys.executable, "-c", WRITER, str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        acknowledged = next(done for line in process.stdout if (done := int(line)) >= rows)
        os.kill(process.pid, signal.SIGKILL)
    return acknowledged


async def test_a_killed_writer_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    acknowledged = await asyncio.to_thread(write_and_kill, tmp_path / "chroma", 2_600)
    store = await VectorStore.open_embedded(tmp_path / "chroma")
    collection = await store.collection("spells", IDENTITY)
    held = await collection.vectors(names(acknowledged))
    vectors = some_vectors(100_000)
    assert len(held) == acknowledged
    assert all(held[f"row-{place}"] == pytest.approx(vectors[place]) for place in range(0, acknowledged, 97))
    (found,) = await collection.nearest(vectors[acknowledged - 1 : acknowledged], 1)
    assert found[0].id == f"row-{acknowledged - 1}"
    await store.close()


async def test_a_damaged_folder_is_said_to_be(tmp_path: Path) -> None:
    folder = tmp_path / "chroma"
    folder.mkdir()
    (folder / "chroma.sqlite3").write_bytes(b"not a database at all" * 1_000)
    with pytest.raises(DataFolderError, match="cannot be opened"):
        await VectorStore.open_embedded(folder)
    (folder / "chroma.sqlite3").unlink()
    store = await VectorStore.open_embedded(folder)
    await store.close()


async def test_a_server_that_is_not_there(port: int) -> None:
    with pytest.raises(UpstreamUnavailable, match="vector store"):
        await VectorStore.open_server(f"http://127.0.0.1:{port}")
    for url in ("localhost:8000", "ftp://x", "http://"):
        with pytest.raises(SourceNotConfigured, match="no URL"):
            await VectorStore.open_server(url)


async def test_a_server_that_stops_is_an_error_and_comes_back(tmp_path: Path, port: int) -> None:
    vectors = some_vectors(3)
    with chroma_server(tmp_path, port):
        store = await VectorStore.open_server(f"http://127.0.0.1:{port}")
        collection = await store.collection("spells", IDENTITY)
        await collection.upsert(names(3), vectors, ["h"] * 3)
    with pytest.raises(UpstreamUnavailable, match="does not answer"):
        await collection.nearest(vectors, 1)
    with chroma_server(tmp_path, port):
        found: list[Any] = await collection.nearest(vectors, 1)
    assert [near.id for (near,) in found] == names(3)
    await store.close()
