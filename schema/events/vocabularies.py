"""The closed vocabularies of events, in the words of the specification."""

from enum import Enum

import strawberry
from strawberry import enum_value


@strawberry.enum(description="A kind of event.")
class EventCategory(Enum):
    GEOPOLITICS = enum_value("geopolitics", description="Relations and rivalry of states.")
    MILITARY = enum_value("military", description="Armed forces, and what they do.")
    ECONOMIC = enum_value("economic", description="Markets, trade, sanctions.")
    CYBER = enum_value("cyber", description="Attacks and failures in networks.")
    DISASTER = enum_value("disaster", description="Forces of nature, accidents.")
    TERRORISM = enum_value("terrorism", description="Violence to frighten.")
    DIPLOMACY = enum_value("diplomacy", description="Talks and treaties.")
    INTELLIGENCE = enum_value("intelligence", description="Spying, leaks.")
    HUMANITARIAN = enum_value("humanitarian", description="People in need.")
    OTHER = enum_value("other", description="Anything else.")


@strawberry.enum(description="A kind of source.")
class EventSourceType(Enum):
    TWITTER = enum_value("twitter", description="A post on Twitter, now X.")
    TELEGRAM = enum_value("telegram", description="A Telegram channel.")
    REDDIT = enum_value("reddit", description="A post on Reddit.")
    FOUR_CHAN = enum_value("4chan", description="A post on 4chan.")
    GLP = enum_value("glp", description="The forum Godlike Productions.")
    GOVERNMENT = enum_value("government", description="A public authority.")
    NEWS_MEDIA = enum_value("news_media", description="News media.")
    BLOG = enum_value("blog", description="A weblog.")
    OTHER = enum_value("other", description="Any other source.")


@strawberry.enum(description="A kind of entity.")
class EventEntityType(Enum):
    COUNTRY = enum_value("country", description="A country.")
    CITY = enum_value("city", description="A city or town.")
    REGION = enum_value("region", description="A region.")
    PERSON = enum_value("person", description="A person.")
    ORGANIZATION = enum_value("organization", description="An organization.")
    MILITARY_UNIT = enum_value("military_unit", description="A military unit.")
    VESSEL = enum_value("vessel", description="A vessel.")
    WEAPON_SYSTEM = enum_value("weapon_system", description="A weapon system.")
    FACILITY = enum_value("facility", description="A facility.")
    EVENT = enum_value("event", description="An event.")
    OTHER = enum_value("other", description="Any other entity.")


@strawberry.enum(description="Where an event stands on its way to publication.")
class EventStatus(Enum):
    PENDING = enum_value("pending", description="Not checked, or not fit to be published.")
    ENRICHED = enum_value("enriched", description="Completed, not published yet.")
    PUBLISHED = enum_value("published", description="Published.")
    ARCHIVED = enum_value("archived", description="Withdrawn from publication.")
    REJECTED = enum_value("rejected", description="It was refused.")


@strawberry.enum(description="How far an event can be relied on, from its score.")
class ConfidenceLevel(Enum):
    LOW = enum_value("low", description="Below 0.3.")
    MEDIUM = enum_value("medium", description="Below 0.6.")
    HIGH = enum_value("high", description="Below 0.85.")
    VERIFIED = enum_value("verified", description="0.85 and more.")


@strawberry.enum(description="How far the fetching of a source's text has come.")
class ScrapeStatus(Enum):
    PENDING = enum_value("pending", description="It has not begun.")
    IN_PROGRESS = enum_value("in_progress", description="It has begun.")
    COMPLETED = enum_value("completed", description="It is done.")
    FAILED = enum_value("failed", description="Failed; the error says why.")
    SKIPPED = enum_value("skipped", description="It was left out.")


@strawberry.enum(description="How far the reading of a source's text has come.")
class EnrichmentStatus(Enum):
    PENDING = enum_value("pending", description="It has not begun.")
    ENRICHING = enum_value("enriching", description="It has begun.")
    COMPLETED = enum_value("completed", description="It is done.")
    FAILED = enum_value("failed", description="Failed; the error says why.")


@strawberry.enum(description="A span of time to count in.")
class TimeBucket(Enum):
    HOUR = enum_value("hour", description="An hour.")
    DAY = enum_value("day", description="A day, in UTC.")
    WEEK = enum_value("week", description="A week from Monday, in UTC.")
    MONTH = enum_value("month", description="A month, in UTC.")
