"""Sentences that several filters and orders of the room say alike."""

NAME = "The name contains this, whatever the case, accents and typography."
NAME_EXACT = "The name is this, whatever the case, accents and typography."
SEARCH = "All of these whole words occur in the name or the text."
DOCUMENTS = "From one of these documents, such as `srd-2014`. An empty list matches nothing."
EDITION = "From a document of one of these rules editions."
ORDER = "What to sort by, the weightiest first, instead of the name."
DIRECTION = "Absent values are last either way."
