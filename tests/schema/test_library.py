"""The library's root fields over catalogues of the tests' own, through the executor, on both databases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import pytest

from schema.node import global_id
from sources.database import Database, Statement
from tests.support.databases import postgresql_database
from tests.support.library import (
    Line,
    asker,
    category,
    concept,
    document,
    fill,
    write_catalogue,
)
from tests.support.seeded import Ask, data, error

LINES: list[Line] = [
    category(
        "cs", name="Computer Science", aliases=["CS", "computing"], description="Computation in all forms."
    ),
    category("ds", "cs", name="Distributed Systems", related=["db"], aliases=["Verteilte Systeme"]),
    category("consensus", "Distributed Systems", name="Consensus Protocols"),
    category("db", "cs", name="Databases", aliases=["storage"]),
    category("graphics", name="3D Graphics"),
    category("three", name="3"),
    category("disks", name="Disks", aliases=["storage"]),
    concept(
        "raft",
        summary="A consensus algorithm.",
        synonyms=["Raft protocol"],
        broader=["agreement"],
        weight=0.8,
    ),
    concept("quorum", related=["raft"], narrower=["majority"]),
    document(
        "paxos",
        ["consensus"],
        title="The Part-Time Parliament",
        authors=["Leslie Lamport"],
        year=1998,
        type="paper",
        doi="https://doi.org/10.1145/279227.279229",
        summary="Legislators agree on decrees although they come and go.",
    )
    | {
        "concepts": [
            {"concept": "quorum", "weight": 0.9, "pages": [3, 1]},
            {"concept": "agreement", "match_type": "synonym"},
        ],
        "chunks": [
            {"text": "A ballot succeeds when a majority votes.", "page": 3, "concepts": ["quorum"]},
            {"text": "References", "page": 9, "is_reference": True},
        ],
    },
    document(
        "raft-paper",
        ["consensus", "ds"],
        ["raft", "quorum"],
        title="In Search of an Understandable Consensus Algorithm",
        authors=["Diego Ongaro", "John Ousterhout"],
        year=2014,
        type="paper",
        venue="USENIX ATC",
        keywords=["replication"],
        chunks=[
            {"text": "Raft elects a leader. The leader replicates its log.", "page": 1, "concepts": ["raft"]}
        ],
    ),
    document(
        "dynamo", ["ds", "db"], ["quorum"], title="Dynamo: a highly available store", year=2007, type="paper"
    ),
    document("gems", ["graphics"], ["matrix"], title="Graphics Gems", type="book", isbn="978-0-12-286166-6"),
    document("loose", title="Ünfiled notes"),
]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database with `LINES` in its library; tests only read it."""
    folder = tmp_path_factory.mktemp("library")
    path = write_catalogue(folder / "lines.jsonl", LINES)
    if request.param == "sqlite":
        yield fill(str(folder / "loregraph.db"), path)
        return
    with postgresql_database(request.getfixturevalue("postgresql_server")) as url:
        yield fill(url, path)


@pytest.fixture
async def filled(target: str) -> AsyncIterator[Database]:
    """The library of `LINES`, opened."""
    database = await Database.open(target)
    yield database
    await database.close()


@pytest.fixture
def ask(filled: Database) -> Ask:
    """Puts operations to the library of `LINES`."""
    return asker(filled)


def names(nodes: Sequence[dict[str, Any]], key: str = "name") -> list[str]:
    return [node[key] for node in nodes]


