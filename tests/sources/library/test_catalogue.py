"""Importing catalogue files: references, names, trees, what is unchanged and what is refused."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
import sqlalchemy as sa
from jsonschema import Draft202012Validator

from sources.data_version import data_version
from sources.database import Database
from sources.errors import DataFolderError
from sources.library import SOURCE
from sources.library.jsonl import LINE_SCHEMA
from sources.library.statistics import (
    ANCESTOR,
    CATEGORY,
    CHUNK,
    CHUNK_CONCEPT,
    CONCEPT,
    DOCUMENT,
    DOCUMENT_CATEGORY,
    DOCUMENT_CONCEPT,
)
from sources.library.write_concepts import RELATION
from tests.support.library import (
    category,
    concept,
    counts,
    document,
    rows,
    run_import,
    write_catalogue,
)


def parents(database: Database) -> dict[str, str | None]:
    return dict(rows(database, sa.select(CATEGORY.c.key, CATEGORY.c.parent_key)))


async def test_lines_in_any_order_with_ids_names_and_other_names(library: Database, tmp_path: Path) -> None:
    lines = [
        document("d", ["Künste", "AI", "New Field"], ["Agreement", "consensus", "Fresh Idea"]),
        category("ml", "artificial INTELLIGENCE", name="Machine Learning"),
        concept("consensus", synonyms=["agreement"], broader=["Coordination"], related=["quorum"]),
        category("ki", name="Artificial Intelligence", aliases=["AI"], related=["ml"]),
        category("arts", name="Kunste"),
        concept("quorum"),
    ]
    outcome = run_import(library, write_catalogue(tmp_path / "c.jsonl", lines))
    assert (counts(outcome), outcome.rejected) == ({"added": 6}, 0)
    assert parents(library) == {"ml": "ki", "ki": None, "arts": None, "new-field": None}
    link = DOCUMENT_CATEGORY.c
    found = rows(library, sa.select(link.category_key).order_by(link.position))
    assert [row[0] for row in found] == ["arts", "ki", "new-field"]
    spoken = DOCUMENT_CONCEPT.c
    found = rows(library, sa.select(spoken.concept_key, spoken.position).order_by(spoken.position))
    assert found == [("consensus", 0), ("fresh-idea", 1)]
    told = rows(library, sa.select(RELATION.c.relation, RELATION.c.other_key).order_by(RELATION.c.relation))
    assert told == [("broader", "coordination"), ("related", "quorum")]


async def test_the_same_file_again_changes_nothing(library: Database, tmp_path: Path) -> None:
    lines = [
        category("a"),
        concept("k", synonyms=["kay"]),
        document("d", ["a"], ["k"], chunks=[{"text": "Text.", "page": 3, "concepts": ["k"]}]),
    ]
    path = write_catalogue(tmp_path / "c.jsonl", lines)
    assert counts(run_import(library, path)) == {"added": 3}
    assert counts(run_import(library, path)) == {"unchanged": 3}
    # The order of names in a line is no change; a word in a text is.
    shuffled = [dict(reversed(list(line.items()))) for line in lines]
    assert counts(run_import(library, write_catalogue(path, shuffled))) == {"unchanged": 3}
    lines[2]["chunks"][0]["text"] = "Another text."
    assert counts(run_import(library, write_catalogue(path, lines))) == {"updated": 1, "unchanged": 2}
    assert rows(library, sa.select(CHUNK.c.key, CHUNK.c.text, CHUNK.c.page)) == [("d#1", "Another text.", 3)]
    assert rows(library, sa.select(CHUNK_CONCEPT.c.concept_key)) == [("k",)]


async def test_pages_and_concepts_of_chunks_count_for_the_document(library: Database, tmp_path: Path) -> None:
    chunks = [
        {"text": "One.", "page": 2, "concepts": ["told", "silent"]},
        {"text": "Two.", "page": 5, "concepts": ["silent", "paged"]},
        {"text": "Three.", "concepts": ["silent"]},
    ]
    line = document("d", chunks=chunks) | {
        "concepts": [{"concept": "told"}, {"concept": "paged", "pages": [9, 1, 9], "match_type": "synonym"}]
    }
    run_import(library, write_catalogue(tmp_path / "c.jsonl", [line]))
    spoken = DOCUMENT_CONCEPT.c
    query = sa.select(spoken.concept_key, spoken.pages, spoken.match_type).order_by(spoken.position)
    assert rows(library, query) == [
        ("told", "[2]", "exact"),
        ("paged", "[1,9]", "synonym"),
        ("silent", "[2,5]", "in chunks"),
    ]


async def test_names_whose_keys_would_be_the_same(library: Database, tmp_path: Path) -> None:
    lines = [document("d", concepts=["C", "C++", "c#", "™", "3d graphics"])]
    assert run_import(library, write_catalogue(tmp_path / "c.jsonl", lines)).rejected == 0
    found = dict(rows(library, sa.select(CONCEPT.c.name, CONCEPT.c.key)))
    assert sorted(found) == ["3d graphics", "C", "C++", "c#", "™"]
    assert len(set(found.values())) == 5
    assert (found["3d graphics"], found["C"].startswith("c")) == ("3d-graphics", True)


async def test_cycles_are_refused_wherever_they_come_from(library: Database, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    lines = [category("a", "c"), category("b", "a"), category("c", "b"), category("d", "c"), category("e")]
    rejects = tmp_path / "rejects.jsonl"
    outcome = run_import(library, write_catalogue(path, lines), rejects=rejects)
    assert (counts(outcome), outcome.rejected) == ({"added": 1}, 4)
    told = [orjson.loads(line) for line in rejects.read_bytes().splitlines()]
    assert [(one["line"], one["file"]) for one in told] == [(number, str(path)) for number in (1, 2, 3, 4)]
    assert told[0]["reasons"] == ["`parent`: the way up leads back to the category itself: a → c → b → a."]
    assert told[3]["reasons"] == ["`parent`: the line of `c` was rejected."]
    assert parents(library) == {"e": None}

    run_import(library, write_catalogue(path, [category("a"), category("b", "a"), category("c", "b")]))
    outcome = run_import(library, write_catalogue(path, [category("a", "c"), category("e", "a")]))
    assert (counts(outcome), outcome.rejected) == ({"updated": 1}, 1)
    assert parents(library) == {"a": None, "b": "a", "c": "b", "e": "a"}
    assert run_import(library, write_catalogue(path, [category("e", "e")])).rejected == 1
    table = ANCESTOR.c
    above_c = sa.select(table.ancestor_key, table.distance).where(table.category_key == "c")
    assert sorted(rows(library, above_c)) == [("a", 2), ("b", 1), ("c", 0)]


async def test_a_refused_move_that_would_close_another_cycle(library: Database, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    run_import(library, write_catalogue(path, [category("x"), category("a", "x"), category("b")]))
    # a and b would be each other's parent; with a left where it is, x below a closes a second cycle.
    moves = [category("a", "b"), category("b", "a"), category("x", "a")]
    outcome = run_import(library, write_catalogue(path, moves))
    assert (counts(outcome), outcome.rejected) == ({}, 3)
    assert parents(library) == {"x": None, "a": "x", "b": None}


async def test_names_stay_unique(library: Database, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    lines = [category("a", name="Ärzte"), category("b", name="ARZTE"), concept("k"), concept("l", name="K")]
    outcome = run_import(library, write_catalogue(path, lines))
    assert (counts(outcome), outcome.rejected) == ({"added": 2}, 2)
    # Two that swap their names are no clash.
    run_import(library, write_catalogue(path, [category("b", name="b")]))
    swap = [category("a", name="b"), category("b", name="Ärzte")]
    assert counts(run_import(library, write_catalogue(path, swap))) == {"updated": 2}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "This is no JSON"),
        (b"[1]", "`kind` must be one of category, concept, document."),
        (b'{"kind": "book"}', "`kind` must be one of category, concept, document."),
        (orjson.dumps({"kind": "document", "id": "d"}), "'title' is a required property"),
        (orjson.dumps(document("d", title=" ")), "`title`: ' ' does not match"),
        (orjson.dumps(document("d", titel="x")), "Additional properties are not allowed ('titel'"),
        (orjson.dumps(document(" d")), "`id`: ' d' does not match"),
        (orjson.dumps(document("d", year="1999")), "`year`: '1999' is not of type 'integer'"),
        (orjson.dumps(document("d", type="poem")), "`type`: 'poem' is not one of"),
        (orjson.dumps(document("d", chunks=[{"text": "x", "page": 0}])), "`chunks.0.page`: 0 is less than"),
        (orjson.dumps(concept("k", weight=1.5)), "`weight`: 1.5 is greater than the maximum"),
        (b'{"kind": "concept", "id": "k", "name": "\xff"}', "This is no JSON"),
    ],
)
async def test_lines_that_cannot_be_taken(
    sqlite_target: str, tmp_path: Path, line: bytes, reason: str
) -> None:
    library = await _empty(sqlite_target)
    path = write_catalogue(tmp_path / "c.jsonl", [b"", line, document("good")])
    rejects = tmp_path / "rejects.jsonl"
    outcome = run_import(library, path, rejects=rejects)
    assert (counts(outcome), outcome.rejected) == ({"added": 1}, 1)
    (told,) = [orjson.loads(one) for one in rejects.read_bytes().splitlines()]
    assert told["line"] == 2
    assert reason in told["reasons"][0]
    await library.close()


async def _empty(target: str) -> Database:
    from sources import migrations

    migrations.upgrade(target, ["library"])
    return await Database.open(target)


async def test_an_id_that_comes_twice(library: Database, tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.jsonl"
    lines = [document("d", title="first"), document("d", title="second"), category("d"), category("d")]
    outcome = run_import(library, write_catalogue(tmp_path / "c.jsonl", lines), rejects=rejects)
    assert (counts(outcome), outcome.rejected) == ({"added": 2}, 2)
    assert rows(library, sa.select(DOCUMENT.c.title)) == [("first",)]
    told = [orjson.loads(one)["reasons"] for one in rejects.read_bytes().splitlines()]
    assert told == [["`id`: `d` stands in line 1 already."], ["`id`: `d` stands in line 3 already."]]


async def test_a_dry_run_says_all_and_writes_nothing(library: Database, tmp_path: Path) -> None:
    path = write_catalogue(tmp_path / "c.jsonl", [document("d", ["a"], ["k"]), b"nonsense"])
    before = await data_version(library, "library")
    outcome = run_import(library, path, dry_run=True)
    assert (counts(outcome), outcome.rejected) == ({"added": 1}, 1)
    assert rows(library, sa.select(DOCUMENT.c.key)) == []
    assert rows(library, sa.select(CATEGORY.c.key)) == []
    assert await data_version(library, "library") == before


async def test_the_data_version_moves(library: Database, tmp_path: Path) -> None:
    run_import(library, write_catalogue(tmp_path / "c.jsonl", [document("d")]))
    first = await data_version(library, "library")
    run_import(library, write_catalogue(tmp_path / "c.jsonl", [document("d", year=1999)]))
    second = await data_version(library, "library")
    assert first is not None
    assert second is not None
    assert second.version > first.version


async def test_characters_that_databases_refuse(library: Database, tmp_path: Path) -> None:
    line = document("d", title="a\0b", chunks=[{"text": "x\0y"}])
    assert run_import(library, write_catalogue(tmp_path / "c.jsonl", [line])).rejected == 0
    assert rows(library, sa.select(DOCUMENT.c.title)) == [("a\ufffdb",)]


async def test_paths_that_are_no_catalogue(library: Database, tmp_path: Path) -> None:
    with pytest.raises(DataFolderError, match="There is no"):
        run_import(library, tmp_path / "none.jsonl")
    (tmp_path / "a.csv").write_text("x")
    with pytest.raises(DataFolderError, match=r"a\.csv is no catalogue"):
        run_import(library, tmp_path / "a.csv")


def test_the_schema_is_one_and_takes_what_the_docs_show() -> None:
    Draft202012Validator.check_schema(LINE_SCHEMA)
    assert SOURCE.importer is not None
    assert SOURCE.importer.schema() == LINE_SCHEMA
    validator = Draft202012Validator(LINE_SCHEMA)
    assert validator.is_valid(document("d", ["a"], ["k"]))
    assert not validator.is_valid({"kind": "document", "id": "d"})
