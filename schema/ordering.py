"""The direction of an order, shared by every room's order input."""

from enum import Enum

import strawberry


@strawberry.enum(description="Which end of an order comes first: the smallest, or A, or the greatest, or Z.")
class Direction(Enum):
    ASC = strawberry.enum_value("asc", description="Ascending.")
    DESC = strawberry.enum_value("desc", description="Descending.")
