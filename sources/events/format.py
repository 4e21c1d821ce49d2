"""The import format: one event as a JSON object, every field of the model, checked and described.

The JSON Schema that `loregraph import events --schema` prints is made from these classes. Times are RFC 3339, or bare
dates, which mean their first moment in UTC. An unknown field is refused, since it most often is a slip of a known one.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from sources.moments import read_moment
from sources.text_index import fold

_NO_NUL = r"^[^\x00]*$"


def _moment(value: Any) -> int:
    if not isinstance(value, str):
        raise ValueError("is not a text with a time like 2024-01-31T23:59:59Z")
    return read_moment(value).first


Moment = Annotated[int, BeforeValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})]
Identifier = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\s\x00-\x1f\x7f]+$")]
Name = Annotated[str, Field(min_length=1, max_length=500, pattern=_NO_NUL)]
Line = Annotated[str, Field(max_length=4_000, pattern=_NO_NUL)]
Content = Annotated[str, Field(max_length=1_000_000, pattern=_NO_NUL)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]

Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
"""As large as an `Int` of GraphQL can be: what is taken must be possible to show."""

Category = Literal[
    "geopolitics",
    "military",
    "economic",
    "cyber",
    "disaster",
    "terrorism",
    "diplomacy",
    "intelligence",
    "humanitarian",
    "other",
]
Status = Literal["pending", "enriched", "published", "archived", "rejected"]
SourceType = Literal[
    "twitter", "telegram", "reddit", "4chan", "glp", "government", "news_media", "blog", "other"
]
EntityType = Literal[
    "country",
    "city",
    "region",
    "person",
    "organization",
    "military_unit",
    "vessel",
    "weapon_system",
    "facility",
    "event",
    "other",
]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)


class ConfidenceInput(_Part):
    """How far the event can be relied on."""

    score: Share = Field(description="From 0 (a rumour) to 1 (certain).")
    reasoning: Content | None = Field(None, description="Why it is that high or low.")
    source_count: Annotated[int, Field(ge=0, le=1_000_000)] | None = Field(
        None, description="How many sources it rests on; the number of `sources` when left out."
    )
    level: Literal["low", "medium", "high", "verified"] | None = Field(
        None, description="Taken and not kept: it follows from the score."
    )


class LocationInput(_Part):
    """Where it happened. Latitude and longitude come together or not at all."""

    latitude: Annotated[float, Field(ge=-90, le=90, allow_inf_nan=False)] | None = Field(
        None, description="Degrees north."
    )
    longitude: Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False)] | None = Field(
        None, description="Degrees east."
    )
    country: Line | None = Field(None, description="The country's name.")
    city: Line | None = Field(None, description="The city or place.")
    region: Line | None = Field(None, description="The region.")

    @model_validator(mode="after")
    def _both_or_none(self) -> LocationInput:
        if (self.latitude is None) != (self.longitude is None):
            raise ValueError("needs latitude and longitude together")
        return self


class EntityAttributesInput(_Part):
    """What else is known of an entity; which of these fields it has depends on its type."""

    country_code: Line | None = None
    latitude: float | None = Field(None, allow_inf_nan=False)
    longitude: float | None = Field(None, allow_inf_nan=False)
    title: Line | None = None
    affiliation: Line | None = None
    org_type: Line | None = None
    headquarters: Line | None = None
    branch: Line | None = None
    command_level: Line | None = None
    vessel_type: Line | None = None
    imo: Line | None = None
    flag: Line | None = None
    weapon_class: Line | None = None
    designation: Line | None = None
    wikidata_id: Line | None = None
    external_refs: Annotated[list[Line], Field(max_length=100)] = Field(default_factory=list)


class EntityInput(_Part):
    """One entity that the event is about. The same entity should have the same id in every event."""

    id: Identifier = Field(description="The entity's own id.")
    type: EntityType = Field(description="What it is.")
    name: Name = Field(description="Its name.")
    normalized_name: Name | None = Field(None, description="Its name as it is compared; made when left out.")
    aliases: Annotated[list[Name], Field(max_length=100)] = Field(
        default_factory=list, description="Other names."
    )
    confidence: Share | None = Field(None, description="How sure it is that it takes part.")
    context: Content | None = Field(None, description="What part it has in the event.")
    attributes: EntityAttributesInput | None = Field(None, description="What else is known of it.")


class SourceDetailsInput(_Part):
    """What only some kinds of sources have."""

    tweet_id: Line | None = None
    retweet_count: Count | None = None
    like_count: Count | None = None
    channel_id: Line | None = None
    channel_name: Line | None = None
    message_id: Line | None = None
    view_count: Count | None = None
    feed_url: Line | None = None
    reddit_url: Line | None = None
    hashtags: Annotated[list[Line], Field(max_length=200)] = Field(default_factory=list)
    mentions: Annotated[list[Line], Field(max_length=200)] = Field(default_factory=list)
    language: Line | None = None


class SourceInput(_Part):
    """One source of the event: a post, a page, a report."""

    id: Identifier = Field(description="The source's own id.")
    type: SourceType = Field(description="What kind of source it is.")
    url: Line | None = Field(None, description="Its web address.")
    title: Line | None = Field(None, description="Its title.")
    author: Line | None = None
    author_id: Line | None = None
    published_at: Moment | None = Field(None, description="When it was published.")
    retrieved_at: Moment | None = Field(None, description="When it was fetched.")
    raw_content: Content | None = Field(None, description="Its text as it was fetched.")
    content_hash: Line | None = Field(None, description="SHA-256 of that text, in hexadecimal.")
    metadata: SourceDetailsInput | None = Field(None, description="What only some kinds of sources have.")
    credibility: Share | None = Field(
        None, description="How far it is to be believed; 0.4 and more is credible."
    )
    verification_url: Line | None = None
    scrape_status: Literal["pending", "in_progress", "completed", "failed", "skipped"] | None = None
    scrape_error: Line | None = None
    scraped_at: Moment | None = None
    enrichment_status: Literal["pending", "enriching", "completed", "failed"] | None = None
    enrichment_error: Line | None = None
    enriched_at: Moment | None = None
    enrichment_claimed_at: Moment | None = None
    event_id: Identifier | None = Field(None, description="Taken and not kept: it is the event it stands in.")
    created_at: Moment | None = None


class EventInput(_Part):
    """One event. It is published only with a confidence of 0.3, a magnitude of 1, and a source; else it is pending."""

    id: Identifier = Field(description="The event's own id: importing it again replaces the event.")
    timestamp: Moment = Field(description="When it happened.")
    title: Name = Field(description="What happened, in a line.")
    summary: Annotated[str, Field(max_length=20_000, pattern=_NO_NUL)] = Field(
        "", description="What happened, in a paragraph."
    )
    raw_content: Content | None = Field(None, description="The text that it was made from.")
    magnitude: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = Field(
        description="How much it weighs, from 0 to 10."
    )
    confidence: ConfidenceInput = Field(description="How far it can be relied on.")
    category: Category = Field(description="What kind of event it is.")
    status: Status = Field("published", description="Where it stands on its way to publication.")
    location: LocationInput | None = Field(None, description="Where it happened.")
    tags: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=100, pattern=_NO_NUL)]], Field(max_length=100)
    ] = Field(default_factory=list, description="Words that it is filed under.")
    entities: Annotated[list[EntityInput], Field(max_length=500)] = Field(
        default_factory=list, description="Whom and what it is about."
    )
    sources: Annotated[list[SourceInput], Field(max_length=500)] = Field(
        default_factory=list, description="Where it is known from."
    )
    created_at: Moment | None = Field(
        None, description="When the event was recorded; the first import when left out."
    )
    updated_at: Moment | None = Field(
        None, description="When it last changed; the last import that changed it when left out."
    )

    @model_validator(mode="after")
    def _nothing_twice(self) -> EventInput:
        for what, parts in (("entities", self.entities), ("sources", self.sources)):
            ids = [part.id for part in parts]
            if len(set(ids)) < len(ids):
                twice = next(one for one in ids if ids.count(one) > 1)
                raise ValueError(f"names `{twice}` twice among its {what}")
        for tag in self.tags:
            if not fold(tag):
                raise ValueError("has a tag without any letter, digit or sign")
        return self