async def test_categories_in_three_orders_with_statistics(ask: Ask) -> None:
    fields = "nodes { key statistics { documents chunks concepts } subtreeStatistics { documents chunks concepts } }"

    async def listed(arguments: str) -> list[tuple[Any, ...]]:
        answer = data(await ask(f"{{ categories{arguments} {{ {fields} }} }}"))
        return [
            (node["key"], *node["statistics"].values(), *node["subtreeStatistics"].values())
            for node in answer["categories"]["nodes"]
        ]

    by_name = [
        ("three", 0, 0, 0, 0, 0, 0),
        ("graphics", 1, 0, 1, 1, 0, 1),
        ("cs", 0, 0, 0, 3, 3, 3),
        ("consensus", 2, 3, 3, 2, 3, 3),
        ("db", 1, 0, 1, 1, 0, 1),
        ("disks", 0, 0, 0, 0, 0, 0),
        ("ds", 2, 1, 2, 3, 3, 3),
    ]
    assert await listed("(sortBy: NAME)") == by_name
    popular = ["consensus", "ds", "graphics", "db", "three", "cs", "disks"]
    assert [row[0] for row in await listed("")] == popular
    assert [row[0] for row in await listed("(sortBy: null)")] == popular
    most = ["consensus", "ds", "graphics", "db", "three", "cs", "disks"]
    assert [row[0] for row in await listed("(sortBy: DOCUMENT_COUNT)")] == most
    assert [row[0] for row in await listed('(search: "STORAGE")')] == ["db", "disks"]
    assert [row[0] for row in await listed('(search: "computation in")')] == ["cs"]
    assert len(await listed('(search: " ")')) == 7
    assert [row[0] for row in await listed('(sortBy: NAME, filter: {parent: "computing"})')] == ["db", "ds"]
    assert [row[0] for row in await listed("(sortBy: NAME, filter: {depth: 0, documentsMin: 1})")] == [
        "graphics"
    ]
    assert [
        row[0] for row in await listed('(sortBy: NAME, filter: {not: {parent: "cs"}, depth: [1, 2]})')
    ] == ["consensus"]


async def test_the_place_of_a_category(ask: Ask) -> None:
    query = """query ($name: String!) { category(name: $name) {
      id key aliases description depth parent { name } children { name } path { name } related { name } sample } }"""
    found = data(await ask(query, name="verteilte systeme"))["category"]
    assert found == {
        "id": global_id("Category", "ds"),
        "key": "ds",
        "aliases": ["Verteilte Systeme"],
        "description": None,
        "depth": 1,
        "parent": {"name": "Computer Science"},
        "children": [{"name": "Consensus Protocols"}],
        "path": [{"name": "Computer Science"}, {"name": "Distributed Systems"}],
        "related": [{"name": "Databases"}],
        "sample": False,
    }


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("ds", "ds"),
        ("Distributed Systems", "ds"),
        ("distributed  SYSTEMS", "ds"),
        ("CS", "cs"),
        ("Computing", "cs"),
        ("3d graphics", "graphics"),
        ("3", "three"),
        ("three", "three"),
    ],
)
async def test_what_names_a_category(ask: Ask, name: str, key: str) -> None:
    assert data(await ask("query ($n: String!) { category(name: $n) { key } }", n=name)) == {
        "category": {"key": key}
    }


async def test_near_misses_are_errors_with_suggestions(ask: Ask) -> None:
    missed = error(await ask('{ category(name: "distributed system") { key } }'))
    assert missed["extensions"] == {
        "code": "NOT_FOUND",
        "argument": "name",
        "suggestions": ["Distributed Systems"],
    }
    for query, argument in (
        ('{ categoryDocuments(category: "graphics 3d") { totalCount } }', "category"),
        ('{ categoryConcepts(category: "graphics 3d") { totalCount } }', "category"),
        ('{ documents(filter: {category: "graphics 3d"}) { totalCount } }', "filter.category"),
        (
            '{ documents(filter: {categoryTree: ["ds", "graphics 3d"]}) { totalCount } }',
            "filter.categoryTree[1]",
        ),
        ('{ concepts(filter: {category: "graphics 3d"}) { totalCount } }', "filter.category"),
    ):
        missed = error(await ask(query))["extensions"]
        assert (missed["code"], missed["argument"]) == ("BAD_USER_INPUT", argument)
        assert missed["suggestions"] == ["3D Graphics"]
    missed = error(await ask('{ concept(name: "qourum") { key } }'))["extensions"]
    assert (missed["code"], missed["suggestions"]) == ("NOT_FOUND", ["quorum"])
    missed = error(await ask('{ documents(filter: {concept: "qourum"}) { totalCount } }'))["extensions"]
    assert (missed["code"], missed["suggestions"]) == ("BAD_USER_INPUT", ["quorum"])
    shared = error(await ask('{ category(name: "Storage") { key } }'))["extensions"]
    assert (shared["code"], shared["allowed"]) == ("BAD_USER_INPUT", ["db", "disks"])
    missed = error(await ask('{ document(key: "Graphics Gem") { key } }'))["extensions"]
    assert (missed["code"], missed["suggestions"]) == ("NOT_FOUND", ["Graphics Gems"])


