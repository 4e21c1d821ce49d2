"""What ranked lists share: how an object came to be among the hits."""

from enum import Enum

import strawberry


@strawberry.enum(description="How an object was found.")
class MatchedBy(Enum):
    EXACT = strawberry.enum_value("exact", description="The text is its name, key or identifier.")
    FULL_TEXT = strawberry.enum_value("full_text", description="It holds words of the text.")
