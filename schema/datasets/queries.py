"""The root fields that search a portal: datasets, by query and by relevance, and one dataset."""

from typing import Annotated

import strawberry
from strawberry import UNSET

from resolvers.datasets import queries
from schema.connection import After, given, wanted_of
from schema.datasets.arguments import (
    MOST_DATASETS,
    MOST_RELEVANT,
    DatasetId,
    Fq,
    Language,
    ParserChoice,
    Q,
    ServerUrl,
    page,
    parser_of,
)
from schema.datasets.filters import DatasetFilter, RelevanceWeightsInput
from schema.datasets.ordering import DatasetSort
from schema.datasets.types import Dataset
from schema.datasets.types_answers import DatasetConnection, RelevantDatasetConnection
from schema.datasets.vocabularies import QueryParser
from schema.directives import Constraint, Tool
from schema.fields import root
from schema.filtering import criteria_of
from schema.selection import Selection
from sources.datasets.filter_query import with_times

_USUAL_DATASETS = 20
_USUAL_RELEVANT = 10
_USUAL_FACET_VALUES = 50
_USUAL_DAYS = 30


async def _datasets(
    info: strawberry.Info,
    server_url: ServerUrl,
    q: Q = UNSET,
    filter: Annotated[
        DatasetFilter | None, strawberry.argument(description="Which datasets to return.")
    ] = UNSET,
    fq: Fq = UNSET,
    sort: DatasetSort = UNSET,
    first: Annotated[
        int | None,
        strawberry.argument(
            description="How many datasets to return, up to 1000.",
            directives=[Constraint(min=0, max=MOST_DATASETS)],
        ),
    ] = _USUAL_DATASETS,
    after: After = UNSET,
    facet_field: Annotated[
        list[str] | None,
        strawberry.argument(
            description="Fields whose values are counted over all datasets found, such as `organization`, "
            "`tags`, `res_format`.",
            directives=[Constraint(max_items=10, max_length=100)],
        ),
    ] = UNSET,
    facet_limit: Annotated[
        int | None,
        strawberry.argument(description="Most values of each.", directives=[Constraint(min=1, max=1000)]),
    ] = _USUAL_FACET_VALUES,
    query_parser: ParserChoice = QueryParser.AUTO,
    content_recent: Annotated[
        bool | None,
        strawberry.argument(description="Only what was issued, or else taken up, lately; newest first."),
    ] = False,
    content_recent_days: Annotated[
        int | None,
        strawberry.argument(
            description="How many days are lately.", directives=[Constraint(min=1, max=3650)]
        ),
    ] = _USUAL_DAYS,
    language: Language = UNSET,
) -> queries.DatasetsAnswer:
    asked = queries.DatasetSearch(
        server_url=server_url,
        wanted=wanted_of(Selection.below(info), "DatasetConnection", "Dataset"),
        q=given(q),
        fq=given(fq),
        sort=given(sort),
        criteria=with_times(criteria_of(filter)),
        page=page(first, after, _USUAL_DATASETS),
        parser=parser_of(query_parser),
        facet_field=tuple(given(facet_field) or ()),
        facet_limit=given(facet_limit) or _USUAL_FACET_VALUES,
        content_recent=bool(given(content_recent)),
        content_recent_days=given(content_recent_days) or _USUAL_DAYS,
        language=given(language),
    )
    return await queries.find_datasets(info.context.scope, asked)


async def _relevant(
    info: strawberry.Info,
    server_url: ServerUrl,
    query: Annotated[
        str,
        strawberry.argument(
            description="Telling words, in the portal's language.",
            directives=[Constraint(min_length=2, max_length=1000)],
        ),
    ],
    first: Annotated[
        int | None,
        strawberry.argument(
            description="How many datasets to return, up to 50. 10 when left out.",
            directives=[Constraint(min=1, max=MOST_RELEVANT)],
        ),
    ] = _USUAL_RELEVANT,
    after: After = UNSET,
    weights: Annotated[
        RelevanceWeightsInput | None,
        strawberry.argument(description="What each field is worth; usual values where left out."),
    ] = UNSET,
    query_parser: ParserChoice = QueryParser.AUTO,
    language: Language = UNSET,
) -> queries.RelevanceAnswer:
    weighed = given(weights)
    asked = queries.RelevanceSearch(
        server_url=server_url,
        query=query,
        first=given(first) or _USUAL_RELEVANT,
        after=given(after) or None,
        weights=queries.Weights(**vars(weighed)) if weighed is not None else queries.USUAL_WEIGHTS,
        parser=parser_of(query_parser),
        language=given(language),
    )
    return await queries.find_relevant(info.context.scope, asked)


async def _dataset(
    info: strawberry.Info, server_url: ServerUrl, id: DatasetId, language: Language = UNSET
) -> queries.Dataset:
    dataset, _ = await queries.get_dataset(info.context.scope, server_url, id, given(language))
    return dataset


_OPEN = {"open_world": True}


@strawberry.type
class DatasetsQuery:
    datasets: DatasetConnection | None = root(
        _datasets,
        DatasetConnection | None,
        Tool(
            name="ckan_package_search",
            flatten="filter",
            omit=["createdMin", "createdMax"],
            aliases=["rows=limit", "page_size=limit"],
        ),
        "Datasets of one CKAN portal by query and filter, with facets. Plain words go to the portal as they are; "
        "`OR`, `NOT` and odd punctuation are sent so that it cannot misread them, and `provenance.effectiveQuery` "
        "says how. What was asked in a sentence is better ranked by `relevantDatasets`.",
        metadata=_OPEN,
    )
    relevant_datasets: RelevantDatasetConnection | None = root(
        _relevant,
        RelevantDatasetConnection | None,
        Tool(name="ckan_find_relevant_datasets"),
        "The datasets of one CKAN portal that best answer a text. At least 50 that the portal finds are scored by "
        "the share of the terms that title, tags, holder and others hold.",
        metadata=_OPEN,
    )
    dataset: Dataset | None = root(
        _dataset,
        Dataset | None,
        Tool(name="ckan_package_show"),
        "One dataset of a CKAN portal by id or name, with all that is told of it.",
        metadata=_OPEN,
    )
