"""Events, with their sources and entities."""

from datetime import datetime

import strawberry

from resolvers.events import loaders
from schema.connection import Connection
from schema.directives import Summary
from schema.events import parts
from schema.events.vocabularies import (
    ConfidenceLevel,
    EnrichmentStatus,
    EventCategory,
    EventEntityType,
    EventSourceType,
    EventStatus,
    ScrapeStatus,
)
from schema.fields import batch, derived, plain
from schema.node import Node, id_field
from schema.provenance import RecordSource


@strawberry.type(description="How far an event can be relied on.")
class EventConfidence:
    score: float = plain("From 0, a rumour, to 1, certain.")
    level: ConfidenceLevel = plain("The level of the score.")
    reasoning: str | None = plain("Why it is that high or low.")
    source_count: int = plain("How many sources it rests on.")


@strawberry.type(description="Where an event happened.")
class EventLocation:
    latitude: float | None = plain("Degrees north.")
    longitude: float | None = plain("Degrees east.")
    country: str | None = plain("The country's name.")
    city: str | None = plain("The city or place.")
    region: str | None = plain("The region.")


@strawberry.type(
    description="What else is known of an entity; which of these it has depends on its type.",
    directives=[Summary(fields=["countryCode", "title", "affiliation", "wikidataId"])],
)
class EventEntityAttributes:
    country_code: str | None = plain("ISO 3166 code of a country.")
    latitude: float | None = plain("Degrees north.")
    longitude: float | None = plain("Degrees east.")
    title: str | None = plain("Office or title of a person.")
    affiliation: str | None = plain("What a person belongs to.")
    org_type: str | None = plain("Kind of an organization.")
    headquarters: str | None = plain("Where an organization has its seat.")
    branch: str | None = plain("Branch of a military unit.")
    command_level: str | None = plain("Level of a military unit.")
    vessel_type: str | None = plain("Kind of a vessel.")
    imo: str | None = plain("IMO number of a vessel.")
    flag: str | None = plain("Flag of a vessel.")
    weapon_class: str | None = plain("Class of a weapon system.")
    designation: str | None = plain("Designation of a weapon system.")
    wikidata_id: str | None = plain("Wikidata identifier.")
    external_refs: list[str] = plain("Other references.")


@strawberry.type(
    description="An entity that an event is about.",
    directives=[Summary(fields=["id", "type", "name", "context"])],
)
class EventEntity:
    id: strawberry.ID = plain("The entity's own id, the same in every event.")
    type: EventEntityType = plain("What it is.")
    name: str = plain("Its name.")
    normalized_name: str = plain("Its name as it is compared.")
    aliases: list[str] = derived(parts.words, "aliases", description="Other names.")
    confidence: float | None = plain("How sure it is that it takes part, 0 to 1.")
    context: str | None = plain("What part it has in the event.")
    primary: bool = derived(
        parts.primary,
        "type",
        "confidence",
        description="Whether the event is mainly about it: of a leading type, with a confidence of 0.7 and more.",
    )
    attributes: EventEntityAttributes | None = derived(
        parts.entity_attributes, "attributes", description="What else is known of it."
    )


@strawberry.type(
    description="What only some kinds of sources have.",
    directives=[Summary(fields=["channelName", "language", "hashtags"])],
)
class EventSourceMetadata:
    tweet_id: str | None = plain("Identifier of a post on Twitter.")
    retweet_count: int | None = plain("How often it was passed on.")
    like_count: int | None = plain("How many liked it.")
    channel_id: str | None = plain("Identifier of a Telegram channel.")
    channel_name: str | None = plain("Name of a Telegram channel.")
    message_id: str | None = plain("Identifier of a Telegram message.")
    view_count: int | None = plain("How many saw it.")
    feed_url: str | None = plain("The feed that it came by.")
    reddit_url: str | None = plain("Its address on Reddit.")
    hashtags: list[str] = plain("Its hashtags.")
    mentions: list[str] = plain("Whom it mentions.")
    language: str | None = plain("Its language.")


def _time(column: str, description: str) -> datetime | None:
    return derived(parts.optional_moment, column, description=description)  # type: ignore[no-any-return]


