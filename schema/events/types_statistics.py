"""Statistics over events."""

from datetime import datetime

import strawberry

from schema.directives import Summary
from schema.events import parts
from schema.events.vocabularies import EventCategory, EventEntityType, EventSourceType, EventStatus
from schema.fields import derived, plain
from schema.provenance import Provenance


@strawberry.type(description="How many events are of a category.")
class CategoryCount:
    category: EventCategory = plain("The category.", column="value")
    count: int = plain("How many events.")


@strawberry.type(description="How many events have a status.")
class StatusCount:
    status: EventStatus = plain("The status.", column="value")
    count: int = plain("How many events.")


@strawberry.type(description="How many events have a source of a type.")
class SourceTypeCount:
    source_type: EventSourceType = plain("The type.", column="value")
    count: int = plain("How many events.")


@strawberry.type(description="How many events are about an entity of a type.")
class EntityTypeCount:
    entity_type: EventEntityType = plain("The type.", column="value")
    count: int = plain("How many events.")


@strawberry.type(description="How many events have a tag.")
class TagCount:
    tag: str = plain("The tag; those that differ in case or accents alone are one.", column="value")
    count: int = plain("How many events.")


@strawberry.type(description="How many events are about an entity.")
class EntityCount:
    id: strawberry.ID = plain("The entity's id.")
    name: str = plain("Its name.")
    entity_type: EventEntityType = plain("What it is.", column="type")
    count: int = plain("How many events.")


@strawberry.type(description="The events of one span of time.")
class EventTimeBucket:
    start: datetime = derived(parts.moment, "start", description="When it begins, in UTC.")
    count: int = plain("How many events.")
    mean_magnitude: float = plain("Their mean magnitude.")
    mean_confidence: float = plain("Their mean confidence score.")


@strawberry.type(
    description="Counts and means over events. Each part is reckoned only when it is selected.",
    directives=[
        Summary(
            fields=[
                "total",
                "meanMagnitude",
                "meanConfidence",
                "byCategory",
                "bySourceType",
                "topTags",
                "topEntities",
                "buckets.start",
                "buckets.count",
                "provenance.warnings",
            ]
        )
    ],
)
class EventStats:
    total: int = plain("How many events there are.")
    mean_magnitude: float | None = plain("Their mean magnitude, to four decimals; null without any.")
    mean_confidence: float | None = plain("Their mean confidence score, to four decimals; null without any.")
    by_category: list[CategoryCount] = plain("By category, the most frequent first.")
    by_status: list[StatusCount] = plain("By status, the most frequent first.")
    by_source_type: list[SourceTypeCount] = plain(
        "By type of source; an event counts once under each type that it has."
    )
    by_entity_type: list[EntityTypeCount] = plain(
        "By type of entity; an event counts once under each type that it has."
    )
    top_tags: list[TagCount] = plain("The most frequent tags.")
    top_entities: list[EntityCount] = plain("The most frequent entities.")
    buckets: list[EventTimeBucket] = plain("The spans of time that hold events, the earliest first.")
    provenance: Provenance = plain("Where this answer comes from and whether it is whole.")