async def test_documents_of_a_category_with_and_without_children(ask: Ask) -> None:
    query = """query ($children: Boolean) {
      categoryDocuments(category: "Distributed Systems", includeChildren: $children) {
        nodes { key } totalCount category { key parent { key } } statistics { documents chunks concepts }
        searched { key } provenance { complete warnings pushedDown } } }"""
    alone = data(await ask(query, children=False))["categoryDocuments"]
    assert names(alone["nodes"], "key") == ["dynamo", "raft-paper"]
    assert alone["totalCount"] == 2
    assert alone["category"] == {"key": "ds", "parent": {"key": "cs"}}
    assert alone["statistics"] == {"documents": 2, "chunks": 1, "concepts": 2}
    assert alone["searched"] == [{"key": "ds"}]
    assert alone["provenance"] == {"complete": True, "warnings": [], "pushedDown": ["category"]}
    assert data(await ask(query))["categoryDocuments"] == alone
    below = data(await ask(query, children=True))["categoryDocuments"]
    assert names(below["nodes"], "key") == ["dynamo", "raft-paper", "paxos"]
    assert below["statistics"] == {"documents": 3, "chunks": 3, "concepts": 3}
    assert below["searched"] == [{"key": "ds"}, {"key": "consensus"}]
    deep = '{ categoryDocuments(category: "cs", includeChildren: true, filter: {yearMax: 2007}) { nodes { key } } }'
    assert names(data(await ask(deep))["categoryDocuments"]["nodes"], "key") == ["dynamo", "paxos"]


async def test_concepts_are_counted_inside_the_category(ask: Ask) -> None:
    async def of(arguments: str) -> list[tuple[str, int]]:
        fields = "nodes { key documentCount } totalCount statistics { concepts }"
        found = data(await ask(f"{{ categoryConcepts({arguments}) {{ {fields} }} }}"))["categoryConcepts"]
        assert found["totalCount"] == found["statistics"]["concepts"] == len(found["nodes"])
        return [(node["key"], node["documentCount"]) for node in found["nodes"]]

    assert await of('category: "ds"') == [("quorum", 2), ("raft", 1)]
    assert await of('category: "ds", includeChildren: true') == [("quorum", 3), ("agreement", 1), ("raft", 1)]
    assert await of('category: "ds", includeChildren: true, sortBy: NAME') == [
        ("agreement", 1),
        ("quorum", 3),
        ("raft", 1),
    ]
    assert await of('category: "cs"') == []
    filtered = data(
        await ask(
            """{ categoryConcepts(category: "cs", includeChildren: true, filter: {documentsMin: 2}) {
              nodes { name weight concept { documentCount summary } } totalCount } }"""
        )
    )["categoryConcepts"]
    assert filtered["nodes"] == [
        {"name": "quorum", "weight": None, "concept": {"documentCount": 3, "summary": None}}
    ]
    assert filtered["totalCount"] == 1


async def test_a_document_with_all_that_belongs_to_it(ask: Ask) -> None:
    query = """query ($key: String!) { document(key: $key) {
      key title authors year type url doi isbn chunkCount conceptCount categories { key }
      concepts { concept { key } weight pages matchType }
      chunks(first: 1, position: 2) { position page text isReference concepts { key } document { key } }
      source { name licence } } }"""
    paxos = data(await ask(query, key="paxos"))["document"]
    assert paxos == {
        "key": "paxos",
        "title": "The Part-Time Parliament",
        "authors": ["Leslie Lamport"],
        "year": 1998,
        "type": "PAPER",
        "url": "https://doi.org/10.1145/279227.279229",
        "doi": "https://doi.org/10.1145/279227.279229",
        "isbn": None,
        "chunkCount": 2,
        "conceptCount": 2,
        "categories": [{"key": "consensus"}],
        "concepts": [
            {"concept": {"key": "quorum"}, "weight": 0.9, "pages": [1, 3], "matchType": "exact"},
            {"concept": {"key": "agreement"}, "weight": None, "pages": [], "matchType": "synonym"},
        ],
        "chunks": [
            {
                "position": 2,
                "page": 9,
                "text": "References",
                "isReference": True,
                "concepts": [],
                "document": {"key": "paxos"},
            }
        ],
        "source": {"name": "Imported by the operator", "licence": None},
    }
    for other in ("10.1145/279227.279229", "doi:10.1145/279227.279229", "the part-time PARLIAMENT"):
        assert data(await ask(query, key=other))["document"] == paxos
    assert data(await ask(query, key="9780122861666"))["document"]["key"] == "gems"


