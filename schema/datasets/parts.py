"""Pure functions that make the derived parts of records from their columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from resolvers.datasets.queries import CheckedResource
from sources.datasets.records import Facet, OrganizationRef, PortalStatus, Resource
from sources.datasets.source_check import SourceCheck, SourceState

_EXCERPT = 200


@dataclass(frozen=True, slots=True)
class RecordSource:
    """The portal that a dataset is taken from, and its licence."""

    name: str
    url: str | None
    licence: str | None
    attribution: str | None


def record_source(
    portal: str,
    url: str,
    licence_id: str | None,
    licence: str | None,
    holder: str | None,
    publisher: str | None,
    organization: OrganizationRef | None,
) -> RecordSource:
    """The source of a dataset: its page at the portal, its licence, and whom to name."""
    named = holder or publisher or (organization.title if organization else None)
    return RecordSource(portal, url, licence_id or licence, named)


def excerpt(notes: str | None) -> str | None:
    """The start of a description in one line."""
    if notes is None:
        return None
    line = " ".join(notes.split())
    return line if len(line) <= _EXCERPT else line[: _EXCERPT - 1].rstrip() + "…"


def unchecked(resources: Sequence[Resource]) -> list[CheckedResource]:
    """Resources whose sources nobody asked for."""
    return [CheckedResource(resource) for resource in resources]


def asked_facets(facets: Sequence[Facet]) -> Sequence[Facet] | None:
    """Facets; null where none were asked for."""
    return facets or None


def source_resource_id(check: SourceCheck | None) -> str | None:
    """The id that the rows have at the portal that a resource comes from, where they are there."""
    return check.resource_id if check is not None and check.state is SourceState.ACTIVE else None


def of_status(attribute: str) -> Any:
    """Reads one thing that a portal says of itself; null where it says nothing."""

    def read(status: PortalStatus | None) -> Any:
        return None if status is None else getattr(status, attribute)

    return read


@dataclass(frozen=True, slots=True)
class Row:
    """One row: columns and their values."""

    values: Mapping[str, Any]
