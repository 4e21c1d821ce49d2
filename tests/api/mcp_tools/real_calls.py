"""One call of each tool of the real app, with all that it answers; every way to reach the app is put through them."""

from __future__ import annotations

from typing import Any

from schema.node import global_id
from tests.api.mcp_tools import real_calls_datasets

FIREBALL = global_id("Spell", "srd_fireball")
GOBLIN = global_id("Creature", "srd_goblin")
EMBEDDED = "Only the embedded System Reference Document 5.1 (`srd-2014`) is held here."
PAGING = "decisions/0003-keyset-cursors#decision"
BY_WORDS = (
    "The index of meanings is not open in this process."
    " What is not indexed was looked for by the words of the query."
)
WHOLE = {"complete": True, "warnings": [EMBEDDED]}
SAMPLE = {
    "complete": True,
    "warnings": [
        "303 of the documents held are the sample that comes with loregraph. `loregraph sample remove library` "
        "takes them out."
    ],
}
LAMPORT_1978 = "Time, Clocks, and the Ordering of Events in a Distributed System"

EVENTS_SAMPLE = "Only the embedded sample of 232 events is held here."

CALLS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    **real_calls_datasets.CALLS,
    "catalog_search": (
        {
            "query": "ordering events with logical clocks",
            "limit": 1,
            "fields": ["name", "matched_by", "node.key"],
        },
        {
            "nodes": [
                {
                    "name": LAMPORT_1978,
                    "matched_by": ["full_text"],
                    "node": {"key": "lamport-1978-time-clocks"},
                }
            ],
            "page_info": {"has_next_page": True},
            "provenance": SAMPLE,
        },
    ),
    "category_search": (
        {
            "category": "Distributed Systems",
            "include_children": True,
            "limit": 2,
            "fields": ["key", "total_count", "statistics", "category.key"],
        },
        {
            "nodes": [{"key": "chang-2006-bigtable"}, {"key": "nakamoto-2008-bitcoin"}],
            "page_info": {"has_next_page": True},
            "total_count": 25,
            "statistics": {"documents": 25, "chunks": 27, "concepts": 66},
            "category": {"key": "distributed-systems"},
            "provenance": SAMPLE,
        },
    ),
    "concept_search": (
        {"name": "Distributed Agreement", "fields": ["key", "document_count"]},
        {"concept": {"key": "consensus", "document_count": 6}},
    ),
    "get_category": (
        {"name": "consensus", "fields": ["key", "path.name", "statistics"]},
        {
            "category": {
                "key": "consensus",
                "path": [
                    {"name": "computer science"},
                    {"name": "distributed systems"},
                    {"name": "consensus"},
                ],
                "statistics": {"documents": 7, "chunks": 8, "concepts": 15},
            }
        },
    ),
    "get_creature": (
        {"key": "goblin", "fields": ["key", "name", "challenge_rating", "type.name", "abilities.dexterity"]},
        {
            "creature": {
                "key": "srd_goblin",
                "name": "Goblin",
                "challenge_rating": 0.25,
                "type": {"name": "Humanoid"},
                "abilities": {"dexterity": 14},
            }
        },
    ),
    "get_document": (
        {"key": "10.1145/359545.359563", "fields": ["key", "title", "year", "type", "categories.name"]},
        {
            "document": {
                "key": "lamport-1978-time-clocks",
                "title": LAMPORT_1978,
                "year": 1978,
                "type": "paper",
                "categories": [{"name": "distributed systems"}],
            }
        },
    ),
    "get_event": (
        {
            "id": "russia-invades-ukraine-2022",
            "fields": ["title", "category", "confidence.level", "location.city", "tags"],
        },
        {
            "event": {
                "title": "Russia invades Ukraine",
                "category": "military",
                "confidence": {"level": "verified"},
                "location": {"city": "Kyiv"},
                "tags": ["invasion", "war"],
            }
        },
    ),
    "get_event_stats": (
        {"categories": ["cyber"], "fields": ["total", "by_category", "provenance.warnings"]},
        {
            "event_stats": {
                "total": 23,
                "by_category": [{"category": "cyber", "count": 23}],
                "provenance": {"warnings": [EVENTS_SAMPLE]},
            }
        },
    ),
    "get_events": (
        {
            "search_query": "earthquake -japan",
            "near": {"latitude": 35, "longitude": 139, "radius_km": 500},
            "limit": 1,
            "fields": ["title", "total_count", "page"],
        },
        {
            "nodes": [{"title": "Magnitude 7.5 earthquake on the Noto peninsula"}],
            "page_info": {"has_next_page": False},
            "total_count": 1,
            "page": 1,
            "provenance": {"complete": True, "warnings": [EVENTS_SAMPLE]},
        },
    ),
    "get_node": (
        {"id": FIREBALL, "fields": ["id", "name", "level"]},
        {"node": {"typename": "spell", "id": FIREBALL, "name": "Fireball", "level": 3}},
    ),
    "get_nodes": (
        {"ids": [GOBLIN, global_id("Spell", "none"), FIREBALL], "fields": ["name"]},
        {
            "nodes": [
                {"typename": "creature", "name": "Goblin"},
                None,
                {"typename": "spell", "name": "Fireball"},
            ]
        },
    ),
    "get_spell": (
        {"key": "srd_fireball", "fields": ["name", "school.key", "damage_types.name", "source.licence"]},
        {
            "spell": {
                "name": "Fireball",
                "school": {"key": "evocation"},
                "damage_types": [{"name": "Fire"}],
                "source": {"licence": "CC-BY-4.0"},
            }
        },
    ),
    "list_categories": (
        {
            "search": "distributed",
            "sort_by": "documentCount",
            "limit": 3,
            "fields": ["name", "statistics.documents"],
        },
        {
            "nodes": [{"name": "distributed systems", "statistics": {"documents": 12}}],
            "page_info": {"has_next_page": False},
            "provenance": SAMPLE,
        },
    ),
    "list_concepts": (
        {
            "category": "consensus",
            "order_by": {"field": "document_count", "direction": "desc"},
            "limit": 1,
            "fields": ["name", "document_count"],
        },
        {
            "nodes": [{"name": "consensus", "document_count": 6}],
            "page_info": {"has_next_page": True},
            "provenance": SAMPLE,
        },
    ),
    "list_concepts_in_category": (
        {"category": "distributed systems", "sort_by": "documentCount", "limit": 2},
        {
            "nodes": [
                {"key": "linearizability", "name": "linearizability", "document_count": 4, "weight": 0.8},
                {"key": "consistency", "name": "consistency", "document_count": 3, "weight": 0.7},
            ],
            "page_info": {"has_next_page": True},
            "category": {"key": "distributed-systems", "name": "distributed systems"},
            "statistics": {"documents": 12, "chunks": 14, "concepts": 41},
            "provenance": SAMPLE,
        },
    ),
    "list_documents": (
        {"author": "lamport", "year_max": 1990, "fields": ["key", "year", "total_count"]},
        {
            "nodes": [
                {"key": "chandy-lamport-1985-snapshots", "year": 1985},
                {"key": "lamport-1982-byzantine-generals", "year": 1982},
                {"key": "lamport-1978-time-clocks", "year": 1978},
            ],
            "page_info": {"has_next_page": False},
            "total_count": 3,
            "provenance": SAMPLE,
        },
    ),
    "list_memory_databases": (
        {"fields": ["name", "kind", "ready"]},
        {"memory_databases": [{"name": "guide", "kind": "managed", "ready": False}]},
    ),
    "list_memory_entries": (
        {"db_name": "guide", "entry_id": PAGING, "fields": ["entry_id", "database", "total_count"]},
        {
            "nodes": [{"entry_id": PAGING, "database": "guide"}],
            "page_info": {"has_next_page": False},
            "total_count": 1,
            "provenance": {"complete": True, "warnings": []},
        },
    ),
    "list_rulebooks": (
        {"fields": ["key", "licence"]},
        {
            "nodes": [{"key": "srd-2014", "licence": "CC-BY-4.0"}],
            "page_info": {"has_next_page": False},
            "provenance": WHOLE,
        },
    ),
    "list_sources": (
        {"fields": ["name", "state"]},
        {
            "sources": [
                {"name": name, "state": "ready"}
                for name in ("datasets", "dnd", "events", "library", "memory")
            ]
        },
    ),
    "lookup_character_option": (
        {"kind": "subclass", "subclass_of": "wizard", "fields": ["key", "name", "total_count"]},
        {
            "nodes": [
                {"typename": "subclass", "key": "srd_school-of-evocation", "name": "School of Evocation"}
            ],
            "page_info": {"has_next_page": False},
            "total_count": 1,
            "provenance": WHOLE,
        },
    ),
    "lookup_creature": (
        {"type": "dragon", "size": "huge", "cr_min": 17, "fields": ["name", "total_count"]},
        {
            "nodes": [{"name": "Adult Gold Dragon"}, {"name": "Adult Red Dragon"}],
            "page_info": {"has_next_page": False},
            "total_count": 2,
            "provenance": WHOLE,
        },
    ),
    "lookup_equipment": (
        {"kind": "magic-item", "rarity": "legendary", "limit": 1, "fields": ["name", "total_count"]},
        {
            "nodes": [{"typename": "magic_item", "name": "Apparatus of the Crab"}],
            "page_info": {"has_next_page": True},
            "total_count": 43,
            "provenance": WHOLE,
        },
    ),
    "lookup_rule": (
        {"kind": ["condition"], "name": "prone", "fields": ["key", "name"]},
        {
            "nodes": [{"typename": "condition", "key": "srd_prone", "name": "Prone"}],
            "page_info": {"has_next_page": False},
            "provenance": WHOLE,
        },
    ),
    "lookup_spell": (
        {"school": ["evocation"], "level": 3, "limit": 2, "fields": ["name", "total_count"]},
        {
            "nodes": [{"name": "Daylight"}, {"name": "Fireball"}],
            "page_info": {"has_next_page": True},
            "total_count": 7,
            "provenance": WHOLE,
        },
    ),
    "recall_search": (
        {
            "db_name": "guide",
            "query": "how do cursors work?",
            "entry_id": [PAGING],
            "fields": ["entry_id", "matched_by", "query"],
        },
        {
            "query": "how do cursors work?",
            "nodes": [{"entry_id": PAGING, "matched_by": ["full_text"]}],
            "page_info": {"has_next_page": False},
            "provenance": {"complete": False, "warnings": [BY_WORDS]},
        },
    ),
}
"""By tool: the arguments, and the structured content without the cursor, which differs by what it is bound to."""
