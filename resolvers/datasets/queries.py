"""Every question about CKAN portals, in one place.

| question | function | asked with | answered with |
|---|---|---|---|
| datasets | `find_datasets` | `DatasetSearch` | `DatasetsAnswer` |
| relevantDatasets | `find_relevant` | `RelevanceSearch` | `RelevanceAnswer` |
| dataset | `get_dataset` | URL, id, language | `Dataset` and its `Account` (`.provenance()`) |
| datasetResources | `find_resources` | URL, id, format, check | `ResourcesAnswer` |
| datastoreRecords | `find_rows` | `DatastoreSearch` | `DatastoreAnswer` |
| organizations, datasetGroups | `find_organizations`, `find_groups` | `VocabularySearch` | `Answer` |
| datasetTags | `find_tags` | `VocabularySearch` | `Answer` |
| portals, portal | `find_portals`, `get_portal` | filters; URL | `Portal` records; `PortalAnswer` |
| node | `datasets_by_key` | keys | `Dataset` by key |

Everything that searches resolves its query by `account.resolve_query`.
"""

from __future__ import annotations

from resolvers.datasets.datastore import find_rows
from resolvers.datasets.portals import find_portals, get_portal
from resolvers.datasets.questions import (
    USUAL_WEIGHTS,
    CheckedResource,
    DatasetsAnswer,
    DatasetSearch,
    DatastoreAnswer,
    DatastoreSearch,
    PortalAnswer,
    RelevanceAnswer,
    RelevanceSearch,
    RelevantDataset,
    ResourcesAnswer,
    ScoreParts,
    Weights,
)
from resolvers.datasets.relevance import find_relevant
from resolvers.datasets.resources import datasets_by_key, find_resources, get_dataset
from resolvers.datasets.search import find_datasets
from resolvers.datasets.vocabulary import (
    VocabularySearch,
    find_groups,
    find_organizations,
    find_tags,
)
from sources.datasets.query_resolver import QueryParser
from sources.datasets.records import Dataset

__all__ = [
    "USUAL_WEIGHTS",
    "CheckedResource",
    "Dataset",
    "DatasetSearch",
    "DatasetsAnswer",
    "DatastoreAnswer",
    "DatastoreSearch",
    "PortalAnswer",
    "QueryParser",
    "RelevanceAnswer",
    "RelevanceSearch",
    "RelevantDataset",
    "ResourcesAnswer",
    "ScoreParts",
    "VocabularySearch",
    "Weights",
    "datasets_by_key",
    "find_datasets",
    "find_groups",
    "find_organizations",
    "find_portals",
    "find_relevant",
    "find_resources",
    "find_rows",
    "find_tags",
    "get_dataset",
    "get_portal",
]
