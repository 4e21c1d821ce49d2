"""One call of each tool of the real app, with all that it answers; every way to reach the app is put through them."""

from __future__ import annotations

from typing import Any

from schema.node import global_id
from tests.support.ckan_doors import FILE, ROWS

FIREBALL = global_id("Spell", "srd_fireball")
GOBLIN = global_id("Creature", "srd_goblin")
EMBEDDED = "Only the embedded System Reference Document 5.1 (`srd-2014`) is held here."
WHOLE = {"complete": True, "warnings": [EMBEDDED]}
PORTAL = "http://portal.invalid"
"""Stands for the fake CKAN portal, whose address is known only once it is served: `at` puts it in."""
OF_PORTAL = {"complete": True, "warnings": []}


def at(portal: str, value: Any) -> Any:
    """Arguments or an answer, with the portal's address in the place of `PORTAL`."""
    if isinstance(value, str):
        return value.replace(PORTAL, portal)
    if isinstance(value, dict):
        return {key: at(portal, item) for key, item in value.items()}
    return [at(portal, item) for item in value] if isinstance(value, list) else value


CALLS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "ckan_datastore_search": (
        {
            "server_url": PORTAL,
            "resource_id": ROWS,
            "filters": {"città": "Milano"},
            "fields": ["anno"],
            "limit": 1,
        },
        {
            "nodes": [{"values": {"anno": 2020}}],
            "page_info": {"has_next_page": True},
            "total_count": 2,
            "columns": [{"name": "anno", "type": "int"}],
            "provenance": OF_PORTAL,
        },
    ),
    "ckan_find_portals": (
        {"country": "Canada", "fields": ["key", "has_datastore"]},
        {
            "portals": [
                {"key": "open.canada.ca", "has_datastore": True},
                {"key": "toronto", "has_datastore": True},
            ]
        },
    ),
    "ckan_find_relevant_datasets": (
        {
            "server_url": PORTAL,
            "query": "defibrillatori Comune di Lecce",
            "limit": 1,
            "fields": ["name", "matched_by", "terms", "node.dataset_id"],
        },
        {
            "nodes": [
                {
                    "name": "Defibrillatori DAE",
                    "matched_by": ["title", "notes", "tags"],
                    "node": {"dataset_id": "d09"},
                }
            ],
            "page_info": {"has_next_page": True},
            "terms": ["defibrillatori", "comune", "lecce"],
            "provenance": OF_PORTAL,
        },
    ),
    "ckan_group_list": (
        {"server_url": PORTAL, "fields": ["name", "title"]},
        {
            "nodes": [{"name": "ambiente", "title": "Ambiente"}],
            "page_info": {"has_next_page": False},
            "provenance": OF_PORTAL,
        },
    ),
    "ckan_list_resources": (
        {"server_url": PORTAL, "id": "d01", "check_source_portal": False, "response_format": "json"},
        {
            "nodes": [
                {
                    "name": "Rilevazioni orarie",
                    "resource_id": ROWS,
                    "format": "CSV",
                    "size": "1.5 MB",
                    "datastore_active": True,
                    "url": f"https://ckan.example/dataset/d01/resource/{ROWS}/download/ore.csv",
                },
                {
                    "name": "Unnamed Resource",
                    "resource_id": FILE,
                    "format": "pdf",
                    "datastore_active": False,
                    "url": f"https://files.example.org/{FILE}.csv",
                },
            ],
            "page_info": {"has_next_page": False},
            "total_count": 2,
            "dataset": {"title": "Qualità dell'aria Milano"},
            "provenance": OF_PORTAL,
        },
    ),
    "ckan_organization_list": (
        {"server_url": PORTAL, "query": "milano", "fields": ["name", "package_count"]},
        {
            "nodes": [{"name": "comune-milano", "package_count": 3}],
            "page_info": {"has_next_page": False},
            "provenance": OF_PORTAL,
        },
    ),
    "ckan_package_search": (
        {
            "server_url": PORTAL,
            "q": "aria OR acqua",
            "organization": ["comune-milano"],
            "limit": 1,
            "fields": ["dataset_id", "total_count", "resolved"],
        },
        {
            "nodes": [{"dataset_id": "d03"}],
            "page_info": {"has_next_page": True},
            "total_count": 3,
            "resolved": {
                "query": "aria OR acqua",
                "effective_query": "text:(aria OR acqua)",
                "parser": "text",
                "reason": "This portal's own parser ignores what joins the words, so the query is wrapped.",
                "probe_verdict": "wrap",
            },
            "provenance": OF_PORTAL,
        },
    ),
    "ckan_package_show": (
        {"server_url": PORTAL, "id": "d01", "fields": ["portal", "title", "licence_id", "resources.format"]},
        {
            "dataset": {
                "portal": PORTAL,
                "title": "Qualità dell'aria Milano",
                "licence_id": "cc-by",
                "resources": [{"format": "CSV"}, {"format": "pdf"}],
            }
        },
    ),
    "ckan_status_show": (
        {"server_url": PORTAL, "fields": ["title", "ckan_version", "parser_verdict"]},
        {"portal": {"title": "Dati di prova", "ckan_version": "2.12.0", "parser_verdict": "wrap"}},
    ),
    "ckan_tag_list": (
        {"server_url": PORTAL, "query": "mobilita", "fields": ["name", "count"]},
        {
            "nodes": [{"name": "mobilita", "count": 1}, {"name": "mobilità", "count": 1}],
            "page_info": {"has_next_page": False},
            "provenance": OF_PORTAL,
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
        {"sources": [{"name": "datasets", "state": "ready"}, {"name": "dnd", "state": "ready"}]},
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
