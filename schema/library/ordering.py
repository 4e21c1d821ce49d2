"""What lists of the library can be sorted by."""

from enum import Enum

import strawberry
from strawberry import enum_value

from schema.library import wording
from schema.ordering import Direction


@strawberry.enum(description="What a list of documents can be sorted by.")
class DocumentOrderField(Enum):
    TITLE = enum_value("title", description="By title, ignoring case and accents.")
    YEAR = enum_value("year", description="By year of publication.")
    TYPE = enum_value("type", description="By kind of publication, alphabetically.")
    CHUNK_COUNT = enum_value("chunk_count", description="By how many chunks of text it has.")
    CONCEPT_COUNT = enum_value("concept_count", description="By how many concepts it speaks of.")


@strawberry.input(description="One key to sort documents by.")
class DocumentOrder:
    field: DocumentOrderField = strawberry.field(description="What to sort by.")
    direction: Direction = strawberry.field(default=Direction.ASC, description=wording.DIRECTION)


@strawberry.enum(description="What a list of concepts can be sorted by.")
class ConceptOrderField(Enum):
    NAME = enum_value("name", description="By name, ignoring case and accents.")
    DOCUMENT_COUNT = enum_value("document_count", description="By how many documents speak of it.")
    CHUNK_COUNT = enum_value("chunk_count", description="By how many chunks speak of it.")
    WEIGHT = enum_value("weight", description="By weight.")


@strawberry.input(description="One key to sort concepts by.")
class ConceptOrder:
    field: ConceptOrderField = strawberry.field(description="What to sort by.")
    direction: Direction = strawberry.field(default=Direction.ASC, description=wording.DIRECTION)
