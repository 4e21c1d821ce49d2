"""Libraries that tests fill themselves: a large category page by page, and the sample beside one's own records."""

from __future__ import annotations

from pathlib import Path

from sources.database import Database
from sources.library import SOURCE
from sources.library.settings import LibrarySettings
from tests.schema.test_library import names
from tests.support.library import Model, category, document, quiet, run_import, write_catalogue
from tests.support.seeded import Ask, data


async def test_five_thousand_concepts_sort_and_page_right(
    library: Database, ask_library: Ask, tmp_path: Path
) -> None:
    keys = [f"k{number:04}" for number in range(5000)]
    # Documents d0, d1, … speak of every concept whose number they divide: counts differ, with many ties.
    lines = [
        document(f"d{step}", ["big" if step % 2 else "small"], keys[::step])
        for step in (1, 2, 3, 5, 7, 11, 13)
    ]
    tree = [category("all"), category("big", "all"), category("small", "all")]
    run_import(library, write_catalogue(tmp_path / "c.jsonl", [*tree, *lines]))
    model = Model()
    model.take([*tree, *lines])
    query = """query ($c: String!, $sort: CategoryConceptSort, $children: Boolean, $after: String) {
      categoryConcepts(category: $c, sortBy: $sort, includeChildren: $children, first: 100, after: $after) {
        nodes { key documentCount } totalCount pageInfo { hasNextPage endCursor } } }"""
    for name, children, sort in (
        ("big", False, "DOCUMENT_COUNT"),
        ("all", True, "DOCUMENT_COUNT"),
        ("all", True, "NAME"),
    ):
        expected = model.concepts(name, children)
        assert len(expected) == 5000
        order = sorted(expected, key=lambda key: key if sort == "NAME" else (-expected[key], key))
        found: list[tuple[str, int]] = []
        after, more = None, True
        while more:
            page = data(await ask_library(query, c=name, sort=sort, children=children, after=after))
            page = page["categoryConcepts"]
            assert page["totalCount"] == 5000
            found += [(node["key"], node["documentCount"]) for node in page["nodes"]]
            after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
        assert found == [(key, expected[key]) for key in order]


async def test_the_sample_is_told_until_it_is_removed(
    library: Database, ask_library: Ask, tmp_path: Path
) -> None:
    run_import(
        library,
        write_catalogue(tmp_path / "c.jsonl", [document("own", ["distributed systems"], ["consensus"])]),
    )
    assert SOURCE.seed(library, LibrarySettings(), quiet)
    assert not SOURCE.seed(library, LibrarySettings(), quiet)
    nodes = "nodes { categories { name sample } sample }"
    query = f'{{ documents(filter: {{key: "own"}}) {{ provenance {{ warnings }} {nodes} }} }}'
    held = data(await ask_library(query))["documents"]
    (warning,) = held["provenance"]["warnings"]
    assert "sample that comes with loregraph" in warning
    assert held["nodes"] == [
        {"categories": [{"name": "distributed systems", "sample": False}], "sample": False}
    ]
    status = "{ sources { name state message counts { kind count } } }"
    told = next(one for one in data(await ask_library(status))["sources"] if one["name"] == "library")
    assert told["state"] == "READY"
    assert "loregraph sample remove library" in told["message"]

    removed = SOURCE.remove_sample(library)
    assert removed > 0
    held = data(await ask_library(query))["documents"]
    assert held["provenance"]["warnings"] == []
    assert held["nodes"][0]["categories"] == [{"name": "distributed systems", "sample": False}]
    everything = "{ documents { nodes { key } } categories { nodes { key } } concepts { nodes { key } } }"
    left = data(await ask_library(everything))
    assert {name: names(page["nodes"], "key") for name, page in left.items()} == {
        "documents": ["own"],
        "categories": ["distributed-systems"],
        "concepts": ["consensus"],
    }
    # A later start, even of a version with another sample, does not bring it back.
    with library.writing() as session:
        session.connection().exec_driver_sql("UPDATE seed_state SET data_version = 'older'")
    SOURCE.seed(library, LibrarySettings(), quiet)
    assert data(await ask_library(everything)) == left
    assert SOURCE.remove_sample(library) == 0
