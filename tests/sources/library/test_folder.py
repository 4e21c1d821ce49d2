"""A folder of real files of five formats: what is taken, what is refused and why, and what a second run does."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
import sqlalchemy as sa

from sources import migrations
from sources.database import Database
from sources.extraction.extracted import Extracted, Unreadable
from sources.extraction.reader import Reader
from sources.library.settings import LibrarySettings
from sources.library.statistics import (
    CATEGORY,
    CHUNK,
    CONCEPT,
    DOCUMENT,
    DOCUMENT_CATEGORY,
    DOCUMENT_CONCEPT,
)
from tests.support.document_files import encrypted_pdf, epub, pdf, zip_bomb
from tests.support.library import category, counts, rows, run_import, write_catalogue

CONSENSUS = (
    "Raft is a consensus algorithm. A consensus algorithm lets servers agree. "
    "Leader election chooses a leader; leader election comes first."
)
FRONT = """---
title: "Über die Einigung"
author: [Ada Lovelace, {name: Charles Babbage}]
date: 1999-04-01
tags: [agreement, "leader"]
categories: [Distributed Systems, theory]
doi: 10.1000/xyz
type: Paper
summary: How servers agree.
---
# Another heading

"""

GOOD: dict[str, bytes] = {
    "front.md": (FRONT + CONSENSUS).encode(),
    "heading.md": b"# A heading\n\nSome *marked* text with `code`.\n\n- one\n- two\n",
    "bom.md": b"\xef\xbb\xbf# With a mark\n\nText.",
    "windows lines.markdown": b"# Lines\r\n\r\nOne.\r\n\r\nTwo.\r\n",
    "nested/deep/notes.md": b"Only a paragraph.",
    "latin.txt": "Größe der Straße\n\nÄpfel und Öl, schöne Grüße aus Köln für die Bücher.".encode("latin-1"),
    "utf16.txt": "Sixteen bits\n\nText.".encode("utf-16"),
    "utf8.txt": "日本語の題名\n\n本文です。".encode(),
    "long line.txt": b"word " * 1000,
    "one.text": b"x",
    "page.html": (
        b"<!doctype html><html><head><meta charset='windows-1252'><title>Caf\xe9 culture</title>"
        b"<meta name='author' content='Ann Lee and Bo Li'><meta name='date' content='2015-02-03'>"
        b"<meta name='description' content='On coffee.'><meta name='keywords' content='coffee, cups'>"
        b"<script>ignored()</script></head><body><nav>Menu</nav><p>First.</p><p>Second &amp; last.</p></body></html>"
    ),
    "scholar.htm": (
        b"<head><meta name=citation_title content='A study'><meta name=citation_author content='Roe, Jane'>"
        b"<meta name=citation_author content='Doe, John'><meta name=citation_doi content='10.5/abc'>"
        b"<meta name=citation_publication_date content='2003/05'></head><body>Text</body>"
    ),
    "plain.xhtml": b"<html xmlns='http://www.w3.org/1999/xhtml'><body><h1>Heading</h1>Body</body></html>",
    "broken markup.html": b"<p>One<p>Two<b>three</p></div><table><tr><td>four",
    "paper.pdf": pdf(
        [
            "Page one speaks of quorum systems.",
            "Page two: quorum systems again.\nMore (text).",
            "",
            "References",
        ],
        title="Quorum systems",
        author="L. Lamport; B. Liskov",
        year=1987,
    ),
    "untitled_draft.pdf": pdf(["Café au lait."]),
    "book.epub": epub(
        ["<h1>One</h1><p>First &amp; <b>bold</b>.</p><script>no()</script>", "<p>Second chapter.</p>"],
        title="A real book",
        author="Eve Writer",
        isbn="978-0-13-110362-7",
    ),
    "second.epub": epub(["<p>Only one chapter.</p>"], extra="<dc:subject>stories</dc:subject>"),
}
BAD: dict[str, tuple[bytes, str]] = {
    "empty.md": (b"", "It is empty."),
    "empty.pdf": (b"", "It is empty."),
    "blank.txt": (b" \n\n\t\n", "It holds no text."),
    "blank.html": (b"<html><head><title>x</title></head><body> </body></html>", "It holds no text."),
    "binary.txt": (bytes(range(256)) * 40, "Its bytes are no text in any known encoding."),
    "control.txt": (b"\x01\x02\x03\x04" * 100, "It holds binary data and no text."),
    "yaml.md": (b"---\ntitle: [open\n---\ntext", "Its front matter is no valid YAML."),
    "nonsense.pdf": (b"%PDF-1.4 nonsense", "It is no valid PDF file."),
    "cut.pdf": (pdf(["Hello."])[:200], "It is no valid PDF file."),
    "locked.pdf": (encrypted_pdf("secret"), "It is encrypted; its text needs a password."),
    "pictures.pdf": (pdf(["", ""]), "No page of it holds text; its pages may be pictures."),
    "nonsense.epub": (b"PK\x03\x04 nonsense", "It is no valid EPUB file, or it is locked."),
    "no package.epub": (epub(["x"])[:300], "It is no valid EPUB file, or it is locked."),
    "deep.md": (b">" * 100_000 + b"x", "It holds no text."),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files, with others beside them that are none of ours."""
    place = tmp_path_factory.mktemp("files") / "My Papers"
    everything = GOOD | {name: raw for name, (raw, _) in BAD.items()}
    for name, raw in (everything | {".hidden.md": b"hidden", "image.png": b"x", "Makefile": b"x"}).items():
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(raw)
    (place / "link.md").symlink_to(place / "heading.md")
    return place.resolve()


