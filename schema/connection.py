"""Relay connections: their types, their four arguments, and the way from arguments to a question."""

from collections.abc import Sequence
from typing import Annotated, Any, Generic, TypeVar

import strawberry
from strawberry import UNSET

from resolvers.question import PageRequest, Question, Wanted
from schema.directives import Constraint
from schema.fields import plain
from schema.filtering import criteria_of, order_of
from schema.provenance import Provenance
from schema.selection import Selection
from sources.errors import BadInput
from sources.page import OrderKey

DEFAULT_FIRST = 20
MAX_FIRST = 100

NodeT = TypeVar("NodeT")
ValueT = TypeVar("ValueT")

First = Annotated[
    int | None,
    strawberry.argument(
        description="How many items to return from the start, 1 to 100. 20 when neither `first` nor `last` is "
        "given.",
        directives=[Constraint(min=1, max=MAX_FIRST)],
    ),
]
After = Annotated[
    str | None,
    strawberry.argument(
        description="Return the items after this cursor: `pageInfo.endCursor` of the page before, asked with "
        "the same filter and order.",
        directives=[Constraint(max_length=4096)],
    ),
]
Last = Annotated[
    int | None,
    strawberry.argument(
        description="How many items to return from the end, 1 to 100. Not together with `first`.",
        directives=[Constraint(min=1, max=MAX_FIRST)],
    ),
]
Before = Annotated[
    str | None,
    strawberry.argument(
        description="Return the items before this cursor: `pageInfo.startCursor` of the page after, asked with "
        "the same filter and order.",
        directives=[Constraint(max_length=4096)],
    ),
]


@strawberry.type(description="Where a page lies in its list.")
class PageInfo:
    has_next_page: bool = plain("Whether items follow this page.")
    has_previous_page: bool = plain("Whether items precede this page.")
    start_cursor: str | None = plain("The cursor of the first item; null on an empty page.")
    end_cursor: str | None = plain("The cursor of the last item; null on an empty page.")


@strawberry.type(description="One item of a page, with its cursor.")
class Edge(Generic[NodeT]):
    cursor: str = plain("Where the item stands in this list; goes with the filter and order it was made for.")
    node: NodeT = plain("The item itself.")


@strawberry.type(description="One page of a list.")
class Connection(Generic[NodeT]):
    edges: list[Edge[NodeT]] = plain("The items of the page, each with its cursor.")
    nodes: list[NodeT] = plain("The items of the page.")
    page_info: PageInfo = plain("Whether there is more, and the cursors to go on with.")
    total_count: int | None = plain(
        "How many items the filter matches over all pages. Counted only when asked for; null where the source "
        "cannot count."
    )
    provenance: Provenance = plain("Where this answer comes from and whether it is whole.")


def question(
    info: strawberry.Info,
    type_name: str,
    *,
    filter_: object = None,
    order_by: Sequence[Any] | None = None,
    default_order: Sequence[OrderKey],
    first: int | None = None,
    after: str | None = None,
    last: int | None = None,
    before: str | None = None,
    default_first: int = DEFAULT_FIRST,
    connection: str | None = None,
) -> Question:
    """The question that a connection field of `type_name` asks, from its arguments and its selection.

    `connection` names the connection's type where it is one of its own. Raises `BadInput` for a filter, order or
    page that cannot be asked for.
    """
    return Question(
        wanted=wanted_of(Selection.below(info), connection or f"{type_name}Connection", type_name),
        criteria=criteria_of(filter_),
        order=order_of(order_by or None, default_order),
        page=page_of(first, after, last, before, default_first),
    )


def page_of(
    first: int | None,
    after: str | None,
    last: int | None,
    before: str | None,
    default_first: int = DEFAULT_FIRST,
) -> PageRequest:
    """Relay's arguments with their defaults; explicit nulls are the same as absent."""
    first, last = given(first), given(last)
    if first is not None and last is not None:
        raise BadInput("cannot be given together with {related}.", argument="last", related="first")
    if first is None and last is None:
        first = default_first
    return PageRequest(first, given(after), last, given(before))


def given(value: ValueT | None) -> ValueT | None:
    """The value of an optional argument: null when it was left out."""
    return None if value is UNSET else value


def wanted_of(selection: Selection, connection_name: str, type_name: str) -> Wanted:
    """Which parts of a connection are selected, and which columns of its records."""
    parts = selection.fields(connection_name)
    nodes = selection.into(connection_name, "nodes").merged(selection.into(connection_name, "edges", "node"))
    page_info = selection.into(connection_name, "pageInfo").fields("PageInfo")
    return Wanted(
        columns=nodes.columns(type_name),
        records="nodes" in parts or "edges" in parts,
        only_ends="edges" not in parts,
        cursors="edges" in parts or bool({"startCursor", "endCursor"} & page_info.keys()),
        has_next="hasNextPage" in page_info,
        has_previous="hasPreviousPage" in page_info,
        total_count="totalCount" in parts,
    )
