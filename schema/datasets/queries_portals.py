"""The root fields about portals and their vocabulary: organizations, groups and tags."""

from collections.abc import Sequence
from typing import Annotated

import strawberry
from strawberry import UNSET

from resolvers.datasets import queries
from resolvers.question import Answer
from schema.connection import After, given, wanted_of
from schema.datasets.arguments import (
    MOST_OF_VOCABULARY,
    Fq,
    Language,
    ParserChoice,
    Q,
    Query,
    ServerUrl,
    page,
    parser_of,
)
from schema.datasets.types_answers import DatasetTagConnection, PortalOrganizationConnection
from schema.datasets.types_portals import Portal, PortalStatus
from schema.datasets.vocabularies import QueryParser
from schema.directives import Constraint, Tool
from schema.fields import root
from schema.selection import Selection

_USUAL = 100

FirstOfVocabulary = Annotated[
    int | None,
    strawberry.argument(
        description="How many to return, up to 1000. 100 when left out.",
        directives=[Constraint(min=1, max=MOST_OF_VOCABULARY)],
    ),
]


def _asked(
    info: strawberry.Info,
    type_name: str,
    server_url: str,
    query: str | None,
    first: int | None,
    after: str | None,
    *,
    language: str | None = UNSET,
    q: str | None = UNSET,
    fq: str | None = UNSET,
    query_parser: QueryParser | None = UNSET,
) -> queries.VocabularySearch:
    return queries.VocabularySearch(
        server_url=server_url,
        wanted=wanted_of(Selection.below(info), f"{type_name}Connection", type_name),
        query=given(query),
        page=page(first, after, _USUAL),
        language=given(language),
        q=given(q),
        fq=given(fq),
        parser=parser_of(query_parser),
    )


async def _organizations(
    info: strawberry.Info,
    server_url: ServerUrl,
    query: Query = UNSET,
    first: FirstOfVocabulary = _USUAL,
    after: After = UNSET,
    language: Language = UNSET,
) -> Answer:
    asked = _asked(info, "PortalOrganization", server_url, query, first, after, language=language)
    return await queries.find_organizations(info.context.scope, asked)


async def _groups(
    info: strawberry.Info,
    server_url: ServerUrl,
    query: Query = UNSET,
    first: FirstOfVocabulary = _USUAL,
    after: After = UNSET,
    language: Language = UNSET,
) -> Answer:
    asked = _asked(info, "PortalOrganization", server_url, query, first, after, language=language)
    return await queries.find_groups(info.context.scope, asked)


async def _tags(
    info: strawberry.Info,
    server_url: ServerUrl,
    query: Query = UNSET,
    q: Q = UNSET,
    fq: Fq = UNSET,
    first: FirstOfVocabulary = _USUAL,
    after: After = UNSET,
    query_parser: ParserChoice = QueryParser.AUTO,
) -> Answer:
    asked = _asked(info, "DatasetTag", server_url, query, first, after, q=q, fq=fq, query_parser=query_parser)
    return await queries.find_tags(info.context.scope, asked)


def _portals(
    info: strawberry.Info,
    country: Annotated[
        str | None,
        strawberry.argument(
            description="The country, in English, such as `Italy`.", directives=[Constraint(max_length=100)]
        ),
    ] = UNSET,
    query: Annotated[
        str | None,
        strawberry.argument(
            description="A part of name, title or host.", directives=[Constraint(max_length=200)]
        ),
    ] = UNSET,
    language: Annotated[
        str | None,
        strawberry.argument(
            description="A language of its texts, as two letters.", directives=[Constraint(max_length=20)]
        ),
    ] = UNSET,
    has_datastore: Annotated[
        bool | None, strawberry.argument(description="Whether it is known to hold rows of resources.")
    ] = UNSET,
) -> Sequence[object]:
    return queries.find_portals(
        info.context.scope,
        country=given(country),
        query=given(query),
        language=given(language),
        has_datastore=given(has_datastore),
    )


async def _portal(info: strawberry.Info, server_url: ServerUrl) -> queries.PortalAnswer:
    selected = Selection.below(info).fields("PortalStatus")
    return await queries.get_portal(info.context.scope, server_url, with_verdict="parserVerdict" in selected)


_OPEN = {"open_world": True}


@strawberry.type
class PortalsQuery:
    organizations: PortalOrganizationConnection | None = root(
        _organizations,
        PortalOrganizationConnection | None,
        Tool(name="ckan_organization_list", aliases=["pattern=query"]),
        "The organizations of a CKAN portal, by name.",
        metadata=_OPEN,
    )
    dataset_groups: PortalOrganizationConnection | None = root(
        _groups,
        PortalOrganizationConnection | None,
        Tool(name="ckan_group_list", aliases=["pattern=query"]),
        "The groups (themes) of a CKAN portal, by name.",
        metadata=_OPEN,
    )
    dataset_tags: DatasetTagConnection | None = root(
        _tags,
        DatasetTagConnection | None,
        Tool(name="ckan_tag_list", aliases=["tag_query=query"]),
        "The tags of a CKAN portal's datasets with their counts, the most frequent first.",
        metadata=_OPEN,
    )
    portals: list[Portal] | None = root(
        _portals,
        list[Portal] | None,
        Tool(name="ckan_find_portals"),
        "CKAN portals that are known by name. No portal is asked; others can be asked by their URL all the same.",
    )
    portal: PortalStatus | None = root(
        _portal,
        PortalStatus | None,
        Tool(name="ckan_status_show"),
        "What a CKAN portal says of itself, and how its query parser reads OR.",
        metadata=_OPEN,
    )
