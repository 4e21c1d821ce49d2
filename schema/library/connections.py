"""Pages of what is in one category, with the category and its statistics beside them."""

import strawberry

from resolvers.library import loaders
from schema.connection import Connection
from schema.directives import Summary
from schema.fields import batch, plain
from schema.library.types import Category, CategoryConcept, CategoryStatistics, Document

_PAGE = ["nodes", "pageInfo.hasNextPage", "pageInfo.endCursor"]
_CATEGORY = ["category.key", "category.name", "statistics"]


@strawberry.type(
    description="One page of the documents of a category.", directives=[Summary(fields=[*_PAGE, *_CATEGORY])]
)
class CategoryDocumentConnection(Connection[Document]):
    category: Category = plain("The category that was asked for.")
    statistics: CategoryStatistics = plain(
        "Of all its documents; those below it included where they were asked for. The filter does not count."
    )
    searched: list[Category] = batch(
        loaders.category_lists,
        "searched",
        description="The categories that were looked in: itself, and those below it where they were asked for.",
        metadata={"size": 10},
    )


@strawberry.type(
    description="One page of the concepts of a category.", directives=[Summary(fields=[*_PAGE, *_CATEGORY])]
)
class CategoryConceptConnection(Connection[CategoryConcept]):
    category: Category = plain("The category that was asked for.")
    statistics: CategoryStatistics = plain(
        "Of all its documents; those below it included where they were asked for. The filter does not count."
    )
    searched: list[Category] = batch(
        loaders.category_lists,
        "searched",
        description="The categories that were looked in: itself, and those below it where they were asked for.",
        metadata={"size": 10},
    )
