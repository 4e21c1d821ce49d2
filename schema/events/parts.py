"""The parts of an event's records: pure functions of stored columns."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

import orjson

from sources.events.vocabulary import confidence_level
from sources.moments import moment_of

moment = moment_of


def optional_moment(number: int | None) -> Any:
    """A time that may be unknown."""
    return None if number is None else moment_of(number)


@dataclass(frozen=True, slots=True)
class Confidence:
    """How far an event can be relied on."""

    score: float
    reasoning: str | None
    source_count: int

    @property
    def level(self) -> str:
        """The level of the score."""
        return confidence_level(self.score)


@dataclass(frozen=True, slots=True)
class Location:
    """Where an event happened."""

    latitude: float | None
    longitude: float | None
    country: str | None
    city: str | None
    region: str | None


def location(
    latitude: float | None, longitude: float | None, country: str | None, city: str | None, region: str | None
) -> Location | None:
    """The location; null where nothing is known of it."""
    known = (latitude, longitude, country, city, region)
    return None if all(one is None for one in known) else Location(*known)


@dataclass(frozen=True, slots=True)
class Provider:
    """Where one record comes from, as `RecordSource` shows it."""

    name: str
    url: str | None
    licence: str | None
    attribution: str | None


_SAMPLE = Provider(
    "The sample of events that comes with loregraph",
    None,
    "Apache-2.0",
    "Written for loregraph; the sources of each event are those that report it.",
)
_IMPORTED = Provider("Events imported by the operator of this server", None, None, None)


def provider(sample: bool) -> Provider:
    """Whether the event was embedded or imported."""
    return _SAMPLE if sample else _IMPORTED


@dataclass(frozen=True, slots=True)
class EntityAttributes:
    """What else is known of an entity."""

    country_code: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    title: str | None = None
    affiliation: str | None = None
    org_type: str | None = None
    headquarters: str | None = None
    branch: str | None = None
    command_level: str | None = None
    vessel_type: str | None = None
    imo: str | None = None
    flag: str | None = None
    weapon_class: str | None = None
    designation: str | None = None
    wikidata_id: str | None = None
    external_refs: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SourceDetails:
    """What only some kinds of sources have."""

    tweet_id: str | None = None
    retweet_count: int | None = None
    like_count: int | None = None
    channel_id: str | None = None
    channel_name: str | None = None
    message_id: str | None = None
    view_count: int | None = None
    feed_url: str | None = None
    reddit_url: str | None = None
    hashtags: list[str] = field(default_factory=list)
    mentions: list[str] = field(default_factory=list)
    language: str | None = None


PartT = TypeVar("PartT", EntityAttributes, SourceDetails)


def _stored(kind: type[PartT], text: str | None) -> PartT | None:
    if text is None:
        return None
    known = {one.name for one in fields(kind)}
    return kind(**{name: value for name, value in orjson.loads(text).items() if name in known})


def entity_attributes(text: str | None) -> EntityAttributes | None:
    """The attributes from the column that holds them."""
    return _stored(EntityAttributes, text)


def source_details(text: str | None) -> SourceDetails | None:
    """The details from the column that holds them."""
    return _stored(SourceDetails, text)


def words(text: str | None) -> list[str]:
    """A stored list of texts; empty where none is stored."""
    return [] if text is None else list(orjson.loads(text))


PRIMARY_TYPES = frozenset({"country", "city", "person", "organization", "military_unit"})


def primary(type_: str, confidence: float | None) -> bool:
    """Whether an entity is one that the event is mainly about: of a leading type, and surely taking part."""
    return type_ in PRIMARY_TYPES and confidence is not None and confidence >= 0.7


def credible(credibility: float | None) -> bool | None:
    """Whether a source is credible; null where its credibility is unknown."""
    return None if credibility is None else credibility >= 0.4