async def test_a_concept_with_all_that_belongs_to_it(ask: Ask) -> None:
    query = """query ($name: String!) { concept(name: $name) {
      key summary weight synonyms broader { key } narrower { key } related { key } documentCount chunkCount
      documents { document { key } pages matchType weight } chunks { key } } }"""
    assert data(await ask(query, name="raft PROTOCOL"))["concept"] == {
        "key": "raft",
        "summary": "A consensus algorithm.",
        "weight": 0.8,
        "synonyms": ["Raft protocol"],
        "broader": [{"key": "agreement"}],
        "narrower": [],
        "related": [],
        "documentCount": 1,
        "chunkCount": 1,
        "documents": [
            {"document": {"key": "raft-paper"}, "pages": [1], "matchType": "exact", "weight": None}
        ],
        "chunks": [{"key": "raft-paper#1"}],
    }
    quorum = data(await ask(query, name="quorum"))["concept"]
    assert (quorum["narrower"], quorum["related"]) == ([{"key": "majority"}], [{"key": "raft"}])
    assert [one["document"]["key"] for one in quorum["documents"]] == ["paxos", "dynamo", "raft-paper"]
    few = '{ concept(name: "quorum") { documents(first: 1) { document { key } } } }'
    assert data(await ask(few))["concept"]["documents"] == [{"document": {"key": "paxos"}}]


@pytest.mark.parametrize(
    ("filter_", "keys"),
    [
        ('title: "PART-time"', ["paxos"]),
        ('titleExact: "unfiled NOTES"', ["loose"]),
        ('search: "replication usenix"', ["raft-paper"]),
        ('search: "elects a leader"', []),
        ('category: "ds"', ["dynamo", "raft-paper"]),
        ('category: ["db", "graphics"]', ["dynamo", "gems"]),
        ('categoryTree: "CS"', ["dynamo", "raft-paper", "paxos"]),
        ('not: {categoryTree: "CS"}', ["gems", "loose"]),
        ('concept: "raft protocol"', ["raft-paper"]),
        ('author: "OUSTER"', ["raft-paper"]),
        ("year: [1998, 2014]", ["raft-paper", "paxos"]),
        ("yearMin: 2000, yearMax: 2010", ["dynamo"]),
        ("not: {yearMin: 2000}", ["gems", "paxos", "loose"]),
        ("type: BOOK", ["gems"]),
        ("type: [UNKNOWN, BOOK]", ["gems", "loose"]),
        ('venue: "usenix"', ["raft-paper"]),
        ('identifier: ["ISBN 978-0-12-286166-6", "10.1145/279227.279229"]', ["gems", "paxos"]),
        ('key: ["loose"]', ["loose"]),
        ("key: []", []),
        ("category: []", []),
        ('anyOf: [{type: BOOK}, {author: "lamport"}]', ["gems", "paxos"]),
    ],
)
async def test_document_filters(ask: Ask, filter_: str, keys: list[str]) -> None:
    answer = data(await ask(f"{{ documents(filter: {{{filter_}}}) {{ nodes {{ key }} totalCount }} }}"))
    assert names(answer["documents"]["nodes"], "key") == keys
    assert answer["documents"]["totalCount"] == len(keys)


async def test_orders_and_concept_filters(ask: Ask) -> None:
    by_year = "{ documents(orderBy: {field: YEAR, direction: DESC}) { nodes { key } } }"
    assert names(data(await ask(by_year))["documents"]["nodes"], "key") == [
        "raft-paper",
        "dynamo",
        "paxos",
        "gems",
        "loose",
    ]

    async def found(arguments: str) -> list[str]:
        return names(
            data(await ask(f"{{ concepts({arguments}) {{ nodes {{ key }} }} }}"))["concepts"]["nodes"], "key"
        )

    assert await found("first: 3") == ["agreement", "majority", "matrix"]
    most = "orderBy: [{field: DOCUMENT_COUNT, direction: DESC}, {field: NAME}], first: 2"
    assert await found(most) == ["quorum", "agreement"]
    assert await found('filter: {category: "cs"}') == ["agreement", "quorum", "raft"]
    assert await found('filter: {name: "RA", weightMin: 0.5}') == ["raft"]
    assert await found("filter: {documentsMin: 2}") == ["quorum"]


