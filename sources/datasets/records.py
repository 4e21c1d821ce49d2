"""The records of the datasets room: what a CKAN portal tells, read once into known shapes.

Times are instants in UTC. What a portal leaves out or writes unreadably is None, never a guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from sources.datasets.client import Told

UNNAMED = "Unnamed Resource"
UNKNOWN_FORMAT = "Unknown"


@dataclass(frozen=True, slots=True)
class OrganizationRef:
    """The organization or group as a dataset names it. `name` is what filters compare, `title` what people read."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class Extra:
    """A further field of a portal, as text."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Resource:
    """One file or service of a dataset.

    - `name`: "Unnamed Resource" where it has none; `format`: as it is written, "Unknown" where it is not
    - `url`: the first of download URL, access URL and URL
    - `size_bytes`: where it can be read as a number; `size_text`: as the portal writes it; `size`: for people
    - `datastore_active`: whether its rows can be asked for at this portal; None where the portal does not say
    """

    key: str
    resource_id: str
    dataset_key: str
    name: str
    format: str
    url: str | None = None
    description: str | None = None
    size: str | None = None
    size_bytes: int | None = None
    size_text: str | None = None
    mimetype: str | None = None
    datastore_active: bool | None = None
    position: int | None = None
    state: str | None = None
    hash: str | None = None
    created: datetime | None = None
    last_modified: datetime | None = None
    metadata_modified: datetime | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """One dataset (CKAN's package).

    - `key`: unique over all portals: the portal's key, `#`, the id; `dataset_id`, `name`: CKAN's own
    - `holder_name`, `publisher_name`, `issued`, `modified`: of its extras first, then of its own fields; dates as
      the portal writes them
    - `language`: of its texts, where it has several
    - `has_datastore`: whether one of its resources is known to have rows; None where the portal does not say
    """

    kind: ClassVar[str] = "dataset"

    key: str
    portal_key: str
    portal_url: str
    dataset_id: str
    name: str
    title: str
    view_url: str
    notes: str | None = None
    url: str | None = None
    version: str | None = None
    type: str | None = None
    state: str | None = None
    private: bool | None = None
    is_open: bool | None = None
    licence_id: str | None = None
    licence_title: str | None = None
    licence_url: str | None = None
    author: str | None = None
    maintainer: str | None = None
    owner_org: str | None = None
    organization: OrganizationRef | None = None
    groups: tuple[OrganizationRef, ...] = ()
    tags: tuple[str, ...] = ()
    extras: tuple[Extra, ...] = ()
    resources: tuple[Resource, ...] = ()
    num_resources: int = 0
    metadata_created: datetime | None = None
    metadata_modified: datetime | None = None
    issued: str | None = None
    modified: str | None = None
    holder_name: str | None = None
    publisher_name: str | None = None
    language: str | None = None
    has_datastore: bool | None = None


@dataclass(frozen=True, slots=True)
class Organization:
    """An organization or group of a portal; `kind` says which, in these words.

    `package_count`: its datasets, None where that is not told.
    """

    key: str
    kind: str
    portal_key: str
    organization_id: str
    name: str
    title: str
    description: str | None = None
    image_url: str | None = None
    package_count: int | None = None
    created: datetime | None = None
    state: str | None = None
    view_url: str | None = None


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag; `count` is the number of datasets, where it was counted."""

    name: str
    display_name: str
    count: int | None = None
    vocabulary_id: str | None = None


@dataclass(frozen=True, slots=True)
class FacetValue:
    """One value of a facet, and the datasets that have it."""

    name: str
    display_name: str
    count: int


@dataclass(frozen=True, slots=True)
class Facet:
    """The values of one field over all datasets found, most frequent first."""

    field: str
    values: tuple[FacetValue, ...]


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One answer of `package_search`. `unreadable`: rows that are no datasets, which were left out."""

    count: int
    datasets: tuple[Dataset, ...]
    facets: tuple[Facet, ...]
    sort: str | None
    told: Told
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class PortalStatus:
    """What a portal tells of itself; locked portals tell less."""

    title: str | None
    description: str | None
    site_url: str | None
    ckan_version: str | None
    locale: str | None
    extensions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DatastoreField:
    """A column. `type` in PostgreSQL's words; `label` and `notes` where the portal's data dictionary has them."""

    name: str
    type: str | None
    label: str | None = None
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class DatastorePage:
    """Rows of a resource, each a mapping of columns to JSON values. `total` is None where it was not counted."""

    resource_id: str
    fields: tuple[DatastoreField, ...]
    rows: tuple[Mapping[str, Any], ...]
    total: int | None
    limit: int | None
