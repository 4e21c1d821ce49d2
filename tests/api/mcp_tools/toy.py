"""A small schema with one of everything that the MCP door treats specially; its records are in memory."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Annotated, Any

import strawberry
from graphql import GraphQLSchema
from strawberry import UNSET
from strawberry.scalars import JSON

from api.execution import Executor
from api.mcp_tools.options import McpOptions
from api.mcp_tools.server import McpDoor
from resolvers.question import Answer, PageInfo
from resolvers.scope import Scope
from schema.connection import After, Before, Connection, First, Last
from schema.directives import Constraint, Summary, Tool
from schema.fields import bind, plain
from schema.node import Node
from sources.errors import BadInput, NotFound, UpstreamUnavailable
from sources.provenance import Provenance


@strawberry.enum(description="Where a story was posted.")
class Board(Enum):
    FOUR_CHAN = strawberry.enum_value("4chan", description="The board 4chan.")
    DOCUMENT_COUNT = strawberry.enum_value("documentCount", description="A word in camel case.")
    SHORT_WAVE = strawberry.enum_value("short-wave", description="Heard on the radio.")


@strawberry.enum(description="What to sort by.")
class StoryOrderField(Enum):
    NAME = strawberry.enum_value("name", description="By name.")
    POSTED_AT = strawberry.enum_value("posted_at", description="By time.")


@dataclass(frozen=True, slots=True)
class StoryRecord:
    key: str
    name: str
    text: str
    rank: int
    posted_at: datetime
    board: Board
    author: "AuthorRecord | None"
    score: float | None = None
    extra: Any = None
    kind: str = "story"

    @property
    def id(self) -> str:
        return f"story:{self.key}"


@dataclass(frozen=True, slots=True)
class AuthorRecord:
    key: str
    name: str
    rank: str
    kind: str = "author"

    @property
    def id(self) -> str:
        return f"author:{self.key}"


ANN = AuthorRecord("ann", "Ann | Lee", "first of all")
HIDDEN = "vis\u200bible\u202e\x1b[31m\r\nnext\U000e0041"
STORIES = [
    StoryRecord(
        key=f"s{number}",
        name=f"Story {number}",
        text=HIDDEN if number == 0 else f"Text of {number}.",
        rank=number,
        posted_at=datetime(2026, 1, 1 + number, tzinfo=UTC),
        board=list(Board)[number % 3],
        author=ANN if number % 2 == 0 else None,
        extra={"a\u200bb": [None, HIDDEN], "n": 1},
    )
    for number in range(10)
]
ASKED: list[dict[str, Any]] = []
"""What the resolver of `stories` was asked, for tests to read."""


@strawberry.type(description="Who wrote a story.", directives=[Summary(fields=["key", "name"])])
class Author(Node):
    id: strawberry.ID = plain("The global ID.")
    key: str = plain("Its key.")
    name: str = plain("Its name.")
    rank: str | None = plain("In words.")


@strawberry.type(
    description="A story.",
    directives=[Summary(fields=["key", "name", "board", "author.name", "postedAt", "score"])],
)
class Story(Node):
    id: strawberry.ID = plain("The global ID.")
    key: str = plain("Its key.")
    name: str = plain("Its name.")
    text: str = plain("All of it.")
    rank: int = plain("In numbers.")
    posted_at: datetime = plain("When it was posted.")
    board: Board = plain("Where it was posted.")
    author: Author | None = plain("Who wrote it.")
    score: float | None = plain("How good it is.")
    extra: JSON | None = plain("Anything.")


@strawberry.input(description="One key to sort by.")
class StoryOrder:
    field: StoryOrderField = strawberry.field(description="What to sort by.")
    descending: bool = strawberry.field(default=False, description="The greatest first.")


@strawberry.input(description="Which stories.")
class StoryFilter:
    name: str | None = strawberry.field(
        default=UNSET, description="Part of the name.", directives=[Constraint(min_length=1, max_length=40)]
    )
    key: list[str] | None = strawberry.field(
        default=UNSET, description="Keys.", directives=[Constraint(max_items=3, pattern="s[0-9]+")]
    )
    board: list[Board] | None = strawberry.field(default=UNSET, description="Boards, such as `FOUR_CHAN`.")
    rank_min: int | None = strawberry.field(
        default=UNSET, description="At least; see `rankMax`.", directives=[Constraint(min=0, max=9)]
    )
    rank_max: int | None = strawberry.field(
        default=UNSET, description="At most.", directives=[Constraint(min=0, max=9)]
    )
    rank: list[int] | None = strawberry.field(default=UNSET, description="One of these.")
    score_min: float | None = strawberry.field(default=UNSET, description="At least this good.")
    signed: bool | None = strawberry.field(default=UNSET, description="Has an author.")
    since: datetime | None = strawberry.field(default=UNSET, description="Posted at or after.")
    any_of: list["StoryFilter"] | None = strawberry.field(default=UNSET, description="Any of these.")
    not_: Annotated["StoryFilter", strawberry.lazy("tests.api.mcp_tools.toy")] | None = strawberry.field(
        default=UNSET, name="not", description="Not this."
    )


def find_stories(
    filter: Annotated[StoryFilter | None, strawberry.argument(description="Which stories.")] = UNSET,
    order_by: Annotated[
        list[StoryOrder] | None,
        strawberry.argument(description="Order.", directives=[Constraint(max_items=2)]),
    ] = UNSET,
    first: First = UNSET,
    after: After = UNSET,
    last: Last = UNSET,
    before: Before = UNSET,
) -> Any:
    found = list(STORIES)
    if filter:
        given = {
            name: value for name, value in vars(filter).items() if value is not UNSET and value is not None
        }
        ASKED.append(given)
        low, high = given.get("rank_min", 0), given.get("rank_max", 9)
        if low > high:
            raise BadInput.crossed("filter.rankMin", low, "filter.rankMax", high)
        found = [story for story in found if low <= story.rank <= high]
        if "board" in given:
            found = [story for story in found if story.board in given["board"]]
    total = len(found)
    if after:
        if not after.startswith("c"):
            raise BadInput("is not a cursor of this query.", argument="after")
        found = [story for story in found if story.rank > int(after[1:])]
    page = found[: first or 20]
    cursors = [f"c{story.rank}" for story in page]
    return Answer(
        nodes=page,
        cursors=cursors,
        page_info=PageInfo(
            has_next_page=len(page) < len(found),
            has_previous_page=False,
            start_cursor=cursors[0] if cursors else None,
            end_cursor=cursors[-1] if cursors else None,
        ),
        total_count=total,
        provenance=Provenance("toy", ("memory",), scanned=total),
    )


def find_story(
    key: Annotated[str, strawberry.argument(description="The key.", directives=[Constraint(min_length=1)])],
) -> Any:
    for story in STORIES:
        if story.key == key:
            return story
    raise NotFound(f"There is no story `{key}`.", argument="key", suggestions=("s1",))


def find_things(
    ids: Annotated[
        list[strawberry.ID], strawberry.argument(description="IDs.", directives=[Constraint(max_items=5)])
    ],
) -> list[Any]:
    known: dict[str, Any] = {story.id: story for story in STORIES} | {ANN.id: ANN}
    return [known.get(str(id_)) for id_ in ids]


def find_thing(id: Annotated[strawberry.ID, strawberry.argument(description="An ID.")]) -> Any:
    return find_things([id])[0]


def fail(
    kind: Annotated[str, strawberry.argument(description="`upstream`, `fault` or `graphql`.")] = "upstream",
) -> Any:
    if kind == "upstream":
        raise UpstreamUnavailable("The toy upstream is down.", upstream="toy")
    if kind == "graphql":
        return 5
    raise RuntimeError("password=hunter2")


@strawberry.type
class Query:
    stories: Connection[Story] | None = strawberry.field(
        resolver=find_stories,
        description="Stories, by rank unless `orderBy` says otherwise.",
        graphql_type=Connection[Story] | None,
        directives=[Tool(name="lookup_story", flatten="filter", aliases=["search=name"])],
        metadata={"open_world": True},
    )
    story: Story | None = strawberry.field(
        resolver=find_story,
        description="One story.",
        graphql_type=Story | None,
        directives=[Tool(name="get_story")],
    )
    thing: Node | None = strawberry.field(
        resolver=find_thing,
        description="Anything by its ID.",
        graphql_type=Node | None,
        directives=[Tool(name="get_thing")],
    )
    things: list[Node | None] | None = strawberry.field(
        resolver=find_things,
        description="Several things by ID.",
        graphql_type=list[Node | None] | None,
        directives=[Tool(name="get_things")],
    )
    failing: list[Author] | None = strawberry.field(
        resolver=fail, description="Fails.", graphql_type=list[Author] | None, directives=[Tool(name="fail")]
    )


def toy_schema() -> GraphQLSchema:
    """A fresh schema, bound as the house binds its own."""
    schema = strawberry.Schema(query=Query, types=[Author, Story])._schema
    bind(schema, {"story": "Story", "author": "Author"})
    return schema


def toy_door(options: McpOptions = McpOptions()) -> McpDoor:  # noqa: B008
    """The MCP door of a fresh toy schema."""
    schema = toy_schema()
    executor = Executor(schema, scope=lambda: Scope(shelves={}, unopened={}))
    return McpDoor(schema, executor, options)
