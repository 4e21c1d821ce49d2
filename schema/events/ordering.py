"""What lists of events can be sorted by."""

from enum import Enum

import strawberry
from strawberry import enum_value


@strawberry.enum(description="What events are sorted by; the newest first among equals.")
class EventSort(Enum):
    TIMESTAMP = enum_value("timestamp", description="When it happened.")
    MAGNITUDE = enum_value("magnitude", description="By magnitude.")
    CONFIDENCE = enum_value("confidence", description="By the confidence score.")
    CREATED_AT = enum_value("created_at", description="When it was recorded.")
    UPDATED_AT = enum_value("updated_at", description="When its record last changed.")
