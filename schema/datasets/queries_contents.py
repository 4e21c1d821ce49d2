"""The root fields about what datasets hold: resources and their rows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

import orjson
import strawberry
from strawberry import UNSET
from strawberry.scalars import JSON

from resolvers.datasets import queries
from schema.connection import After, given
from schema.datasets import parts
from schema.datasets.arguments import MOST_RESOURCES, MOST_ROWS, DatasetId, Language, ServerUrl, page
from schema.datasets.ordering import RowSort
from schema.datasets.types_answers import DatasetResourceConnection, DatastoreRecordConnection
from schema.directives import Constraint, Markdown, Tool
from schema.fields import root
from schema.selection import Selection
from sources.errors import BadInput

_USUAL_RESOURCES = 100
_USUAL_ROWS = 100
_OF_SOURCE = frozenset(
    {"sourceCheck", "sourceDatastoreActive", "sourcePortalUrl", "sourceResourceId", "sourceNote"}
)


async def _resources(
    info: strawberry.Info,
    server_url: ServerUrl,
    id: DatasetId,
    format_filter: Annotated[
        str | None,
        strawberry.argument(
            description="Only resources of this format, such as `csv`, whatever the case.",
            directives=[Constraint(max_length=100)],
        ),
    ] = UNSET,
    check_source_portal: Annotated[
        bool | None,
        strawberry.argument(
            description="Whether resources without rows here are asked for at the portals that they come from."
        ),
    ] = True,
    first: Annotated[
        int | None,
        strawberry.argument(
            description="How many resources to return, up to 500. 100 when left out.",
            directives=[Constraint(min=1, max=MOST_RESOURCES)],
        ),
    ] = _USUAL_RESOURCES,
    after: After = UNSET,
    language: Language = UNSET,
) -> queries.ResourcesAnswer:
    # The other portals are asked only where somebody reads what they say.
    selection = Selection.below(info)
    nodes = selection.into("DatasetResourceConnection", "nodes").merged(
        selection.into("DatasetResourceConnection", "edges", "node")
    )
    check = given(check_source_portal)
    return await queries.find_resources(
        info.context.scope,
        server_url,
        id,
        format_filter=given(format_filter) or None,
        check_source_portal=check is not False and bool(_OF_SOURCE & nodes.fields("DatasetResource").keys()),
        language=given(language),
        page=page(first, after, _USUAL_RESOURCES),
    )


async def _rows(
    info: strawberry.Info,
    server_url: ServerUrl,
    resource_id: Annotated[
        str,
        strawberry.argument(
            description="The id of a resource with `datastoreActive`.",
            directives=[Constraint(min_length=1, max_length=200)],
        ),
    ],
    filters: Annotated[
        JSON | None,
        strawberry.argument(
            description='Columns and values, such as {"year": 2024, "city": ["Lecce", "Bari"]}; a list means '
            "any of them."
        ),
    ] = UNSET,
    q: Annotated[
        str | None,
        strawberry.argument(
            description="Words that a row must hold, in any column.",
            directives=[Constraint(max_length=2_000)],
        ),
    ] = UNSET,
    fields: Annotated[
        list[str] | None,
        strawberry.argument(
            description="The columns to return; all when left out.",
            directives=[Constraint(max_items=200, min_length=1, max_length=200)],
        ),
    ] = UNSET,
    sort: RowSort = UNSET,
    distinct: Annotated[
        bool | None, strawberry.argument(description="Whether equal rows are returned once.")
    ] = False,
    first: Annotated[
        int | None,
        strawberry.argument(
            description="How many rows to return, up to 32000. 100 when left out; 0 only counts.",
            directives=[Constraint(min=0, max=MOST_ROWS)],
        ),
    ] = _USUAL_ROWS,
    after: After = UNSET,
) -> queries.DatastoreAnswer:
    wanted = page(first, after, _USUAL_ROWS)
    asked = queries.DatastoreSearch(
        server_url=server_url,
        resource_id=resource_id,
        filters=_filters(given(filters)),
        q=given(q),
        fields=tuple(given(fields) or ()),
        sort=given(sort),
        distinct=bool(given(distinct)),
        first=wanted.first or 0,
        after=wanted.after,
    )
    answer = await queries.find_rows(info.context.scope, asked)
    return replace(answer, nodes=[parts.Row(row) for row in answer.nodes])


def _filters(value: Any) -> Mapping[str, Any]:
    """The columns asked for. Models send objects as text as well."""
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            raise BadInput("must be an object of columns and values.", argument="filters") from None
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadInput("must be an object of columns and values.", argument="filters")
    return value


@strawberry.type
class ContentsQuery:
    dataset_resources: DatasetResourceConnection | None = root(
        _resources,
        DatasetResourceConnection | None,
        Tool(name="ckan_list_resources"),
        "The resources of a dataset: format, size, URL, and whether their rows can be asked for, here or at the "
        "portal that they come from. Next step for those that have rows: `datastoreRecords`.",
        Markdown(
            usual=True,
            marks=["datastoreActive", "sourceDatastoreActive"],
            highlight="resourceId",
            then="Next step: `ckan_datastore_search` gives the rows of a resource whose id is in bold. Where it "
            "names a source portal, ask there: `source_portal_url` as `server_url`, `source_resource_id` as "
            "`resource_id`.",
        ),
        metadata={"open_world": True},
    )
    datastore_records: DatastoreRecordConnection | None = root(
        _rows,
        DatastoreRecordConnection | None,
        Tool(name="ckan_datastore_search"),
        "Rows of a resource in a portal's DataStore, filtered and sorted by column. The resource's id comes from "
        "`datasetResources`.",
        metadata={"open_world": True},
    )
