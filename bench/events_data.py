"""Generated events: as many as wanted, always the same for a seed, in the import format."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson

from sources.events.vocabulary import CATEGORIES, ENTITY_TYPES, SOURCE_TYPES

_BEGIN = datetime(2010, 1, 1, tzinfo=UTC)
_SECONDS = 16 * 365 * 86_400
_SYLLABLES = ("ka", "ro", "mi", "ten", "sol", "ver", "da", "lin", "gor", "pa", "nu", "she", "bar", "to", "el")

RARE, MIDDLE, FREQUENT = "zenith", "harbour", "report"
"""Words that one event in 10,000, in 500 and in 5 holds."""


def _words(random_: random.Random, many: int) -> list[str]:
    found: set[str] = set()
    while len(found) < many:
        found.add("".join(random_.choices(_SYLLABLES, k=random_.randint(2, 4))))
    return sorted(found)


def generated(rows: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """Events over sixteen years: ten categories, nine types of sources, 3,000 entities, 800 tags."""
    random_ = random.Random(seed)  # noqa: S311 - the same data at every run, no secret
    words, tags = _words(random_, 5_000), _words(random_, 800)
    weights = [1 / (i + 20) for i in range(len(words))]
    entities = [
        {"id": f"entity-{i}", "type": ENTITY_TYPES[i % len(ENTITY_TYPES)], "name": f"{words[i].title()} {i}"}
        for i in range(3_000)
    ]
    for number in range(rows):
        text = random_.choices(words, weights, k=30)
        for word, one_in in ((RARE, 10_000), (MIDDLE, 500), (FREQUENT, 5)):
            if random_.randrange(one_in) == 0:
                text[random_.randrange(len(text))] = word
        happened = _BEGIN + timedelta(seconds=random_.randrange(_SECONDS))
        yield {
            "id": f"generated-{number}",
            "timestamp": happened.isoformat(),
            "title": " ".join(text[:6]).capitalize(),
            "summary": " ".join(text[6:]).capitalize() + ".",
            "magnitude": round(random_.triangular(1, 10, 3), 1),
            "category": random_.choice(CATEGORIES),
            "status": "published" if random_.random() < 0.95 else "pending",
            "confidence": {"score": round(random_.uniform(0.3, 1), 2)},
            "location": {
                "latitude": round(random_.uniform(-60, 75), 4),
                "longitude": round(random_.uniform(-180, 180), 4),
                "country": random_.choice(words[:150]).title(),
            },
            "tags": random_.sample(tags, random_.randint(1, 4)),
            "entities": random_.sample(entities, random_.randint(1, 3)),
            "sources": [
                {
                    "id": f"source-{number}-{i}",
                    "type": random_.choice(SOURCE_TYPES),
                    "title": f"Report {number}",
                    "url": f"https://news.example/{number}/{i}",
                }
                for i in range(random_.randint(1, 2))
            ],
            "created_at": happened.isoformat(),
            "updated_at": happened.isoformat(),
        }


def write_generated(path: Path, rows: int, seed: int = 1) -> None:
    """Writes them as JSON Lines."""
    with path.open("wb") as file:
        for event in generated(rows, seed):
            file.write(orjson.dumps(event, option=orjson.OPT_APPEND_NEWLINE))
