"""Sentences that several filters and orders of the room say alike."""

NAME = "The name contains this, whatever case and accents."
NAME_EXACT = "The name is this, whatever case and accents."
CATEGORY_IN = (
    "In one of these categories (id, name or alias), without those below. An empty list matches nothing."
)
CATEGORY_TREE = "In one of these categories or below it. An empty list matches nothing."
ORDER = "What to sort by, the weightiest first."
DIRECTION = "Absent values are last either way."
INCLUDE_CHILDREN = "Whether what is in the categories below it, at any depth, belongs to it as well."
CATEGORY = "The category: its id, name or an alias."
