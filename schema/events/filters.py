"""EventQuery: one flat input, with the names of the specification."""

from collections.abc import Iterator
from typing import Any

import strawberry
from strawberry import UNSET

from resolvers.events.queries import order_by
from resolvers.question import PageRequest
from schema.connection import DEFAULT_FIRST, given
from schema.directives import Constraint
from schema.events.ordering import EventSort
from schema.events.vocabularies import (
    EventCategory,
    EventEntityType,
    EventSourceType,
    EventStatus,
)
from schema.filtering import word_of
from schema.ordering import Direction
from schema.scalars import DateOrTime
from sources.criteria import All, Criteria, Op, Predicate
from sources.errors import BadInput
from sources.events.vocabulary import PUBLISHED
from sources.moments import in_words
from sources.page import OrderKey
from sources.sphere import LARGEST_RADIUS_KM, Box, Circle
from sources.text_index import fold
from sources.text_query import has_terms

MAX_LIMIT = 200
_NAMES = {"max_items": 50, "max_length": 200}


def _field(description: str, **limits: Any) -> Any:
    directives = [Constraint(**limits)] if limits else []
    return strawberry.field(default=UNSET, description=description, directives=directives)


def _degrees(description: str, most: float) -> Any:
    return strawberry.field(description=description, directives=[Constraint(min=-most, max=most)])


@strawberry.input(description="A circle on the Earth.")
class NearInput:
    latitude: float = _degrees("Degrees north.", 90)
    longitude: float = _degrees("Degrees east.", 180)
    radius_km: float = strawberry.field(
        description="Radius in kilometres.", directives=[Constraint(min=0, max=20_038)]
    )


@strawberry.input(description="A rectangle on the map; where west is greater than east it crosses 180°.")
class BoundingBoxInput:
    south: float = _degrees("Degrees north of its southern edge.", 90)
    west: float = _degrees("Degrees east of its western edge.", 180)
    north: float = _degrees("Degrees north of its northern edge.", 90)
    east: float = _degrees("Degrees east of its eastern edge.", 180)


@strawberry.input(
    description="Which events to return, in which order, and which page. All given fields must hold."
)
class EventQuery:
    search_query: str | None = _field(
        'Full text over title and summary: words, "phrases", beginnings*, -exclusions.', max_length=500
    )
    since_timestamp: DateOrTime | None = _field("Happened then or later.")
    until_timestamp: DateOrTime | None = _field("Happened then or before.")
    min_magnitude: float | None = _field("At least this magnitude, 0 to 10.", min=0, max=10)
    max_magnitude: float | None = _field("At most this magnitude, 0 to 10.", min=0, max=10)
    min_confidence: float | None = _field("At least this confidence score, 0 to 1.", min=0, max=1)
    max_confidence: float | None = _field("At most this confidence score, 0 to 1.", min=0, max=1)
    categories: list[EventCategory] | None = _field("Of one of these categories.", max_items=50)
    source_types: list[EventSourceType] | None = _field("With a source of one of these types.", max_items=50)
    tags: list[str] | None = _field("With one of these tags, ignoring case and accents.", **_NAMES)
    entity_types: list[EventEntityType] | None = _field(
        "About an entity of one of these types.", max_items=50
    )
    entities: list[str] | None = _field(
        "About one of these entities, by name, alias or id, ignoring case and accents.", **_NAMES
    )
    status: list[EventStatus] | None = _field(
        "Of one of these statuses; published when left out. The others are for the server's own machine.",
        max_items=50,
    )
    near: NearInput | None = _field("In this circle.")
    bounding_box: BoundingBoxInput | None = _field("In this rectangle.")
    page: int | None = _field("Number of the page, from 1. Not together with `after`.", min=1)
    limit: int | None = _field("Page size, 1 to 200; 20 when left out.", min=1, max=MAX_LIMIT)
    sort_by: EventSort | None = strawberry.field(default=EventSort.TIMESTAMP, description="What to sort by.")
    sort_order: Direction | None = strawberry.field(
        default=Direction.DESC, description="Which end comes first."
    )


def criteria_of(query: EventQuery | None, argument: str = "query") -> Criteria:
    """The conditions that a query asks for; published events alone unless it names statuses.

    Raises `BadInput` for crossed bounds and for texts that hold nothing to look for.
    """
    query = query if query else EventQuery()
    parts = tuple(_predicates(query, argument))
    return All(parts)


