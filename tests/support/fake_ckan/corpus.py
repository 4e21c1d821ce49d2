"""The fifteen datasets of the golden table, and datasets as CKAN's API shows them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Raw = dict[str, Any]

GOLDEN = """
d01 | Qualità dell'aria Milano | Rilevazione PM10 e NO2 delle centraline | aria;ambiente | comune-milano
d02 | Qualità dell'aria Torino | Misure orarie 2024 | aria | comune-torino
d03 | Acqua potabile Milano | Analisi acqua dei pozzi | acqua | comune-milano
d04 | Raccolta rifiuti Milano | Rifiuti urbani e aria compressa | rifiuti | comune-milano
d05 | Stazioni e-bike Roma | Stazioni di ricarica e-bike | mobilità;e-bike | roma-capitale
d06 | Piste bike Bari | Percorsi bike | mobilita | comune-bari
d07 | Siti contaminati Piemonte | Anagrafe ASCO bonifica dei siti | bonifica | regione-piemonte
d08 | Bonifica aree dismesse Puglia | Elenco siti | bonifica | regione-puglia
d09 | Defibrillatori DAE | Progetto Comune Cardioprotetto Lecce | defibrillatore | regione-puglia
d10 | Elenco patrocini Comune di Lecce 2015 | Patrocini del Comune di Lecce | comune;lecce | comune-lecce
d11 | Defibrillatori | Postazioni Provincia Autonoma di Trento | defibrillatori | provincia-trento
d12 | Mobilité urbaine | Données 10 communes | mobilité | ville-lyon
d13 | UN population budget | AND OR data | data | un
d14 | Sea Levels Online: variations | OpenData portal | sea-level | noaa
d15 | 東京都の人口 | 年齢 男女別人口 | 人口 | tokyo
"""


@dataclass(frozen=True, slots=True)
class Line:
    """One dataset of a corpus in brief."""

    name: str
    title: str
    notes: str
    tags: tuple[str, ...]
    organization: str


def lines(text: str = GOLDEN) -> list[Line]:
    """The datasets of a table with `|` between its columns."""
    found = []
    for row in text.strip().splitlines():
        name, title, notes, tags, organization = (part.strip() for part in row.split("|"))
        found.append(Line(name, title, notes, tuple(tags.split(";")), organization))
    return found


def identity(name: str) -> str:
    """A UUID that is the same for the same name in every run."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"https://ckan.example/{name}"))


def package(line: Line, day: int = 1, resources: Sequence[Raw] = (), **more: Any) -> Raw:
    """A dataset as `package_show` gives it on CKAN 2.12; `more` replaces or adds keys."""
    created = f"2024-01-{day:02}T08:00:00.000001"
    return {
        "author": None,
        "author_email": None,
        "creator_user_id": identity("user"),
        "extras": [],
        "groups": [],
        "id": line.name,
        "isopen": True,
        "license_id": "cc-by",
        "license_title": "Creative Commons Attribution",
        "license_url": "http://www.opendefinition.org/licenses/cc-by",
        "maintainer": None,
        "maintainer_email": None,
        "metadata_created": created,
        "metadata_modified": f"2024-02-{day:02}T09:30:00.123456",
        "name": line.name,
        "notes": line.notes,
        "num_resources": len(resources),
        "num_tags": len(line.tags),
        "organization": {
            "id": identity(line.organization),
            "name": line.organization,
            "title": line.organization.replace("-", " ").title(),
            "type": "organization",
            "description": "",
            "image_url": "",
            "created": "2023-01-01T00:00:00.000000",
            "is_organization": True,
            "approval_status": "approved",
            "state": "active",
        },
        "owner_org": identity(line.organization),
        "private": False,
        "relationships_as_object": [],
        "relationships_as_subject": [],
        "resources": [dict(resource) for resource in resources],
        "state": "active",
        "tags": [
            {
                "display_name": tag,
                "id": identity(f"tag {tag}"),
                "name": tag,
                "state": "active",
                "vocabulary_id": None,
            }
            for tag in line.tags
        ],
        "title": line.title,
        "type": "dataset",
        "url": None,
        "version": None,
        **more,
    }


def golden_packages() -> list[Raw]:
    """The corpus of the golden table. The first is the newest, so that equal scores keep this order."""
    return [package(line, 28 - number) for number, line in enumerate(lines())]


def resource(identifier: str, package_id: str, **more: Any) -> Raw:
    """A resource as CKAN 2.12 gives it; `more` replaces or adds keys."""
    return {
        "cache_last_updated": None,
        "cache_url": None,
        "created": "2024-01-05T10:00:00.000000",
        "datastore_active": False,
        "description": "",
        "format": "CSV",
        "hash": "",
        "id": identifier,
        "last_modified": None,
        "metadata_modified": "2024-01-05T10:00:00.100000",
        "mimetype": "text/csv",
        "mimetype_inner": None,
        "name": "Data",
        "package_id": package_id,
        "position": 0,
        "resource_type": None,
        "size": None,
        "state": "active",
        "url": f"https://files.example.org/{identifier}.csv",
        "url_type": None,
        **more,
    }


def tag_names(raw: Raw) -> list[str]:
    """The tags of a dataset."""
    return [tag["name"] for tag in raw.get("tags") or [] if isinstance(tag, dict) and "name" in tag]


def group_names(raw: Raw) -> list[str]:
    """The groups of a dataset."""
    return [group["name"] for group in raw.get("groups") or [] if isinstance(group, dict)]


def solr_document(raw: Raw) -> Raw:
    """What CKAN writes into the index for a dataset, as far as searches see it."""
    organization = raw.get("organization")
    owner = organization["name"] if isinstance(organization, dict) else organization
    document: Raw = {
        "id": raw["id"],
        "name": raw["name"],
        "title": raw["title"] if isinstance(raw.get("title"), str) else "",
        "notes": raw["notes"] if isinstance(raw.get("notes"), str) else "",
        "tags": tag_names(raw),
        "groups": group_names(raw),
        "state": raw.get("state", "active"),
        "capacity": "private" if raw.get("private") else "public",
        "license_id": raw.get("license_id"),
        "metadata_created": raw.get("metadata_created"),
        "metadata_modified": raw.get("metadata_modified"),
        "res_format": [item.get("format") for item in raw.get("resources") or []],
        "res_name": [item.get("name") for item in raw.get("resources") or []],
        "res_url": [item.get("url") for item in raw.get("resources") or []],
        "dataset_type": raw.get("type", "dataset"),
        "num_resources": raw.get("num_resources", 0),
    }
    if owner:
        document["organization"] = owner
    for extra in raw.get("extras") or []:
        if isinstance(extra, dict):
            document.setdefault(extra["key"], extra["value"])
            document[f"extras_{extra['key']}"] = extra["value"]
    return {name: value for name, value in document.items() if value not in (None, [], "")}


def text_values(document: Raw) -> Iterable[str]:
    """What is copied into `text`: everything that is written for people, and the identifiers."""
    names = ("title", "notes", "tags", "groups", "organization", "id", "name", "res_name", "res_format")
    for name in (*names, *(key for key in document if key.startswith("extras_"))):
        value = document.get(name, [])
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and not (name == "name" and text == document.get("id")):
                yield text
