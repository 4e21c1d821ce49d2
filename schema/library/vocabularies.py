"""Closed vocabularies of the library."""

from enum import Enum

import strawberry
from strawberry import enum_value


@strawberry.enum(description="What kind of publication a document is.")
class DocumentType(Enum):
    BOOK = enum_value("book", description="A book, or a report as long as one.")
    PAPER = enum_value("paper", description="A paper of a conference, a journal or an archive.")
    ARTICLE = enum_value("article", description="An article of a magazine, a website or a blog.")
    UNKNOWN = enum_value("unknown", description="Its record does not say.")


@strawberry.enum(description="What categories can be sorted by.")
class CategorySort(Enum):
    NAME = enum_value("name", description="By name, ignoring case and accents.")
    POPULARITY = enum_value("popularity", description="Most chunks first, then most documents.")
    DOCUMENT_COUNT = enum_value("documentCount", description="Most documents first.")


@strawberry.enum(description="What the concepts of a category can be sorted by.")
class CategoryConceptSort(Enum):
    NAME = enum_value("name", description="By name, ignoring case and accents.")
    DOCUMENT_COUNT = enum_value(
        "documentCount", description="Those that most documents of the category speak of first."
    )
