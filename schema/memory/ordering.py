"""What lists of memory entries can be sorted by."""

from enum import Enum

import strawberry

from schema.ordering import Direction


@strawberry.enum(description="What a list of memory entries can be sorted by.")
class MemoryOrderField(Enum):
    TIMESTAMP = strawberry.enum_value("timestamp", description="By time; entries without one come last.")
    ENTRY_ID = strawberry.enum_value("entry_id", description="By their ids.")


@strawberry.input(description="One key to sort memory entries by.")
class MemoryOrder:
    field: MemoryOrderField = strawberry.field(description="What to sort by.")
    direction: Direction = strawberry.field(default=Direction.ASC, description="Which end comes first.")
