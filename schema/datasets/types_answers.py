"""Pages of datasets and of what else a portal holds, with what is told beside the items."""

from datetime import datetime

import strawberry
from strawberry.scalars import JSON

from schema.connection import Connection
from schema.datasets import parts
from schema.datasets.types import Dataset, DatasetResource
from schema.datasets.vocabularies import ParserVerdict, ReachedParser
from schema.directives import Summary
from schema.fields import derived, plain

_PAGE = ["nodes", "pageInfo.hasNextPage", "pageInfo.endCursor", "totalCount"]
_WHOLE = ["provenance.complete", "provenance.warnings"]
_QUERY = ["provenance.effectiveQuery", "provenance.parserVerdict"]


@strawberry.type(description="How a query was read and sent.")
class ResolvedQuery:
    query: str = plain("The query as it was given.")
    effective_query: str = plain("The query as it was sent to the portal.")
    parser: ReachedParser = plain("The parser that reads it.")
    reason: str = plain("Why it is sent so.")
    probe_verdict: ParserVerdict | None = plain(
        "What the portal was measured to be; null where that did not matter."
    )


@strawberry.type(description="One value of a facet.")
class DatasetFacetValue:
    name: str = plain("The value, as filters take it.")
    display_name: str = plain("The value for people.")
    count: int = plain("How many of the datasets found have it.")


@strawberry.type(description="The values of one field over all datasets found, the most frequent first.")
class DatasetFacet:
    field: str = plain("The field, such as `organization` or `res_format`.")
    values: list[DatasetFacetValue] = plain("Its values with their counts.")


@strawberry.type(
    description="One page of datasets.", directives=[Summary(fields=[*_PAGE, "facets", *_QUERY, *_WHOLE])]
)
class DatasetConnection(Connection[Dataset]):
    facets: list[DatasetFacet] | None = derived(
        parts.asked_facets, "facets", description="The facets asked for by `facetField`; null without it."
    )
    sort: str | None = plain("The order that the portal says it used.")
    resolved: ResolvedQuery | None = plain("How the query was read and sent.")


@strawberry.type(description="What each field adds to a score, or is worth.")
class RelevanceWeights:
    title: float = plain("By the title.")
    notes: float = plain("By the description.")
    tags: float = plain("By the tags together.")
    organization: float = plain("By the organization.")
    holder: float = plain("By the holder of the rights.")
    publisher: float = plain("By the publisher.")


@strawberry.type(description="The parts that a score is the sum of.")
class RelevanceScore(RelevanceWeights):
    every_term: float = plain("For holding every term, in whichever fields.")


@strawberry.type(
    description="A dataset with how well it answers the text.",
    directives=[
        Summary(
            fields=[
                "score",
                "matchedBy",
                "foundTerms",
                "parts",
                "node.name",
                "node.datasetId",
                "node.title",
                "node.excerpt",
                "node.organization",
                "node.tags",
                "node.metadataModified",
                "node.viewUrl",
            ]
        )
    ],
)
class RelevantDataset:
    kind: str = plain("What was found: always `dataset`.")
    name: str = plain("The title of the dataset.")
    score: float = plain("The sum of `parts`; the higher the better.")
    parts: RelevanceScore = plain("What each field adds.")
    matched_by: list[str] = plain("The fields that hold a term.")
    found_terms: list[str] = plain("The terms that it holds.", column="terms")
    snippet: str | None = plain("The start of the description.")
    node: Dataset = plain("The dataset itself.")


@strawberry.type(
    description="The datasets that best answer a text, equal scores in the portal's own order.",
    directives=[Summary(fields=[*_PAGE, "terms", "candidates", *_QUERY, *_WHOLE])],
)
class RelevantDatasetConnection(Connection[RelevantDataset]):
    terms: list[str] = plain("What was looked for in the fields.")
    weights: RelevanceWeights = plain("What each field was worth.")
    candidates: int = plain("How many datasets were scored, of `totalCount` that the portal finds.")
    resolved: ResolvedQuery | None = plain("How the query was read and sent.")


@strawberry.type(
    description="One page of a dataset's resources.",
    directives=[Summary(fields=[*_PAGE, "dataset.title", *_WHOLE])],
)
class DatasetResourceConnection(Connection[DatasetResource]):
    dataset: Dataset = plain("The dataset that they belong to.")


@strawberry.type(description="A column of a resource's rows.")
class DatastoreField:
    name: str = plain("The column, as `filters`, `fields` and `sort` take it.")
    type: str | None = plain("Its type, in PostgreSQL's words.")
    label: str | None = plain("What it is called for people.")
    notes: str | None = plain("What it means.")


@strawberry.type(description="One row of a resource.")
class DatastoreRecord:
    values: JSON = plain("The columns and their values.")


@strawberry.type(
    description="One page of a resource's rows.",
    directives=[Summary(fields=[*_PAGE, "columns.name", "columns.type", *_WHOLE])],
)
class DatastoreRecordConnection(Connection[DatastoreRecord]):
    resource_id: str = plain("The resource that they belong to.")
    columns: list[DatastoreField] = plain("The columns of the rows, in order.", column="fields")


@strawberry.type(
    description="An organization or group of a portal.",
    directives=[Summary(fields=["name", "title", "packageCount", "excerpt", "viewUrl"])],
)
class PortalOrganization:
    kind: str = plain("Either `organization` or `group`.")
    portal: str = plain("The portal that it belongs to, as `serverUrl` takes it.", column="portal_key")
    organization_id: str = plain("The id at its portal.")
    name: str = plain("The name, as the filters `organization` and `groups` take it.")
    title: str = plain("The title for people.")
    excerpt: str | None = derived(
        parts.excerpt, "description", description="The first 200 characters of `description`, in one line."
    )
    description: str | None = plain("What it says of itself.")
    image_url: str | None = plain("A picture of it.")
    package_count: int | None = plain("How many datasets it has; null where the portal does not tell.")
    created: datetime | None = plain("When it was made.")
    state: str | None = plain("Its state, such as `active` or `deleted`.")
    view_url: str | None = plain("Its page for people.")


@strawberry.type(
    description="One page of organizations or groups.",
    # Without their number, which takes a request of its own.
    directives=[Summary(fields=[*_PAGE[:-1], *_WHOLE])],
)
class PortalOrganizationConnection(Connection[PortalOrganization]):
    pass


@strawberry.type(
    description="A tag of a portal.", directives=[Summary(fields=["name", "displayName", "count"])]
)
class DatasetTag:
    name: str = plain("The tag, as the filter `tags` takes it.")
    display_name: str = plain("The tag for people.")
    count: int | None = plain("How many datasets have it; null where the portal does not count.")
    vocabulary_id: str | None = plain("The vocabulary that it belongs to, where it does.")


@strawberry.type(description="One page of tags.", directives=[Summary(fields=[*_PAGE, *_WHOLE])])
class DatasetTagConnection(Connection[DatasetTag]):
    pass
