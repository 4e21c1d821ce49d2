"""The direction of an order, shared by every room's order input."""

from enum import Enum

import strawberry


@strawberry.enum(description="Which end of an order comes first.")
class Direction(Enum):
    ASC = strawberry.enum_value("asc", description="Smallest, or A, first.")
    DESC = strawberry.enum_value("desc", description="Greatest, or Z, first.")
