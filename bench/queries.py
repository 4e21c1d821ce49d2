"""The fixed set of queries that every measurement of the GraphQL door uses. Changing one breaks comparisons."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class BenchQuery:
    """A named request. `after_first_page` asks it again from the end of its own first page."""

    name: str
    query: str
    variables: dict[str, Any] = field(default_factory=dict)
    after_first_page: bool = False


QUERIES = (
    BenchQuery(
        "20 spells, filtered",
        "query ($filter: SpellFilter) { spells(filter: $filter, first: 20) {"
        " totalCount nodes { key name level school { name } concentration ritual } } }",
        {
            "filter": {
                "levelMin": 1,
                "levelMax": 5,
                "school": ["EVOCATION", "ABJURATION"],
                "concentration": False,
            }
        },
    ),
    BenchQuery(
        "one spell by key",
        "query ($key: String!) { spell(key: $key) { key name level description school { name } } }",
        {"key": "srd_fireball"},
    ),
    BenchQuery(
        "20 creatures, nested",
        "{ creatures(first: 20) { nodes { key name armorClass hitPoints challengeRating size { name }"
        " type { name } abilities { strength dexterity } senses { passivePerception }"
        " actions { name attackBonus damage { dice damageType { name } } } document { key } } } }",
    ),
    BenchQuery(
        "next page of 20 spells",
        "query ($after: String) { spells(first: 20, after: $after, orderBy: [{field: LEVEL}]) {"
        " nodes { key name level } pageInfo { hasNextPage endCursor } } }",
        after_first_page=True,
    ),
)
