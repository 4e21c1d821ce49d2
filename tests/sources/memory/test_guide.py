"""The embedded database `guide`: loregraph's documents, cut at their headings, as they are now."""

from __future__ import annotations

from pathlib import Path

from sources.memory import guide
from sources.memory.records import Draft
from tests.contracts.house import ROOT
from tests.support.seeded import Ask, data

TEXT = """# Filters

What they are.

```sh
# no heading
```

## Paging

First.

### Cursors

Opaque.

## Paging

Again.
"""


def test_documents_are_cut_at_their_headings() -> None:
    found = guide.chunks([("filters.md", TEXT)])
    assert [(one.id, one.content) for one in found] == [
        ("filters#filters", "Filters\n\nWhat they are.\n\n```sh\n# no heading\n```"),
        ("filters#paging", "Filters › Paging\n\nFirst."),
        ("filters#cursors", "Filters › Paging › Cursors\n\nOpaque."),
        ("filters#paging-2", "Filters › Paging\n\nAgain."),
    ]
    assert found[2].metadata == {"document": "filters.md", "title": "Filters", "heading": "Cursors"}


def test_long_sections_are_cut_between_paragraphs() -> None:
    paragraphs = [f"{number} " + "word " * 60 for number in range(20)]
    found = guide.chunks([("a.md", "# A\n\n" + "\n\n".join(paragraphs))])
    assert all(len(one.content) <= guide.LONGEST_CHUNK + 10 for one in found)
    assert (
        " ".join(" ".join(one.content.split()[1:]) for one in found).split() == " ".join(paragraphs).split()
    )
    assert [one.id for one in found][:2] == ["a#a", "a#a-2"]


def test_all_documents_are_in_it() -> None:
    texts = guide.documents()
    assert {path for path, _ in texts} == {
        file.relative_to(ROOT / "docs").as_posix() for file in (ROOT / "docs").rglob("*.md")
    }
    found: list[Draft] = guide.chunks(texts)
    assert {one.metadata["document"] for one in found} == {path for path, _ in texts}
    assert len({one.id for one in found}) == len(found)


def test_its_version_moves_with_the_documents(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nOne.", encoding="utf-8")
    before = guide.version_of(guide.documents(tmp_path))
    assert guide.version_of(guide.documents(tmp_path)) == before
    (tmp_path / "a.md").write_text("# A\n\nTwo.", encoding="utf-8")
    assert guide.version_of(guide.documents(tmp_path)) != before


async def test_it_answers_after_seeding(ask: Ask) -> None:
    query = (
        '{ recall(dbName: "guide", query: "Which LOREGRAPH_WORKERS setting starts several server processes?", first: 3)'
        " { nodes { entryId node { source { licence } } } provenance { complete warnings } } }"
    )
    found = data(await ask(query))["recall"]
    assert [node["node"]["source"]["licence"] for node in found["nodes"]] == ["Apache-2.0"] * 3
    assert any(node["entryId"].startswith(("settings#", "deployment#")) for node in found["nodes"]), found[
        "nodes"
    ]
    assert found["provenance"]["complete"] is False
    assert "words of the query" in found["provenance"]["warnings"][0]
