"""The filter over memory entries."""

from typing import Annotated

import strawberry

from schema.filtering import alternatives, condition, negation
from schema.scalars import DateOrTime
from sources.criteria import Op
from sources.memory.records import LONGEST_ID, LONGEST_PAIR


@strawberry.input(description="Which entries to return. All given fields must hold.")
class MemoryFilter:
    entry_id: list[str] | None = condition(
        "entry_id",
        Op.IN,
        "Ids in the database. An empty list matches nothing.",
        keys=True,
        max_items=100,
        max_length=LONGEST_ID,
    )
    text: str | None = condition(
        "text", Op.MATCHES, "All of these whole words occur in the content.", max_length=1000
    )
    metadata: list[str] | None = condition(
        "metadata_pairs",
        Op.HAS_ANY,
        "One of these stands in the metadata: `key=value`, as `topic=cooking`, exactly; in a list, any item.",
        max_items=50,
        max_length=LONGEST_PAIR,
        pattern="[^=]+=[\\s\\S]*",
    )
    since: DateOrTime | None = condition("timestamp", Op.AT_LEAST, "Was then or later.")
    until: DateOrTime | None = condition(
        "timestamp", Op.AT_MOST, "Was then or before; a date is all of its day."
    )
    any_of: list["MemoryFilter"] | None = alternatives()
    not_: Annotated["MemoryFilter", strawberry.lazy("schema.memory.filters")] | None = negation()
