"""What ranked lists share: how an object came to be among the hits."""

from enum import Enum

import strawberry


@strawberry.enum(description="How an object was found.")
class MatchedBy(Enum):
    EXACT = strawberry.enum_value("exact", description="The text is its name, key or identifier.")
    FULL_TEXT = strawberry.enum_value("full_text", description="It holds words of the text.")
    FUZZY = strawberry.enum_value("fuzzy", description="Its name, or a word of it, is near to the text.")
    SEMANTIC = strawberry.enum_value("semantic", description="Its meaning is near to the text's.")
