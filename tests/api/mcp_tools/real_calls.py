"""One call of each tool of the real app, with all that it answers; every way to reach the app is put through them."""

from __future__ import annotations

from typing import Any

from schema.node import global_id

FIREBALL = global_id("Spell", "srd_fireball")
GOBLIN = global_id("Creature", "srd_goblin")
EMBEDDED = "Only the embedded System Reference Document 5.1 (`srd-2014`) is held here."
WHOLE = {"complete": True, "warnings": [EMBEDDED]}

SAMPLE = "Only the embedded sample of 232 events is held here."

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
                "provenance": {"warnings": [SAMPLE]},
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
            "provenance": {"complete": True, "warnings": [SAMPLE]},
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
        {"sources": [{"name": "dnd", "state": "ready"}, {"name": "events", "state": "ready"}]},
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
}
"""By tool: the arguments, and the structured content without the cursor, which differs by what it is bound to."""
