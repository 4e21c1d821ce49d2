"""The arguments that several root fields of the room have in common, and the way from them to a page."""

from typing import Annotated

import strawberry

from resolvers.datasets.queries import QueryParser as Parser
from resolvers.question import PageRequest
from schema.connection import given
from schema.datasets import wording
from schema.datasets.vocabularies import QueryParser
from schema.directives import Constraint
from schema.filtering import word_of

MOST_DATASETS = 1_000
MOST_OF_VOCABULARY = 1_000
MOST_RESOURCES = 500
MOST_RELEVANT = 50
MOST_ROWS = 32_000

_TEXT = Constraint(max_length=2_000)

ServerUrl = Annotated[
    str,
    strawberry.argument(description=wording.SERVER_URL, directives=[Constraint(max_length=2_000)]),
]
DatasetId = Annotated[
    str,
    strawberry.argument(
        description="The id or name of the dataset.", directives=[Constraint(max_length=500)]
    ),
]
Language = Annotated[
    str | None,
    strawberry.argument(
        description=wording.LANGUAGE,
        directives=[Constraint(max_length=100)],
    ),
]
ParserChoice = Annotated[QueryParser | None, strawberry.argument(description=wording.PARSER)]
Q = Annotated[
    str | None, strawberry.argument(description=wording.Q, directives=[Constraint(max_length=4_000)])
]
Fq = Annotated[
    str | None, strawberry.argument(description=wording.FQ, directives=[Constraint(max_length=4_000)])
]
Query = Annotated[
    str | None,
    strawberry.argument(description="A part of name or title.", directives=[_TEXT]),
]


def page(first: int | None, after: str | None, default: int) -> PageRequest:
    """Relay's forward arguments; an explicit null is the same as absent."""
    first = given(first)
    return PageRequest(default if first is None else first, given(after) or None)


def parser_of(choice: QueryParser | None) -> Parser:
    """The resolvers' word of a choice; automatic without one."""
    return Parser(word_of(choice)) if given(choice) is not None else Parser.AUTO