def order_of(query: EventQuery | None) -> tuple[OrderKey, ...]:
    """The order that a query asks for."""
    by = given(query.sort_by) if query else None
    direction = given(query.sort_order) if query else None
    return order_by(word_of(by or EventSort.TIMESTAMP), descending=direction is not Direction.ASC)


def page_of(query: EventQuery | None, first: int | None, after: str | None) -> tuple[PageRequest, int | None]:
    """The page that is asked for, and its number where it has one.

    Raises `BadInput` for a page beside a cursor, and for two sizes.
    """
    page = given(query.page) if query else None
    limit = given(query.limit) if query else None
    if first is not None and limit is not None:
        raise BadInput("cannot be given together with {related}.", argument="first", related="query.limit")
    if after is not None and page is not None:
        raise BadInput("cannot be given together with {related}.", argument="query.page", related="after")
    size = first or limit or DEFAULT_FIRST
    if after is not None:
        return PageRequest(first=size, after=after), None
    return PageRequest(first=size, offset=((page or 1) - 1) * size), page or 1


def _predicates(query: EventQuery, argument: str) -> Iterator[Predicate]:
    status = given(query.status) or [EventStatus.PUBLISHED]
    words = tuple(dict.fromkeys(word_of(one) for one in status))
    yield Predicate("status", Op.IN, words, f"{argument}.status" if words != (PUBLISHED,) else "")
    yield from _bounds(query, argument)
    for name, attribute, op, path in (
        ("categories", "category", Op.IN, "categories"),
        ("source_types", "source_types", Op.HAS_ANY, "sourceTypes"),
        ("entity_types", "entity_types", Op.HAS_ANY, "entityTypes"),
    ):
        if chosen := given(getattr(query, name)):
            values = tuple(dict.fromkeys(word_of(one) for one in chosen))
            yield Predicate(attribute, op, values, f"{argument}.{path}")
    for name in ("tags", "entities"):
        if written := given(getattr(query, name)):
            yield Predicate(name, Op.HAS_ANY, _folded(written, f"{argument}.{name}"), f"{argument}.{name}")
    text = given(query.search_query)
    if text is not None:
        path = f"{argument}.searchQuery"
        if not has_terms(text):
            raise BadInput("holds no word or number to search for.", argument=path)
        yield Predicate("text", Op.SEARCH, text, path)
    yield from _places(query, argument)


def _bounds(query: EventQuery, argument: str) -> Iterator[Predicate]:
    since, until = given(query.since_timestamp), given(query.until_timestamp)
    ranges: list[tuple[str, Any, str, Any, str]] = [
        (
            "timestamp",
            None if since is None else since.first,  # type: ignore[attr-defined]
            "sinceTimestamp",
            None if until is None else until.last,  # type: ignore[attr-defined]
            "untilTimestamp",
        ),
        (
            "magnitude",
            given(query.min_magnitude),
            "minMagnitude",
            given(query.max_magnitude),
            "maxMagnitude",
        ),
        (
            "confidence",
            given(query.min_confidence),
            "minConfidence",
            given(query.max_confidence),
            "maxConfidence",
        ),
    ]
    for attribute, low, low_name, high, high_name in ranges:
        low_path, high_path = f"{argument}.{low_name}", f"{argument}.{high_name}"
        if low is not None and high is not None and low > high:
            shown = (in_words(low), in_words(high)) if attribute == "timestamp" else (low, high)
            raise BadInput.crossed(low_path, shown[0], high_path, shown[1])
        if low is not None:
            yield Predicate(attribute, Op.AT_LEAST, low, low_path)
        if high is not None:
            yield Predicate(attribute, Op.AT_MOST, high, high_path)


def _folded(written: list[str], path: str) -> tuple[str, ...]:
    folded: dict[str, None] = {}
    for index, text in enumerate(written):
        word = fold(text)
        if not word:
            raise BadInput("holds nothing to look for.", argument=f"{path}[{index}]")
        folded[word] = None
    return tuple(folded)


def _places(query: EventQuery, argument: str) -> Iterator[Predicate]:
    near, box = given(query.near), given(query.bounding_box)
    if near is not None:
        radius = min(near.radius_km, LARGEST_RADIUS_KM)
        circle = Circle(near.latitude, near.longitude, radius)
        yield Predicate("place", Op.NEAR, circle, f"{argument}.near")
    if box is not None:
        path = f"{argument}.boundingBox"
        if box.south > box.north:
            raise BadInput.crossed(f"{path}.south", box.south, f"{path}.north", box.north)
        yield Predicate("place", Op.WITHIN, Box(box.south, box.west, box.north, box.east), path)
