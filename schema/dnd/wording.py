"""Sentences that several filters and orders of the room say alike."""

NAME = "The name contains this, whatever case and accents."
NAME_EXACT = "The name is this, whatever case and accents."
SEARCH = "All of these whole words occur in name or text."
DOCUMENTS = "From one of these documents, such as `srd-2014`. An empty list matches nothing."
EDITION = "From a document of one of these rules editions."
ORDER = "What to sort by, the weightiest first, instead of the name."
DIRECTION = "Absent values are last either way."
