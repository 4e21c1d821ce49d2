"""The fake Open5e answers in the shapes of the recorded one.

The recordings do not belong to the repository: where they are not laid beside it, these tests are skipped.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import httpx
import pytest

from tests.contracts.house import ROOT
from tests.support.fake_open5e import FakeOpen5e, mixed_corpus, srd_corpus

RECORDINGS = ROOT.parent / "shared" / "recorded" / "open5e"
HOST = "http://127.0.0.1:8800"
"""The host that the recordings name in their links."""

pytestmark = pytest.mark.skipif(
    not RECORDINGS.is_dir(), reason="the recordings of Open5e are not laid beside the repository"
)

OTHER_COUNTS = {
    "documents-wotc.json": "the SRD 5.2 is another document",
    "creatures-srd2014-limit7-page1.json": "forms of one creature are records of their own here",
    "creatures-srd2014-limit7-page2.json": "forms of one creature are records of their own here",
    "creatures-srd2014-limit7-page3.json": "forms of one creature are records of their own here",
    "creatures-srd-summary.json": "forms of one creature are records of their own here",
    "creatures-ordering-cr-desc.json": "forms of one creature are records of their own here",
    "items-limit1.json": "unfiltered: the SRD 5.2 is in it",
    "items-document-key-ignored.json": "unfiltered: the SRD 5.2 is in it",
    "items-is-weapon.json": "ammunition counts as weapons upstream",
    "items-cost-gte-100.json": "poisons cost other sums upstream",
    "magicitems-srd2014-limit30-page1.json": "variants are spelt out upstream",
    "magicitems-srd2014-keys.json": "variants are spelt out upstream",
    "magicitems-rarity-legendary.json": "variants are spelt out upstream",
    "magicitems-attunement.json": "variants are spelt out upstream",
    "rules-srd2014-limit25-page1.json": "the text is cut in another way",
    "spells-key-in.json": "one of the keys is of the SRD 5.2",
    "search-healing-vector-srd2014.json": "the word statistics are those of another corpus",
}
"""Recordings of the SRD 5.1 whose count the fake does not have, with the reason."""


@dataclass
class Shapes:
    """What records look like: types by path, and the keys that the objects at a path have had."""

    types: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    keys: dict[str, set[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(set))

    def see(self, value: Any, path: str = "") -> None:
        if isinstance(value, dict):
            self.types[path].add("object")
            self.keys[path].add(tuple(value))
            for name, item in value.items():
                self.see(item, f"{path}.{name}")
        elif isinstance(value, list):
            self.types[path].add("list")
            for item in value:
                self.see(item, f"{path}[]")
        else:
            self.types[path].add("null" if value is None else type(value).__name__)


def _index() -> list[dict[str, Any]]:
    if not RECORDINGS.is_dir():
        return []
    responses: list[dict[str, Any]] = json.loads((RECORDINGS / "index.json").read_text())["responses"]
    return responses


def _beyond_the_fake(path: str) -> bool:
    """Whether the request is for a later page of the SRD 5.2, of which the fake holds a handful."""
    return "srd-2024" in path and "page=" in path and not path.endswith("page=1")


def _recorded(file: str) -> Any:
    return json.loads((RECORDINGS / file).read_text())


def _records(body: Any) -> list[Any]:
    records: list[Any] = body.get("results", [body])
    return records


def _endpoint(path: str) -> str:
    return path.split("/")[2]


@cache
def _shapes() -> dict[str, Shapes]:
    """The shapes of all recorded records, by endpoint."""
    shapes: dict[str, Shapes] = defaultdict(Shapes)
    for entry in _index():
        if entry["status"] == 200:
            for record in _records(_recorded(entry["file"])):
                shapes[_endpoint(entry["path"])].see(record)
    return shapes


@pytest.fixture(scope="module")
def mixed() -> FakeOpen5e:
    return FakeOpen5e(mixed_corpus(as_upstream=True))


@pytest.fixture(scope="module")
def srd() -> FakeOpen5e:
    return FakeOpen5e(srd_corpus(as_upstream=True))


async def _ask(fake: FakeOpen5e, path: str) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(fake), base_url=HOST) as client:
        return await client.get(path)


@pytest.mark.parametrize(
    "entry",
    [entry for entry in _index() if not _beyond_the_fake(entry["path"])],
    ids=lambda entry: entry["file"].removesuffix(".json"),
)
async def test_same_shape(entry: dict[str, Any], mixed: FakeOpen5e) -> None:
    answer, recorded = await _ask(mixed, entry["path"]), _recorded(entry["file"])
    assert answer.status_code == entry["status"]
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    if entry["status"] != 200:
        assert body == recorded
        return
    if "results" in recorded:
        assert list(body) == list(recorded)
        assert len(body["results"]) <= body["count"]
        assert bool(body["results"]) == bool(recorded["results"])
        assert {tuple(row) for row in body["results"]} <= {tuple(row) for row in recorded["results"]}
    else:
        assert list(body) == list(recorded)
    assert list(_strange(body, _shapes()[_endpoint(entry["path"])])) == []


def _strange(body: Any, known: Shapes) -> Iterator[str]:
    """Paths and types that no recording has, and objects that lack what all recorded ones have."""
    mine = Shapes()
    for record in _records(body):
        mine.see(record)
    for path, types in mine.types.items():
        if path in known.types and not types <= known.types[path]:
            yield f"{path} is {sorted(types)}, recorded {sorted(known.types[path])}"
        elif path not in known.types and known.types.get(path.rpartition(".")[0]) != {"object"}:
            yield f"{path} is nowhere in the recordings"
    for path, keys in mine.keys.items():
        always = set.intersection(*map(set, known.keys[path])) if known.keys.get(path) else set()
        # A request for some of the fields leaves the others out on both sides.
        if path and any(always - set(names) for names in keys):
            yield f"{path} lacks some of {sorted(always)}"


@pytest.mark.parametrize(
    "entry",
    [
        entry
        for entry in _index()
        if "count" in entry and "srd-2024" not in entry["path"] and entry["file"] not in OTHER_COUNTS
    ],
    ids=lambda entry: entry["file"].removesuffix(".json"),
)
async def test_same_count_where_the_data_is_the_same(entry: dict[str, Any], srd: FakeOpen5e) -> None:
    assert (await _ask(srd, entry["path"])).json()["count"] == entry["count"]


def test_the_reasons_are_of_recordings() -> None:
    assert set(OTHER_COUNTS) <= {entry["file"] for entry in _index()}


@pytest.mark.parametrize(
    "file", ["spells-srd2014-limit20-page01.json", "spells-ordering-level-desc.json", "spells-exclude.json"]
)
async def test_same_links_and_order(file: str, srd: FakeOpen5e) -> None:
    (path,) = [entry["path"] for entry in _index() if entry["file"] == file]
    body, recorded = (await _ask(srd, path)).json(), _recorded(file)
    assert [body["next"], body["previous"]] == [recorded["next"], recorded["previous"]]
    assert [row["key"] for row in body["results"]] == [row["key"] for row in recorded["results"]]


async def test_same_facts_of_spells(srd: FakeOpen5e) -> None:
    facts = (
        "key",
        "level",
        "school",
        "classes",
        "casting_time",
        "ritual",
        "concentration",
        "range",
        "range_unit",
    )
    for entry in _index():
        if entry["file"].startswith("spells-srd2014-limit20-page"):
            body, recorded = (await _ask(srd, entry["path"])).json(), _recorded(entry["file"])
            if entry["status"] == 200:
                mine = [{name: row[name] for name in facts} for row in body["results"]]
                assert mine == [{name: row[name] for name in facts} for row in recorded["results"]]