async def test_a_folder_twice(library: Database, folder: Path, tmp_path: Path) -> None:
    assert len(GOOD) + len(BAD) >= 30
    rejects = tmp_path / "rejects.jsonl"
    outcome = run_import(library, folder, rejects=rejects)
    assert (counts(outcome), outcome.rejected) == ({"added": len(GOOD)}, len(BAD))
    told = [orjson.loads(line) for line in rejects.read_bytes().splitlines()]
    reasons = {one["file"].removeprefix(f"{folder}/"): one["reasons"] for one in told}
    assert reasons == {name: [reason] for name, (_, reason) in BAD.items()}
    assert "Files of other kinds were passed over: 1 × .png, 1 × no ending." in outcome.notes
    assert sum("locked.pdf: It is encrypted" in note for note in outcome.notes) == 1
    _check_documents(library)
    _check_text(library)

    before = rows(library, sa.select(DOCUMENT))
    outcome = run_import(library, folder)
    assert (counts(outcome), outcome.rejected) == ({"unchanged": len(GOOD)}, len(BAD))
    assert rows(library, sa.select(DOCUMENT)) == before


def _check_documents(library: Database) -> None:
    table = DOCUMENT.c
    query = sa.select(table.path, table.key, table.title, table.authors, table.year, table.type)
    found = {
        path: (key, title, orjson.loads(names), year, kind)
        for path, key, title, names, year, kind in rows(library, query)
    }
    assert {path: values[1:] for path, values in found.items()} == {
        "front.md": ("Über die Einigung", ["Ada Lovelace", "Charles Babbage"], 1999, "paper"),
        "heading.md": ("A heading", [], None, "unknown"),
        "bom.md": ("With a mark", [], None, "unknown"),
        "windows lines.markdown": ("Lines", [], None, "unknown"),
        "nested/deep/notes.md": ("notes", [], None, "unknown"),
        "latin.txt": ("Größe der Straße", [], None, "unknown"),
        "utf16.txt": ("Sixteen bits", [], None, "unknown"),
        "utf8.txt": ("日本語の題名", [], None, "unknown"),
        "long line.txt": ("long line", [], None, "unknown"),
        "one.text": ("x", [], None, "unknown"),
        "page.html": ("Café culture", ["Ann Lee", "Bo Li"], 2015, "unknown"),
        "scholar.htm": ("A study", ["Roe, Jane", "Doe, John"], 2003, "unknown"),
        "plain.xhtml": ("Heading", [], None, "unknown"),
        "broken markup.html": ("broken markup", [], None, "unknown"),
        "paper.pdf": ("Quorum systems", ["L. Lamport", "B. Liskov"], 1987, "unknown"),
        "untitled_draft.pdf": ("untitled draft", [], 2001, "unknown"),
        "book.epub": ("A real book", ["Eve Writer"], 2011, "book"),
        "second.epub": ("A book", ["A. Writer"], 2011, "book"),
    }
    assert {values[0] for values in found.values()} == {f"My Papers/{path}" for path in GOOD}
    identifiers = sa.select(table.doi, table.isbn, table.summary, table.keywords)
    assert rows(library, identifiers.where(table.path == "front.md")) == [
        ("10.1000/xyz", None, "How servers agree.", '["agreement","leader"]')
    ]
    assert rows(library, identifiers.where(table.path == "book.epub"))[0][1] == "9780131103627"


def _check_text(library: Database) -> None:
    def chunks(name: str) -> list[tuple[object, ...]]:
        query = sa.select(CHUNK.c.page, CHUNK.c.text, CHUNK.c.is_reference).order_by(CHUNK.c.position)
        return rows(library, query.where(CHUNK.c.document_key == f"My Papers/{name}"))

    assert chunks("paper.pdf") == [
        (1, "Page one speaks of quorum systems.", False),
        (2, "Page two: quorum systems again.\nMore (text).", False),
        (4, "References", True),
    ]
    assert chunks("page.html") == [(None, "First.\n\nSecond & last.", False)]
    assert chunks("book.epub") == [(None, "One\n\nFirst & bold.", False), (None, "Second chapter.", False)]
    assert chunks("utf8.txt") == [(None, "日本語の題名\n\n本文です。", False)]
    assert [len(str(text)) for _, text, _ in chunks("long line.txt")] == [1499, 1499, 1499, 499]
    spoken = DOCUMENT_CONCEPT.c
    query = sa.select(spoken.concept_key, spoken.pages, spoken.match_type).order_by(spoken.position)
    assert rows(library, query.where(spoken.document_key == "My Papers/paper.pdf"))[0] == (
        "quorum-systems",
        "[1,2]",
        "keyword",
    )
    about = rows(library, query.where(spoken.document_key == "My Papers/front.md"))
    assert {"consensus-algorithm", "leader-election"} <= {row[0] for row in about}
    link = DOCUMENT_CATEGORY.c
    placed = dict(rows(library, sa.select(link.document_key, link.category_key).where(link.position == 0)))
    assert placed == {"My Papers/front.md": "distributed-systems", "My Papers/nested/deep/notes.md": "deep"}


