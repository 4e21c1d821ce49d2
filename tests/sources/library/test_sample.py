"""The sample catalogue of the library, read as plain JSON: complete, consistent, and with numbers that check."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sources

PATH = Path(sources.__file__).parent / "library" / "sample.jsonl"
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
DOI = re.compile(r"10\.\d{4,9}/\S+")
ARXIV = re.compile(r"\d{4}\.\d{4,5}|[a-z]+(-[a-z]+)?/\d{7}")
CATEGORY_KEYS = {"kind", "id", "name", "description", "aliases", "parent", "related"}
CONCEPT_KEYS = {"kind", "id", "name", "summary", "synonyms", "broader", "narrower", "related", "weight"}
DOCUMENT_KEYS = {
    *("kind", "id", "title", "authors", "year", "type", "publisher", "isbn", "doi", "arxiv_id", "venue"),
    *("keywords", "summary", "categories", "concepts", "chunks"),
}
Row = dict[str, Any]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    lines = PATH.read_text(encoding="utf-8").splitlines()
    parsed: list[Row] = [json.loads(line) for line in lines]
    for line, row in zip(lines, parsed, strict=True):
        assert line == json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    return parsed


@pytest.fixture(scope="module")
def categories(rows: list[Row]) -> dict[str, Row]:
    return {row["id"]: row for row in rows if row["kind"] == "category"}


@pytest.fixture(scope="module")
def concepts(rows: list[Row]) -> dict[str, Row]:
    return {row["id"]: row for row in rows if row["kind"] == "concept"}


@pytest.fixture(scope="module")
def documents(rows: list[Row]) -> dict[str, Row]:
    return {row["id"]: row for row in rows if row["kind"] == "document"}


def ancestors(categories: dict[str, Row], key: str) -> Iterator[str]:
    """The category itself, its parent, and so on; fails on a cycle."""
    seen: list[str] = []
    step: str | None = key
    while step is not None:
        assert step not in seen, [*seen, step]
        seen.append(step)
        yield step
        step = categories[step].get("parent")


def test_rows_come_in_order_and_are_unique(rows: list[Row]) -> None:
    kinds = ["category", "concept", "document"]
    places = [kinds.index(row["kind"]) for row in rows]
    assert places == sorted(places)
    assert max(Counter((row["kind"], row["id"]) for row in rows).values()) == 1
    assert all(SLUG.fullmatch(row["id"]) for row in rows)


def test_there_is_enough_of_everything(
    categories: dict[str, Row], concepts: dict[str, Row], documents: dict[str, Row]
) -> None:
    assert len(categories) >= 46
    assert len(concepts) >= 200
    assert len(documents) >= 150
    assert sum("chunks" in document for document in documents.values()) >= 100
    used = Counter(link["concept"] for document in documents.values() for link in document["concepts"])
    assert sum(number > 1 for number in used.values()) >= 100


def test_categories_make_a_tree_of_two_or_three_levels(categories: dict[str, Row]) -> None:
    depths = Counter(len(list(ancestors(categories, key))) for key in categories)
    assert sorted(depths) == [1, 2, 3]
    met: set[str] = set()
    for key, category in categories.items():
        assert category.get("parent") is None or category["parent"] in met
        met.add(key)


def test_categories_have_names_of_their_own(categories: dict[str, Row]) -> None:
    names: dict[str, set[str]] = defaultdict(set)
    for key, category in categories.items():
        assert set(category) <= CATEGORY_KEYS
        assert category["name"] == category["name"].lower().strip()
        assert category["description"].endswith(".")
        for name in (category["name"], *category["aliases"]):
            names[name.casefold()].add(key)
        assert len(category["aliases"]) == len(set(category["aliases"]))
        for other in category.get("related", []):
            assert key in categories[other]["related"]
            assert other != key
            assert other not in (category.get("parent"), key)
    assert {name: keys for name, keys in names.items() if len(keys) > 1} == {}
    assert categories["3d-graphics"]["name"] == "3d graphics"


def test_every_category_has_documents_in_itself_or_below(
    categories: dict[str, Row], documents: dict[str, Row]
) -> None:
    held = {
        above
        for document in documents.values()
        for key in document["categories"]
        for above in ancestors(categories, key)
    }
    assert held == set(categories)


def test_distributed_systems_has_children_and_documents(
    categories: dict[str, Row], documents: dict[str, Row]
) -> None:
    children = {key for key, row in categories.items() if row.get("parent") == "distributed-systems"}
    assert children == {"consensus", "peer-to-peer-systems", "large-scale-data-processing"}
    own = [key for key, row in documents.items() if "distributed-systems" in row["categories"]]
    assert len(own) >= 6
    assert "lamport-1978-time-clocks" in own


def test_concepts_refer_to_one_another_both_ways(concepts: dict[str, Row]) -> None:
    opposite = {"broader": "narrower", "narrower": "broader", "related": "related"}
    names: dict[str, set[str]] = defaultdict(set)
    for key, concept in concepts.items():
        assert set(concept) <= CONCEPT_KEYS
        assert 0 <= concept["weight"] <= 1
        for name in (concept["name"], *concept.get("synonyms", [])):
            names[name.casefold()].add(key)
        for word, back in opposite.items():
            for other in concept.get(word, []):
                assert other != key
                assert key in concepts[other][back], (key, word, other)
        assert not set(concept.get("broader", [])) & set(concept.get("narrower", []))
    assert {name: keys for name, keys in names.items() if len(keys) > 1} == {}
    for word in ("summary", "synonyms", "broader", "narrower", "related"):
        assert sum(word in concept for concept in concepts.values()) >= 40, word


def test_broader_concepts_go_round_in_no_circle(concepts: dict[str, Row]) -> None:
    def climb(key: str, path: tuple[str, ...]) -> None:
        assert key not in path, path
        for above in concepts[key].get("broader", []):
            climb(above, (*path, key))

    for key in concepts:
        climb(key, ())


def test_documents_have_their_shape(documents: dict[str, Row]) -> None:
    for key, document in documents.items():
        assert set(document) <= DOCUMENT_KEYS, key
        assert document["title"] == document["title"].strip()
        assert 1 <= len(document["authors"]) == len(set(document["authors"])), key
        assert all(author and author != "et al." for author in document["authors"])
        assert 1600 <= document["year"] <= 2025
        assert document["type"] in {"paper", "book", "article"}
        assert 20 <= len(document["summary"]) <= 250, key
        assert document["summary"].endswith("."), key
        for chunk in document.get("chunks", []):
            assert set(chunk) == {"text"}
            assert 2 <= len(re.findall(r"[.?](?:\s|$)", chunk["text"])) <= 4, key
        assert len(document.get("chunks", [])) <= 2
    titles = Counter((row["title"].casefold(), row["authors"][0], row["year"]) for row in documents.values())
    assert max(titles.values()) == 1
    assert max(Counter(row["summary"] for row in documents.values()).values()) == 1
    authors = {author for row in documents.values() for author in row["authors"]}
    assert {"Kurt Gödel", "Paul Erdős", "László Lovász", "Łukasz Kaiser"} <= authors


def test_references_of_documents_resolve(
    categories: dict[str, Row], concepts: dict[str, Row], documents: dict[str, Row]
) -> None:
    used: set[str] = set()
    for key, document in documents.items():
        assert 1 <= len(document["categories"]) == len(set(document["categories"])), key
        assert set(document["categories"]) <= set(categories)
        names = [link["concept"] for link in document["concepts"]]
        assert 3 <= len(names) == len(set(names)) <= 8, key
        assert all(0 < link["weight"] <= 1 for link in document["concepts"])
        used.update(names)
    assert used == set(concepts)


def test_isbns_carry_a_right_check_digit(documents: dict[str, Row]) -> None:
    isbns = [row["isbn"] for row in documents.values() if "isbn" in row]
    assert len(isbns) == len(set(isbns)) >= 30
    for isbn in isbns:
        digits = [int(digit) for digit in isbn if digit != "-"]
        assert len(digits) == 13
        assert sum(digit * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10 == 0, isbn


def test_dois_and_arxiv_ids_look_right(documents: dict[str, Row]) -> None:
    dois = [row["doi"] for row in documents.values() if "doi" in row]
    assert len(dois) == len(set(dois)) >= 80
    assert all(DOI.fullmatch(doi) for doi in dois)
    arxiv = {row["arxiv_id"]: row["year"] for row in documents.values() if "arxiv_id" in row}
    assert len(arxiv) >= 15
    assert all(ARXIV.fullmatch(number) for number in arxiv)
    for number, year in arxiv.items():
        digits = number.rpartition("/")[2]
        submitted = int(digits[:2])
        assert abs((1900 if submitted > 90 else 2000) + submitted - year) <= (15 if "/" in number else 2)
