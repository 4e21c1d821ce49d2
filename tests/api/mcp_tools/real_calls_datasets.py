"""One call of each tool over CKAN portals, with all that it answers; the portal is a fake, served for the test."""

from __future__ import annotations

from typing import Any

from tests.support.ckan_doors import FILE, ROWS

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
}
