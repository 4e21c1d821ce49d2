"""Folders and catalogues that were made to do harm, or that no one meant: taken, or refused with the reason."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from sources.database import Database
from sources.errors import DataFolderError
from sources.library import SOURCE
from sources.library.jsonl import read_lines
from sources.library.records import Origin
from sources.library.settings import LibrarySettings
from sources.library.statistics import CATEGORY, CONCEPT, DOCUMENT
from sources.library.write_concepts import RELATION, write_concepts
from tests.support.library import (
    Model,
    category,
    concept,
    counts,
    document,
    quiet,
    rows,
    run_import,
    write_catalogue,
)
from tests.support.seeded import Ask, data


async def test_what_only_looks_like_a_file(library: Database, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "good.md").write_text("text")
    os.mkfifo(folder / "pipe.md")
    (folder / "folder.md").mkdir()
    secret = tmp_path / "secret"
    secret.write_text("password")
    (folder / "link.txt").symlink_to(secret)
    (folder / "linked").symlink_to(tmp_path)
    (folder / "categories.jsonl").symlink_to(secret)
    (folder / "round").symlink_to(folder)
    with (folder / "huge.txt").open("wb") as file:
        file.truncate(1 << 40)
    outcome = run_import(library, folder)
    assert counts(outcome) == {"added": 1}
    assert outcome.rejected == 1
    assert any("huge.txt: It is larger than 512 MB." in note for note in outcome.notes)


async def test_file_names_that_are_no_text(library: Database, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"papers \xff")
    folder.mkdir()
    for name in (b"\xff.md", b"\xfe.md", b"\xfd/note.md", b"bad\xff.pdf"):
        file = folder / os.fsdecode(name)
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"" if file.suffix == ".pdf" else b"text")
    rejects = tmp_path / "rejects.jsonl"
    outcome = run_import(library, folder, rejects=rejects)
    assert (counts(outcome), outcome.rejected) == ({"added": 3}, 1)
    assert counts(run_import(library, folder)) == {"unchanged": 3}
    (folder / os.fsdecode(b"\xfe.md")).unlink()
    assert counts(run_import(library, folder)) == {"unchanged": 2, "removed": 1}
    for note in outcome.notes:
        note.encode()


async def test_texts_that_no_database_stores(library: Database, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "nul.md").write_text('---\ntitle: "a\\0b"\nauthors: ["c\\0"]\ncategories: ["d\\0e"]\n---\ntext')
    (folder / "surrogate.html").write_bytes(
        b"<meta charset=unicode_escape><title>\\ud800 title</title><p>\\udfff text, \\ud800 text"
    )
    (folder / "long.html").write_bytes(
        b"<meta name=citation_doi content='10.1/" + os.urandom(50_000).hex().encode() + b"'>"
        b"<meta name=citation_publisher content='" + b"p" * 100_000 + b"'>"
        b"<meta name=keywords content='" + b",".join(b"k%d" % n for n in range(50_000)) + b"'>text"
    )
    (folder / "wide.html").write_text(
        "<title>" + "".join(chr(0x4E00 + n * 7) for n in range(1000)) + "</title>text"
    )
    (folder / "good.md").write_text("text")
    outcome = run_import(library, folder)
    assert (counts(outcome), outcome.rejected) == ({"added": 5}, 0)


async def test_a_folder_that_is_suddenly_empty(library: Database, tmp_path: Path) -> None:
    folder = tmp_path / "drive"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.md").write_text("text")
    assert counts(run_import(library, folder)) == {"added": 3}
    for file in folder.iterdir():
        file.rename(tmp_path / file.name)
    with pytest.raises(DataFolderError, match="its 3 documents were not taken away"):
        run_import(library, folder)
    assert rows(library, sa.select(sa.func.count()).select_from(DOCUMENT)) == [(3,)]


async def test_keys_stay_when_a_namesake_goes(library: Database, tmp_path: Path) -> None:
    first, second = tmp_path / "a" / "papers", tmp_path / "b" / "papers"
    for folder in (first, second):
        folder.mkdir(parents=True)
        (folder / "x.md").write_text("text")
        (folder / "y.md").write_text("text")
    run_import(library, first)
    run_import(library, second)
    with library.writing() as session:
        session.connection().execute(sa.delete(DOCUMENT).where(DOCUMENT.c.folder == str(first)))
    keys = rows(library, sa.select(DOCUMENT.c.path, DOCUMENT.c.key))
    (second / "x.md").write_text("another text")
    assert counts(run_import(library, second)) == {"updated": 1, "unchanged": 1}
    assert sorted(rows(library, sa.select(DOCUMENT.c.path, DOCUMENT.c.key))) == sorted(keys)


async def test_deep_trees(library: Database, tmp_path: Path) -> None:
    lines = [category("c0"), *(category(f"c{n}", f"c{n - 1}") for n in range(1, 3000))]
    outcome = run_import(library, write_catalogue(tmp_path / "deep.jsonl", lines))
    assert (counts(outcome), outcome.rejected) == ({"added": 51}, 2949)
    # A subtree moves down as a whole, or not at all.
    moved = [category("top"), category("mid", "top"), category("low", "mid")]
    run_import(library, write_catalogue(tmp_path / "more.jsonl", moved))
    moves = {"c47": 1, "c48": 0, "c49": 0}
    for place, added in moves.items():
        lines = [category("top", place), *moved[1:]]
        outcome = run_import(library, write_catalogue(tmp_path / "more.jsonl", lines))
        assert (counts(outcome).get("updated", 0), outcome.rejected) == (added, 1 - added)
    depths = dict(rows(library, sa.select(CATEGORY.c.key, CATEGORY.c.depth)))
    assert (depths["top"], depths["low"], max(depths.values())) == (48, 50, 50)
    ring = [category(f"r{n}", f"r{(n + 1) % 5000}") for n in range(5000)]
    assert run_import(library, write_catalogue(tmp_path / "ring.jsonl", ring)).rejected == 5000


async def test_an_import_that_was_killed_is_completed_by_the_next(library: Database, tmp_path: Path) -> None:
    lines = [concept("a", related=["b"], broader=["c"]), concept("b"), document("d", ["x"], ["a"])]
    path = write_catalogue(tmp_path / "lines.jsonl", lines)
    (entries,) = [[(line.number, line.entry) for line in read_lines(path, frozenset({"concept"}))]]
    with library.writing() as session:
        write_concepts(session.connection(), entries, Origin.IMPORT)  # type: ignore[arg-type]
    assert counts(run_import(library, path)) == {"updated": 2, "added": 1}
    assert sorted(rows(library, sa.select(RELATION.c.concept_key, RELATION.c.other_key))) == [
        ("a", "b"),
        ("a", "c"),
    ]
    assert counts(run_import(library, path)) == {"unchanged": 3}


async def test_names_that_the_sample_holds(library: Database, tmp_path: Path) -> None:
    SOURCE.seed(library, LibrarySettings(), quiet)
    lines = [category("mine", name="Algorithms"), concept("own", name="Consensus")]
    rejects = tmp_path / "rejects"
    run_import(library, write_catalogue(tmp_path / "lines.jsonl", lines), rejects=rejects)
    assert rejects.read_text().count("`loregraph sample remove library` takes out") == 2


async def test_odd_numbers_and_wide_names(library: Database, tmp_path: Path) -> None:
    wide = "".join(chr(0xAC00 + n * 37) for n in range(80))
    title = "".join(chr(0xAC00 + n * 11) for n in range(800))
    lines = [
        category(wide),
        concept(wide),
        document(
            "float", [wide], [wide], year=2014.0, chunks=[{"text": "x", "page": 3.0, "concepts": [wide]}]
        ),
        document("title", [wide], [wide], title=title),
        document("space", [" " + wide + " "], [" " + wide]),
    ]
    outcome = run_import(library, write_catalogue(tmp_path / "odd.jsonl", lines))
    assert outcome.rejected == 1
    assert rows(library, sa.select(DOCUMENT.c.year).where(DOCUMENT.c.key == "float")) == [(2014,)]
    assert rows(library, sa.select(CATEGORY.c.key)) == [(wide,)]
    assert rows(library, sa.select(CONCEPT.c.key)) == [(wide,)]


async def test_two_imports_at_once(library: Database, database_target: str, tmp_path: Path) -> None:
    names = [f"k{number}" for number in range(40)]
    parts = [
        [document(f"{part}{n}", ["a", f"c{n % 3}"], names[n % 20 : n % 20 + 15]) for n in range(600)]
        for part in "xy"
    ]
    paths = [write_catalogue(tmp_path / f"{n}.jsonl", lines) for n, lines in enumerate(parts)]
    other = await Database.open(database_target)
    try:
        with ThreadPoolExecutor(2) as pool:
            outcomes = list(pool.map(run_import, (library, other), paths))
    finally:
        await other.close()
    assert [counts(outcome) for outcome in outcomes] == [{"added": 600}] * 2
    model = Model(dict.fromkeys(("a", "c0", "c1", "c2")))
    model.take(line for lines in parts for line in lines)
    held = CATEGORY.c
    query = sa.select(held.key, held.document_count, held.chunk_count, held.concept_count)
    assert sorted(rows(library, query)) == sorted(
        (key, *model.statistics(key, False)) for key in model.parents
    )


async def test_words_far_down_in_a_long_text_are_found(
    library: Database, ask_library: Ask, tmp_path: Path
) -> None:
    long = document("long", chunks=[{"text": "filler " * 4_000 + "needle"}])
    body = document("body", summary="filler " * 4_000 + "needle")
    run_import(library, write_catalogue(tmp_path / "long.jsonl", [long, body]))
    found = data(
        await ask_library('{ searchDocuments(query: "needle") { totalCount nodes { name score } } }')
    )
    assert found["searchDocuments"] == {
        "totalCount": 2,
        "nodes": [{"name": "body", "score": 0.01}, {"name": "long", "score": 0.01}],
    }
