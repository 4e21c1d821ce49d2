"""One call of each tool of the real app, with all that it answers; every way to reach the app is put through them."""

from __future__ import annotations

from typing import Any

from schema.node import global_id

FIREBALL = global_id("Spell", "srd_fireball")
GOBLIN = global_id("Creature", "srd_goblin")
EMBEDDED = "Only the embedded System Reference Document 5.1 (`srd-2014`) is held here."
PAGING = "decisions/0003-keyset-cursors#decision"
BY_WORDS = "The index of meanings is not open in this process. What is not indexed was looked for by the words of the query."
WHOLE = {"complete": True, "warnings": [EMBEDDED]}

CALLS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
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
        {"sources": [{"name": name, "state": "ready"} for name in ("dnd", "events", "memory")]},
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