@strawberry.type(
    description="A source of an event: a post, a page, a report.",
    directives=[Summary(fields=["id", "type", "title", "url"])],
)
class EventSource:
    id: strawberry.ID = plain("The source's own id.")
    type: EventSourceType = plain("What kind of source it is.")
    url: str | None = plain("Its web address.")
    title: str | None = plain("Its title.")
    author: str | None = plain("Who wrote it.")
    author_id: str | None = plain("Its author's identifier.")
    published_at: datetime | None = _time("published_at", "When it was published.")
    retrieved_at: datetime | None = _time("retrieved_at", "When it was fetched.")
    raw_content: str | None = plain("Its text as it was fetched.")
    content_hash: str | None = plain("SHA-256 of that text.")
    metadata: EventSourceMetadata | None = derived(
        parts.source_details, "details", description="What only some kinds of sources have."
    )
    credibility: float | None = plain("How far it is to be believed, 0 to 1.")
    credible: bool | None = derived(
        parts.credible, "credibility", description="Whether its credibility is 0.4 and more."
    )
    verification_url: str | None = plain("Where it can be checked.")
    scrape_status: ScrapeStatus | None = plain("How far fetching its text has come.")
    scrape_error: str | None = plain("Why fetching failed.")
    scraped_at: datetime | None = _time("scraped_at", "When its text was fetched.")
    enrichment_status: EnrichmentStatus | None = plain("How far reading its text has come.")
    enrichment_error: str | None = plain("Why reading failed.")
    enriched_at: datetime | None = _time("enriched_at", "When its text was read.")
    enrichment_claimed_at: datetime | None = _time("enrichment_claimed_at", "When reading began.")
    created_at: datetime | None = _time("created_at", "When it was recorded.")


@strawberry.type(
    description="Something that happened.",
    directives=[
        Summary(
            fields=[
                "key",
                "timestamp",
                "title",
                "summary",
                "category",
                "magnitude",
                "confidence.score",
                "confidence.level",
                "location.country",
                "location.city",
                "tags",
                "entities.name",
                "entities.type",
                "sources.type",
                "sources.title",
                "sources.url",
            ]
        )
    ],
)
class Event(Node):
    id: strawberry.ID = id_field("Event")
    key: str = plain("The event's own id, as it was imported.")
    timestamp: datetime = derived(parts.moment, "timestamp", description="When it happened.")
    title: str = plain("What happened, in a line.")
    summary: str = plain("What happened, in a paragraph.")
    raw_content: str | None = plain("The text that it was made from.")
    magnitude: float = plain("How much it weighs, 0 to 10.")
    confidence: EventConfidence = derived(
        parts.Confidence,
        "confidence",
        "confidence_reasoning",
        "confidence_source_count",
        description="How far it can be relied on.",
    )
    category: EventCategory = plain("What kind of event it is.")
    status: EventStatus = plain("Where it stands on its way to publication.")
    location: EventLocation | None = derived(
        parts.location,
        "latitude",
        "longitude",
        "country",
        "city",
        "region",
        description="Where it happened.",
    )
    tags: list[str] = batch(loaders.tags, "number", description="Words that it is filed under.")
    entities: list[EventEntity] = batch(
        loaders.entities, "number", description="Whom and what it is about.", metadata={"size": 5}
    )
    sources: list[EventSource] = batch(
        loaders.sources, "number", description="Where it is known from.", metadata={"size": 3}
    )
    created_at: datetime = derived(parts.moment, "created_at", description="When it was recorded.")
    updated_at: datetime = derived(parts.moment, "updated_at", description="When its record last changed.")
    source: RecordSource = derived(
        parts.provider, "sample", description="Whether it is of the embedded sample, or was imported."
    )


@strawberry.type(
    description="One page of events.", directives=[Summary(fields=["page", "limit", "totalCount"])]
)
class EventConnection(Connection[Event]):
    page: int | None = plain("The number of this page; null after a cursor.")
    limit: int = plain("How many events a page holds.")
    has_more: bool = derived(
        lambda page_info: page_info.has_next_page,
        "page_info",
        description="Whether events follow this page.",
    )