async def test_ranked_search(ask: Ask) -> None:
    query = """query ($q: String!, $filter: DocumentFilter) { searchDocuments(query: $q, filter: $filter) {
      nodes { kind name score matchedBy snippet node { key } } totalCount provenance { complete } } }"""

    async def found(text: str, filter_: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        answer = data(await ask(query, q=text, filter=filter_))["searchDocuments"]
        assert answer["totalCount"] == len(answer["nodes"])
        assert answer["provenance"] == {"complete": True}
        scores = [node["score"] for node in answer["nodes"]]
        assert scores == sorted(scores, reverse=True)
        assert all(0 < score <= 1 for score in scores)
        return [{**node, "key": node["node"]["key"]} for node in answer["nodes"]]

    hits = await found("which consensus algorithm replicates a log with a leader?")
    assert hits[0]["key"] == "raft-paper"
    assert hits[0]["snippet"] == "Raft elects a leader. The leader replicates its log."
    assert (hits[0]["kind"], hits[0]["matchedBy"]) == ("document", ["FULL_TEXT"])
    # A word of a chunk alone, and words of which one is in the title and one in a chunk.
    assert names(await found("ballot"), "key") == ["paxos"]
    assert (await found("ballot parliament"))[0]["key"] == "paxos"
    assert names(await found("ballot", {"category": ["ds"]}), "key") == []
    exact = await found("Graphics gems")
    assert (exact[0]["key"], exact[0]["score"]) == ("gems", 1.0)
    assert exact[0]["matchedBy"] == ["EXACT", "FULL_TEXT"]
    assert names(await found("https://doi.org/10.1145/279227.279229"), "key") == ["paxos"]
    assert names(await found("unfiled"), "key") == ["loose"]
    assert await found("zebra") == []
    assert error(await ask(query, q="?!"))["extensions"]["argument"] == "query"


async def test_pages_of_hits(ask: Ask) -> None:
    query = """query ($after: String, $q: String!) { searchDocuments(query: $q, first: 2, after: $after) {
      edges { cursor node { node { key } } } pageInfo { hasNextPage hasPreviousPage endCursor } } }"""
    words = "a the of consensus graphics notes store"
    keys: list[str] = []
    after = None
    for _ in range(3):
        page = data(await ask(query, q=words, after=after))["searchDocuments"]
        keys += [edge["node"]["node"]["key"] for edge in page["edges"]]
        assert page["pageInfo"]["hasPreviousPage"] == (after is not None)
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert sorted(keys) == ["dynamo", "gems", "loose", "paxos", "raft-paper"]
    foreign = error(await ask(query, q="other words", after=after))["extensions"]
    assert (foreign["code"], foreign["argument"]) == ("BAD_USER_INPUT", "after")


async def test_nodes_by_global_id(ask: Ask) -> None:
    ids = [
        global_id("Document", "paxos"),
        global_id("Category", "ds"),
        global_id("Concept", "raft"),
        global_id("DocumentChunk", "paxos#1"),
        global_id("Document", "none"),
    ]
    query = """query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Document { title } ... on Category { name }
      ... on Concept { name } ... on DocumentChunk { page } } }"""
    assert data(await ask(query, ids=ids))["nodes"] == [
        {"id": ids[0], "title": "The Part-Time Parliament"},
        {"id": ids[1], "name": "Distributed Systems"},
        {"id": ids[2], "name": "raft"},
        {"id": ids[3], "page": 3},
        None,
    ]


async def test_nested_fields_take_one_statement_each(
    ask: Ask, filled: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    fetch = type(filled).fetch

    async def counted(self: Database, statement: Statement, params: Sequence[object] = ()) -> Any:
        sent.append(statement.sql)
        return await fetch(self, statement, params)

    monkeypatch.setattr(type(filled), "fetch", counted)
    nested = """{ documents(first: FIRST) { nodes { categories { parent { key } children { key } path { key }
      related { key } } concepts { concept { broader { key } documents { document { key } } } }
      chunks { concepts { key } } } } }"""
    counts = []
    for first in (1, 5):
        data(await ask(nested.replace("FIRST", "1")))  # what is remembered is remembered
        sent.clear()
        data(await ask(nested.replace("FIRST", str(first))))
        counts.append(len(sent))
    assert counts[0] <= counts[1] <= 14
