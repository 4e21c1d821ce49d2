"""Closed vocabularies of the datasets room. The value behind each name is the word of the resolvers."""

from enum import Enum

import strawberry
from strawberry import enum_value


@strawberry.enum(description="Which parser of a portal's search engine reads a query.")
class QueryParser(Enum):
    AUTO = enum_value("auto", description="Whichever finds what was meant; the portal is measured for it.")
    DEFAULT = enum_value("default", description="Sent exactly as written.")
    TEXT = enum_value("text", description="Boolean over all text; unranked.")


@strawberry.enum(description="What measuring a portal told of its default parser.")
class ParserVerdict(Enum):
    WRAP = enum_value("wrap", description="It ignores OR; wrapped queries are read right.")
    HONOURS = enum_value("honours", description="It reads OR by itself.")
    NO_WRAPPER = enum_value(
        "no_wrapper",
        description="It ignores OR, and wrapped queries find less: it has no field for all text.",
    )
    UNKNOWN = enum_value("unknown", description="It could not be measured.")


@strawberry.enum(description="The parser that read the effective query.")
class ReachedParser(Enum):
    DEFAULT = enum_value("default", description="The portal's own, with its weights.")
    TEXT = enum_value(
        "text", description="The standard parser, over all text, by a wrapper around the query."
    )
    LUCENE = enum_value(
        "lucene", description="The standard parser, since the query names a field or is `*:*`."
    )


@strawberry.enum(description="What asking the portal that a resource comes from brought.")
class SourceCheckState(Enum):
    ACTIVE = enum_value("active", description="It has the rows.")
    INACTIVE = enum_value("inactive", description="It has no rows, or answers with an error.")
    UNREACHABLE = enum_value("unreachable", description="It does not answer.")
    SKIPPED = enum_value("skipped", description="It was not asked; the note says why.")
