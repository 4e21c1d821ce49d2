"""The sample catalogue through the executor: the questions that concept-rag's users ask, by exact content."""

from __future__ import annotations

from tests.support.seeded import Ask, data

TOP_BY_POPULARITY = [
    "distributed systems",
    "algorithms",
    "cryptography",
    "theory of computation",
    "consensus",
]
TOP_BY_DOCUMENTS = ["algorithms", "distributed systems", "cryptography", "deep learning", "statistics"]
TOP_BY_NAME = ["3d graphics", "algorithms", "architecture", "artificial intelligence", "bayesian statistics"]
DIRECT = [
    "chang-2006-bigtable",
    "gilbert-lynch-2002-cap",
    "shapiro-2011-crdt",
    "kleppmann-2017-ddia",
    "chandy-lamport-1985-snapshots",
    "decandia-2007-dynamo",
    "saltzer-1984-end-to-end",
    "herlihy-wing-1990-linearizability",
    "corbett-2012-spanner",
    "ghemawat-2003-gfs",
    "lamport-1978-time-clocks",
    "hunt-2010-zookeeper",
]
BELOW = {
    "nakamoto-2008-bitcoin",
    "stoica-2001-chord",
    "flp-1985-impossibility",
    "ongaro-2014-raft",
    "maymounkov-2002-kademlia",
    "kreps-2011-kafka",
    "dean-ghemawat-2004-mapreduce",
    "lamport-2001-paxos-simple",
    "castro-liskov-1999-pbft",
    "zaharia-2012-rdd",
    "lamport-1982-byzantine-generals",
    "akidau-2015-dataflow",
    "lamport-1998-part-time-parliament",
}


async def test_categories_in_three_orders(ask: Ask) -> None:
    query = """query ($sort: CategorySort) { categories(sortBy: $sort, first: 5) {
      totalCount nodes { name statistics { documents chunks concepts } } } }"""
    for sort, expected in (
        ("POPULARITY", TOP_BY_POPULARITY),
        ("DOCUMENT_COUNT", TOP_BY_DOCUMENTS),
        ("NAME", TOP_BY_NAME),
    ):
        found = data(await ask(query, sort=sort))["categories"]
        assert found["totalCount"] == 84
        assert [node["name"] for node in found["nodes"]] == expected
        by_name = {node["name"]: node["statistics"] for node in found["nodes"]}
        assert by_name["algorithms"]["documents"] == 15
    assert data(await ask("{ categories { nodes { name } } }"))["categories"]["nodes"][0] == {
        "name": "distributed systems"
    }


async def test_distributed_systems_with_and_without_children(ask: Ask) -> None:
    query = """query ($children: Boolean!) {
      categoryDocuments(category: "distributed systems", includeChildren: $children, first: 100) {
        totalCount nodes { key } statistics { documents chunks concepts } searched { name } } }"""
    alone = data(await ask(query, children=False))["categoryDocuments"]
    assert [node["key"] for node in alone["nodes"]] == DIRECT
    assert alone["statistics"] == {"documents": 12, "chunks": 14, "concepts": 41}
    assert alone["searched"] == [{"name": "distributed systems"}]
    whole = data(await ask(query, children=True))["categoryDocuments"]
    assert {node["key"] for node in whole["nodes"]} == {*DIRECT, *BELOW}
    assert whole["totalCount"] == len(whole["nodes"]) == 25
    assert whole["statistics"] == {"documents": 25, "chunks": 27, "concepts": 66}
    assert [one["name"] for one in whole["searched"]] == [
        "distributed systems",
        "consensus",
        "large-scale data processing",
        "peer-to-peer systems",
    ]


async def test_the_concepts_of_distributed_systems(ask: Ask) -> None:
    query = """query ($children: Boolean!) {
      categoryConcepts(category: "distributed systems", includeChildren: $children, first: 8) {
        totalCount nodes { name documentCount } } }"""
    alone = data(await ask(query, children=False))["categoryConcepts"]
    assert alone["totalCount"] == 41
    assert [(node["name"], node["documentCount"]) for node in alone["nodes"]] == [
        ("linearizability", 4),
        ("consistency", 3),
        ("replication", 3),
        ("sharding", 3),
        ("availability", 2),
        ("distributed file system", 2),
        ("eventual consistency", 2),
        ("log-structured storage", 2),
    ]
    whole = data(await ask(query, children=True))["categoryConcepts"]
    assert whole["totalCount"] == 66
    assert [(node["name"], node["documentCount"]) for node in whole["nodes"][:5]] == [
        ("consensus", 6),
        ("fault tolerance", 5),
        ("state machine replication", 5),
        ("linearizability", 4),
        ("consistency", 3),
    ]


async def test_what_the_sample_holds(ask: Ask) -> None:
    found = data(await ask("{ sources { name state counts { kind count } licences { name } } }"))["sources"]
    (library,) = [one for one in found if one["name"] == "library"]
    assert {one["kind"]: one["count"] for one in library["counts"]} == {
        "document": 303,
        "category": 84,
        "concept": 782,
        "chunk": 174,
    }
    assert (library["state"], library["licences"]) == ("READY", [{"name": "Apache-2.0"}])
    question = '{ searchDocuments(query: "how do replicas agree on an order of events", first: 1) '
    hit = data(await ask(question + "{ nodes { node { key sample source { licence } } } } }"))
    assert hit["searchDocuments"]["nodes"] == [
        {"node": {"key": "lamport-1978-time-clocks", "sample": True, "source": {"licence": "Apache-2.0"}}}
    ]
