"""What is asked of CKAN portals, and what is answered: the words between the schema and these resolvers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from resolvers.question import Answer, PageRequest, Wanted
from sources.criteria import EVERYTHING, Criteria
from sources.datasets.query_resolver import QueryParser, ResolvedQuery, Verdict
from sources.datasets.records import (
    Dataset,
    DatastoreField,
    Facet,
    PortalStatus,
    Resource,
)
from sources.datasets.source_check import SourceCheck
from sources.provenance import Provenance

FIRST_PAGE = PageRequest()


@dataclass(frozen=True, slots=True)
class DatasetSearch:
    """A search of one portal.

    - `server_url`: the portal's URL, host or name; `q`, `fq`, `sort`: in Solr's words, as the caller wrote them
    - `criteria`: over the attributes of a dataset that `sources/datasets/filter_query.py` knows
    - `content_recent`: only datasets issued (or taken up) in the last `content_recent_days`
    - `language`: of texts that a portal holds in several
    """

    server_url: str
    wanted: Wanted
    q: str | None = None
    fq: str | None = None
    sort: str | None = None
    criteria: Criteria = EVERYTHING
    page: PageRequest = FIRST_PAGE
    parser: QueryParser = QueryParser.AUTO
    facet_field: tuple[str, ...] = ()
    facet_limit: int = 50
    content_recent: bool = False
    content_recent_days: int = 30
    language: str | None = None


@dataclass(frozen=True, slots=True)
class DatasetsAnswer(Answer):
    """A page of datasets. `resolved`: how the query was read and sent; `sort`: the order that the portal used."""

    facets: Sequence[Facet] = ()
    sort: str | None = None
    resolved: ResolvedQuery | None = None


@dataclass(frozen=True, slots=True)
class Weights:
    """What a field is worth that holds every term of the query; each at least 0."""

    title: float = 4.0
    notes: float = 2.0
    tags: float = 3.0
    organization: float = 1.0
    holder: float = 4.0
    publisher: float = 2.0


USUAL_WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class RelevanceSearch:
    """A ranking of one portal's datasets by how well they answer a text."""

    server_url: str
    query: str
    first: int = 10
    after: str | None = None
    weights: Weights = USUAL_WEIGHTS
    parser: QueryParser = QueryParser.AUTO
    language: str | None = None


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """What each field adds to a score. `every_term`: for holding all terms, in whichever fields."""

    title: float = 0.0
    notes: float = 0.0
    tags: float = 0.0
    organization: float = 0.0
    holder: float = 0.0
    publisher: float = 0.0
    every_term: float = 0.0

    @property
    def total(self) -> float:
        """The score."""
        return (
            self.title
            + self.notes
            + self.tags
            + self.organization
            + self.holder
            + self.publisher
            + self.every_term
        )


@dataclass(frozen=True, slots=True)
class RelevantDataset:
    """One hit. `matched_by`: the fields that hold a term; `terms`: those that were found; `snippet`: of its notes."""

    node: Dataset
    name: str
    score: float
    parts: ScoreParts
    matched_by: tuple[str, ...]
    terms: tuple[str, ...]
    snippet: str | None
    kind: str = "dataset"


@dataclass(frozen=True, slots=True)
class RelevanceAnswer(Answer):
    """The hits, best first; equal scores in the portal's own order.

    - `terms`: what was looked for in the fields; `weights`: what these were worth
    - `total_count`: datasets that the portal finds; `candidates`: those of them that were scored
    """

    terms: tuple[str, ...] = ()
    weights: Weights = USUAL_WEIGHTS
    candidates: int = 0
    resolved: ResolvedQuery | None = None


@dataclass(frozen=True, slots=True)
class CheckedResource:
    """A resource, with what the portal that it comes from says; `check` is None where that was not to be asked."""

    resource: Resource
    check: SourceCheck | None = None

    @property
    def source_datastore_active(self) -> bool | None:
        """Whether its rows can be asked for at the portal that it comes from; None where nobody was asked."""
        return None if self.check is None else self.check.active

    @property
    def source_portal_url(self) -> str | None:
        """That portal, where they can."""
        return self.check.portal_url if self.check is not None and self.check.active else None

    @property
    def source_note(self) -> str | None:
        """Why it could not be told, or what stood in the way."""
        return None if self.check is None else self.check.note


@dataclass(frozen=True, slots=True)
class ResourcesAnswer(Answer):
    """The resources of one dataset, in its order."""

    dataset: Dataset | None = None


@dataclass(frozen=True, slots=True)
class DatastoreSearch:
    """A question for rows. `filters`: column to a value or a list of them; `sort`: `column`, `column desc`, commas."""

    server_url: str
    resource_id: str
    filters: Mapping[str, Any] = field(default_factory=dict)
    q: str | None = None
    fields: tuple[str, ...] = ()
    sort: str | None = None
    distinct: bool = False
    first: int = 100
    after: str | None = None


@dataclass(frozen=True, slots=True)
class DatastoreAnswer(Answer):
    """Rows as mappings of columns to JSON values."""

    resource_id: str = ""
    fields: Sequence[DatastoreField] = ()


@dataclass(frozen=True, slots=True)
class PortalAnswer:
    """What is known and told of a portal.

    `status` is None where it does not tell, `verdict` where that was not wanted.
    """

    key: str
    title: str
    url: str
    api_url: str
    country: str | None
    languages: Sequence[str]
    has_datastore: bool | None
    note: str | None
    known: bool
    status: PortalStatus | None
    verdict: Verdict | None
    provenance: Provenance
