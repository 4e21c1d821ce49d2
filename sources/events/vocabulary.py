"""The closed vocabularies of events, in the words of the specification, and what follows from them."""

from __future__ import annotations

CATEGORIES = (
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
)
STATUSES = ("pending", "enriched", "published", "archived", "rejected")
# The order of the next two is stored, as bits of a number: new words go to the end.
SOURCE_TYPES = (
    "twitter",
    "telegram",
    "reddit",
    "4chan",
    "glp",
    "government",
    "news_media",
    "blog",
    "other",
)
ENTITY_TYPES = (
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
)
CONFIDENCE_LEVELS = ("low", "medium", "high", "verified")
SCRAPE_STATUSES = ("pending", "in_progress", "completed", "failed", "skipped")
ENRICHMENT_STATUSES = ("pending", "enriching", "completed", "failed")

PUBLISHED = "published"
PENDING = "pending"

PUBLIC_STATUSES = frozenset({PUBLISHED})
"""What anybody may see. Archived events are withdrawn from publication, so they are not among it."""

LEAST_CONFIDENCE = 0.3
LEAST_MAGNITUDE = 1.0


def confidence_level(score: float) -> str:
    """The level of a score: low below 0.3, medium below 0.6, high below 0.85, verified from there."""
    if score < 0.3:
        return "low"
    if score < 0.6:
        return "medium"
    return "high" if score < 0.85 else "verified"


def publishable(confidence: float, magnitude: float, sources: int) -> bool:
    """Whether an event may be published: some confidence, some weight, and at least one source."""
    return confidence >= LEAST_CONFIDENCE and magnitude >= LEAST_MAGNITUDE and sources > 0
