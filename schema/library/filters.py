"""Filters over documents, categories and concepts."""

from typing import Annotated

import strawberry

from schema.filtering import alternatives, condition, negation
from schema.library import wording
from schema.library.vocabularies import DocumentType
from sources.criteria import Op


@strawberry.input(
    description="Which documents to return. All given fields must hold; a list means any of its values."
)
class DocumentFilter:
    title: str | None = condition(
        "title", Op.CONTAINS, "The title contains this, whatever case and accents.", max_length=500
    )
    title_exact: str | None = condition(
        "title", Op.FOLDED_EQUALS, "The title is this, whatever case and accents.", max_length=1000
    )
    search: str | None = condition(
        "text",
        Op.MATCHES,
        "All of these whole words occur in title, summary, abstract, keywords, authors, venue or publisher.",
        max_length=1000,
    )
    key: list[str] | None = condition(
        "key", Op.IN, "Keys. An empty list matches nothing.", keys=True, max_items=100, max_length=200
    )
    category: list[str] | None = condition(
        "category", Op.HAS_ANY, wording.CATEGORY_IN, keys=True, max_items=50, max_length=200
    )
    category_tree: list[str] | None = condition(
        "category_tree", Op.HAS_ANY, wording.CATEGORY_TREE, keys=True, max_items=50, max_length=200
    )
    concept: list[str] | None = condition(
        "concept",
        Op.HAS_ANY,
        "Speaks of one of these concepts (id, name or synonym). An empty list matches nothing.",
        keys=True,
        max_items=50,
        max_length=200,
    )
    author: str | None = condition(
        "authors", Op.CONTAINS, "An author's name contains this, whatever case and accents.", max_length=200
    )
    year: list[int] | None = condition("year", Op.IN, "Published in one of these years.", max_items=100)
    year_min: int | None = condition("year", Op.AT_LEAST, "Published in this year or later.")
    year_max: int | None = condition("year", Op.AT_MOST, "Published in this year or earlier.")
    type: list[DocumentType] | None = condition("type", Op.IN, "Is one of these kinds of publication.")
    publisher: str | None = condition(
        "publisher", Op.CONTAINS, "The publisher's name contains this.", max_length=200
    )
    venue: str | None = condition(
        "venue", Op.CONTAINS, "The journal's or conference's name contains this.", max_length=200
    )
    identifier: list[str] | None = condition(
        "identifier", Op.HAS_ANY, "Has one of these DOIs, ISBNs or arXiv ids.", max_items=100, max_length=300
    )
    any_of: list["DocumentFilter"] | None = alternatives()
    not_: Annotated["DocumentFilter", strawberry.lazy("schema.library.filters")] | None = negation()


@strawberry.input(
    description="Which categories to return. All given fields must hold; a list means any of its values."
)
class CategoryFilter:
    name: str | None = condition("name", Op.CONTAINS, wording.NAME, max_length=200)
    name_exact: str | None = condition("name", Op.FOLDED_EQUALS, wording.NAME_EXACT, max_length=200)
    key: list[str] | None = condition(
        "key", Op.IN, "Ids. An empty list matches nothing.", keys=True, max_items=100, max_length=200
    )
    parent: list[str] | None = condition(
        "parent_key",
        Op.IN,
        "Right below one of these categories. An empty list matches nothing.",
        keys=True,
        max_items=50,
        max_length=200,
    )
    depth: list[int] | None = condition(
        "depth", Op.IN, "This many steps below the top; 0 is the top.", min=0, max_items=20
    )
    documents_min: int | None = condition(
        "document_count", Op.AT_LEAST, "Has at least this many documents of its own.", min=0
    )
    any_of: list["CategoryFilter"] | None = alternatives()
    not_: Annotated["CategoryFilter", strawberry.lazy("schema.library.filters")] | None = negation()


@strawberry.input(
    description="Which concepts to return. All given fields must hold; a list means any of its values."
)
class ConceptFilter:
    name: str | None = condition("name", Op.CONTAINS, wording.NAME, max_length=200)
    name_exact: str | None = condition("name", Op.FOLDED_EQUALS, wording.NAME_EXACT, max_length=200)
    key: list[str] | None = condition(
        "key", Op.IN, "Ids. An empty list matches nothing.", keys=True, max_items=100, max_length=200
    )
    category: list[str] | None = condition(
        "category",
        Op.HAS_ANY,
        "A document of one of these categories, or below it, speaks of it. An empty list matches nothing.",
        keys=True,
        max_items=50,
        max_length=200,
    )
    documents_min: int | None = condition(
        "document_count", Op.AT_LEAST, "At least this many documents speak of it.", min=0
    )
    weight_min: float | None = condition("weight", Op.AT_LEAST, "Has at least this weight.", min=0, max=1)
    any_of: list["ConceptFilter"] | None = alternatives()
    not_: Annotated["ConceptFilter", strawberry.lazy("schema.library.filters")] | None = negation()