async def test_changes_and_deletions(library: Database, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "stays.md").write_text("# Stays\n\nSame text.")
    (folder / "changes.md").write_text("# Old title\n\nBlockchain ledgers. Blockchain ledgers.")
    (folder / "goes.md").write_text("---\ncategories: lonely\n---\nVolcano craters. Volcano craters.")
    other = tmp_path / "elsewhere" / "papers"
    other.mkdir(parents=True)
    (other / "stays.md").write_text("# A namesake\n\nText.")
    assert counts(run_import(library, folder)) == {"added": 3}
    assert counts(run_import(library, other)) == {"added": 1}
    assert ("lonely",) in rows(library, sa.select(CATEGORY.c.key))

    (folder / "changes.md").write_text("# New title\n\nGlacier valleys. Glacier valleys.")
    (folder / "goes.md").unlink()
    (folder / "stays.md").touch()
    assert counts(run_import(library, folder)) == {"updated": 1, "removed": 1, "unchanged": 1}
    titles = rows(library, sa.select(DOCUMENT.c.title).order_by(DOCUMENT.c.title))
    assert titles == [("A namesake",), ("New title",), ("Stays",)]
    # What only the old texts named is gone with them.
    assert rows(library, sa.select(CATEGORY.c.key)) == []
    concepts = {row[0] for row in rows(library, sa.select(CONCEPT.c.key))}
    assert "glacier-valleys" in concepts
    assert not {"blockchain-ledgers", "volcano-craters"} & concepts

    # A file that breaks keeps what was read of it before, and says so each time.
    (folder / "stays.md").write_bytes(b"")
    outcome = run_import(library, folder)
    assert (counts(outcome), outcome.rejected) == ({"unchanged": 1}, 1)
    assert rows(library, sa.select(sa.func.count()).select_from(DOCUMENT)) == [(3,)]


async def test_categories_by_likeness_to_an_editable_list(library: Database, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "rafts.txt").write_text("On agreement\n\n" + "Distributed systems need databases. " * 8)
    (folder / "roses.txt").write_text("Roses\n\nGardening with roses, and more gardening in spring.")
    listed = [
        category("ds", name="distributed systems"),
        category("db", name="database theory", aliases=["databases"], description="Relations and storage."),
    ]
    write_catalogue(folder / "categories.jsonl", listed)
    link = DOCUMENT_CATEGORY.c
    query = sa.select(link.document_key, link.category_key)
    assert counts(run_import(library, folder)) == {"added": 4}
    assert rows(library, query) == [("papers/rafts.txt", "ds")]
    write_catalogue(folder / "categories.jsonl", [*listed, category("garden", name="gardening")])
    assert counts(run_import(library, folder)) == {"added": 1, "updated": 2, "unchanged": 2}
    assert sorted(rows(library, query)) == [("papers/rafts.txt", "ds"), ("papers/roses.txt", "garden")]


async def test_a_dry_run_of_a_folder(sqlite_target: str, tmp_path: Path) -> None:
    migrations.upgrade(sqlite_target, ["library"])
    library = await Database.open(sqlite_target)
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "a.md").write_text("text")
    assert counts(run_import(library, tmp_path / "papers", dry_run=True)) == {"added": 1}
    assert rows(library, sa.select(DOCUMENT.c.key)) == []
    await library.close()


def test_files_that_would_hang_or_fill_the_memory(tmp_path: Path) -> None:
    slow = tmp_path / "slow.md"
    slow.write_bytes(b"*a_ " * 400_000)
    bomb, long = tmp_path / "bomb.epub", tmp_path / "long.epub"
    bomb.write_bytes(zip_bomb(201))
    long.write_bytes(zip_bomb(20))
    assert bomb.stat().st_size < 1_000_000
    good = tmp_path / "good.md"
    good.write_text("fine")
    greedy = tmp_path / "greedy.html"
    greedy.write_bytes(b"<p>x" * 3_000_000)
    defaults = LibrarySettings()
    with Reader(0.2, defaults.library_file_memory_mb) as reader:
        with pytest.raises(Unreadable, match=r"longer than 0\.2 seconds"):
            reader.read(slow)
        reader.seconds = 60
        assert reader.read(good) == Extracted(sections=[(None, "fine")])
        with pytest.raises(Unreadable, match=r"It unpacks to more than 200 MB\."):
            reader.read(bomb)
        with pytest.raises(Unreadable, match=r"It holds more than 20,000,000 characters of text\."):
            reader.read(long)
    with Reader(60, 200) as reader:
        with pytest.raises(Unreadable, match=r"memory|reader failed|broke down"):
            reader.read(greedy)
        assert reader.read(good).sections == [(None, "fine")]
