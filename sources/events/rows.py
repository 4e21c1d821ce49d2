"""From an event of the import format to the rows of its tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import orjson

from sources.events.format import EntityInput, EventInput, SourceInput
from sources.events.maps import ENTITY_MASK, EVENT, SOURCE_MASK
from sources.events.tally import Counted
from sources.events.vocabulary import PENDING, PUBLISHED, publishable
from sources.sphere import unit_vector
from sources.text_index import fold
from sources.text_index_tables import NumberedText

_FORM = b"1"
"""Moves whenever the same event would be stored in another way, so that a rerun of an import stores it anew."""

_NOT_KEPT: Any = {"confidence": {"level"}, "sources": {"__all__": {"event_id"}}}

Values = tuple[Any, ...]

_COUNTED = tuple(EVENT.columns.keys().index(name) for name in Counted.__dataclass_fields__)


@dataclass(slots=True)
class EventRows:
    """Rows by table, each in the order of the table's columns."""

    events: list[Values] = field(default_factory=list)
    sources: list[Values] = field(default_factory=list)
    entities: list[Values] = field(default_factory=list)
    entity_names: list[Values] = field(default_factory=list)
    tags: list[Values] = field(default_factory=list)
    texts: list[NumberedText] = field(default_factory=list)

    @property
    def counted(self) -> Iterator[Counted]:
        """What of the events is counted."""
        return (Counted(*[row[i] for i in _COUNTED]) for row in self.events)

    @property
    def counted_tags(self) -> Iterator[tuple[int, str, str]]:
        """Event, folded tag and tag."""
        return ((event, folded, tag) for event, _, tag, folded in self.tags)

    @property
    def counted_entities(self) -> Iterator[tuple[int, str, str, str]]:
        """Event, id, name and type of each entity."""
        return ((event, id_, name, type_) for event, _, id_, type_, name, *_ in self.entities)


def content_hash(event: EventInput) -> str:
    """The same for the same event, however its file wrote it."""
    kept = event.model_dump(exclude_none=True, exclude=_NOT_KEPT)
    content = orjson.dumps(kept, option=orjson.OPT_SORT_KEYS)
    return blake2b(content, digest_size=16, person=b"event", key=_FORM).hexdigest()


def published_status(event: EventInput) -> str:
    """The status it is stored under: what may not be published waits."""
    allowed = publishable(event.confidence.score, event.magnitude, len(event.sources))
    return event.status if event.status != PUBLISHED or allowed else PENDING


def add_rows(
    rows: EventRows, event: EventInput, number: int, *, created: int, now: int, sample: bool, hash_: str
) -> None:
    """Adds the rows of an event to `rows`. `created` and `now` stand for the times that it does not say."""
    location = event.location
    latitude = location.latitude if location else None
    longitude = location.longitude if location else None
    vector: tuple[float | None, float | None, float | None] = (None, None, None)
    if latitude is not None and longitude is not None:
        vector = unit_vector(latitude, longitude)
    confidence = event.confidence
    rows.events.append(
        (
            number,
            event.id,
            event.timestamp,
            event.title,
            event.summary,
            event.raw_content,
            event.magnitude,
            event.category,
            published_status(event),
            confidence.score,
            confidence.reasoning,
            len(event.sources) if confidence.source_count is None else confidence.source_count,
            latitude,
            longitude,
            *vector,
            location.country if location else None,
            location.city if location else None,
            location.region if location else None,
            SOURCE_MASK.mask([source.type for source in event.sources]),
            ENTITY_MASK.mask([entity.type for entity in event.entities]),
            created if event.created_at is None else event.created_at,
            now if event.updated_at is None else event.updated_at,
            sample,
            hash_,
        )
    )
    rows.sources.extend(_source(number, i, source) for i, source in enumerate(event.sources))
    names: dict[str, None] = {}
    for i, entity in enumerate(event.entities):
        rows.entities.append(_entity(number, i, entity))
        names |= dict.fromkeys(map(fold, (entity.id, entity.name, *entity.aliases)))
    names.pop("", None)
    rows.entity_names.extend((number, name) for name in names)
    tags = {fold(tag): tag for tag in reversed(event.tags)}
    rows.tags.extend((number, i, tags[folded], folded) for i, folded in enumerate(reversed(tags)))
    rows.texts.append((number, event.title, event.summary))


def _source(number: int, position: int, source: SourceInput) -> Values:
    return (
        number,
        position,
        source.id,
        source.type,
        source.url,
        source.title,
        source.author,
        source.author_id,
        source.published_at,
        source.retrieved_at,
        source.raw_content,
        source.content_hash,
        _json(source.metadata),
        source.credibility,
        source.verification_url,
        source.scrape_status,
        source.scrape_error,
        source.scraped_at,
        source.enrichment_status,
        source.enrichment_error,
        source.enriched_at,
        source.enrichment_claimed_at,
        source.created_at,
    )


def _entity(number: int, position: int, entity: EntityInput) -> Values:
    return (
        number,
        position,
        entity.id,
        entity.type,
        entity.name,
        entity.normalized_name or fold(entity.name),
        orjson.dumps(entity.aliases).decode() if entity.aliases else None,
        entity.confidence,
        entity.context,
        _json(entity.attributes),
    )


def _json(part: Any) -> str | None:
    return None if part is None else orjson.dumps(part.model_dump(exclude_none=True)).decode()
